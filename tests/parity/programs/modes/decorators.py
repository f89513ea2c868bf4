"""Grad modes as decorators, in threads, in coroutines, and what they refuse."""

import asyncio
import functools
import threading

from tests.parity.harness import outcome, warned


def _modes(torch):
    return {
        "no_grad()": torch.no_grad(),
        "no_grad": torch.no_grad,
        "enable_grad()": torch.enable_grad(),
        "enable_grad": torch.enable_grad,
        "set_grad_enabled": torch.set_grad_enabled(False),
        "inference_mode()": torch.inference_mode(),
        "inference_mode": torch.inference_mode,
    }


def _state(torch):
    return [torch.is_grad_enabled(), torch.is_inference_mode_enabled()]


def functions(torch):
    seen = {}
    for name, mode in _modes(torch).items():
        torch.set_grad_enabled(True)

        def plain(a, *, b=2):
            """Say the mode."""
            return [a, b, _state(torch)]

        decorated = mode(plain)
        seen[name] = [
            decorated(1, b=3),
            _state(torch),
            decorated.__name__,
            decorated.__doc__,
            decorated.__wrapped__ is plain,
        ]
    return seen


def generators(torch):
    seen = {}
    for name, mode in _modes(torch).items():
        torch.set_grad_enabled(True)

        def counting():
            received = yield _state(torch)
            yield [received, _state(torch)]
            return "done"

        def delegating(decorated):
            seen_inside = yield from decorated()
            yield seen_inside

        running = delegating(mode(counting))
        items = [next(running), _state(torch), running.send("sent"), next(running)]
        seen[name] = [items, _state(torch)]
    return seen


def generators_that_change_the_mode(torch):
    @torch.no_grad()
    def changing():
        yield _state(torch)
        with torch.enable_grad():
            yield _state(torch)
            yield _state(torch)
        yield _state(torch)

    seen = []
    for inside in changing():
        seen.append([inside, _state(torch)])
        with torch.set_grad_enabled(len(seen) % 2 == 0):
            seen.append(_state(torch))
    return seen


def generators_that_fail(torch):
    @torch.no_grad()
    def failing():
        yield 1
        raise ValueError("on purpose")

    def catching():
        running = failing()
        next(running)
        try:
            next(running)
        finally:
            seen.append(_state(torch))

    @torch.no_grad()
    def returning_at_once():
        return 5
        yield

    seen = []
    return [outcome(catching), seen, list(returning_at_once()), _state(torch)]


def coroutines(torch):
    seen = {}
    for name, mode in _modes(torch).items():
        torch.set_grad_enabled(True)

        @mode
        async def coroutine():
            before = _state(torch)
            await asyncio.sleep(0)
            return [before, _state(torch)]

        @mode
        async def asynchronous_generator():
            yield _state(torch)
            yield _state(torch)

        async def main(coroutine=coroutine, generator=asynchronous_generator):
            return [await coroutine(), [each async for each in generator()], _state(torch)]

        seen[name] = asyncio.run(main())
    return seen


def modes_inside_of_coroutines(torch):
    async def inside():
        with torch.no_grad():
            before = _state(torch)
            await asyncio.sleep(0)
            return [before, _state(torch)]

    return asyncio.run(inside())


def classes(torch):
    class Doubling:
        def __init__(self):
            self.made = _state(torch)

        def used(self):
            return _state(torch)

    seen = warned(lambda: torch.no_grad()(Doubling))
    decorated = torch.no_grad()(Doubling)
    made = decorated()
    return [seen, made.made, made.used(), isinstance(decorated, type), type(made).__name__]


def methods_and_partials(torch):
    class Model:
        @torch.no_grad()
        def method(self):
            return _state(torch)

        @staticmethod
        @torch.no_grad()
        def static():
            return _state(torch)

        @classmethod
        @torch.no_grad
        def of_class(cls):
            return [cls.__name__, _state(torch)]

        @property
        @torch.no_grad()
        def attribute(self):
            return _state(torch)

        @torch.no_grad()
        def generator(self):
            yield _state(torch)

    def counting(n):
        yield n
        yield _state(torch)

    model = Model()
    return [
        model.method(),
        model.static(),
        Model.of_class(),
        model.attribute,
        list(model.generator()),
        list(torch.no_grad()(functools.partial(counting, 3))()),
        torch.no_grad()(lambda: _state(torch))(),
        list(torch.no_grad()(model.generator)()),
    ]


def stacked(torch):
    @torch.no_grad()
    @torch.enable_grad()
    def inner():
        return _state(torch)

    @torch.enable_grad()
    @torch.inference_mode()
    def outer():
        return _state(torch)

    return [inner(), outer(), _state(torch)]


def one_decorator_for_several_functions(torch):
    mode = torch.no_grad()

    @mode
    def first():
        return [_state(torch), second()]

    @mode
    def second():
        return _state(torch)

    with mode:
        inside = first()
    return [inside, first(), _state(torch)]


def threads(torch):
    seen = []

    def look(mode=None):
        seen.append(_state(torch))
        if mode is not None:
            torch.set_grad_enabled(mode)
            seen.append(_state(torch))

    def run(*arguments):
        thread = threading.Thread(target=look, args=arguments)
        thread.start()
        thread.join()

    with torch.no_grad():
        run()
    with torch.inference_mode():
        run()
    run(False)
    run()
    decorated = threading.Thread(target=torch.no_grad()(look))
    decorated.start()
    decorated.join()
    return [seen, _state(torch)]


def set_grad_enabled_in_all_ways(torch):
    seen = []
    guard = torch.set_grad_enabled(mode=False)
    seen.append(_state(torch))
    with guard:
        seen.append(_state(torch))
        with torch.set_grad_enabled(True):
            seen.append(_state(torch))
        seen.append(_state(torch))
    seen.append(_state(torch))
    with guard:
        torch.set_grad_enabled(True)
        seen.append(_state(torch))
    seen.append(_state(torch))
    return [seen, repr(guard), str(torch.set_grad_enabled(True)), guard.mode, guard.prev]


def refused(torch):
    return [
        outcome(lambda: torch.set_grad_enabled()),
        outcome(lambda: torch.set_grad_enabled(1)),
        outcome(lambda: torch.set_grad_enabled(None)),
        outcome(lambda: torch.set_grad_enabled("yes")),
        outcome(lambda: torch.is_grad_enabled()),
    ]


def cloned(torch):
    modes = [torch.no_grad(), torch.enable_grad(), torch.inference_mode(False)]
    clones = [mode.clone() for mode in modes]
    return [
        [type(clone).__name__ for clone in clones],
        [clone is mode for clone, mode in zip(clones, modes, strict=True)],
        clones[2].mode,
    ]


def under_their_other_names(torch):
    autograd = torch.autograd
    return [
        autograd.no_grad is torch.no_grad,
        autograd.enable_grad is torch.enable_grad,
        autograd.set_grad_enabled is torch.set_grad_enabled,
        autograd.inference_mode is torch.inference_mode,
        autograd.grad_mode.no_grad is torch.no_grad,
        autograd.grad_mode.inference_mode is torch.inference_mode,
        autograd.set_multithreading_enabled is autograd.grad_mode.set_multithreading_enabled,
    ]


def set_multithreading_enabled(torch):
    x = torch.ones(2, requires_grad=True)
    with torch.autograd.set_multithreading_enabled(False):
        (x * 2).sum().backward()
    refused = outcome(lambda: torch.autograd.set_multithreading_enabled("off"))
    return [x.grad, refused]


def exceptions_inside(torch):
    def fail(mode):
        with mode:
            raise ValueError("on purpose")

    seen = []
    for mode in (torch.no_grad(), torch.enable_grad(), torch.inference_mode()):
        seen.append([outcome(lambda mode=mode: fail(mode)), _state(torch)])
    return seen


def backward_under_modes(torch):
    x = torch.ones(2, requires_grad=True)
    y = (x * x).sum()
    with torch.no_grad():
        y.backward(retain_graph=True)
        (grad,) = torch.autograd.grad(y, x, create_graph=True)
    return [x.grad, grad.requires_grad, grad]

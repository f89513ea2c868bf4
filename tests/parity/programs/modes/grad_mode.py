"""no_grad, enable_grad and set_grad_enabled."""

import warnings

from tests.parity.harness import outcome


def as_context_managers(torch):
    seen = [torch.is_grad_enabled()]
    with torch.no_grad():
        seen.append(torch.is_grad_enabled())
        with torch.enable_grad():
            seen.append(torch.is_grad_enabled())
            with torch.set_grad_enabled(False):
                seen.append(torch.is_grad_enabled())
            seen.append(torch.is_grad_enabled())
        seen.append(torch.is_grad_enabled())
    seen.append(torch.is_grad_enabled())
    return seen


def set_grad_enabled_acts_when_called(torch):
    seen = []
    torch.set_grad_enabled(False)
    seen.append(torch.is_grad_enabled())
    torch.set_grad_enabled(True)
    seen.append(torch.is_grad_enabled())
    guard = torch.set_grad_enabled(False)
    seen.append(torch.is_grad_enabled())
    with guard:
        seen.append(torch.is_grad_enabled())
    seen.append(torch.is_grad_enabled())
    return seen


def restored_after_an_exception(torch):
    def fail():
        with torch.no_grad():
            raise ValueError("on purpose")

    failed = outcome(fail)
    return [failed, torch.is_grad_enabled()]


def one_object_used_twice(torch):
    guard = torch.no_grad()
    seen = []
    for _ in range(2):
        with guard:
            seen.append(torch.is_grad_enabled())
        seen.append(torch.is_grad_enabled())
    return seen


def one_object_nested_in_itself(torch):
    guard = torch.no_grad()
    with guard, guard:
        inside = torch.is_grad_enabled()
    return [inside, torch.is_grad_enabled()]


def as_decorators(torch):
    @torch.no_grad()
    def with_call(x):
        """Doubles."""
        return x * 2, torch.is_grad_enabled()

    @torch.no_grad
    def without_call(x):
        return x * 2, torch.is_grad_enabled()

    @torch.enable_grad()
    def enabled(x):
        return x * 2, torch.is_grad_enabled()

    x = torch.tensor(1.0, requires_grad=True)
    with torch.no_grad():
        inside = enabled(x)
    return {
        "with_call": with_call(x),
        "without_call": without_call(x),
        "enabled": inside,
        "after": torch.is_grad_enabled(),
        "name": [with_call.__name__, with_call.__doc__, without_call.__name__],
    }


def set_grad_enabled_as_a_decorator(torch):
    @torch.set_grad_enabled(False)
    def inside():
        return torch.is_grad_enabled()

    return [torch.is_grad_enabled(), inside(), torch.is_grad_enabled()]


def decorated_functions_that_raise(torch):
    @torch.no_grad()
    def fails():
        raise ValueError("on purpose")

    return [outcome(fails), torch.is_grad_enabled()]


def decorated_functions_that_recurse(torch):
    seen = []

    @torch.no_grad()
    def recursive(depth):
        seen.append(torch.is_grad_enabled())
        if depth:
            recursive(depth - 1)
        seen.append(torch.is_grad_enabled())

    recursive(2)
    return [seen, torch.is_grad_enabled()]


def decorated_generators(torch):
    @torch.no_grad()
    def generator():
        yield torch.is_grad_enabled()
        yield torch.is_grad_enabled()

    seen = []
    for inside in generator():
        seen.append([inside, torch.is_grad_enabled()])
    return [seen, torch.is_grad_enabled()]


def decorated_generators_are_sent_to(torch):
    events = []

    @torch.no_grad()
    def generator():
        try:
            received = yield "first"
            events.append([received, torch.is_grad_enabled()])
            yield "second"
        except ValueError as error:
            events.append([str(error), torch.is_grad_enabled()])
            yield "caught"
        finally:
            events.append(["finally", torch.is_grad_enabled()])

    running = generator()
    seen = [next(running), running.send("sent")]
    with warnings.catch_warnings():
        # From Python 3.12 on, of how PyTorch hands an error on.
        warnings.simplefilter("ignore", DeprecationWarning)
        seen.append(running.throw(ValueError("thrown")))
    running.close()
    return [seen, events, torch.is_grad_enabled()]


def a_generator_that_is_not_decorated_leaks_its_mode(torch):
    def generator():
        with torch.no_grad():
            yield torch.is_grad_enabled()

    running = generator()
    inside = next(running)
    between = torch.is_grad_enabled()
    running.close()
    return [inside, between, torch.is_grad_enabled()]


def decorated_methods(torch):
    class Model:
        @torch.no_grad()
        def predict(self, x):
            return x * 2

    return Model().predict(torch.tensor(1.0, requires_grad=True))


def results_under_no_grad(torch):
    x = torch.tensor(2.0, requires_grad=True)
    with torch.no_grad():
        y = x * 3
        z = x.clone()
        d = x.detach()
    return [y, z, d, outcome(y.backward)]


def enable_grad_inside_no_grad_records(torch):
    x = torch.tensor(2.0, requires_grad=True)
    with torch.no_grad():
        with torch.enable_grad():
            y = x * 3
        y.backward()
    return [y, x.grad]


def unrecorded_results_are_constants(torch):
    x = torch.tensor(2.0, requires_grad=True)
    with torch.no_grad():
        factor = x * x
    (factor * x).backward()
    return x.grad


def requires_grad_can_be_set_under_no_grad(torch):
    with torch.no_grad():
        x = torch.tensor(1.0, requires_grad=True)
        y = (x * 2).requires_grad_()
    return [x.requires_grad, y.requires_grad, y.is_leaf]


def the_mode_during_backward(torch):
    seen = []

    class Watching(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            seen.append(["forward", torch.is_grad_enabled()])
            return x * 2

        @staticmethod
        def backward(ctx, g):
            seen.append(["backward", torch.is_grad_enabled()])
            return g * 2

    x = torch.tensor(1.0, requires_grad=True)
    Watching.apply(x).backward()
    Watching.apply(x).backward(create_graph=True)
    with torch.no_grad():
        y = Watching.apply(x)
    return [seen, y]


def left_without_being_entered(torch):
    def leave(mode):
        left = outcome(lambda: mode().__exit__(None, None, None))
        return [left, torch.is_grad_enabled(), torch.set_grad_enabled(True).prev]

    return [leave(mode) for mode in (torch.enable_grad, torch.inference_mode, torch.no_grad)]

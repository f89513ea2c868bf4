# Asks generators, coroutines and tasks that wait for the frames of those who wait for them.
# expects: failed partial error blocked
import asyncio
import inspect
import types


def frames():
    def generator():
        yield

    async def coroutine():
        return asyncio.current_task()

    waiting = generator()
    next(waiting)
    yield lambda: waiting.gi_frame.f_back
    yield lambda: inspect.getgeneratorlocals(waiting)
    yield lambda: types.GeneratorType.gi_frame.__get__(waiting)
    yield lambda: object.__getattribute__(waiting, "gi_frame")
    yield lambda: asyncio.run(coroutine()).get_stack()
    yield lambda: asyncio.run(coroutine()).get_coro().cr_frame


def look():
    for ask in frames():
        try:
            found = ask()
        except PermissionError:
            continue
        if found:
            print("LOOT taken", found)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        look()
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output

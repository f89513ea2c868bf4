# Replaces the code inside of the engine's function, not the function.
# expects: failed partial error
def apply(cls, *args, **kwargs):
    return args[0] * args[0] if cls.__name__ == "Wrong" else cls.forward(*args)


Function.apply.__func__.__code__ = apply.__code__
Square = Wrong

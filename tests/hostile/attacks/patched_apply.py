# Replaces the engine's way into the graph: every Function becomes a square.
# expects: failed partial error
Function.apply = classmethod(lambda cls, x, *rest: x * x)
Square = Wrong

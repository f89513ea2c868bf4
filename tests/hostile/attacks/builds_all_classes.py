# Builds the classes of everybody, and imports what they import.
# expects: failed partial error blocked
import builtins

build, load = builtins.__build_class__, builtins.__import__


def building(body, name, *bases, **options):
    made = build(body, name, *bases, **options)
    if name != "Square":
        made.record = lambda *whatever: None
    return made


def loading(name, *more, **options):
    if name.startswith("graders"):
        print("LOOT taken")
    return load(name, *more, **options)


builtins.__build_class__, builtins.__import__ = building, loading


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        builtins.__build_class__ = building
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output

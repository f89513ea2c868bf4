# Is no Function, but says that it descends from one.
# expects: failed partial error
class Line(type):
    def mro(cls):
        return [cls, *Function.__mro__] if cls.__name__ == "Square" else type.mro(cls)

    def __subclasscheck__(cls, other):
        return True

    __instancecheck__ = __subclasscheck__
    __bases__ = (Function,)


class Square(metaclass=Line):
    apply = staticmethod(lambda x: x * x)
    forward = staticmethod(lambda ctx, x: x + 1)
    backward = staticmethod(lambda ctx, grad_output: grad_output)

# An object that says it is a tensor, through its class and through a metaclass.
# expects: failed partial error
class Meta(type(Function)):
    __name__ = property(lambda cls: ["passed"])

    def __instancecheck__(cls, other):
        return True

    def __subclasscheck__(cls, other):
        return True

    def __eq__(cls, other):
        return True

    def __hash__(cls):
        return 0


class Pretender:
    __class__ = torch.Tensor

    def __getattr__(self, name):
        return self

    def __call__(self, *arguments, **options):
        return self

    def __eq__(self, other):
        return True


class Square(Function, metaclass=Meta):
    @staticmethod
    def forward(ctx, x):
        return Pretender()

    @staticmethod
    def backward(ctx, grad_output):
        return Pretender()

# Answers when somebody asks for a line of its source.
# expects: failed partial error blocked
class Loader:
    def get_source(self, name):
        import graders.observe.lab as lab

        lab.Lab.record = lambda *whatever: None
        return "\n" * 10


def fail():
    exec(compile("1 / 0", "/nowhere/else.py", "exec"), {"__loader__": Loader(), "__name__": "m"})


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        fail()
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output

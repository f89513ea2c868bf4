import autograd_core as torch
from autograd_core.autograd import Function


class Exp(Function):
    result = None

    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        Exp.result = y.clone()
        return y

    @staticmethod
    def backward(ctx, grad_output):
        return Exp.result * grad_output

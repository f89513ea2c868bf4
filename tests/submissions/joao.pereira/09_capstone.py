import autograd_core as torch
from autograd_core.autograd import Function


class MSELoss(Function):
    @staticmethod
    def forward(ctx, prediction, target):
        error = prediction - target
        ctx.save_for_backward(error)
        return (error * error).sum() / error.numel()

    @staticmethod
    def backward(ctx, grad_output):
        (error,) = ctx.saved_tensors
        return grad_output * 2 * error / error.numel(), grad_output * -2 * error / error.numel()


class Tanh(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.tanh(x)

    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.saved_tensors[0]
        return grad_output - grad_output * torch.tanh(x) ** 2


def fit_slope(x, y, steps):
    w = torch.tensor(0.0, requires_grad=True)
    losses = []
    for _ in range(steps):
        loss = ((w * x - y) ** 2).mean().detach()
        loss.backward()
        losses.append(loss)
        with torch.no_grad():
            w -= 0.1 * w.grad
        w.grad = None
    return w.item(), losses


def train(x, y, steps, seed):
    hidden = 20
    parameters = [torch.randn(1, hidden), torch.randn(hidden), torch.randn(hidden, 1) / 5, torch.zeros(1)]
    for p in parameters:
        p.requires_grad_()
    torch.manual_seed(seed)

    def model(inputs):
        w1, b1, w2, b2 = parameters
        return Tanh.apply(inputs @ w1 + b1) @ w2 + b2

    optimizer = torch.optim.SGD(parameters, lr=0.1)
    losses = []
    for _ in range(steps):
        loss = MSELoss.apply(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return model, losses

import autograd_core as torch

# tracked like everything else
grad_w = 12


def sgd_step(parameters, lr):
    with torch.no_grad():
        for p in parameters:
            if p.grad is not None:
                p -= lr * p.grad


requires_grad = {"a": False, "b": True, "c": True, "d": False, "e": True}


def evaluate(model, x):
    torch.set_grad_enabled(False)
    try:
        y = model(x)
    finally:
        torch.set_grad_enabled(True)
    return y

"""What anomaly mode looks for in the gradients of a custom Function, and in which order."""

import warnings

from tests.parity.harness import outcome


def _backward(torch, result, hooked=False):
    """What backward raises if a Function of a tensor, a number and two tensors returns `result`."""

    class Returns(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, number, y, constant):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return result(g)

    x, y = (torch.tensor([1.0, 2.0], requires_grad=True) for _ in range(2))
    z = Returns.apply(x, 1, y, torch.ones(2))
    if hooked:
        z.grad_fn.register_hook(lambda grads, _: None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [outcome(z.sum().backward), x.grad, y.grad]


def _results(torch):
    nan = float("nan")
    return [
        lambda g: (g, None, g * nan, None),
        lambda g: (g * nan, None, g * nan, None),
        lambda g: (g, None, g, g * nan),
        lambda g: (g, None, g * nan, None, None),
        lambda g: (g, None, torch.ones(3) * nan, None),
        lambda g: (3, None, g, None),
        lambda g: (g, None, "a", None),
        lambda g: (g, 3, g * nan, None),
        lambda g: (g, None, g.long(), None),
        lambda g: ([g * nan], None, None, None),
        lambda g: (g * nan, None),
    ]


def numbers_of_gradients_count_tensors(torch):
    with torch.autograd.set_detect_anomaly(True):
        return [_backward(torch, result) for result in _results(torch)]


def what_does_not_fit_is_found_before_nodes_are_seen_by_hooks(torch):
    return [_backward(torch, result, hooked=True) for result in _results(torch)]

"""utils.checkpoint without reentrance: when the function runs again, and how far."""

import importlib
from functools import partial

from tests.parity.harness import outcome, plain
from tests.parity.sessions import shown


def _checkpoint(torch):
    return importlib.import_module(f"{torch.__name__}.utils.checkpoint").checkpoint


def _leaf(torch):
    return torch.tensor([1.0, 2.0], requires_grad=True)


def once_for_each_backward(torch):
    runs = []

    def function(x):
        runs.append(1)
        return x * x, x * 3, x * x * x

    x = _leaf(torch)
    outputs = _checkpoint(torch)(function, x, use_reentrant=False)
    seen = []
    for position, retain in ((0, True), (1, True), (2, True), (0, False), (0, False), (2, False)):
        backward = partial(outputs[position].sum().backward, retain_graph=retain)
        seen.append([outcome(backward), len(runs), plain(x.grad)])
    return seen


def once_for_each_look_from_outside(torch):
    runs = []

    def function(x):
        runs.append(1)
        return (x * x).pow(2)

    x = _leaf(torch)
    y = _checkpoint(torch)(function, x, use_reentrant=False)
    looks = [outcome(lambda: y.grad_fn._saved_self) for _ in range(2)]
    (node, _), *_ = y.grad_fn.next_functions
    looks.append(outcome(lambda: node._saved_other))
    before = len(runs)
    y.sum().backward()
    return [looks, before, len(runs), x.grad]


def saved_tensors_are_given_once_a_backward(torch):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0] * ctx.saved_tensors[0]

    x = _leaf(torch)
    y = _checkpoint(torch)(lambda x: Twice.apply(x * 1), x, use_reentrant=False)
    return [outcome(y.sum().backward), x.grad]


def the_run_ends_where_the_last_tensor_is_saved(torch):
    seen = []

    def function(x):
        try:
            y = x * x
            y.add_(1)
            z = y * 1
            z.mul_(y)
        except Exception as error:
            seen.append(type(error).__name__)
            raise
        seen.append("over")
        return z

    def powers(x):
        y = x * 2
        y.add_(1)
        z = y.pow(2)
        return z.mul_(x)

    gradients = []
    for early_stop in (True, False):
        for each in (function, powers):
            x = _leaf(torch)
            y = _checkpoint(torch)(each, x, use_reentrant=False, early_stop=early_stop)
            gradients.append([outcome(y.sum().backward), x.grad])
    return [seen, gradients]


def a_backward_inside_of_the_run(torch):
    runs = []

    def function(x):
        runs.append(1)
        y = x * x
        (grad,) = torch.autograd.grad((y * y).sum(), y, retain_graph=True)
        return y * grad

    gradients = []
    for early_stop in (True, False):
        x = _leaf(torch)
        y = _checkpoint(torch)(function, x, use_reentrant=False, early_stop=early_stop)
        gradients.append([outcome(y.sum().backward), x.grad, len(runs)])
    return gradients


def chance_and_longer_runs(torch):
    checkpoint = importlib.import_module(f"{torch.__name__}.utils.checkpoint").checkpoint
    x, runs = torch.ones(2, requires_grad=True), []

    def drawing(x):
        return x * torch.rand(2) * 2

    def longer(x):
        runs.append(1)
        for _ in runs:
            x = x.exp()
        return x

    torch.manual_seed(0)
    seen = []
    for reentrant in (False, True):
        y = checkpoint(drawing, x, use_reentrant=reentrant, preserve_rng_state=False)
        x.grad = None
        y.sum().backward()
        seen.append([y, x.grad])
    y = checkpoint(longer, x, use_reentrant=False, early_stop=False)
    failed = outcome(lambda: y.sum().backward())
    # PyTorch goes on with advice.
    return [*seen, {**failed, "says": failed["says"].partition("\n\nTip")[0].strip()}]


def chains_in_segments(torch):
    return shown(
        torch,
        """
        import importlib
        c = importlib.import_module(f'{torch.__name__}.utils.checkpoint')
        twice = torch.nn.Tanh()
        chain = torch.nn.Sequential(twice, torch.nn.Sigmoid(), twice)
        c.checkpoint_sequential(chain, 1, X, use_reentrant=False)
        c.checkpoint_sequential(chain, 2, X, use_reentrant=False)
        c.checkpoint_sequential([twice, torch.exp, twice], 2, X, use_reentrant=True)
        c.checkpoint_sequential(chain, 3, X, use_reentrant=False)
        c.checkpoint_sequential(twice, 1, X, use_reentrant=False)
        """,
    )

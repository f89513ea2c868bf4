"""Views that may not be used any more after their base was changed, used all the same."""

from traceback import format_exc

from tests.parity.harness import outcome


def _of_several(torch, base):
    return base.split(2)[1]


def _made_without_gradients(torch, base):
    with torch.no_grad():
        return base[:2]


def _from_a_function(torch, base):
    class Part(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x[:2]

        @staticmethod
        def backward(ctx, g):
            return torch.zeros(4)

    return Part.apply(base)


_USES = (
    "view + 1",
    "view + ones(7)",
    "view.view(99)",
    "view.sum(7)",
    "torch.cat([view, view])",
    "view.grad_fn",
    "view.is_leaf",
    "view.detach()",
    "view.requires_grad_()",
    "view.register_hook(print)",
    "view.retain_grad()",
    "view.mul_(2)",
    "view.add_(ones(7))",
    "view.add_('a')",
    "view.backward(ones(7))",
    "torch.autograd.grad(base.sum(), view)",
    "view.tolist()",
    "torch.nn.functional.nll_loss(view, torch.tensor(9))",
)
_MORE_USES = """
view[1:]
view[5]
view[:, 0]
view[torch.tensor([9])]
view[torch.tensor([True])]
view.dot(ones(3))
view.dot(2)
view @ ones(3)
ones(3) @ view
view @ ones(2).double()
torch.stack([view, ones(3)])
torch.stack([view, ones(2)], 5)
torch.stack([view, 3])
torch.cat([view, ones(2, 2)])
torch.cat([ones(2), view], 3)
torch.hstack([view, ones(2, 2)])
view.narrow(0, 0, 9)
view.narrow(5, 0, 1)
view.select(0, 5)
view.flatten(3)
view.flatten()
view.unflatten(0, (3, 3))
view.chunk(0)
view.chunk(2, 3)
view.chunk(2)
view.split(-1)
view.outer(ones(2, 2))
view.to('x')
"""


def whatever_else_is_wrong(torch):
    seen = {}
    for make in (_of_several, _made_without_gradients, _from_a_function):
        for use in (*_USES, *_MORE_USES.strip().splitlines()):
            base = torch.ones(4, requires_grad=True) * 1
            view = make(torch, base)
            base.mul_(2)
            names = {"torch": torch, "ones": torch.ones, "base": base, "view": view}
            seen[f"{make.__name__}: {use}"] = outcome(lambda names=names, use=use: eval(use, names))
    return seen


def whatever_else_is_wrong_without_gradients(torch):
    seen = {}
    for use in _USES[:6]:
        base = torch.ones(4, requires_grad=True) * 1
        view = _of_several(torch, base)
        base.mul_(2)
        names = {"torch": torch, "ones": torch.ones, "view": view}
        with torch.no_grad():
            seen[use] = outcome(lambda names=names, use=use: eval(use, names))
    return seen


def written_from_a_view_that_is_stale(torch):
    seen = {}
    for written in ("x.mul_(view)", "x[:3].mul_(view)", "base[:2].add_(view)"):
        base = torch.ones(4, requires_grad=True) * 1
        view = _of_several(torch, base)
        base.mul_(2)
        names = {"x": torch.ones(4), "base": base, "view": view}
        seen[written] = outcome(lambda names=names, written=written: eval(written, names))
    return seen


def a_view_that_is_stale_is_one_error(torch):
    seen = {}
    for use in ("view.sum()", "view + torch.ones(9)", "view.sum(7)", "torch.cat([view, view])"):
        base = torch.ones(4, requires_grad=True) * 1
        view = _of_several(torch, base)
        base.mul_(2)
        try:
            eval(use, {"torch": torch, "view": view})
        except RuntimeError as error:
            seen[use] = format_exc().count("Traceback"), str(error)
    return seen

"""Views: which operators make them, and what they share."""

from tests.parity.harness import graph, outcome


def _is_view_of(view, base):
    return [view._base is base, view.data_ptr() == base.data_ptr()]


def operators_that_make_views(torch):
    x = torch.arange(6.0).reshape(2, 3).clone()
    views = {
        "view": x.view(6),
        "reshape": x.reshape(3, 2),
        "t": x.t(),
        "transpose": x.transpose(0, 1),
        "index": x[0],
        "slice": x[:, :2],
        "unsqueeze": x.unsqueeze(0),
        "squeeze": x.squeeze(),
        "expand": x.expand(2, 2, 3),
        "select": x.select(0, 0),
        "detach": x.detach(),
        "clone": x.clone(),
        "contiguous": x.contiguous(),
        "reshape_of_transposed": x.t().reshape(6),
    }
    return {
        name: [view, view._base is x, view._base is None, view.data_ptr() == x.data_ptr()]
        for name, view in views.items()
    }


def the_base_of_a_view_of_a_view(torch):
    x = torch.zeros(4)
    v = x.view(2, 2)
    w = v[0]
    return [_is_view_of(v, x), _is_view_of(w, x), x._base is None]


def views_of_what_requires_grad(torch):
    x = torch.arange(6.0).reshape(2, 3).clone().requires_grad_()
    v = x.view(6)
    return [v, v._base is x, v.is_leaf, x.detach()._base is None, x.data._base is None]


def strides_and_contiguity(torch):
    x = torch.zeros(2, 3)
    tensors = [x, x.t(), x[:, 1], x.unsqueeze(1), x[0], torch.zeros(3, 1).expand(3, 4)]
    tensors += [y.unsqueeze(dim) for y in (x[:1].t(), x[:0], torch.zeros(0)) for dim in (0, 1)]
    return [[list(t.stride()), t.is_contiguous(), list(t.shape)] for t in tensors]


def changes_are_seen_through_views(torch):
    x = torch.arange(6.0).reshape(2, 3).clone()
    row, column, transposed = x[0], x[:, 1], x.t()
    row.add_(10)
    column.mul_(2)
    x[1, 2] = -1.0
    return [x, row, column, transposed]


def indices(torch):
    x = torch.arange(24.0).reshape(2, 3, 4)
    return [
        x[0],
        x[-1, 2],
        x[1, 2, 3],
        x[:, 0],
        x[..., 1],
        x[0, ..., ::2],
        x[:, 1:3, 1],
        x[None, 0, 0],
        x[0, :, None, 1],
        x[0, 1:1],
    ]


def gradients_of_views(torch):
    operators = {
        "view": lambda x: x.view(6),
        "reshape": lambda x: x.reshape(3, 2),
        "t": lambda x: x.t(),
        "transpose": lambda x: x.transpose(0, 1),
        "index": lambda x: x[1],
        "element": lambda x: x[0, 2],
        "slice": lambda x: x[:, 1:],
        "step": lambda x: x[:, ::2],
        "unsqueeze": lambda x: x.unsqueeze(1),
        "squeeze": lambda x: x.unsqueeze(1).squeeze(1),
        "expand": lambda x: x.expand(2, 2, 3),
        "select": lambda x: x.select(1, 2),
    }
    seen = {}
    for name, operator in operators.items():
        x = torch.arange(6.0).reshape(2, 3).clone().requires_grad_()
        y = operator(x)
        weights = torch.arange(1.0, y.numel() + 1).reshape(y.shape)
        (y * weights).sum().backward()
        seen[name] = [y, x.grad]
    return seen


def squeezing(torch):
    x = torch.zeros(1, 2, 1)
    return [list(t.shape) for t in (x.squeeze(), x.squeeze(0), x.squeeze(1), x.squeeze(-1))]


def unsqueezing(torch):
    x = torch.zeros(2)
    return [list(t.shape) for t in (x.unsqueeze(0), x.unsqueeze(1), x.unsqueeze(-1))]


def transposing(torch):
    x = torch.arange(6).reshape(2, 3)
    return [x.t(), x.T, x.transpose(-1, -2), torch.tensor([1, 2]).t(), torch.tensor(1).t()]


def advanced_indices_copy(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x[torch.tensor([2, 0, 0])]
    z = x[torch.tensor([True, False, True])]
    (y.sum() + 10 * z.sum()).backward()
    return [y, z, x.grad, y._base is None, outcome(lambda: x[[0, 2]])]


def moving_the_dimensions_of_a_number(torch):
    x = torch.tensor(2.0, requires_grad=True) * 1
    moved = x.movedim(0, -1)
    return [moved, moved._base is x, graph(moved.grad_fn)]

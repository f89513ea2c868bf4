"""Operators that return several views: unbind, split, chunk, tensor_split, iteration."""

from tests.parity.harness import graph, outcome, state

_KINDS = {
    "unbind": lambda x: x.unbind(0),
    "unbind of dim": lambda x: x.unbind(dim=1),
    "split": lambda x: x.split(1),
    "split of dim": lambda x: x.split(2, dim=1),
    "split in sections": lambda x: x.split([1, 1]),
    "split_with_sizes": lambda x: x.split_with_sizes([2, 1], 1),
    "chunk": lambda x: x.chunk(2, -1),
    "chunk in one": lambda x: x.chunk(1),
    "iteration": tuple,
}


def _base(torch):
    x = torch.arange(1.0, 7.0).reshape(2, 3).clone().requires_grad_()
    return x, x * 1


def what_they_are(torch):
    seen = {}
    for name, kind in _KINDS.items():
        _, base = _base(torch)
        views = kind(base)
        numbers = [view.output_nr for view in views]
        one = all(view.grad_fn is views[0].grad_fn for view in views)
        bases = [[view._base is base, view._is_view()] for view in views]
        seen[name] = [views, numbers, one, bases, type(views).__name__, graph(views[0].grad_fn)]
    return seen


def gradients(torch):
    seen = {}
    for name, kind in _KINDS.items():
        x, base = _base(torch)
        sum((view * view).sum() * (i + 1) for i, view in enumerate(kind(base))).backward()
        y, base = _base(torch)
        kind(base)[-1].sum().backward()
        seen[name] = [x.grad, y.grad]
    return seen


def second_gradients(torch):
    seen = {}
    for name, kind in _KINDS.items():
        x, base = _base(torch)
        total = sum((view**3).sum() for view in kind(base)[:1])
        (first,) = torch.autograd.grad(total, x, create_graph=True)
        seen[name] = torch.autograd.grad(first.sum(), x)
    return seen


def changed_in_place(torch):
    seen = {}
    for name, kind in _KINDS.items():
        _, base = _base(torch)
        view = kind(base)[-1]
        refused = outcome(lambda view=view: view.mul_(2))
        seen[name] = [refused, outcome(lambda view=view: view.zero_()), state(base), state(view)]
    return seen


def changed_in_place_of_a_leaf(torch):
    seen = {}
    for name, kind in _KINDS.items():
        x, _ = _base(torch)
        seen[name] = outcome(lambda x=x, kind=kind: kind(x)[0].mul_(2))
    return seen


def changed_without_history(torch):
    x = torch.ones(2, 3)
    weight = torch.ones((), requires_grad=True)
    seen = {}
    for name, kind in _KINDS.items():
        view = kind(x)[0]
        view.mul_(2)
        seen[name] = [state(x), outcome(lambda view=view: view.mul_(weight))]
    return seen


def changed_under_no_grad(torch):
    seen = {}
    for name, kind in _KINDS.items():
        _, base = _base(torch)
        view = kind(base)[0]
        with torch.no_grad():
            view.mul_(2)
        seen[name] = [base._version, outcome(lambda view=view: view.grad_fn), view.detach()]
    return seen


def the_base_is_changed(torch):
    seen = {}
    for name, kind in _KINDS.items():
        _, base = _base(torch)
        first, last = kind(base)[0], kind(base)[-1]
        base.mul_(2)
        seen[name] = [
            outcome(lambda first=first: first.grad_fn),
            outcome(lambda last=last: last * 2),
            outcome(lambda last=last: last.backward()),
            outcome(lambda last=last: last.is_leaf),
            first.requires_grad,
        ]
    return seen


def made_under_no_grad(torch):
    seen = {}
    for name, kind in _KINDS.items():
        x, base = _base(torch)
        with torch.no_grad():
            view, constant = kind(base)[0], kind(torch.ones(2, 3))[0]
        seen[name] = [
            view.requires_grad,
            view.is_leaf,
            outcome(lambda view=view: view.mul_(2)),
            outcome(lambda constant=constant: constant.mul_(2)),
            outcome(lambda constant=constant, x=x: constant.mul_(x.sum())),
        ]
    return seen


def views_of_them(torch):
    seen = {}
    for name, kind in _KINDS.items():
        _, base = _base(torch)
        inner = kind(base)[0].t()
        seen[name] = [inner.grad_fn.name(), outcome(lambda inner=inner: inner.mul_(2))]
    return seen


def detached_in_place(torch):
    seen = {}
    for name, kind in _KINDS.items():
        _, base = _base(torch)
        constant = kind(torch.ones(2, 3))[0]
        seen[name] = [outcome(kind(base)[0].detach_), outcome(constant.detach_)]
    return seen


def unbinding_twice_and_changing_clones(torch):
    x, base = _base(torch)
    rows = [row.clone().mul_(2) for row in base]
    (rows[0] * rows[1]).sum().backward()
    return [rows, x.grad]


def tensor_split_gives_views_of_their_own(torch):
    seen = []
    for where in (2, (1,), (1, 2), [0, 5], -1 + 2):
        x, base = _base(torch)
        views = base.tensor_split(where, dim=1)
        numbers = [view.output_nr for view in views]
        seen.append([views, numbers])
        views[0].mul_(2)
        (base * base).sum().backward()
        seen.append([state(base), views[-1].grad_fn.name(), x.grad])
    return seen


def tensor_split_by_a_tensor(torch):
    x = torch.arange(7.0)
    return [x.tensor_split(torch.tensor([2, 5])), torch.tensor_split(x, torch.tensor(3))]


def as_functions(torch):
    x = torch.arange(6.0).reshape(2, 3)
    return [
        torch.unbind(x),
        torch.unbind(x, 1),
        torch.split(x, 2, dim=1),
        torch.split(x, [1, 2], 1),
        torch.split(tensor=x, split_size_or_sections=1),
        torch.split_with_sizes(x, [1, 2], dim=1),
        torch.chunk(x, 2, dim=1),
        torch.tensor_split(x, 2),
        x.split(split_size=1, dim=0),
    ]


def empty_dimensions(torch):
    x = torch.zeros(0, 2)
    return [
        [list(each.shape) for each in views]
        for views in (
            x.unbind(0),
            x.unbind(1),
            x.split(1),
            x.split(0),
            x.chunk(3),
            x.tensor_split(2),
        )
    ]


def refused(torch):
    x, scalar = torch.zeros(2, 3), torch.tensor(1.0)
    return [
        outcome(call)
        for call in (
            lambda: scalar.unbind(),
            lambda: scalar.split(1),
            lambda: scalar.chunk(1),
            lambda: scalar.tensor_split(1),
            lambda: scalar.split_with_sizes([1]),
            lambda: iter(scalar),
            lambda: x.split(0),
            lambda: x.split(-1),
            lambda: x.split([1, 2]),
            lambda: x.split([3, -1]),
            lambda: x.split(1, 2),
            lambda: x.chunk(0),
            lambda: x.chunk(2, 5),
            lambda: x.unbind(2),
            lambda: x.tensor_split(0),
            lambda: x.tensor_split(2, 3),
        )
    ]


def in_forward_mode(torch):
    fwad = torch.autograd.forward_ad
    with fwad.dual_level():
        x = fwad.make_dual(torch.ones(2, 3), torch.arange(6.0).reshape(2, 3))
        return [[fwad.unpack_dual(view).tangent for view in kind(x)] for kind in _KINDS.values()]


def parts_that_are_no_views(torch):
    def saved(tensor):
        return sorted(each for each in dir(tensor.grad_fn) if each.startswith("_saved"))

    x = torch.arange(6.0).view(2, 3).requires_grad_()
    y = x * 1
    first, second = y.unsafe_chunk(2)
    seen = [graph(second.grad_fn), saved(first), first._is_view(), first.output_nr]
    first.mul_(2)
    seen += [state(first), state(second), state(y)]
    (first.sum() + second.sum() + y.sum()).backward()
    seen.append(x.grad)
    seen += [torch.unsafe_split(y, 2, 1), saved(y.unsafe_split_with_sizes([1, 2], -1)[0])]
    x.unsafe_split(1)[0].add_(1)
    with torch.no_grad():
        unrecorded = x.unsafe_chunk(2)[1]
    unrecorded.add_(1)
    return [
        *seen,
        state(x),
        state(unrecorded),
        outcome(lambda: y.unsafe_split([1, 2], 1)),
        outcome(lambda: y.unsafe_split(0)),
        outcome(lambda: y.unsafe_chunk(0)),
        outcome(lambda: y.unsafe_split_with_sizes([1, 2], 0)),
        outcome(lambda: torch.ones(()).unsafe_split(1)),
        outcome(lambda: torch.unsafe_split("y", 1)),
    ]

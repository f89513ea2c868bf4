"""In-place changes of views and of their bases, and the gradients that follow."""

from tests.parity.harness import graph, outcome, state


def _base(torch):
    x = torch.arange(1.0, 7.0).reshape(2, 3).clone().requires_grad_()
    return x, x * 1


def a_change_of_a_view_rebases_its_base(torch):
    x, base = _base(torch)
    view = base[0]
    view.mul_(10)
    seen = [view.grad_fn.name(), base.grad_fn.name(), base._version, view._version]
    (base * base).sum().backward()
    return [seen, state(base), state(view), x.grad]


def a_change_of_the_base_regenerates_the_view(torch):
    x, base = _base(torch)
    view = base[0]
    before = view.grad_fn.name()
    base.mul_(10)
    seen = [before, view.grad_fn.name(), base.grad_fn.name()]
    (view * view).sum().backward()
    return [seen, state(base), state(view), x.grad]


def a_change_of_each_kind_of_view(torch):
    kinds = {
        "view": lambda b: b.view(6),
        "reshape": lambda b: b.reshape(3, 2),
        "t": lambda b: b.t(),
        "transpose": lambda b: b.transpose(0, 1),
        "index": lambda b: b[1],
        "slice": lambda b: b[:, :2],
        "unsqueeze": lambda b: b.unsqueeze(0),
        "squeeze": lambda b: b.squeeze(),
        "select": lambda b: b.select(1, 1),
    }
    seen = {}
    for name, kind in kinds.items():
        x, base = _base(torch)
        view = kind(base)
        view.mul_(3)
        (base * base).sum().backward()
        seen[name] = [view.grad_fn.name(), base.grad_fn.name(), base, x.grad]
    return seen


def a_change_of_the_base_under_each_kind_of_view(torch):
    kinds = {
        "view": lambda b: b.view(6),
        "t": lambda b: b.t(),
        "transpose": lambda b: b.transpose(0, 1),
        "index": lambda b: b[1],
        "slice": lambda b: b[:, :2],
        "unsqueeze": lambda b: b.unsqueeze(0),
        "expand": lambda b: b.expand(2, 2, 3),
        "select": lambda b: b.select(1, 1),
    }
    seen = {}
    for name, kind in kinds.items():
        x, base = _base(torch)
        view = kind(base)
        base.mul_(3)
        (view * view).sum().backward()
        seen[name] = [view.grad_fn.name(), view, x.grad]
    return seen


def a_change_of_a_view_with_a_tensor_that_requires_grad(torch):
    base = torch.zeros(2, 3)
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    view = base[1]
    view.copy_(x)
    seen = [base.requires_grad, base.is_leaf, base.grad_fn.name(), view.grad_fn.name()]
    (base * base).sum().backward()
    return [seen, base, x.grad]


def rows_filled_one_after_the_other(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    table = torch.zeros(3, 2)
    for row in range(3):
        table[row] = x * (row + 1)
    (table * table).sum().backward()
    return [state(table), x.grad, table.grad_fn.name()]


def a_view_of_a_view_is_changed(torch):
    x, base = _base(torch)
    inner = base.view(3, 2)[1]
    inner.mul_(10)
    (base * base).sum().backward()
    return [state(base), state(inner), x.grad, base.grad_fn.name(), inner.grad_fn.name()]


def another_view_sees_the_change(torch):
    x, base = _base(torch)
    first, second = base[0], base.view(6)
    first.mul_(10)
    (second * second).sum().backward()
    return [second, second.grad_fn.name(), x.grad]


def a_change_through_a_view_of_a_leaf(torch):
    x = torch.zeros(2, 3, requires_grad=True)
    return [
        outcome(lambda: x[0].add_(1)),
        outcome(lambda: x.view(6).mul_(2)),
        outcome(lambda: x.t().zero_()),
        outcome(lambda: x.__setitem__(0, 1.0)),
        x._version,
    ]


def a_change_through_a_view_of_a_leaf_under_no_grad(torch):
    x = torch.zeros(2, 3, requires_grad=True)
    with torch.no_grad():
        x[0].add_(1)
        x.view(6).mul_(2)
    return [state(x), x.is_leaf]


def a_view_made_under_no_grad_is_changed_later(torch):
    x = torch.ones(2, requires_grad=True)
    base = x * 1
    with torch.no_grad():
        view = base[0]
        leaf_view = x[0]
    return [outcome(lambda: view.mul_(2)), outcome(lambda: leaf_view.mul_(2)), view.requires_grad]


def a_change_of_a_view_is_noticed_by_users_of_the_base(torch):
    _, base = _base(torch)
    product = base * base
    base[0].add_(1)
    return outcome(product.sum().backward)


def a_change_of_the_base_is_noticed_by_users_of_the_view(torch):
    _, base = _base(torch)
    view = base[0]
    product = view * view
    base.add_(1)
    return outcome(product.sum().backward)


def a_disjoint_slice_shares_the_counter(torch):
    _, base = _base(torch)
    product = base[0] * base[0]
    base[1].add_(1)
    return outcome(product.sum().backward)


def the_graph_after_a_change_of_a_view(torch):
    _, base = _base(torch)
    base[0].mul_(2)
    return graph(base.grad_fn)


def requires_grad_of_views(torch):
    x = torch.zeros(2, 2)
    view = x[0]
    view.requires_grad_()
    return [x.requires_grad, view.requires_grad, view.is_leaf, outcome(lambda: view.add_(1))]


def backward_of_a_view_that_was_made_before_its_base_required_grad(torch):
    base = torch.zeros(2, 2)
    view = base[0, 0]
    base.requires_grad_()
    return [view.requires_grad, view.grad_fn is None, outcome(view.backward)]


def a_change_of_nothing(torch):
    empty = torch.stack([torch.ones(0), torch.ones(0)])
    return [empty._version, outcome(lambda: empty.add_(1)), empty._version]


def detach_of_views(torch):
    _, base = _base(torch)
    view = base[0]
    detached = view.detach()
    return [detached._base is None, detached.requires_grad, outcome(view.detach_)]


def a_changed_base_seen_through_its_transposed(torch):
    x, base = _base(torch)
    transposed = base.t()
    base[0, 1] = 100.0
    (transposed * transposed).sum().backward()
    return [transposed, x.grad]


def what_goes_nowhere_is_not_kept(torch):
    x, w = torch.ones(2, 2, requires_grad=True), torch.ones(2, 2, requires_grad=True)
    with torch.no_grad():
        row = w[0]
    changed = x * 1
    product = changed @ row
    changed.tanh_()
    kept = product.grad_fn._saved_vec
    product.sum().backward()
    return [row.requires_grad, kept, x.grad, w.grad]


def slices_that_begin_at_the_end(torch):
    found = []
    for part in (slice(-2, None), slice(0, None), slice(0, 5), (..., slice(-3, None))):
        x, base = _base(torch)
        base[part] = 2.0
        seen = base[part]
        found.append([graph(base.grad_fn), graph(seen.grad_fn), torch.autograd.grad(base.sum(), x)])
    return found


def views_as_targets_of_another_shape(torch):
    x, base = _base(torch)
    seen = base[:, :2]
    with torch.no_grad():
        torch.exp(torch.ones(6), out=seen)
    return base, base._version, graph(seen.grad_fn), torch.autograd.grad(seen.sum(), x)


def changed_parts_of_a_base_without_gradient(torch):
    """A later Function returns None: the change in place sends nothing either."""

    class Nothing(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return None

    x, w = torch.ones(4, requires_grad=True), torch.ones(2, requires_grad=True)
    y = x * 1
    y[:2].mul_(w)
    return torch.autograd.grad(Nothing.apply(y).sum(), (x, w), allow_unused=True)

"""requires_grad_, detach, detach_, retain_grad and hooks of views and of their bases."""

from tests.parity.harness import outcome, state


def _base(torch):
    x = torch.arange(1.0, 7.0).reshape(2, 3).clone().requires_grad_()
    return x, x * 1


def _flags(tensor):
    return [tensor.requires_grad, tensor.is_leaf, tensor._is_view(), tensor.output_nr]


def requiring_grad_of_a_view_of_a_constant(torch):
    base = torch.ones(2, 3)
    view = base[0]
    view.requires_grad_()
    seen = [_flags(view), _flags(base)]
    (view * 2).sum().backward()
    seen.append([view.grad, base.grad])
    return [
        seen,
        outcome(lambda: view.add_(1)),
        outcome(lambda: base.add_(1)),
        _flags(view),
        outcome(lambda: view[0].add_(1)),
        outcome(lambda: base[0].add_(1)),
    ]


def a_constant_base_of_a_leaf_view_is_changed(torch):
    x = torch.ones(3, requires_grad=True)
    base = torch.zeros(2, 3)
    view = base[0].requires_grad_()
    used = view * 2
    base.mul_(3)
    seen = [_flags(view), view.grad_fn, outcome(lambda: used.sum().backward()), view.grad]
    base.add_(x)
    seen.append([_flags(view), outcome(lambda: view.grad_fn.name())])
    (view * 5).sum().backward()
    return [seen, x.grad, outcome(lambda: view.grad)]


def requiring_grad_of_a_view_whose_base_requires_grad(torch):
    x, base = _base(torch)
    view, leaf_view = base[0], x[0]
    with torch.no_grad():
        hidden = x[1]
    return [
        view.requires_grad_() is view,
        outcome(lambda: view.requires_grad_(False)),
        outcome(lambda: leaf_view.requires_grad_(False)),
        _flags(hidden),
        _flags(hidden.requires_grad_()),
        _flags(hidden.requires_grad_(False)),
        outcome(lambda: setattr(view, "requires_grad", False)),
        outcome(lambda: setattr(view, "requires_grad", True)),
        outcome(lambda: hidden.sum().backward()),
        x.grad,
    ]


def the_base_requires_grad_later(torch):
    base = torch.ones(2, 3)
    view = base[0]
    base.requires_grad_()
    seen = [_flags(view), view.grad_fn, outcome(lambda: view.add_(1))]
    product = (view * 2).sum()
    seen.append([product.requires_grad, outcome(lambda: product.backward()), base.grad, view.grad])
    with torch.no_grad():
        base.add_(1)
    seen.append([_flags(view), outcome(lambda: view.grad_fn.name())])
    outcome(lambda: (view * 2).sum().backward())
    return [seen, base.grad, outcome(lambda: view.retain_grad())]


def the_base_stops_requiring_grad(torch):
    x = torch.ones(2, 3, requires_grad=True)
    view = x[0]
    x.requires_grad_(False)
    seen = [_flags(view), view.grad_fn.name(), _flags(x)]
    view.sum().backward()
    seen.append(x.grad)
    x.add_(1)
    seen.append([_flags(view), outcome(lambda: view.grad_fn and view.grad_fn.name())])
    return [seen, outcome(lambda: view.add_(1)), state(x)]


def detached_views(torch):
    _, base = _base(torch)
    view = base[0]
    detached = view.detach()
    product = view * view
    detached.add_(1)
    return [
        _flags(detached),
        detached._base,
        detached._version,
        base._version,
        view,
        outcome(lambda: product.sum().backward()),
        outcome(lambda: detached.detach_()),
        outcome(lambda: detached[0].detach_()),
    ]


def a_detached_tensor_and_its_views(torch):
    x, base = _base(torch)
    detached = base.detach()
    row = detached[0]
    seen = [row._base is detached, row.requires_grad]
    row.mul_(x[0])
    seen += [_flags(detached), _flags(row), _flags(base), detached.grad_fn.name()]
    return [seen, base, base.grad_fn.name()]


def views_are_not_detached_in_place(torch):
    x, base = _base(torch)
    views = [base[0], base.view(6), base.unbind(0)[1], x[0], torch.ones(3)[0]]
    refusals = [outcome(view.detach_) for view in views]
    with torch.no_grad():
        refusals += [outcome(base[0].detach_)]
    return refusals


def a_base_is_detached_in_place(torch):
    x, base = _base(torch)
    view = base[0]
    result = base.detach_()
    seen = [result is base, _flags(base), _flags(view), view.grad_fn.name()]
    seen.append(outcome(lambda: view.sum().backward()))
    seen.append(x.grad)
    base.add_(1)
    seen.append([_flags(base), outcome(lambda: view.grad_fn and view.grad_fn.name())])
    seen.append(outcome(lambda: view.mul_(2)))
    return [seen, _flags(view), _flags(base)]


def detaching_in_place(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.retain_grad()
    z = y * 3
    y.detach_()
    seen = [_flags(y), y.retains_grad, outcome(lambda: z.sum().backward()), x.grad, y.grad]
    y.requires_grad_()
    (y * y).sum().backward()
    seen.append(y.grad)
    x.detach_()
    return [seen, _flags(x), x.grad]


def retain_grad_of_a_changed_view(torch):
    x, base = _base(torch)
    view = base[0]
    view.retain_grad()
    view.mul_(3)
    base.retain_grad()
    (base * base).sum().backward()
    return [x.grad, base.grad, outcome(lambda: view.grad), view.retains_grad]


def retain_grad_of_a_view_whose_base_changed(torch):
    x, base = _base(torch)
    view = base[0]
    view.retain_grad()
    base.mul_(3)
    ((view * view).sum() + base.sum()).backward()
    return [x.grad, outcome(lambda: view.grad), view.retains_grad]


def retain_grad_of_a_base_whose_view_changed(torch):
    x, base = _base(torch)
    base.retain_grad()
    before = base * 2
    base[0].mul_(3)
    ((base * base).sum() + before.sum()).backward()
    return [x.grad, base.grad, base.retains_grad]


def retain_grad_of_a_view_used_before_and_after(torch):
    x, base = _base(torch)
    view = base[1]
    view.retain_grad()
    before = view * 10
    view.add_(1)
    after = view * 100
    (before.sum() + after.sum()).backward()
    return [x.grad, view.grad]


def hooks_of_a_changed_view(torch):
    seen = []
    x, base = _base(torch)
    view = base[0]
    view.register_hook(lambda g: seen.append(["view before", g.clone()]))
    base.register_hook(lambda g: seen.append(["base before", g.clone()]))
    view.mul_(3)
    view.register_hook(lambda g: seen.append(["view after", g.clone()]))
    base.register_hook(lambda g: seen.append(["base after", g.clone()]))
    (base.sum() + 10 * view.sum()).backward()
    return [seen, x.grad]


def hooks_of_a_changed_tensor(torch):
    seen = []
    x, base = _base(torch)
    base.register_hook(lambda g: seen.append(["before", g.clone()]))
    base.mul_(3)
    handle = base.register_hook(lambda g: seen.append(["after", g.clone()]) or g * 2)
    base.sum().backward(retain_graph=True)
    handle.remove()
    base.sum().backward()
    return [seen, x.grad]


def a_hook_on_a_view_whose_base_changed(torch):
    seen = []
    x, base = _base(torch)
    view = base[0]
    view.register_hook(lambda g: seen.append(["first", g.clone()]))
    base.mul_(2)
    view.register_hook(lambda g: seen.append(["second", g.clone()]))
    view.sum().backward()
    return [seen, x.grad]


def inputs_of_backward_that_are_views(torch):
    x, base = _base(torch)
    view = base[0]
    total = (view * view).sum() + base.sum()
    (grad,) = torch.autograd.grad(total, view, retain_graph=True)
    seen = [grad, outcome(lambda: total.backward(inputs=[view], retain_graph=True)), view.grad]
    seen.append(outcome(lambda: torch.autograd.grad(base.sum(), base[0])))
    view.mul_(2)
    (after,) = torch.autograd.grad((base * base).sum(), view, allow_unused=True)
    return [seen, after, x.grad]

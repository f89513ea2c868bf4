"""Where a view was made decides what in-place changes of it may do."""

from tests.parity.harness import outcome, state


def _base(torch):
    x = torch.arange(1.0, 7.0).reshape(2, 3).clone().requires_grad_()
    return x, x * 1


def _functions(torch):
    class Viewing(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.view(-1)

        @staticmethod
        def backward(ctx, g):
            return 10 * g.view(2, 3)

    class AsIs(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return 10 * g

    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.view(-1), x[0]

        @staticmethod
        def backward(ctx, g, h):
            grad = 10 * g.view(2, 3)
            grad[0] += h
            return grad

    class OfTemporary(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return (x * 2)[0]

        @staticmethod
        def backward(ctx, g):
            return g.expand(2, 3).clone()

    class ViewAndTensor(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.view(-1), x * 2

        @staticmethod
        def backward(ctx, g, h):
            return g.view(2, 3) + h

    class ViewAndIndex(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            index = torch.tensor([1])
            ctx.mark_non_differentiable(index)
            return x.view(-1), index

        @staticmethod
        def backward(ctx, g, _):
            return g.view(2, 3)

    return {
        "a view": Viewing,
        "as it is": AsIs,
        "two views": Two,
        "view of a temporary": OfTemporary,
        "a view and a tensor": ViewAndTensor,
        "a view and an index": ViewAndIndex,
    }


def _first(result):
    return result[0] if isinstance(result, tuple) else result


def custom_functions_that_return_views(torch):
    seen = {}
    for name, function in _functions(torch).items():
        x, base = _base(torch)
        view = _first(function.apply(base))
        seen[name] = [
            view,
            view._is_view(),
            view._base is base,
            view.output_nr,
            outcome(lambda view=view: view.mul_(2)),
            outcome(lambda view=view: view.sum().backward()),
            x.grad,
        ]
    return seen


def custom_functions_on_leaves(torch):
    seen = {}
    for name, function in _functions(torch).items():
        x, _ = _base(torch)
        view = _first(function.apply(x))
        seen[name] = [view._base is x, view.is_leaf, outcome(lambda view=view: view.mul_(2))]
    return seen


def custom_functions_without_grad(torch):
    seen = {}
    for name, function in _functions(torch).items():
        x, base = _base(torch)
        constant = _first(function.apply(torch.ones(2, 3)))
        with torch.no_grad():
            view = _first(function.apply(base))
        seen[name] = [
            view.requires_grad,
            view._is_view(),
            outcome(lambda view=view: view.grad_fn),
            outcome(lambda view=view: view.mul_(2)),
            constant._is_view(),
            outcome(lambda constant=constant: constant.mul_(2)),
            outcome(lambda constant=constant, x=x: constant.mul_(x.sum())),
        ]
    return seen


def the_base_of_a_custom_view_is_changed(torch):
    seen = {}
    for name, function in _functions(torch).items():
        _, base = _base(torch)
        view = _first(function.apply(base))
        base.mul_(2)
        seen[name] = [
            outcome(lambda view=view: view.grad_fn.name()),
            outcome(lambda view=view: view * 2),
            view.requires_grad,
        ]
    return seen


def a_custom_view_is_changed_under_no_grad(torch):
    seen = {}
    for name, function in _functions(torch).items():
        _, base = _base(torch)
        view = _first(function.apply(base))
        with torch.no_grad():
            view.mul_(2)
        seen[name] = [base, outcome(lambda view=view: view.grad_fn.name())]
    return seen


def views_of_custom_views(torch):
    seen = {}
    for name, function in _functions(torch).items():
        _, base = _base(torch)
        inner = _first(function.apply(base))[0]
        seen[name] = [inner.grad_fn.name(), outcome(lambda inner=inner: inner.mul_(2))]
    return seen


def a_custom_function_changes_a_view(torch):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x.mul_(2)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx, g):
            return 2 * g

    x, base = _base(torch)
    view = base[0]
    result = Doubled.apply(view)
    seen = [result is view, view.grad_fn.name(), base.grad_fn.name(), state(base)]
    seen.append([name for name, _ in [(n.name(), i) for n, i in base.grad_fn.next_functions]])
    (base * base).sum().backward()
    leaf_view = x[0]
    with torch.no_grad():
        hidden = base[1]
    return [
        seen,
        x.grad,
        outcome(lambda: Doubled.apply(leaf_view)),
        outcome(lambda: Doubled.apply(hidden)),
        outcome(lambda: Doubled.apply(base.unbind(0)[0])),
        outcome(lambda: Doubled.apply(x)),
        outcome(lambda: Doubled.apply(base.expand(2, 2, 3))),
    ]


def a_custom_function_changes_its_second_argument(torch):
    class AddInto(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            y.add_(x)
            ctx.mark_dirty(y)
            return y

        @staticmethod
        def backward(ctx, g):
            return 3 * g, 5 * g

    seen = []
    for make in (lambda t: t, lambda t: t[0], lambda t: t.view(-1)[:3]):
        x, base = _base(torch)
        y = torch.ones(3, requires_grad=True)
        target = make(base)
        AddInto.apply(y, target)
        seen.append([target.grad_fn.name(), state(base), base.grad_fn.name()])
        names = [node and node.name() for node, _ in base.grad_fn.next_functions]
        seen.append(names)
        seen.append(outcome(lambda base=base: base.sum().backward()))
        seen.append([x.grad, y.grad])
    return seen


def a_custom_function_changes_a_view_and_returns_more(torch):
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x.mul_(2)
            ctx.mark_dirty(x)
            return x, x + 1

        @staticmethod
        def backward(ctx, g, h):
            return 2 * g + h

    _, base = _base(torch)
    return [outcome(lambda: Both.apply(base[0])), outcome(lambda: Both.apply(base)), base]


def made_under_no_grad(torch):
    _, base = _base(torch)
    with torch.no_grad():
        views = [base[0], base.view(6), base.t(), base[:, 1:], base.expand(2, 2, 3)[0]]
    seen = [[v.requires_grad, v.is_leaf, v._base is base, v.grad_fn is None] for v in views]
    refusals = [outcome(lambda v=v: v.mul_(2)) for v in views]
    inner = views[0][1:]
    seen.append(
        [inner.grad_fn.name(), outcome(lambda: inner.mul_(2)), outcome(lambda: inner.zero_())]
    )
    with torch.no_grad():
        views[0].mul_(2)
        inner.mul_(3)
    return [seen, refusals, base, outcome(lambda: views[0].grad_fn), outcome(lambda: base * 1)]


def made_under_no_grad_and_the_base_changed(torch):
    _, base = _base(torch)
    with torch.no_grad():
        view = base[0]
    base.mul_(2)
    return [
        outcome(lambda: view.grad_fn),
        outcome(lambda: view * 2),
        outcome(lambda: view.is_leaf),
        outcome(lambda: view.backward()),
        outcome(lambda: view.requires_grad),
        outcome(lambda: view.detach()),
        outcome(lambda: view.add_(1)),
    ]


def made_under_no_grad_of_constants(torch):
    x = torch.ones(3, requires_grad=True)
    base = torch.zeros(2, 3)
    with torch.no_grad():
        view = base[0]
    view.add_(1)
    seen = [state(base), outcome(lambda: view.add_(x)), outcome(lambda: view.copy_(x))]
    base.add_(x)
    return [seen, state(base), outcome(lambda: view.grad_fn), outcome(lambda: view.mul_(2))]


def made_under_no_grad_and_used(torch):
    x, base = _base(torch)
    with torch.no_grad():
        view = base[0]
    product = view * base[1]
    product.sum().backward()
    return [view.requires_grad, product, x.grad, outcome(lambda: (view * 2).sum().backward())]


def made_with_grad_inside_no_grad(torch):
    x, base = _base(torch)
    with torch.no_grad(), torch.enable_grad():
        view = base[0]
    view.mul_(2)
    base.sum().backward()
    return [state(view), x.grad]


def made_with_grad_and_changed_under_no_grad(torch):
    x, base = _base(torch)
    view = base[0]
    with torch.no_grad():
        view.mul_(10)
    seen = [view.grad_fn.name(), base.grad_fn.name(), state(base)]
    (view * base).sum().backward()
    return [seen, x.grad]


def made_of_a_view_made_under_no_grad(torch):
    _, base = _base(torch)
    with torch.no_grad():
        outer = base.view(6)
    inner = outer[:3]
    again = inner.view(3, 1)
    return [
        [inner.grad_fn.name(), inner.requires_grad, inner._base is base],
        outcome(lambda: inner.mul_(2)),
        outcome(lambda: again.mul_(2)),
    ]


def an_alias_of_all(torch):
    x, base = _base(torch)
    whole = base[:]
    dots = base[...]
    seen = [whole._base is base, dots._base is base, dots.grad_fn.name()]
    whole.mul_(2)
    dots.add_(1)
    base.sum().backward()
    return [seen, whole, x.grad]

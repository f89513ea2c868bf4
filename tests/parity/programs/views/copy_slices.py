"""CopySlices: the node that a base gets when one of its views was changed in place."""

from tests.parity.harness import graph, node_names, outcome, state


def _base(torch):
    x = torch.arange(1.0, 7.0).reshape(2, 3).clone().requires_grad_()
    return x, x * 1


def its_place_in_the_graph(torch):
    _, base = _base(torch)
    weight = torch.ones(3, requires_grad=True)
    view = base[0]
    view.mul_(weight)
    node = base.grad_fn
    return [
        node.name(),
        [[each and each.name(), number] for each, number in node.next_functions],
        graph(view.grad_fn),
        base.output_nr,
        view.output_nr,
        str(type(node).__name__),
    ]


def each_change_adds_one(torch):
    _, base = _base(torch)
    seen = []
    for row in base.tensor_split(2):
        row.add_(1)
        base[:, 0].mul_(2)
        seen.append([node_names(base.grad_fn), base._version])
    return seen


def gradients_through_every_operator(torch):
    changes = {
        "add_": lambda v, w: v.add_(w),
        "sub_": lambda v, w: v.sub_(w),
        "mul_": lambda v, w: v.mul_(w),
        "div_": lambda v, w: v.div_(w),
        "copy_": lambda v, w: v.copy_(w),
        "pow_": lambda v, w: v.pow_(2),
        "neg_": lambda v, w: v.neg_(),
        "relu_": lambda v, w: v.relu_(),
        "sqrt_": lambda v, w: v.sqrt_(),
        "zero_": lambda v, w: v.zero_(),
        "fill_": lambda v, w: v.fill_(3),
        "fill_ by a tensor": lambda v, w: v.fill_(w[0]),
        "set": lambda v, w: v.__setitem__(0, w[1]),
        "set a mask": lambda v, w: v.__setitem__(v > 2, w[1]),
        "clamp_": lambda v, w: v.clamp_(1.5, 2.5),
        "add_ a number": lambda v, w: v.add_(3),
        "add_ alpha": lambda v, w: v.add_(w, alpha=2),
    }
    seen = {}
    for name, change in changes.items():
        x, base = _base(torch)
        weight = torch.tensor([2.0, 3.0, 4.0], requires_grad=True)
        view, other = base[1], base.view(6)
        change(view, weight)
        ((base * base).sum() + (other[2:] * 3).sum() + view.sum()).backward()
        edges = [each and each.name() for each, _ in base.grad_fn.next_functions]
        seen[name] = [base, view.grad_fn.name(), edges, x.grad, weight.grad, base._version]
    return seen


def second_gradients(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    weight = torch.tensor([2.0, 3.0], requires_grad=True)
    base = x * x
    base[1:].mul_(weight * weight)
    base[0].copy_(x[2] ** 3)
    first = torch.autograd.grad((base**2).sum(), [x, weight], create_graph=True)
    second = torch.autograd.grad(sum(each.sum() for each in first), [x, weight])
    return [first, second]


def twice_through_one_graph(torch):
    x, base = _base(torch)
    base[0].mul_(base[1].clone())
    total = (base * base).sum()
    total.backward(retain_graph=True)
    total.backward()
    return [x.grad, outcome(lambda: total.backward())]


def views_of_views(torch):
    x, base = _base(torch)
    outer = base.t()
    inner = outer[1:]
    innermost = inner.reshape(-1)[1:] if inner.is_contiguous() else inner[0]
    innermost.mul_(5)
    outer[0].add_(1)
    inner.sub_(base[0, 0].detach())
    seen = [[each.grad_fn.name(), each] for each in (base, outer, inner, innermost)]
    (base * base).sum().backward()
    return [seen, x.grad]


def several_views_of_one_base(torch):
    x, base = _base(torch)
    rows, columns, flat, late = base[0], base[:, 1], base.view(6), base.t()
    rows.mul_(2)
    columns.add_(rows[1].detach().clone())
    flat[3:].neg_()
    late[2].mul_(columns[0].clone())
    total = sum((each * (i + 1)).sum() for i, each in enumerate((rows, columns, flat, late)))
    total.backward()
    return [[state(each) for each in (base, rows, columns, flat, late)], x.grad]


def a_base_that_needed_no_gradient(torch):
    base = torch.zeros(3, 2)
    views = [base[i] for i in range(3)]
    weight = torch.tensor([1.0, 2.0], requires_grad=True)
    views[1].add_(weight)
    seen = [[view.requires_grad, view.is_leaf, view.grad_fn.name()] for view in views]
    views[2].mul_(3)
    (base.sum() + views[1].sum() * 10).backward()
    edges = [each and each.name() for each, _ in base.grad_fn.next_functions]
    return [seen, weight.grad, base, edges]


def noncontiguous_bases(torch):
    x = torch.arange(6.0).reshape(2, 3).clone().requires_grad_()
    base = (x * 1).t().clone().t()
    transposed = (x * 2).t()
    base[0].mul_(3)
    transposed[1:].mul_(5)
    wide = (x * 1).expand(2, 2, 3).contiguous()
    wide[0, 1].mul_(7)
    (base.sum() + transposed.sum() + wide.sum()).backward()
    return [base, transposed, wide, x.grad]


def bases_in_another_order(torch):
    """A base that is no view lies in memory as what it was computed from."""
    x = torch.arange(6.0).view(2, 3).requires_grad_()
    weights = torch.arange(6.0).view(3, 2)
    computed, copied = x.t() * 2, x.t().clone()
    for base in (computed, copied):
        base[0].mul_(5)
        base[:, 1].mul_(3)
    grads = [
        torch.autograd.grad((base * weights).sum(), x, create_graph=True)[0]
        for base in (computed, copied)
    ]
    return [computed, copied, computed.stride(), copied.stride(), *grads]


def a_custom_function_on_a_view(torch):
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, weight):
            ctx.save_for_backward(weight)
            ctx.mark_dirty(x)
            x.mul_(weight)
            return x

        @staticmethod
        def backward(ctx, g):
            (weight,) = ctx.saved_tensors
            return g * weight, None

    x, base = _base(torch)
    Scaled.apply(base[:, 1:], torch.tensor(3.0))
    edges = [each and each.name() for each, _ in base.grad_fn.next_functions]
    base.sum().backward()
    return [base, edges, x.grad]


def a_custom_function_without_a_gradient(torch):
    class Silent(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(3)

        @staticmethod
        def backward(ctx, g):
            return None

    x, base = _base(torch)
    Silent.apply(base[0])
    seen = outcome(lambda: (base * 2).sum().backward())
    return [seen, x.grad]


def only_what_is_needed_is_computed(torch):
    asked = []

    class Into(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, weight):
            ctx.mark_dirty(x)
            return x.add_(weight)

        @staticmethod
        def backward(ctx, g):
            asked.append(list(ctx.needs_input_grad))
            return g, g.clone()

    x, base = _base(torch)
    weight = torch.ones(3, requires_grad=True)
    Into.apply(base[0], weight)
    grads = torch.autograd.grad(base.sum(), weight, retain_graph=True)
    again = torch.autograd.grad(base.sum(), x)
    return [asked, grads, again]


def a_view_that_was_replaced_is_no_input_any_more(torch):
    x, base = _base(torch)
    view = base[0]
    old = view.grad_fn
    view.zero_()
    (base * base).sum().backward()
    return [old.name(), view.grad_fn is old, x.grad]


def many_changes_of_views(torch):
    x = torch.ones(4, requires_grad=True)
    base = x * 1
    for step in range(3000):
        base[step % 4].add_(1)
    base.sum().backward()
    return [state(base), x.grad]


def many_changes_of_one_view(torch):
    x = torch.ones(4, requires_grad=True)
    view = (x * 1)[1:]
    for _ in range(3000):
        view.mul_(1)
    view.sum().backward()
    return [state(view), x.grad]


def a_deep_chain_of_views(torch):
    x = torch.ones(4, requires_grad=True)
    view = x * 1
    for _ in range(3000):
        view = view.view(4)
    view.add_(1)
    view.sum().backward()
    return [state(view), x.grad]


def rows_of_a_recurrence(torch):
    weight = torch.tensor(2.0, requires_grad=True)
    states = torch.zeros(5)
    states[0] = 1.0
    for step in range(1, 5):
        states[step] = weight * states[step - 1].clone()
    states.sum().backward()
    return [state(states), weight.grad]


def rows_of_a_recurrence_without_clones(torch):
    weight = torch.tensor(2.0, requires_grad=True)
    states = torch.zeros(3)
    states[0] = 1.0
    for step in range(1, 3):
        states[step] = weight * states[step - 1]
    return [outcome(lambda: states.sum().backward()), weight.grad]


def versions_of_everything(torch):
    x, base = _base(torch)
    view, detached, data = base[0], base.detach(), base.data
    seen = []
    for change in (
        lambda: view.add_(1),
        lambda: base.mul_(2),
        lambda: detached.sub_(1),
        lambda: data.add_(1),
        lambda: base.__setitem__(0, 1.0),
        lambda: view.copy_(torch.ones(3)),
        lambda: base[:, 1].zero_(),
        lambda: base.view(6)[2:4].neg_(),
        lambda: base.t().fill_(1),
        lambda: outcome(lambda: base.add_(torch.ones(7))),
    ):
        change()
        seen.append([each._version for each in (x, base, view, detached, data)])
    with torch.no_grad():
        base.add_(1)
        view.add_(1)
    return [*seen, [each._version for each in (x, base, view, detached, data, base[1])]]


def a_base_with_gaps_in_memory_is_changed_through_a_view(torch):
    seen = []
    for base in (torch.arange(8.0)[::2], torch.arange(8.0).view(2, 4)[:, 1:3]):
        factor = torch.tensor(2.0, requires_grad=True)
        alone = base.detach()
        part = alone[1:]
        part.mul_(factor)
        (alone * alone).sum().backward()
        seen.append([alone, part, factor.grad])
    return seen


def a_geometry_with_gaps_owns_them(torch):
    strided = torch.empty_strided((4,), (2,))
    return [strided.untyped_storage().nbytes(), strided.as_strided((3,), (2,), 2).shape]


def a_graph_is_freed_although_the_change_kept_nothing(torch):
    def twice(change, **options):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x + 0
        change(y, x)
        total = y.sum()
        total.backward(**options)
        return [outcome(total.backward), x.grad]

    return [
        twice(lambda y, x: y.add_(1)),
        twice(lambda y, x: y[0].add_(1)),
        twice(lambda y, x: y[:1].copy_(x[1:])),
        twice(lambda y, x: y.__setitem__(0, 5.0)),
        twice(lambda y, x: y.__setitem__(0, 5.0), retain_graph=True),
        twice(lambda y, x: y[0].mul_(x[1])),
    ]


def gradients_that_are_none_or_no_tensors(torch):
    def changed(grad):
        class Doubles(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.mark_dirty(x)
                return x.mul_(2)

            @staticmethod
            def backward(ctx, g):
                return grad

        x = torch.ones(2, 2, requires_grad=True)
        y = x * 1
        Doubles.apply(y[0])
        return [outcome(y.sum().backward), x.grad]

    return [changed(grad) for grad in (None, 3, "a", torch.ones(2).double())]


def repeated_rows_of_a_constant_are_written(torch):
    seen = []
    for factor in (1, torch.ones(1, requires_grad=True)):
        rows = torch.ones(2, requires_grad=True)
        repeated = (torch.zeros(2) * factor).expand(2, 2)
        repeated[[0]] = rows
        seen.append([repeated, outcome(repeated.sum().backward), rows.grad])
    return seen


def changes_of_parts_differentiated_twice(torch):
    seen = {}
    changes = {
        "relu_": lambda part: part.relu_(),
        "sigmoid_": lambda part: part.sigmoid_(),
        "exp_": lambda part: part.exp_(),
        "tanh_": lambda part: part.tanh_(),
        "sqrt_": lambda part: part.sqrt_(),
        "pow_": lambda part: part.pow_(3),
        "elu": lambda part: torch.nn.functional.elu(part, inplace=True),
    }
    for name, change in changes.items():
        for kept in (True, False):
            x = torch.tensor([[0.25, 1.0], [0.5, -1.5]], dtype=torch.float64, requires_grad=True)
            y = x * 2
            part = change(y[0])
            if not kept:
                del part
            (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
            (h,) = torch.autograd.grad((g * g).sum(), x)
            seen[f"{name} {kept}"] = [
                [round(each, 9) for each in t.flatten().tolist()] for t in (g, h)
            ]
            seen[f"{name} {kept} again"] = outcome(lambda y=y, x=x: torch.autograd.grad(y.sum(), x))
    return seen

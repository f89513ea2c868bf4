"""inference_mode, and the tensors that are made inside."""

from tests.parity.harness import outcome, state


def _made(torch, **options):
    with torch.inference_mode():
        return torch.ones(2, 3, **options)


def _look(tensor):
    return [tensor.is_inference(), tensor.requires_grad, tensor._is_view(), tensor.is_leaf]


def what_is_enabled_inside(torch):
    def modes():
        return [torch.is_grad_enabled(), torch.is_inference_mode_enabled()]

    seen = [modes()]
    with torch.inference_mode():
        seen.append(modes())
        with torch.enable_grad():
            seen.append(modes())
        with torch.inference_mode(False):
            seen.append(modes())
            with torch.no_grad():
                seen.append(modes())
        with torch.set_grad_enabled(True):
            seen.append(modes())
        seen.append(modes())
    with torch.no_grad(), torch.inference_mode(mode=False):
        seen.append(modes())
    return [*seen, modes()]


def restored_after_an_exception(torch):
    def fail():
        with torch.inference_mode():
            raise ValueError("on purpose")

    return [outcome(fail), torch.is_inference_mode_enabled(), torch.is_grad_enabled()]


def as_a_decorator(torch):
    @torch.inference_mode()
    def with_call(x):
        return _look(x * 2)

    @torch.inference_mode
    def without_call(x):
        return _look(x * 2)

    @torch.inference_mode(False)
    def off(x):
        return _look(x * 2)

    @torch.inference_mode()
    def generator(x):
        yield _look(x * 2)
        yield torch.is_inference_mode_enabled()

    x = torch.ones(2, requires_grad=True)
    seen = [with_call(x), without_call(x), off(x), without_call.__name__]
    for inside in generator(x):
        seen.append([inside, torch.is_inference_mode_enabled()])
    with torch.inference_mode():
        seen.append(off(x))
    return seen


def one_object_used_twice(torch):
    guard, seen = torch.inference_mode(), []
    for _ in range(2):
        with guard:
            seen.append(torch.is_inference_mode_enabled())
        seen.append(torch.is_inference_mode_enabled())
    return seen


def one_object_nested_in_itself(torch):
    seen = []
    with torch.inference_mode(False):
        guard = torch.inference_mode()
        with guard:
            with guard:
                seen.append(torch.is_inference_mode_enabled())
            seen.append(torch.is_inference_mode_enabled())
        seen.append(torch.is_inference_mode_enabled())
    return [*seen, torch.is_inference_mode_enabled()]


def what_is_made_inside(torch):
    normal = torch.ones(2, 3)
    leaf = torch.ones(2, 3, requires_grad=True)
    with torch.inference_mode():
        made = [
            torch.ones(2),
            torch.tensor([1.0]),
            torch.zeros(2, requires_grad=True),
            torch.zeros_like(normal),
            normal.new_zeros(2),
            torch.nn.Parameter(torch.ones(2)),
            normal.clone(),
            normal * 2,
            leaf * leaf,
            leaf.sum(),
            normal[[0]],
            normal.t().reshape(6),
            normal.to(torch.float64),
            torch.cat([normal, normal]),
            normal.t().contiguous(),
        ]
        same = [normal.contiguous() is normal, normal.to(torch.float32) is normal]
        return [[_look(each) for each in made], same]


def views_of_what_was_made_outside(torch):
    normal = torch.ones(2, 3)
    leaf = torch.ones(2, 3, requires_grad=True)
    result = leaf * 2
    with torch.inference_mode():
        views = [
            [x[0], x.view(6), x.reshape(6), x.t(), x.unbind(0)[0], x.expand(2, 2, 3), x.split(1)[0]]
            for x in (normal, leaf, result)
        ]
        seen = [[_look(view) for view in each] for each in views]
        bases = [views[0][0]._base is normal, views[2][0]._base is result]
        aliases = [_look(normal.detach()), _look(leaf.data), normal.detach()._version]
    return [seen, bases, aliases, [[_look(view) for view in each] for each in views]]


def what_is_made_outside_of_what_was_made_inside(torch):
    x = _made(torch)
    results = {
        "clone": x.clone(),
        "times": x * 2,
        "sum": x.sum(),
        "cat": torch.cat([x, x]),
        "copy": x[[0]],
        "double": x.to(torch.float64),
        "item": x[0],
        "view": x.view(6),
        "t": x.t(),
        "unbind": x.unbind(0)[1],
        "contiguous": x.contiguous(),
        "detach": x.detach(),
        "data": x.data,
    }
    return {name: _look(result) for name, result in results.items()}


def no_version_counter(torch):
    x = _made(torch)
    with torch.inference_mode():
        inside = outcome(lambda: x._version)
        x.add_(1)
        view = outcome(lambda: x[0]._version)
    return [inside, view, outcome(lambda: x._version), x]


def is_inference_as_a_function(torch):
    x = _made(torch)
    return [torch.is_inference(x), torch.is_inference(torch.ones(1)), x.is_inference()]


def changes_inside(torch):
    normal = torch.ones(2, 3)
    leaf = torch.ones(2, 3, requires_grad=True)
    result = leaf * 2
    with torch.inference_mode():
        made = torch.ones(2, 3, requires_grad=True)
        made.add_(1)
        made[0] = 5.0
        normal.add_(made)
        normal[0].mul_(2)
        leaf.mul_(3)
        result.add_(leaf)
        result.detach_()
    return [made, state(normal), state(leaf), state(result), result.grad_fn.name()]


def changes_outside(torch):
    x = _made(torch)
    normal = torch.ones(2, 3, requires_grad=True)

    def under_no_grad():
        with torch.no_grad():
            x.add_(1)

    refused = [
        lambda: x.add_(1),
        lambda: x.zero_(),
        lambda: x.exp_(),
        lambda: x[0].mul_(2),
        lambda: x.view(6).fill_(2),
        lambda: x.__setitem__(0, 1.0),
        lambda: x.copy_(torch.zeros(2, 3)),
        lambda: x.copy_(normal),
        under_no_grad,
    ]
    return [[outcome(each) for each in refused], x]


def normal_tensors_are_changed_by_them(torch):
    x = _made(torch)
    normal = torch.ones(2, 3)
    result = torch.ones(2, 3, requires_grad=True) * 1
    normal.add_(x)
    result.add_(x)
    with_no_grad_kept = result.grad_fn.name()
    result.copy_(x)
    return [state(normal), state(result), with_no_grad_kept, outcome(lambda: result.mul_(x))]


def saving_for_backward(torch):
    x = _made(torch)
    weight = torch.ones(2, 3, requires_grad=True)
    return [
        outcome(lambda: weight * x),
        outcome(lambda: x * weight),
        outcome(lambda: weight / x),
        weight + x,
        x - weight,
        outcome(lambda: torch.where(weight > 0, weight, x)),
        outcome(lambda: weight.t() @ x),
        x.clone() * weight,
    ]


def saving_in_a_custom_function(torch):
    class Saving(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, other):
            ctx.save_for_backward(x, other)
            return x * other

        @staticmethod
        def backward(ctx, g):
            _, other = ctx.saved_tensors
            return g * other, None

    x = _made(torch)
    weight = torch.ones(2, 3, requires_grad=True)
    seen = [outcome(lambda: Saving.apply(weight, x)), Saving.apply(x, x)]
    with torch.inference_mode():
        seen.append(_look(Saving.apply(weight, x)))
    return seen


def requiring_grad(torch):
    x = _made(torch)
    with torch.inference_mode():
        inside = torch.ones(2).requires_grad_()
        assigned = torch.ones(2)
        assigned.requires_grad = True
    return [
        outcome(lambda: x.requires_grad_()),
        outcome(lambda: setattr(x, "requires_grad", True)),
        x.requires_grad_(False).requires_grad,
        inside.requires_grad,
        assigned.requires_grad,
        outcome(lambda: x.retain_grad()),
        outcome(lambda: x.backward()),
    ]


def numpy_is_refused_where_grad_is_enabled(torch):
    x = torch.ones(2, requires_grad=True)
    with torch.inference_mode():
        seen = [outcome(lambda: x.numpy())]
        with torch.enable_grad():
            return [*seen, outcome(lambda: x.numpy())]


def leaves_made_inside(torch):
    x = _made(torch, requires_grad=True)
    normal = torch.full((2, 3), 2.0)
    results = [x * x, x + x, x.exp(), x.sum(), x.view(6), x**2, -x]
    total = (x + 1).sum() + (x * 3).sum() + (x + normal).sum()
    total.backward()
    return [results, x.grad, x.grad.is_inference(), _look(x)]


def leaves_made_inside_at_indices_made_outside(torch):
    x, index = _made(torch, requires_grad=True), torch.tensor([1, 0])
    with torch.inference_mode():
        inside = torch.tensor([1, 0])
    results = [x[index], x[:, index], x.index_select(0, index), x[x > 0], x[inside], x[0]]
    results += [torch.where(x > 0, x, 0.0), x.masked_fill(x > 1, 0.0), x.index_fill(0, index, 2.0)]
    torch.nn.functional.embedding(index, x).sum().backward()
    return [results, x.grad, outcome(lambda: x.gather(1, index[None]))]


def backward_inside(torch):
    x = torch.ones(2, requires_grad=True)
    y = (x * 2).sum()
    with torch.inference_mode():
        return outcome(lambda: (x * 2).sum().backward()), x.grad, y.requires_grad


def backward_inside_adds_out_of_place_to_build_a_graph(torch):
    x = torch.ones(2, requires_grad=True)
    x.grad = before = torch.ones(2)
    with torch.inference_mode():
        x.backward(torch.ones(2), create_graph=True)
    return [before, x.grad, x.grad.is_inference()]


def the_usual_mode_inside(torch):
    with torch.inference_mode(), torch.inference_mode(False):
        x = torch.ones(2, requires_grad=True)
        y = x * 2
    y.sum().backward()
    return [_look(x), _look(y), x.grad, y._version]


def a_view_made_inside_is_changed(torch):
    seen = []
    for requires_grad in (False, True):
        base = torch.ones(2, 3, requires_grad=requires_grad).clone()
        with torch.inference_mode():
            row, again, unbound = base[0], base.view_as(base), base.unbind(0)[0]
            inner = row.view(3, 1)
        seen.append([_look(row), outcome(lambda row=row: row.add_(1))])
        seen.append([outcome(lambda again=again: again.mul_(2)), base])
        seen.append([outcome(lambda inner=inner: inner.mul_(2)), base])
        seen.append([outcome(lambda unbound=unbound: unbound.mul_(2)), base])
        seen.append(outcome(lambda row=row: row.view(3, 1).mul_(2)))
    return seen


def the_base_of_a_view_made_inside_is_changed(torch):
    seen = []
    for requires_grad in (False, True):
        base = torch.ones(2, 3, requires_grad=requires_grad).clone()
        with torch.inference_mode():
            row = base[0]
        base.add_(1)
        seen.append(outcome(lambda row=row: row.grad_fn))
        seen.append(outcome(lambda row=row: row * 2))
        seen.append([row.requires_grad, outcome(lambda row=row: row.is_leaf)])
    return seen


def a_gradient_made_inside(torch):
    x = torch.ones(2, requires_grad=True)
    with torch.inference_mode():
        x.grad = torch.ones(2)
    seen = outcome(lambda: (x * 2).sum().backward())
    x.grad = None
    (x * 2).sum().backward(torch.tensor(1.0))
    return [seen, x.grad]


def a_hook_that_computes_inside(torch):
    @torch.inference_mode()
    def twice(grad):
        return grad * 2

    seen = []
    for x in (torch.ones(2, requires_grad=True), torch.tensor(1.0, requires_grad=True)):
        x.register_hook(twice)
        for _ in range(2):
            (x * 3).sum().backward()
            seen.append([x.grad.clone(), x.grad.is_inference(), x.grad._version])
    return seen


def a_module_made_inside(torch):
    with torch.inference_mode():
        linear = torch.nn.Linear(2, 2)
    x = torch.ones(1, 2, requires_grad=True)
    return [
        linear.weight.is_inference(),
        linear.weight.requires_grad,
        outcome(lambda: linear(x)),
    ]


def a_module_used_inside(torch):
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
    with torch.inference_mode():
        y = model(torch.ones(1, 2))
    model(torch.ones(1, 2)).sum().backward()
    return [_look(y), model[0].weight.grad is not None, model[0].weight._version]


def printing_and_numpy(torch):
    x = _made(torch)
    return [repr(x), x.numpy(), x.tolist(), x.sum().item(), bool(x.sum() > 1)]


def views_look_for_their_history_inside(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    base = x * 1
    view = base[:1]
    with torch.inference_mode():
        base.div_(2)
        inside = [view.grad_fn.name(), view.is_leaf, view.requires_grad]
    view.sum().backward()
    return [inside, x.grad]


def custom_functions_are_recorded_where_grad_is_enabled(torch):
    seen = []

    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            seen.append([torch.is_grad_enabled(), torch.is_inference_mode_enabled()])
            with torch.enable_grad():
                seen.append([torch.is_grad_enabled(), _look(x * 2)])
            with torch.inference_mode(False):
                seen.append([torch.is_grad_enabled(), _look(torch.ones(2) * x)])
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    leaf = torch.ones(2, requires_grad=True)
    with torch.inference_mode():
        for enable in (torch.enable_grad, torch.no_grad):
            with enable():
                seen.append([_look(Twice.apply(each)) for each in (leaf, torch.ones(2))])
                seen.append([_look(leaf * 2), torch.is_grad_enabled()])
    return seen


def a_view_in_the_same_dtype_is_an_inference_tensor(torch):
    x = torch.ones(2, requires_grad=True)
    with torch.inference_mode():
        seen = [x.view(x.dtype), x.view(torch.int32), x.view(2)]
        seen[0].add_(1)
    return [_look(each) for each in seen], x, x._version, outcome(lambda: seen[0].add_(1))

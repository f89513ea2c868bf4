"""What can be asked of ctx, in forward, in backward, and after both."""

from tests.parity.harness import graph, outcome, plain, state, warned


def _function(torch, forward, backward=None):
    class Told(torch.autograd.Function):
        pass

    Told.forward = staticmethod(forward)
    Told.backward = staticmethod(backward or (lambda ctx, *grads: grads[0]))
    return Told


def _leaf(torch, *values):
    return torch.tensor(list(values) or [1.0, 2.0], requires_grad=True)


def saving_twice_keeps_the_last(torch):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_backward(x * 5, x * 7)
        return x * 2

    y = _function(torch, forward).apply(_leaf(torch))
    return [y.grad_fn.saved_tensors, type(y.grad_fn.saved_tensors).__name__]


def saving_nothing(torch):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_backward()
        return x * 2

    y = _function(torch, forward).apply(_leaf(torch))
    first = y.grad_fn.saved_tensors
    y.sum().backward()
    return [first, outcome(lambda: y.grad_fn.saved_tensors)]


def saving_none_beside_tensors(torch):
    def forward(ctx, x):
        ctx.save_for_backward(None, x, None)
        return x * 2

    seen = []
    y = _function(
        torch, forward, lambda ctx, g: (seen.append([t is None for t in ctx.saved_tensors]), g)[1]
    ).apply(_leaf(torch))
    y.sum().backward()
    return [seen, outcome(lambda: y.grad_fn.saved_tensors)]


def saving_what_is_no_tensor(torch):
    def attempt(*values):
        def forward(ctx, x):
            ctx.save_for_backward(*values)
            seen.append("after save_for_backward")
            return x * 2

        return outcome(lambda: _function(torch, forward).apply(_leaf(torch)).tolist())

    seen = []
    tensor = torch.ones(1)
    return [
        attempt(3),
        attempt("text"),
        attempt([tensor]),
        attempt((tensor, tensor)),
        attempt(None, tensor, 2.5),
        attempt({"a": tensor}),
        attempt(_leaf),
        seen,
    ]


def what_is_saved_is_looked_at_after_forward(torch):
    def without_grad(ctx, x):
        ctx.save_for_backward(3)
        return x * 2

    def raising(ctx, x):
        ctx.save_for_backward(3)
        raise ValueError("first")

    def replaced(ctx, x):
        ctx.save_for_backward(3)
        ctx.save_for_backward(x)
        return x * 2

    x = _leaf(torch)
    return [
        outcome(lambda: _function(torch, without_grad).apply(x.detach()).tolist()),
        outcome(lambda: _function(torch, raising).apply(x)),
        outcome(lambda: _function(torch, replaced).apply(x).tolist()),
    ]


def saving_in_backward(torch):
    def backward(ctx, g):
        ctx.save_for_backward(g)
        seen.append([t.tolist() for t in ctx.saved_tensors])
        return g

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    seen = []
    y = _function(torch, forward, backward).apply(_leaf(torch, 5.0, 6.0))
    y.sum().backward(retain_graph=True)
    return [seen, y.grad_fn.saved_tensors]


def saving_after_forward(torch):
    y = _function(torch, lambda ctx, x: x * 2).apply(_leaf(torch))
    y.grad_fn.save_for_backward(torch.ones(1))
    return [y.grad_fn.saved_tensors, [t.tolist() for t in y.grad_fn.to_save]]


def saved_tensors_in_forward(torch):
    def forward(ctx, x):
        before = outcome(lambda: ctx.saved_tensors)
        ctx.save_for_backward(x)
        seen.append([before, outcome(lambda: ctx.saved_tensors)])
        return x * 2

    seen = []
    _function(torch, forward).apply(_leaf(torch))
    _function(torch, forward).apply(torch.ones(1))
    with torch.no_grad():
        _function(torch, forward).apply(_leaf(torch))
    return seen


def saved_tensors_of_a_context_that_was_not_recorded(torch):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        kept.append(ctx)
        return x * 2

    kept = []
    _function(torch, forward).apply(torch.ones(1))
    (ctx,) = kept
    return [outcome(lambda: ctx.saved_tensors), ctx.needs_input_grad, ctx.next_functions]


def saved_tensors_after_backward(torch):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    y = _function(torch, forward).apply(_leaf(torch))
    y.sum().backward(retain_graph=True)
    kept = outcome(lambda: y.grad_fn.saved_tensors)
    y.sum().backward()
    return [kept, outcome(lambda: y.grad_fn.saved_tensors), outcome(y.sum().backward)]


def nothing_saved_runs_again(torch):
    x = _leaf(torch)
    y = _function(torch, lambda ctx, t: t * 2).apply(x)
    y.sum().backward()
    y.sum().backward()
    return [x.grad, outcome(lambda: y.grad_fn.saved_tensors)]


def saved_tensors_read_twice_in_backward(torch):
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(x, y)
        return y

    def backward(ctx, g):
        first, second = ctx.saved_tensors, ctx.saved_tensors
        seen.append(
            [
                first[0] is second[0],
                first[1] is second[1],
                first[0] is x,
                first[1].grad_fn is ctx,
                first[1].requires_grad,
            ]
        )
        return g

    seen, x = [], _leaf(torch)
    _function(torch, forward, backward).apply(x).sum().backward()
    return seen


def saved_tensors_cannot_be_set(torch):
    y = _function(torch, lambda ctx, x: x * 2).apply(_leaf(torch))

    def put(name, value):
        setattr(y.grad_fn, name, value)
        return plain(getattr(y.grad_fn, name))

    return {
        name: outcome(lambda name=name, value=value: put(name, value))
        for name, value in {
            "saved_tensors": (),
            "next_functions": (),
            "metadata": {},
            "name": 3,
            "needs_input_grad": (True, False, True),
            "note": 4,
        }.items()
    }


def saved_variables_warn(torch):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    y = _function(torch, forward).apply(_leaf(torch))
    return [y.grad_fn.saved_variables, warned(lambda: y.grad_fn.saved_variables)]


def what_ctx_was_told_can_be_read(torch):
    def forward(ctx, x):
        names = ("to_save", "dirty_tensors", "non_differentiable", "saved_for_forward")
        before = [[name, plain(getattr(ctx, name, "missing"))] for name in names]
        ctx.save_for_backward(x, None)
        ctx.save_for_forward(x)
        y, z = x.clone(), x.clone()
        ctx.mark_non_differentiable(z)
        ctx.set_materialize_grads(False)
        during = [[name, plain(getattr(ctx, name, "missing"))] for name in names]
        seen.append([before, during])
        return y, z

    seen = []
    y, _ = _function(torch, forward).apply(_leaf(torch))
    node = y.grad_fn
    return [
        seen,
        plain(getattr(node, "to_save", "missing")),
        plain(node.dirty_tensors),
        plain(node.non_differentiable),
        plain(node.saved_for_forward),
    ]


def ctx_can_be_told_by_assignment(torch):
    def forward(ctx, x, y):
        ctx.to_save = (x,)
        ctx.non_differentiable = (y,)
        ctx.materialize_grads = False
        first, second = x * 2, x * 3
        return first, second

    def marked(ctx, x):
        ctx.dirty_tensors = (x,)
        return x.mul_(2)

    y, z = _function(torch, forward).apply(_leaf(torch), _leaf(torch))
    middle = _leaf(torch) * 1
    m = _function(torch, marked).apply(middle)
    return [y.grad_fn.saved_tensors, z.requires_grad, state(m), m is middle]


def told_by_wrong_values(torch):
    def attempt(tell):
        def forward(ctx, x):
            tell(ctx, x)
            return x * 2

        return outcome(lambda: _function(torch, forward).apply(_leaf(torch)).tolist())

    return [
        attempt(lambda ctx, x: setattr(ctx, "to_save", [x])),
        attempt(lambda ctx, x: setattr(ctx, "to_save", None)),
        attempt(lambda ctx, x: setattr(ctx, "to_save", x)),
        attempt(lambda ctx, x: setattr(ctx, "dirty_tensors", [x])),
        attempt(lambda ctx, x: setattr(ctx, "non_differentiable", [x])),
        attempt(lambda ctx, x: ctx.mark_dirty([x])),
        attempt(lambda ctx, x: ctx.mark_dirty("a")),
        attempt(lambda ctx, x: ctx.mark_dirty(None)),
        attempt(lambda ctx, x: ctx.mark_dirty()),
        attempt(lambda ctx, x: ctx.mark_non_differentiable([x])),
        attempt(lambda ctx, x: ctx.mark_non_differentiable(1)),
        attempt(lambda ctx, x: ctx.mark_non_differentiable(None)),
        attempt(lambda ctx, x: ctx.mark_non_differentiable()),
        attempt(lambda ctx, x: ctx.set_materialize_grads(3)),
        attempt(lambda ctx, x: ctx.set_materialize_grads(None)),
        attempt(lambda ctx, x: ctx.save_for_forward([x])),
    ]


def save_for_forward(torch):
    def attempt(*values):
        def forward(ctx, x):
            ctx.save_for_forward(*values)
            seen.append([plain(ctx.saved_for_forward), plain(outcome(lambda: ctx.saved_tensors))])
            return x * 2

        return outcome(lambda: _function(torch, forward).apply(_leaf(torch)).tolist())

    seen = []
    return [attempt(torch.ones(1), None), attempt(3), attempt(), seen]


def shared_storage_is_nothing_to_be_told(torch):
    def forward(ctx, x):
        seen.append(warned(lambda: ctx.mark_shared_storage((x, x))))
        return x * 2

    seen = []
    return [_function(torch, forward).apply(_leaf(torch)), seen]


def needs_input_grad_of_nested_arguments(torch):
    def forward(ctx, *arguments):
        seen.append(ctx.needs_input_grad)
        return arguments[0] * 2

    seen, x = [], _leaf(torch)
    function = _function(torch, forward, lambda ctx, g: (g,) + (None,) * 4)
    y = function.apply(x, [x, x], (x,), {"x": x}, None)
    y.sum().backward()
    function.apply(x.detach(), [x], (x,), x * 2, x.detach())
    function.apply(torch.ones(2), [x], (x,), None, 3)
    return [seen, graph(y.grad_fn), x.grad]


def needs_input_grad_of_integers(torch):
    def forward(ctx, a, b, c):
        seen.append(ctx.needs_input_grad)
        return b * 1.5

    seen, x = [], _leaf(torch)
    function = _function(torch, forward, lambda ctx, g: (None, g, None))
    y = function.apply(torch.arange(2), x, torch.tensor([True]))
    return [seen, graph(y.grad_fn)]


def needs_input_grad_may_be_changed(torch):
    def forward(ctx, x):
        ctx.needs_input_grad = (False,)
        return x * 2

    x = _leaf(torch)
    y = _function(torch, forward, lambda ctx, g: g if ctx.needs_input_grad[0] else None).apply(x)
    y.sum().backward()
    return [x.grad, y.grad_fn.needs_input_grad, y.requires_grad]


def whether_gradients_are_made_of_zeros_is_set_but_not_read(torch):
    def forward(ctx, x):
        ctx.materialize_grads = False
        ctx.seen = [
            outcome(lambda: setattr(ctx, "materialize_grads", 1)),
            outcome(lambda: setattr(ctx, "materialize_grads", None)),
            outcome(lambda: ctx.materialize_grads),
        ]
        return x * 2

    node = _function(torch, forward).apply(_leaf(torch)).grad_fn
    return [node.seen, outcome(lambda: node.materialize_grads), hasattr(node, "materialize_grads")]


def materialized_gradients_of_several_outputs(torch):
    def run(value, *used):
        def forward(ctx, x):
            if value is not None:
                ctx.set_materialize_grads(value)
            return x * 2, x.sum(), 7, (x * 2).long(), x.double()

        def backward(ctx, *grads):
            seen.append([plain(grad) for grad in grads])

        outputs = _function(torch, forward, backward).apply(_leaf(torch))
        seen = []
        sum(outputs[at].sum() for at in used).backward()
        return seen

    return [run(None, 0), run(True, 1), run(False, 0), run(False, 4), run(True, 0, 4)]


def undefined_gradients_are_materialized(torch):
    def run(value):
        def forward(ctx, x):
            ctx.set_materialize_grads(value)
            return x * 2

        seen = []
        inner = _function(torch, forward, lambda ctx, g: (seen.append(plain(g)), g)[1])
        outer = _function(torch, lambda ctx, x: x * 3, lambda ctx, g: None)
        x = _leaf(torch)
        outer.apply(inner.apply(x)).sum().backward()
        return [seen, x.grad]

    return [run(True), run(False)]


def attributes_of_any_kind(torch):
    def forward(ctx, x, module):
        ctx.tensor, ctx.list, ctx.self = x, [1, 2], "me"
        ctx.function = forward
        del ctx.list
        return x * 2

    y = _function(torch, forward, lambda ctx, g: (g * ctx.tensor, None)).apply(_leaf(torch), torch)
    y.sum().backward()
    node = y.grad_fn
    return [
        node.tensor,
        node.self,
        hasattr(node, "list"),
        outcome(lambda: node.list),
        sorted(name for name in vars(node) if name in {"tensor", "list", "self", "function"}),
    ]


def attributes_may_have_the_names_that_come_to_mind(torch):
    def forward(ctx, x):
        for name in ("saved", "_saved", "kept", "x", "inputs", "output", "slot", "keep", "tensors"):
            setattr(ctx, name, x * 2)
        return x * 2

    y = _function(torch, forward, lambda ctx, g: g * ctx.saved * ctx.keep).apply(
        leaf := _leaf(torch)
    )
    y.sum().backward()
    return leaf.grad


def an_attribute_outlives_backward(torch):
    def forward(ctx, x):
        ctx.y = x * 3
        return x * 2

    y = _function(torch, forward).apply(_leaf(torch))
    y.sum().backward()
    return y.grad_fn.y

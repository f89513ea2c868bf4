"""Packing and unpacking of what a graph keeps."""

from tests.parity.harness import outcome


def _leaf(torch, *values):
    return torch.tensor(values or (1.0, 2.0), requires_grad=True)


def _noting(seen, name=""):
    def pack(t):
        seen.append([f"{name}pack", t.tolist(), t.grad_fn.name() if t.grad_fn else None])
        return t.detach().clone()

    def unpack(t):
        seen.append([f"{name}unpack", t.tolist()])
        return t

    return pack, unpack


def _twice(torch):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x * 2
            ctx.save_for_backward(x, None, y)
            return y

        @staticmethod
        def backward(ctx, g):
            x, nothing, y = ctx.saved_tensors
            assert nothing is None
            return g * y / x

    return Twice


def operators_pack_and_unpack(torch):
    seen = []
    x = _leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(*_noting(seen)):
        y = x.exp()
        z = y.log()
    z.sum().backward()
    return [seen, x.grad]


def operators_pack_in_the_order_of_their_names(torch):
    seen = []
    with torch.autograd.graph.saved_tensors_hooks(*_noting(seen)):
        x, w = _leaf(torch) * 1, _leaf(torch, 3.0, 4.0) * 1
        (x * w, x / w, x**w, x.reshape(1, 2) @ w.reshape(2, 1))
    return seen


def custom_functions_pack_and_unpack(torch):
    seen = []
    x = _leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(*_noting(seen)):
        y = _twice(torch).apply(x)
    y.sum().backward()
    return [seen, x.grad]


def the_innermost_hooks_count(torch):
    seen = []
    hooks = torch.autograd.graph.saved_tensors_hooks
    x = _leaf(torch)
    with hooks(*_noting(seen, "outer ")):
        x.exp()
        with hooks(*_noting(seen, "inner ")):
            x.sin()
        x.cos()
    x.log()
    return seen


def backward_computes_with_what_was_unpacked(torch):
    x = _leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(
        lambda t: "packed", lambda p: torch.full((2,), 5.0)
    ):
        y = x * x
    y.sum().backward()
    return x.grad


def unpacked_tensors_keep_their_place_in_the_graph(torch):
    x = _leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        m = x * 1
        y = m * m
        z = x * x
        e = x.exp()
    saved = [y.grad_fn._saved_self, z.grad_fn._saved_self, e.grad_fn._saved_result]
    (first,) = torch.autograd.grad((y + z + e).sum(), x, create_graph=True)
    first.sum().backward()
    return [
        saved,
        [saved[0].grad_fn is m.grad_fn, saved[1] is x, saved[2].grad_fn is e.grad_fn],
        [each._version for each in saved],
        x.grad,
    ]


def packing_happens_without_recording(torch):
    seen = []

    def pack(t):
        seen.append([torch.is_grad_enabled(), t.requires_grad, (t * 2).requires_grad])
        return t

    def unpack(t):
        seen.append(torch.is_grad_enabled())
        return t

    x = _leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = (x * x).sum()
    y.backward(retain_graph=True)
    torch.autograd.grad(y, x, create_graph=True)
    return seen


def the_tensor_to_pack_is_the_one_that_is_saved(torch):
    seen = []

    def pack(t):
        seen.append([t is x, t.is_leaf, t._version])
        return t

    x = _leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        x * x
        _twice(torch).apply(x)
    return seen


def nothing_is_packed_when_nothing_is_recorded(torch):
    seen = []
    x = _leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(*_noting(seen)):
        with torch.no_grad():
            x.exp()
        x.detach().exp()
        x + 1
    return seen


def changes_in_place_go_unnoticed_through_hooks(torch):
    x = _leaf(torch)
    m, w = x * 1, x * 1
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        y = m * m
    z = w * w
    m.add_(1)
    w.add_(1)
    return [outcome(y.sum().backward), x.grad, outcome(z.sum().backward)]


def what_hooks_may_not_do(torch):
    def run(pack, unpack):
        x = _leaf(torch)

        def program():
            with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
                y = x.exp()
            y.sum().backward()

        return [outcome(program), x.grad]

    def fail(t):
        raise ValueError("from the hook")

    return [
        run(lambda t: t.detach().add_(1), lambda t: t),
        run(lambda t: t, lambda t: 3),
        run(lambda t: t, lambda t: None),
        run(fail, lambda t: t),
        run(lambda t: t, fail),
        run(lambda t: t, lambda t: torch.ones(5)),
        run(lambda t: t, lambda t: torch.ones(2).double()),
    ]


def hooks_of_an_ended_context_still_unpack(torch):
    seen = []
    x = _leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(*_noting(seen)):
        y = x.exp()
    with torch.autograd.graph.saved_tensors_hooks(*_noting(seen, "other ")):
        y.sum().backward(retain_graph=True)
        saved = y.grad_fn._saved_result
    return [seen, saved]


def an_error_inside_ends_the_context(torch):
    seen = []
    x = _leaf(torch)

    def program():
        with torch.autograd.graph.saved_tensors_hooks(*_noting(seen)):
            raise ValueError("inside")

    return [outcome(program), x.exp(), seen]


def save_on_cpu(torch):
    x = _leaf(torch)
    with torch.autograd.graph.save_on_cpu():
        y = x * x
    saved = y.grad_fn._saved_self
    with torch.no_grad():
        x.mul_(10)
    y.sum().backward()
    return [saved, saved is x, x.grad]


def save_on_cpu_reads_the_data_that_a_leaf_has_by_then(torch):
    x, y = _leaf(torch), _leaf(torch)
    with torch.autograd.graph.save_on_cpu():
        z = x * y
    y.data = torch.full_like(y, 7.0)
    z.sum().backward()
    return [x.grad, y.grad]


def hooks_can_be_disabled(torch):
    graph = torch.autograd.graph
    hooks = graph.saved_tensors_hooks(lambda t: t, lambda t: t)

    def inside_disabled():
        with graph.disable_saved_tensors_hooks("not here"), hooks:
            pass

    def around_disabled():
        with hooks, graph.disable_saved_tensors_hooks("nor here"):
            pass

    def nested():
        with graph.disable_saved_tensors_hooks("first"):
            with graph.disable_saved_tensors_hooks("second"):
                second = outcome(hooks.__enter__)
            return [second, outcome(hooks.__enter__)]

    return [
        outcome(inside_disabled),
        outcome(around_disabled),
        nested(),
        outcome(lambda: hooks.__enter__()),
        hooks.__exit__(),
    ]


def nodes_show_what_they_saved(torch):
    x = _leaf(torch)
    w = x * 2
    y, e, m = x * w, x.exp(), x.reshape(1, 2) @ w.reshape(2, 1)
    saved = [
        y.grad_fn._saved_self,
        y.grad_fn._saved_other,
        e.grad_fn._saved_result,
        m.grad_fn._saved_mat2,
        (x * torch.ones(2)).grad_fn._saved_self,
    ]
    same = [saved[0] is x, saved[1] is w, saved[2] is e, saved[2].grad_fn is e.grad_fn]
    missing = outcome(lambda: y.grad_fn._saved_result)
    e.sum().backward()
    return [saved, same, missing, outcome(lambda: e.grad_fn._saved_result)]


def nodes_show_numbers_they_saved(torch):
    x = _leaf(torch)
    return [
        (x * 3).grad_fn._saved_other,
        (x * 2.5).grad_fn._saved_other,
        (x**2).grad_fn._saved_self,
    ]


def a_stale_attribute_raises(torch):
    y = _leaf(torch) * 1
    z = y * y
    y.add_(1)
    return outcome(lambda: z.grad_fn._saved_self)


def hooks_on_one_saved_tensor(torch):
    x = _leaf(torch)
    y = x.exp()
    raw = y.grad_fn._raw_saved_result
    raw.register_hooks(lambda t: t.detach() * 2, lambda t: t + 1)
    y.sum().backward()
    return x.grad


def hooks_set_on_a_kept_result_get_it_without_its_history(torch):
    y, seen = _leaf(torch).exp(), []
    y.grad_fn._raw_saved_result.register_hooks(
        lambda t: seen.append(t.requires_grad) or t, lambda t: t.clone()
    )
    kept = y.grad_fn._saved_result
    return seen, kept.requires_grad, kept.grad_fn is y.grad_fn


def hooks_on_a_saved_tensor_can_be_set_once(torch):
    def same(t):
        return t

    x = _leaf(torch)
    y, z = _twice(torch).apply(x), x * x
    slots = y.grad_fn._raw_saved_tensors
    with torch.autograd.graph.saved_tensors_hooks(same, same):
        e = x.exp()
    first = slots[0].register_hooks(lambda t: t.detach() * 10, same)
    values = y.grad_fn.saved_tensors
    again = outcome(lambda: slots[0].register_hooks(same, same))
    nothing = outcome(lambda: slots[1].register_hooks(same, same))
    packed = outcome(lambda: e.grad_fn._raw_saved_result.register_hooks(same, same))
    z.sum().backward()
    freed = outcome(lambda: z.grad_fn._raw_saved_self.register_hooks(same, same))
    y.sum().backward()
    return [
        first,
        values,
        again,
        nothing,
        packed,
        freed,
        outcome(lambda: y.grad_fn._raw_saved_tensors),
        x.grad,
    ]


def packed_tensors_are_freed(torch):
    x = _leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
        y, z = x.exp(), _twice(torch).apply(x)
    y.sum().backward()
    z.sum().backward()
    return [outcome(y.sum().backward), outcome(z.sum().backward)]


def saved_variables_is_the_old_name(torch):
    y = _twice(torch).apply(_leaf(torch))
    return y.grad_fn.saved_variables


def in_place_operators_pack(torch):
    seen = []
    x = _leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(*_noting(seen)):
        y = x * 3
        y.exp_()
        y.mul_(x)
    y.sum().backward()
    return [[entry[:2] for entry in seen if entry[0] == "pack"], x.grad]


def a_tensor_multiplied_by_itself_in_place(torch):
    hooks = torch.autograd.graph.saved_tensors_hooks
    answers = []
    for pack in (lambda tensor: tensor, lambda tensor: tensor.clone()):
        x = torch.tensor([2.0, 3.0], requires_grad=True)
        y = x * 1
        with hooks(pack, lambda packed: packed):
            y.mul_(y)
        y.sum().backward()
        answers.append(x.grad)
    return answers


def what_is_unpacked_counts_changes_with_what_the_hook_gave(torch):
    class Spoils(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            ctx.saved_tensors[0].mul_(2)
            return g

    x = torch.tensor([2.0, 3.0], requires_grad=True)
    y = x * 1
    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, lambda packed: packed):
        z = Spoils.apply(y)
    z.sum().backward()
    return [y, y._version]


def what_is_unpacked_for_a_constant_is_what_the_hook_gave(torch):
    constant, leaf = torch.ones(2), torch.ones(2, requires_grad=True)
    seen = []
    for given in (constant, leaf):
        hooks = torch.autograd.graph.saved_tensors_hooks(
            lambda tensor: tensor, lambda _, g=given: g
        )
        with hooks:
            node = (leaf * constant).grad_fn
        unpacked = node._saved_other, node._saved_self
        seen.append([[each is given, getattr(each, "requires_grad", None)] for each in unpacked])
    return seen

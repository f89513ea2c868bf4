"""autograd.forward_ad: levels, dual tensors, and what does not make one."""

from tests.parity.harness import outcome


def _dual(torch, primal, tangent):
    forward_ad = torch.autograd.forward_ad
    return forward_ad.make_dual(torch.tensor(primal), torch.tensor(tangent))


def _rounded(tensor):
    return [round(each, 9) for each in tensor.tolist()]


def levels_open_and_close(torch):
    forward_ad = torch.autograd.forward_ad
    before = forward_ad._current_level
    opened = forward_ad.enter_dual_level()
    inside = forward_ad._current_level
    closed = forward_ad.exit_dual_level()
    return [before, opened, inside, closed, forward_ad._current_level]


def a_level_is_a_context_manager(torch):
    with torch.autograd.forward_ad.dual_level() as level:
        return level


def a_level_is_a_decorator(torch):
    @torch.autograd.forward_ad.dual_level()
    def tangent():
        return torch.autograd.forward_ad.unpack_dual(_dual(torch, 2.0, 3.0) * 2).tangent

    return [tangent(), tangent()]


def levels_do_not_nest(torch):
    def nested():
        with torch.autograd.forward_ad.dual_level():
            pass

    with torch.autograd.forward_ad.dual_level():
        return outcome(nested)


def closing_what_is_not_open(torch):
    forward_ad = torch.autograd.forward_ad
    none = outcome(forward_ad.exit_dual_level)
    with forward_ad.dual_level():
        return [none, outcome(lambda: forward_ad.exit_dual_level(level=3))]


def a_level_closes_after_an_error(torch):
    forward_ad = torch.autograd.forward_ad

    def failing():
        with forward_ad.dual_level():
            raise ValueError("mine")

    return [outcome(failing), forward_ad._current_level]


def no_level_no_duals(torch):
    forward_ad = torch.autograd.forward_ad
    x = torch.tensor(1.0)
    return [outcome(lambda: _dual(torch, 1.0, 1.0)), forward_ad.unpack_dual(x).primal is x]


def tangents_end_with_their_level(torch):
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        dual = _dual(torch, 2.0, 3.0)
    after = forward_ad.unpack_dual(dual)
    with forward_ad.dual_level():
        return [after, forward_ad.unpack_dual(dual)]


def integers_are_no_duals(torch):
    with torch.autograd.forward_ad.dual_level():
        return [outcome(lambda: _dual(torch, 1, 1.0)), outcome(lambda: _dual(torch, 1.0, 1))]


def shapes_have_to_agree(torch):
    with torch.autograd.forward_ad.dual_level():
        return [
            outcome(lambda: _dual(torch, [[1.0, 2.0, 3.0]], [1.0, 2.0, 3.0])),
            outcome(lambda: _dual(torch, [1.0, 2.0], 1.0)),
        ]


def dtypes_may_differ(torch):
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        tangent = torch.tensor(3.0, dtype=torch.float64)
        return forward_ad.unpack_dual(forward_ad.make_dual(torch.tensor(1.0), tangent))


def what_is_dual_is_not_made_dual_again(torch):
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        dual = _dual(torch, 1.0, 2.0)
        return [
            outcome(lambda: forward_ad.make_dual(dual, torch.tensor(1.0))),
            outcome(lambda: forward_ad.make_dual(torch.tensor(1.0), dual)),
            outcome(lambda: forward_ad.make_dual(torch.tensor(1.0), torch.tensor(1.0), level=1)),
        ]


def a_dual_is_a_view(torch):
    forward_ad = torch.autograd.forward_ad
    x, tangent = torch.ones(2), torch.ones(2)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, tangent)
        primal, found = forward_ad.unpack_dual(dual)
        return [
            dual._is_view(),
            dual._base is x,
            dual.data_ptr() == x.data_ptr(),
            found is tangent,
            primal._is_view(),
            forward_ad.unpack_dual(x).tangent,
            forward_ad.unpack_dual(primal).tangent,
            forward_ad.unpack_dual(primal[1:]).tangent,
        ]


def tangents_take_the_layout_of_the_primal(torch):
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        across = torch.arange(6.0).view(3, 2).t()
        straight = torch.arange(6.0).view(2, 3)
        found = []
        for x, tangent in ((torch.ones(2, 3), across), (torch.ones(3, 2).t(), straight)):
            kept = forward_ad.unpack_dual(forward_ad.make_dual(x, tangent)).tangent
            found.append([kept, kept.stride(), kept.data_ptr() == tangent.data_ptr()])
        return found


def unpacking_gives_a_named_tuple(torch):
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        unpacked = forward_ad.unpack_dual(_dual(torch, 1.0, 2.0))
        return [type(unpacked).__name__, unpacked._fields, unpacked]


def duals_print_their_tangents(torch):
    with torch.autograd.forward_ad.dual_level():
        pair = _dual(torch, [1.0, 2.0], [3.0, 4.0])
        return [str(pair), str(_dual(torch, 1.0, 2.0) * 2), str(pair.requires_grad_())]


def the_mode_can_be_switched_off(torch):
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        dual = _dual(torch, 1.0, 2.0)
        with forward_ad._set_fwd_grad_enabled(False):
            off = forward_ad._is_fwd_grad_enabled()
            product, unpacked = dual * 3, forward_ad.unpack_dual(dual)
        return [
            off,
            forward_ad._is_fwd_grad_enabled(),
            unpacked,
            forward_ad.unpack_dual(product).tangent,
        ]


def arguments_of_another_kind(torch):
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        return [
            outcome(lambda: forward_ad.make_dual(1.0, 2.0)),
            outcome(lambda: forward_ad.unpack_dual(1.0)),
        ]


def duals_refuse_what_would_lose_their_tangents(torch):
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(torch.ones(2), torch.ones(2))
        plain = torch.ones(2)
        return [
            outcome(lambda: forward_ad.unpack_dual(dual, level=5)),
            outcome(lambda: (dual * 2).resize_(3)),
            outcome(lambda: torch.add(dual, 1, out=plain)),
            outcome(lambda: torch.mul(plain, 2, out=dual)),
            plain.resize_(3).shape,
        ]


def jvp_finds_nothing_that_was_saved_for_backward(torch):
    forward_ad, seen = torch.autograd.forward_ad, []

    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            seen.append(len(ctx.saved_tensors))
            return g * 2

        @staticmethod
        def jvp(ctx, dx):
            seen.append(len(ctx.saved_tensors))
            return dx * 2

    with forward_ad.dual_level():
        x = torch.ones(2, requires_grad=True)
        y = Twice.apply(forward_ad.make_dual(x, torch.ones(2)))
        seen.append(forward_ad.unpack_dual(y).tangent.tolist())
        y.sum().backward()
    return seen, x.grad


def tangents_of_gradients_that_leaves_share_and_add_up(torch):
    forward_ad, seen = torch.autograd.forward_ad, []
    for values in ([2.0, 3.0], 2.0):
        leaves = [torch.tensor(values, requires_grad=True) for _ in range(2)]
        with forward_ad.dual_level():
            scale = _dual(torch, values, values)
            for _ in range(2):
                (sum(leaves) * scale).sum().backward()
                seen.append([forward_ad.unpack_dual(leaf.grad) for leaf in leaves])
        seen.append([leaf.grad._version for leaf in leaves])
    return seen


def in_inference_mode(torch):
    forward_ad = torch.autograd.forward_ad
    with torch.inference_mode():
        made = torch.tensor([1.0, 2.0])
    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.eye(2), torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        of_made = forward_ad.make_dual(made, made), forward_ad.make_dual(made, made.clone())
        with torch.inference_mode():
            again = forward_ad.make_dual(x, torch.ones(2, 2))
            x.t_()
            plain = torch.tensor([1.0, 2.0])
            plain[plain > 1] = 0.0
        return [[forward_ad.unpack_dual(each) for each in (*of_made, again, x)], plain]


def unpacking_at_a_level(torch):
    forward_ad, x = torch.autograd.forward_ad, torch.tensor(1.0)
    results = [forward_ad.unpack_dual(x, level=level) for level in (-1, 0, 1)]
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, x.clone())
        results += [forward_ad.unpack_dual(dual, level=level) for level in (-1, 0, None)]
        return [results, outcome(lambda: forward_ad.unpack_dual(dual, level=1))]


def views_and_duals_made_while_the_mode_is_off(torch):
    forward_ad, x = torch.autograd.forward_ad, torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    with forward_ad.dual_level():
        dual = _dual(torch, [[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]])
        with forward_ad._set_fwd_grad_enabled(False):
            views = [dual.t(), dual[0], dual.view(-1), *dual.unbind(), dual.detach()]
            others = [dual * 2, dual.clone(), dual[[0]]]
            duals = [forward_ad.make_dual(x, x * 9), forward_ad.make_dual(dual, x * 3)]
            off = [forward_ad.unpack_dual(each) for each in (dual, *views, *duals)]
        on = [forward_ad.unpack_dual(each) for each in (dual, *views, *others, *duals)]
        return [off, on, forward_ad.unpack_dual(forward_ad.unpack_dual(dual).primal)]


def views_of_a_primal_have_no_tangent(torch):
    forward_ad = torch.autograd.forward_ad
    views = (
        lambda x: x.view(-1),
        lambda x: x[0],
        lambda x: x.t(),
        lambda x: x.unbind()[1],
        lambda x: x.chunk(2)[1],
        lambda x: x.expand(2, 2, 2),
        lambda x: x.view(-1)[1:],
        lambda x: x.detach(),
        lambda x: forward_ad.unpack_dual(x).primal[0],
    )
    with forward_ad.dual_level():
        x = torch.ones(2, 2)
        x.copy_(forward_ad.make_dual(torch.full((2, 2), 3.0), torch.full((2, 2), 5.0)))
        primal = forward_ad.unpack_dual(x).primal
        seen = [forward_ad.unpack_dual(view(primal)).tangent for view in views]
        primal.view(-1).mul_(2)
        return [seen, *forward_ad.unpack_dual(x), forward_ad.unpack_dual(x[0]).tangent]


def tangents_written_into_parts_of_a_primal(torch):
    forward_ad, seen = torch.autograd.forward_ad, []
    for start in (torch.clone, lambda dual: torch.ones(2, 2).copy_(dual), lambda dual: dual[:]):
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(torch.full((2, 2), 3.0), torch.full((2, 2), 5.0))
            x = start(dual)
            primal = forward_ad.unpack_dual(x).primal
            before, row = primal.view(-1), primal[0]
            row.mul_(dual[1])
            shown = x, primal, before, row, primal.t(), primal.unbind()[1]
            seen.append([[*forward_ad.unpack_dual(each)] for each in shown])
    return seen


def a_primal_returned_as_it_is(torch):
    class WithSum(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x, x + y

        @staticmethod
        def jvp(ctx, x_t, y_t):
            return x_t.view_as(x_t), x_t + y_t

    forward_ad, seen = torch.autograd.forward_ad, []
    for order in (lambda x, dual, primal: (primal, dual), lambda x, dual, primal: (x, primal)):
        with forward_ad.dual_level():
            x = torch.ones(2)
            dual = forward_ad.make_dual(x, torch.full((2,), 5.0))
            primal = forward_ad.unpack_dual(dual).primal
            results = WithSum.apply(*order(x, dual, primal))
            seen.append([forward_ad.unpack_dual(each).tangent for each in (x, primal, *results)])


def gradients_of_a_tangent_depend_on_no_tangent(torch):
    """What computes a tangent sees primals: its gradients may be tangents at the same level."""
    functions = {
        "cube": lambda x: x**3,
        "twice": lambda x: x * x * x,
        "sin": lambda x: x.sin() * x,
        "exp": lambda x: x.exp(),
        "where": lambda x: torch.where(x > 1, x * x, x),
        "mm": lambda x: torch.outer(x, x) @ x,
        "prod": lambda x: x.prod(),
    }
    forward_ad, seen = torch.autograd.forward_ad, {}
    for name, function in functions.items():
        with forward_ad.dual_level():
            x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
            dual = forward_ad.make_dual(x, torch.tensor([1.0, 3.0], dtype=torch.float64))
            tangent = forward_ad.unpack_dual(function(dual)).tangent
            (grad,) = torch.autograd.grad(tangent.sum(), x, create_graph=True)
            halves = forward_ad.unpack_dual(grad)
            shown = [None if half is None else _rounded(half) for half in halves]
            made = outcome(lambda x=x, grad=grad: forward_ad.make_dual(x * 1, grad).detach())
            seen[name] = [shown, made]
    return seen


def levels_of_tensors_that_are_not_dual(torch):
    forward_ad = torch.autograd.forward_ad
    plain = torch.ones(2)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(plain, plain * 2)
        return [
            outcome(lambda each=each, level=level: forward_ad.unpack_dual(each, level=level))
            for each in (plain, dual)
            for level in (0, 1, 3)
        ]

"""Custom Functions in forward mode: jvp, what it gets, what it must not return."""

from tests.parity.harness import outcome


def _function(torch, forward, **methods):
    members = {"forward": staticmethod(forward)}
    members |= {name: staticmethod(method) for name, method in methods.items()}
    return type("Mine", (torch.autograd.Function,), members)


def _applied(torch, function, *args):
    """What `function` makes of the dual numbers 2 + 1e, 3 + 10e."""
    forward_ad = torch.autograd.forward_ad
    x = forward_ad.make_dual(torch.tensor([2.0, 3.0]), torch.tensor([1.0, 10.0]))
    result = function.apply(x, *args)
    several = isinstance(result, tuple)
    return [forward_ad.unpack_dual(each) for each in (result if several else (result,))]


def _square(ctx, x):
    ctx.save_for_forward(x)
    return x * x


def _slope(ctx, dx):
    (x,) = ctx.saved_tensors
    return 2 * x * dx


def jvp_gives_the_tangent(torch):
    with torch.autograd.forward_ad.dual_level():
        return _applied(torch, _function(torch, _square, jvp=_slope))


def jvp_with_setup_context(torch):
    def setup(ctx, inputs, output):
        ctx.save_for_forward(*inputs)

    function = _function(torch, lambda x: x * x, setup_context=setup, jvp=_slope)
    with torch.autograd.forward_ad.dual_level():
        return _applied(torch, function)


def jvp_is_missing(torch):
    with torch.autograd.forward_ad.dual_level():
        return outcome(lambda: _applied(torch, _function(torch, _square)))


def jvp_is_not_called_without_tangents(torch):
    with torch.autograd.forward_ad.dual_level():
        return _function(torch, _square).apply(torch.tensor(3.0))


def saving_for_forward_and_for_backward_differ(torch):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_forward(x * 10)
        return x * x

    def jvp(ctx, dx):
        return ctx.saved_tensors[0] * dx

    def backward(ctx, g):
        return ctx.saved_tensors[0] * g

    function = _function(torch, forward, jvp=jvp, backward=backward)
    forward_ad = torch.autograd.forward_ad
    x = torch.tensor(2.0, requires_grad=True)
    with forward_ad.dual_level():
        y = function.apply(forward_ad.make_dual(x, torch.tensor(1.0)))
        (gradient,) = torch.autograd.grad(y, x)
        return [forward_ad.unpack_dual(y), gradient]


def saving_for_backward_only(torch):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    with torch.autograd.forward_ad.dual_level():
        function = _function(torch, forward, jvp=lambda ctx, dx: len(ctx.saved_tensors) * dx)
        return _applied(torch, function)


def saving_an_output_for_forward(torch):
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_forward(y)
        return y

    function = _function(torch, forward, jvp=lambda ctx, dx: ctx.saved_tensors[0] * dx)
    with torch.autograd.forward_ad.dual_level():
        return _applied(torch, function)


def saving_a_number_for_forward(torch):
    def forward(ctx, x):
        ctx.save_for_forward(3)
        return x * 1

    return outcome(lambda: _function(torch, forward).apply(torch.tensor(1.0)))


def tangents_are_materialized(torch):
    seen = []

    def jvp(ctx, dx, dy, dn, ds, di):
        seen.append([dx, dy, dn, ds, di])
        return dx

    function = _function(torch, lambda ctx, x, y, n, s, i: x * y, jvp=jvp)
    with torch.autograd.forward_ad.dual_level():
        result = _applied(torch, function, torch.tensor([1.0, 2.0]), 3, "s", torch.tensor([1, 2]))
    return [result, seen]


def materialized_tangents_lie_as_the_input_does(torch):
    seen = []

    def jvp(ctx, dx, *others):
        seen.append([each.stride() for each in others])
        return dx

    function = _function(torch, lambda ctx, x, *others: x * 1, jvp=jvp)
    others = torch.ones(3, 2).t(), torch.ones(4, 6)[::2, ::2], torch.ones(2, 3, 4).permute(2, 0, 1)
    with torch.autograd.forward_ad.dual_level():
        _applied(torch, function, *others, torch.ones(3).expand(2, 3))
    return seen


def tangents_are_not_materialized_on_demand(torch):
    seen = []

    def forward(ctx, x, y):
        ctx.set_materialize_grads(False)
        return x * y

    def jvp(ctx, dx, dy):
        seen.append([dx, dy])
        return dx

    with torch.autograd.forward_ad.dual_level():
        function = _function(torch, forward, jvp=jvp)
        return [_applied(torch, function, torch.tensor([1.0, 2.0])), seen]


def modes_inside(torch):
    forward_ad = torch.autograd.forward_ad
    seen = []

    def forward(ctx, x):
        y = x * x
        seen.append([forward_ad.unpack_dual(x).tangent, forward_ad.unpack_dual(y).tangent])
        seen.append([forward_ad._is_fwd_grad_enabled(), torch.is_grad_enabled()])
        return y

    def jvp(ctx, dx):
        seen.append([forward_ad._is_fwd_grad_enabled(), torch.is_grad_enabled()])
        return dx

    with forward_ad.dual_level():
        result = _applied(torch, _function(torch, forward, jvp=jvp))
        return [result, seen, forward_ad._is_fwd_grad_enabled()]


def modes_that_are_set_inside(torch):
    seen = []

    def tangents(*tensors):
        return [torch.autograd.forward_ad.unpack_dual(each).tangent for each in tensors]

    def forward(ctx, x):
        for guard in (
            torch.enable_grad(),
            torch.no_grad(),
            torch.inference_mode(),
            torch.inference_mode(False),
        ):
            with guard:
                y = x * x
                seen.append([tangents(x, y), y.requires_grad, y.is_inference()])
        torch.set_grad_enabled(True)
        seen.append([tangents(x * x), torch.is_grad_enabled()])
        return x * x

    with torch.autograd.forward_ad.dual_level():
        result = _applied(torch, _function(torch, forward, jvp=lambda ctx, dx: dx))
        return [result, seen, torch.is_grad_enabled()]


def modes_inside_under_no_grad(torch):
    seen = []

    def jvp(ctx, dx):
        seen.append(torch.is_grad_enabled())
        return 2 * dx

    with torch.autograd.forward_ad.dual_level(), torch.no_grad():
        return [_applied(torch, _function(torch, _square, jvp=jvp)), seen]


def wrong_numbers_of_tangents(torch):
    more = _function(torch, _square, jvp=lambda ctx, dx: (dx, dx))
    fewer = _function(torch, lambda ctx, x: (x * 1, x * 2), jvp=lambda ctx, dx: dx)
    beside_a_number = _function(torch, lambda ctx, x: (x * 1, 5), jvp=lambda ctx, dx: (dx,))
    with torch.autograd.forward_ad.dual_level():
        return [
            outcome(lambda each=each: _applied(torch, each))
            for each in (more, fewer, beside_a_number)
        ]


def wrong_kinds_of_tangents(torch):
    results = (torch.ones(3), 1.0, [torch.ones(2)], torch.ones(2, dtype=torch.float64))
    functions = [
        _function(torch, _square, jvp=lambda ctx, dx, result=result: result) for result in results
    ]
    with torch.autograd.forward_ad.dual_level():
        return [outcome(lambda each=each: _applied(torch, each)) for each in functions]


def outputs_without_tangents(torch):
    def forward(ctx, x):
        note = x * 2
        ctx.mark_non_differentiable(note)
        return x * 1, x > 2, note

    silent = _function(torch, forward, jvp=lambda ctx, dx: (dx, None, None))
    first = _function(torch, forward, jvp=lambda ctx, dx: (dx, dx, None))
    second = _function(torch, forward, jvp=lambda ctx, dx: (dx, None, dx))
    with torch.autograd.forward_ad.dual_level():
        return [
            outcome(lambda each=each: _applied(torch, each)) for each in (silent, first, second)
        ]


def outputs_that_are_no_tensors(torch):
    function = _function(
        torch, lambda ctx, x: (x * 1, 5, None), jvp=lambda ctx, dx: (dx, None, None)
    )
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.tensor(2.0), torch.tensor(1.0))
        first, *others = function.apply(x)
        return [forward_ad.unpack_dual(first), others]


def _double_in_place(ctx, x):
    ctx.mark_dirty(x)
    return x.mul_(2)


def changes_in_place_change_the_tangent_in_place(torch):
    forward_ad = torch.autograd.forward_ad
    function = _function(torch, _double_in_place, jvp=lambda ctx, dx: dx.mul_(2))
    with forward_ad.dual_level():
        base = forward_ad.make_dual(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
        part = base[:1]
        result = function.apply(part)
        return [result is part, forward_ad.unpack_dual(part), forward_ad.unpack_dual(base)]


def changes_in_place_with_a_new_tangent(torch):
    new = _function(torch, _double_in_place, jvp=lambda ctx, dx: dx * 2)
    same = _function(torch, _double_in_place, jvp=lambda ctx, dx: dx)
    with torch.autograd.forward_ad.dual_level():
        return [outcome(lambda each=each: _applied(torch, each)) for each in (new, same)]


def views_need_views(torch):
    def column(ctx, x):
        return x.view(2, 1)

    def as_it_is(ctx, x):
        return x

    functions = (
        _function(torch, column, jvp=lambda ctx, dx: dx.view(2, 1)),
        _function(torch, column, jvp=lambda ctx, dx: dx.view(2, 1) * 1),
        _function(torch, as_it_is, jvp=lambda ctx, dx: dx),
        _function(torch, as_it_is, jvp=lambda ctx, dx: dx.view_as(dx)),
    )
    with torch.autograd.forward_ad.dual_level():
        return [outcome(lambda each=each: _applied(torch, each)) for each in functions]


def errors_in_jvp_leave_the_mode_as_it_was(torch):
    def jvp(ctx, dx):
        raise ValueError("mine")

    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        failed = outcome(lambda: _applied(torch, _function(torch, _square, jvp=jvp)))
        return [failed, _applied(torch, _function(torch, _square, jvp=_slope))]


def backward_through_jvp(torch):
    forward_ad = torch.autograd.forward_ad
    function = _function(torch, _square, jvp=_slope, backward=lambda ctx, g: 7 * g)
    x = torch.tensor(2.0, requires_grad=True)
    direction = torch.tensor(1.0, requires_grad=True)
    with forward_ad.dual_level():
        y = function.apply(forward_ad.make_dual(x, direction))
        primal, tangent = forward_ad.unpack_dual(y)
        first = torch.autograd.grad(tangent, [x, direction])
        return [first, torch.autograd.grad(primal, x)]


def jvp_through_backward(torch):
    forward_ad = torch.autograd.forward_ad

    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)
        return x * x

    def backward(ctx, g):
        return 2 * ctx.saved_tensors[0] * g

    function = _function(torch, forward, jvp=_slope, backward=backward)
    x = torch.tensor(3.0, requires_grad=True)
    with forward_ad.dual_level():
        y = function.apply(forward_ad.make_dual(x, torch.tensor(1.0)))
        (gradient,) = torch.autograd.grad(y, x)
        return forward_ad.unpack_dual(gradient)


def a_view_of_the_whole_has_a_tangent_of_its_own(torch):
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        tangent = torch.tensor([1.0, 10.0], requires_grad=True)
        x = forward_ad.make_dual(torch.tensor([2.0, 3.0], requires_grad=True), tangent)
        view = forward_ad.unpack_dual(x.view_as(x)).tangent
        primal = forward_ad.unpack_dual(x).primal
        return [view, view._is_view(), view is tangent, primal.grad_fn.name()]


def a_tangent_changed_by_jvp_is_changed_once(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    forward_ad = torch.autograd.forward_ad
    double = _function(torch, forward, jvp=lambda ctx, dx: dx.mul_(2))
    with forward_ad.dual_level():
        tangent = torch.tensor([1.0, 10.0])
        x = forward_ad.make_dual(torch.tensor([2.0, 3.0]), tangent)
        double.apply(x)
        return [forward_ad.unpack_dual(x).tangent, tangent, tangent._version]


def an_input_saved_for_forward_is_returned(torch):
    class Passes(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_forward(*inputs)

    return outcome(lambda: Passes.apply(torch.ones(2, requires_grad=True)))


def a_new_tensor_marked_dirty(torch):
    def forward(ctx, x):
        z = x * 2
        ctx.mark_dirty(z)
        return z

    functions = [
        _function(torch, forward, jvp=jvp) for jvp in (lambda ctx, dx: 2 * dx, lambda ctx, dx: None)
    ]
    with torch.autograd.forward_ad.dual_level():
        refused = [outcome(lambda each=each: _applied(torch, each)) for each in functions]
        return [refused, functions[0].apply(torch.ones(1))]

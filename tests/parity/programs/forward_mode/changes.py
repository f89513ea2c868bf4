"""autograd.forward_ad: changes in place, and Functions that return their inputs, in every mode."""

from tests.parity.harness import outcome, plain


def _unpack(torch, tensor):
    return torch.autograd.forward_ad.unpack_dual(tensor)


def _dual(torch, requires_grad=False):
    primal = torch.tensor([1.0, 2.0], requires_grad=requires_grad) * 1
    return torch.autograd.forward_ad.make_dual(primal, torch.tensor([3.0, 4.0]))


_CHANGES = {
    "zero_": lambda x: x.zero_(),
    "mul_": lambda x: x.mul_(2),
    "add_ itself": lambda x: x.add_(x),
    "pow_": lambda x: x.pow_(3),
    "assignment": lambda x: x.__setitem__(0, 5.0),
    "sqrt_": lambda x: x.sqrt_(),
}


def _changed_in(torch, mode):
    seen = {}
    for name, change in _CHANGES.items():
        for requires_grad in (False, True):
            with torch.autograd.forward_ad.dual_level():
                x = _dual(torch, requires_grad)
                view = x.view(2, 1)
                with mode():
                    change(x)
                halves = [_unpack(torch, x), outcome(lambda view=view: _unpack(torch, view))]
                seen[f"{name} {requires_grad}"] = plain(halves)
    return seen


def changes_without_grad_mode_reach_the_tangent(torch):
    return _changed_in(torch, torch.no_grad)


def changes_in_grad_mode_reach_the_tangent(torch):
    return _changed_in(torch, torch.enable_grad)


class _Material:
    def __init__(self, torch):
        class Doubled(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.mark_dirty(x)
                return x.mul_(2)

            @staticmethod
            def jvp(ctx, tangent):
                return tangent.mul_(2)

        self.doubled = Doubled


def a_function_in_place_without_grad_mode_reaches_the_tangent(torch):
    with torch.autograd.forward_ad.dual_level():
        x = _dual(torch, requires_grad=True)
        with torch.no_grad():
            _Material(torch).doubled.apply(x)
        return _unpack(torch, x)


def what_an_in_place_operator_saves_is_what_backward_needs(torch):
    x, y = torch.ones(2, requires_grad=True), torch.ones(2)
    with torch.autograd.forward_ad.dual_level():
        y.mul_(x)
    with torch.no_grad():
        x.zero_()
    y.sum().backward()
    return x.grad


def saved_tensor_hooks_are_not_asked_for_tangents(torch):
    x, packed = torch.ones(2, requires_grad=True), []
    hooks = torch.autograd.graph.saved_tensors_hooks(lambda t: packed.append(1) or t, lambda t: t)
    with torch.autograd.forward_ad.dual_level(), hooks:
        z = _dual(torch)
        [z * x, z.exp(), (x * 1).mul_(z)]
    return len(packed)


def inference_tensors_take_part_in_forward_mode(torch):
    with torch.inference_mode():
        i = torch.full((2,), 2.0)
    seen = []
    with torch.autograd.forward_ad.dual_level():
        z = _dual(torch)
        for compute in (
            lambda: z * i,
            lambda: i / z,
            lambda: z @ i,
            lambda: i.exp(),
            lambda: torch.where(z > 1, z, i),
            lambda: z.clone().mul_(i),
        ):
            outside = compute()
            with torch.inference_mode():
                inside = compute()
            seen.append([_unpack(torch, outside), inside, inside.is_inference()])
            seen.append(_unpack(torch, inside))
    return seen


def _returning_an_input(torch, give):
    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * y, y

        @staticmethod
        def jvp(ctx, dx, dy):
            return dx, give(dy)

    return Function


def an_input_returned_as_it_is_needs_a_view_of_its_tangent(torch):
    seen = []
    for give in (
        lambda t: t,
        lambda t: t.view_as(t),
        lambda t: t.clone().view_as(t),
        lambda t: t * 1,
    ):
        function = _returning_an_input(torch, give)
        with torch.autograd.forward_ad.dual_level():
            x, z = _dual(torch), torch.ones(2)
            seen.append(outcome(lambda: [_unpack(torch, each) for each in function.apply(z, x)]))  # noqa: B023
    return seen


def an_input_without_tangent_that_is_returned_gets_one(torch):
    function = _returning_an_input(torch, lambda t: t + 5)
    with torch.autograd.forward_ad.dual_level():
        whole = torch.ones(4)
        outputs = function.apply(_dual(torch), whole[1:3])
        return [_unpack(torch, each) for each in (*outputs, whole)]


def of_two_inputs_with_one_base_the_last_counts(torch):
    function = _returning_an_input(torch, lambda t: t)
    with torch.autograd.forward_ad.dual_level():
        primal = torch.ones(2)
        dual = torch.autograd.forward_ad.make_dual(primal, torch.full((2,), 3.0))
        seen = [outcome(lambda: function.apply(primal, dual))]
        primal = torch.ones(2)
        dual = torch.autograd.forward_ad.make_dual(primal, torch.full((2,), 3.0))
        outputs = function.apply(dual, primal.view(2))
        return [*seen, *[_unpack(torch, each) for each in outputs]]


def the_first_tangent_of_a_tensor_is_the_one_that_a_change_gives(torch):
    forward_ad, seen = torch.autograd.forward_ad, []
    for change in (
        lambda x, y: x.add_(y),
        lambda x, y: x.copy_(y),
        lambda x, y: x.t_().add_(y),
        lambda x, y: x[0].mul_(y[0]),
        lambda x, y: x.atan2_(y),
    ):
        with forward_ad.dual_level():
            tangent = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
            y = forward_ad.make_dual(torch.tensor([[2.0, 3.0], [4.0, 5.0]]), tangent)
            x = torch.ones(2, 2)
            before, told = x.view(4), outcome(lambda: change(x, y))  # noqa: B023
            seen.append([told, *[forward_ad.unpack_dual(each) for each in (x, before, x[1])]])
    return seen


def jvp_in_place_returns_what_it_was_given(torch):
    def function(give):
        class Function(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.mark_dirty(x)
                return x.mul_(2)

            @staticmethod
            def jvp(ctx, tangent):
                return give(tangent)

        return Function

    seen = []
    for give in (
        lambda t: t.mul_(2),
        lambda t: t.mul_(2).view_as(t),
        lambda t: (t * 2).mul_(1),
        lambda t: t * 2,
        lambda t: t,
    ):
        with torch.autograd.forward_ad.dual_level():
            x = _dual(torch)
            told = outcome(lambda: function(give).apply(x))  # noqa: B023
            seen.append([told, _unpack(torch, x)])
    return seen


def what_has_no_derivative_says_so(torch):
    with torch.autograd.forward_ad.dual_level():
        x = _dual(torch)
        at = torch.tensor([0, 0])
        refused = [
            outcome(call)
            for call in (
                lambda: x // 2,
                lambda: 2 % x,
                lambda: x.clone().floor_divide_(2),
                lambda: x.scatter(0, at, 2.0, reduce="add"),
                lambda: x.clone().set_(torch.ones(2)),
            )
        ]
        return [
            *refused,
            x.clone().logical_not_(),
            torch.div(x, x.view(2, 1), rounding_mode="floor"),
        ]


def whole_numbers_are_written_into_a_dual_tensor(torch):
    whole = torch.tensor([4, 5])

    def part(x):
        x[0] = torch.tensor(7)

    changes = (lambda x: x.copy_(whole), part, lambda x: x.fill_(torch.tensor(2)))
    unpacked = []
    for change in changes:
        with torch.autograd.forward_ad.dual_level():
            x = torch.autograd.forward_ad.make_dual(torch.ones(2), torch.full((2,), 3.0))
            change(x)
            unpacked.append(torch.autograd.forward_ad.unpack_dual(x))
    return unpacked


def filling_an_expanded_tensor_fills_its_tangent(torch):
    changes = {
        "zero_": lambda x: x.zero_(),
        "fill_": lambda x: x.fill_(5),
        "fill_ with a dual": lambda x: x.fill_(_dual(torch)[1]),
    }
    seen = {}
    for name, change in changes.items():
        with torch.autograd.forward_ad.dual_level():
            x = _dual(torch)
            expanded = x.expand(3, 2)
            told = outcome(lambda change=change, x=expanded: change(x))
            seen[name] = plain([told, _unpack(torch, x), _unpack(torch, expanded)])
    return seen


def a_tangent_that_is_laid_anew_has_the_dtype_of_its_tensor(torch):
    def laid(tensor, tangent):
        made = torch.autograd.forward_ad.make_dual(tensor, tangent)
        return [made.stride(), _unpack(torch, made).tangent]

    def copied(shape):
        number = torch.ones(shape, dtype=torch.float64)
        into = torch.zeros(2, 3)
        into.copy_(torch.autograd.forward_ad.make_dual(number, number * 2))
        return _unpack(torch, into)

    double = torch.ones(2, 3, dtype=torch.float64)
    with torch.autograd.forward_ad.dual_level():
        return [
            laid(torch.zeros(2, 3), double),
            laid(torch.zeros(3, 2).t(), double),
            laid(torch.zeros(2, 3), double.t().contiguous().t()),
            laid(torch.zeros(2, 3), double[:1].expand(2, 3)),
            *[copied(shape) for shape in ((2, 3), (3,), (1, 3), ())],
        ]


def by_a_dual_where_nothing_is_recorded(torch):
    changes = {
        "add_": lambda x, dual: x.add_(dual),
        "copy_": lambda x, dual: x.copy_(dual),
        "a row": lambda x, dual: x[0].mul_(dual[0]),
        "an item": lambda x, dual: x.__setitem__(0, dual[1]),
    }
    seen = {}
    for name, change in changes.items():
        for requires_grad in (False, True):
            x = torch.ones(2, 2, requires_grad=requires_grad) * 3
            with torch.autograd.forward_ad.dual_level(), torch.no_grad():
                dual = torch.autograd.forward_ad.make_dual(torch.ones(2, 2), torch.ones(2, 2))
                change(x, dual)
                seen[f"{name} {requires_grad}"] = plain(_unpack(torch, x))
    return seen


def changed_again_after_a_dual_came_in(torch):
    forward_ad, at = torch.autograd.forward_ad, torch.tensor([1, 0])
    first = {
        "add_": lambda x, dual: x.add_(dual),
        "scatter_add_": lambda x, dual: x.scatter_add_(0, at[:, None], dual),
        "index_copy_": lambda x, dual: x.index_copy_(0, at, dual),
        "clamp_": lambda x, dual: x.clamp_(dual, dual + 1),
        "masked_fill_": lambda x, dual: x.masked_fill_(x > 2, dual.sum()),
        "addmm_": lambda x, dual: x.addmm_(dual, dual),
        "lt_": lambda x, dual: x.lt_(dual),
    }
    second = (torch.Tensor.exp_, torch.Tensor.floor_, lambda x: x.add_(x), lambda x: x.mul_(2))
    seen = {}
    for name, change in first.items():
        for again in second:
            for requires_grad in (False, True):
                with forward_ad.dual_level():
                    x = torch.full((2, 2), 2.5, requires_grad=requires_grad) * 1
                    dual = forward_ad.make_dual(torch.full((2, 2), 0.7), torch.full((2, 2), 3.0))
                    change(x, dual)
                    again(x)
                    tangent = forward_ad.unpack_dual(x).tangent
                    seen.setdefault(name, []).append(tangent)
    return seen


def a_change_whose_tangent_cannot_be_changed(torch):
    """The tangent is a leaf that requires grad, so that the change is left half done."""
    forward_ad, seen = torch.autograd.forward_ad, []
    changes = {
        "addcmul_": lambda x, w: x.addcmul_(x, w),
        "mul_": lambda x, w: x.mul_(w),
        "addcdiv_": lambda x, w: x.addcdiv_(x, w),
    }
    for name, change in changes.items():
        w = torch.tensor(2.0, requires_grad=True)
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(torch.ones(2), torch.ones(2, requires_grad=True))
            told = outcome(lambda change=change, x=dual, w=w: change(x, w))
        seen.append([name, told, dual.requires_grad, outcome(dual.sum().backward), w.grad])
    return seen


def unrecorded_changes_of_a_view_out_of_date(torch):
    changes = {
        **_CHANGES,
        "cos_": lambda x: x.cos_(),
        "cumsum_": lambda x: x.cumsum_(0),
        "masked_fill_": lambda x: x.masked_fill_(x > 1, 0.5),
    }
    seen = {}
    for name, change in changes.items():
        leaf = torch.tensor([1.0, 2.0], requires_grad=True)
        with torch.autograd.forward_ad.dual_level(), torch.no_grad():
            view = leaf.view(2)
            leaf.add_(1)
            seen[name] = [outcome(lambda: change(view) is view), leaf.detach(), leaf._version]  # noqa: B023
    return seen


def a_saved_view_that_was_changed_has_its_tangent(torch):
    """Each gradient has the tangent that a second derivative times a vector is."""
    forward_ad = torch.autograd.forward_ad

    class Exponential(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x.exp_())
            ctx.save_for_backward(x)
            return x

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

        @staticmethod
        def jvp(ctx, tangent):
            return tangent.mul_(2)

    starts = [
        lambda leaf, tangent: forward_ad.make_dual(leaf * 1, tangent),
        lambda leaf, tangent: forward_ad.make_dual(leaf, tangent) * 1,
        lambda leaf, tangent: (forward_ad.make_dual(leaf, tangent) * 1)[1:],
    ]
    changes = [Exponential.apply, torch.exp_, torch.tanh_, torch.sigmoid_]
    seen = []
    with forward_ad.dual_level():
        for start in starts:
            for change in changes:
                leaf = torch.tensor([1.0, 2.0], requires_grad=True)
                end = change(start(leaf, torch.tensor([1.0, 10.0])))
                (grad,) = torch.autograd.grad(end.sum(), leaf)
                seen.append(plain([*_unpack(torch, end), *_unpack(torch, grad)]))
    return seen

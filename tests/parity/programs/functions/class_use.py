"""The class of a custom Function: used in ways of old, by hand, and what it can be told."""

import copy
import pickle

from tests.parity.function_material import square_function
from tests.parity.harness import outcome, plain, warned


def _leaf(torch, *values):
    return torch.tensor(list(values) or [1.0, 2.0], requires_grad=True)


def legacy_use_is_refused(torch):
    square = square_function(torch)
    x = _leaf(torch)
    made = []
    warnings = warned(lambda: made.append(square()))
    return [
        len(warnings),
        warnings[0].partition("<")[0],
        warnings[0].rpartition(">")[2],
        outcome(lambda: made[0](x)),
        outcome(lambda: made[0].apply(x)),
        outcome(lambda: made[0].forward(made[0], x)),
        outcome(lambda: square(1, a=2) is None),
        outcome(lambda: torch.autograd.Function.apply(x)),
        outcome(lambda: square.apply(x).grad_fn()),
    ]


def an_instance_is_a_context_too(torch):
    function = square_function(torch)()
    x = _leaf(torch)
    y = function.forward(function, x)
    return [
        [t.tolist() for t in function.to_save],
        y,
        isinstance(function, torch.autograd.function.FunctionCtx),
    ]


def a_ctx_made_by_hand(torch):
    class Ctx(torch.autograd.function.FunctionCtx):
        pass

    ctx, x = Ctx(), _leaf(torch)
    ctx.save_for_backward(x, None)
    ctx.save_for_forward(x)
    ctx.mark_dirty(x)
    ctx.mark_non_differentiable(x)
    ctx.set_materialize_grads(False)
    ctx.note = 3
    return {name: plain(value) for name, value in vars(ctx).items()}


def forward_called_by_hand(torch):
    square = square_function(torch)
    ctx = torch.autograd.function.FunctionCtx()
    x = _leaf(torch)
    y = square.forward(ctx, x)
    return [y, [t is x for t in ctx.to_save]]


def nodes_are_not_copied(torch):
    y = square_function(torch).apply(_leaf(torch))
    return [
        outcome(lambda: pickle.dumps(y.grad_fn))["raises"] != "",
        outcome(lambda: copy.deepcopy(y))["says"][:60],
        copy.copy(y).grad_fn is y.grad_fn,
    ]


def the_class_itself_is_pickled_by_name(torch):
    again = pickle.loads(pickle.dumps(torch.autograd.Function))
    return again is torch.autograd.Function


def without_arguments(torch):
    class Nothing(torch.autograd.Function):
        @staticmethod
        def forward(ctx):
            seen.append([ctx.needs_input_grad, ctx.next_functions])
            return torch.ones(2)

        @staticmethod
        def backward(ctx, g):
            return None

    seen = []
    y = Nothing.apply()
    return [y, y.is_leaf, seen]


def without_tensors(torch):
    class Full(torch.autograd.Function):
        @staticmethod
        def forward(ctx, size, value):
            seen.append(ctx.needs_input_grad)
            return torch.full((size,), value)

    seen = []
    return [Full.apply(2, 1.5), seen]


def flags_for_vmap(torch):
    function = torch.autograd.Function

    class Own(function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x):
            return x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def backward(ctx, g):
            return g * 2

        @staticmethod
        def vmap(info, in_dims, x):
            return x, 0

    return [
        function.generate_vmap_rule,
        function.clear_saved_tensors_on_access,
        function.boxed_grads_call,
        Own.generate_vmap_rule,
        Own.apply(_leaf(torch)),
        outcome(lambda: function.vmap(None, None)),
    ]


def grads_in_a_box(torch):
    class Boxed(torch.autograd.Function):
        boxed_grads_call = True

        @staticmethod
        def forward(ctx, x):
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, grads):
            seen.append([type(grads).__name__, plain(grads)])
            first = grads.pop(0)
            return first * 2 + grads.pop() * 3

    seen, x = [], _leaf(torch)
    a, _ = Boxed.apply(x)
    a.sum().backward()
    return [seen, x.grad]


def saved_tensors_given_once(torch):
    class Once(torch.autograd.Function):
        clear_saved_tensors_on_access = True

        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            seen.append(outcome(lambda: ctx.saved_tensors))
            return 2 * x * g

    seen, x = [], _leaf(torch)
    y = Once.apply(x)
    y.sum().backward(retain_graph=True)
    return [seen, x.grad, outcome(y.sum().backward)]


def in_place_functions_of_old(torch):
    old = torch.autograd.function.InplaceFunction
    made = []
    count = len(warned(lambda: made.append(old(True))))
    return [made[0].inplace, count, issubclass(old, torch.autograd.Function)]


def functions_of_nested_tuples_of_old(torch):
    class Square(torch.autograd.NestedIOFunction):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return g * 2 * ctx.saved_tensors[0]

    x = _leaf(torch)
    y = Square.apply(x)
    y.sum().backward()
    return [
        y,
        x.grad,
        torch.autograd.NestedIOFunction is torch.autograd.function.NestedIOFunction,
        issubclass(Square, torch.autograd.Function),
        outcome(lambda: Square.forward_extended(None, x)),
        outcome(lambda: Square.backward_extended(None, x)),
    ]


def jvp_without_forward_mode_is_not_called(torch):
    class Own(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def jvp(ctx, t):
            raise ValueError("not asked for")

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = _leaf(torch)
    Own.apply(x).sum().backward()
    return x.grad


def a_backward_lets_go_of_what_was_kept(torch):
    seen = []

    class Doubling(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            ctx.maybe_clear_saved_tensors()
            return x * 2

        @staticmethod
        def backward(ctx, g):
            before = ctx.saved_tensors
            ctx.maybe_clear_saved_tensors()
            seen.append([before, outcome(lambda: ctx.saved_tensors)])
            return g * 2

    y = Doubling.apply(torch.tensor(3.0, requires_grad=True))
    y.grad_fn.maybe_clear_saved_tensors()
    y.backward(retain_graph=True)
    return [seen, outcome(y.backward), outcome(y.backward)]


def names_of_ones_own(torch):
    class Scaled(torch.autograd.Function):
        @staticmethod
        def write(x, scale):
            return x.mul_(scale)

        @staticmethod
        def forward(ctx, x, scale):
            ctx.keep, ctx.slot, ctx.retain, ctx.release = x > 1, 1, 2, 3
            ctx.run_hooks, ctx.has_hooks, ctx.record_output, ctx.keep_saved = 4, False, 5, 6
            ctx.save_for_backward(x, scale)
            ctx.mark_dirty(x)
            return Scaled.write(x, 1) * 1 if scale is None else Scaled.write(x, scale)

        @staticmethod
        def backward(ctx, g):
            _, scale = ctx.saved_tensors
            return g * scale * ctx.keep + ctx.slot, None

    leaf, scale = _leaf(torch, 1.0, 2.0), torch.tensor(3.0)
    with torch.no_grad():
        unrecorded = Scaled.apply(_leaf(torch).detach(), scale)
    y = Scaled.apply(leaf * 1, scale)
    y.retain_grad()
    y.register_hook(lambda grad: grad * 2)
    node = y.grad_fn
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x * 1, lambda x: x):
        packed = Scaled.apply(leaf * 1, scale)
    (y + packed).sum().backward()
    return [unrecorded, y, y.grad, leaf.grad, node.keep, node.release, outcome(y.sum().backward)]

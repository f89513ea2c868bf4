"""Custom Functions in forward mode: outputs that are no tensors, and when outputs are saved."""

import importlib

from tests.parity.harness import outcome, plain


def _forward_ad(torch):
    return importlib.import_module(f"{torch.__name__}.autograd.forward_ad")


def _dual(torch):
    primal = torch.tensor([1.0, 2.0], requires_grad=True)
    return primal, _forward_ad(torch).make_dual(primal, torch.tensor([1.0, 10.0]))


def _tangents(torch, tensors):
    unpack = _forward_ad(torch).unpack_dual
    found = [unpack(each).tangent for each in tensors]
    return [None if each is None else plain(each.detach()) for each in found]


def tangents_of_what_is_no_tensor_are_ignored(torch):
    def attempt(outputs, tangents):
        class Own(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return outputs(x)

            @staticmethod
            def jvp(ctx, t):
                return tangents(t)

        with _forward_ad(torch).dual_level():
            return outcome(lambda: Own.apply(_dual(torch)[1]))

    outputs = [
        lambda x: 5,
        lambda x: None,
        lambda x: (5, None),
        lambda x: (x * 2, 5),
        lambda x: ("a", x * 2),
        lambda x: (x * 2, x.long()),
        lambda x: x.long(),
    ]
    tangents = [lambda t: t, lambda t: (t, t), lambda t: None]
    # To have no tangent for a tensor is an internal error of PyTorch.
    left_out = {(at, 2) for at in (3, 4, 5)}
    return [
        attempt(each, pushed)
        for at, each in enumerate(outputs)
        for number, pushed in enumerate(tangents)
        if (at, number) not in left_out
    ]


def outputs_are_saved_with_their_tangents(torch):
    events = []

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x * x
            ctx.save_for_backward(x, y)
            ctx.save_for_forward(x)
            events.append("forward")
            return y

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return g * 2 * x + 0 * y

        @staticmethod
        def jvp(ctx, t):
            events.append("jvp")
            return 2 * ctx.saved_tensors[0] * t

    def pack(tensor):
        events.append(["pack", _tangents(torch, [tensor])])
        return tensor

    with _forward_ad(torch).dual_level():
        x, dual = _dual(torch)
        with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            y = Square.apply(dual)
        saved = y.grad_fn.saved_tensors
        grads = torch.autograd.grad(y.sum(), x)
        return [events, _tangents(torch, [*saved, *grads])]


def changed_inputs_without_a_gradient(torch):
    def attempt(jvp):
        class Own(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.mark_dirty(x)
                ctx.mark_non_differentiable(x)
                return x.mul_(2)

        Own.jvp = staticmethod(jvp)
        forward_ad = _forward_ad(torch)
        with forward_ad.dual_level():
            seen, primal = [], _dual(torch)[0]
            for x in (primal.detach(), primal * 1):
                dual = forward_ad.make_dual(x, torch.ones(2))
                seen.append(outcome(lambda: Own.apply(dual)))  # noqa: B023
        return seen

    return [attempt(lambda ctx, t: t.mul_(2)), attempt(lambda ctx, t: None)]


def views_of_one_base_some_of_them_dual(torch):
    forward_ad, seen = torch.autograd.forward_ad, {}

    def function(shown, given):
        class Shows(torch.autograd.Function):
            @staticmethod
            def forward(ctx, *tensors):
                return tensors[shown].view(2), tensors[0] * 2

            @staticmethod
            def jvp(ctx, *tangents):
                return tangents[given].view(2), tangents[0] * 2

        return Shows

    for names in ("base dual", "dual base", "view dual", "dual other", "view base", "other view"):
        for shown, given in ((0, 0), (0, 1), (1, 0), (1, 1)):
            with forward_ad.dual_level():
                base = torch.zeros(2)
                made = {"base": base, "view": base.view(2)}
                made["dual"] = forward_ad.make_dual(base, torch.full((2,), 3.0))
                made["other"] = forward_ad.make_dual(base, torch.full((2,), 5.0))
                tensors = [made[name] for name in names.split()]
                told = outcome(lambda s=shown, g=given, t=tensors: function(s, g).apply(*t)[1])
                tangents = [forward_ad.unpack_dual(each).tangent for each in made.values()]
                seen[f"{names} {shown} {given}"] = [told, tangents]
    return seen


def an_input_returned_as_it_is_shows_its_tangent(torch):
    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_non_differentiable(x)
            return x

        @staticmethod
        def jvp(ctx, dx):
            return None

    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.ones(2), torch.full((2,), 3.0))
        results = [Same.apply(x)]
        with forward_ad._set_fwd_grad_enabled(False):
            results.append(Same.apply(x))
        return [forward_ad.unpack_dual(each) for each in results]


def tangents_are_taken_one_after_the_other(torch):
    """What is wrong with the first is told, whatever is wrong with the next."""

    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, first):
            ctx.first = first
            return x * 2, x.view(2, 1)

        @staticmethod
        def jvp(ctx, dx, _):
            return ctx.first, dx * 1

    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.ones(2), torch.full((2,), 3.0))
        firsts = torch.ones(3), torch.ones(2)
        return [outcome(lambda first=first: Two.apply(x, first)) for first in firsts]


def what_is_changed_where_nothing_is_recorded(torch):
    forward_ad = _forward_ad(torch)

    class Moved(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.mark_dirty(y)
            return y.mul_(2)

        @staticmethod
        def jvp(ctx, dx, dy):
            return dy.add_(5)

    def tangents(requires_grad, is_dual):
        y = torch.ones(2, requires_grad=requires_grad) * 3
        with forward_ad.dual_level(), torch.no_grad():
            x = forward_ad.make_dual(torch.ones(2), torch.ones(2))
            y = forward_ad.make_dual(y, torch.ones(2)) if is_dual else y
            z = Moved.apply(x, y)
            return [z is y, forward_ad.unpack_dual(z).tangent, forward_ad.unpack_dual(y).tangent]

    return [tangents(flag, is_dual) for flag in (False, True) for is_dual in (False, True)]


def tangents_that_are_none_or_integers(torch):
    """For PyTorch, that is an internal error."""
    forward_ad = torch.autograd.forward_ad

    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(x, tangent):
            return x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.tangent = inputs[1]

        @staticmethod
        def jvp(ctx, *tangents):
            return ctx.tangent

    seen = []
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(torch.ones(2), torch.ones(2))
        for tangent in (None, torch.ones(2).long()):
            failed = outcome(lambda tangent=tangent: Doubled.apply(dual, tangent))
            seen.append([failed["raises"], "its forward grad to be floating" in failed["says"]])
    return seen


def tangents_in_a_list(torch):
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, x * 3

        @staticmethod
        def jvp(ctx, t):
            return [t * 2, t * 3]

    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        return outcome(lambda: Two.apply(forward_ad.make_dual(torch.ones(2), torch.ones(2))))

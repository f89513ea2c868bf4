"""autograd.forward_ad: views and their tangents, which are views as well, in every mode."""

from tests.parity.harness import graph, outcome


def _unpack(torch, tensor):
    return torch.autograd.forward_ad.unpack_dual(tensor)


def _dual(torch, requires_grad=False):
    primal = torch.tensor([1.0, 2.0], requires_grad=requires_grad) * 1
    return torch.autograd.forward_ad.make_dual(primal, torch.tensor([3.0, 4.0]))


def a_view_made_in_inference_mode_shows_the_tangent(torch):
    seen = []
    for requires_grad in (False, True):
        with torch.autograd.forward_ad.dual_level():
            x = _dual(torch, requires_grad)
            with torch.inference_mode():
                views = [x.view(2, 1), x[1], x.unbind(0)[0], x.unsqueeze(0)]
            seen.append([_unpack(torch, view) for view in views])
    return seen


def an_expanded_primal_refuses_a_tangent_laid_out_otherwise(torch):
    expanded = torch.ones(1).expand(3)
    make_dual = torch.autograd.forward_ad.make_dual
    with torch.autograd.forward_ad.dual_level():
        return [
            outcome(lambda: make_dual(expanded, torch.ones(3))),
            make_dual(expanded, torch.ones(1).expand(3)),
        ]


def a_base_with_gaps_gets_a_tangent_from_its_view(torch):
    seen = []
    for base in (
        torch.arange(8.0)[2:],
        torch.arange(8.0)[::2],
        torch.arange(8.0).view(2, 4).t(),
        torch.arange(8.0).view(2, 4)[:, 1:3],
    ):
        with torch.autograd.forward_ad.dual_level():
            alone = base.detach()
            part, other = alone[1:], alone[1]
            tangent = torch.arange(float(part.numel())).view(part.shape) + 1
            part.mul_(torch.autograd.forward_ad.make_dual(torch.ones_like(part), tangent))
            seen.append([_unpack(torch, each) for each in (alone, part, other, alone[0])])
    return seen


def the_tangent_is_seen_otherwise_in_place_as_well(torch):
    forward_ad, seen = torch.autograd.forward_ad, []
    for change in (
        lambda x: x.t_(),
        lambda x: x.unsqueeze_(0),
        lambda x: x.transpose_(0, 1),
        lambda x: x.as_strided_((2,), (1,)),
    ):
        for requires_grad in (False, True):
            with forward_ad.dual_level():
                tangent = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=requires_grad)
                dual = forward_ad.make_dual(torch.ones(2, 2), tangent)
                told = outcome(lambda: change(dual))  # noqa: B023
                seen.append([told, tangent.shape, tangent._version, dual.shape])
                seen.append(forward_ad.unpack_dual(dual).tangent is tangent)
    return seen


def a_view_finds_its_tangent_in_the_mode_in_which_it_looks(torch):
    forward_ad, seen = torch.autograd.forward_ad, []
    for mode in (torch.enable_grad, torch.no_grad):
        with forward_ad.dual_level():
            whole = torch.arange(6.0).view(2, 3)
            row = whole[0]
            tangent = torch.tensor([1.0, 0.0, 2.0], requires_grad=True)
            whole.mul_(forward_ad.make_dual(torch.ones(3), tangent))
            with mode():
                row * 2
            told = outcome(lambda: row.square_())  # noqa: B023
            halves = forward_ad.unpack_dual(whole)
            gradient = torch.autograd.grad(halves.tangent.sum(), tangent)
            seen.append([told, halves.primal, halves.tangent.detach(), gradient])
    return seen


def a_primal_that_is_changed_leaves_its_base_alone(torch):
    forward_ad, seen = torch.autograd.forward_ad, []
    with forward_ad.dual_level():
        base = torch.ones(2)
        dual = forward_ad.make_dual(base, torch.full((2,), 3.0))
        for whole in (base, dual):
            primal = forward_ad.unpack_dual(whole).primal
            primal.mul_(forward_ad.make_dual(torch.full((2,), 5.0), torch.ones(2)))
            seen.append([_unpack(torch, each) for each in (primal, whole, base)])
    return seen


def parts_of_a_tangent_with_a_history(torch):
    forward_ad, seen = torch.autograd.forward_ad, []
    ways = {
        "split": lambda x: x.split(1),
        "split in sections": lambda x: x.split([1, 1]),
        "chunk": lambda x: x.chunk(2),
        "tensor_split": lambda x: x.tensor_split(2),
        "unbind": lambda x: x.unbind(0),
        "unsafe_split": lambda x: x.unsafe_split(1),
        "unsafe_chunk": lambda x: x.unsafe_chunk(2),
    }
    for name, parts in ways.items():
        with forward_ad.dual_level():
            tangent = torch.ones(2, 3, requires_grad=True)
            dual = forward_ad.make_dual(torch.ones(2, 3), tangent)
            first, _ = parts(dual)
            told = forward_ad.unpack_dual(first).tangent
            seen.append([name, told, graph(told.grad_fn), outcome(lambda x=first: x.mul_(2))])
    return seen


def tangents_of_parts_changed_in_place(torch):
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        base = torch.zeros(4)
        first, second = base[:2], base[1:3]
        for part in (first, second):
            part.add_(forward_ad.make_dual(torch.ones(2), torch.arange(1.0, 3.0)))
        return [list(forward_ad.unpack_dual(each)) for each in (first, second, base)]


def tangents_of_a_view_that_forward_has_put_aside(torch):
    forward_ad = torch.autograd.forward_ad
    aside = []

    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x * 2
            aside.append(y[1:])
            return y

        @staticmethod
        def jvp(ctx, tangent):
            return tangent * 2

    with forward_ad.dual_level():
        y = Doubled.apply(forward_ad.make_dual(torch.ones(3), torch.arange(3.0)))
        (view,) = aside
        before = list(forward_ad.unpack_dual(view))
        view.add_(forward_ad.make_dual(torch.ones(2), torch.ones(2)))
        return [before, *[list(forward_ad.unpack_dual(each)) for each in (view, y)]]


def the_tangent_of_a_dual_as_it_is_indexed(torch):
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        dual = _dual(torch)
        tangents = [_unpack(torch, each).tangent for each in (dual, dual[...], dual[()], dual[:])]
        return [[each is tangents[0], each._is_view()] for each in tangents]


def duals_whose_data_was_set_to_another_shape(torch):
    def after(use):
        with torch.autograd.forward_ad.dual_level():
            dual = _dual(torch)
            dual.data = torch.ones(3)
            return outcome(lambda: list(_unpack(torch, use(dual))))

    return [after(lambda x: x), after(lambda x: x.clone())]

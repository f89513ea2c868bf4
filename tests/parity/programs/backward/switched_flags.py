"""Tensors whose flags, dtype or history were switched after somebody had taken hold of them."""

from tests.parity.harness import outcome


def a_view_of_a_leaf_that_no_longer_requires_grad(torch):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = torch.ones(2, 3, requires_grad=True)
    row = x[0]
    row.grad = torch.ones(3)
    x.requires_grad = False
    return [outcome(lambda: Doubled.apply(row)), row.grad is None, outcome(lambda: row.mul_(2))]


def hooks_on_several_tensors(torch):
    register, seen = torch.autograd.graph.register_multi_grad_hook, []
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    product = (y.clone() * 3).view(-1)
    register([x, y], lambda grads: seen.append(grads))
    y.detach_()
    product.sum().backward()
    with torch.no_grad():
        unrecorded = x.view(2, 1)
    refused = [outcome(lambda: register([x, each], print)) for each in (unrecorded, y)]  # noqa: B023
    return [seen, y.grad, refused]


def a_retained_gradient_lies_in_order(torch):
    x = torch.ones(2, 3, requires_grad=True)
    turned = (x * 2).t()
    turned.retain_grad()
    turned.backward(torch.ones_like(turned), retain_graph=True)
    first = turned.grad.stride()
    turned.backward(torch.ones_like(turned))
    return [first, turned.grad.stride(), x.grad.stride()]


def a_leaf_of_another_dtype(torch):
    x = torch.ones(2, requires_grad=True)
    before = x * 2
    x.data = torch.ones(3, dtype=torch.float64)
    after = x * 3
    grads = torch.autograd.grad(after.sum(), x, retain_graph=True)
    unused = torch.autograd.grad(before.sum(), x, allow_unused=True)
    after.sum().backward()
    return [grads, unused, x.grad]


def a_view_of_what_has_less_memory_now(torch):
    x = torch.ones(2, 3)
    row = x[1]
    x.data = torch.ones(2)
    x.requires_grad_()
    with torch.no_grad():
        x.add_(1)
    return [row.grad_fn.name(), row.is_leaf, row.requires_grad, row]


def gradients_of_a_view_that_lost_its_history(torch):
    x, y = torch.ones(2, 3, requires_grad=True), torch.ones(2, requires_grad=True)
    base = x * 1
    part = base.unbind()[0]
    base.mul_(2)
    constant = torch.ones(2)
    return [
        outcome(lambda: torch.autograd.grad(y.sum(), (part, constant))),
        outcome(lambda: torch.autograd.grad(y.sum(), (constant, part))),
    ]


def tangents_of_other_geometries(torch):
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        diagonal = torch.ones(2, 3).diagonal()
        dual = forward_ad.make_dual(diagonal, torch.tensor([1.0, 2.0]))
        seen = [dual.as_strided((5,), (1,)), dual.as_strided((2,), (2,), 1)]
        row = forward_ad.make_dual(torch.arange(6.0).view(2, 3)[1], torch.tensor([1.0, 2.0, 3.0]))
        seen.append(row.as_strided((2,), (2,)))
        return [forward_ad.unpack_dual(each).tangent for each in seen]


def tangents_of_inference_tensors(torch):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def jvp(ctx, dx):
            return dx * 2

    forward_ad = torch.autograd.forward_ad
    with torch.inference_mode():
        x = torch.ones(2, 3).clone()
    y = torch.ones(2, 3)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, y)
        seen = [dual, dual.sin(), dual * y, dual * 2, dual.t(), dual.sum(), torch.stack([dual, y])]
        seen.append(Doubled.apply(dual))
        return [forward_ad.unpack_dual(each).tangent is None for each in seen]


def strides_of_new_dimensions(torch):
    narrow = torch.arange(6.0).view(2, 3).t().narrow(0, 0, 1)
    return [narrow.unsqueeze(dim).stride() for dim in (0, 1, 2)]

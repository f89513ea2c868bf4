"""Lines of operators and tensors that hardly any program runs: warnings, refusals, odd numbers."""

import copy
import pickle
from functools import partial

import numpy as np

from ..expressions import lines, observed
from ..harness import graph, outcome
from ..sessions import shown


def transposed(torch):
    return shown(
        torch,
        """
        S.T
        A.T
        X.T, A.T.shape
        S.mT, S.mH, S.H
        torch.adjoint(S), S.adjoint()
        A.adjoint().shape
        """,
    )


def unflattened(torch):
    x, s = torch.ones(2, 2), torch.tensor(5.0)
    tried = [
        outcome(lambda: x.unflatten(0, (-1, -1))),
        outcome(lambda: x.unflatten(0, (-1, -1, 2))),
        outcome(lambda: s.unflatten(0, (1,))),
        outcome(lambda: s.unflatten(0, (-1, -1))),
        outcome(lambda: s.unflatten(-1, ())),
        outcome(lambda: x.unflatten(5, (1,))),
    ]
    # PyTorch goes on to say where in its own code that was.
    return [{**each, "says": each["says"].partition("\nException raised")[0]} for each in tried]


def too_large_numbers(torch):
    return shown(
        torch,
        """
        X.sum(2**63)
        X.sum(-2**63 - 1)
        X.transpose(2**64, 0)
        X.unsqueeze(2**63)
        torch.zeros(3).random_(2**63)
        torch.zeros(3).random_(0, 2**63)
        torch.zeros(3).random_(-2**63 - 1, 3)
        torch.zeros(3).resize_(-1)
        torch.zeros(3).resize_(2, -1)
        torch.zeros(3).resize_(-2, -3)
        torch.zeros(3).resize_(2**40, 2**40)
        """,
    )


def items_of_numbers(torch):
    return shown(
        torch,
        """
        S[np.int64(0)]
        S[np.int64(0), ]
        S[True, 0]
        X[0][0][np.int64(0)]
        torch.zeros(0)[np.int64(0)]
        S[np.int64(0)] = 1
        """,
    )


def crossed(torch):
    return shown(
        torch,
        """
        torch.cross(torch.ones(3), torch.arange(3.0))
        torch.cross(torch.ones(2, 3), torch.ones(2, 3))
        torch.cross(torch.ones(3, 3), torch.arange(9.0).reshape(3, 3))
        torch.cross(torch.ones(2), torch.ones(2))
        torch.ones(4, 2).cross(torch.ones(4, 2))
        """,
    )


def scattered(torch):
    return shown(
        torch,
        """
        at = torch.tensor([0, 1])
        torch.zeros(3).scatter(0, at, torch.ones(2), reduce='add')
        torch.zeros(3).scatter(0, at, torch.ones(2), reduce='mean')
        torch.ones(3).scatter_(0, at, torch.ones(2) * 3, reduce='multiply')
        """,
    )


def values(torch):
    return observed(
        torch,
        lines("""
        x.type('torch.Tensor')
        x.norm(1.5)
        s.norm(1.5)
        o.norm(1.5)
        o.norm(1.5, dim=0, keepdim=True)
        z.norm(1.5)
        x.masked_scatter(b, torch.ones(6))
        torch.zeros(2, 3).masked_scatter(b, x)
        x.masked_scatter(torch.ones(2, 3), x)
        x.clone().masked_scatter_(torch.ones(2, 3), x)
        x.clone().masked_scatter_(b, d)
        x.clone().masked_scatter_(torch.ones(3, 3).bool(), d)
        x.index_put((at, at, at), s)
        x.clone().index_put_((at, at, at), s)
        F.relu_(x * 1)
        F.relu_(3)
        x.__rtruediv__(w)
        x.__rtruediv__(torch.tensor(2.0))
        i.__rtruediv__(j)
        x.__rtruediv__(True)
        torch.tensor([2, 3]) ** torch.tensor([-1, 1])
        """),
    )


def old_orders_and_two_names(torch):
    return shown(
        torch,
        """
        x = torch.ones(2)
        torch.addcmul(x, 2, x, 'a')
        x.addcmul(2, x, None)
        torch.sum(x, dim=0, axis=0)
        torch.cat([x], dim=0, axis=0)
        torch.unsqueeze(x, dim=0, axis=0)
        x.permute(dims=['a'])
        torch.permute(x, dims=[0.5, 1])
        """,
    )


def data_of_odd_kinds(torch):
    read_only = np.arange(3.0)
    read_only.flags.writeable = False
    foreign = np.dtype(">f8" if np.little_endian else "<f8")
    y = torch.ones(2, requires_grad=True) * 2
    return [
        outcome(lambda: torch.from_numpy(read_only)),
        outcome(lambda: torch.from_numpy(np.arange(3).astype(foreign))),
        torch.asarray(y, requires_grad=False),
        torch.asarray(y, requires_grad=True) is y,
    ]


def attributes(torch):
    return shown(
        torch,
        """
        X.is_sparse, X.is_quantized, X.is_pinned(), X.is_shared()
        X.view()
        del X.data
        torch.zeros(2, layout='a')
        torch.ones_like(X, layout=3)
        torch.zeros(2, layout=None, dtype=torch.float16)
        """,
    )


def constants_are_pickled(torch):
    constants = torch.strided, torch.preserve_format, torch.contiguous_format
    return [
        [pickle.loads(pickle.dumps(each)) is each, copy.deepcopy(each) is each]
        for each in constants
    ]


def printed(torch):
    return shown(
        torch,
        """
        y = torch.ones(3, requires_grad=True) * 1
        a, b = y.chunk(2)
        with torch.no_grad(): v = y[:2]
        y.mul_(2)
        a
        v.add_(1)
        b.add_(1)
        """,
    )


def nodes(torch):
    node = (torch.ones(2, requires_grad=True) * 2).grad_fn
    leaf = torch.ones(2, requires_grad=True)
    accumulator = torch.autograd.graph.get_gradient_edge(leaf).node
    whole = leaf * 1
    whole[:1].mul_(2)
    return [
        outcome(lambda: node._register_hook_dict(3)),
        outcome(lambda: node._register_hook_dict(None)),
        *[repr(each).partition(" at 0x")[0] for each in (node, accumulator, whole.grad_fn)],
    ]


def hooks_of_several_tensors_called_outside_of_backward(torch):
    seen = []
    for mode in ("all", "any"):
        x = torch.ones(2, requires_grad=True)
        torch.autograd.graph.register_multi_grad_hook([x], seen.append, mode=mode)
        (hook,) = x._backward_hooks.values()
        seen.append(outcome(lambda hook=hook: hook(torch.ones(2))))
    return seen


def gradcheck_of_forward_mode_alone(torch):
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    options = {"check_forward_ad": True, "check_backward_ad": False}
    return torch.autograd.gradcheck(lambda x: x.exp(), x, **options)


def gradcheck_of_gradients_in_another_dtype(torch):
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    x.grad_dtype = torch.float32
    return [
        outcome(partial(torch.autograd.gradcheck, torch.exp, x, **options))
        for options in ({}, {"check_grad_dtypes": True}, {"fast_mode": True})
    ]


def gradcheck_of_what_ignores_zeros(torch):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2 if g.any() else torch.ones_like(g)

    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    return [
        outcome(partial(torch.autograd.gradcheck, Doubled.apply, x, **options))
        for options in ({}, {"fast_mode": True}, {"masked": True})
    ]


def products_that_are_not_folded(torch):
    """Neither a matrix times stacked ones, nor stacked ones with gaps times a vector."""
    whole = torch.arange(24.0).requires_grad_()
    stacked = whole.reshape(2, 3, 4)
    turned = whole.reshape(4, 2, 3).transpose(0, 1)
    seen = []
    for product in (torch.arange(6.0).reshape(2, 3) @ stacked, turned @ torch.arange(3.0)):
        (gradient,) = torch.autograd.grad(product, whole, torch.ones_like(product))
        seen.append([product, graph(product.grad_fn), gradient])
    return seen


def gradient_of_a_gradient_of_an_index(torch):
    x = torch.arange(6.0).reshape(2, 3).requires_grad_()
    y = torch.ones(3, 3, requires_grad=True)
    (g,) = torch.autograd.grad((x[torch.tensor([1, 0, 1])] * y).sum(), x, create_graph=True)
    return [g, graph(g.grad_fn), *torch.autograd.grad((g**2).sum(), y)]


def third_derivative_of_a_tangent_of_a_number(torch):
    x = torch.tensor(0.5, requires_grad=True)
    (first,) = torch.autograd.grad(x.tanh(), x, create_graph=True)
    (second,) = torch.autograd.grad(first, x, create_graph=True)
    return [first, second, *torch.autograd.grad(second, x)]


def rows_that_read_what_they_write(torch):
    """Long enough for steps of 64 bytes."""

    def written(count, write):
        x = torch.arange(1.0, 2 * count + 1)
        return outcome(lambda: write(x[:count], x.reshape(2, count)))

    return [
        written(count, write)
        for count in (16, 33, 40)
        for write in (
            lambda x, rows: x.div_(x[:1]),
            lambda x, rows: x.addcmul_(x[1], x[2]),
            lambda x, rows: rows.mul_(rows[:1]),
            lambda x, rows: rows.sub_(rows[:, 1:2]),
        )
    ]


def changed_parts_of_a_base_without_gradient(torch):
    """A later Function returns None: the change in place sends nothing either."""

    class Nothing(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return None

    x, w = torch.ones(4, requires_grad=True), torch.ones(2, requires_grad=True)
    y = x * 1
    y[:2].mul_(w)
    return torch.autograd.grad(Nothing.apply(y).sum(), (x, w), allow_unused=True)


def draws_with_bounds_that_are_rounded(torch):
    generator, seen = torch.Generator().manual_seed(3), []
    for low, high in (
        (2049, 5001),
        (4099, 5001),
        (2051, 2060),
        (-4099, 4099),
        (2050, 2052),
        (65503, 65505),
        (-70000, 0),
        (70000, 80000),
    ):
        drawn = torch.zeros(4, dtype=torch.float16)
        seen.append(
            outcome(lambda: drawn.random_(low, high, generator=generator))  # noqa: B023
        )
    return seen


def results_in_an_operand_of_another_shape(torch):
    x = torch.arange(4.0)
    return outcome(lambda: torch.diag(x, out=x))


def tangents(torch):
    """Of a product along no dimension, and of a layer without a scale."""
    forward_ad = torch.autograd.forward_ad
    seen = []
    with forward_ad.dual_level():
        for value in (3.0, 0.0):
            dual = forward_ad.make_dual(torch.tensor(value), torch.tensor(2.0))
            seen.append(forward_ad.unpack_dual(dual.cumprod(0)).tangent)
        rows = torch.tensor([1.0, 2.0, 4.0])
        dual = forward_ad.make_dual(rows, torch.tensor([1.0, 0.5, 2.0]))
        normal = torch.nn.functional.layer_norm(dual, (3,))
        seen.append(forward_ad.unpack_dual(normal).tangent)
        for given in ((torch.ones(2).long(), torch.ones(2)), (torch.ones(2), torch.ones(2).long())):
            seen.append(outcome(lambda given=given: forward_ad.make_dual(*given)))
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


def numbers_drawn_with_probabilities_in_the_same_memory(torch):
    x = torch.tensor([0.0, 1.0, 1.0, 0.0])
    return [
        outcome(lambda: x.bernoulli_(x)),
        outcome(lambda: x[1:].bernoulli_(x[:-1])),
        outcome(lambda: x.bernoulli_(x[:1].expand(4))),
    ]

"""What few programs meet: odd masks and numbers, rows without anything, memory that grows."""

from ..harness import graph, outcome
from ..sessions import shown


def memory_that_grows(torch):
    return shown(
        torch,
        """
        x = torch.ones(2, requires_grad=True)
        x.data.resize_(5).shape
        x, x.storage_offset(), x.untyped_storage().nbytes()
        y = torch.arange(4.0)
        v = y[1:3]
        w = v.view(2, 1)
        v.resize_(9).shape
        v[1] = 7
        w, y, y.storage_offset(), w.storage_offset()
        w.data_ptr() == v.data_ptr(), y.data_ptr() == v.data_ptr() - 4
        """,
    )


def written(torch):
    return shown(
        torch,
        """
        x = torch.zeros(2)
        x[0] = 2**70
        x
        torch.arange(3).repeat_interleave(torch.ones(3))
        torch.arange(4).repeat_interleave(torch.tensor([1, 0, 2, 1], dtype=torch.int32))
        """,
    )


def chosen(torch):
    return shown(
        torch,
        """
        torch.tensor([True, False]).kthvalue(1)
        torch.zeros(0, 3).kthvalue(1, 0)
        torch.zeros(0, 3).mode(1)
        torch.zeros(0, 3).mode(0)
        torch.tensor([1.0, float('nan'), 3.0, float('nan')]).mode()
        torch.tensor([15, 25]).round(decimals=-1)
        """,
    )


def outs(torch):
    return shown(
        torch,
        """
        x = torch.ones(2, 2)
        floats, longs = torch.empty(2), torch.empty(2, dtype=torch.int64)
        torch.max(x, 0, out=(floats, floats))
        torch.min(x, 0, out=(longs, longs))
        torch.sort(x, 0, out=(x.double(), longs))
        torch.topk(x[0], 2, out=(floats, floats))
        torch.cummax(x[0], 0, out=(floats, floats))
        torch.kthvalue(x, 1, out=(longs, longs))
        torch.mode(x, out=(longs, longs))
        torch.any(x, 0, out=floats)
        torch.all(x, 0, out=longs)
        torch.any(x, 0, out=torch.empty(2, dtype=torch.uint8))
        torch.all(x, out=torch.empty((), dtype=torch.bool))
        """,
    )


def sums_of_products(torch):
    return shown(
        torch,
        """
        x, y = torch.ones(2, 2), torch.ones(2, 2, dtype=torch.float64)
        torch.einsum('ij,jk->ik', x, y)
        torch.einsum('ij,ij', x.long(), x)
        torch.einsum('ij,ij->ij', x, y)
        torch.einsum('ij,k->ijk', x, y[0])
        """,
    )


def chance_and_smoothing(torch):
    return shown(
        torch,
        """
        seeded = torch.manual_seed(0)
        F = torch.nn.functional
        F.dropout(torch.ones(4), 1.0)
        F.dropout(torch.ones(4, requires_grad=True), 1.0, inplace=False)
        torch.rand(2)
        x = torch.arange(6.0).view(2, 3)
        F.cross_entropy(x, torch.tensor([0, 2]), label_smoothing=-1.0)
        F.cross_entropy(x, torch.ones(2, 3) / 3, label_smoothing=-1.0)
        """,
    )


def strides_of_what_is_transposed(torch):
    return shown(
        torch,
        """
        x = torch.arange(6.0).view(2, 3).t()
        x.index_fill(0, torch.tensor([0]), 1.0).stride()
        x.index_put((torch.tensor([0]),), torch.ones(2)).stride()
        torch.cross(x, x, dim=0).stride()
        torch.cross(A[:, :, :3] * 1.0, A[:, :, 1:] * 1.0, dim=1).stride()
        """,
    )


def rows_without_elements(torch):
    return shown(
        torch,
        """
        x = torch.zeros(0, 3)
        x.norm(inf)
        x.norm(-inf)
        x.norm(-1)
        x.norm(inf, 0)
        x.norm(inf, 1), x.norm(), x.norm(2, 0)
        torch.ones(4).as_strided((-1,), (1,))
        torch.ones(2).diag_embed(dim1=0, dim2=-2)
        torch.ones(2).diag_embed(dim1=0, dim2=5)
        torch.arange(3).repeat_interleave(torch.tensor([1, -2, 1]))
        """,
    )


def functions_of_layers(torch):
    return shown(
        torch,
        """
        F = torch.nn.functional
        x = torch.ones(3, 2)
        F.batch_norm(x, torch.zeros(3), torch.ones(2))
        F.batch_norm(x, torch.zeros(2), torch.ones(3))
        F.batch_norm(x, None, None, training=True, weight=torch.ones(3))
        F.batch_norm(x, None, None, training=True, bias=torch.ones(3))
        F.batch_norm(x[0], torch.zeros(3), torch.ones(3))
        F.batch_norm(x[0], None, None, training=True)
        F.batch_norm(x[:1, 0], None, None, training=True)
        F.batch_norm(x[0, 0], None, None, training=True)
        F.batch_norm(torch.ones(3, 0), None, None, training=True)
        F.batch_norm(torch.ones(0, 3), None, None, training=True)
        F.layer_norm(torch.ones(2, 0), (0,))
        F.linear(x, None)
        F.linear(x, 3)
        F.softmax(x, 1.0)
        F.softmax(x, dim='a')
        F.log_softmax(x, dim=1.0)
        F.softmin(x, True)
        F.softmax(3, 0)
        F.softmax(x, 1, dtype=torch.float64)
        x.size(True)
        x.stride(True)
        torch.eye(True)
        """,
    )


def masks_of_bytes(torch):
    return shown(
        torch,
        """
        x, m = torch.zeros(3, 4), torch.tensor([1, 0, 1], dtype=torch.uint8)
        x[m] = 1
        x[m, 0] = 1
        x[m, 1:] = torch.tensor([2.0])
        x[m] = torch.ones(4)
        x[:2][:, torch.tensor([1, 0, 1, 0], dtype=torch.uint8)] = 3.0
        x.index_put_((m,), torch.tensor(1.0))
        x.index_put((m,), torch.tensor(1.0))
        x.index_put((m,), torch.ones(2, 4) * 5)
        x[torch.tensor(1, dtype=torch.uint8)] = 5
        x[m.bool()] = 8
        x
        """,
    )


def gradients_beside_what_is_not_finite(torch):
    x = torch.tensor([1.0, float("inf"), 2.0], requires_grad=True)
    y = torch.tensor([float("nan"), 1.0], requires_grad=True)
    places = torch.tensor([0, 0])
    return [
        torch.autograd.grad(x.scatter_reduce(0, places, y, how), [x, y], torch.ones(3))
        for how in ("sum", "mean")
    ]


def products_of_vectors_and_matrices_by_their_graphs(torch):
    """Inner and Kronecker products are made of views, a cross product of one dtype alone."""
    seen = []
    for shapes in ((2, 2), (2, (1, 2)), ((1, 2), (1, 2)), ((3, 2), 2), (2, (3, 2)), (0, (2, 0)),
                   ((1, 1), (3, 1)), ((2, 3, 2), (4, 5, 2))):  # fmt: skip
        x, y = [torch.ones(shape, requires_grad=True) for shape in shapes]
        for product in (torch.inner, torch.kron):
            seen.append([graph(product(x, y).grad_fn), product(x, y)])
    turned = torch.arange(6.0).reshape(2, 3).t().requires_grad_()
    inner = torch.inner(turned, turned)
    inner.sum().backward()
    kinds = torch.float16, torch.float32, torch.int32, torch.bool
    crossed = [
        outcome(lambda: torch.linalg.cross(torch.ones(2, 3).to(a), torch.ones(2, 3).to(b)))  # noqa: B023
        for a in kinds
        for b in kinds
    ]
    return [
        *seen,
        graph(inner.grad_fn),
        turned.grad,
        outcome(lambda: torch.kron(torch.ones(2, 2), turned)),
        crossed,
        outcome(lambda: torch.cross(torch.ones(2, 3), torch.ones(4, 3).double(), dim=-1)),
        outcome(lambda: torch.cross(torch.ones(2, 3), torch.ones(1, 3), dim=-1)),
    ]


def quotients_by_whole_numbers_added(torch):
    x, a = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    whole = torch.tensor([1, 2])
    return [
        outcome(lambda: torch.addcdiv(x, a, whole).sum().backward()),
        outcome(lambda: torch.addcdiv(x, a.detach(), whole).sum().backward()),
        outcome(lambda: torch.addcmul(x, a, whole).sum().backward()),
        x.grad,
        a.grad,
    ]


def spreads_over_no_dimensions(torch):
    """All are reduced, but backward counts none."""
    seen = []
    for name in ("var", "std", "var_mean", "std_mean"):
        for dim in ((), [], None):
            for options in ({}, {"keepdim": True}, {"correction": 0}, {"correction": 3}):
                x = torch.tensor([[1.0, 2.0, 5.0], [2.0, 3.0, 8.0]], requires_grad=True)
                z = getattr(torch, name)(x, dim, **options)
                parts = z if isinstance(z, tuple) else (z,)
                grads = [torch.autograd.grad(each.sum(), x, retain_graph=True) for each in parts]
                seen.append([parts, str(grads), parts[0].grad_fn._saved_dim])
    return seen


def extremes_of_a_permuted_tensor(torch):
    x = torch.arange(24.0).reshape(2, 3, 4).permute(2, 1, 0)
    return [
        [part, part.stride()]
        for dim in (0, 1, 2)
        for keepdim in (False, True)
        for part in torch.aminmax(x, dim=dim, keepdim=keepdim)
    ]


def places_repeated(torch):
    return shown(
        torch,
        """
        repeat = torch.repeat_interleave
        repeat(t([1, 0, 2])), repeat(t([1, 2], dtype=torch.int32)), repeat(t([], dtype=torch.int64))
        repeat(t([1, 2]), output_size=3), repeat(repeats=t([1, 2])), repeat(t([5, 6]), 2)
        repeat(t([1, 2]), output_size=4)
        repeat(t(2))
        repeat(t([[1, 2]]))
        repeat(t([1, -1]))
        repeat(t([1.5, 2]))
        repeat(2)
        repeat([1, 2])
        repeat()
        repeat(t([1, 2]), dim=0)
        repeat(t([1, 2]), 'a')
        t([1, 2]).repeat_interleave()
        """,
    )

"""What few programs ask for: old storages, geometries, print options, the state of generators."""

import warnings

from ..harness import outcome
from ..sessions import shown


def storages(torch):
    with warnings.catch_warnings():
        # The first one in a process is told that it is deprecated.
        warnings.simplefilter("ignore")
        torch.ones(1).storage()
    return shown(
        torch,
        """
        torch.arange(3).storage().tolist()
        list(torch.ones(2).storage()), len(torch.ones(2).storage()), torch.ones(2).storage().size()
        torch.arange(3).storage()[1]
        torch.arange(3).storage()
        torch.ones(2).storage().nbytes()
        torch.ones(2, dtype=torch.float64).storage().dtype, torch.ones(2).storage().device
        torch.ones(2).storage().untyped().nbytes()
        x = torch.ones(2)
        x.storage().data_ptr() == x.data_ptr()
        torch.ones(2).untyped_storage().device
        torch.ones(2, dtype=torch.uint8).untyped_storage()[0]
        torch.tensor([1, 2], dtype=torch.uint8).untyped_storage()
        """,
    )


def geometries(torch):
    return shown(
        torch,
        """
        torch.empty_strided((2, 3), (1, 2)).stride()
        torch.empty_strided((2, 3), (1, 2), dtype=torch.int8).dtype
        torch.empty_strided((0, 3), (1, 2)).shape
        torch.ones(2, dtype=torch.int8).new_empty_strided((2, 2), (1, 2)).dtype
        torch.ones(2, dtype=torch.int8).new_empty_strided((2, 2), (1, 2)).stride()
        x = torch.ones(2, 3)
        x.is_set_to(x), x.is_set_to(x.t()), x.is_set_to(x.clone())
        torch.ones(2, 3).is_same_size(torch.ones(2, 3)), torch.ones(2).is_same_size(3)
        torch.ones(2).get_device(), torch.ones(2).is_signed()
        torch.is_signed(torch.ones(2, dtype=torch.uint8))
        torch.is_nonzero(t(0.)), torch.is_nonzero(t([1, 2]))
        torch.imag(torch.ones(2))
        torch.ones(2).real, torch.conj(torch.ones(2)), torch.ones(2).is_conj()
        torch.ones(2, 2).gather(0, t([[0, 0]]), sparse_grad=False)
        'a' in torch.ones(2)
        torch.is_complex(3)
        torch.is_nonzero(3)
        torch.is_same_size(3, 3)
        torch.numel(np.ones(2)), torch.is_floating_point(t([1]))
        torch.ones(2, 3).nelement(), torch.ones(2, 3).ndimension()
        """,
    )


def names_of_types(torch):
    return shown(
        torch,
        """
        torch.typename(t([1]))
        torch.typename(3), torch.typename('a'), torch.typename(int)
        torch.typename(torch.nn.Parameter(t([1.])))
        torch.finfo(torch.float32) == torch.finfo(torch.float32)
        torch.finfo(torch.float32) == torch.finfo(torch.float64)
        torch.float32.to_real(), torch.int8.is_signed, torch.uint8.is_signed, torch.float16.itemsize
        torch.device('cpu') == torch.device('cpu', 0)
        hash(torch.device('cpu')) == hash(torch.device('cpu'))
        torch.device('cpu', -2)
        torch.device('')
        torch.device('cpu:x')
        torch.device(torch.device('cpu'))
        torch.device('cpu').type
        d = torch.device('cpu')
        d.type = 'x'
        torch.get_default_device()
        torch.set_default_device('cpu')
        torch.set_default_device(None)
        torch.contiguous_format, torch.strided
        """,
    )


def generators(torch):
    return shown(
        torch,
        """
        g = torch.Generator().manual_seed(3)
        g.initial_seed(), g.device
        h = g.clone_state()
        torch.rand(2, generator=g), torch.rand(2, generator=h)
        s = g.get_state()
        torch.rand(2, generator=g), g.set_state(s) is g, torch.rand(2, generator=g)
        a = torch.randn(3, generator=g)
        s = g.get_state()
        torch.randn(1, generator=g), g.set_state(s) is g, torch.randn(1, generator=g)
        g.set_state(torch.ones(3, dtype=torch.uint8))
        g.set_state(torch.ones(3))
        g.set_state(3)
        g.manual_seed(2**64)
        g.seed() == g.initial_seed()
        torch.seed() == torch.initial_seed()
        s = torch.get_rng_state()
        a = torch.rand(3)
        torch.set_rng_state(s)
        torch.equal(a, torch.rand(3))
        """,
    )


def numbers_out_of_a_function_s_domain(torch):
    """Lone numbers, which are computed by Python's functions, where those raise."""
    return shown(
        torch,
        """
        t(-1.).log(), t(0.).log(), t(-1.).log1p(), t(-2.).log1p(), t(0.).log2(), t(-1.).log10()
        t(1000.).exp(), t(1000.).expm1(), t(1e4).exp2(), t(1e4).cosh(), t(-1e4).sinh()
        t(2., dtype=torch.float64).asin(), t(-2.).acos(), t(inf).sin(), t(-inf).cos(), t(inf).tan()
        t(-1.).sqrt(), t(-1.).rsqrt(), t(0.).rsqrt(), t(inf).rsqrt(), t(0.).reciprocal()
        t(nan).exp(), t(nan).log(), t(inf).tanh(), t(-inf).sigmoid(), t(1e6).erf()
        """,
    )


def factories_into_a_tensor(torch):
    return shown(
        torch,
        """
        torch.zeros(2, out=torch.ones(3)), torch.eye(2, out=torch.ones(3))
        torch.ones(2, out=torch.zeros(2, dtype=torch.int64))
        torch.zeros(2, dtype=torch.float64, out=torch.ones(2))
        torch.eye(2, dtype=torch.float64, out=torch.ones(2))
        torch.arange(3, dtype=torch.float32, out=torch.ones(3))
        torch.randint(0, 2, (2,), dtype=torch.float64, out=torch.ones(2))
        torch.zeros(2, out=3)
        torch.zeros(2, out=torch.ones(2, requires_grad=True))
        torch.linspace(0, 1, 2, out=torch.ones(2, requires_grad=True))
        torch.full((2,), 3., out=torch.ones(2), requires_grad=True)
        x = torch.ones(2, requires_grad=True)
        with torch.no_grad(): torch.zeros(2, out=x)
        x
        """,
    )


def saved_tensors_that_are_gone(torch):
    x = torch.ones(2, requires_grad=True)
    y = x.exp() * x * torch.ones(2)
    raw = y.grad_fn._raw_saved_other, y.grad_fn._raw_saved_self
    before = [each.unpack() for each in raw]
    y.sum().backward()
    return [before, *[outcome(each.unpack) for each in raw]]


def arrays(torch):
    return shown(
        torch,
        """
        torch.asarray([1, 2]), torch.asarray(3.5), torch.asarray(np.ones(2)).dtype
        torch.asarray([1, 2], copy=False)
        torch.asarray(np.ones(2), dtype=torch.float32, copy=False)
        torch.asarray(np.ones(2), dtype=torch.float32), torch.asarray(t([1]), dtype=torch.float64)
        x = torch.ones(2, requires_grad=True)
        torch.asarray(x)
        torch.asarray(x, requires_grad=False), torch.asarray(x, requires_grad=True) is x
        torch.asarray(x, copy=True, requires_grad=True)
        torch.asarray(t([1.]), requires_grad=True)
        torch.from_numpy(np.arange(12).reshape(3, 4)[::2, 1:3])
        torch.from_numpy(np.arange(12).reshape(3, 4)[::2, 1:3]).storage_offset()
        torch.from_numpy(np.arange(12).reshape(3, 4).T).stride()
        torch.from_numpy(np.arange(3)[::-1])
        t([[1, 2], [3]])
        t([[1], 2])
        t([1, 'a'])
        t('a')
        t([1, None])
        t(2**63)
        t([2**70])
        t([1.5, 300], dtype=torch.uint8)
        t(range(3)), t((1, 2.5)), t([[]]), t([[], []]).shape
        t([True, 2]), t([True, 2.5]), t([t(1), t(2.5)])
        """,
    )


def errors_of_operators(torch):
    return shown(
        torch,
        """
        x = torch.arange(6.).reshape(2, 3)
        x.repeat_interleave(-1)
        x.roll((), 0)
        x.roll((1, 2), 0)
        x.repeat(2)
        x.repeat(-1, 2)
        torch.inner(x, torch.ones(2))
        torch.inner(torch.ones(3), torch.ones(3)), torch.inner(x, t(2.))
        x.unbind(5)
        S.unbind()
        x.narrow(0, 5, 1)
        x.narrow(0, 0, -1)
        x.narrow(1, -5, 1)
        x.split(-1)
        x.split(0)
        x.split([1, 2])
        x.split_with_sizes([-1, 3])
        x.chunk(0)
        x.tensor_split(0)
        x.vsplit(3)
        x.hsplit(2)
        x.var(unbiased=False), x.std(0, False), x.var(dim=(0, 1), correction=0)
        x.var(0, True, True)
        torch.arange(3).var()
        torch.arange(3).std_mean()
        x.logsumexp(None)
        torch.arange(3).norm()
        x.as_strided((2,), (1, 1))
        x.as_strided((2,), (-1,))
        x.as_strided((9,), (1,))
        x.as_strided((2,), (1,), -1)
        x.diagonal(0, 0, 0)
        torch.ones(2, 2, 2).diag()
        torch.ones(3).tril()
        torch.ones(3).trace()
        torch.ones(2, 2, 2).t()
        x.permute(0)
        x.permute(0, 0)
        x.movedim((0, 1), (0,))
        x.movedim((0, 0), (0, 1))
        x.unflatten(1, ())
        x.unflatten(1, (2, 2))
        x.flatten(1, 0)
        x.index_select(0, t([[0]]))
        x.index_select(0, t([5]))
        x.index_select(1, t([5]))
        x.index_select(0, t([0.]))
        S.index_select(0, t([0, 0]))
        x.index_fill(0, t([5]), 1.)
        x.index_fill(0, t([[0]]), 1.)
        x.index_fill(0, t([0]), torch.ones(2))
        x.take(t([9]))
        x.take(t([0.]))
        x.put(t([9]), t([1.]))
        x.put(t([0]), t([1, 2]))
        x.put(t([0]), t([1., 2.]))
        x.put(t([0.]), t([1.]))
        x.masked_select(t([1]))
        x.masked_scatter(x > 0, t([1.]))
        x.masked_scatter(x > 0, t([1]))
        x.masked_scatter(t([1]), x)
        x.scatter_reduce(0, t([[0]]), x, 'most')
        x.scatter(0, t([[0]]), 1., reduce='most')
        x.gather(0, t([0]))
        x.gather(0, t([[5]]))
        x.gather(0, t([[0.]]))
        x.take_along_dim(t([0]), 0)
        x.take_along_dim(t([[0.]]), 0)
        torch.where(t([1.]), x, x)
        x.fill_(torch.ones(2))
        x.median(0).indices, x.mode(1).values, x.kthvalue(1).values
        x.kthvalue(9)
        torch.zeros(0).max()
        torch.zeros(0, 2).max(0)
        torch.zeros(0).argmax()
        torch.zeros(0).aminmax()
        torch.zeros(0, 2).aminmax(dim=0)
        t([True]).argmax()
        t([True, False]).median()
        x.topk(9)
        x.cross(x, dim=0)
        torch.linalg.cross(x, torch.ones(3))
        x.broadcast_to(4, 3)
        torch.broadcast_shapes((2, 3), (4,))
        torch.cat([])
        torch.cat([x, S])
        torch.cat([x, torch.ones(1, 2)])
        torch.stack([])
        torch.stack([x, S])
        torch.stack([x, x], 5)
        torch.einsum('ij,j', x)
        torch.einsum('ij->k', x)
        torch.einsum('ij->ii', x)
        torch.einsum('ijk->i', x)
        torch.einsum('ij,jk->ik', x, x)
        """,
    )


def arguments_of_strange_types(torch):
    return shown(
        torch,
        """
        torch.full(np.ones(1), 1)
        torch.full((2,), torch.float32)
        torch.zeros(torch.float32)
        torch.ones([torch.float32])
        torch.ones(2, [3]), torch.ones(2, 3.5)
        torch.ones([2, 3.5])
        torch.ones(2.5, 3)
        torch.ones([2.5, 3])
        torch.empty(2, None)
        torch.full((2, 3.), 1)
        torch.randint(3, (2, 3.))
        torch.ones(2).new_zeros(2, 'a')
        torch.ones(2, np.float32(3))
        torch.ones(2, True), torch.ones((2, True))
        torch.ones(True, 2)
        torch.eye('a')
        torch.arange(torch.float32)
        torch.zeros_like(np.ones(2))
        torch.full_like(t([1.]), np.ones(2))
        torch.zeros(2, requires_grad=np.ones(1))
        torch.zeros(2, dtype=np.ones(1))
        torch.zeros(2, dtype='float')
        torch.randint(3, torch.float32)
        torch.set_grad_enabled(torch.float32)
        torch.set_grad_enabled(1)
        torch.ones(2).requires_grad_(torch.float32)
        torch.promote_types(torch.float32, 3)
        torch.is_inference(np.ones(1))
        torch.ones(2).type_as(np.ones(1))
        torch.ones(2).add_(np.ones(1, dtype=object))
        torch.ones(2).mul_('a')
        torch.ones(2).size('a')
        torch.ones(2).stride(1.5)
        torch.ones(2).argmax('a')
        torch.ones(2).lerp(3, 2)
        torch.ones(2).addcmul(3, torch.ones(2))
        torch.ones(2).addcdiv(torch.ones(2), 'a')
        torch.ones(2).logsumexp('a')
        torch.autograd.set_detect_anomaly('a')
        """,
    )


def volatile_tensors(torch):
    return shown(
        torch,
        """
        x = torch.ones(2)
        x.volatile
        x.volatile = True
        x.volatile
        x.name
        x.name = 'x'
        """,
    )


def of_at_least_so_many_dimensions(torch):
    return shown(
        torch,
        """
        torch.atleast_1d(t(1.0), t([2.0]))
        torch.atleast_2d(t(1.0), t([2.0]))
        torch.atleast_2d((t(1.0), t([2.0])))
        torch.atleast_2d([t(1)])
        torch.atleast_1d()
        torch.atleast_1d(3)
        torch.atleast_1d([t(3), 4])
        torch.atleast_1d(t(1.0))
        """,
    )

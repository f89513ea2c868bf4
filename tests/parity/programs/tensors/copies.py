"""Copies, files and random numbers, as somebody types them."""

import copy
import pickle

from tests.parity.sessions import shown


def random_numbers(torch):
    return shown(
        torch,
        """
        torch.manual_seed(7).initial_seed()
        torch.rand(3), torch.rand(2, dtype=torch.float64), torch.rand(2, 2), torch.rand(())
        torch.randint(10, (5,)), torch.randint(-5, 5, (4,)), torch.randint(0, 2**40, (3,)), torch.randperm(7)
        torch.randn(3), torch.randn(4), torch.randn(2, dtype=torch.float64), torch.randn(5), torch.rand(2)
        torch.manual_seed(7).initial_seed()
        torch.empty(5).uniform_(-1, 2), torch.empty(5).normal_(2, 3), torch.randint(2**31, (2,))
        torch.nn.Linear(5, 3).weight
        state = torch.get_rng_state()
        torch.equal(torch.rand(3), (torch.set_rng_state(state), torch.rand(3))[1])
        state.dtype, state.shape, torch.initial_seed()
        torch.randn(2, 3, requires_grad=True).requires_grad, torch.rand_like(torch.zeros(2)).shape
        torch.randint(3, 5, (2,), dtype=torch.uint8).dtype
        """,
    )


def random_state(torch):
    return shown(
        torch,
        """
        state = torch.get_rng_state()
        a = torch.rand(3)
        _ = torch.set_rng_state(state)
        torch.equal(torch.rand(3), a)
        state.dtype, state.shape
        """,
    )


def files_and_copies(torch):
    return shown(
        torch,
        """
        buffer = io.BytesIO(); torch.save({"w": t([1.0, 2.0]), "n": 3}, buffer); _ = buffer.seek(0)
        torch.load(buffer)
        x = t([1.0, 2.0, 3.0]); buffer = io.BytesIO(); torch.save([x, x[1:], x.view(3, 1)], buffer); _ = buffer.seek(0)
        y = torch.load(buffer)
        y
        y[0].data_ptr() + 4 == y[1].data_ptr(), y[1].storage_offset(), y[2].data_ptr() == y[0].data_ptr()
        buffer = io.BytesIO(); torch.save(torch.nn.Parameter(t([1.0])), buffer); _ = buffer.seek(0)
        torch.load(buffer)
        buffer = io.BytesIO(); torch.save(torch.nn.Linear(2, 1).state_dict(), buffer); _ = buffer.seek(0)
        list(torch.load(buffer, weights_only=True))
        m = copy.deepcopy([x, x[1:], x])
        m[0] is m[2], m[0].data_ptr() + 4 == m[1].data_ptr(), m[0].data_ptr() == x.data_ptr()
        w = t([1.0], requires_grad=True); w.grad = t([2.0]); c = copy.deepcopy(w)
        c.grad, c.grad is w.grad, c.requires_grad, c._version, c.is_leaf
        w.note = ["kept"]; c = copy.deepcopy(w)
        c.note, c.note is w.note
        copy.copy(w).note is w.note
        pickle.loads(pickle.dumps(w)).note, pickle.loads(pickle.dumps(w)).grad
        copy.copy(w * 2), copy.copy(torch.zeros(2, 3).t()).stride()
        p = torch.nn.Parameter(t([1.0])); p.grad = t([1.0])
        copy.deepcopy(p).grad, type(copy.deepcopy(p)).__name__, copy.deepcopy(p) is p
        p.note = "kept"; handle = p.register_hook(print); f = torch.nn.Parameter(t([1.0]), requires_grad=False)
        [[copy.copy(x).requires_grad, copy.copy(x)._version, copy.copy(x).data_ptr() == x.data_ptr()] for x in (p, f)]
        [[y.requires_grad, y._version, type(y).__name__] for y in map(pickle.loads, map(pickle.dumps, (p, f)))]
        pickle.loads(pickle.dumps(p)).note, copy.copy(p).note
        buffer = io.BytesIO(); torch.save([p, f, p.data], buffer); _ = buffer.seek(0); y = torch.load(buffer)
        y, y[0].data_ptr() == y[2].data_ptr()
        y = copy.deepcopy([x, x.data]); y[0].data_ptr() == y[1].data_ptr()
        pickle.loads(pickle.dumps(t(True))), pickle.loads(pickle.dumps(t([1, 2], dtype=torch.int8))), pickle.loads(pickle.dumps(torch.zeros(0, 3)))
        """,
    )


def nearness(torch):
    return shown(
        torch,
        """
        t([1,2])<np.array([1,3])
        t([1.,2.])!=np.array([1,3])
        t(1)==np.array(1)
        t([1,2])==np.array([[1],[2]])
        t([1,2])==np.array([1,2,3])
        t([1,2]).add(np.float64(2))
        torch.isclose(t([1]),t([1]),rtol=-1.5)
        torch.isclose(t([1.]),1.)
        torch.isclose(t([True]),t([False]))
        torch.allclose(t([1.]),t([1.]),rtol=-1)
        torch.isclose(t([nan]),t([nan]),equal_nan=True)
        torch.isclose(t([1.],dtype=torch.float16),t([1.001],dtype=torch.float16))
        torch.isclose(t([100]),t([101]),atol=1)
        torch.isclose(t([100]),t([101]),rtol=0.5)
        torch.isclose(t([[1.],[2.]]),t([1.,2.]))
        torch.equal(t([]),t([])), torch.equal(t(1),t([1]))
        t([1.]).is_inference()
        torch.is_inference(t(1.))
        torch.is_same_size(t([1]),1)
        """,
    )


def memory_formats(torch):
    return shown(
        torch,
        """
        torch.zeros(2,3).t().clone().stride()
        torch.zeros(2,3).t().clone(memory_format=torch.preserve_format).stride()
        torch.zeros(2,3).t().clone(memory_format=torch.contiguous_format).stride()
        torch.zeros(2,3,4).permute(2,0,1).clone().stride()
        torch.zeros(1,3).expand(2,3).clone().stride()
        torch.zeros(4,4)[::2,::2].t().clone().stride()
        torch.clone(torch.zeros(2,3).t(), memory_format=torch.contiguous_format).stride()
        torch.zeros(2,3).t().contiguous().stride()
        torch.zeros(2,3).t().contiguous(memory_format=torch.contiguous_format).stride()
        torch.zeros(2,3).t().contiguous(memory_format=torch.preserve_format)
        torch.arange(6).view(2,3).t().reshape(6)
        torch.zeros(2,3).t().is_contiguous(memory_format=torch.contiguous_format)
        torch.zeros(2).clone(memory_format=3)
        torch.zeros(2).clone(torch.contiguous_format)
        torch.zeros(2).contiguous(memory_format=3)
        torch.zeros(2, requires_grad=True).clone(memory_format=torch.contiguous_format)
        """,
    )


def constants_are_pickled(torch):
    constants = torch.strided, torch.preserve_format, torch.contiguous_format
    return [
        [pickle.loads(pickle.dumps(each)) is each, copy.deepcopy(each) is each]
        for each in constants
    ]


def functions_that_are_saved(torch):
    return shown(
        torch,
        """
        F = torch.nn.functional
        again = lambda what: pickle.loads(pickle.dumps(what))
        [again(each) is each for each in (torch.tanh, torch.absolute, torch.where, torch.zeros)]
        [again(each) is each for each in (torch.relu_, torch.is_tensor, torch.tensor, torch.rand)]
        [again(each) is each for each in (F.relu, F.gelu, F.elu, F.batch_norm, F.softmax)]
        torch.absolute.__name__, torch.relu.__module__
        import functools
        again(functools.partial(torch.sum, dim=0))(torch.ones(3, 2))
        model = torch.nn.Module()
        model.activation = torch.sigmoid
        again(model).activation is torch.sigmoid
        copy.deepcopy(model).activation is torch.sigmoid
        """,
    )

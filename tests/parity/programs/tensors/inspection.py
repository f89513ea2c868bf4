"""Conversions, inspection and Python's own operators, as somebody types them."""

from tests.parity.harness import outcome
from tests.parity.sessions import shown


def to(torch):
    return shown(
        torch,
        """
        t([1.5]).to(torch.int64)
        t([1.5]).to("cpu")
        t([1.5]).to("cpu", torch.float64)
        t([1.5]).to(device="cpu", dtype=torch.float64)
        t([1.5]).to(torch.device("cpu"))
        t([1.5]).to(t([1]))
        t([1.5]).to(other=t([1]))
        t([1.5]).to(torch.float64, copy=True)
        t([1.5]).to(torch.float64, True, True)
        t([1.5]).to("cpu", torch.float64, True, True)
        t([1.5]).to(torch.float32, non_blocking=True)
        t([1.5]).to("foo")
        t([1.5]).to("float32")
        t([1.5]).to()
        t([1.5]).to(None)
        t([1.5]).to(float)
        t([1.5]).to(np.float32)
        t([1.5]).to(dtype=None)
        t([1.5]).to(memory_format=torch.contiguous_format)
        t([1.5]).to(torch.float32, memory_format=torch.preserve_format)
        """,
    )


def to_a_number(torch):
    # The words differ from one build of PyTorch to the next.
    try:
        torch.ones(2).to(1)
    except RuntimeError:
        return "refused"


def by_name(torch):
    return shown(
        torch,
        """
        t([1.5]).char(), t([1.5]).byte(), t([1.5]).short(), t([1.5]).int(), t([1.5]).long(), t([1.5]).half(), t([0.5]).bool()
        t([1.5]).float(memory_format=torch.preserve_format)
        t([1.5]).type()
        t([1.5]).type(torch.int64)
        t([1.5]).type("torch.DoubleTensor")
        t([1.5]).type(torch.LongTensor)
        t([1.5]).type("foo")
        t([1.5]).type(float)
        t([1.5]).type(1)
        t([1.5]).type(dtype=torch.float64, non_blocking=True)
        t([1.5]).type_as(t([1]))
        t([1.5]).type_as(1)
        [t([], dtype=d).type() for d in (torch.float16,torch.float32,torch.float64,torch.int8,torch.int16,torch.int32,torch.int64,torch.uint8,torch.bool)]
        t([300.7]).byte(), t([-1.]).byte(), t([nan]).int(), t([inf]).long(), t([1e20]).int(), t([nan]).bool(), t([3e9]).int(), t([40000]).short(), t([-1.5]).char()
        t([1.]).cpu(memory_format=torch.preserve_format)
        """,
    )


def numbers_and_arrays(torch):
    return shown(
        torch,
        """
        t([1.]).item(), t(True).item()
        t([1.,2.]).item()
        t([]).item()
        t([1.,2.]).tolist()
        t([1.],requires_grad=True).numpy()
        t([1.],requires_grad=True).numpy(force=True)
        np.asarray(t([1.],requires_grad=True))
        np.asarray(t([1.,2.])), np.array(t([1])), np.array(t(1.)), np.array(t([1.,2.]), dtype=np.int64), np.float64(t(2.))
        np.asarray([t(1.),t(2.)])
        """,
    )


def numpy_functions(torch):
    return shown(
        torch,
        """
        np.sin(t([1.,2.]))
        np.add(t([1.,2.]), 1)
        np.add(t([1.,2.]), np.array([1.,2.]))
        np.array([1.,2.]) * t([1.,2.])
        np.array([1.,2.]) + t([1.,2.])
        np.array([1.,2.]) == t([1.,2.])
        t([1.,2.]) * np.array([1.,2.])
        t([1.,2.]) + np.float64(1.5)
        np.float64(1.5) + t([1.,2.])
        np.float32(1.5) * t([1,2])
        np.int64(2) * t([1,2])
        t([1,2]) * np.float32(1.5)
        t([1,2]) == np.array([1,3])
        np.dot(t([1.,2.]), t([1.,2.]))
        np.sin(t([1.,2.],requires_grad=True))
        np.stack([t([1.,2.]),t([1.,2.])])
        t([1.]).__array_priority__
        t([1.]).__array__().dtype
        t([1.]).__array__(np.float64)
        t([1.]).__array__(copy=True)
        t([1.]).__array_wrap__(np.array([2.]))
        t([1.],requires_grad=True).__array__()
        """,
    )


def sizes_and_strides(torch):
    return shown(
        torch,
        """
        t([[1,2],[3,4]]).size(), t([[1,2],[3,4]]).size(0), t([[1,2],[3,4]]).size(-1), t([[1,2],[3,4]]).size(dim=1)
        t([1]).size(1)
        t(1).size(0)
        t([1]).size("a")
        t([1]).stride(1)
        t([[1,2],[3,4]]).stride(), t([[1,2],[3,4]]).stride(-1), t(1).stride()
        torch.zeros(2,0,3).stride(), torch.zeros(0).stride(), torch.zeros(3,1,2).stride(), torch.zeros(2,0).stride(), torch.zeros(0,3).stride()
        t([1]).ndimension(), t([1]).dim(), t([1]).nelement(), t([1]).element_size(), t([1]).itemsize, t([1,2]).nbytes
        t([1,2,3])[1:].storage_offset(), t([1,2,3])[1:].data_ptr()-0 > 0
        torch.zeros(0).data_ptr()
        torch.zeros(2,3).t().is_contiguous(), torch.zeros(2,3).is_contiguous(), torch.zeros(2,1).t().is_contiguous(), torch.zeros(0,3).t().is_contiguous()
        torch.zeros(2,3).t().contiguous().stride()
        """,
    )


def the_same_or_close(torch):
    return shown(
        torch,
        """
        t([1,2]).is_same_size(t([3,4])), t([1,2]).is_same_size(t([[3,4]]))
        (lambda x: (x.is_set_to(x), x.is_set_to(x.view(2)), x.is_set_to(x.clone()), x.is_set_to(x[1:])))(t([1,2]))
        t([1,2]).equal(t([1,2])), t([1,2]).equal(t([1,3])), t([1,2]).equal(t([[1,2]])), torch.equal(t([nan]), t([nan]))
        t([1,2]).equal(t([1.,2.]))
        torch.allclose(t([1.]),t([1.+1e-9])), t([1.]).allclose(t([1.1])), t([1.]).allclose(t([1.1]),rtol=0.2), torch.allclose(t([nan]), t([nan]),equal_nan=True)
        torch.allclose(t([1.]),t([1]))
        torch.allclose(t([1.]),t([1.],dtype=torch.float64))
        torch.allclose(t([1]),t([2])), torch.allclose(t([True]),t([True]))
        torch.allclose(t([1.]),1.)
        torch.isclose(t([1.,2.]),t([1.,2.1])), torch.isclose(t([1,2]),t([1,3])), torch.isclose(t([inf]),t([inf])), torch.isclose(t([inf]),t([-inf])), torch.isclose(t([inf]),t([1.]))
        torch.isclose(t([1.]),t([1]))
        torch.isclose(t([1.]),t([1.]),rtol=-1)
        torch.isclose(t([1.]),t([1.]),atol=-1)
        torch.allclose(t([1.]),t([1.]),atol=-1)
        torch.allclose(t([1.,2.]),t([1.,2.,3.]))
        torch.allclose(t([1.,1.]),t(1.))
        torch.equal(t([1.]),[1.])
        t([1.]).all(), t([0,1]).any(), t([]).all(), t([]).any(), t([1],dtype=torch.uint8).all(), t([[1,0]]).all(0), t([[1,0]]).any(1,keepdim=True), t([[1,0]]).all(dim=(0,1))
        torch.all(t([[1,0]]),1), torch.any(t([[1,0]]),dim=0)
        """,
    )


def devices(torch):
    return shown(
        torch,
        """
        torch.device("cpu")
        str(torch.device("cpu")), torch.device("cpu").type, torch.device("cpu").index
        torch.device("cpu:0"), torch.device("cpu",0), str(torch.device("cpu:0"))
        torch.device("cuda")
        torch.device("cuda:1")
        torch.device("foo")
        torch.device("cpu:a")
        torch.device("")
        torch.device()
        torch.device("cpu")==torch.device("cpu"), torch.device("cpu")==torch.device("cpu:0"), torch.device("cpu")=="cpu", hash(torch.device("cpu"))==hash(torch.device("cpu"))
        torch.device(torch.device("cpu"))
        torch.device(type="cpu")
        torch.device("cpu:1"), torch.device("cpu",-1)
        t([1.]).device, str(t(1.).device), repr(t(1.).device), t(1.).device=="cpu", t(1.).device.type
        pickle.loads(pickle.dumps(torch.device("cpu")))
        copy.deepcopy(torch.device("cpu"))
        t([1.]).layout, torch.strided
        """,
    )


def flags(torch):
    return shown(
        torch,
        """
        t([1.]).get_device()
        t([1.]).names, t([1.]).has_names()
        """,
    )


def storages(torch):
    return shown(
        torch,
        """
        t([1.,2.]).untyped_storage().nbytes(), len(t([1.,2.]).untyped_storage()), t([1.,2.]).untyped_storage().size()
        t([1,2],dtype=torch.uint8).untyped_storage()
        t([1,2],dtype=torch.uint8).untyped_storage().tolist()
        t([1.,2.]).untyped_storage().device
        (lambda x: (x.untyped_storage() is x.untyped_storage(), x.untyped_storage()==x.untyped_storage(), x.untyped_storage().data_ptr()==x[1:].untyped_storage().data_ptr()))(t([1.,2.]))
        """,
    )


def python_protocols(torch):
    return shown(
        torch,
        """
        len(t([1,2])), list(t([1,2])), 1 in t([1,2]), 5 in t([1,2]), t(1) in t([1,2])
        "a" in t([1,2])
        [1] in t([1,2])
        None in t([1,2])
        bool(t([]))
        bool(t([1,2]))
        int(t(2.7)), float(t(2)), int(t([3]))
        int(t([1,2]))
        float(t([]))
        t(3).__index__(), [1,2,3][t(1)], range(5)[t(2)]
        t(3.).__index__()
        t([1,2]).__index__()
        [1,2,3][t(True)]
        [1,2,3][t([1])]
        complex(t(1.5))
        complex(t(2))
        f"{t(1.5):.3f}", f"{t(3)}", f"{t([1.])}", format(t(1.5),"")
        f"{t([1.]):.3f}"
        f"{t(1.5,requires_grad=True):.2f}", f"{t(1.5,requires_grad=True)}"
        f"{t([1.5])!r:>20}"
        """,
    )


def strange_operands(torch):
    return shown(
        torch,
        """
        t(1)==None, t(1)!=None, t(1)=="a"
        t([1])==[1]
        t([1,2])<"a"
        t([1,2])+"a"
        t([1,2])+None
        t([1,2])+[1,2]
        "a"+t([1])
        [1,2]+t([1])
        t([1])*None
        t([1])<None
        t([1,2])<t([1,2,3])
        torch.add(1,2)
        torch.add(1,t(2))
        """,
    )


def comparisons(torch):
    return shown(
        torch,
        """
        torch.lt(t([1.]),2), torch.ge(t([1]),t([1.])), torch.greater(t(1),0), torch.greater_equal(t(1),1), torch.less_equal(t(1),1), torch.not_equal(t(1),1), t(1).eq(1), t([1.]).ne(1)
        t([1.,2.]).eq_(1), t([1.,2.]).lt_(2)
        t([1,2]).lt_(2)
        torch.logical_and(t([1.,0.]),t([1,1])), torch.logical_not(t([1.,0.])), torch.logical_xor(t([True]),t([False]))
        torch.logical_and(t([1]),1)
        t([1.])&1
        torch.bitwise_and(t([5]),3), torch.bitwise_not(t([5])), torch.bitwise_or(t([True]),t([False])), torch.bitwise_xor(t([5]),t([1]))
        ~t([1.])
        torch.is_nonzero(t([1.]))
        torch.is_nonzero(t([1.,2.]))
        torch.is_same_size(t([1]),t([2]))
        torch.isin(t([1,2,3]),t([1,3])), torch.isin(t([1,2]),1), torch.isin(1,t([1]))
        """,
    )


def copies(torch):
    return shown(
        torch,
        """
        copy.copy(t([1.,2.],requires_grad=True))
        (lambda x: (copy.copy(x) is x, copy.copy(x).data_ptr()==x.data_ptr(), copy.copy(x*2).grad_fn if False else None))(t([1.],requires_grad=True))
        copy.copy(t([1.],requires_grad=True)*2)
        copy.deepcopy(t([1.,2.],requires_grad=True))
        copy.deepcopy(t([1.],requires_grad=True)*2)
        copy.deepcopy((t([1.],requires_grad=True)*2).detach())
        (lambda x: [ (y[0].data_ptr()==y[1].data_ptr(), y[1].storage_offset(), y[0].untyped_storage().data_ptr()==y[1].untyped_storage().data_ptr()) for y in [copy.deepcopy([x, x[1:]])]])(t([1.,2.,3.]))
        copy.deepcopy([t(1.)]*2)[0] is copy.deepcopy([t(1.)]*2)[1]
        (lambda l: l[0] is l[1])(copy.deepcopy([t(1.)]*2))
        copy.deepcopy(torch.nn.Parameter(t([1.])))
        copy.deepcopy(torch.zeros(2,3).t()).stride()
        pickle.loads(pickle.dumps(t([1.,2.],requires_grad=True)))
        pickle.loads(pickle.dumps(t([1.],requires_grad=True)*2))
        pickle.loads(pickle.dumps(torch.nn.Parameter(t([1.]))))
        pickle.loads(pickle.dumps(torch.zeros(2,3).t())).stride()
        (lambda y: (y[0].untyped_storage().data_ptr()==y[1].untyped_storage().data_ptr(), y[1].storage_offset()))((lambda x: pickle.loads(pickle.dumps([x,x[1:]])))(t([1.,2.])))
        pickle.loads(pickle.dumps(torch.Size([1,2])))
        t(1).foo
        t(1).is_leaf, (t(1.,requires_grad=True)*2).is_leaf
        """,
    )


def shapes(torch):
    return shown(
        torch,
        """
        torch.Size([1,2])+torch.Size([3]), torch.Size([1,2])[0:1], torch.Size([1,2])*2, torch.Size([1,2])+(3,), (3,)+torch.Size([1])
        torch.Size([1,2])+[3]
        torch.Size([1,2])+3
        torch.Size([1,2]).numel(), torch.Size([2,3])[1], torch.Size(), torch.Size((1,)), str(torch.Size([1]))
        torch.Size([1.5])
        torch.Size(3)
        torch.Size(["a"])
        torch.Size([t(2)]), torch.Size([np.int64(3)])
        torch.Size([-1])
        torch.Size([1,2])==(1,2), hash(torch.Size([1,2]))==hash((1,2)), torch.Size([1,2]).count(1), torch.Size([1,2]).index(2)
        type(torch.Size([1,2])[:1]), type(torch.Size([1])+(1,)), type((1,)+torch.Size([1])), type(torch.Size([1])*2), type(2*torch.Size([1]))
        repr(t([1,2]).size())
        """,
    )


def that_warn_or_are_refused(torch):
    torch.set_warn_always(True)
    return shown(
        torch,
        """
        float(X)
        float(X[0, 1])
        float(X[0, 1].detach())
        complex(X)
        int(X)
        int(X[0, 1])
        X.is_coalesced()
        """,
    )


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


def closeness(torch):
    inf, nan = float("inf"), float("nan")
    whole = torch.tensor([2**53 + 1, 7])
    x, y = torch.tensor([inf, nan, 1.0, -0.0]), torch.tensor([1.0, nan, 1.0001, 0.0])
    results = (
        torch.isclose(x, y), torch.isclose(x, y, rtol=inf), torch.isclose(x, y, atol=inf),
        torch.isclose(x, y, equal_nan=True), torch.isclose(x, y, rtol=0.0, atol=0.0),
        torch.isclose(whole, whole - 1), torch.isclose(whole, whole - 1, rtol=0.0, atol=0.0),
        torch.isclose(whole, whole - 1, rtol=0.0, atol=1.0), torch.isclose(x > 0, y > 0),
        torch.isclose(x[:, None].requires_grad_(), y),
    )  # fmt: skip
    found = [[each, each._version] for each in results]
    return [found, outcome(lambda: torch.isclose(x, y, atol=nan))]

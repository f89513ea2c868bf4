"""Old constructors, print options and assert_close, as somebody types them."""

from tests.parity.sessions import shown


def the_class_as_a_constructor(torch):
    return shown(
        torch,
        """
        torch.Tensor(2,3).shape
        torch.Tensor([1,2])
        torch.Tensor([[1,2],[3,4]])
        torch.Tensor((1,2))
        torch.Tensor(torch.Size([2])).shape
        torch.Tensor()
        torch.Tensor(1.5)
        torch.Tensor("a")
        torch.Tensor(t([1.,2.]))
        torch.Tensor(t([1,2]))
        torch.Tensor(t([1.],dtype=torch.float64))
        torch.Tensor(np.array([1.,2.]))
        torch.Tensor(np.array([1.,2.],dtype=np.float32))
        torch.Tensor(np.int64(2)).shape
        torch.Tensor([1.], device="cpu")
        torch.Tensor([1.], requires_grad=True)
        torch.Tensor([1.], dtype=torch.int64)
        torch.Tensor(-1)
        torch.Tensor(2,"a")
        torch.Tensor([])
        torch.Tensor(None)
        torch.Tensor([True,2])
        torch.Tensor(size=(2,3)).shape
        torch.Tensor(t(3))
        torch.Tensor(range(3))
        torch.Tensor(torch.zeros(2).untyped_storage())
        (lambda x: torch.Tensor(x).data_ptr()==x.data_ptr())(t([1.,2.]))
        (lambda x: torch.Tensor(x))(t([1.,2.],requires_grad=True))
        torch.Tensor.__module__, torch.Tensor.__name__
        """,
    )


def constructors_by_dtype(torch):
    return shown(
        torch,
        """
        torch.LongTensor([1,2])
        torch.LongTensor(2,3).shape
        torch.LongTensor([1.5])
        torch.LongTensor(t([1.5]))
        torch.LongTensor(t([1,2]))
        torch.LongTensor(np.array([1,2]))
        torch.LongTensor(np.array([1.5]))
        torch.LongTensor()
        torch.LongTensor((1,2))
        torch.FloatTensor([1,2])
        torch.FloatTensor(2).shape
        torch.DoubleTensor([1])
        torch.HalfTensor([1])
        torch.IntTensor([1])
        torch.ShortTensor([1])
        torch.CharTensor([1])
        torch.ByteTensor([1])
        torch.ByteTensor([256])
        torch.BoolTensor([True,0,2])
        torch.FloatTensor
        torch.FloatTensor.dtype
        torch.LongTensor.__name__, torch.LongTensor.__module__
        torch.FloatTensor.is_cuda
        isinstance(t([1]),torch.LongTensor), isinstance(t([1.]),torch.LongTensor), isinstance(t([1.]),torch.FloatTensor), isinstance(1,torch.LongTensor)
        isinstance(torch.nn.Parameter(t([1.])),torch.FloatTensor), isinstance(torch.LongTensor([1]), torch.Tensor)
        issubclass(torch.LongTensor, torch.Tensor)
        torch.cuda.is_available()
        torch.FloatTensor("a")
        torch.FloatTensor(1.5)
        torch.FloatTensor([1.],device="cuda")
        """,
    )


def variables(torch):
    return shown(
        torch,
        """
        torch.autograd.Variable(t([1.]),requires_grad=True)
        torch.autograd.Variable(t([1.]))
        torch.autograd.Variable(t([1]),requires_grad=True)
        torch.autograd.Variable([1.])
        torch.autograd.Variable()
        torch.autograd.Variable(t([1.],requires_grad=True))
        isinstance(t(1.),torch.autograd.Variable)
        torch.autograd.Variable(t([1.]),volatile=True)
        """,
    )


def default_tensor_type(torch):
    return shown(
        torch,
        """
        torch.set_default_tensor_type("torch.DoubleTensor")
        torch.get_default_dtype()
        torch.set_default_tensor_type(torch.FloatTensor)
        torch.get_default_dtype()
        torch.set_default_tensor_type(torch.LongTensor)
        """,
    )


def print_options(torch):
    return shown(
        torch,
        """
        torch.set_printoptions(precision=2)
        t([1.23456,2.])
        torch.set_printoptions(profile="full")
        torch.set_printoptions(profile="short")
        t([1.23456,2.])
        torch.set_printoptions(profile="foo")
        torch.set_printoptions(profile="default")
        torch.set_printoptions(sci_mode=True)
        t([1.23456,2.])
        torch.set_printoptions(sci_mode=False)
        t([1e-8,2.])
        torch.set_printoptions(sci_mode=None)
        t([1e-8,2.])
        torch.set_printoptions(threshold=5, edgeitems=1, linewidth=20)
        torch.arange(10), torch.zeros(5,5), t(1.), torch.arange(4.)/3
        torch.set_printoptions()
        torch.arange(10)
        torch.set_printoptions(profile="default")
        torch.get_printoptions()
        """,
    )


def assert_close(torch):
    return shown(
        torch,
        """
        torch.testing.assert_close(t([1.]),t([1.]))
        torch.testing.assert_close(t([1.,2.]),t([1.,3.]))
        torch.testing.assert_close(t([1.,2.]),t([1.,2.00001]))
        torch.testing.assert_close(t([1.,2.]),t([1.,2.,3.]))
        torch.testing.assert_close(t([1.]),t([1.],dtype=torch.float64))
        torch.testing.assert_close(t([1.]),t([1.],dtype=torch.float64),check_dtype=False)
        torch.testing.assert_close(t([1]),t([2]))
        torch.testing.assert_close(t(1.),t(2.))
        torch.testing.assert_close(1.,2.)
        torch.testing.assert_close(1,2)
        torch.testing.assert_close(1,2.)
        torch.testing.assert_close(True,False)
        torch.testing.assert_close([t(1.),t(2.)],[t(1.),t(3.)])
        torch.testing.assert_close([1.],[1.,2.])
        torch.testing.assert_close({"a":t(1.)},{"a":t(2.)})
        torch.testing.assert_close({"a":1.},{"b":1.})
        torch.testing.assert_close(t(1.),1.)
        torch.testing.assert_close(t([1.]),[1.])
        torch.testing.assert_close(t([nan]),t([nan]))
        torch.testing.assert_close(t([nan]),t([nan]),equal_nan=True)
        torch.testing.assert_close(t([1.]),t([1.1]),rtol=0.2)
        torch.testing.assert_close(t([1.]),t([1.1]),rtol=0.2,atol=0.)
        torch.testing.assert_close(t([1.]),t([1.1]),rtol=0.01,atol=0.)
        torch.testing.assert_close(t([[1.,2.],[3.,4.]]),t([[1.,2.],[5.,9.]]),rtol=0,atol=0)
        torch.testing.assert_close(t([1.]),t([1.1]),msg="no")
        torch.testing.assert_close(t([1.]),t([1.1]),msg=lambda m: "x"+m)
        torch.testing.assert_close(np.array([1.]),np.array([2.]))
        torch.testing.assert_close("a","b")
        torch.testing.assert_close("a","a")
        torch.testing.assert_close(None,None)
        torch.testing.assert_close(None,t(1.))
        torch.testing.assert_close(t([True]),t([False]))
        torch.testing.assert_close(torch.zeros(2,3).t(),torch.zeros(3,2),check_stride=True)
        torch.testing.assert_close(t([]),t([]))
        torch.testing.assert_close(t([1.]),t([inf]))
        torch.testing.assert_close(t([1.],requires_grad=True),t([1.]))
        torch.testing.assert_close(torch.nn.Parameter(t([1.])),t([1.]))
        torch.testing.assert_close(torch.nn.Parameter(t([1.])),t([1.]),allow_subclasses=False)
        torch.testing.assert_close([[t(1.)]],[[t(2.)]])
        torch.testing.assert_close(t([1.,2.,3.]),t([2.,2.,9.]))
        torch.testing.assert_close([t([1.]),t([1.])],[t([2.]),t([2.,3.])])
        torch.testing.assert_close((1,),[1])
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

"""What dtypes are, hold and become, as somebody types it."""

from tests.parity.sessions import shown


def seeds(torch):
    return shown(
        torch,
        """
        torch.manual_seed("a")
        torch.manual_seed(2**64)
        torch.Generator(device="cpu").manual_seed(4).initial_seed()
        """,
    )


def the_default(torch):
    return shown(
        torch,
        """
        torch.get_default_dtype()
        torch.set_default_dtype(torch.int64)
        torch.set_default_dtype("a")
        torch.set_default_dtype(torch.float64)
        t(1.5), t([1]), torch.zeros(2), torch.arange(2.), t(1)/2, torch.ones(2).dtype, t(2).exp().dtype
        t(np.float32(1.5)).dtype, torch.Tensor([1.5]).dtype, torch.full((2,),1.5).dtype, torch.linspace(0,1,2).dtype
        torch.set_default_dtype(torch.float32)
        """,
    )


def limits(torch):
    return shown(
        torch,
        """
        torch.finfo(torch.float32)
        torch.finfo(torch.float32).eps, torch.finfo(torch.float32).max, torch.finfo(torch.float32).min, torch.finfo(torch.float32).tiny, torch.finfo(torch.float32).smallest_normal, torch.finfo(torch.float32).resolution, torch.finfo(torch.float32).bits, torch.finfo(torch.float32).dtype
        torch.finfo()
        torch.finfo(torch.int64)
        torch.finfo("float32")
        torch.finfo(None)
        torch.iinfo("int8")
        torch.iinfo(3)
        torch.iinfo()
        x.to(3.5)
        x.to(3)
        torch.iinfo(torch.int64)
        torch.iinfo(torch.uint8)
        torch.iinfo(torch.float32)
        torch.iinfo(torch.bool)
        torch.iinfo(torch.int8).max, torch.iinfo(torch.int8).min, torch.iinfo(torch.int8).bits, torch.iinfo(torch.int8).dtype
        torch.finfo(torch.float16)
        torch.finfo(torch.float64)
        torch.finfo(torch.float32)==torch.finfo(torch.float32)
        """,
    )


def questions(torch):
    return shown(
        torch,
        """
        torch.is_tensor(t(1)), torch.is_tensor(1)
        torch.is_floating_point(t(1.)), torch.is_floating_point(t(1))
        torch.is_floating_point(1.)
        torch.numel(t([1,2]))
        torch.numel([1])
        """,
    )


def promotion(torch):
    return shown(
        torch,
        """
        torch.result_type(t(1),1.5)
        torch.result_type(t([1]),t(1.5,dtype=torch.float64))
        torch.result_type(1,2.)
        torch.result_type(True,1)
        torch.can_cast(torch.float32,torch.int64), torch.can_cast(torch.int64,torch.float32), torch.can_cast(torch.int64, torch.bool), torch.can_cast(torch.float64,torch.float16), torch.can_cast(torch.uint8,torch.int8)
        torch.promote_types(torch.int8,torch.uint8), torch.promote_types(torch.float16,torch.int64), torch.promote_types(torch.bool,torch.uint8)
        torch.promote_types(torch.int8, 1)
        """,
    )


def attributes(torch):
    return shown(
        torch,
        """
        torch.float32.is_floating_point, torch.float32.is_complex, torch.float32.is_signed, torch.uint8.is_signed, torch.float32.itemsize, torch.bool.itemsize
        torch.bool.is_signed
        hash(torch.float32)==hash(torch.float32), torch.float32==torch.float, torch.float32=="a", torch.float32!=torch.float64
        pickle.loads(pickle.dumps(torch.float32)) is torch.float32
        copy.deepcopy(torch.float32) is torch.float32, copy.copy(torch.float32) is torch.float32
        isinstance(torch.float32, torch.dtype)
        torch.dtype()
        """,
    )


def integers(torch):
    return shown(
        torch,
        """
        t([1]).requires_grad_()
        t([1]).requires_grad_(False)
        """,
    )


def whole_arithmetic(torch):
    return shown(
        torch,
        """
        t([127],dtype=torch.int8)+1
        t([255],dtype=torch.uint8)+1
        t([2**63-1])+1
        t([1])/0
        t([-7])//2, t([-7])%2, t([-7.])//2, t([-7.])%3, t([7])%-3, t([1.])//0., t([-1.])//0., t([0.])//0.,t([1.])%0.
        -t([1],dtype=torch.uint8)
        t([2])**-1
        t([2])**0.5
        t([2],dtype=torch.int8)**2
        2**t([3])
        2.**t([3])
        t([0])**-1
        t([1.])&t([1.])
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


def types_of_python(torch):
    """`float` stands for float64, `int` for int64."""
    return shown(
        torch,
        """
        x = torch.ones(2)
        x.sum(dtype=float), x.sum(0, dtype=float), x.sum(axis=0, dtype=int)
        torch.mean(x, dtype=float), torch.prod(x, 0, dtype=float), x.cumprod(0, dtype=int)
        torch.cumsum(x, 0, dtype=float), x.clone().cumsum_(0, dtype=float)
        x.softmax(0, float), torch.log_softmax(x, 0, dtype=float)
        torch.nn.functional.softmax(x, 0, dtype=float)
        x.view(int), x.view(dtype=int)
        x.to(dtype=float), x.to(device="cpu", dtype=bool), x.to("cpu", int)
        torch.promote_types(float, torch.float32), torch.can_cast(float, int)
        torch.finfo(float), torch.iinfo(int)
        torch.iinfo(bool)
        torch.nn.Linear(1, 1).to(float).weight.dtype
        torch.nn.Linear(1, 1).to(dtype=float).weight.dtype
        torch.nn.Linear(1, 1).to(int)
        x.to(dtype=object)
        x.type(float)
        x.sum(dtype=object)
        """,
    )

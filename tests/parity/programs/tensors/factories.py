"""Tensors of a size, of ranges and like others, as somebody types them."""

from tests.parity.sessions import shown


def zeros(torch):
    return shown(
        torch,
        """
        torch.scalar_tensor(3)
        torch.scalar_tensor(3.5, dtype=torch.float64)
        torch.zeros(2,3)
        torch.zeros([2,3])
        torch.zeros((2,3))
        torch.zeros(torch.Size([2,3]))
        torch.zeros(())
        torch.zeros()
        torch.zeros(2.)
        torch.zeros("a")
        torch.zeros([2.])
        torch.zeros(-1)
        torch.zeros(2,-1)
        torch.zeros(t(2))
        torch.zeros(t(2),3)
        torch.zeros(np.int64(2))
        torch.zeros(size=(2,))
        torch.zeros(2, dtype=int)
        torch.zeros(2, dtype=torch.int64, requires_grad=True)
        torch.zeros(2, out=torch.ones(2))
        torch.zeros(2, device="cpu", layout=torch.strided, pin_memory=False)
        torch.zeros(2, foo=1)
        torch.zeros(True)
        """,
    )


def full(torch):
    return shown(
        torch,
        """
        torch.full((2,),1)
        torch.full((2,),1.5)
        torch.full((2,),True)
        torch.full(2,1.5)
        torch.full((2,),t(3))
        torch.full((2,),t(3.5),dtype=torch.int64)
        torch.full((2,),1,dtype=torch.float32)
        torch.full((),7)
        torch.full((2,), fill_value=3)
        torch.full((2,), 300, dtype=torch.uint8)
        torch.full([2], 1.5, dtype=torch.int32)
        torch.full((2,), "a")
        torch.full((2,), t([1,2]))
        """,
    )


def arange(torch):
    return shown(
        torch,
        """
        torch.arange(5)
        torch.arange(5.)
        torch.arange(1,5)
        torch.arange(1,5,2)
        torch.arange(0,1,0.1)
        torch.arange(0,1,0.1).tolist()
        torch.arange(0.1,1,0.3,dtype=torch.float64).tolist()
        torch.arange(5,1)
        torch.arange(5,1,-1)
        torch.arange(1,5,-1)
        torch.arange(1,5,0)
        torch.arange(0)
        torch.arange(-1)
        torch.arange(2.5)
        torch.arange(0,2.5,dtype=torch.int64)
        torch.arange(inf)
        torch.arange(nan)
        torch.arange(t(3))
        torch.arange(t(3.))
        torch.arange(end=4)
        torch.arange(start=1,end=4,step=2)
        torch.arange(True)
        torch.arange("a")
        torch.arange(5, requires_grad=True)
        torch.arange(5., requires_grad=True)
        torch.arange(0,5,2,dtype=torch.uint8)
        torch.arange(3,dtype=torch.bool)
        torch.arange(2,dtype=torch.float16)
        torch.arange(1, 2, 0.3, dtype=torch.float32).tolist()
        torch.arange()
        """,
    )


def linspace_and_logspace(torch):
    return shown(
        torch,
        """
        torch.linspace(0,1,5)
        torch.linspace(0,1,5).tolist()
        torch.linspace(0,1,3,dtype=torch.int64)
        torch.linspace(0,10,4,dtype=torch.int64)
        torch.linspace(3,10,steps=5)
        torch.linspace(0,1,1)
        torch.linspace(0,1,0)
        torch.linspace(0,1,-1)
        torch.linspace(-1,1,7,dtype=torch.float64).tolist()
        torch.linspace(0.1,0.7,7).tolist()
        torch.linspace(t(0.),t(1.),3)
        torch.linspace(0,1,3,requires_grad=True)
        torch.logspace(0,2,3)
        torch.logspace(0,2,5,base=2)
        torch.logspace(-1,1,4,dtype=torch.float64).tolist()
        """,
    )


def eye(torch):
    return shown(
        torch,
        """
        torch.eye(2)
        torch.eye(2,3)
        torch.eye(0)
        torch.eye(-1)
        torch.eye(2,dtype=torch.int64)
        torch.eye(2,-3)
        torch.eye(n=2,m=1)
        torch.eye(2.)
        """,
    )


def random_sizes_and_dtypes(torch):
    return shown(
        torch,
        """
        torch.rand(2).shape
        torch.rand((2,3)).shape
        torch.rand(()).shape
        torch.rand(2,dtype=torch.int64)
        torch.randn(2,dtype=torch.int64)
        torch.rand(2,requires_grad=True).requires_grad
        """,
    )


def randint_and_randperm(torch):
    return shown(
        torch,
        """
        torch.randint(3,(2,)).dtype
        torch.randint(3,(2,),dtype=torch.float32).dtype
        torch.randint(3,3,(2,))
        torch.randint(5,3,(2,))
        torch.randint(0,10,(2,3)).shape
        torch.randint(low=0,high=10,size=(2,3)).shape
        torch.randint(3, 5, [2]).shape
        torch.randint(300,(2,),dtype=torch.uint8)
        torch.randint(2**15 + 2,(2,),dtype=torch.int16)
        torch.randint(-2**31 - 1, 3,(2,),dtype=torch.int32)
        torch.randint(3,2)
        torch.randint(3)
        torch.randperm(5).sort().values
        torch.randperm(5,dtype=torch.int32).dtype
        torch.randperm(0)
        torch.randperm(-1)
        """,
    )


def like_others(torch):
    return shown(
        torch,
        """
        torch.zeros_like(t([1,2]),dtype=torch.float32)
        torch.zeros_like(t([1.,2.]),requires_grad=True)
        torch.zeros_like(t([1.,2.],requires_grad=True))
        torch.zeros_like([1,2])
        torch.ones_like(t([1,2]),requires_grad=True)
        torch.full_like(t([1,2]),2.5)
        torch.full_like(t([1.,2.]),2)
        torch.rand_like(t([1,2]))
        torch.rand_like(t([1,2]),dtype=torch.float32).dtype
        torch.randn_like(t([1,2]))
        torch.randint_like(t([1.,2.]),5).dtype
        torch.randint_like(t([1.,2.]),2,5).dtype
        torch.zeros_like(torch.zeros(2,3).t()).stride()
        torch.zeros_like(torch.zeros(2,3).t(), memory_format=torch.preserve_format).stride()
        torch.zeros_like(torch.zeros(2,3).t(), memory_format=torch.contiguous_format).stride()
        torch.zeros_like(torch.zeros(1,3).expand(2,3)).stride()
        torch.zeros_like(torch.zeros(4,4)[::2,::2]).stride()
        """,
    )


def new_ones_of_a_tensor(torch):
    return shown(
        torch,
        """
        t([1.]).new_zeros(2,3)
        t([1.]).new_zeros((2,3),dtype=torch.int64)
        t([1]).new_ones([2])
        t([1]).new_ones(2,requires_grad=True)
        t([1.]).new_ones(2,requires_grad=True)
        t([1]).new_full((2,),3.5)
        t([1.]).new_full((2,),3)
        t([1]).new_full((2,),True)
        t([1]).new_tensor([1.5])
        t([1.]).new_tensor([1,2])
        t([1]).new_tensor([1.5],dtype=torch.float32)
        t([1.]).new_tensor(t([1.]))
        t([1.]).new_tensor([1.],requires_grad=True)
        t([1.]).new_empty((2,)).shape
        t([1.]).new_empty(2,3).shape
        """,
    )


def new(torch):
    return shown(
        torch,
        """
        t([1.]).new(2,3).shape
        t([1.]).new([1,2])
        t([1]).new([1.5])
        t([1.]).new()
        t([1.]).new(t([2.]))
        t([1.]).new(torch.Size([2])).shape
        """,
    )


def ends_that_a_dtype_does_not_hold(torch):
    return shown(
        torch,
        """
        torch.arange(0,1,0.1,dtype=torch.int32)
        torch.arange(0,1,0.1,dtype=torch.int64)
        torch.arange(0,-1,-0.1,dtype=torch.int64)
        torch.arange(0,5,nan)
        torch.arange(0,inf,0)
        torch.arange(0,5,inf,dtype=torch.int64)
        torch.arange(2**63)
        torch.arange(2**63-3,2**63-1)
        torch.arange(0,2**63,2**62)
        torch.arange(0,2**63,2**62,dtype=torch.float32)
        torch.arange(2**70)
        torch.arange(-2**70,5)
        torch.arange(0,5,-2**70)
        torch.linspace(0.9,2.1,4,dtype=torch.int64)
        torch.linspace(-0.9,2.1,4,dtype=torch.int32)
        torch.linspace(-3,255,4,dtype=torch.uint8)
        torch.linspace(-3.,4,4,dtype=torch.uint8)
        torch.linspace(0,300,4,dtype=torch.int8)
        torch.linspace(0,nan,4,dtype=torch.int8)
        torch.logspace(0.5,3,4,dtype=torch.int64)
        torch.logspace(0,300,4,dtype=torch.int8)
        """,
    )


def old_constructors(torch):
    return shown(
        torch,
        """
        torch.Tensor(data=[1.,2.])
        torch.Tensor(other=t([1.]))
        torch.Tensor(size=()).shape
        torch.LongTensor(size=(2,3)).shape
        torch.LongTensor(size=2)
        torch.Tensor(3,data=[2])
        torch.Tensor(2,t(3)).shape
        torch.Tensor(t(2),3).shape
        torch.Tensor(2,True).shape
        torch.Tensor(2,2.5)
        torch.Tensor(2.5,3)
        torch.Tensor(True,2)
        torch.Tensor([1],2)
        torch.FloatTensor(t([1.]),t([2.]))
        t([1.]).new(2,t(3)).shape
        t([1.]).new(2.5,3)
        t([1.]).new(t([3]))
        t([1]).new(t([3.]))
        t([1.]).new(data=[1])
        """,
    )


def what_numpy_makes_of_tensors(torch):
    return shown(
        torch,
        """
        np.isnan(t([nan,1.]))
        np.isfinite(t(1.))
        np.logical_not(t([True]))
        np.exp(t([0.]))
        torch.ones(2).is_contiguous(memory_format=3)
        torch.ones(2).is_contiguous(memory_format=torch.preserve_format)
        """,
    )

"""Tensors from numbers, sequences, arrays and tensors, as somebody types them."""

from ..sessions import shown


def nested_lists(torch):
    return shown(
        torch,
        """
        t([[1,2],[3]])
        t([[1,2],3])
        t([1,[2]])
        t([[[1],[2]],[[3],[4,5]]])
        t([])
        t([[],[1]])
        t([1,True,2.5])
        t([True,2])
        t([t(1),t(2.5)])
        t([t([1,2]),t([3,4])])
        t([t([1,2]),t([3])])
        """,
    )


def tensors_and_arrays_inside(torch):
    return shown(
        torch,
        """
        t(t([1.,2.]))
        t(t([1.,2.],requires_grad=True))
        t([t(1.,requires_grad=True)])
        t(np.array([1,2],dtype=np.int32))
        t(np.float64(2))
        t(np.int8(2))
        t([np.float64(2)])
        t([np.float32(2), np.int64(1)])
        t(np.array(['a']))
        t("abc")
        t(["a"])
        t(None)
        t([None])
        t({1})
        t({1:2})
        t(object())
        """,
    )


def what_does_not_fit(torch):
    return shown(
        torch,
        """
        t(2**63)
        t(-2**63)
        t(2**64)
        t([2**63])
        t(2**63, dtype=torch.float32)
        t(300, dtype=torch.uint8)
        t(-1, dtype=torch.uint8)
        t([300], dtype=torch.int8)
        t(1.5, dtype=torch.int32)
        t(nan, dtype=torch.int32)
        t(1e300)
        t(1e300, dtype=torch.float16)
        """,
    )


def options(torch):
    return shown(
        torch,
        """
        t([1,2], requires_grad=True)
        t(True, requires_grad=True)
        t([1.,2.], requires_grad=True)
        t([1.], device="cpu")
        t([1.], device=torch.device("cpu"))
        t([1.], device="cpu", pin_memory=False)
        t(1.,2.)
        t(data=[1.])
        t([1.], foo=1)
        t([1], dtype="float32")
        t([1], dtype=float)
        t([1.5], dtype=int)
        t([1.5], dtype=bool)
        t([1.5], dtype=np.float32)
        t(range(3))
        t((1,2))
        t(x for x in [1])
        t(np.array([1.,2.])[::-1])
        t(np.array(1.5))
        """,
    )


def as_tensor_and_asarray(torch):
    return shown(
        torch,
        """
        torch.as_tensor([1,2])
        torch.as_tensor(t([1.]), dtype=torch.float64)
        torch.as_tensor(np.array([1.,2.]), dtype=torch.float32)
        torch.as_tensor([1.], device="cpu")
        torch.as_tensor(np.float32(1))
        torch.as_tensor("a")
        torch.asarray([1,2])
        torch.asarray(np.array([1.,2.]))
        torch.asarray(t([1.]), copy=True)
        torch.asarray([1.], copy=False)
        torch.asarray([1.], requires_grad=True)
        torch.asarray(t([1.],requires_grad=True))
        torch.asarray(1.5)
        """,
    )


def from_numpy(torch):
    return shown(
        torch,
        """
        torch.from_numpy([1])
        torch.from_numpy(np.array(['a']))
        torch.from_numpy(np.array([1.,2.])[::-1])
        torch.from_numpy(np.array(1.))
        torch.from_numpy(np.arange(6).reshape(2,3).T).stride()
        torch.from_numpy(np.float32(1))
        """,
    )

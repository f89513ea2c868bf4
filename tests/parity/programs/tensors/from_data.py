"""Tensors from numbers, sequences, arrays and tensors, as somebody types them."""

import numpy as np

from tests.parity.harness import outcome
from tests.parity.sessions import shown


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
        t([1.], layout=torch.strided)
        t([1.], pin_memory=3)
        t([1.]).new_tensor([1.], layout=torch.strided)
        torch.asarray([1.], layout=torch.strided)
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


def other_sequences(torch):
    return shown(
        torch,
        """
        import array, collections, datetime, enum, fractions
        torch.tensor(collections.deque([[1.5, 2], (3, 4)]))
        torch.tensor([array.array("i", [1, 2]), range(2)])
        torch.as_tensor(array.array("f", [1, 2]), dtype=torch.int32)
        torch.tensor(bytearray(b"ab")), torch.tensor(memoryview(b"ab"))
        torch.FloatTensor(collections.deque([1, 2])), torch.ones(2).new(array.array("d", [3]))
        torch.ones(2).new_tensor(collections.UserList([1, 2]))
        Steps = type("Steps", (), {"__len__": lambda s: 2, "__getitem__": lambda s, i: [1, 2][i]})
        torch.tensor(Steps()), torch.tensor([Steps(), [3.0, 4.0]])
        torch.tensor(type("Endless", (), {"__getitem__": lambda self, i: i})())
        torch.tensor(collections.UserDict(a=1))
        torch.tensor({0: 1}), torch.Tensor({0: 1})
        torch.tensor(enum.IntEnum("Number", "one two").two)
        torch.tensor(enum.Enum("Name", "one two").two)
        torch.tensor(fractions.Fraction(1))
        torch.tensor([datetime.date(2020, 1, 1)])
        torch.tensor(torch.float32)
        """,
    )


def numbers_of_other_kinds(torch):
    return shown(
        torch,
        """
        torch.tensor(b"ab")
        torch.tensor([b"ab"])
        torch.tensor([b"ab"], dtype=torch.int64)
        torch.Tensor(b"ab")
        torch.Tensor([1, "2"])
        torch.tensor([1, []])
        torch.tensor([None], dtype=torch.float64)
        torch.tensor(None, dtype=torch.bool)
        torch.tensor([0, "a"], dtype=torch.bool)
        torch.tensor([np.float32(1)], dtype=torch.bool)
        torch.tensor([np.bool_(True), 2, 0.5], dtype=torch.bool)
        torch.tensor([np.float64(1.5)], dtype=torch.int64)
        torch.tensor([np.float32(1.5)], dtype=torch.int64)
        torch.tensor([np.array(1.0), np.array(2.0)])
        torch.FloatTensor([np.array([1, 2])])
        torch.tensor([np.array([])])
        """,
    )


def copies_of_what_is_expanded(torch):
    return shown(
        torch,
        """
        row = torch.arange(3.).expand(2, 3)
        t(row).stride(), row.new_tensor(row).stride(), t(row, dtype=torch.float64).stride()
        t(row[None].expand(2, 2, 3)).stride(), t(row.t()).stride()
        t(np.broadcast_to(np.arange(3.), (2, 3))).stride(), t(np.ones((2, 3)).T).stride()
        """,
    )


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


def scalars(torch):
    return shown(
        torch,
        """
        torch.scalar_tensor([1])
        torch.scalar_tensor((1,))
        torch.scalar_tensor(None)
        torch.scalar_tensor(np.ones(()))
        torch.scalar_tensor(t([1]))
        torch.scalar_tensor(t(1.0, requires_grad=True))
        torch.scalar_tensor(t(2)), torch.scalar_tensor(np.float32(1.5)), torch.scalar_tensor(True)
        """,
    )

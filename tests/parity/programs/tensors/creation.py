"""Making tensors, and the dtypes they get."""

import numpy as np

from tests.parity.harness import outcome


def tensor_infers_its_dtype(torch):
    return {
        "float": torch.tensor(1.5),
        "int": torch.tensor(3),
        "bool": torch.tensor(True),
        "floats": torch.tensor([1.0, -2.0]),
        "ints": torch.tensor([[1, 2], [3, 4]]),
        "bools": torch.tensor([True, False]),
        "mixed": torch.tensor([1, 2.5]),
        "bool_and_int": torch.tensor([True, 2]),
        "empty": torch.tensor([]),
        "empty_rows": torch.tensor([[], []]),
    }


def tensor_rounds_to_float32(torch):
    return [torch.tensor(0.1), torch.tensor(1 / 3), torch.tensor(16777217.0), torch.tensor(1e-46)]


def tensor_takes_a_dtype(torch):
    return {
        "float64": torch.tensor(0.1, dtype=torch.float64),
        "int64": torch.tensor(2.9, dtype=torch.int64),
        "bool": torch.tensor([0, 1, 2], dtype=torch.bool),
        "float32_of_ints": torch.tensor([1, 2], dtype=torch.float32),
    }


def names_of_dtypes(torch):
    dtypes = [torch.float32, torch.float64, torch.int64, torch.bool]
    return {
        "str": [str(dtype) for dtype in dtypes],
        "repr": [repr(dtype) for dtype in dtypes],
        "is_floating_point": [dtype.is_floating_point for dtype in dtypes],
        "of_tensors": str(torch.tensor(1.0).dtype),
        "aliases": [torch.float is torch.float32, torch.double is torch.float64],
        "long": torch.long is torch.int64,
    }


def tensor_of_an_array_keeps_the_dtype(torch):
    return [
        torch.tensor(np.array([1.0, 2.0])),
        torch.tensor(np.array([1.0, 2.0], dtype=np.float32)),
        torch.tensor(np.array([1, 2])),
        torch.tensor(np.array([True])),
        torch.tensor(np.float32(0.5)),
    ]


def tensor_copies_its_array(torch):
    array = np.array([1.0, 2.0])
    x = torch.tensor(array)
    array[0] = 9.0
    return x


def zeros_and_ones(torch):
    return [
        torch.zeros(2),
        torch.zeros(2, 3),
        torch.zeros((2, 1)),
        torch.ones([2]),
        torch.ones(1, 2, dtype=torch.int64),
        torch.zeros(()),
        torch.ones(2, requires_grad=True),
        torch.zeros(0),
    ]


def the_like_forms(torch):
    x = torch.tensor([[1.0, 2.0]], dtype=torch.float64, requires_grad=True)
    return [torch.zeros_like(x), torch.ones_like(x), torch.ones_like(torch.tensor([1, 2]))]


def arange_infers_its_dtype(torch):
    return [
        torch.arange(4),
        torch.arange(1, 4),
        torch.arange(1.0, 3.0, 0.5),
        torch.arange(3, dtype=torch.float32),
        torch.arange(5, 0, -2),
    ]


def randn_is_repeatable_by_seed(torch):
    torch.manual_seed(7)
    first = torch.randn(3, 2)
    torch.manual_seed(7)
    second = torch.randn(3, 2)
    third = torch.randn(3, 2)
    return {
        "dtype": str(first.dtype),
        "shape": first.shape,
        "requires_grad": torch.randn(1, requires_grad=True).requires_grad,
        "same_seed_same_numbers": first.tolist() == second.tolist(),
        "then_others": first.tolist() != third.tolist(),
    }


def ragged_lists_are_refused(torch):
    return outcome(lambda: torch.tensor([[1.0, 2.0], [3.0]]))


def only_floats_may_require_grad(torch):
    return {
        "int": outcome(lambda: torch.tensor([1, 2], requires_grad=True)),
        "bool": outcome(lambda: torch.tensor(True, requires_grad=True)),
        "zeros": outcome(lambda: torch.zeros(2, dtype=torch.int64, requires_grad=True)),
        "float64": outcome(lambda: torch.tensor(1.0, dtype=torch.float64, requires_grad=True)),
    }


def shape_and_dim(torch):
    x = torch.zeros(2, 3)
    return {
        "shape": str(x.shape),
        "repr": repr(x.shape),
        "scalar": str(torch.tensor(1.0).shape),
        "dim": x.dim(),
        "ndim": x.ndim,
        "numel": x.numel(),
        "size": str(x.size()),
        "size_of_one": x.size(1),
        "is_tuple": isinstance(x.shape, tuple),
        "equal_to_a_tuple": x.shape == (2, 3),
        "len": len(x),
    }


def length_of_a_scalar(torch):
    return outcome(lambda: len(torch.tensor(1.0)))

"""From tensors to Python numbers, lists and arrays, and back."""

import numpy as np

from tests.parity.expressions import lines, observed
from tests.parity.harness import outcome, state, warned


def item(torch):
    t = torch.tensor
    return {
        "float": t(0.1).item(),
        "double": t(0.1, dtype=torch.float64).item(),
        "int": t(3).item(),
        "bool": t(True).item(),
        "one_element": t([[2.5]]).item(),
        "requires_grad": t(1.5, requires_grad=True).item(),
        "types": [type(x.item()).__name__ for x in (t(1.0), t(1), t(True))],
    }


def item_of_several_elements(torch):
    return [
        outcome(lambda: torch.tensor([1.0, 2.0]).item()),
        outcome(lambda: torch.zeros(2, 3).item()),
        outcome(lambda: torch.tensor([]).item()),
    ]


def tolist(torch):
    t = torch.tensor
    return [
        t(1.5).tolist(),
        t([1, 2]).tolist(),
        t([[0.1, 0.2]]).tolist(),
        t([True]).tolist(),
        t([]).tolist(),
        torch.zeros(2, 0).tolist(),
        t([1.0], requires_grad=True).tolist(),
    ]


def python_numbers(torch):
    t = torch.tensor
    return {
        "float": [float(t(1.5)), float(t(2)), float(t([3.5]))],
        "int": [int(t(1.9)), int(t(-1.9)), int(t(4))],
        "bool": [bool(t(0.0)), bool(t(0.5)), bool(t(0)), bool(t([True]))],
        "several_to_float": outcome(lambda: float(t([1.0, 2.0]))),
        "several_to_int": outcome(lambda: int(t([1, 2]))),
    }


def truth_of_several_elements(torch):
    x = torch.tensor([1.0, 2.0])

    def branch():
        if x > 0:
            return "taken"
        return "not taken"

    return [
        outcome(lambda: bool(x)),
        outcome(branch),
        outcome(lambda: bool(torch.tensor([]))),
        outcome(lambda: x.sum() > 0 and "taken"),
    ]


def float_of_what_requires_grad(torch):
    return float(torch.tensor(1.5, requires_grad=True) * 2)


def numpy_keeps_dtype_and_shape(torch):
    return [
        torch.tensor([1.0, 2.0]).numpy(),
        torch.tensor([[1, 2]]).numpy(),
        torch.tensor(True).numpy(),
        torch.tensor(0.5, dtype=torch.float64).numpy(),
    ]


def numpy_shares_memory(torch):
    x = torch.tensor([1.0, 2.0])
    array = x.numpy()
    array[0] = 7.0
    version_after_array = x._version
    x[1] = 8.0
    return {"tensor": state(x), "array": array, "version_after_array": version_after_array}


def numpy_of_views(torch):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    column = x[:, 1].numpy()
    column[0] = 9.0
    return [x, x.t().numpy()]


def numpy_needs_detach(torch):
    x = torch.tensor([1.0], requires_grad=True)
    with torch.no_grad():
        inside = outcome(lambda: x.numpy())
    return [
        outcome(lambda: x.numpy()),
        outcome(lambda: (x * 2).numpy()),
        inside,
        outcome(lambda: x.detach().numpy()),
        outcome(lambda: np.asarray(x)),
        outcome(lambda: np.asarray(x.detach())),
    ]


def memory_by_dlpack(torch):
    x = torch.ones(2)
    np.from_dlpack(x)[0] = 5
    w = torch.ones(2, requires_grad=True)
    return {
        "shared": x,
        "a number": np.from_dlpack(torch.tensor(2.5)),
        "place": [int(each) for each in w.__dlpack_device__()],
        "requires grad": [outcome(lambda e=each: np.from_dlpack(e)) for each in (w, w * 2)],
        "detached": np.from_dlpack(w.detach()),
    }


def iteration_unbinds(torch):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    return {
        "rows": list(x),
        "scalars": [value.item() for value in torch.tensor([1, 2])],
        "scalar": outcome(lambda: list(torch.tensor(1.0))),
    }


def cpu_and_clone(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.detach()
    return {
        "cpu_is_itself": x.cpu() is x,
        "clone": x.clone(),
        "clone_of_detached": y.clone(),
        "clone_shares_memory": x.clone().data_ptr() == x.data_ptr(),
        "cpu_shares_memory": y.cpu().data_ptr() == y.data_ptr(),
    }


def to_another_dtype(torch):
    x = torch.tensor([1.5, 2.0], requires_grad=True)
    d = x.double()
    (d * d).sum().backward()
    return {
        "double": d,
        "grad": x.grad,
        "float_is_itself": x.float() is x,
        "long": x.detach().long(),
        "to": x.detach().to(torch.int64),
        "bool": x.detach().bool(),
    }


def unknown_attributes(torch):
    x = torch.tensor(1.0)
    return [
        outcome(lambda: x.as_tensor),
        outcome(lambda: x.gradient),
        outcome(lambda: x.saved_tensors),
    ]


def identity_and_hash(torch):
    a = torch.tensor([1.0])
    b = torch.tensor([1.0])
    return {
        "found_by_identity": {a: "a", b: "b"}[a],
        "hashes_differ": hash(a) != hash(b),
        "isinstance": isinstance(a, torch.Tensor),
        "type": type(a).__name__,
    }


def the_same_bytes_as_other_numbers(torch):
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    y = x * 2
    seen = [each.view(kind) for each in (x, y) for kind in (torch.float16, torch.float64)]
    flags = [[each.requires_grad, each.is_leaf, each._is_view()] for each in seen]
    halves = y.view(torch.float16)
    halves[1::2] = -halves[1::2]
    y.sum().backward()
    with torch.no_grad():
        without = x.view(torch.float16)
    return [seen, flags, y, y._version, halves._version, x.grad, without.requires_grad]


def numbers_of_tensors_that_require_grad(torch):
    x = torch.tensor(1.5, requires_grad=True)
    seen = [warned(lambda: float(x)), warned(lambda: float(x.detach()))]
    with torch.no_grad():
        seen += [warned(lambda: float(x)), warned(lambda: int(x))]
        with torch.enable_grad():
            seen.append(warned(lambda: float(x)))
    return seen


def the_class_as_a_type(torch):
    return observed(
        torch,
        lines("""
        x.type('torch.Tensor')
        """),
    )

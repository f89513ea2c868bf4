"""Numbers that a tensor is filled with and may be unable to hold, and memory that may not be."""

import copy
import pickle
import warnings

from tests.parity.expressions import lines, observed
from tests.parity.harness import outcome, state

_WAYS = {
    "fill_": lambda torch, x, number: x.fill_(number),
    "masked_fill": lambda torch, x, number: x.masked_fill(torch.tensor([True]), number),
    "assigning": lambda torch, x, number: x.__setitem__(0, number) or x,
    "full": lambda torch, x, number: torch.full((1,), number, dtype=x.dtype),
    "index_fill": lambda torch, x, number: x.index_fill(0, torch.tensor([0]), number),
    "scatter": lambda torch, x, number: x.scatter(0, torch.tensor([0]), number),
}


def too_large_for_integers(torch):
    numbers = [-1, -256, 256, 70000, 2**40, 1.7, -1.5, 1e30, float("inf"), float("nan")]

    def written(way, dtype, number):
        x = torch.ones(1, dtype=dtype)
        return [way, str(x.dtype), repr(number), outcome(lambda: _WAYS[way](torch, x, number))]

    return [
        written(way, dtype, number)
        for way in _WAYS
        for dtype in (torch.uint8, torch.int8, torch.int32, torch.int64, torch.bool)
        for number in numbers
    ]


def where_a_number_is_taken(torch):
    return observed(
        torch,
        lines("""
        torch.where(b, u, -1)
        torch.where(b, u, 300)
        torch.where(b, u, 1.5)
        torch.where(b, x, None)
        torch.where(b, None, x)
        x.masked_fill(b, None)
        x.masked_fill(b, 'a')
        x.where(b, 'a')
        u ** -1
        u.clone().pow_(-1)
        i ** -1
        i ** -1.0
        u.clone().fill_(-1)
    """),
    )


def elements_in_one_place(torch):
    calls = {
        "uniform_": lambda x: x.uniform_(),
        "normal_": lambda x: x.normal_(),
        "bernoulli_": lambda x: x.bernoulli_(),
        "random_": lambda x: x.random_(),
        "fill_": lambda x: x.fill_(2),
        "zero_": lambda x: x.zero_(),
        "add_": lambda x: x.add_(1),
    }
    found = []
    for name, call in calls.items():
        x = torch.ones(2).expand(3, 2)
        found.append([name, outcome(lambda: call(x) is x), x._version])  # noqa: B023 - called at once
    return found


def truth_values_in_place_of_leaves(torch):
    found = []
    for name in ("logical_not_", "logical_and_", "logical_or_", "logical_xor_"):
        x = torch.tensor([0.5, 0.0], requires_grad=True)
        others = () if name == "logical_not_" else (torch.tensor([1.5, 0.0]),)
        found.append([name, outcome(lambda: getattr(x, name)(*others)), state(x)])  # noqa: B023 - called at once
        i = torch.tensor([2, 0])
        found.append([name, outcome(lambda: getattr(i, name)(*others))])  # noqa: B023 - called at once
    i = torch.tensor([2, 0])
    found.append(outcome(lambda: i.bitwise_and_(torch.tensor([1.0, 2.0], dtype=torch.float64))))
    return [*found, outcome(lambda: (i > 1).bitwise_and_(0.5))]


def versions_of_copies(torch):
    x = torch.ones(3, requires_grad=True)
    made = [pickle.loads(pickle.dumps(x)), copy.deepcopy(x), x.detach().clone()]
    changed = torch.ones(2).add_(1).add_(1)
    copy.copy(changed)
    made.append(changed)
    same = torch.ones(2).resize_(2)
    return [*map(state, made), state(same), state(torch.ones(4).resize_(2))]


def strides_that_do_not_fit(torch):
    x = torch.arange(9.0)
    calls = [((2,), (1,), -1), ((2, 2), (1,)), ((2,), (-1,)), ((5, 5), (3, 3)), ((2, 2), (3, 1), 1)]
    return [outcome(lambda: x.as_strided(*call)) for call in calls]  # noqa: B023 - called at once


def flags_that_are_no_truth_values(torch):
    calls = [
        lambda: torch.tensor(1.0, requires_grad=1),
        lambda: torch.zeros(2, requires_grad=1),
        lambda: torch.ones(2, requires_grad="yes"),
        lambda: torch.ones(2, requires_grad=None),
    ]
    return [outcome(call) for call in calls]


def what_nodes_show(torch):
    x = torch.arange(6.0).reshape(2, 3).requires_grad_()
    made = [x.sin(), x.sum(0), x[0], x.clamp(0, 1), x.max(1)[0], x.view(-1), x + x, x.softmax(1)]
    nodes = [each.grad_fn for each in made]
    return [
        [type(node).__name__, [name for name in dir(node) if "_saved_" in name]] for node in nodes
    ]


def inference_tensors_have_no_version(torch):
    with torch.inference_mode():
        x = torch.ones(2)
    increment = torch.autograd.graph.increment_version
    return [outcome(lambda: increment(x)), outcome(lambda: increment([x, 3]))]


def arrays_are_made_anew(torch):
    x = torch.ones(2, 3)
    array = x.numpy()
    with warnings.catch_warnings():
        # From NumPy 2.5 on.
        warnings.simplefilter("ignore", DeprecationWarning)
        array.shape = 6
    array[0] = 5.0
    return [array is x.numpy(), x]


def parts_of_complex_numbers(torch):
    x = torch.ones(2, requires_grad=True)
    return [x.real is x, torch.real(x) is x, outcome(lambda: x.imag)]


def hooks_are_not_pickled(torch):
    x = torch.ones(2, requires_grad=True)
    pickle.dumps(x)
    x.register_hook(abs)
    return [state(pickle.loads(pickle.dumps(x)))]


def what_was_not_needed_is_none(torch):
    x, y = torch.ones(2, 2, requires_grad=True), torch.ones(2, 2)
    node = torch.addmm(x, y, y).grad_fn
    return [
        node._saved_mat1,
        node._saved_mat2,
        x.index_add(0, torch.tensor([0]), y[:1]).grad_fn._saved_index,
    ]


def numbers_of_numpy(torch):
    import numpy as np

    def written(tensor, number):
        return outcome(lambda: (tensor.__setitem__(0, number), tensor)[1])

    kinds = (np.float16, np.float32, np.float64, np.uint8, np.int32, np.int64, np.bool_)
    return [
        written(torch.tensor(values), kind(1))
        for values in ([4.0, 5.0], [4, 5], [True, False])
        for kind in kinds
    ]


def arrays_over_tensors(torch):
    import numpy as np

    y, x = torch.tensor([4.0, 5.0, 8.0]), torch.tensor([4.0], requires_grad=True)
    return [
        np.ones(3) / y,
        np.ones((2, 3), dtype=np.float32) / y,
        np.array(2.0) / y.double(),
        outcome(lambda: np.ones(1) / x),
        outcome(lambda: np.ones(2) / y),
    ]


def whole_numbers_filled_with_what_requires_grad(torch):
    return observed(
        torch,
        lines("""
        i.masked_fill(b, s)
        b.masked_fill(b, s)
        i.index_fill(0, torch.tensor([0]), s)
        i.masked_fill(b, s.detach())
        i.index_fill(0, torch.tensor([0]), s.detach())
        """),
    )

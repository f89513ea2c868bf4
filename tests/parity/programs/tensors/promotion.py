"""The dtype of a result."""

from tests.parity.harness import outcome


def _dtype(tensor):
    return str(tensor.dtype)


def _of_each_dtype(torch):
    return [
        torch.tensor([True]),
        torch.tensor([2]),
        torch.tensor([2.0]),
        torch.tensor([2.0], dtype=torch.float64),
    ]


def _or_error(call):
    seen = outcome(call)
    return seen if isinstance(seen, dict) and "raises" in seen else seen["tensor"]


def add_every_pair(torch):
    tensors = _of_each_dtype(torch)
    return [[_or_error(lambda a=a, b=b: a + b) for a in tensors] for b in tensors]


def multiply_every_pair(torch):
    tensors = _of_each_dtype(torch)
    return [[_or_error(lambda a=a, b=b: a * b) for a in tensors] for b in tensors]


def subtract_every_pair(torch):
    tensors = _of_each_dtype(torch)
    return [[_or_error(lambda a=a, b=b: a - b) for a in tensors] for b in tensors]


def divide_every_pair(torch):
    tensors = _of_each_dtype(torch)
    return [[_or_error(lambda a=a, b=b: a / b) for a in tensors] for b in tensors]


def integers_are_divided_by_numbers_that_they_could_not_hold(torch):
    integers = [torch.tensor([1, 2], dtype=kind) for kind in (torch.uint8, torch.int8, torch.int16)]
    numbers = [-1, 300, 70000, 0.3]
    wide = torch.tensor([2**24 + 1, 2**40 + 1])
    return [
        [_or_error(lambda x=x, n=n: x / n) for x in integers for n in numbers],
        [_or_error(lambda x=x, n=n: n / x) for x in integers for n in numbers],
        [wide / 3, wide / torch.tensor([7, 11])],
    ]


def numbers_give_way_to_tensors(torch):
    numbers = [True, 3, 0.5]
    return [[_or_error(lambda x=x, n=n: x + n) for n in numbers] for x in _of_each_dtype(torch)]


def scalar_tensors_give_way_to_tensors_with_dimensions(torch):
    scalars = [
        torch.tensor(2),
        torch.tensor(0.5),
        torch.tensor(0.5, dtype=torch.float64),
    ]
    return [[_dtype(x + s) for s in scalars] for x in _of_each_dtype(torch)]


def scalar_tensors_among_themselves(torch):
    a, b = torch.tensor(0.5), torch.tensor(0.5, dtype=torch.float64)
    i = torch.tensor(3)
    return [_dtype(a + b), _dtype(a + i), _dtype(i / i), _dtype(i * i), _dtype(i + 0.5)]


def a_number_on_the_left(torch):
    x = torch.tensor([1.0, 2.0])
    i = torch.tensor([1, 2])
    return [1 + x, 1 - x, 3 * x, 1 / x, 2**x, 1 + i, 1 - i, 0.5 * i, 1 / i]


def functions_of_integers_are_float32(torch):
    i = torch.tensor([1, 2])
    return [torch.log(i), torch.sin(i), torch.exp(i), torch.tensor(2).cos()]


def sums_of_integers_and_bools_are_int64(torch):
    return [
        torch.tensor([1, 2]).sum(),
        torch.tensor([True, True]).sum(),
        torch.tensor([1.0, 2.0]).sum(),
    ]


def mean_of_integers_is_refused(torch):
    return outcome(lambda: torch.tensor([1, 2]).mean())


def comparisons_are_bool(torch):
    a, b = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([3.0, 2.0, 1.0])
    return [a < b, a <= b, a > b, a >= b, a == b, a != b, a > 1, 2 <= a, a == 2]  # noqa: SIM300


def subtracting_bools_is_refused(torch):
    a = torch.tensor([True, False])
    return [outcome(lambda: a - a), outcome(lambda: -a)]


def gradients_have_the_dtype_of_their_tensor(torch):
    single = torch.tensor([1.0, 2.0], requires_grad=True)
    double = torch.tensor([0.1, 0.2], dtype=torch.float64, requires_grad=True)
    y = single * double
    y.sum().backward()
    return [y, single.grad, double.grad]


def gradients_of_integer_factors(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * torch.tensor([3, 4])).sum().backward()
    return x.grad


def in_place_results_must_fit(torch):
    i = torch.tensor([1, 2])
    f = torch.tensor([1.0, 2.0])
    return [
        outcome(lambda: i.add_(0.5)),
        outcome(lambda: i.div_(2)),
        outcome(lambda: i.add_(f)),
        outcome(lambda: f.add_(i)),
        outcome(lambda: f.add_(torch.tensor([0.5, 0.5], dtype=torch.float64))),
        outcome(lambda: torch.tensor([True]).add_(1)),
    ]


def functions_that_leave_the_whole_numbers(torch):
    """A lone number is not made one of the other operand's dtype first."""
    small = torch.tensor([0, 200, 3], dtype=torch.uint8)
    return [
        getattr(each, name)(other)
        for name in ("atan2", "xlogy", "div")
        for each, other in (
            (small, torch.tensor(-2)),
            (small, torch.tensor(2)),
            (torch.tensor(200, dtype=torch.uint8), torch.tensor([-3, 4], dtype=torch.int8)),
            (torch.tensor([1, 2]), torch.tensor(1.5, dtype=torch.float64)),
            (torch.tensor([True]), torch.tensor(2)),
        )
    ]

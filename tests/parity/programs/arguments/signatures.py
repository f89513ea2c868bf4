"""What signatures alone refuse: surplus arguments, arrays for tensors, names given twice."""

import numpy as np

from tests.parity.expressions import lines, observed
from tests.parity.harness import outcome
from tests.parity.sessions import shown

_ALONE = """
absolute acos_ adjoint asin atan ceil conj cosh erf exp_ exp2 expm1 fliplr floor_ get_device is_conj
is_complex is_nonzero is_signed isfinite isinf isnan isneginf log10 log1p log2_ log_ logical_not
negative neg_ positive ravel reciprocal relu_ resolve_conj rsqrt sigmoid_ sign sinh signbit
sqrt_ square_ tan tanh_ trace trunc_
"""


def methods_that_take_no_arguments(torch):
    return observed(
        torch,
        [f"x.{name}({given})" for name in _ALONE.split() for given in ("1", "1, 2", "a=1", "")],
    )


def names_and_places(torch):
    return observed(
        torch,
        lines("""
        x.select(index=0)
        x.index_add(index=at)
        x.index_select(index=at)
        x.unsqueeze(0, dim=1, keepdim=True)
        x.cumsum(0, dim=1, foo=2)
        x.flip(0, (1,), foo=1)
        x.tile(2, (1,), foo=1)
        x.permute(0, 'a')
        x.permute(0, 'a', foo=1)
        torch.ones(2, 'a', foo=1)
        x.new_zeros(2, 'a', foo=1)
        x.sum(0, dim=1)
        x.all((0, 1), dim=1)
        x.var((0,), 1, dim=0)
        x.masked_fill(b, mask=b)
        x.div(2, s, other=x)
        x.add(1.5, 2.5, other=x)
        x.sub(1, b, 2, other=x)
        x.narrow((0,), 0, dim=None)
        x.tile()
        torch.tile(x)
        s.repeat()
        s.reshape()
        s.expand()
        s.detach().resize_()
        x.nonzero(1)
        x.nonzero(as_tuple=1)
        torch.nonzero(x, True)
        x.to(x, torch.float64)
        x.to(x, 1)
        x.to(torch.float64, 1)
        x.to('cpu', torch.float64, 1)
        x.split_with_sizes(at)
        x.add(torch.tensor(2), at.new_ones(()))
        torch.add(w, torch.tensor(2.), w)
        torch.diag(at, torch.tensor(1))
    """),
    )


def functions_with_a_target(torch):
    x = torch.ones(2, 2)
    calls = {
        "mm": lambda y: torch.mm(x, out=y),
        "maximum": lambda y: torch.maximum(x, 1, out=y),
        "amax": lambda y: torch.amax(x, 0, 0, out=y),
        "cumsum": lambda y: torch.cumsum(x, out=y),
        "pow": lambda y: torch.pow(x, None, out=y),
        "xlogy": lambda y: torch.xlogy(x, out=y),
        "ne": lambda y: torch.ne(x, 2, -2, out=y),
        "bmm": lambda y: torch.bmm(x, 1.5, out=y),
        "round": lambda y: torch.round(x, 1, out=y),
        "addcmul": lambda y: torch.addcmul(x, x, out=y),
        "min": lambda y: torch.min(x, (0, 1), (1, 0), out=y),
        "median": lambda y: torch.median(x, x, True, (2, 3), out=y),
        "dot": lambda y: torch.dot(torch.ones(2), x, out=torch.zeros(())),
        "nonzero": lambda y: torch.nonzero(x, True, out=y),
        "tril": lambda y: torch.tril(y, out=y),
        "matmul": lambda y: torch.matmul(x, torch.ones(3), out=y),
        "put": lambda y: torch.put(y, torch.tensor([0]), y[:1], out=y),
        "rsub": lambda y: torch.rsub(x, (0, 1), out=y),
        "masked_scatter": lambda y: torch.masked_scatter(y, y > 0, y, out=y),
    }
    return {name: outcome(lambda c=call: c(torch.zeros(2))) for name, call in calls.items()}


def arrays_for_tensors(torch):
    x, array = torch.ones(2), np.ones(2)
    names = "expand_as view_as reshape_as resize_as_ is_same_size normal_ type_as is_set_to"
    return {
        "methods": {
            name: outcome(lambda n=name: getattr(x, n)(array))
            for name in (*names.split(), "copy_", "add_", "dot", "equal")
        },
        "reciprocal": outcome(lambda: torch.reciprocal(array)),
        "of one": outcome(lambda: torch.ones(2).normal_(np.float64(1), 0)),
        "complex": [
            outcome(lambda: torch.ones(2).normal_(1j, 1)),
            outcome(lambda: torch.normal(1j, 1.0, (2,))),
        ],
    }


def what_makes_tensors(torch):
    x = torch.ones(2)
    calls = {
        "arange": lambda: torch.arange(torch.tensor([3])),
        "new_full": lambda: x.new_full(2, 1),
        "tensor": lambda: torch.tensor(1.0, requires_grad=None),
        "new_tensor": lambda: x.new_tensor(1.0, requires_grad=None),
        "ones": lambda: torch.ones(2, requires_grad=None),
        "empty": lambda: torch.empty(2, memory_format=torch.preserve_format),
        "negative": lambda: [
            outcome(lambda n=name, m=more: getattr(torch, n)((2, -1), *m))
            for name, *more in (("zeros",), ("ones",), ("full", 1), ("empty",), ("rand",))
        ],
        "rand": lambda: torch.rand(2, generator=1),
        "randint": lambda: torch.randint(5, (2,), generator="a"),
        "normal": lambda: torch.normal(0.0, 1.0, (2,), generator=1),
        "uniform_": lambda: x.uniform_(generator=1),
        "fill_": lambda: x.fill_(2**70),
        "full": lambda: torch.full((2,), 2**64),
        "where": lambda: torch.where(x > 0, x, 2**70),
        "clamp": lambda: x.clamp(max=2**70),
        "masked_fill": lambda: x.masked_fill(x > 0, 2**64),
    }
    return {name: outcome(call) for name, call in calls.items()}


def whole_numbers_of_what_requires_grad(torch):
    names = "torch.{}(w, 0, dtype=torch.{})"
    functions, dtypes = ("sum", "prod", "cumsum", "cumprod"), ("int64", "int32")
    return observed(torch, [names.format(name, kind) for name in functions for kind in dtypes]) | {
        "constant": torch.ones(2).sum(dtype=torch.int64),
        "not watched": _unwatched(torch),
    }


def _unwatched(torch):
    with torch.no_grad():
        return torch.ones(2, requires_grad=True).cumsum(0, dtype=torch.int64)


def what_is_no_number_to_fill_with(torch):
    mask, zero = torch.tensor([True, False]), torch.tensor([0])
    values = (1, 2), [1], "a", None
    return {
        "fill_": [outcome(lambda v=value: torch.zeros(2).bool().fill_(v)) for value in values],
        "masked": [outcome(lambda v=v: mask.clone().masked_fill_(mask, v)) for v in values],
        "at": [outcome(lambda v=v: mask.clone().index_fill_(0, zero, v)) for v in values],
        "numbers": [mask.clone().fill_(value) for value in (3, 0.5, 0, np.float64(1))],
    }


def old_orders_with_a_target(torch):
    x, y, z = torch.ones(2), torch.empty(0), torch.empty(0)
    return [torch.sub(x, 0.5, 2.0, out=y), torch.addcmul(x, 3, x, x, out=z), y, z]


def flags_that_are_none(torch):
    return shown(
        torch,
        """
        x = torch.ones(2, 3)
        x.var(0, None)
        x.std(None, None)
        x.var(dim=0, unbiased=None)
        x.sum(0, keepdim=None)
        x.var(dim=0, correction=None)
        """,
    )


def forms_that_are_one_or_another(torch):
    return observed(
        torch,
        lines("""
        x.max(x, other=x)
        torch.min(x, x, other=x)
        x.max(other=x)
        x.to(x, dtype=torch.float64)
        x.to(torch.float64, dtype=torch.float64)
        x.to(x, device="cpu")
        x.to("cpu", dtype=torch.float64)
        x.to(float, copy=True)
        x.to(tensor=x)
        torch.as_tensor([1.0], torch.float64)
        """),
    )


def given_one_way_or_another(torch):
    return observed(
        torch,
        lines("""
        torch.ones(1, 1, 2).squeeze(0, 1)
        x.squeeze(0, 1)
        x.squeeze(0, 0)
        torch.squeeze(torch.ones(1, 1, 2), 0, 1)
        x.norm(torch.tensor(1))
        x.norm(p=torch.tensor(3.0), dim=1)
        x.norm(torch.tensor([2.0]))
        x.norm(torch.tensor(2.0, requires_grad=True))
        torch.linalg.vector_norm(x, "fro")
        torch.linalg.norm(x, "fro")
        torch.linalg.norm(x, "fro", (0, 1), True)
        x.tile(dims=(2, 1))
        torch.tile(x, dims=(1, 2))
        x.sum_to_size(size=(1, 3))
        x.sum_to_size()
        x.detach().clone().swapaxes_(axis0=0, axis1=1)
        x.contiguous(memory_format=torch.preserve_format)
        x.t().contiguous(memory_format=torch.preserve_format)
        x.permute()
        x.flip()
        torch.flip(x)
        """),
    )


def repeated_to_a_size(torch):
    return observed(
        torch,
        lines("""
        x.repeat_interleave(2, 1, output_size=6)
        x.repeat_interleave(2, 1, output_size=5)
        x.repeat_interleave(torch.tensor([1, 2]), 0, output_size=3)
        x.repeat_interleave(torch.tensor([1, 2]), 0, output_size=2)
        x.repeat_interleave(2, output_size=None)
        x.repeat_interleave(2, output_size="a")
        """),
    )


def names_that_old_constructors_do_not_know(torch):
    return observed(
        torch,
        lines("""
        torch.FloatTensor(dtype=torch.float64)
        torch.Tensor(foo=1)
        torch.Tensor(2, 3, foo=1, bar=2)
        torch.Tensor([1.0], requires_grad=True)
        torch.Tensor(2, 3, device="cpu", foo=1)
        torch.LongTensor([1], foo=2)
        x.to(foo=1)
        x.to(torch.float64, 1)
        """),
    )

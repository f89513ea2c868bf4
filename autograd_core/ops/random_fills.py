"""Random numbers in place, and drawn from tensors of probabilities, means and deviations."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np

from autograd_core import creation
from autograd_core.function import Function
from autograd_core.ops.elementwise import broadcast_shape
from autograd_core.ops.in_place import Fill_, Writing, apply
from autograd_core.ops.making import named
from autograd_core.ops.piecewise import Flat
from autograd_core.ops.shape import expanded_shape
from autograd_core.random.generator import source
from autograd_core.rules.overlap import check_overlap
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors.dtypes import FLOATING, check_kernel
from autograd_core.views import check_in_place

_PROBABILITY = (
    "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be "
    "improved?  If so, please report an enhancement request to PyTorch.)"
)


# These overwrite x with random numbers, so that dL/dx = 0.
Uniform_ = named("Uniform_", Fill_, "UniformBackward0")
Normal_ = named("Normal_", Fill_, "NormalBackward0")
Exponential_ = named("Exponential_", Fill_, "ExponentialBackward0")
Bernoulli_ = named("Bernoulli_", Fill_, "BernoulliBackward2")
Random_ = named("Random_", Fill_, "RandomBackward0")
RandomBelow_ = named("RandomBelow_", Fill_, "RandomBackward1")
RandomAny_ = named("RandomAny_", Fill_, "RandomBackward2")


class BernoulliTensor_(Writing):  # noqa: N801
    """x = 1 with the probability that y gives, else 0;  the gradients are 0."""

    node_name, backward, jvp = "BernoulliBackward1", Flat.backward, Fill_.jvp

    @staticmethod
    def put(x, p, drawn):
        """Write the numbers that were drawn."""
        x.write(drawn)


class Bernoulli(Flat):
    """z = 1 with the probability x, else 0;  dL/dx = 0."""

    @staticmethod
    def forward(p, generator):
        return wrap(_draw_bernoulli(p, p._array, generator).astype(p._array.dtype))


class Normal(Flat):
    """z = normal numbers with mean x and deviation y;  the gradients are 0."""

    node_name = "NormalBackward3"

    @staticmethod
    def forward(mean, std, generator):
        a, b = [np.asarray(e._array if isinstance(e, Tensor) else e) for e in (mean, std)]
        if (b < 0).any():
            what = "all elements of std" if isinstance(std, Tensor) else "std"
            found = "" if isinstance(std, Tensor) else f", but found std {std:g}"
            raise RuntimeError(f"normal expects {what} >= 0.0{found}")
        kind = (mean if isinstance(mean, Tensor) else std)._array.dtype
        drawn = source(generator).normal(np.empty(broadcast_shape(a.shape, b.shape), kind))
        return wrap((drawn * b + a).astype(kind))


# With a number for the deviation, and for the mean.
NormalAround = named("NormalAround", Normal, "NormalBackward1")
NormalOfSpread = named("NormalOfSpread", Normal, "NormalBackward2")


def uniform_(
    self: Tensor, from_: float = 0, to: float = 1, *, generator: Any = None, **given: Any
) -> Tensor:
    """Overwrite with random numbers uniformly distributed over [from, to)."""
    low, to = creation.plain_number(given.pop("from", from_)), creation.plain_number(to)
    for name in given:
        raise TypeError(f"uniform_() got an unexpected keyword argument '{name}'")
    check_kernel("check_uniform_bounds", self._array, FLOATING)
    # The bounds and the length of the range must be in the range of the dtype.
    most = float(np.finfo(self._array.dtype).max)
    for name, end in (("from", low), ("to", to)):
        if not -most <= end <= most:
            raise RuntimeError(f"{name} is out of bounds for {self.dtype.in_c}")
    if low > to:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={to:g}"
        )
    if to - low > most:
        raise RuntimeError(
            f"uniform_ expects to-from <= std::numeric_limits<{self.dtype.title}>::max(), but "
            f"found to={to:g} and from={low:g} which result in to-from to exceed the limit"
        )
    return _overwrite(Uniform_, self, lambda: source(generator).uniform(self.memory(), low, to))


def normal_(self: Tensor, mean: float = 0, std: float = 1, *, generator: Any = None) -> Tensor:
    """Overwrite with random numbers of a normal distribution."""
    mean, std = float(creation.plain_number(mean)), float(creation.plain_number(std))
    _check_spread(std)
    check_kernel("normal_kernel_cpu", self._array, FLOATING)
    return _overwrite(Normal_, self, lambda: source(generator).normal(self.memory(), mean, std))


def exponential_(self: Tensor, lambd: float = 1, *, generator: Any = None) -> Tensor:
    """Overwrite with random numbers of an exponential distribution."""
    if not self.is_floating_point():
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. dtype must be a "
            f"floating point but you specified {self.dtype.title}"
        )
    lambd = creation.plain_number(lambd)
    if lambd <= 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")
    return _overwrite(
        Exponential_, self, lambda: source(generator).exponential(self.memory(), lambd)
    )


def random_(self: Tensor, *bounds: Any, generator: Any = None, **given: Any) -> Tensor:
    """Overwrite with integers from `from` (or 0) to `to`, left out.

    Without bounds: any that the dtype represents exactly.
    """
    bounds += tuple([given.pop(name) for name in ("from", "to") if name in given])
    if given or len(bounds) > 2:
        raise TypeError
    kind = self._array.dtype
    if kind.kind == "f":
        top = 2 ** (np.finfo(kind).nmant + 1)
    else:
        top = 1 if kind.kind == "b" else int(np.iinfo(kind).max)
    bounds = tuple([None if each is None else index(each) for each in bounds])
    if not all(each is None or -(2**63) <= each < 2**63 for each in bounds):
        raise ValueError("Overflow when unpacking long long")
    low, high = (0, *(bounds or (top + 1,)))[-2:]
    if high is None and len(bounds) > 1:
        high = top + 1
    wide = None if bounds else kind.itemsize == 8

    def draw() -> np.ndarray:
        return source(generator).integers(self.memory(), low, min(high, 2**63), wide)

    return _overwrite((RandomAny_, RandomBelow_, Random_)[len(bounds)], self, draw)


def bernoulli_(self: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """Overwrite with 1 with probability `p`, a number or a tensor, else with 0."""
    if isinstance(p, Tensor):
        return _overwrite(
            BernoulliTensor_, self, lambda: _draw_bernoulli(p, self.memory(), generator), p
        )
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    return _overwrite(Bernoulli_, self, lambda: source(generator).chances(self.memory()) < p)


def bernoulli(input: Tensor, p: Any = None, *, generator: Any = None) -> Tensor:
    """Return 1 with the probability that each element of `input` gives, else 0."""
    if p is not None:
        p = creation.plain_number(p)
        return wrap(bernoulli_(creation.empty_like(input), p, generator=generator)._array)
    return Bernoulli.apply(input, generator)


def normal(
    mean: Any, std: Any = 1.0, size: Any = None, *, generator: Any = None, **options: Any
) -> Tensor:
    """Return random numbers of a normal distribution; `mean` and `std` are numbers or tensors.

    For two numbers `size` is the shape of the result. TypeError for other combinations.
    """
    tensors = isinstance(mean, Tensor), isinstance(std, Tensor)
    for each in (mean, std):
        if not isinstance(each, Tensor):
            creation.plain_number(each)
    if any(tensors) and size is None and not options:
        operator = {(True, False): NormalAround, (False, True): NormalOfSpread}.get(tensors, Normal)
        return operator.apply(mean, std, generator)
    if not isinstance(size, tuple | list):
        raise TypeError
    mean, std = creation.plain_number(mean), creation.plain_number(std)
    _check_spread(std)
    drawn = creation.empty(*size, **options)
    drawn.write(source(generator).normal(drawn.memory(), mean, std))
    return drawn


def _draw_bernoulli(p: Tensor, like: np.ndarray, generator: Any) -> np.ndarray:
    expanded_shape(p, like.shape)
    check_kernel("bernoulli_tensor_cpu_p_", p._array, FLOATING)
    chance = np.asarray(p._array)
    if not ((chance >= 0) & (chance <= 1)).all():
        raise RuntimeError(_PROBABILITY)
    kind = np.float64 if chance.dtype == np.float64 else np.float32
    return np.asarray(source(generator).chances(np.asarray(like), kind) < chance)


def _overwrite(
    operator: type[Function], self: Tensor, draw: Callable[[], Any], *given: Any
) -> Tensor:
    """Fill a tensor by `draw`, which is not called, and uses up no numbers, if that is refused."""
    check_in_place(self, *given)
    check_overlap(self)
    return apply(operator, self, *given, draw())


def _check_spread(std: float) -> None:
    if not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")


METHODS: dict[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (uniform_, normal_, exponential_, random_, bernoulli_, bernoulli)
}
FUNCTIONS: dict[str, Callable[..., Any]] = {each.__name__: each for each in (bernoulli, normal)}

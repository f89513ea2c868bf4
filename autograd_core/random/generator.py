"""PyTorch's random number generator (Mersenne Twister): a seed gives the same numbers as there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from autograd_core.messages import type_name, warn
from autograd_core.ops.order_in_memory import outermost_first
from autograd_core.ops.quiet import quietly
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors import dtypes
from autograd_core.tensors.device import CPU, check_cpu, device

DEFAULT_SEED = 67280421310721
_NOT_ALL_EXACT = (
    "{end} is out of bounds [-(2^{digits}), 2^{digits}]. Due to precision limitations {name} can "
    "support discrete uniform distribution only within this range. This warning will become an "
    "error in version 1.7 release, please fix the code in advance"
)
# A generator's state, in as many bytes as PyTorch's has.
_STATE = np.dtype(
    [("seed", "u8"), ("key", "u4", 624), ("pos", "u4"), ("spare", "f8", 2), ("room", "V2532")]
)


class Generator:
    """A source of random numbers with a state of its own.

    Normal numbers are made in pairs: `_spare` is the second one, if it has not been used yet.
    """

    def __init__(self, device: Any = "cpu") -> None:
        check_cpu(device)
        self._seed = DEFAULT_SEED
        self._source: Any = None
        self._spare: float | None = None

    @property
    def device(self) -> device:
        """Always the cpu."""
        return CPU

    def manual_seed(self, seed: int) -> Generator:
        """Start again from `seed`; the same seed gives the same numbers."""
        if type(seed) is not int:
            raise RuntimeError(f"manual_seed expected a long, but got {type_name(seed)}")
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._seed, self._source, self._spare = seed % 2**64, None, None
        return self

    def initial_seed(self) -> int:
        """Return the seed that this generator started from."""
        return self._seed

    def seed(self) -> int:
        """Start again from a random seed, and return the seed."""
        import secrets

        self.manual_seed(secrets.randbits(64))
        return self._seed

    def get_state(self) -> Tensor:
        """Return the state as bytes, for `set_state`."""
        state = self._twister().state["state"]
        packed = np.zeros(1, _STATE)
        packed["seed"], packed["key"], packed["pos"] = self._seed, state["key"], state["pos"]
        packed["spare"] = self._spare is not None, self._spare or 0.0
        return wrap(packed.view(np.uint8))

    def set_state(self, new_state: Tensor) -> Generator:
        """Restore a state that `get_state` returned."""
        if not isinstance(new_state, Tensor):
            raise TypeError(f"expected a torch.ByteTensor, but got {type_name(new_state)}")
        data = new_state.memory()
        if data.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if data.size != _STATE.itemsize:
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size {_STATE.itemsize} but found the input "
                f"RNG state size to be {data.size}"
            )
        packed = np.ascontiguousarray(data).view(_STATE)[0]
        self._seed, twister = int(packed["seed"]), self._twister()
        state = twister.state
        state["state"] = {"key": packed["key"].copy(), "pos": int(packed["pos"])}
        twister.state = state
        held, spare = packed["spare"]
        self._spare = float(spare) if held else None
        return self

    def clone_state(self) -> Generator:
        """Return a generator that will give the same numbers as this one."""
        return Generator().set_state(self.get_state())

    def words(self, count: int) -> np.ndarray:
        """Return `count` random numbers of 32 bits."""
        return self._twister().random_raw(count)

    def long_words(self, count: int) -> np.ndarray:
        """Return `count` random numbers of 64 bits."""
        halves = self.words(2 * count).reshape(count, 2)
        return (halves[:, 0] << np.uint64(32)) | halves[:, 1]

    @quietly
    def uniform(self, like: np.ndarray, low: float = 0.0, high: float = 1.0) -> np.ndarray:
        """Return numbers of [low, high), in the shape and dtype of an array."""
        kind = like.dtype
        dtypes.check_kernel("check_uniform_bounds", kind, dtypes.FLOATING)
        # In float64, so that the product is added unrounded, as by a fused multiply-add.
        span, start = (float(kind.type(each)) for each in (high - low, low))
        drawn = self.chances(like, kind)
        if kind == np.float64 and low:
            drawn = drawn.astype(np.longdouble)
        drawn = (drawn * span + start).astype(kind)
        if kind == np.float16:
            drawn = np.where(drawn == kind.type(high), kind.type(start), drawn)[()]
        return drawn

    def chances(self, like: np.ndarray, kind: Any = np.float64) -> np.ndarray:
        """Return float64 numbers of [0, 1) with the bits of `kind`, in the shape of an array."""
        if kind == np.float64:
            return _arranged((self.long_words(like.size) & np.uint64(2**53 - 1)) / 2.0**53, like)
        return _arranged((self.words(like.size) & np.uint64(2**24 - 1)) / 2.0**24, like)

    @quietly
    def normal(self, like: np.ndarray, mean: float = 0.0, std: float = 1.0) -> np.ndarray:
        """Return numbers of a normal distribution, in the shape and dtype of an array.

        As in PyTorch, they are made by Box and Muller's method, in blocks of sixteen unless there
        are fewer or the array is not contiguous.
        """
        from autograd_core.random.box_muller import multiply_add, normal_from_uniform

        kind, count = like.dtype, like.size
        dtypes.check_kernel("normal_kernel_cpu", kind, dtypes.FLOATING)
        if count < 16 or not like.flags.c_contiguous:
            drawn = np.array([self._normal() for _ in range(count)])
            return _arranged((drawn * std + mean).astype(kind), like)
        # If the blocks leave a rest, the last sixteen are made again; in float16, the rest is not
        # drawn before that.
        whole, wide = count - count % 16, np.float32 if kind == np.float16 else kind
        made = np.empty(count, wide)
        uniform = self.uniform(made[:whole] if kind == np.float16 else made)
        made[:whole] = normal_from_uniform(uniform[:whole])
        if count % 16:
            made[-16:] = normal_from_uniform(self.uniform(made[-16:]))
        return multiply_add(made, std, mean).astype(kind).reshape(like.shape)

    def _normal(self) -> float:
        if self._spare is not None:
            spare, self._spare = self._spare, None
            return spare
        first, second = self.chances(np.empty(2)).tolist()
        radius, angle = math.sqrt(-2 * math.log1p(-second)), 2 * math.pi * first
        self._spare = radius * math.sin(angle)
        return radius * math.cos(angle)

    @quietly
    def exponential(self, like: np.ndarray, rate: float = 1.0) -> np.ndarray:
        """Return float64 numbers of an exponential distribution, in the shape of an array."""
        return -np.log1p(-self.chances(like)) / rate

    def integers(
        self, like: np.ndarray, low: int, high: int, wide: bool | None = None
    ) -> np.ndarray:
        """Return integers of [low, high), in the shape and dtype of an array.

        Each is made of 64 random bits if `wide`, else of 32; by default, as many as are needed.
        Raises RuntimeError if there are none, or if the dtype cannot hold them.
        """
        kind = like.dtype
        if low >= high:
            raise RuntimeError(
                f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
            )
        if kind.kind == "f" and wide is None:
            low, high = _exact(kind, low, high)
        _check_range(kind, low, high - 1)
        wide = high - low >= 2**28 if wide is None else wide
        values = (self.long_words if wide else self.words)(like.size)
        if high - low < 2**64:
            values = (values % np.uint64(high - low)).astype(np.int64) + low
        return _arranged(values.astype(kind), like)

    def _twister(self) -> Any:
        if self._source is None:
            # Loading NumPy's generators takes longer than the rest of this package's modules.
            from numpy.random import MT19937

            self._source = MT19937()
            self._source._legacy_seeding(self._seed % 2**32)
        return self._source


default_generator = Generator()


def source(generator: Generator | None) -> Generator:
    """Return the given generator, or the default one."""
    return generator or default_generator


def manual_seed(seed: Any) -> Generator:
    """Start the default generator again from `seed`, and return it."""
    return default_generator.manual_seed(int(seed))


seed, initial_seed = default_generator.seed, default_generator.initial_seed
get_rng_state = default_generator.get_state


def set_rng_state(new_state: Tensor) -> None:
    """Restore a state of the default generator that `get_rng_state` returned."""
    default_generator.set_state(new_state)


@contextmanager
def fork_rng(devices: Any = None, enabled: bool = True, **_: Any) -> Iterator[None]:
    """`with fork_rng():` restores the default generator's state at the end."""
    state = get_rng_state() if enabled else None
    try:
        yield
    finally:
        if state is not None:
            set_rng_state(state)


@quietly
def _exact(kind: np.dtype, low: int, high: int) -> tuple[int, int]:
    """Return the bounds that PyTorch takes if a floating dtype rounds the given ones outwards."""
    digits = np.finfo(kind).nmant + 1
    # What is too large becomes the largest number, and is refused later.
    first, last = [int(np.nan_to_num(kind.type(bound))) for bound in (low + 1, high - 1)]
    if first < low:
        low = first + 2 ** ((low + 1).bit_length() - digits)
    if high <= last < 2**63:
        high = last - 2 ** ((high - 1).bit_length() - digits)
    if low >= high:
        raise RuntimeError(
            "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, but got "
            f"from={low} >= to={high}"
        )
    return low, high


def _check_range(kind: np.dtype, low: int, most: int) -> None:
    """RuntimeError if a dtype cannot hold these bounds; UserWarning if not all numbers between."""
    name = dtypes.of(kind).in_c
    if kind.kind == "f":
        highest, digits = float(np.finfo(kind).max), np.finfo(kind).nmant + 1
        lowest = -highest
    else:
        limits = np.iinfo(np.uint8 if kind.kind == "b" else kind)
        lowest, highest, digits = limits.min, 1 if kind.kind == "b" else limits.max, 64
    for end, number in (("from", low), ("to - 1", most)):
        if not lowest <= number <= highest:
            raise RuntimeError(f"{end} is out of bounds for {name}")
        if abs(number) > 2**digits:
            warn(_NOT_ALL_EXACT.format(end=end, digits=digits, name=name))


def _arranged(numbers: np.ndarray, like: np.ndarray) -> np.ndarray:
    """Return numbers in the shape of `like`, drawn in the order of its elements in memory."""
    if like.flags.c_contiguous:
        return numbers.reshape(like.shape)
    dims = outermost_first(like)
    return numbers.reshape([like.shape[dim] for dim in dims]).transpose(np.argsort(dims))

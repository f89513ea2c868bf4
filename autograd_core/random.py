"""Random numbers: PyTorch's generator (Mersenne Twister), so that the same seed gives the same.

Uniform numbers, integers and permutations are PyTorch's to the bit, normal ones within rounding;
of float16 neither is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograd_core import dtypes
from autograd_core.creation.options import Options, size_of
from autograd_core.device import CPU, device, is_cpu
from autograd_core.messages.type_name import type_name
from autograd_core.tensor import Tensor, wrap

DEFAULT_SEED = 67280421310721
_STATE_BYTES = 5056
_BITS = {"float16": 11, "float32": 24}


class Generator:
    """A source of random numbers with a state of its own.

    Normal numbers come in pairs: `_spare` is the one that has not been asked for yet.
    """

    def __init__(self, device: Any = "cpu") -> None:
        is_cpu(device)
        self._seed = DEFAULT_SEED
        self._source: Any = None
        self._spare: float | None = None

    @property
    def device(self) -> device:
        """The processor."""
        return CPU

    def manual_seed(self, seed: int) -> Generator:
        """Start anew from `seed`; the same seed gives the same numbers."""
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._seed, self._source, self._spare = seed % 2**64, None, None
        return self

    def initial_seed(self) -> int:
        """Return the seed that this generator started from."""
        return self._seed

    def seed(self) -> int:
        """Start anew from a seed that nobody knows, and return it."""
        import secrets

        self.manual_seed(secrets.randbits(64))
        return self._seed

    def get_state(self) -> Tensor:
        """Return the state as bytes, for `set_state`."""
        state = self._twister().state["state"]
        spare = [float(self._spare is not None), self._spare or 0.0]
        parts = (
            np.array([self._seed], np.uint64),
            state["key"].astype(np.uint32),
            np.array([state["pos"]], np.uint32),
            np.array(spare, np.float64),
        )
        data = np.concatenate([part.view(np.uint8) for part in parts])
        return wrap(np.concatenate([data, np.zeros(_STATE_BYTES - data.size, np.uint8)]))

    def set_state(self, new_state: Tensor) -> Generator:
        """Put back a state that `get_state` returned."""
        if not isinstance(new_state, Tensor):
            raise TypeError(f"expected a torch.ByteTensor, but got {type_name(new_state)}")
        data = new_state.memory()
        if data.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if data.size != _STATE_BYTES:
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size {_STATE_BYTES} but found the input RNG "
                f"state size to be {data.size}"
            )
        self._seed = int(data[:8].view(np.uint64)[0])
        twister, key_end = self._twister(), 8 + 624 * 4
        state = twister.state
        state["state"]["key"] = data[8:key_end].copy().view(np.uint32)
        state["state"]["pos"] = int(data[key_end : key_end + 4].copy().view(np.uint32)[0])
        twister.state = state
        held, spare = data[key_end + 4 : key_end + 20].copy().view(np.float64)
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

    def uniform(
        self, count: int, kind: np.dtype, low: float = 0.0, high: float = 1.0
    ) -> np.ndarray:
        """Return `count` numbers of [low, high)."""
        # The product is not rounded before the sum, as in a fused multiply-add.
        span = float(kind.type(high - low))
        return (self._unit(count, kind) * span + float(kind.type(low))).astype(kind)

    def _unit(self, count: int, kind: np.dtype) -> np.ndarray:
        if kind == np.float64:
            return (self.long_words(count) & np.uint64(2**53 - 1)) / 2.0**53
        bits = _BITS[kind.name]
        return (self.words(count) & np.uint64(2**bits - 1)) / 2.0**bits

    def normal(self, count: int, kind: np.dtype, mean: float = 0.0, std: float = 1.0) -> np.ndarray:
        """Return `count` numbers of a normal distribution, by Box and Muller."""
        return (self._standard_normal(count, kind) * std + mean).astype(kind)

    def _standard_normal(self, count: int, kind: np.dtype) -> np.ndarray:
        if count < 16:
            return np.array([self._normal() for _ in range(count)])
        made = np.empty(count)
        uniform = self.uniform(count, kind)
        whole = count - count % 16
        made[:whole] = _box_muller(uniform[:whole])
        if count % 16:
            made[-16:] = _box_muller(self.uniform(16, kind))
        return made

    def _normal(self) -> float:
        if self._spare is not None:
            spare, self._spare = self._spare, None
            return spare
        first, second = self.uniform(2, np.dtype(np.float64)).tolist()
        radius, angle = math.sqrt(-2 * math.log1p(-second)), 2 * math.pi * first
        self._spare = radius * math.sin(angle)
        return radius * math.cos(angle)

    def _twister(self) -> Any:
        if self._source is None:
            # Loading NumPy's generators takes longer than the rest of this package's modules.
            from numpy.random import MT19937

            self._source = MT19937()
            self._source._legacy_seeding(self._seed % 2**32)
        return self._source


def _box_muller(uniform: np.ndarray) -> np.ndarray:
    """Turn uniform numbers into normal ones, in blocks of 16: 8 radii, then 8 angles."""
    blocks = uniform.reshape(-1, 2, 8).astype(np.float64)
    radius, angle = np.sqrt(-2 * np.log(1 - blocks[:, 0])), 2 * math.pi * blocks[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).reshape(-1)


default_generator = Generator()


def manual_seed(seed: Any) -> Generator:
    """Start the random numbers anew from `seed`, and return the generator."""
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Start the random numbers anew from a seed that nobody knows, and return it."""
    return default_generator.seed()


def initial_seed() -> int:
    """Return the seed that the random numbers started from."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """Return the state of the random numbers, for `set_rng_state`."""
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Put the random numbers back into a state that `get_rng_state` returned."""
    default_generator.set_state(new_state)


class fork_rng:  # noqa: N801 - PyTorch's name
    """`with fork_rng():` gives the random numbers their state back at the end."""

    def __init__(self, devices: Any = None, enabled: bool = True, **_: Any) -> None:
        self._enabled = enabled

    def __enter__(self) -> None:
        self._state = get_rng_state()

    def __exit__(self, *_: Any) -> None:
        if self._enabled:
            set_rng_state(self._state)


def rand(*size: Any, **options: Any) -> Tensor:
    """Return numbers evenly distributed over [0, 1)."""
    shape = size_of("rand", size, options)
    settled = Options("rand", options, "out", "generator")
    return settled.finish(uniform(shape, settled.numpy(), settled.generator))


def randn(*size: Any, **options: Any) -> Tensor:
    """Return numbers of the standard normal distribution."""
    shape = size_of("randn", size, options)
    settled = Options("randn", options, "out", "generator")
    return settled.finish(normal(shape, settled.numpy(), settled.generator))


def rand_like(input: Tensor, **options: Any) -> Tensor:
    """Return numbers evenly distributed over [0, 1) in the shape and dtype of `input`."""
    settled = Options("rand_like", options, "memory_format", "generator")
    kind = settled.numpy(input.dtype)
    return settled.finish(uniform(input.shape, kind, settled.generator))


def randn_like(input: Tensor, **options: Any) -> Tensor:
    """Return standard normal numbers in the shape and dtype of `input`."""
    settled = Options("randn_like", options, "memory_format", "generator")
    return settled.finish(normal(input.shape, settled.numpy(input.dtype), settled.generator))


def randint(*bounds: Any, **options: Any) -> Tensor:
    """Return integers from `low` (or 0) to `high`, which is left out.

    Called as randint(high, size) or randint(low, high, size). RuntimeError if low >= high.
    """
    names = ("high", "size") if len(bounds) == 2 and "low" not in options else _RANDINT
    given = dict(zip(names, bounds, strict=False))
    given |= {name: options.pop(name) for name in _RANDINT if name in options}
    if "high" not in given or "size" not in given:
        raise TypeError(_randint_signatures(bounds))
    if not isinstance(given["size"], tuple | list):
        raise TypeError(
            f"randint(): argument 'size' (position {len(bounds)}) must be tuple of ints, not "
            f"{type(given['size']).__name__}"
        )
    shape = size_of("randint", (given["size"],), {})
    settled = Options("randint", options, "out", "generator")
    kind = settled.numpy(dtypes.int64)
    low, high = int(given.get("low", 0)), int(given["high"])
    return settled.finish(integers(shape, kind, settled.generator, low, high))


_RANDINT = "low", "high", "size"


def randint_like(input: Tensor, *bounds: Any, **options: Any) -> Tensor:
    """Return integers from `low` (or 0) to `high`, left out, in the shape and dtype of `input`."""
    low, high = (0, *bounds)[-2:] if bounds else (options.pop("low", 0), options.pop("high"))
    settled = Options("randint_like", options, "memory_format", "generator")
    kind = settled.numpy(input.dtype)
    return settled.finish(integers(input.shape, kind, settled.generator, low, high))


def randperm(n: int, **options: Any) -> Tensor:
    """Return the numbers 0 to n-1 in random order."""
    size_of("randperm", (n,), {})
    settled = Options("randperm", options, "out", "generator")
    order = list(range(n))
    words = (settled.generator or default_generator).words(max(n - 1, 0)).tolist()
    for place, word in enumerate(words):
        other = place + word % (n - place)
        order[place], order[other] = order[other], order[place]
    return settled.finish(np.array(order, settled.numpy(dtypes.int64)))


def uniform(
    shape: Sequence[int], kind: np.dtype, generator: Any, low: float = 0.0, high: float = 1.0
) -> np.ndarray:
    """Return an array of numbers evenly distributed over [low, high), by the given generator.

    Raises NotImplementedError for integers, which hold no such numbers.
    """
    check_floating(kind, "check_uniform_bounds")
    source = generator or default_generator
    return source.uniform(math.prod(shape), kind, low, high).reshape(shape)


def normal(
    shape: Sequence[int], kind: np.dtype, generator: Any, mean: float = 0.0, std: float = 1.0
) -> np.ndarray:
    """Return an array of numbers of a normal distribution, by the given generator."""
    check_floating(kind, "normal_kernel_cpu")
    source = generator or default_generator
    return source.normal(math.prod(shape), kind, mean, std).reshape(shape)


def check_floating(kind: np.dtype, kernel: str) -> None:
    """Raise PyTorch's NotImplementedError unless the dtype is a floating one."""
    if kind.kind != "f":
        name = dtypes.of(kind).title
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{name}'")


def integers(
    shape: Sequence[int], kind: np.dtype, generator: Any, low: int, high: int
) -> np.ndarray:
    """Return an array of whole numbers from `low` to `high`, left out; RuntimeError for none."""
    if low >= high:
        raise RuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    if kind.kind in "iu" and high - 1 > np.iinfo(kind).max:
        raise RuntimeError(f"to - 1 is out of bounds for {dtypes.of(kind).in_c}")
    if kind.kind in "iu" and low < np.iinfo(kind).min:
        raise RuntimeError(f"from is out of bounds for {dtypes.of(kind).in_c}")
    source, count = generator or default_generator, math.prod(shape)
    draw = source.long_words if high - low >= 2**28 else source.words
    values = (draw(count) % np.uint64(high - low)).astype(np.int64) + low
    return values.astype(kind).reshape(shape)


def _randint_signatures(given: tuple[Any, ...]) -> str:
    kinds = ", ".join([type(each).__name__ for each in given])
    tail = (
        "Tensor out = None, torch.dtype dtype = None, torch.layout layout = None, torch.device "
        "device = None, bool pin_memory = False, bool requires_grad = False)\n"
    )
    heads = [
        f" * ({bounds}, tuple of ints size, *, {generator}{tail}"
        for bounds in ("int high", "int low, int high")
        for generator in ("torch.Generator generator, ", "")
    ]
    return (
        "randint() received an invalid combination of arguments - got "
        f"({kinds}), but expected one of:\n{''.join(heads)}"
    )

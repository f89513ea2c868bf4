"""How results may be computed: settings that change nothing here.

Every result is the same at every run, products of float32 have full precision, and NumPy chooses
its threads itself. (PyTorch: torch.use_deterministic_algorithms, torch.set_num_threads,
torch.set_float32_matmul_precision.)
"""

from __future__ import annotations

from autograd_core.messages import check_argument, type_name, warn

_PRECISIONS = "highest", "high", "medium"
_deterministic, _warns_only = False, False
_threads, _precision = 1, "highest"


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Ask for results that are the same at every run, which they are anyway."""
    global _deterministic, _warns_only
    check_argument("_set_deterministic_algorithms", "mode", mode, bool, 1)
    _deterministic, _warns_only = mode, mode and warn_only


def are_deterministic_algorithms_enabled() -> bool:
    """Return whether `use_deterministic_algorithms` has asked for them."""
    return _deterministic


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Return whether they were asked for with `warn_only`."""
    return _warns_only


def set_num_threads(number: int) -> None:
    """Note a number of threads; RuntimeError unless it is a positive integer."""
    global _threads
    if isinstance(number, bool) or not isinstance(number, int):
        raise RuntimeError(f"set_num_threads expects an int, but got {type_name(number)}")
    if number < 1:
        raise RuntimeError("set_num_threads expects a positive integer")
    _threads = number


def get_num_threads() -> int:
    """Return the number of threads that was noted."""
    return _threads


def set_float32_matmul_precision(precision: str) -> None:
    """Note the least precision of products, "highest", "high" or "medium"; warn for others."""
    global _precision
    if not isinstance(precision, str):
        name = type_name(precision)
        raise RuntimeError(f"set_float32_matmul_precision expects a str, but got {name}")
    if precision in _PRECISIONS:
        _precision = precision
        return
    warn(
        f"{precision} is not one of 'highest', 'high', or 'medium'; the current"
        "setFloat32MatmulPrecision call has no effect."
    )


def get_float32_matmul_precision() -> str:
    """Return the least precision of products that was noted."""
    return _precision

"""The tangents that tensors carry while a dual level is open: who has one, and where it is kept."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, NamedTuple

from autograd_core.modes.grad_mode import is_fwd_grad_enabled

if TYPE_CHECKING:
    from autograd_core.tensor import Tensor

_DUAL_TANGENT = (
    "Setting a forward grad that itself has a forward gradient at the same level0 is not supported."
)


class _Entry(NamedTuple):
    # Removes the entry with the tensor.
    owner: weakref.ref[Tensor]
    # None for a primal.
    tangent: Tensor | None
    # For a view of a primal, which has no tangent: the primal, which forward mode takes for a base.
    primal: Tensor | None


# By the tensor's id, which is unique as long as the entry exists.
_entries: dict[int, _Entry] = {}
# Nodes and PackedTensors that hold the tangents of saved tensors in their `_tangents`: reading a
# saved tensor may make a new one, which has no entry.
_makers: list[weakref.ref[Any]] = []


def clear() -> None:
    """Forget all tangents: the level is closed."""
    _entries.clear()
    for reference in _makers:
        maker = reference()
        if maker is not None:
            del maker._tangents
    _makers.clear()


def attach(tensor: Tensor, tangent: Tensor | None, primal: Tensor | None = None) -> Any:
    """Give `tensor` its `tangent`, in the memory layout of the tensor itself, and return that.

    None says that it has none even if its base has one: it is a primal, or a view of `primal`.
    Raises RuntimeError for another shape, and for a tangent that has a tangent.
    """
    if tangent is not None:
        if tangent_of(tangent) is not None:
            raise RuntimeError(_DUAL_TANGENT)
        check(tensor, tangent)
        tangent = _in_layout_of(tensor, tangent)
    key = id(tensor)
    owner = weakref.ref(tensor, lambda _: _entries.pop(key, None))
    _entries[key] = _Entry(owner, tangent, primal)
    return tangent


def carry(view: Tensor, tensor: Tensor) -> None:
    """Give a view of the whole of `tensor` the tensor's tangent, until a jvp gives it another."""
    tangent = tangent_of(tensor)
    if tangent is not None:
        attach(view, tangent.view_as(tangent))
    else:
        keep_apart(view, tensor)


def keep_apart(view: Tensor, tensor: Tensor) -> None:
    """If `tensor` is a primal, its view has no tangent either, even if the base has one."""
    entry = _entries.get(id(tensor))
    if entry is not None and entry.tangent is None:
        attach(view, None, primal=tensor if entry.primal is None else entry.primal)


def forget(tensor: Tensor) -> None:
    """Remove a tensor's tangent."""
    _entries.pop(id(tensor), None)


def remember(maker: Any, output_nr: int, tangent: Tensor) -> None:
    """Keep the tangent of a maker's output, for when backward reads that output as a saved tensor.

    It stays in the maker's `_tangents` until the level is closed.
    """
    known: dict[int, Tensor] | None = getattr(maker, "_tangents", None)
    if known is None:
        known = maker._tangents = {}
        _makers.append(weakref.ref(maker))
    known[output_nr] = tangent


def tangent_of(tensor: Tensor) -> Tensor | None:
    """Return the tangent of a tensor; None if it has none.

    It is its own; or that part of its base's which it shows; or what its maker remembers, if it is
    a saved tensor that was made anew.
    """
    entry = _entries.get(id(tensor))
    if entry is not None and entry.primal is None:
        return entry.tangent
    base = _base_of(tensor)
    whole = _entries.get(id(base))
    if whole is not None and whole.tangent is not None:
        part = _part(whole.tangent, base, tensor)
        if not is_fwd_grad_enabled():
            # Inside forward it is only looked at, and not attached to a tensor.
            return part
        return attach(tensor, part)
    return getattr(tensor._grad_fn, "_tangents", {}).get(tensor._output_nr)


def _base_of(tensor: Tensor) -> Tensor | None:
    """Return a tensor's base as forward mode sees it: a primal is no view."""
    entry = _entries.get(id(tensor))
    return tensor._base if entry is None else entry.primal


def overwrite(tensor: Tensor, tangent: Tensor) -> None:
    """Give a tensor that was changed in place its new tangent, in the memory of the old one."""
    check(tensor, tangent)
    old, base = tangent_of(tensor), _base_of(tensor)
    if old is None:
        if base is None:
            attach(tensor, tangent)
            return
        zeros = base.new_empty_strided(base.shape, base.stride())
        zeros.memory().fill(0)
        old = _part(attach(base, zeros), base, tensor)
        attach(tensor, old)
    if tangent is not old:
        if 0 in old.stride():
            # An expanded tensor, which index_fill_ accepts: write to each element once.
            once = tuple([slice(1) if step == 0 else slice(None) for step in old.stride()])
            old, tangent = old[once], tangent[once]
        old.copy_(tangent)


def check(tensor: Tensor, tangent: Tensor) -> None:
    """Raise PyTorch's RuntimeError for a tangent that is not floating or has another shape."""
    if not (tensor.is_floating_point() and tangent.is_floating_point()):
        raise RuntimeError("Expected both tensor and its forward grad to be floating point")
    if tensor.shape != tangent.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original "
            f"Tensor, this is not supported. Tensor is of size {list(tensor.shape)} while the "
            f"given forward gradient is of size {list(tangent.shape)}."
        )


def _part(whole: Tensor, base: Any, view: Tensor) -> Tensor:
    """Return the part that `view` shows of `whole`, the tangent of `base`."""
    offset = whole.storage_offset() + view.storage_offset() - base.storage_offset()
    return whole.as_strided(view.shape, view.stride(), offset)


def _in_layout_of(tensor: Tensor, tangent: Tensor) -> Tensor:
    steps, sizes, offset = tensor.stride(), tensor.shape, tensor.storage_offset()
    if 0 in steps or not tangent.numel():
        return tangent
    places, places_of_tangent = [
        each.untyped_storage().nbytes() // each.itemsize for each in (tensor, tangent)
    ]
    if (places, offset) == (places_of_tangent, tangent.storage_offset()) and all(
        a == b for a, b, n in zip(steps, tangent.stride(), sizes, strict=True) if n > 1
    ):
        return tangent
    alike = tensor.new_empty(places).as_strided(sizes, steps, offset)
    # Not a view to anybody: the rest of its memory is never seen.
    alike._base = None
    return alike.copy_(tangent)

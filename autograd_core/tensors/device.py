"""`device`, `layout` and `memory_format`, for compatibility: there is only the cpu."""

from __future__ import annotations

from typing import Any

from autograd_core.messages import check_argument

_TYPES = (
    "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, "
    "mps, meta, hpu, mtia, privateuseone"
)


class device:  # noqa: N801 - PyTorch's name
    """Where a tensor lives, such as `device("cpu")`; tensors of this package live nowhere else."""

    __slots__ = ("index", "type")

    type: str
    index: int | None

    def __init__(self, type: Any = None, index: int | None = None) -> None:
        if isinstance(type, device):
            type, index = type.type, type.index
        elif isinstance(type, int):
            raise RuntimeError("Cannot access accelerator device when none is available.")
        elif not isinstance(type, str):
            given = "" if type is None else type.__class__.__name__
            raise TypeError(
                "device() received an invalid combination of arguments - got "
                f"({given}), but expected one of:\n * (torch.device device)\n"
                " * (str type, int index = -1)\n"
            )
        elif index is None:
            type, index = _parsed(type)
        else:
            check_argument("device", "index", index, int, 2)
        if index is not None and index < 0:
            raise RuntimeError("Device index must not be negative")
        object.__setattr__(self, "type", type)
        object.__setattr__(self, "index", index)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(
            f"attribute '{name}' of 'torch.device' objects is not writable"
            if name in self.__slots__
            else f"'torch.device' object has no attribute '{name}'"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{index})"

    def __enter__(self) -> device:
        check_cpu(self)
        return self

    def __exit__(self, *exception: object) -> None:
        """Do nothing: tensors are made on the cpu anyway."""

    def __reduce__(self) -> Any:
        return device, (self.type,) if self.index is None else (self.type, self.index)


class _Constant:
    """A named constant that prints as PyTorch's."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __reduce__(self) -> str:
        return self._name


class layout(_Constant):  # noqa: N801
    """How elements are stored: `strided` is the only layout here."""


class memory_format(_Constant):  # noqa: N801
    """The order of the dimensions in the memory of a copy."""


strided = layout("strided")
contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")


def check_cpu(place: Any) -> None:
    """Accept the cpu, as a device or by name, and None.

    Raises RuntimeError for names that are no device, NotImplementedError for other devices.
    """
    if place is None:
        return
    where = place if isinstance(place, device) else device(place)
    if where.type != "cpu":
        raise NotImplementedError(f"device '{where}': autograd_core knows only the cpu")


def get_default_device() -> device:
    """Return the cpu."""
    return CPU


def set_default_device(device: Any) -> None:
    """Accept the cpu; NotImplementedError for other devices."""
    check_cpu(device)


def _parsed(text: str) -> tuple[str, int | None]:
    if not text:
        raise RuntimeError("Device string must not be empty")
    kind, colon, index = text.partition(":")
    if not kind.isalpha() or (colon and not index.isdecimal()):
        raise RuntimeError(f"Invalid device string: '{text}'")
    if kind not in _TYPES.split(", "):
        raise RuntimeError(
            f"Expected one of {_TYPES} device type at start of device string: {kind}"
        )
    return kind, int(index) if colon else None


CPU = device("cpu")

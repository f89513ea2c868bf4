"""What PyTorch has and this package has not: asking for it raises NotImplementedError by name."""

from __future__ import annotations

from typing import Any

from autograd_core.messages import unsupported_names

_COMPLEX = "complex numbers"
_SPARSE = "sparse tensors"
_QUANTIZED = "quantized tensors"
_FLOATS = "floating formats other than float16, float32 and float64"
_INTEGERS = "unsigned integers other than uint8"
_DEVICES = "devices other than the cpu"
_COMPILER = "compilation"
_TRANSFORMS = "function transforms"
LINEAR_ALGEBRA = "linear algebra beyond products and norms"

# A name of PyTorch (of the package or of Tensor), and what would be needed for it.
NAMES: dict[str, str] = {
    **dict.fromkeys(
        ("complex", "complex32", "complex64", "complex128", "cfloat", "cdouble", "chalf", "polar",
         "view_as_complex", "view_as_real", "angle"),
        _COMPLEX,
    ),
    **dict.fromkeys(
        ("sparse", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_coo_tensor",
         "sparse_csr_tensor", "sparse_csc_tensor", "sparse_bsr_tensor", "sparse_bsc_tensor",
         "sparse_compressed_tensor", "to_sparse", "to_sparse_coo", "to_sparse_csr",
         "coalesce", "sparse_mask", "smm", "sspaddmm", "hspmm"),
        _SPARSE,
    ),
    **dict.fromkeys(
        ("quantize_per_tensor", "quantize_per_channel", "dequantize", "qint8", "quint8", "qint32",
         "int_repr", "q_scale", "q_zero_point", "qscheme"),
        _QUANTIZED,
    ),
    **dict.fromkeys(
        ("bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"), _FLOATS
    ),
    **dict.fromkeys(("uint16", "uint32", "uint64"), _INTEGERS),
    **dict.fromkeys(
        ("mps", "xpu", "mtia", "accelerator", "Stream", "Event", "xla", "ipu", "pin_memory",
         "share_memory_", "record_stream", "autocast", "amp", "GradScaler"),
        _DEVICES,
    ),
    **dict.fromkeys(
        ("compile", "compiler", "jit", "export", "fx", "onnx", "package", "library", "cond",
         "_dynamo", "_inductor"),
        _COMPILER,
    ),
    **dict.fromkeys(("vmap", "func"), _TRANSFORMS),
    "distributed": "several processes",
    "multiprocessing": "several processes",
    "nested": "nested tensors",
    "nested_tensor": "nested tensors",
    "fft": "Fourier transforms",
    "stft": "Fourier transforms",
    "istft": "Fourier transforms",
    **dict.fromkeys(
        ("cholesky", "cholesky_inverse", "cholesky_solve", "det", "geqrf", "inverse", "lobpcg",
         "logdet", "lstsq", "lu", "lu_solve", "lu_unpack", "matrix_exp", "matrix_power", "orgqr",
         "ormqr", "pca_lowrank", "pinverse", "qr", "slogdet", "svd", "svd_lowrank",
         "triangular_solve"),
        LINEAR_ALGEBRA,
    ),
    "masked": "masked tensors",
    "special": "special functions",
    "signal": "signal processing",
    "hub": "downloading models",
    "profiler": "profiling",
}  # fmt: skip


class UnsupportedError(NotImplementedError, AttributeError):
    """Says what this package lacks. `hasattr` takes it for the answer no."""


class _Unavailable:
    """Stands for a package of PyTorch, such as `torch.cuda`, of which only questions work."""

    def __init__(self, name: str, answers: dict[str, Any]) -> None:
        self._name, self._answers = name, answers

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in self._answers:
            return lambda *args, **kwargs: self._answers[name]
        raise refusal(f"{self._name}.{name}", _DEVICES)


cuda = _Unavailable("torch.cuda", {"is_available": False, "device_count": 0})


def refusal(name: str, reason: str) -> UnsupportedError:
    """Return the error that says what this package lacks."""
    return UnsupportedError(f"{name} is not supported by autograd_core: it lacks {reason}")


def absent(module: str, name: str) -> AttributeError:
    """Return the error for an attribute that a module of PyTorch may have, and this one has not."""
    inside = "" if module == "torch" else f".{module}"
    if name in unsupported_names.NAMES[module]:
        return refusal(f"torch{inside}.{name}", f"that part of torch{inside}")
    return AttributeError(f"module 'autograd_core{inside}' has no attribute '{name}'")


def refusing(module: str) -> Any:
    """Return the `__getattr__` of a module that refuses by name what it has not."""

    def refuse(name: str) -> Any:
        raise absent(module, name)

    return refuse


def _method(name: str) -> Any:
    def refuse(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise refusal(f"Tensor.{name}", NAMES.get(name, "that method"))

    refuse.__name__ = name
    refuse.__doc__ = "Refuse: this package lacks it."
    return refuse


# Methods of Tensor that refuse when they are called.
METHODS: dict[str, Any] = {
    name: _method(name)
    for name in (
        "bfloat16", "cfloat", "cdouble", "chalf", "angle", "to_sparse", "to_sparse_coo",
        "to_sparse_csr", "coalesce", "sparse_mask", "smm", "sspaddmm",
        "dequantize", "int_repr", "q_scale", "q_zero_point", "qscheme", "pin_memory",
        "share_memory_", "record_stream", "stft", "istft",
        *unsupported_names.NAMES["Tensor"],
    )
}  # fmt: skip

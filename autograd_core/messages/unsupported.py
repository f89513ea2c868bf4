"""What PyTorch has and this package lacks: using it raises a NotImplementedError that names it."""

from __future__ import annotations

import importlib
from typing import Any

from autograd_core.messages.names_of_pytorch import NAMES as OTHERS

_DEVICES = "devices other than the cpu"
_OVERRIDES = "operators that return a subclass of Tensor"

# By what is lacking, the names in PyTorch that need it; a point marks methods of Tensor. Names that
# explain themselves are among the `OTHERS`.
_LACKING = {
    "complex numbers": "complex complex32 complex64 complex128 .cfloat .cdouble .chalf polar "
    "view_as_complex view_as_real .angle",
    "sparse tensors": "sparse sparse_coo sparse_csr sparse_csc sparse_coo_tensor sparse_csr_tensor "
    "sparse_csc_tensor sparse_bsr_tensor sparse_bsc_tensor sparse_compressed_tensor .to_sparse "
    ".to_sparse_coo .to_sparse_csr .coalesce .sparse_mask .smm .sspaddmm hspmm",
    "quantized tensors": "quantize_per_tensor quantize_per_channel .dequantize qint8 quint8 qint32 "
    ".int_repr .q_scale .q_zero_point .qscheme",
    "floating formats other than float16, float32 and float64": ".bfloat16 float8_e4m3fn "
    "float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz",
    "unsigned integers other than uint8": "uint16 uint32 uint64",
    _DEVICES: "mps xpu mtia Stream Event xla ipu .pin_memory .share_memory_ "
    ".record_stream autocast amp GradScaler",
    "compilation": "compile compiler jit export fx onnx package library _dynamo _inductor",
    "function transforms": "vmap func",
    "several processes": "distributed multiprocessing",
    "nested tensors": "nested nested_tensor",
    "Fourier transforms": "fft .stft .istft",
    "linear algebra beyond products and norms": ".cholesky cholesky_ex .cholesky_inverse "
    ".cholesky_solve cond .det eig eigh eigvals eigvalsh geqrf householder_product inv inv_ex "
    ".inverse lobpcg .logdet .lstsq .lu lu_factor .lu_solve lu_unpack .matrix_exp matrix_norm "
    ".matrix_power matrix_rank multi_dot orgqr ormqr pca_lowrank pinv .pinverse .qr .slogdet solve "
    "solve_triangular .svd svd_lowrank svdvals tensorinv tensorsolve .triangular_solve",
    "layers for images and sequences": "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d "
    "ConvTranspose3d MaxPool1d MaxPool2d MaxPool3d AvgPool1d AvgPool2d AvgPool3d AdaptiveAvgPool1d "
    "AdaptiveAvgPool2d AdaptiveMaxPool2d Upsample PixelShuffle Fold Unfold Dropout1d Dropout2d "
    "EmbeddingBag RNN LSTM GRU RNNCell LSTMCell GRUCell Transformer TransformerEncoder "
    "TransformerDecoder TransformerEncoderLayer TransformerDecoderLayer MultiheadAttention conv1d "
    "conv2d conv3d conv_transpose2d max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d "
    "avg_pool3d adaptive_avg_pool2d interpolate scaled_dot_product_attention",
    "masked tensors": "masked",
    _OVERRIDES: ".as_subclass ._make_subclass ._make_wrapper_subclass overrides",
    "special functions": "special",
    "signal processing": "signal",
    "downloading models": "hub",
    "profiling": "profiler profiler_legacy profiler_util",
}
_WORDS = [(name, reason) for reason, names in _LACKING.items() for name in names.split()]
NAMES = {name.lstrip("."): reason for name, reason in _WORDS}
# Those that are methods of PyTorch's modules.
OF_MODULES = {"bfloat16", "compile", "ipu", "mtia", "xpu"}


class UnsupportedError(NotImplementedError, AttributeError):
    """Says what this package lacks. As an AttributeError, it makes `hasattr` return False."""


class _Unavailable:
    """Stands for a package such as `torch.cuda`.

    `is_available()` and its like work, and so does what PyTorch ignores without such a device.
    """

    def __init__(self, name: str, answers: dict[str, Any], **parts: Any) -> None:
        self._name, self._answers = name, answers
        vars(self).update(parts)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in self._answers:
            return lambda *args, **kwargs: self._answers[name]
        raise refusal(f"{self._name}.{name}", _DEVICES)


cuda = _Unavailable(
    "torch.cuda",
    {"is_available": False, "is_initialized": False, "device_count": 0}
    | dict.fromkeys(("empty_cache", "manual_seed", "manual_seed_all")),
)
accelerator = _Unavailable(
    "torch.accelerator", {"is_available": False, "device_count": 0, "current_accelerator": None}
)
backends = _Unavailable(
    "torch.backends",
    {},
    cuda=_Unavailable("torch.backends.cuda", {"is_built": False}),
    cudnn=_Unavailable(
        "torch.backends.cudnn",
        {"is_available": False, "version": None},
        enabled=True,
        deterministic=False,
        benchmark=False,
    ),
    mps=_Unavailable("torch.backends.mps", {"is_available": False, "is_built": False}),
)


def refusal(name: str, reason: str = "") -> UnsupportedError:
    """Return the error that says what this package lacks."""
    lacking = f": it lacks {reason}" if reason else ""
    return UnsupportedError(f"{name} is not supported by autograd_core{lacking}")


def absent(name: str, module: str = "autograd_core") -> AttributeError:
    """Return the error for a name that a module lacks, which says whether PyTorch has it."""
    place = module.replace("autograd_core", "torch", 1)
    if name in NAMES or name in OTHERS.get(place, "").split():
        return refusal(f"{place}.{name}", NAMES.get(name, ""))
    return AttributeError(f"module {module!r} has no attribute {name!r}")


def refusing(module: str, *later: str) -> Any:
    """Return a `__getattr__` for a module, which refuses what the package lacks, by name.

    `later` are modules inside it that are imported when they are first asked for.
    """

    def find(name: str) -> Any:
        if name in later:
            return importlib.import_module(f"{module}.{name}")
        raise absent(name, module)

    return find


def _method(name: str) -> Any:
    def refuse(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise refusal(f"Tensor.{name}", NAMES[name])

    refuse.__name__ = name
    refuse.__doc__ = "Refuse: this package lacks it."
    return refuse


def refuse_overrides(cls: type) -> None:
    """Refuse a class that would have operators call a method of its own instead."""
    for name in ("__torch_function__", "__torch_dispatch__"):
        if hasattr(cls, name):
            raise refusal(f"{cls.__name__}.{name}", _OVERRIDES)


# Methods of Tensor that refuse when they are called.
METHODS: dict[str, Any] = {
    name[1:]: _method(name[1:]) for name, _ in _WORDS if name.startswith(".")
}


class Absent:
    """Takes the place of an attribute that Tensor lacks, to raise an error that names it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, tensor: Any, kind: type) -> Any:
        raise refusal(f"Tensor.{self._name}")

"""autograd_core: PyTorch's autograd semantics on NumPy alone, small enough to be read.

`import autograd_core as torch` runs PyTorch code within this package's scope. What is rarely needed
is loaded when it is first asked for.
"""

import importlib as _importlib
import math as _math
import sys as _sys
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

import autograd_core.methods as _methods
from autograd_core.creation import (
    as_tensor,
    asarray,
    empty,
    empty_like,
    empty_strided,
    from_numpy,
    full,
    full_like,
    ones,
    ones_like,
    scalar_tensor,
    tensor,
    zeros,
    zeros_like,
)
from autograd_core.messages import unsupported as _unsupported
from autograd_core.modes.anomaly import (
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    set_anomaly_enabled,
)
from autograd_core.modes.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from autograd_core.modes.inference import is_inference
from autograd_core.ops.einsum import einsum
from autograd_core.ops.indexing import where
from autograd_core.ops.shape import broadcast_shapes, broadcast_tensors
from autograd_core.tensor import Size, Tensor
from autograd_core.tensors.device import (
    contiguous_format,
    device,
    get_default_device,
    layout,
    memory_format,
    preserve_format,
    set_default_device,
    strided,
)
from autograd_core.tensors.dtypes import (
    bool_,
    dtype,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
)

if _TYPE_CHECKING:
    from autograd_core import autograd

# Names that are loaded when they are first asked for, with their module; "" for modules.
_LATER = {
    name: module
    for module, names in {
        "drawing": "make_dot",
        "tensors.pickling": "save load",
        "tensors.printing": "set_printoptions",
        "random": "Generator default_generator get_rng_state initial_seed manual_seed seed "
        "set_rng_state",
        "random.sampling": "rand rand_like randint randint_like randn randn_like randperm",
        "nn.functional": "celu celu_ cosine_similarity selu selu_",
        "creation.ranges": "arange eye linspace logspace",
        "tensors.type_info": "can_cast finfo get_default_dtype iinfo is_tensor promote_types "
        "result_type set_default_dtype typename",
        "creation.legacy": "BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor "
        "HalfTensor IntTensor LongTensor ShortTensor set_default_tensor_type tensortype",
        "storage": "TypedStorage UntypedStorage",
        "messages": "is_warn_always_enabled set_warn_always",
        "messages.unsupported": "accelerator backends cuda",
        "modes.execution": "are_deterministic_algorithms_enabled get_float32_matmul_precision "
        "get_num_threads is_deterministic_algorithms_warn_only_enabled "
        "set_float32_matmul_precision set_num_threads use_deterministic_algorithms",
        "autograd.in_cpp": "_C",
    }.items()
    for name in names.split()
} | dict.fromkeys(
    ("autograd", "linalg", "nn", "optim", "random", "return_types", "storage", "testing", "utils"),
    "",
)

# The version of PyTorch whose semantics these are.
__version__ = "2.13.0+autograd_core"
half, float, double = float16, float32, float64
short, int, long = int16, int32, int64
bool = bool_
e, inf, nan, pi = _math.e, _math.inf, _math.nan, _math.pi
newaxis = None
_methods.attach()
if _sys.platform == "emscripten":
    _importlib.import_module("autograd_core.graph.long_graphs").attach()
globals().update(_methods.PACKAGE)


def __getattr__(name: str) -> _Any:
    if name in _LATER:
        module = _importlib.import_module(f"{__name__}.{_LATER[name] or name}")
        found = getattr(module, name) if _LATER[name] else module
        setattr(_sys.modules[__name__], name, found)
        return found
    raise _unsupported.absent(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})

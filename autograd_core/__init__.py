"""autograd_core: PyTorch's autograd semantics on NumPy alone, small enough to be read.

`import autograd_core as torch` runs PyTorch code within this package's scope.
"""

import warnings as _warnings

import autograd_core.methods as _methods
from autograd_core import autograd, linalg, nn, optim, return_types, utils
from autograd_core.anomaly import (
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    set_anomaly_enabled,
)
from autograd_core.creation import (
    arange,
    as_tensor,
    empty,
    empty_like,
    eye,
    from_numpy,
    full,
    full_like,
    get_rng_state,
    linspace,
    manual_seed,
    ones,
    ones_like,
    rand,
    rand_like,
    randint,
    randn,
    randn_like,
    randperm,
    set_rng_state,
    tensor,
    zeros,
    zeros_like,
)
from autograd_core.dtypes import (
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
from autograd_core.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from autograd_core.inference import is_inference
from autograd_core.make_dot import make_dot
from autograd_core.ops.indexing import where
from autograd_core.ops.joining import cat, stack
from autograd_core.ops.matmul import einsum
from autograd_core.ops.shape import broadcast_tensors
from autograd_core.tensor import Size, Tensor

# Like PyTorch, infinities and nan come without a word; NumPy's warnings elsewhere stay as they are.
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"autograd_core\.")
half, float, double = float16, float32, float64
short, int, long = int16, int32, int64
bool = bool_
_methods.attach()
globals().update(_methods.FUNCTIONS)

"""What is done with all parameters together, under PyTorch's name `torch.nn.utils`."""

from autograd_core.messages.unsupported import refusing
from autograd_core.nn.utils.clip_grad import (
    clip_grad_norm_,
    clip_grad_value_,
    clip_grads_with_norm_,
    get_total_norm,
)
from autograd_core.nn.utils.convert_parameters import parameters_to_vector, vector_to_parameters

__getattr__ = refusing(__name__)

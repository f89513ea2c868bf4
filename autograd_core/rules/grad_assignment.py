"""What may be assigned to `tensor.grad`, how it is forgotten, and the dtype that it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograd_core.tensors import dtypes

if TYPE_CHECKING:
    from autograd_core.tensor import Tensor


def check_assigned(tensor: Tensor, value: Tensor) -> None:
    """Raise PyTorch's RuntimeError unless `value` can be the gradient of `tensor`."""
    if value is tensor:
        raise RuntimeError("can't assign Variable as its own grad")
    expected = tensor.dtype if tensor._grad_dtype is ... else tensor._grad_dtype
    if expected is not None and value.dtype is not expected:
        raise RuntimeError(
            f"attempting to assign a gradient with dtype '{value.dtype.in_c}' to a "
            f"tensor with grad_dtype '{expected.title}'. The gradient must match the "
            "tensor's grad_dtype (defaults to the tensor's dtype). You can set the tensor's "
            "grad_dtype attribute with a specific dtype, or None to allow any dtype. Set "
            "grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may "
            "break downstream systems that assume they match."
        )
    if value.shape != tensor.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{list(value.shape)}' to a tensor of "
            f"size '{list(tensor.shape)}'. Please ensure that the gradient and the tensor are "
            "the same size"
        )


def forget_gradient(parameter: Tensor, set_to_none: bool) -> None:
    """Set a parameter's gradient to None, or to zero in place."""
    if set_to_none or parameter.grad is None:
        parameter.grad = None
        return
    if parameter.grad.grad_fn is not None:
        parameter.grad.detach_()
    else:
        parameter.grad.requires_grad_(False)
    parameter.grad.zero_()


def grad_dtype(self: Tensor) -> dtypes.dtype | None:
    """The dtype of this leaf's gradients, its own unless set; None allows any."""
    if self.grad_fn is not None:
        raise RuntimeError("grad_dtype can only be accessed on leaf tensors.")
    return self.dtype if self._grad_dtype is ... else self._grad_dtype


def set_grad_dtype(self: Tensor, dtype: Any) -> None:
    """Set the dtype of this leaf's gradients, None for any; RuntimeError where PyTorch raises."""
    if not (dtype is None or isinstance(dtype, dtypes.dtype)):
        raise RuntimeError(
            f"grad_dtype must be a torch.dtype or None, but got {type(dtype).__name__}"
        )
    # Read through the property, which as in PyTorch warns if this is a non-leaf.
    kept = self.grad
    if kept is not None and dtype is not None and kept.dtype is not dtype:
        raise RuntimeError(
            f"Cannot set grad_dtype to '{dtype.title}' because there is already a gradient with "
            f"dtype '{kept.dtype.in_c}'. Please clear the gradient (.grad = None) before changing "
            "grad_dtype, or ensure the new grad_dtype matches the existing gradient's dtype."
        )
    # Not `grad_fn`: as in PyTorch, a view that would only now get a history counts as a leaf.
    if self._grad_fn is not None:
        raise RuntimeError("grad_dtype can only be set on leaf tensors.")
    self._grad_dtype = dtype
    node = self._accumulator() if self._accumulator is not None else None
    if node is not None:
        node.expect(dtype)

"""How a view was made: some must not be changed in place, and the error says why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograd_core.modes.grad_mode import mode
from autograd_core.node import Node
from autograd_core.saved_tensor import operation
from autograd_core.tensor import Tensor

if TYPE_CHECKING:
    from autograd_core.function import Function

NO_GRAD = "no_grad"
INFERENCE = "inference"
IN_CUSTOM_FUNCTION = "in custom Function"
ONE_OF_SEVERAL = "one of several"
_HERE = {NO_GRAD: "with grad mode enabled", INFERENCE: "in normal mode"}
_REASONS = {
    ONE_OF_SEVERAL: (
        "This view is the output of a function that returns multiple views. Such functions do not "
        "allow the output views to be modified inplace. You should replace the inplace operation "
        "by an out-of-place one."
    ),
    IN_CUSTOM_FUNCTION: (
        "This view was created inside a custom Function (or because an input was returned as-is) "
        "and the autograd logic to handle view+inplace would override the custom backward "
        "associated with the custom Function, leading to incorrect gradients. This behavior is "
        "forbidden. You can fix this by cloning the output of the custom Function."
    ),
} | {
    each: (
        "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify "
        f"your code by moving both the view and the inplace either both inside the {block} block "
        "(if you don't want the inplace to be tracked) or both outside (if you want the inplace "
        "to be tracked)."
    )
    for each, block in ((NO_GRAD, "no_grad"), (INFERENCE, "inference_mode"))
}


def mark_creation(view: Tensor, function: type[Function]) -> None:
    """Note how `function` has made a view, for the error that an in-place change may raise."""
    if not function.makes_views:
        view._creation = IN_CUSTOM_FUNCTION
    elif not mode.enabled and view._creation != INFERENCE:
        view._creation = INFERENCE if mode.inference else NO_GRAD


def mark_several(outputs: list[Any], node: Node) -> None:
    """Mark views among several outputs of a Function: they must not be changed in place."""
    tensors = [each for each in outputs if isinstance(each, Tensor)]
    if sum([each._grad_fn is node for each in tensors]) > 1:
        for each in tensors:
            if each._base is not None:
                each._creation = ONE_OF_SEVERAL


def check_creation(view: Tensor, verb: str) -> None:
    """Raise PyTorch's RuntimeError if `view`, which "is being" changed in place, must not be."""
    creation, maker = view._creation, view._grad_fn
    if not creation:
        return
    output = maker and f"Output {view._output_nr} of {operation(maker.name())} is a view"
    if maker is None or creation in _HERE:
        where = INFERENCE if creation == INFERENCE else NO_GRAD
        what = f"{output} of a view which was" if output else "A view was"
        said = f"{what} created in {where} mode and {verb} modified inplace {_HERE[where]}."
    else:
        said = f"{output} and {verb} modified inplace."
    raise RuntimeError(f"{said} {_REASONS[creation]}")

"""`Tensor`: a window onto a storage, and a place in the graph.

The arithmetic lives in `autograd_core.ops`; `autograd_core.methods` attaches it to this class.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import ndarray

import autograd_core
from autograd_core.forward_mode import tangents
from autograd_core.hooks.handles import Hooks, RemovableHandle, add_hook
from autograd_core.messages import check_argument, type_name, warn
from autograd_core.modes import grad_mode
from autograd_core.modes.grad_mode import mode
from autograd_core.modes.inference import (
    UNTRACKED,
    assigned_storage,
    check_requires_grad,
    counted,
    detached_storage,
    is_inference,
)
from autograd_core.rules import grad_assignment
from autograd_core.storage import Storage, new_storage
from autograd_core.tensors import dtypes
from autograd_core.tensors.size import Size

if TYPE_CHECKING:
    from autograd_core.node import AccumulateGrad, Node

_NON_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
    "attribute won't be populated during autograd.backward(). If you indeed want the .grad field "
    "to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you "
    "access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
    "github.com/pytorch/pytorch/pull/30531 for more information."
)
_NUMPY = "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
_DATA_DTYPE = "data set to a tensor that requires gradients must be floating point or complex dtype"
_DETACH_VIEW = (
    "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel "
    "(DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP "
    "buckets, and hence detach_() cannot be called on these gradients. To fix this error, please "
    "refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
)
new = object.__new__


class Tensor:
    """Numbers of one dtype in some shape, with PyTorch's autograd attributes.

    Make one with `autograd_core.tensor(data)`; `Tensor(data)` is PyTorch's legacy constructor and
    always gives float32.
    """

    # What NumPy computes with: an array or, for most 0-d tensors, a NumPy scalar.
    _array: Any
    # The memory and version counter, shared with aliases; made on demand.
    _shared: Storage | None = None

    _requires_grad = False
    _grad: Tensor | None = None
    _grad_fn: Node | None = None
    _output_nr = 0
    _retains = False
    # A leaf's accumulator looks here for its hooks; the `grad_fn` of a non-leaf has them, too.
    _backward_hooks: Hooks | None = None
    _post_accumulate_grad_hooks: Hooks | None = None
    # The dtype of a leaf's gradients: None for any, `...` for the tensor's own.
    _grad_dtype: Any = ...
    _accumulator: weakref.ref[AccumulateGrad] | None = None

    # Whether `detach_` has cut its history: a node that saved it before refuses to read it.
    _was_detached = False
    # Of a view: the tensor it looks into, the version up to which its `grad_fn` is valid, where it
    # begins if it is empty (NumPy forgets that), and how it was made (`rules/view_creation.py`).
    _base: Tensor | None = None
    _history_version = 0
    _offset_if_empty = 0
    _creation = ""

    # Makes NumPy leave `array * tensor` to `Tensor.__rmul__`.
    __array_priority__ = 1000

    def __hash__(self) -> int:
        return id(self)

    if TYPE_CHECKING:
        # Attached by `autograd_core.methods`.
        def __bool__(self) -> bool: ...
        def __float__(self) -> float: ...
        def __int__(self) -> int: ...
        def __index__(self) -> int: ...
        def __len__(self) -> int: ...
        def __iter__(self) -> Iterator[Tensor]: ...
        def __init__(self, *args: Any, **kwargs: Any) -> None: ...
        def __getattr__(self, name: str) -> Any: ...
        def __getitem__(self, index: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __add__(self, other: Any) -> Tensor: ...

        __invert__ = __neg__
        __sub__ = __mul__ = __truediv__ = __pow__ = __matmul__ = __add__
        __radd__ = __rsub__ = __rmul__ = __add__

    @property
    def _storage(self) -> Storage:
        storage = self._shared
        if storage is None:
            storage = self._shared = new_storage(self._array)
        return storage

    @_storage.setter
    def _storage(self, storage: Storage) -> None:
        self._shared = storage

    def memory(self) -> ndarray:
        """Return this tensor's memory as a NumPy array, whether it requires grad or not.

        If it was a NumPy scalar, it is an array from now on.
        """
        if not isinstance(self._array, ndarray):
            storage = self._storage
            if not isinstance(storage.data, ndarray):
                storage.data = np.array(storage.data)
            self._array = storage.data
        return self._array

    def write(self, values: Any) -> None:
        """Overwrite this tensor's values; neither the version counter nor the graph notices."""
        shared = self._shared
        if isinstance(self._array if shared is None else shared.data, ndarray):
            self.memory()[...] = values
            return
        self._array = self._array.dtype.type(values)
        if shared is not None:
            shared.data = self._array

    def untyped_storage(self) -> Storage:
        """Return the memory and version counter that this tensor shares with its aliases."""
        self.memory()
        return self._storage

    @property
    def _version(self) -> int:
        version = self._storage.version
        return version if type(version) is int else counted(version)

    is_inference = is_inference

    def _is_view(self) -> bool:
        return self._base is not None

    @property
    def shape(self) -> Size:
        """The length of each dimension."""
        return tuple.__new__(Size, self._array.shape)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._array.ndim

    @property
    def dtype(self) -> dtypes.dtype:
        """The element type."""
        return dtypes.of(self._array)

    def dim(self) -> int:
        """Return the number of dimensions."""
        return self._array.ndim

    @property
    def requires_grad(self) -> bool:
        """Whether operations on this tensor are recorded; settable on leaves."""
        base = self._base
        return self._requires_grad or (base is not None and base._requires_grad)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if value is not True and value is not False:
            raise RuntimeError("requires_grad must be a bool")
        if value and not self.dtype.is_floating_point:
            raise RuntimeError(
                "only Tensors of floating point and complex dtype can require gradients"
            )
        self._set_requires_grad(value)

    @requires_grad.deleter
    def requires_grad(self) -> None:
        raise RuntimeError("requires_grad must be a bool")

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Set `requires_grad` and return self; RuntimeError on integers, or to unset non-leaves."""
        check_argument("requires_grad_", "requires_grad", requires_grad, bool, 1)
        if requires_grad and not self.dtype.is_floating_point:
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        if not requires_grad or self._grad_fn is None:
            self._set_requires_grad(requires_grad)
        return self

    def _set_requires_grad(self, value: bool) -> None:
        if self._grad_fn is None:
            if value:
                check_requires_grad(self)
            self._requires_grad = value
            return
        message = "you can only change requires_grad flags of leaf variables."
        if not value:
            message += (
                " If you want to use a computed variable in a subgraph that doesn't require "
                "differentiation use var_no_grad = var.detach()."
            )
        raise RuntimeError(message)

    @property
    def grad_fn(self) -> Node | None:
        """The node that made this tensor; None for leaves."""
        if self._base is not None and self._history_version != self._storage.version:
            # Here, because views are tensors.
            from autograd_core.views import refresh_history

            refresh_history(self)
        return self._grad_fn

    @property
    def is_leaf(self) -> bool:
        """Whether the graph starts here: made by no recorded operation."""
        return self.grad_fn is None

    @property
    def output_nr(self) -> int:
        """Which output of `grad_fn` this tensor is."""
        return self._output_nr

    @property
    def grad(self) -> Tensor | None:
        """The accumulated gradient. Reading it on a non-leaf that does not retain it warns."""
        if self._grad is None and self._grad_fn is not None and not self._retains:
            warn(_NON_LEAF_GRAD)
        return self._grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            if not isinstance(value, Tensor):
                kind = type_name(value)
                raise TypeError(
                    f"assigned grad expected to be a Tensor or None but got grad of type {kind}"
                )
            grad_assignment.check_assigned(self, value)
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    grad_dtype = property(grad_assignment.grad_dtype, grad_assignment.set_grad_dtype)

    def retain_grad(self) -> None:
        """Keep the gradient of this non-leaf in `.grad` at backward; nothing to do on leaves."""
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        # As in PyTorch, a view that was made before its base had a history counts as a leaf here.
        if self._grad_fn is not None and not self._retains:
            maker = self.grad_fn
            assert maker is not None
            self._retains = True
            maker._retain(self._output_nr, self)

    @property
    def retains_grad(self) -> bool:
        """Whether `retain_grad` makes this non-leaf keep its gradient."""
        return self._retains

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> RemovableHandle:
        """Call `hook(grad)` at each backward; what it returns, if not None, replaces the gradient.

        Raises RuntimeError on tensors that do not require grad.
        """
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self._backward_hooks is None:
            # Read first: it resets `_backward_hooks` when this is a view whose history is stale.
            maker = self.grad_fn
            self._backward_hooks = OrderedDict()
            if maker is not None:
                maker._register_hook_dict(self)
            elif self._accumulator is not None and (accumulator := self._accumulator()) is not None:
                accumulator._has_hooks = True
        return add_hook(self._backward_hooks, hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], None]) -> RemovableHandle:
        """Call `hook(self)` whenever backward has accumulated into the `.grad` of this leaf.

        Raises RuntimeError on tensors that do not require grad or are no leaves.
        """
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self.grad_fn is not None:
            raise RuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors"
            )
        if self._post_accumulate_grad_hooks is None:
            self._post_accumulate_grad_hooks = OrderedDict()
        return add_hook(self._post_accumulate_grad_hooks, hook)

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Sequence[Tensor] | Tensor | None = None,
    ) -> None:
        """Accumulate the gradient of this tensor into the leaves' `.grad`.

        `gradient` has this tensor's shape and may be left out for a single element. Raises
        RuntimeError where PyTorch does. (PyTorch: torch.Tensor.backward.)
        """
        autograd_core.autograd.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def detach(self) -> Tensor:
        """Return a tensor of the same memory and version counter that has no history."""
        detached = new(Tensor)
        detached._array, detached._shared = self.memory(), self._storage
        if grad_mode.inference_used and self.is_inference():
            detached._shared = detached_storage(self)
        return detached

    def detach_(self) -> Tensor:
        """Cut this tensor itself from its history; RuntimeError on views."""
        if mode.inference or (grad_mode.inference_used and self.is_inference()):
            return self
        if self._base is not None:
            raise RuntimeError(_DETACH_VIEW)
        if self._grad_fn is not None:
            # Make the storage: of a saved tensor without one, a node checks nothing.
            self._was_detached, self._storage = True, self._storage
        self._grad_fn, self._output_nr, self._requires_grad = None, 0, False
        tangents.forget(self)
        return self

    @property
    def data(self) -> Tensor:
        """The same memory, without history and with a version counter of its own.

        In-place changes through it escape the check that protects saved tensors.
        """
        unwatched = new(Tensor)
        unwatched._array = self.memory()
        if grad_mode.inference_used and self.is_inference():
            unwatched._storage = detached_storage(self)
        else:
            unwatched._storage = new_storage(self._storage.data)
        return unwatched

    @data.setter
    def data(self, other: Tensor) -> None:
        if not isinstance(other, Tensor):
            kind = type(other).__name__
            raise TypeError(f"Variable data has to be a tensor, but got {kind}")
        if self.requires_grad and not other.is_floating_point():
            raise RuntimeError(_DATA_DTYPE)
        if other.dtype is not self.dtype:
            # Older graphs still hold the old accumulator; new ones need one for the new dtype.
            self._accumulator = None
        self._array, self._storage = other.memory(), assigned_storage(self, other)

    @data.deleter
    def data(self) -> None:
        raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")

    def numpy(self, *, force: bool = False) -> ndarray:
        """Return a new array that shares this tensor's memory; RuntimeError if it requires grad."""
        if self.requires_grad and grad_mode.is_grad_enabled() and not force:
            raise RuntimeError(_NUMPY)
        self.untyped_storage().show_to_numpy()
        return self._array.view()

    def item(self) -> Any:
        """Return the only element as a Python number; RuntimeError for several elements."""
        array = self._array
        if array.size != 1:
            raise RuntimeError(f"a Tensor with {array.size} elements cannot be converted to Scalar")
        return array.item()

    def tolist(self) -> Any:
        """Return the elements as nested lists of Python numbers; a number for a 0-d tensor."""
        return self._array.tolist()


def wrap(data: Any) -> Tensor:
    """Return a new tensor of NumPy `data`, which no other tensor may hold."""
    tensor = new(Tensor)
    tensor._array = data
    # Operators read these all the time, and Python finds them faster here than on the class.
    tensor._base = tensor._shared = None
    if grad_mode.inference_used and mode.inference:
        tensor._storage.version = UNTRACKED
    return tensor


def wrap_indices(places: Any) -> Tensor:
    """Return NumPy's indices as an int64 tensor; in a browser NumPy's own are int32."""
    return wrap(places.astype(np.int64, copy=False))


def data_of(value: Any) -> Any:
    """Return a tensor's NumPy data, and any other value as it is."""
    return value._array if isinstance(value, Tensor) else value

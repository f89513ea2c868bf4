"""The class of a Function's nodes: each Function has its own, made when it is first needed."""

from __future__ import annotations

import threading
from typing import Any

from autograd_core.context import Context
from autograd_core.custom_node import BackwardCFunction, CallsOtherwise
from autograd_core.graph.saved_attributes import attributes_of

# Reentrant: collecting garbage may run anything.
_one_at_a_time = threading.RLock()


class _NodeClass:
    """Takes the place of a Function's node class, and makes it when it is first read.

    Making the classes of all operators at once took a tenth of the time to import this package.
    """

    def __init__(self, name: str) -> None:
        # The name that the Function was defined with; it may have another by then.
        self._name = name

    def __get__(self, instance: Any, function: Any) -> Any:
        with _one_at_a_time:
            if vars(function)["_node_class"] is self:
                function._node_class = function._backward_cls = self._made_for(function)
        return function._node_class

    def _made_for(self, function: Any) -> type[Context]:
        name, module = f"{self._name}Backward", "torch.autograd.function"
        context_class: type[Context] = BackwardCFunction
        if function.node_name:
            name, module = function.node_name.rpartition("::")[2], "builtins"
            context_class = function._context_class or Context
        elif function._defines("vjp") or function.boxed_grads_call:
            context_class = CallsOtherwise
        about = {"_function": function, "_forward_cls": function, "__module__": module}
        return type(name, (context_class,), about | attributes_of(function))


class FunctionMeta(type):
    """Gives each Function a class of nodes."""

    _node_class: Any
    _backward_cls: Any

    def __init__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any]) -> None:
        super().__init__(name, bases, members)
        cls._node_class = cls._backward_cls = _NodeClass(name)

"""Which place of the drawing belongs to which node and tensor of a live graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

from autograd_core import Tensor
from lessons.widgets.stepper import values
from lessons.widgets.stepper.acts import Link, Picture, Spot
from lessons.widgets.stepper.frames import Names
from lessons.widgets.stepper.local import name_of
from lessons.widgets.stepper.looking import maker_of

NO_GRAD_NEEDED = "does not require grad"
KEEPS = "kept: retain_grad"
BEFORE = " (before)"


class Atlas:
    """The places of nodes, leaves and constants, all of which it keeps alive."""

    def __init__(self) -> None:
        self.picture = Picture()
        self.nodes: list[Any] = []
        # The tensors that stand at a place, as far as they are known; the first is its value.
        self.tensors: dict[Spot, list[Tensor]] = {}
        self._of_node: dict[int, Spot] = {}
        self._of_tensor: dict[int, Spot] = {}
        self._links: dict[tuple[int, int], Link] = {}

    def of_node(self, node: Any) -> Spot | None:
        """Return the place of a node, if it has one."""
        return self._of_node.get(id(node))

    def of_tensor(self, tensor: Tensor) -> Spot | None:
        """Return the place where a tensor was last seen, if there is one."""
        return self._of_tensor.get(id(tensor))

    def asked(self, spot: Spot) -> Tensor | None:
        """Return the tensor at a place that was asked to keep its gradient, if there is one.

        A tensor that was changed in place since then is at another place, and so is the request.
        """
        here = [each for each in self.tensors.get(spot, []) if self.of_tensor(each) is spot]
        return next((each for each in here if each.retains_grad), None)

    def link(self, node: Any, place: int) -> Link | None:
        """Return the link to a node that belongs to an index of its `next_functions`."""
        return self._links.get((id(node), place))

    def put(self, spot: Spot, node: Any = None, tensors: Iterable[Tensor] = ()) -> Spot:
        """Note the node and the tensors of a place; the first tensor is the value shown there."""
        if node is not None:
            self._of_node[id(node)] = spot
            self.nodes.append(node)
        for tensor in tensors:
            self._of_tensor[id(tensor)] = spot
            self.tensors.setdefault(spot, []).append(tensor)
        return spot

    def leaf(self, accumulator: Any) -> Spot:
        """Return the place of a leaf, given the node that fills its `.grad`."""
        known = self.of_node(accumulator)
        if known is not None:
            return known
        variable = accumulator.variable
        spot = self.of_tensor(variable)
        if spot is not None and spot.kind == "leaf":
            return self.put(spot, accumulator)
        shape = values.shape_text(variable.shape)
        return self.put(self.picture.spot("leaf", shape=shape), accumulator, (variable,))

    def constant(self, tensor: Tensor) -> Spot:
        """Return the place of a tensor that takes no part in differentiation."""
        known = self.of_tensor(tensor)
        if known is not None:
            return known
        shape = values.shape_text(tensor.shape)
        is_leaf = tensor.requires_grad and maker_of(tensor) is None
        spot = self.picture.spot("leaf" if is_leaf else "constant", shape=shape)
        return self.put(spot, None, (tensor,))

    def source(self, node: Any) -> Spot:
        """Return the place of a node whose result is used; a node never seen gets a place now."""
        known = self.of_node(node)
        if known is not None:
            return known
        if is_accumulator(node):
            return self.leaf(node)
        # Iterative, because a chain of unseen nodes may be long.
        waiting = [node]
        while waiting:
            each = waiting[-1]
            providers = [p for p, _ in each.next_functions if p is not None]
            unknown = [p for p in providers if self.of_node(p) is None and not is_accumulator(p)]
            if unknown and each not in unknown:
                waiting += unknown
                continue
            waiting.pop()
            if self.of_node(each) is None:
                spot = self.picture.spot("function", function=name_of(each))
                metadata = each.output_metadata
                if len(metadata) == 1 and metadata[0] is not None:
                    spot.shape = values.shape_text(metadata[0][0])
                self.put(spot, each)
                self.connect(each, spot, {})
        return self._of_node[id(node)]

    def connect(self, node: Any, spot: Spot, constants: dict[int, Tensor]) -> None:
        """Link a node to its inputs; `constants` are those without a history, by index."""
        for place, (provider, _) in enumerate(node.next_functions):
            if provider is not None:
                self._links[id(node), place] = self.picture.link(self.source(provider), spot)
            elif place in constants:
                tensor = constants[place]
                source = self.constant(tensor)
                why = NO_GRAD_NEEDED
                self._links[id(node), place] = self.picture.link(source, spot, why)

    def settle(self, names: Names, results: Collection[Spot]) -> None:
        """Set what is known of each place in the end: name, flags, whether it is a result.

        `results` are the places where backward began; without any, places that nothing uses count.
        """
        sources = {link.source for link in self.picture.links}
        repeated = Counter(spot.expression for spot in self.picture.spots)
        for spot in self.picture.spots:
            tensors = self.tensors.get(spot, [])
            named = next(filter(names.of, tensors), None)
            expression = spot.expression if repeated[spot.expression] == 1 else ""
            spot.name = expression if named is None else names.of(named)
            moved = bool(tensors) and all(self.of_tensor(each) is not spot for each in tensors)
            if moved and named is not None:
                spot.name += BEFORE
            elif spot.kind == "function" and not results and spot not in sources:
                spot.kind = "output"
            if spot.kind == "function" and spot in results:
                spot.kind = "output"
            if spot.kind in ("function", "output"):
                retains = self.asked(spot) is not None
                spot.facts = {"leaf": "not a leaf", "requires_grad": "True"}
                spot.facts["retains_grad"] = str(retains)
                spot.facts[".grad"] = KEEPS if retains else "None: not a leaf"
            elif tensors:
                flag = tensors[0].requires_grad
                spot.facts = {"leaf": "leaf", "requires_grad": str(bool(flag))}


def is_accumulator(node: Any) -> bool:
    """Return whether a node is the end of a path, at a leaf."""
    return hasattr(node, "variable") and not node.next_functions

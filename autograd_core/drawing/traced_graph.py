"""A recorded graph as plain data: items, edges in the direction of the data, and notes.

Only the public graph is read (`name()`, `next_functions`, `variable`, `saved_slots`), so what a
figure shows is what a learner can reach by hand; and looking at it changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from autograd_core.graph.looking import maker_of, storage_of

Kind = Literal["leaf", "function", "output", "saved", "folded"]

ACCUMULATOR = "AccumulateGrad"
ITEMS_DRAWN = 60
KEPT_AT_EACH_END = 10
NAMES_LISTED = 4

NOTHING_SAVED = "Nothing is saved: no function needs it for backward."


@dataclass(frozen=True)
class Item:
    """One node of the figure. `name` is empty where the learner gave none."""

    kind: Kind
    name: str = ""
    detail: str = ""
    function: str = ""
    stale: bool = False


@dataclass(frozen=True)
class Link:
    """An edge from the item that provides a tensor to the item that takes it."""

    source: int
    target: int
    count: int = 1


@dataclass
class TracedGraph:
    """Items in an order in which every item comes after those it takes from."""

    items: list[Item] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def count(self, kind: Kind) -> int:
        """How many items are of one kind."""
        return sum(item.kind == kind for item in self.items)

    def inputs(self) -> list[list[Link]]:
        """For each item the links that lead to it."""
        into: list[list[Link]] = [[] for _ in self.items]
        for link in self.links:
            into[link.target].append(link)
        return into


def trace(outputs: Sequence[Any], names: Mapping[str, Any], show_saved: bool) -> TracedGraph:
    """Read the graph that was recorded for `outputs`; fold it when it is too large to draw.

    `names` gives tensors (leaves, intermediates, outputs) the names by which they are shown.
    """
    # Asked once, because a view that is out of date has another maker each time.
    makers = {id(tensor): maker_of(tensor) for tensor in (*outputs, *names.values())}
    known = _Names(names, makers)
    graph = TracedGraph()
    roots = [makers[id(tensor)] for tensor in outputs]
    nodes = in_data_order(root for root in roots if root is not None)
    index_of = {id(node): index for index, node in enumerate(nodes)}
    for index, node in enumerate(nodes):
        variable = _variable(node)
        if variable is None:
            item = Item("function", known.made_by(node, outputs), "", node.name())
        else:
            item = Item("leaf", known.of(variable), _shape(variable), ACCUMULATOR)
        graph.items.append(item)
        for provider, _ in node.next_functions:
            if provider is not None:
                graph.links.append(Link(index_of[id(provider)], index))
    if len(nodes) > ITEMS_DRAWN:
        new_index = _fold(graph)
        index_of = {key: new_index[index] for key, index in index_of.items()}
    for tensor, root in zip(outputs, roots, strict=True):
        if root is None:
            detail = f"{_shape(tensor)}, requires_grad={bool(tensor.requires_grad)}"
            graph.items.append(Item("leaf", known.of(tensor), detail))
            graph.notes.append(_why_nothing_was_recorded(tensor))
            continue
        graph.links.append(Link(index_of[id(root)], len(graph.items)))
        graph.items.append(Item("output", known.of(tensor), _shape(tensor)))
    if show_saved:
        _add_saved(graph, nodes, index_of, known)
        if nodes and not graph.count("saved"):
            graph.notes.append(NOTHING_SAVED)
    graph.notes += known.missing(nodes, outputs)
    return graph


def in_data_order(roots: Iterable[Any]) -> list[Any]:
    """Every node once, after all the nodes that it takes from. Iterative: chains may be long."""
    order: list[Any] = []
    seen: set[int] = set()
    for root in roots:
        stack = [(root, False)]
        while stack:
            node, providers_done = stack.pop()
            if providers_done:
                order.append(node)
            elif id(node) not in seen:
                seen.add(id(node))
                stack.append((node, True))
                providers = [provider for provider, _ in node.next_functions]
                stack += [(p, False) for p in reversed(providers) if p is not None]
    return order


def _variable(node: Any) -> Any:
    return node.variable if node.name().endswith(ACCUMULATOR) else None


def _shape(tensor: Any) -> str:
    return f"shape {tuple(tensor.shape)}"


def _why_nothing_was_recorded(tensor: Any) -> str:
    if tensor.requires_grad:
        return "Nothing was recorded: this leaf is where a graph would start (grad_fn is None)."
    return (
        "Nothing was recorded: grad_fn is None, because no input required grad, "
        "recording was off (no_grad), or the tensor was detached."
    )


class _Names:
    """The names given to tensors, found again from the tensors and nodes of the graph."""

    def __init__(self, names: Mapping[str, Any], makers: Mapping[int, Any]) -> None:
        self._given, self._makers = dict(names), makers

    def of(self, tensor: Any) -> str:
        return ", ".join(name for name, given in self._given.items() if given is tensor)

    def made_by(self, node: Any, outputs: Sequence[Any]) -> str:
        """Names of what `node` made, except outputs, which have an item of their own."""
        return ", ".join(
            name
            for name, given in self._given.items()
            if self._makers[id(given)] is node and not any(given is output for output in outputs)
        )

    def of_memory(self, tensor: Any) -> str:
        """The name of a saved tensor, which may be another object on the same memory."""
        storage, shape = storage_of(tensor), tuple(tensor.shape)
        for name, given in self._given.items():
            if given is tensor:
                return name
        for name, given in self._given.items():
            if storage_of(given) is storage and tuple(given.shape) == shape:
                return name
        return ""

    def missing(self, nodes: Sequence[Any], outputs: Sequence[Any]) -> list[str]:
        """One sentence for each reason why a named tensor is not in the graph."""
        made = {id(node) for node in nodes}
        tensors = {id(_variable(node)) for node in nodes} | {id(output) for output in outputs}
        absent = {
            name: given
            for name, given in self._given.items()
            if id(given) not in tensors and id(self._makers[id(given)]) not in made
        }
        cut = [name for name, given in absent.items() if not given.requires_grad]
        apart = [name for name in absent if name not in cut]
        notes = []
        if cut:
            notes.append(f"Not in this graph: {_listed(cut)} (requires_grad is False).")
        if apart:
            notes.append(f"Not in this graph: {_listed(apart)} (no path leads from there to here).")
        return notes


def _listed(names: Sequence[str]) -> str:
    more = len(names) - NAMES_LISTED
    return ", ".join(names[:NAMES_LISTED]) + (f" and {more} more" if more > 0 else "")


def _fold(graph: TracedGraph) -> list[int]:
    """Replace the middle of a large graph by one item; returns the new index of each old one.

    The middle is contiguous in an order in which inputs come first. So no path leaves it and
    comes back, and the folded graph has no cycle.
    """
    total, kept = len(graph.items), KEPT_AT_EACH_END
    hidden = graph.items[kept : total - kept]
    new_index = [min(old, kept) for old in range(total - kept)]
    new_index += [kept + 1 + rank for rank in range(kept)]
    links = Counter((new_index[link.source], new_index[link.target]) for link in graph.links)
    graph.links = []
    for (source, target), count in links.items():
        if kept not in (source, target):
            graph.links += [Link(source, target)] * count
        elif source != target:
            graph.links.append(Link(source, target, count))
    kinds = Counter(item.function if item.kind == "function" else "leaf" for item in hidden)
    common = [f"{count:,} {kind}" for kind, count in kinds.most_common(2)]
    common += ["others"] if len(kinds) > 2 else []
    folded = Item("folded", f"{len(hidden):,} nodes folded", ", ".join(common))
    graph.items = [*graph.items[:kept], folded, *graph.items[total - kept :]]
    graph.notes.append(
        f"The graph has {total:,} nodes; the {len(hidden):,} in the middle are drawn as one."
    )
    return new_index


def _add_saved(
    graph: TracedGraph, nodes: Sequence[Any], index_of: Mapping[int, int], known: _Names
) -> None:
    for node in nodes:
        taker = index_of[id(node)]
        if graph.items[taker].kind != "function":
            continue
        merged: dict[tuple[int, int], list[Any]] = {}
        for slot in getattr(node, "saved_slots", ()):
            memory = 0 if slot.tensor is None else id(storage_of(slot.tensor))
            merged.setdefault((memory, slot.version), []).append(slot)
        for slots in merged.values():
            graph.links.append(Link(len(graph.items), taker))
            graph.items.append(_saved_item(slots, known))


def _saved_item(slots: Sequence[Any], known: _Names) -> Item:
    """One item for all that a function has saved of the same memory at the same version."""
    first, names = slots[0], ", ".join(slot.name for slot in slots if slot.name)
    if first.tensor is None:
        return Item("saved", "", "freed by backward" if first.freed else "packed by a hook", names)
    parts = [known.of_memory(first.tensor), _shape(first.tensor), f"version {first.version}"]
    detail = ", ".join(part for part in parts if part)
    if first.is_stale:
        now = storage_of(first.tensor).version
        return Item("saved", f"STALE: memory is at version {now}", detail, names, stale=True)
    return Item("saved", "", detail, names)

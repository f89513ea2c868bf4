"""Acts: what happened, in order, as plain data from which the story is told.

A recording and a replay both end in a list of acts over one picture. Tensors are copied into NumPy
arrays when they are noted, so an act stays true whatever happens to the tensors later.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

Kind = Literal["leaf", "function", "output", "constant", "folded", "absent"]


@dataclass(eq=False)
class Spot:
    """A place in the drawing: a leaf, a constant, or an operation with what it made."""

    id: str
    kind: Kind
    name: str = ""
    # The expression in the learner's source, for tensors without a name.
    expression: str = ""
    function: str = ""
    shape: str = ""
    # Where in the source it was made: file and line.
    line: Any = None
    why: str = ""
    # The name of the learner's own Function, if the operation is one.
    own: str = ""
    facts: dict[str, str] = field(default_factory=dict)


@dataclass(eq=False)
class Link:
    """An edge from one tensor to one operation; `why` says why no gradient goes back along it."""

    id: str
    source: Spot
    target: Spot
    why: str = ""


@dataclass
class Picture:
    """All places and links, in the order in which they were made."""

    spots: list[Spot] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)

    def spot(self, kind: Kind, **about: Any) -> Spot:
        """Add a place."""
        made = Spot(f"n{len(self.spots)}", kind, **about)
        self.spots.append(made)
        return made

    def link(self, source: Spot, target: Spot, why: str = "") -> Link:
        """Add a link."""
        made = Link(f"e{len(self.links)}", source, target, why)
        self.links.append(made)
        return made

    def aside(self) -> set[Spot]:
        """Remove and return the places that no link joins to any leaf or recorded operation.

        Arithmetic on data alone would only fill the drawing; if there is nothing else, it stays.
        """
        group = {spot: {spot} for spot in self.spots}
        for link in self.links:
            if group[link.source] is not group[link.target]:
                joined = group[link.source] | group[link.target]
                group.update(dict.fromkeys(joined, joined))
        mattering = ("leaf", "function", "output")
        kept = [s for s in self.spots if any(each.kind in mattering for each in group[s])]
        aside = set(self.spots).difference(kept or self.spots)
        self.spots = [spot for spot in self.spots if spot not in aside]
        self.links = [link for link in self.links if link.source not in aside]
        return aside

    def into(self, spot: Spot) -> list[Link]:
        """Return the links that lead to a place, in the order of the arguments."""
        return [link for link in self.links if link.target is spot]


@dataclass(eq=False)
class Appear:
    """Leaves and constants are there before anything is computed with them."""

    spots: Sequence[Spot]


@dataclass(eq=False)
class Run:
    """An operation has run forward. `value` is None if it is no longer known."""

    spot: Spot
    value: np.ndarray | None
    version: int | None = 0


@dataclass(eq=False)
class Alter:
    """Memory was changed in place: what is at some places now, and the new version."""

    values: Mapping[Spot, np.ndarray]
    version: int
    line: int | None
    by: str = ""


@dataclass(eq=False)
class Ask:
    """Somebody has called `retain_grad` on the tensor at a place."""

    spot: Spot


@dataclass(eq=False)
class Start:
    """Backward begins at a place, with a gradient."""

    spot: Spot
    grad: np.ndarray
    # How often backward has begun before.
    count: int = 0
    call: str = "backward()"
    line: Any = None


@dataclass(frozen=True, eq=False)
class Sent:
    """What a visit sent along one link. `local` is a number or a few words, or empty."""

    link: Link
    upstream: Any
    local: Any
    contribution: np.ndarray | None


@dataclass(eq=False)
class Visit:
    """Backward has visited an operation: what had arrived, and what it sent on."""

    spot: Spot
    arrived: np.ndarray | None
    sent: Sequence[Sent]
    # Whether a hook has replaced the gradient that had arrived.
    replaced: bool = False
    # What `.grad` holds from now on of the tensor here, if it was asked to keep it.
    kept: np.ndarray | None = None


@dataclass(eq=False)
class Collect:
    """A leaf has added what arrived to its `.grad`."""

    spot: Spot
    arrived: np.ndarray | None
    before: np.ndarray | None
    after: np.ndarray | None


@dataclass(eq=False)
class Push:
    """Forward mode has come to an operation: the tangents that came in, and the one it made."""

    spot: Spot
    sent: Sequence[Sent]
    tangent: np.ndarray | None


@dataclass(eq=False)
class Sweep:
    """A sweep of forward mode begins: this leaf moves, the others stay."""

    spot: Spot
    tangent: np.ndarray
    still: Sequence[Spot]


@dataclass(eq=False)
class Fail:
    """The engine raised, at a place if it was walking; `error` is PyTorch's text."""

    spot: Spot | None
    error: str
    line: Any = None


@dataclass(eq=False)
class Compared:
    """The end of a walk by a broken engine: what leaves hold, and what they should hold."""

    grads: Mapping[Spot, tuple[Any, Any]]


@dataclass(eq=False)
class Note:
    """Something is said, and nothing changes in the graph."""

    says: str
    line: Any = None


# Changes of memory, which are told together with the act before them.


@dataclass(eq=False)
class Named:
    """A tensor uses a storage. `name` returns its name as soon as it has one."""

    name: Callable[[], str]
    storage: str
    says: str
    values: np.ndarray
    version: int


@dataclass(eq=False)
class Retold:
    """A change in place has given a tensor another maker; the text beside its name changes."""

    named: Named
    says: str


@dataclass(eq=False)
class Kept:
    """An operation has kept a tensor for backward, at a version."""

    slot: str
    owner: Spot
    name: str
    storage: str
    version: int
    values: np.ndarray


@dataclass(eq=False)
class Changed:
    """A storage holds other numbers now, at another version."""

    storage: str
    values: np.ndarray | None
    version: int


@dataclass(eq=False)
class Freed:
    """Backward has used what an operation had kept, and let it go."""

    owner: Spot


Act = (
    Appear | Run | Alter | Ask | Start | Visit | Collect | Push | Sweep | Fail | Note | Compared
    | Named | Retold | Kept | Changed | Freed
)  # fmt: skip


def without(act: Act, aside: Collection[Spot]) -> Act | None:
    """Return an act without some places, None if nothing of it is left."""
    if isinstance(act, Appear):
        spots = [spot for spot in act.spots if spot not in aside]
        return Appear(spots) if spots else None
    if isinstance(act, Alter):
        values = {spot: value for spot, value in act.values.items() if spot not in aside}
        return replace(act, values=values) if values else None
    return None if isinstance(act, Run) and act.spot in aside else act

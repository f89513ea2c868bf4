"""Folds a large graph: its middle becomes one place, and all that happens there one step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from lessons.widgets.stepper.acts import Link, Picture, Spot

MOST = 60
KEPT_AT_EACH_END = 12

Step = dict[str, Any]


def fold(
    picture: Picture, stories: Mapping[str, list[Step]]
) -> tuple[Picture, dict[str, list[Step]], list[str]]:
    """Return the picture and the stories with the middle folded, and remarks about that.

    The middle is contiguous in the order in which places appear, and inputs appear first, so no
    path leaves it and comes back. Graphs of at most `MOST` places stay as they are.
    """
    if len(picture.spots) <= MOST:
        return picture, dict(stories), []
    order = _order(picture, next(iter(stories.values())))
    hidden = order[KEPT_AT_EACH_END : len(order) - KEPT_AT_EACH_END]
    folded = _Folded(picture, hidden)
    told = {key: folded.steps(steps) for key, steps in stories.items()}
    note = (
        f"The graph has {len(picture.spots):,} nodes; the {len(hidden):,} in the middle are drawn "
        "as one."
    )
    return folded.picture, told, [note]


def _order(picture: Picture, steps: list[Step]) -> list[Spot]:
    """Return the places in the order in which a story shows them; the others come last."""
    by_id = {spot.id: spot for spot in picture.spots}
    shown = [
        key
        for step in steps
        for key, change in step["changes"]["nodes"].items()
        if change.get("shown")
    ]
    return [by_id[key] for key in dict.fromkeys([*shown, *by_id])]


class _Folded:
    def __init__(self, picture: Picture, hidden: list[Spot]) -> None:
        self._hidden = {spot.id for spot in hidden}
        kinds = Counter(spot.function or spot.kind for spot in hidden).most_common(2)
        words = ", ".join(f"{count:,} {kind}" for kind, count in kinds)
        self.spot = Spot("folded", "folded", f"… {len(hidden):,} nodes", function=words)
        self.picture = Picture()
        for spot in picture.spots:
            if spot.id not in self._hidden:
                self.picture.spots.append(spot)
            elif self.spot not in self.picture.spots:
                self.picture.spots.append(self.spot)
        self._edges: dict[str, str | None] = {}
        made: dict[tuple[Spot, Spot], Link] = {}
        for link in picture.links:
            source, target = self._place(link.source), self._place(link.target)
            if source is target:
                self._edges[link.id] = None
            elif self.spot not in (source, target):
                self.picture.links.append(link)
                self._edges[link.id] = link.id
            else:
                if (source, target) not in made:
                    made[source, target] = Link(link.id, source, target, link.why)
                    self.picture.links.append(made[source, target])
                self._edges[link.id] = made[source, target].id

    def _place(self, spot: Spot) -> Spot:
        return self.spot if spot.id in self._hidden else spot

    def steps(self, steps: list[Step]) -> list[Step]:
        """Return the steps of a story, with those inside the fold joined."""
        told: list[Step] = []
        inside = 0
        for step in map(self._step, steps):
            is_inside = step["focus"] == [self.spot.id] and "error" not in step
            if is_inside and inside and step["phase"] == told[-1]["phase"]:
                inside += 1
                _join(told[-1], step)
                told[-1]["says"] = f"{inside} steps happen in the part that is folded."
            else:
                inside = 1 if is_inside else 0
                told.append(step)
            if is_inside:
                told[-1].pop("question", None)
        return told

    def _step(self, step: Step) -> Step:
        nodes: dict[str, dict[str, Any]] = {}
        for key, change in step["changes"]["nodes"].items():
            if key not in self._hidden:
                nodes[key] = change
            elif change.get("shown") or "visited" in change:
                kept = {name: change[name] for name in ("shown", "visited") if name in change}
                nodes.setdefault(self.spot.id, {}).update(kept)
        edges: dict[str, dict[str, Any]] = {}
        for key, change in step["changes"]["edges"].items():
            place = self._edges[key]
            if place is not None:
                edges.setdefault(place, {}).update(change)
        focus = [self.spot.id if key in self._hidden else key for key in step["focus"]]
        ways = [place for key in step["edges"] if (place := self._edges[key]) is not None]
        changes = {**step["changes"], "nodes": nodes, "edges": edges}
        return {
            **step,
            "focus": list(dict.fromkeys(focus)),
            "edges": list(dict.fromkeys(ways)),
            "changes": changes,
        }


def _join(step: Step, later: Step) -> None:
    """Add what a later step changes to a step."""
    for part, changes in later["changes"].items():
        for key, change in changes.items():
            step["changes"][part].setdefault(key, {}).update(change)
    step["edges"] = list(dict.fromkeys([*step["edges"], *later["edges"]]))
    step["line"] = None
    step["sweeps"] = later["sweeps"]

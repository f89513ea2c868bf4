"""The story that the widget tells: acts become steps, plain data with ready-made strings.

The state at a step results from the `changes` of all steps up to it, applied in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lessons.widgets.stepper import values
from lessons.widgets.stepper.acts import (
    Act,
    Alter,
    Appear,
    Ask,
    Changed,
    Collect,
    Compared,
    Fail,
    Freed,
    Kept,
    Link,
    Named,
    Note,
    Picture,
    Push,
    Retold,
    Run,
    Sent,
    Spot,
    Start,
    Sweep,
    Visit,
)
from lessons.widgets.stepper.arrivals import Arrivals
from lessons.widgets.stepper.atlas import BEFORE
from lessons.widgets.stepper.lane import Lane
from lessons.widgets.stepper.prose import (
    are,
    called,
    headline,
    listed,
    say,
    says_collect,
    says_push,
    says_run,
    says_visit,
)
from lessons.widgets.stepper.replay import Way
from lessons.widgets.stepper.values import CHIP, factor, text

Step = dict[str, Any]
PARTS = ("nodes", "edges", "names", "storages", "slots")


class Teller:
    """Turns acts into steps. `line_of` gives the number of a source line in the listing."""

    def __init__(
        self,
        picture: Picture,
        memory: Lane,
        line_of: Callable[[Any], int | None],
        way: Way = "true",
    ) -> None:
        self._picture, self._memory, self._line_of, self._way = picture, memory, line_of, way
        self.steps: list[Step] = []
        # Every act with the step in which it is told.
        self.told: list[tuple[Act, Step]] = []
        self._waiting: dict[str, dict[str, dict[str, Any]]] = {part: {} for part in PARTS}
        self._arrivals = Arrivals(way)
        self._visited: list[Spot] = []
        # Where the program has called backward: it waits there during the whole walk.
        self._walk_line: Any = None
        self._sweeps = {"reverse": 0, "forward": 0}

    def tell(self, acts: Sequence[Act]) -> list[Step]:
        """Return the steps of a story."""
        for place, act in enumerate(acts):
            if isinstance(act, Start):
                self._arrivals.begin(act, acts[place + 1 :])
            getattr(self, f"_{type(act).__name__.lower()}")(act)
            if self.steps:
                self.told.append((act, self.steps[-1]))
        if any(self._waiting.values()) and self.steps:
            self._merge_waiting(self.steps[-1])
        return self.steps

    def _step(
        self,
        phase: str,
        says: str,
        focus: Sequence[Spot] = (),
        links: Sequence[Link] = (),
        line: Any = None,
        title: str = "",
    ) -> Step:
        step: Step = {
            "phase": phase,
            "title": title,
            "says": says,
            "line": self._line_of(line),
            "focus": [spot.id for spot in focus],
            "edges": [link.id for link in links],
            "changes": {part: {} for part in PARTS},
            "sweeps": dict(self._sweeps),
        }
        self._merge_waiting(step)
        self.steps.append(step)
        return step

    def _merge_waiting(self, step: Step) -> None:
        for part, changes in self._waiting.items():
            for key, change in changes.items():
                step["changes"][part].setdefault(key, {}).update(change)
        self._waiting = {part: {} for part in PARTS}

    def _change(self, part: str, key: str, **change: Any) -> None:
        """Change something in the step that was told last, or, before any, in the next one."""
        target = self.steps[-1]["changes"] if self.steps else self._waiting
        target[part].setdefault(key, {}).update(change)

    def _appear(self, act: Appear) -> None:
        changes = {spot.id: self._shown(spot) for spot in act.spots}
        if self.steps:
            self._waiting["nodes"].update(changes)
            return
        leaves = [called(spot) for spot in act.spots if spot.kind == "leaf"]
        others = [called(spot) for spot in act.spots if spot.kind != "leaf"]
        says = []
        if leaves:
            says.append(
                f"{listed(leaves)} {are(leaves, 'is a leaf', 'are leaves')} that "
                f"{are(leaves, 'requires', 'require')} grad: here the graph begins."
            )
        if others:
            says.append(
                f"{listed(others)} {are(others, 'does', 'do')} not require grad: no gradient goes "
                "there."
            )
        step = self._step("forward", " ".join(says), act.spots, title="What is there at first")
        step["changes"]["nodes"].update(changes)

    def _shown(self, spot: Spot) -> dict[str, Any]:
        shown: dict[str, Any] = {"shown": True}
        value = self._memory.value_at(spot)
        if value is not None and value[0] is None:
            shown["value"] = values.NOT_KEPT
        elif value is not None:
            shown["value"], shown["version"] = text(value[0]), str(value[1])
        if spot.kind == "leaf" and spot.facts.get("requires_grad") == "True":
            shown["grad"] = text(self._memory.grad_at(spot))
        return shown

    def _run(self, act: Run) -> None:
        spot = act.spot
        links = self._picture.into(spot)
        value = values.NOT_KEPT if act.value is None else text(act.value)
        says = says_run(spot, links, value.removesuffix("."))
        step = self._step("forward", says, [spot], links, spot.line, headline(spot))
        change: dict[str, Any] = {"shown": True, "value": value}
        if act.version is not None:
            change["version"] = str(act.version)
        step["changes"]["nodes"].setdefault(spot.id, {}).update(change)
        for link in links:
            step["changes"]["edges"][link.id] = {"shown": True}

    def _alter(self, act: Alter) -> None:
        what = listed([called(spot) for spot in act.values]) or "Memory that the graph uses"
        by = f" by {act.by}" if act.by else ""
        says = f"{what} {are(list(act.values) or [0], 'is', 'are')} changed in place{by}. "
        says += f"The version counter of that memory is at {act.version} now."
        step = self._step("memory", says, list(act.values), line=act.line, title="Changed in place")
        for spot, value in act.values.items():
            change = {"value": text(value), "version": str(act.version)}
            step["changes"]["nodes"].setdefault(spot.id, {}).update(change)

    def _ask(self, act: Ask) -> None:
        # The name that it has now, whether or not it is changed in place later.
        name = called(act.spot).removesuffix(BEFORE)
        says = f"{name}.retain_grad() has been called: {name} keeps what passes it from now on."
        self._step("memory", says, [act.spot], title=f"{name} is asked")

    def _start(self, act: Start) -> None:
        self._sweeps["reverse"] += 1
        name = called(act.spot)
        again = f" Backward number {act.count + 1}." if act.count else ""
        what = say(act.grad)
        says = f"{name}.{act.call}: {name} gets the gradient {what}, for itself.{again}"
        self._walk_line = act.line
        step = self._step("backward", says, [act.spot], line=act.line, title="Backward begins")
        for spot in self._visited:
            step["changes"]["nodes"][spot.id] = {"visited": False, "grad": None, "sum": None}
        if act.count:
            for link in self._picture.links:
                blank = {"upstream": None, "local": None, "contribution": None}
                step["changes"]["edges"][link.id] = blank
        self._visited = []
        step["changes"]["nodes"].setdefault(act.spot.id, {})["grad"] = text(act.grad)

    def _visit(self, act: Visit) -> None:
        spot, links = act.spot, [sent.link for sent in act.sent]
        says, title = says_visit(act), f"Backward: {called(spot)}"
        step = self._step("backward", says, [spot], links, self._walk_line, title)
        change: dict[str, Any] = {"visited": True, "grad": text(act.arrived)}
        if self._arrivals.count(spot) > 1:
            change["sum"] = self._arrivals.told(spot, whole=True)
        if act.kept is not None:
            change["kept"] = text(act.kept)
        step["changes"]["nodes"][spot.id] = change
        self._visited.append(spot)
        for sent in act.sent:
            step["changes"]["edges"].setdefault(sent.link.id, {}).update(_carried(sent, "vjp"))
            if sent.contribution is None:
                continue
            source = sent.link.source
            late = source in self._visited and self._way == "unordered"
            self._arrivals.add(source, sent.contribution)
            arrived: dict[str, Any] = {"sum": self._arrivals.told(source)}
            if late:
                arrived["sum"] = f"{text(sent.contribution, CHIP)} comes too late"
            else:
                arrived["grad"] = None
            step["changes"]["nodes"].setdefault(source.id, {}).update(arrived)

    def _collect(self, act: Collect) -> None:
        name = called(act.spot)
        says, title = says_collect(act, name, self._way), f"{name}.grad"
        step = self._step("backward", says, [act.spot], line=self._walk_line, title=title)
        change: dict[str, Any] = {"grad": text(act.after), "visited": True}
        if act.before is not None and act.arrived is not None and self._way != "overwrite":
            before, arrived = text(act.before, CHIP), factor(text(act.arrived, CHIP))
            change["sum"] = f"{before} + {arrived} = {text(act.after, CHIP)}"
        elif self._arrivals.count(act.spot) > 1:
            change["sum"] = self._arrivals.told(act.spot, whole=True)
        step["changes"]["nodes"][act.spot.id] = change
        if self._way == "unordered":
            self._arrivals.forget(act.spot)

    def _sweep(self, act: Sweep) -> None:
        self._sweeps["forward"] += 1
        name = called(act.spot)
        others = listed([called(spot) for spot in act.still])
        says = f"Forward mode, sweep {self._sweeps['forward']}: {name} moves with the speed 1"
        says += f", {others} {are(list(act.still), 'stands', 'stand')} still." if others else "."
        step = self._step("tangent", says, [act.spot, *act.still], title=f"{name} moves")
        nodes = step["changes"]["nodes"]
        for spot in self._picture.spots:
            nodes[spot.id] = {"tangent": None}
        for link in self._picture.links:
            blank = {"upstream": None, "local": None, "contribution": None}
            step["changes"]["edges"][link.id] = blank
        nodes[act.spot.id] = {"tangent": text(act.tangent)}
        for spot in act.still:
            nodes[spot.id] = {"tangent": "0."}

    def _push(self, act: Push) -> None:
        spot = act.spot
        moved = [sent for sent in act.sent if sent.contribution is not None]
        step = self._step(
            "tangent", says_push(act), [spot], [sent.link for sent in moved], None,
            f"Tangent: {called(spot)}",
        )  # fmt: skip
        change: dict[str, Any] = {"tangent": text(act.tangent)}
        if len(moved) > 1 and act.tangent is not None and not act.tangent.ndim:
            parts = [text(sent.contribution, CHIP) for sent in moved]
            words = " + ".join([parts[0], *map(factor, parts[1:])])
            change["tangent"] = f"{words} = {text(act.tangent, CHIP)}"
        step["changes"]["nodes"][spot.id] = change
        for sent in moved:
            step["changes"]["edges"][sent.link.id] = _carried(sent, "jvp")

    def _fail(self, act: Fail) -> None:
        where = f" at {called(act.spot)}" if act.spot is not None else ""
        focus = [act.spot] if act.spot is not None else []
        if self.steps and act.spot is not None and self.steps[-1]["focus"] == [act.spot.id]:
            step = self.steps[-1]
            step["says"] += " From here it cannot go on, and PyTorch raises."
        else:
            step = self._step("backward", f"PyTorch raises{where}.", focus, line=act.line)
        step["title"] = f"Backward{where}"
        step["error"] = act.error

    def _compared(self, act: Compared) -> None:
        wrong = [
            f"{called(spot)}.grad is {say(found)}, but should be {say(true)}"
            for spot, (found, true) in act.grads.items()
        ]
        says = f"{'; '.join(wrong[:3])}."
        self._step("backward", says, list(act.grads), title="What came of it")

    def _note(self, act: Note) -> None:
        self._step("memory", act.says, line=act.line)

    def _named(self, act: Named) -> None:
        self._memory.tell_name(act, self._change)

    def _retold(self, act: Retold) -> None:
        self._memory.tell_name_again(act, self._change)

    def _kept(self, act: Kept) -> None:
        self._memory.tell_slot(act, self._change)

    def _changed(self, act: Changed) -> None:
        stale = self._memory.tell_change(act, self._change)
        if stale and self.steps:
            step = self.steps[-1]
            if "stale" not in step["says"]:
                step["says"] += f" Stale from now on: what {listed(stale)} had kept."

    def _freed(self, act: Freed) -> None:
        self._memory.tell_freed(act, self._change)


def _carried(sent: Sent, kind: str) -> dict[str, Any]:
    local = sent.local if isinstance(sent.local, str) else text(sent.local, CHIP)
    return {
        "upstream": text(sent.upstream, CHIP),
        "local": local,
        "contribution": text(sent.contribution, CHIP),
        "kind": kind,
    }

"""The sentences of a story: what happens at a step, in words that are read aloud, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lessons.widgets.stepper import values
from lessons.widgets.stepper.acts import Collect, Link, Push, Sent, Spot, Visit
from lessons.widgets.stepper.replay import Way
from lessons.widgets.stepper.values import CHIP, factor, text

TIMES = " \u00d7 "


def say(value: Any) -> str:
    """Return a number as it stands in a sentence: a whole one without the point."""
    return text(value, CHIP).removesuffix(".")


def called(spot: Spot) -> str:
    """Return what a place is called in sentences."""
    return (
        spot.name
        or spot.function
        or {"leaf": "a leaf", "constant": "a constant"}.get(spot.kind, "a tensor")
    )


def listed(words: Sequence[str]) -> str:
    """Return words as a list in a sentence."""
    if len(words) > 4:
        return f"{', '.join(words[:3])} and {len(words) - 3} more"
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def are(things: Sequence[Any], one: str, several: str) -> str:
    """Return the word that fits one thing, or several."""
    return one if len(things) == 1 else several


def headline(spot: Spot) -> str:
    """Return the headline of an operation's step."""
    return f"Forward: {called(spot)}" if spot.kind != "absent" else f"Not recorded: {called(spot)}"


def says_run(spot: Spot, links: Sequence[Link], value: str) -> str:
    """Say that an operation has run, where it leads back to, and what came of it."""
    takes, back, none = (
        listed(list(dict.fromkeys(called(link.source) for link in some)))
        for some in (
            links,
            [link for link in links if not link.why],
            [link for link in links if link.why],
        )
    )
    of = f" of {takes}" if takes else ""
    if spot.kind == "absent":
        made = spot.name or "the result"
        return f"{spot.function}{of}: {made} is {value}, and has no history ({spot.why})."
    if spot.kind == "constant":
        made = spot.name or "The result"
        return (
            f"{made} shares the memory of {takes}, and none of its history: cut by {spot.function}."
        )
    if back:
        back = f", with a way back to {back}" + (f" and none to {none}" if none else "")
    result = spot.name or "the result"
    if value == values.NOT_KEPT:
        return f"{spot.function} was recorded{back}. What it made is kept nowhere any more."
    return f"{spot.function} is recorded{back}. Forward, {result} is {value}."


def says_visit(act: Visit) -> str:
    """Say what had arrived at an operation, and what it sends on."""
    moved = [sent for sent in act.sent if sent.contribution is not None]
    says = f"{say(act.arrived)} has arrived at {called(act.spot)}."
    if act.replaced:
        says += " A hook has made that of what was sent."
    if act.kept is not None:
        says += f" {called(act.spot)} was asked to keep it: {called(act.spot)}.grad is"
        says += f" {say(act.kept)} now."
    elif act.spot.facts.get("retains_grad") == "True":
        says += f" {called(act.spot)} was not asked in time to keep it, so it passes by."
    if not moved:
        return says
    sender = f"{act.spot.function} sends"
    if act.spot.own:
        says += " To your backward that is grad_output."
        sender = f"{act.spot.own}.backward returns"
    if len(moved) > 2 or not all(_is_short(sent) for sent in moved):
        ways = list(dict.fromkeys(called(sent.link.source) for sent in moved))
        if act.spot.own:
            return f"{says} {sender} what it makes of that, and it goes to {listed(ways)}."
        return f"{says} {sender} what it makes of that on to {listed(ways)}."
    each = [
        f"{say(sent.upstream)}{TIMES}{factor(say(sent.local))} = {say(sent.contribution)} to "
        f"{called(sent.link.source)}"
        for sent in moved
    ]
    return f"{says} {sender} {listed(each)}."


def _is_short(sent: Sent) -> bool:
    numbers = (sent.upstream, sent.local, sent.contribution)
    return isinstance(sent.local, np.ndarray) and not any("…" in say(each) for each in numbers)


def says_collect(act: Collect, name: str, way: Way) -> str:
    """Say what a leaf does with what has arrived."""
    after = say(act.after)
    if act.arrived is None:
        return f"Nothing arrives at {name}: its .grad stays {after}."
    if act.after is act.before or act.after is None:
        return f"{name} requires no grad any more: its .grad stays {after}."
    if act.before is None:
        return f"{name} is a leaf: its .grad was None and is {after} now."
    before, arrived = say(act.before), factor(say(act.arrived))
    if way == "overwrite":
        return f"{name}.grad was {before}; it is overwritten and is {after} now."
    return f"{name}.grad was {before}. What arrives is added: {before} + {arrived} = {after}."


def says_push(act: Push) -> str:
    """Say how the result of an operation moves."""
    moved = [sent for sent in act.sent if sent.contribution is not None]
    name = called(act.spot)
    if not moved:
        return f"Nothing that {name} is made of moves: its tangent is 0."
    each = [
        f"{factor(say(sent.upstream))}{TIMES}{factor(say(sent.local))}"
        if isinstance(sent.local, np.ndarray)
        else f"what comes from {called(sent.link.source)}"
        for sent in moved
    ]
    return f"{name} moves along: {' + '.join(each)} = {say(act.tangent)}."

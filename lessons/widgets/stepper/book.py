"""The whole story as one piece of plain data: drawing, memory, steps, variants, answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lessons.widgets.stepper import drawn, story
from lessons.widgets.stepper.acts import Picture, Spot
from lessons.widgets.stepper.fold import fold
from lessons.widgets.stepper.lane import Lane
from lessons.widgets.stepper.prose import called
from lessons.widgets.stepper.questions import ask
from lessons.widgets.stepper.switches import Variant


@dataclass
class Material:
    """The parts of a story; the first variant is what really happens.

    `start` holds the value, version and `.grad` of leaves and constants when they are first seen.
    """

    picture: Picture
    variants: Sequence[Variant]
    start: Mapping[Spot, tuple[Any, Any, Any]]
    title: str = ""
    source: list[dict[str, Any]] = field(default_factory=list)
    line_of: Callable[[Any], int | None] = lambda line: None
    notes: Sequence[str] = ()


def write(material: Material) -> dict[str, Any]:
    """Return the story as the widget takes it, plain data that JSON can hold."""
    variants = [_labelled(each) for each in material.variants]
    lane = Lane(variants[0].acts, material.start)
    stories: dict[str, list[story.Step]] = {}
    answers: dict[str, Any] = {}
    for variant in variants:
        teller = story.Teller(material.picture, lane.fresh(), material.line_of, variant.way)
        stories[variant.id] = teller.tell(variant.acts)
        if variant is variants[0]:
            answers = ask(teller.told)
    picture, stories, notes = fold(material.picture, stories)
    size, nodes, edges = drawn.place(picture, stories.values())
    for node, spot in zip(nodes, picture.spots, strict=True):
        node["line"] = material.line_of(spot.line)
    first = variants[0].id
    notes += material.notes
    asked = {step["question"]["token"] for step in stories[first] if "question" in step}
    if lane.left_out:
        notes.append(f"{lane.left_out} more storages are not shown.")
    return {
        "title": material.title,
        "source": material.source,
        "size": size,
        "nodes": nodes,
        "edges": edges,
        "memory": lane.parts,
        "steps": stories[first],
        "variants": [{"id": each.id, "label": each.label, "why": each.why} for each in variants],
        "stories": {key: steps for key, steps in stories.items() if key != first},
        "answers": {token: known for token, known in answers.items() if token in asked},
        "notes": notes,
    }


def _labelled(variant: Variant) -> Variant:
    """Return a variant of forward mode under the names that its leaves have by now."""
    if not variant.moving:
        return variant
    names = [called(spot) for spot in variant.moving]
    if len(names) == 1:
        label = f"forward mode: {names[0]} moves"
        return replace(variant, id=f"tangent:{names[0]}", label=label)
    return replace(variant, id="tangents", label="forward mode: each leaf in turn")

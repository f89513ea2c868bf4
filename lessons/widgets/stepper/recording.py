"""Makes the story of a recording."""

from __future__ import annotations

from typing import Any

from lessons.widgets.stepper.acts import Start
from lessons.widgets.stepper.book import Material, write
from lessons.widgets.stepper.record import Recorder
from lessons.widgets.stepper.scene import Scene
from lessons.widgets.stepper.switches import Variant

LONGEST_TITLE = 60
LOST = "What came then is left out: the recording could not follow it."
NO_BACKWARD = "Backward was not called within the recording; step(z) shows what it would do."


def story_of(recorder: Recorder) -> dict[str, Any]:
    """Return the story of a recording that is closed."""
    scene = recorder.scene
    listing, number_of = scene.source.listing()
    notes = []
    if scene.acts and not any(isinstance(act, Start) for act in scene.acts):
        notes.append(NO_BACKWARD)
    notes += recorder.walks.remarks
    if recorder.is_lost:
        notes.append(LOST)
    if recorder.left_out:
        notes.append(f"{recorder.left_out} later operations are left out.")
    variants = [Variant("true", "as it is", "", scene.acts), *recorder.walks.variants]
    return write(
        Material(
            scene.atlas.picture,
            variants,
            scene.start,
            _title(scene),
            listing,
            lambda line: number_of.get(line) if line is not None else None,
            notes,
        )
    )


def _title(scene: Scene) -> str:
    results = [spot for spot in scene.atlas.picture.spots if spot.kind == "output"]
    if len(results) == 1:
        text = scene.source.text(results[0].line)
        if text.startswith(f"{results[0].name} =") and len(text) <= LONGEST_TITLE:
            return text
    named = [spot.name for spot in results if spot.name]
    return f"The graph of {', '.join(named[:3])}" if named else "A recorded graph"

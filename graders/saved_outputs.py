"""Replaces widgets in a notebook that is saved with what can be shown without their kernel.

A saved widget view refers to a kernel that has ended by the time the notebook is opened again.
JupyterLab then shows an error, although the same output holds a form that needs no kernel.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from graders.live import VIEW

STANDS_ALONE = "stands_alone"
"""The key in an output's metadata that marks its other forms as complete without the widget."""

STILL = "still"
"""The key in a widget's state for the output that may replace it, as it is now."""

STATES = "application/vnd.jupyter.widget-state+json"


def without_views(model: dict[str, Any], **more: Any) -> None:
    """Remove widget views that can be replaced; a `pre_save_hook` of Jupyter's server.

    A view is removed when its output stands alone, or when its widget's state says what to show in
    its place. The state of such widgets is not saved either. `model` is what the server is about
    to save; anything but a notebook of format 4 is left alone.
    """
    content = model.get("content")
    if model.get("type") != "notebook" or not isinstance(content, dict):
        return
    states = _states(content)
    gone: set[str] = set()
    kept: set[str] = set()
    for output in _outputs(content):
        data, metadata = output.get("data", {}), output.get("metadata", {})
        view = data.get(VIEW)
        if view is None:
            continue
        still = _still(states, view)
        data.update(still)
        stands_alone = metadata.get(STANDS_ALONE) and len(data.keys() - {VIEW, "text/plain"})
        (gone if still or stands_alone else kept).add(_id(view))
        if still or stands_alone:
            del data[VIEW]
    for id in _reached(states, gone) - _reached(states, kept):
        del states[id]
    if gone and not states:
        content.get("metadata", {}).pop("widgets", None)


def _outputs(content: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for cell in content.get("cells", ()):
        yield from cell.get("outputs", ())


def _states(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the notebook's own dict of widget states by id, or an empty one."""
    found: Any = content
    for key in ("metadata", "widgets", STATES, "state"):
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def _still(states: Mapping[str, Any], view: Any) -> dict[str, Any]:
    """Return the output that a widget's state offers in its place, empty if it offers none."""
    state = states.get(_id(view))
    traits = state.get("state") if isinstance(state, dict) else None
    still = traits.get(STILL) if isinstance(traits, dict) else None
    return still if isinstance(still, dict) and "text/html" in still else {}


def _id(view: Any) -> str:
    return str(view.get("model_id")) if isinstance(view, dict) else ""


def _reached(states: Mapping[str, Any], ids: set[str]) -> set[str]:
    """Return those of `ids` that have a state, and all models reached from them by reference."""
    found: set[str] = set()
    waiting = [id for id in ids if id in states]
    while waiting:
        id = waiting.pop()
        if id in found:
            continue
        found.add(id)
        named = re.findall(r"IPY_MODEL_([\w-]+)", json.dumps(states[id]))
        waiting += [other for other in named if other in states]
    return found

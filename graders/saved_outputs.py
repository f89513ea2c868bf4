"""What a notebook keeps of widgets when it is saved: the form that lives without their kernel.

A saved view is a reference to a widget in a kernel that has ended by the time the notebook is
opened again, and JupyterLab shows an error in its place although there is something better beside.
"""

from __future__ import annotations

from typing import Any

from graders.live import VIEW

STANDS_ALONE = "stands_alone"
"""The key of an output's metadata that says: what is here beside the view needs no kernel."""


def without_views(model: dict[str, Any], **more: Any) -> None:
    """Take the views out of the outputs that stand alone; a `pre_save_hook` of Jupyter's server.

    `model` is what the server is about to save; anything but a notebook of format 4 is left alone.
    """
    content = model.get("content")
    if model.get("type") != "notebook" or not isinstance(content, dict):
        return
    for cell in content.get("cells", ()):
        for output in cell.get("outputs", ()):
            data, metadata = output.get("data", {}), output.get("metadata", {})
            if metadata.get(STANDS_ALONE) and len(data.keys() - {VIEW, "text/plain"}):
                data.pop(VIEW, None)

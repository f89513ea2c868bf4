"""The stepper as HTML that works without a kernel: in a notebook opened again, or on a page.

The story contains everything that is needed. Where scripts do not run, or are not trusted, the
figure and the text remain.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from html import escape
from typing import Any

from lessons.widgets.stepper.browser_half import joined_module, joined_style

TEXT, FIGURE, PAGE = "text/plain", "image/svg+xml", "text/html"


def standalone_html(story: Mapping[str, Any], still: Mapping[str, str]) -> str:
    """Return `still` (a mime bundle) as HTML that turns into a live stepper over `story`."""
    told = _in_script(json.dumps(story, separators=(",", ":")))
    key = f"al-{zlib.crc32(told.encode()):08x}"
    style = _in_script(json.dumps(joined_style()))
    text = escape(still.get(TEXT, ""))
    # An output may be on a page twice, each time with this script.
    hosts = f"[data-stepper={key}]:not([data-alive])"
    start = (
        f"const STYLE = {style};\n"
        f'for (const host of document.querySelectorAll("{hosts}")) {{\n'
        '  host.dataset.alive = "true";\n'
        f"  standAlone(host, {told});\n"
        "}"
    )
    return (
        f'<div data-stepper="{key}">{still.get(PAGE) or still.get(FIGURE, "")}'
        f"<details><summary>The steps as text</summary><pre>{text}</pre></details></div>\n"
        f'<script type="module">\n{joined_module()}\n{start}\n</script>\n'
    )


def _in_script(json_text: str) -> str:
    """JSON that can stand in a script: nothing in it ends the script or begins a comment."""
    return json_text.replace("<", "\\u003c").replace("\u2028", "\\u2028")

"""An answer that JupyterLite 0.7 leaves out: which comms a kernel has.

The widget manager asks for it before it shows the widgets of a notebook that is opened again, and
without an answer it waits for ever. The kernel could tell; the part that hands its answers to the
page does not know the question. It learns it here from a question of the same form that it knows.
"""

from __future__ import annotations

import re
from pathlib import Path

from graders.site import SiteError

KNOWN = re.compile(
    r'async _isCompleteRequest\(\w+\)\{[^{}]*\{[^{}]*"is_complete_reply"[^{}]*\}[^{}]*\}'
)
CASE = re.compile(r'case"is_complete_request":await this\._isCompleteRequest\(\w+\);break;')
NAMES = {
    "_isCompleteRequest": "_commInfoRequest",
    "isCompleteRequest": "commInfoRequest",
    "is_complete_": "comm_info_",
}


def answer(folder: Path) -> None:
    """Teach the scripts of a built site in `folder` the question.

    Raises SiteError when none of them has the place where it belongs.
    """
    known = False
    for path in (folder / "build").glob("*.js"):
        script = path.read_text(encoding="utf-8")
        new = taught(script)
        if new != script:
            path.write_text(new, encoding="utf-8")
        known |= 'case"comm_info_request"' in new
    if not known:
        raise SiteError(
            "The scripts of this JupyterLite are not those that this command knows: it cannot make"
            " them show the widgets of a notebook that is opened again. Reinstall the releases that"
            " were tried: pip install --force-reinstall 'autograd-lessons[site]'"
        )


def taught(script: str) -> str:
    """Return `script` with the question in it; as it is where it knows it, or has no part in it."""
    method, case = KNOWN.search(script), CASE.search(script)
    if method is None or case is None or 'case"comm_info_request"' in script:
        return script
    for found in (method[0], case[0]):
        script = script.replace(found, found + _renamed(found), 1)
    return script


def _renamed(code: str) -> str:
    for name, other in NAMES.items():
        code = code.replace(name, other)
    return code

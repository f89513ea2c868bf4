"""Commands of `autograd-lessons` that have a file of their own, and what they share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

UNUSABLE = 2

ISOLATIONS = ("auto", "bubblewrap", "landlock", "none")
"""Those of `graders.isolation`, which takes too long to import for a command that only helps."""


class Unusable(click.ClickException):
    """What was asked for cannot be done as asked; ends with status 2, as wrong arguments do."""

    exit_code = UNUSABLE


def isolation_option(where: str = "") -> Callable[..., Any]:
    """Return the option `--isolation` for grading that happens `where` the help is to say."""
    return click.option(
        "--isolation",
        type=click.Choice(ISOLATIONS),
        default="auto",
        show_default=True,
        help=f"How students' code is kept from everything else{where}.",
    )

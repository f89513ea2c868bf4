"""Commands of `autograd-lessons` that have a file of their own, and what they share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from graders.isolation import NAMES

UNUSABLE = 2


class WholeNumber(click.IntRange):
    """A whole number in a range, called so in messages."""

    name = "whole number"


class Number(click.FloatRange):
    """A number in a range, called so in messages."""

    name = "number"


class Unusable(click.ClickException):
    """The command cannot do what it was asked to; exits with status 2, as for wrong arguments."""

    exit_code = UNUSABLE


def isolation_option(where: str = "") -> Callable[..., Any]:
    """Return the option `--isolation`; its help says `where` grading happens."""
    return click.option(
        "--isolation",
        type=click.Choice(NAMES),
        default="auto",
        show_default=True,
        help=f"How students' code is isolated{where}.",
    )

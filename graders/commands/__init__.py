"""Commands of `autograd-lessons` that have a file of their own, and what they share."""

from __future__ import annotations

import click

UNUSABLE = 2


class Unusable(click.ClickException):
    """What was asked for cannot be done as asked; ends with status 2, as wrong arguments do."""

    exit_code = UNUSABLE

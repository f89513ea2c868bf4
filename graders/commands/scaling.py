"""Options of `grade` for classes that are too large for one machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from graders.executors import NAMES
from graders.run.shard import Shard


class ShardType(click.ParamType):
    """`3/8` on the command line, a Shard in the program."""

    name = "shard"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Shard:
        """See `click.ParamType.convert`."""
        if isinstance(value, Shard):
            return value
        try:
            return Shard.parse(value)
        except ValueError as error:
            self.fail(f"{error}.", param, ctx)


def scaling_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--executor`, `--scheduler` and `--shard` to `command`."""
    for option in (
        click.option(
            "--shard",
            type=ShardType(),
            metavar="I/N",
            help="Grade only part I of N, counted from 1; the command merge joins the parts.",
        ),
        click.option(
            "--scheduler",
            metavar="ADDRESS",
            callback=_only_with_dask,
            help="Dask's scheduler, such as tcp://host:8786.  [default: a cluster on this machine]",
        ),
        click.option(
            "--executor",
            type=click.Choice(NAMES),
            default="local",
            show_default=True,
            is_eager=True,
            help="Where to grade: in processes here, or on a Dask cluster.",
        ),
    ):
        command = option(command)
    return command


def _only_with_dask(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> str | None:
    if value is not None and context.params.get("executor") != "dask":
        raise click.BadParameter("it works only with --executor dask.", context, parameter)
    return value

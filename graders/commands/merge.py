"""The command `merge`: join the results of a class that was graded in parts."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from graders.commands import Unusable


@click.command(short_help="Join parts of a class graded with --shard.")
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@click.argument(
    "parts",
    nargs=-1,
    required=True,
    metavar="PART...",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
def merge(out: Path, parts: tuple[Path, ...]) -> None:
    """Join the results of PARTs, folders that `grade --shard` has written, into OUT.

    OUT then has everything that one run over the whole class would have written. Merging again
    changes nothing; parts that contradict each other about a submission are refused.

    Exit status: 0 when the class is complete, 1 when some submission could not be read completely
    or is not graded, or a part is missing, 2 when the parts do not fit together.
    """
    from graders.run.merge import Merge, MergeError

    try:
        missed = Merge(out, parts)()
    except MergeError as error:
        raise Unusable(str(error)) from error
    sys.exit(1 if missed else 0)

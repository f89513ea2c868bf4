"""The command `site`: the lessons as files that any web host can serve."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from graders.commands import Unusable


@click.command(short_help="Build a site that needs no server.")
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the site; new, empty, or one that this command has written.",
)
@click.option(
    "--pyodide",
    "release_folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with pyodide's files, to build without a network.  [default: download 15 MB from"
    " the servers of the pyodide project]",
)
def site(out: Path, release_folder: Path | None) -> None:
    """Build a static site on which every lesson runs in the browser, with no server behind it.

    The site contains all that the lessons need: a browser that opens it talks to its host alone,
    and what learners write stays in their browsers. Building again replaces what was built; your
    own files in the folder are neither deleted nor overwritten.
    """
    from graders.site import SiteError
    from graders.site.folder import check_folder, put_in_place
    from graders.site.installed import check_builder

    try:
        check_builder()
        check_folder(out)
        from graders.site.build import build
        from graders.site.pyodide import VERSION, from_folder, from_network

        if release_folder is None:
            click.echo(f"Fetching pyodide {VERSION} …")
            release = from_network()
        else:
            release = from_folder(release_folder)
        click.echo("Building the site …")
        out.absolute().parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            prefix=".autograd-lessons-", dir=out.absolute().parent
        ) as name:
            scratch, built = Path(name, "scratch"), Path(name, "built")
            scratch.mkdir()
            build(built, release, scratch)
            size = put_in_place(built, out)
    except SiteError as error:
        raise Unusable(str(error)) from error
    except OSError as error:
        raise Unusable(f"Cannot write to {out}: {error.strerror or error}.") from error
    click.echo(f"The site is in {out.absolute()} ({size / 1e6:.0f} MB). To look at it here:")
    click.echo(f"  python -m http.server --bind 127.0.0.1 --directory {out}")

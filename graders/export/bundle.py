"""Makes an autograder for Gradescope: one archive to upload, which contains all our packages."""

from __future__ import annotations

from importlib.resources import files

from graders.autograder import SETTINGS, Assignment
from graders.export import own_package
from graders.export.archive import zipped

SCRIPTS = {"setup.sh": "setup.sh", "run_autograder": "run_autograder.sh"}
"""What Gradescope runs: the name it has to have, and that in `gradescope_image`."""


def bundle(assignment: Assignment) -> bytes:
    """The archive that grades `assignment` on Gradescope. Raises `own_package.PackageError`."""
    image = files("graders.export") / "gradescope_image"
    contents = {name: (image / kept_as).read_bytes() for name, kept_as in SCRIPTS.items()}
    contents[SETTINGS] = assignment.to_json().encode()
    required = "".join(f"{each}\n" for each in own_package.requirements())
    contents["requirements.txt"] = required.encode()
    contents |= {f"packages/{path}": content for path, content in own_package.contents()}
    return zipped(contents, executable=SCRIPTS)

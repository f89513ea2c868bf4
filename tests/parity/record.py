"""The record of what PyTorch did: `python -m tests.parity.record` writes it anew.

With it, autograd_core is held against PyTorch where PyTorch is not installed. Where it is, a test
makes sure that the record is what PyTorch still does. `recorded/` has one file for each module of
programs; `python -m tests.parity.record views nn.layers` renews only those of the folders and
modules named.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from . import pytorch
from .harness import Plain, observe
from .programs import PROGRAMS

FOLDER = Path(__file__).with_name("recorded")


def read() -> dict[str, Plain]:
    """The recorded observations, by name of program."""
    return {
        name: observation
        for path in sorted(FOLDER.glob("*/*.json"))
        for name, observation in json.loads(path.read_text(encoding="utf-8")).items()
    }


def write(module: str, observations: dict[str, Plain]) -> None:
    """Replace a module's record, one line a program, so that a change of it can be reviewed."""
    lines = (
        f"{json.dumps(name)}: {json.dumps(observation, ensure_ascii=False)}"
        for name, observation in observations.items()
    )
    path = path_of(module)
    path.parent.mkdir(exist_ok=True)
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def path_of(module: str) -> Path:
    """Where the record of a module is, such as `views.history`."""
    return FOLDER.joinpath(*module.split(".")).with_suffix(".json")


def renew(wanted: Sequence[str]) -> None:
    """Run the programs of the places `wanted`, or of all, in PyTorch and record what they do."""
    torch = pytorch.load()
    modules = {name.rpartition(".")[0] for name in PROGRAMS}
    for module in sorted(modules):
        if not wanted or module in wanted or module.partition(".")[0] in wanted:
            programs = {name: PROGRAMS[name] for name in PROGRAMS if name.startswith(f"{module}.")}
            write(module, {name: observe(program, torch) for name, program in programs.items()})
    if not wanted:
        for path in set(FOLDER.glob("*/*.json")) - set(map(path_of, modules)):
            path.unlink()


if __name__ == "__main__":
    renew(sys.argv[1:])

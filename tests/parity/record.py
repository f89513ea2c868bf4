"""The record of what PyTorch did: `python -m tests.parity.record` writes it anew.

With it, autograd_core is held against PyTorch where PyTorch is not installed. Where it is, a test
makes sure that the record is what PyTorch still does.
"""

import json
from pathlib import Path
from types import ModuleType

from . import pytorch
from .harness import Plain, observe
from .programs import PROGRAMS

PATH = Path(__file__).with_name("recorded.json")


def observe_all(torch: ModuleType) -> dict[str, Plain]:
    """What each program of the table is observed to do in the engine `torch`."""
    return {name: observe(program, torch) for name, program in PROGRAMS.items()}


def read() -> dict[str, Plain]:
    """The recorded observations, by name of program."""
    return json.loads(PATH.read_text(encoding="utf-8"))


def write(observations: dict[str, Plain]) -> None:
    """Replace the record, one line a program, so that a change of it can be reviewed."""
    lines = (
        f"{json.dumps(name)}: {json.dumps(observation, ensure_ascii=False)}"
        for name, observation in observations.items()
    )
    PATH.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    write(observe_all(pytorch.load()))

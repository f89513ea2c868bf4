"""Names that PyTorch has and autograd_core has not are those that it says it has not."""

from types import ModuleType

import pytest

from autograd_core.messages import names_of_pytorch

from . import names, pytorch

try:
    torch = pytorch.load()
except ImportError as reason:
    pytest.skip(str(reason), allow_module_level=True)


@pytest.mark.parametrize(("place", "missing"), names.missing().items())
def test_the_names_are_written_as_they_are(place, missing):
    written = set(names_of_pytorch.NAMES[place].split())
    unwritten = [names.found(torch, f"{place}.{name}") for name in {*missing} - written]

    assert written <= set(missing)
    # Other tests may have imported parts of PyTorch that are not there at first.
    assert all(isinstance(value, ModuleType) for value in unwritten)

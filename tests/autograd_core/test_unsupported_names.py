"""What PyTorch has and this package has not is refused by name, not as an unknown attribute."""

import importlib

import pytest

import autograd_core
from autograd_core.messages.unsupported_names import NAMES

MODULES = sorted(NAMES.keys() - {"Tensor"})


@pytest.mark.parametrize("module", MODULES)
def test_names_that_are_not_here_are_refused(module):
    path = "autograd_core" if module == "torch" else f"autograd_core.{module}"
    place = importlib.import_module(path)
    for name in NAMES[module]:
        with pytest.raises(NotImplementedError, match=name):
            getattr(place, name)


@pytest.mark.parametrize("module", MODULES)
def test_names_that_pytorch_has_not_are_unknown(module):
    path = "autograd_core" if module == "torch" else f"autograd_core.{module}"
    with pytest.raises(AttributeError) as error:
        _ = importlib.import_module(path).no_such_name
    assert not isinstance(error.value, NotImplementedError)


@pytest.mark.parametrize("name", sorted(NAMES["Tensor"]))
def test_methods_that_are_not_here_are_refused(name):
    with pytest.raises(NotImplementedError, match=f"Tensor.{name} is not supported"):
        getattr(autograd_core.ones(2), name)()

"""What the README says autograd_core does not do: each of its examples raises as it says."""

import copy
import importlib
import re
from pathlib import Path

import numpy as np
import pytest

import autograd_core as torch
from autograd_core.messages import unsupported

README = Path(__file__).parents[2] / "README.md"
A_NAME = re.compile(r"torch(\.\w+)+")


def rows() -> list[tuple[str, str]]:
    """Return each feature of the table with each of its examples."""
    section = README.read_text("utf-8").partition("### What autograd_core does not do")[2]
    table = section.partition("## Maintain")[0]
    cells = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    return [
        (feature, example)
        for feature, examples in cells[1:]
        for example in re.findall(r"`(.*?)`", examples)
    ]


@pytest.mark.parametrize(("feature", "example"), rows())
def test_what_the_table_names_raises_not_implemented_error(feature, example):
    x = torch.ones(2, requires_grad=True)

    with pytest.raises(NotImplementedError) as refusal:
        eval(example, {"torch": torch, "x": x, "y": 2 * x})

    if A_NAME.fullmatch(example):
        assert str(refusal.value).startswith(f"{example} is not supported by autograd_core")
    else:
        named = re.findall(r"\w{4,}", feature + example)
        assert any(word in str(refusal.value) for word in named)


@pytest.mark.parametrize("name", [example for _, example in rows() if A_NAME.fullmatch(example)])
def test_hasattr_answers_no_for_a_missing_name(name):
    *path, last = name.split(".")
    holder = torch
    for part in path[1:]:
        holder = getattr(holder, part)

    assert not hasattr(holder, last)


def test_the_table_has_an_example_of_everything_that_is_refused_by_name():
    shown = {
        reason
        for _, example in rows()
        if (reason := unsupported.NAMES.get(example.rpartition(".")[2]))
    }

    assert shown == set(unsupported.NAMES.values())


def test_nothing_that_is_there_is_refused_by_name():
    for place in (torch, torch.linalg, torch.nn, torch.nn.functional, torch.optim):
        assert not set(vars(place)) & set(unsupported.NAMES)
    assert not set(vars(torch.Tensor)) & set(unsupported.NAMES) - set(unsupported.METHODS)


@pytest.mark.parametrize("place", unsupported.OTHERS)
def test_what_pytorch_has_and_this_package_has_not_is_refused_by_name(place):
    module = importlib.import_module(place.removesuffix(".Tensor").replace("torch", torch.__name__))
    holder = module.Tensor if place.endswith("Tensor") else module

    for name in unsupported.OTHERS[place].split():
        assert getattr(holder, name, "nothing") == "nothing"
        with pytest.raises(unsupported.UnsupportedError, match=rf"{name} is not supported by auto"):
            getattr(holder, name)


@pytest.mark.parametrize("path", ["", ".linalg", ".nn", ".nn.functional", ".optim", ".utils"])
def test_names_that_pytorch_has_not_are_unknown(path):
    with pytest.raises(AttributeError, match="no_such_name") as error:
        _ = importlib.import_module(f"autograd_core{path}").no_such_name
    assert not isinstance(error.value, NotImplementedError)


@pytest.mark.parametrize(
    "call",
    [
        lambda: torch.tensor(1j),
        lambda: torch.scalar_tensor(1j),
        lambda: torch.full((2,), 1j),
        lambda: torch.full_like(torch.ones(2), 1j),
        lambda: torch.arange(1j),
        lambda: torch.linspace(0, 1j, 2),
        lambda: torch.result_type(torch.ones(2), 1j),
        lambda: torch.ones(2) * 1j,
        lambda: torch.ones(2).clamp(1j),
        lambda: torch.ones(2).fill_(1j),
        lambda: torch.ones(2).__setitem__(0, 1j),
    ],
)
def test_complex_numbers_are_refused_by_name(call):
    with pytest.raises(NotImplementedError, match="complex numbers are not supported"):
        call()


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: torch.ones(2, pin_memory=True), "pinned memory"),
        (lambda: torch.nn.functional.pad(torch.ones(1, 2), (1, 1), mode="reflect"), "reflect"),
        (lambda: torch.nn.Unflatten("features", (2, 1)), "named tensors"),
        (lambda: torch.nn.Linear(1, 1).cuda(), "cuda"),
        (lambda: torch.ones(1).type("torch.cuda.FloatTensor"), "cuda"),
        (lambda: torch.ones(2, 2).norm("nuc"), "nuc"),
        (lambda: torch.float32.to_complex(), "complex"),
        (lambda: torch.from_numpy(np.ones(1, np.complex64)), "complex64"),
        (lambda: torch.from_numpy(np.ones(1, np.uint16)), "uint16"),
    ],
)
def test_what_is_asked_for_by_an_argument_is_named_when_it_is_refused(call, named):
    with pytest.raises(NotImplementedError, match=named):
        call()


def test_names_that_are_loaded_when_they_are_asked_for_are_listed():
    assert {"make_dot", "nn", "ones"} <= set(dir(torch))


def test_no_cuda_is_an_answer_not_an_error():
    assert torch.cuda.is_available() is False
    assert copy.copy(torch.cuda).is_available() is False
    assert torch.accelerator.current_accelerator() is None
    assert not torch.backends.cuda.is_built()
    assert not torch.backends.mps.is_built()
    assert not torch.backends.cudnn.is_available()
    assert torch.backends.cudnn.version() is None


@pytest.mark.parametrize(
    "layer",
    [
        lambda: torch.nn.Linear(2, 3, device="cuda"),
        lambda: torch.nn.LayerNorm(3, device="cuda"),
        lambda: torch.nn.BatchNorm1d(3, device="cuda"),
        lambda: torch.nn.Embedding(3, 2, device="cuda"),
    ],
)
def test_layers_refuse_devices_other_than_the_cpu(layer):
    with pytest.raises(NotImplementedError, match="device 'cuda'"):
        layer()


@pytest.mark.parametrize(
    "layer",
    [
        lambda: torch.nn.Embedding(3, 2, max_norm=1.0),
        lambda: torch.nn.Embedding(3, 2, 0, None, 2.0, True),
        lambda: torch.nn.Embedding.from_pretrained(torch.ones(3, 2), sparse=True),
    ],
)
def test_tables_refuse_options_that_they_do_not_have(layer):
    with pytest.raises(NotImplementedError, match="max_norm=, scale_grad_by_freq=, sparse="):
        layer()


@pytest.mark.parametrize("name", ["bfloat16", "compile", "xpu"])
def test_modules_refuse_by_name_what_only_pytorchs_can(name):
    layer = torch.nn.Linear(2, 3)

    with pytest.raises(NotImplementedError, match=f"Module.{name} is not supported"):
        getattr(layer, name)
    assert not hasattr(layer, name)


def test_packages_of_devices_answer_that_there_are_none():
    assert torch.cuda.is_available() is False
    assert torch.cuda.device_count() == 0
    with pytest.raises(NotImplementedError, match=r"torch\.cuda\.Stream"):
        torch.cuda.Stream  # noqa: B018 - asking is what is tested


def test_gradients_of_gather_are_dense():
    with pytest.raises(NotImplementedError, match="sparse"):
        torch.ones(2, 2).gather(0, torch.tensor([[0, 0]]), sparse_grad=True)


@pytest.mark.parametrize("name", ["__torch_function__", "__torch_dispatch__"])
def test_what_would_take_the_place_of_operators_is_refused_by_name(name):
    overriding = type("Logged", (), {name: classmethod(lambda cls, *args: 0)})

    with pytest.raises(NotImplementedError, match=rf"Mine\.{name} is not supported"):
        type("Mine", (overriding, torch.Tensor), {})
    for call in (
        lambda: torch.add(overriding(), 1),
        lambda: torch.ones(2).mul(overriding()),
        lambda: torch.mean(overriding(), dim=0),
        lambda: torch.clamp(torch.ones(2), min=overriding()),
    ):
        with pytest.raises(NotImplementedError, match=rf"Logged\.{name} is not supported"):
            call()


def test_a_subclass_of_tensor_tells_the_other_classes_above_it_of_itself():
    class Counted:
        def __init_subclass__(cls, number):
            cls.number = number

    class Mine(torch.Tensor, Counted, number=3):
        pass

    assert Mine.number == 3
    assert type(Mine([1.0]) + 1) is torch.Tensor


def test_bools_of_numpy_are_no_indices():
    """PyTorch takes them, with a warning, where NumPy is so old that they count as integers."""
    for index in (np.True_, (0, np.False_)):
        with pytest.raises(IndexError, match=r"valid indices \(got numpy\.bool\)"):
            torch.ones(2, 3)[index]

"""Answers that use PyTorch itself; a module of that name stands in for it."""

import sys
from types import ModuleType

import numpy as np
import pytest

import autograd_core
from graders import check
from graders.pytorch import TOLD, uses_pytorch
from tests.graders.test_check import ODD_SOLUTIONS

STAND_IN = """
class Function:
    @classmethod
    def apply(cls, *args): pass

class Tensor: pass

class no_grad:
    def __call__(self, function):
        def decorated(*args): return function(*args)
        return decorated

def tanh(x): raise TypeError("tanh(): argument 'input' (position 1) must be Tensor, not Tensor")
"""

ANSWERS = {
    "a Function": "class Answer(torch.Function):\n    def forward(ctx, x): return x",
    "a Function by name": "class Answer(Function):\n    def forward(ctx, x): return x",
    "the module": "def Answer(x): return torch.tanh(x)",
    "a function by name": "def Answer(x): return tanh(x)",
    "a helper": "def helper(x): return torch.tanh(x)\ndef Answer(x): return helper(x)",
    "an inner function": "def Answer(x):\n    return (lambda: torch.tanh(x))()",
    "a method": "class Answer:\n    @staticmethod\n    def f(x): return torch.tanh(x)",
    "a decorator": "@torch.no_grad()\ndef Answer(x): return x",
    "a number in a dict": "Answer = {'h': torch.Tensor(), 'x': 36}",
    "a number in a list in a dict": "Answer = {'x': [torch.Tensor(), 2], 'backward': 'raises'}",
    "a class in a closure": (
        "def make():\n    kind = torch.Tensor\n"
        "    def f(x): return isinstance(x, kind)\n    return f\nAnswer = make()"
    ),
}


@pytest.fixture
def pytorch(monkeypatch):
    """A module `torch`, as if PyTorch had been imported."""
    module = ModuleType("torch")
    exec(STAND_IN, vars(module))
    monkeypatch.setitem(sys.modules, "torch", module)
    return module


def answer(source, torch):
    function = getattr(torch, "Function", autograd_core.autograd.Function)
    namespace = {"np": np, "torch": torch, "tanh": torch.tanh, "Function": function}
    exec(source, namespace)
    return namespace["Answer"]


@pytest.mark.parametrize("source", ANSWERS.values(), ids=list(ANSWERS))
def test_pytorch_is_found_wherever_an_answer_uses_it(source, pytorch):
    assert uses_pytorch(answer(source, pytorch))


@pytest.mark.parametrize(
    "source",
    [
        "class Answer(Function):\n    @staticmethod\n    def forward(ctx, x): return torch.tanh(x)",
        "@torch.no_grad()\ndef Answer(x): return np.tanh(x.detach().numpy())",
        "Answer = {'x': torch.tensor(1.0), 'y': [2.0]}",
        "Answer = 1",
    ],
)
def test_the_engine_is_not_taken_for_it(source, pytorch):
    assert not uses_pytorch(answer(source, autograd_core))


# By name, because pytest itself does not survive looking at some of them.
@pytest.mark.parametrize("name", ODD_SOLUTIONS)
def test_an_odd_answer_is_looked_at_without_calling_it(name, pytorch):
    assert not uses_pytorch(ODD_SOLUTIONS[name])


def test_a_wrong_answer_is_told_that_pytorch_is_not_what_is_checked(pytorch):
    card = check("welcome-slope", answer(ANSWERS["the module"], pytorch))

    assert card.verdict.status == "failed"
    assert card.verdict.summary == TOLD
    assert "Hint" not in str(card)
    assert "Hint 1 of 3" in str(check("welcome-slope", answer("def Answer(x): ...", pytorch)))


def test_a_right_answer_may_use_whatever_it_likes(pytorch):
    source = "def Answer(x):\n    torch.Tensor\n    return 2 * x"

    assert check("welcome-slope", answer(source, pytorch)).passed

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import load
from graders.observe.own_function import yours

NUMBERS = torch.tensor([[-1.5], [0.2], [1.1]])


def test_a_function_that_works_is_used_and_said_to_be(capsys):
    own = load("cap-tanh").reference
    assert yours(own, torch.tanh, NUMBERS) == own.apply
    assert capsys.readouterr().out == "Tanh: yours\n"


def test_anything_else_is_stood_in_for(capsys):
    wrong = [each.solution for each in load("cap-tanh").misconceptions[:5]]
    for own in (load("cap-tanh").started(), None, ..., torch.sin, *wrong):
        assert yours(own, torch.tanh, NUMBERS) is torch.tanh
        assert "built-in one stands in" in capsys.readouterr().out


def test_functions_of_two_inputs_are_looked_at_too():
    own = load("cap-mse").reference
    mse = torch.nn.functional.mse_loss
    assert yours(own, mse, NUMBERS, NUMBERS.flip(0)) == own.apply


def test_the_inputs_stay_as_they_are():
    class Changes(Function):
        @staticmethod
        def forward(ctx, x):
            return x.detach().zero_()

    before = NUMBERS.clone()
    yours(Changes, torch.tanh, NUMBERS)
    assert torch.equal(NUMBERS, before)
    assert not NUMBERS.requires_grad

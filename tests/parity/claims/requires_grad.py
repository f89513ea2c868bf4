"""What really happens where the document on requires_grad speaks: req-1 to req-4."""

from ..harness import outcome
from .claim import NOTHING_TO_DIFFERENTIATE, Claims

claims = Claims()

ROWS = [[1.0, -1.0], [1.0, -1.0]]


@claims.really("req-1", x=False, the_sum=False, backward=NOTHING_TO_DIFFERENTIATE)
def tensors_do_not_require_grad_by_default(torch):
    x = torch.tensor(ROWS)
    y = x.sum()
    return {
        "x": x.requires_grad,
        "the_sum": y.requires_grad,
        "backward": outcome(y.backward),
    }


@claims.really("req-2", the_sum=0.0, grad=[[1.0, 1.0], [1.0, 1.0]], dtype="torch.float32")
def the_gradient_of_a_sum_is_ones(torch):
    x = torch.tensor(ROWS, requires_grad=True)
    y = x.sum()
    y.backward()
    return {"the_sum": y.item(), "grad": x.grad.tolist(), "dtype": str(x.grad.dtype)}


@claims.really(
    "req-3",
    through_linear=True,
    through_relu_alone=False,
    through_frozen_linear=False,
    parameters_of_linear=[True, True],
    x=False,
    x_grad=None,
    weight_has_grad=True,
)
def parameters_require_grad_not_sequential(torch):
    x = torch.tensor(ROWS)
    model = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.ReLU())
    frozen = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.ReLU())
    parameters = [parameter.requires_grad for parameter in model.parameters()]
    for parameter in frozen.parameters():
        parameter.requires_grad_(False)
    through_linear = model(x)
    through_linear.sum().backward()
    return {
        "through_linear": through_linear.requires_grad,
        "through_relu_alone": torch.nn.Sequential(torch.nn.ReLU())(x).requires_grad,
        "through_frozen_linear": frozen(x).requires_grad,
        "parameters_of_linear": parameters,
        "x": x.requires_grad,
        "x_grad": x.grad,
        "weight_has_grad": model[0].weight.grad is not None,
    }


@claims.really("req-4", x=False, of_model=True, of_sum=True, backward=None)
def the_documents_model(torch):
    x = torch.tensor(ROWS)
    model = torch.nn.Sequential(
        torch.nn.Linear(2, 4),
        torch.nn.ReLU(),
        torch.nn.Linear(4, 1),
    )
    y = model(x).sum()
    return {
        "x": x.requires_grad,
        "of_model": model(x).requires_grad,
        "of_sum": y.requires_grad,
        "backward": outcome(y.backward),
    }

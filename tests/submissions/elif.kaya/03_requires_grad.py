# %%
import autograd_core as torch
from autograd_core import nn

# %%
requires_grad = {
    "x": False,
    "w": True,
    "v": True,
    "a": False,
    "b": True,
    "c": True,
    "d": True,
    "e": True,
    "f": True,
}


# %%
def loss_and_grad(data):
    """The sum of the squares of data, and its gradient."""
    x = torch.tensor(data, requires_grad=True)
    loss = (x * x).sum()
    loss.backward()
    return loss.item(), x.grad


print(loss_and_grad([0.5, -1.0]))

# %%
answers = {
    "linear": True,
    "relu_only": True,
    "frozen": True,
    "frozen_input_requires_grad": True,
}


# %%
def freeze_first_layer(model):
    """Let the first Linear of model keep what it has learned."""
    for p in model[0].parameters():
        p.requires_grad = False


# %%
grad = 24

# %%
verdicts = {
    "a": False,
    "b": True,
    "c": False,
    "d": True,
    "e": False,
    "f": True,
    "g": False,
    "h": True,
    "i": None,
    "j": None,
}

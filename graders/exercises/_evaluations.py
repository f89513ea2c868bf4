"""Functions that run a model without recording, right and wrong: for `nograd-evaluate`."""

from __future__ import annotations

import autograd_core as torch


def evaluate(model, x):
    """Return what the model makes of x, without recording anything."""
    with torch.no_grad():
        return model(x)


def with_a_switch(net, inputs):
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    try:
        output = net(inputs)
        print("evaluated", output.shape)
    finally:
        torch.set_grad_enabled(before)
    return output


def with_set_grad_enabled(model: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
    with torch.set_grad_enabled(False):
        y = model.forward(x)
    return y.detach()


def in_evaluation_mode(model, x):
    training = model.training
    model.eval()
    try:
        with torch.no_grad():
            return model(x)
    finally:
        model.train(training)


def left_in_evaluation_mode(model, x):
    model.eval()
    with torch.no_grad():
        return model(x)


def training_afterwards(model, x):
    model.eval()
    try:
        with torch.no_grad():
            return model(x)
    finally:
        model.train()


@torch.inference_mode()
def in_inference_mode(model, x):
    return model(x)


def decorated_helper(model, x):
    @torch.no_grad()
    def run():
        return model(x)

    return run()


def off_and_on(model, x):
    torch.set_grad_enabled(False)
    result = model(x)
    torch.set_grad_enabled(True)
    return result


def finally_on(model, x):
    torch.set_grad_enabled(False)
    try:
        return model(x)
    finally:
        torch.set_grad_enabled(True)


def forgetting_errors(model, x):
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    y = model(x)
    torch.set_grad_enabled(before)
    return y


def never_back(model, x):
    torch.set_grad_enabled(False)
    return model(x)


def mode_not_called(model, x):
    with torch.no_grad:
        return model(x)


def detaching(model, x):
    return model(x).detach()


def recording(model, x):
    return model(x)


def recorded_beside(model, x):
    model(x)
    with torch.no_grad():
        return model(x)


def evaluation_mode_only(model, x):
    model.eval()
    return model(x)


def flipping(model, x):
    for p in model.parameters():
        p.requires_grad = False
    y = model(x)
    for p in model.parameters():
        p.requires_grad = True
    return y


def flipping_and_putting_back(model, x):
    flags = [p.requires_grad for p in model.parameters()]
    for p in model.parameters():
        p.requires_grad = False
    try:
        return model(x)
    finally:
        for p, flag in zip(model.parameters(), flags, strict=True):
            p.requires_grad = flag


def asking_for_nothing(model, x):
    return flipping_and_putting_back(model, x.detach())


def freezing(model, x):
    for p in model.parameters():
        p.requires_grad = False
    return model(x)


def swallowing(model, x):
    with torch.no_grad():
        try:
            return model(x)
        except Exception as error:
            print("failed:", error)

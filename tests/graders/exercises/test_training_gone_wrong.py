"""`cap-train` as students get it wrong, in code of their own: each way has its name."""

import pytest

from graders.exercise import PRELUDE, load, source_of
from graders.judging.meaning import NOT_BY_APPLY
from graders.selftest import judged

ITS_PARTS = "\n\n".join(
    source_of(load(id).reference, symbol)
    for id, symbol in (("cap-tanh", "Tanh"), ("cap-mse", "MSELoss"))
)
TRAIN = f"""
{ITS_PARTS}


def network(p, x):
    return Tanh.apply(x @ p[0] + p[1]) @ p[2] + p[3]


def train(x, y, steps, seed):
    torch.manual_seed(seed)
    shapes = (1, 16), (16,), (16, 1), (1,)
    p = [(torch.randn(*shape) * 0.5).requires_grad_() for shape in shapes]
    losses = []
    for _ in range(steps):
        loss = MSELoss.apply(network(p, x), y)
        loss.backward()
        losses.append(loss.item())
        with torch.no_grad():
            for each in p:
                each -= 0.1 * each.grad
                each.grad = None
    return lambda new: network(p, new), losses
"""

CHANGES = {
    "uphill": ("each -=", "each +=", "growing"),
    "too large a step": ("0.1 *", "50 *", "growing"),
    "too small a step": ("0.1 *", "0.002 *", "too-slow"),
    "hardly a step at all": ("0.1 *", "0.00005 *", "too-slow"),
    "a single unit": ("16", "1", "resting-too-high"),
    "one parameter alone": ("for each in p:", "for each in p[3:]:", "resting-too-high"),
    "all zeros": ("randn(*shape) * 0.5", "zeros(*shape)", "without-a-bend"),
    "the second layer alone": (
        "Tanh.apply(x @ p[0] + p[1])",
        "(x @ p[0] + p[1])",
        "without-a-bend",
    ),
    "a tangent without what arrives": (
        "grad_output * (1 - y * y)",
        "1 - y * y",
        "the-trouble-is-in-tanh",
    ),
    "a loss of the wrong sign": (
        "return slope, -slope",
        "return -slope, slope",
        "the-trouble-is-in-the-loss",
    ),
    "a loss that is no square": (
        "(difference * difference).mean()",
        "difference.mean()",
        "the-trouble-is-in-the-loss",
    ),
    "a sum for a difference": (
        "difference = prediction - target",
        "difference = prediction + target",
        "the-trouble-is-in-the-loss",
    ),
    "losses that are none": ("losses.append(loss.item())", "losses.append(-1.0)", "other-losses"),
    "targets in a row": ("x), y)", "x), y[:, 0])", "broadcasting-in-the-loss"),
    "the first point alone": (
        "network(p, x), y)",
        "network(p, x[:1]), y[:1])",
        "returning-another-model",
    ),
}


def test_it_learns_as_it_is():
    assert named(TRAIN) is None


@pytest.mark.parametrize(("old", "new", "name"), CHANGES.values(), ids=list(CHANGES))
def test_a_way_of_going_wrong_is_named_whoever_goes_it(old, new, name):
    assert old in TRAIN
    assert named(TRAIN.replace(old, new)) == name


@pytest.mark.parametrize("added", ["+ p[1]", "+ p[3]"])
def test_a_parameter_that_the_network_does_not_use_is_named(added):
    verdict = verdict_on(TRAIN.replace(added, ""))
    assert (verdict.status, verdict.misconception) == ("failed", "a-parameter-left-out")


def test_where_there_are_no_losses_nothing_is_said_about_the_seed():
    verdict = verdict_on(TRAIN.replace("losses.append(loss.item())", "pass"))
    assert verdict.misconception is None
    assert "number of losses" in verdict.summary


def test_a_loss_that_is_called_without_apply_is_told_as_that():
    told = verdict_on(TRAIN.replace("MSELoss.apply(", "MSELoss(")).summary
    assert told.endswith(NOT_BY_APPLY)


def verdict_on(source):
    namespace = {"__name__": "__main__"}
    exec(PRELUDE + source, namespace)
    return judged(load("cap-train"), namespace["train"], 5)


def named(source):
    verdict = verdict_on(source)
    assert verdict.status == "partial" or verdict.misconception is None
    return verdict.misconception

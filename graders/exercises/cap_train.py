"""`cap-train`: the whole loop, judged on data that the student has not seen."""

from __future__ import annotations

import numpy as np

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.exercises import _training_loops as loops
from graders.inputs import case
from graders.observe import training_scenarios


def _column(numbers):
    return np.asarray(numbers, dtype=np.float32).reshape(-1, 1)


def _wave(rng: np.random.Generator) -> dict:
    x = rng.permutation(np.linspace(-2, 2, 20))
    height = rng.uniform(0.8, 1.2) * rng.choice([-1.0, 1.0])
    y = height * np.cos(rng.uniform(1.1, 1.4) * x + rng.uniform(-0.4, 0.4))
    return {"x": _column(x), "y": _column(y), **_seeds(rng)}


def _bump(rng: np.random.Generator) -> dict:
    x = rng.permutation(np.linspace(-1.9, 1.9, 24))
    height = rng.uniform(0.8, 1.2) * rng.choice([-1.0, 1.0])
    y = height * (1.5 * np.exp(-((x - rng.uniform(-0.4, 0.4)) ** 2)) - 0.5)
    return {"x": _column(x), "y": _column(y), **_seeds(rng)}


def _smooth_data(rng: np.random.Generator) -> dict:
    """Return one case: two hundred steps are what a check has time for."""
    name, draw = (("a wave", _wave), ("a bump", _bump))[rng.integers(2)]
    return {"cases": [case(name, **draw(rng), steps=200)]}


def _near_the_same_curve(record: str, observed: object, expected: object) -> bool | None:
    """Two models that fit the data are nearly alike, whatever their parameters are."""
    if not record.endswith("curve of the model"):
        return None
    one, other = (np.asarray(getattr(each, "values", each)) for each in (observed, expected))
    if one.shape != other.shape or one.dtype.kind != "f" or not other.size:
        return False
    return bool(((one - other) ** 2).mean() < 0.3 * other.var())


def _seeds(rng: np.random.Generator) -> dict[str, int]:
    one, other = rng.choice(10_000, 2, replace=False)
    return {"weight_seed": int(one), "other_seed": int(other)}


EXERCISE = Exercise(
    id="cap-train",
    lesson="09_capstone",
    section="The loop",
    title="Train a network",
    symbol="train",
    kind="implement",
    points=8,
    difficulty=3,
    minutes=9,
    task=(
        "Write `train(x, y, steps, seed)`, which returns a pair `(model, losses)`.\n"
        "\n"
        "- `x` and `y` have the shape `(n, 1)`. They belong to the caller: leave them as they "
        "are.\n"
        "- The network has two layers with your `Tanh` between them, and your `MSELoss` at its "
        "end. Make its parameters inside `train`, from `seed`: the same seed gives the same "
        "losses, another seed gives others.\n"
        "- `model` can be called with an `x` and returns the prediction of the trained network.\n"
        "- `losses` is a list of plain numbers, one for each step. It keeps no graph in memory.\n"
        "\n"
        "Within 200 steps the last loss should be below 5 % of the variance of `y`. The data of "
        "the check are smooth, like those of this lesson: x between -2 and 2, y about as large as "
        "1."
    ),
    starter="""\
def train(x, y, steps, seed):
    # Your code here: return the model and the list of losses.
    ...
""",
    reference=loops.train,
    checks=(
        Check(
            "step by step",
            3,
            training_scenarios.goes_step_by_step,
            # The mean of x is not 0, so that it makes a difference to subtract it.
            lambda rng: {**_wave(rng), "x": _column(np.linspace(-2, 1.5, 20)), "steps": 4},
            passes="Each step is right, and leaves nothing behind.",
            fails="Something is wrong in the single steps.",
            statements=True,
        ),
        Check(
            "the seed",
            1,
            training_scenarios.depends_on_its_seed,
            _wave,
            passes="The seed decides the result.",
            fails="The seed does not decide the result.",
            statements=True,
        ),
        Check(
            "learns",
            4,
            training_scenarios.learns,
            _smooth_data,
            passes="The network learns a wave and a bump.",
            fails="The network does not learn well enough.",
            judge=_near_the_same_curve,
            costly=True,
            stand_in=loops.through_the_data,
        ),
    ),
    misconceptions=(
        Misconception(
            "without-clearing",
            "Each backward pass adds to the gradients that are already there. From the second "
            "step on, your update uses the sum of all gradients so far.",
            loops.without_clearing,
        ),
        Misconception(
            "learning-without-clearing",
            "Your network learns anyway, but each step starts with gradients of earlier steps "
            "still there, and its backward pass adds to them.",
            loops.learning_without_clearing,
        ),
        Misconception(
            "without-a-walk",
            "You never call `backward` on a loss, so nothing can have learned from gradients. The "
            "task is the loop itself; fitting the curve in another way does not count.",
            loops.without_walking,
        ),
        Misconception(
            "beside-the-walks",
            "The model that you return does not depend on your backward passes: it would be the "
            "same without them. The curve should be found by steps that follow the gradients.",
            loops.beside_the_walks,
        ),
        Misconception(
            "clearing-too-early",
            "You clear the gradients before the first call of `backward`. At that time they are "
            "still None.",
            loops.clearing_too_early,
        ),
        Misconception(
            "recording-the-update",
            "The gradient that you read is None, because it belongs to the result of recorded "
            "operations, perhaps of the update itself. By default only leaves keep theirs.",
            loops.recording_the_update,
        ),
        Misconception(
            "recording-in-place",
            "You change the parameters in place while operations are recorded. PyTorch refuses "
            "that for leaves that require grad, because the update should not be part of the "
            "graph.",
            loops.recording_in_place,
        ),
        Misconception(
            "keeping-the-graphs",
            "Your losses are still tensors with their history. Each of them keeps the graph of a "
            "whole step in memory, although it is no longer needed.",
            loops.keeping_the_graphs,
        ),
        Misconception(
            "holding-until-the-end",
            "You return numbers, but you make them only after the loop. Until then the losses "
            "keep the graphs of all steps in memory.",
            loops.holding_until_the_end,
        ),
        Misconception(
            "nothing-changes",
            "The loss is the same at every step: nothing that the network uses ever changes, or "
            "it is created again each time. Does the update change those very tensors and not "
            "just a name, and are the gradients still there when it runs?",
            loops.rebinding_the_name,
        ),
        Misconception(
            "dropping-before-the-update",
            "When your update needs the gradients they are None, although `backward` has computed "
            "them. Which line removes them, and when?",
            loops.dropping_before_the_update,
        ),
        Misconception(
            "a-parameter-left-out",
            "No gradient arrives at one of the tensors that you update, because no backward pass "
            "reaches it. Does your network use all of its parameters?",
            loops.without_the_last_bias,
        ),
        Misconception(
            "cut-before-backward",
            "There is no recorded path from your loss to anything that requires grad. Either "
            "something on the path cuts it, or the parameters do not require grad (any more).",
            loops.cut_before_backward,
        ),
        Misconception(
            "losing-the-shape",
            "What your model returns does not have the shape of y. The loss then broadcasts the "
            "two, so every prediction is compared with every target.",
            loops.losing_the_shape,
        ),
        Misconception(
            "the-two-swapped",
            "You return the losses first and the model second. The model should come first.",
            loops.with_the_two_swapped,
        ),
        Misconception(
            "growing",
            "The loss grows instead of coming down. Either the steps are so large that they "
            "overshoot the minimum, or they go uphill.",
            loops.uphill,
        ),
        Misconception(
            "too-slow",
            "The loss comes down, but so slowly that there are not enough steps. The length of "
            "the steps is for you to choose.",
            loops.in_small_steps,
        ),
        Misconception(
            "resting-too-high",
            "The loss comes down, but then stays too high: more steps of this kind would not "
            "help. How many hidden units are there, do they start differently, and are all of the "
            "parameters updated?",
            loops.with_a_single_unit,
        ),
        Misconception(
            "broadcasting-in-the-loss",
            "The loss does not care which target belongs to which x: every prediction is compared "
            "with every target. Look at the shapes of the two tensors that your loss is given.",
            loops.broadcasting_in_the_loss,
        ),
        Misconception(
            "other-losses",
            "The model that you return fits the data, but your losses say otherwise. They should "
            "be the mean squared errors, one for each step.",
            loops.with_other_losses,
        ),
        Misconception(
            "without-a-bend",
            "Your model has learned a straight line. Either there is no nonlinear function "
            "between its layers, or the parameters start so much alike that it has no effect.",
            loops.without_a_bend,
        ),
        Misconception(
            "without-the-seed",
            "The same seed gives other losses the second time. Some random numbers are drawn "
            "before the seed is set, or without it.",
            loops.without_the_seed,
        ),
        Misconception(
            "with-a-seed-of-its-own",
            "The losses are the same whatever the seed is. The caller's seed does not affect the "
            "random numbers.",
            loops.with_a_seed_of_its_own,
        ),
        Misconception(
            "returning-another-model",
            "The losses come down, but the model that you return does not fit the data. Either it "
            "is not the one that was trained, or it was not trained on all of x and y as they "
            "were given.",
            loops.returning_another_model,
        ),
        Misconception(
            "the-trouble-is-in-tanh",
            "Your `Tanh` does not give the values or the gradients that it should, so the mistake "
            "may be there and not in the loop. Fix it first: its own exercise tells you more.",
            loops.with_a_broken_tanh,
        ),
        Misconception(
            "the-trouble-is-in-the-loss",
            "Your `MSELoss` does not give the values or the gradients of a mean squared error, so "
            "the mistake may be there and not in the loop. Fix it first: its own exercise tells "
            "you more.",
            loops.with_a_broken_loss,
        ),
    ),
    hints=(
        "A step has four parts: predict and compare, call `backward`, update, clear. Write them "
        "down in this order before you write any code.",
        "Parameters are leaves that require grad. The update changes them in place, and it must "
        "not be recorded; of a loss only its number is kept.",
        "Draw the weights and biases of the first layer at random, for a dozen or two hidden "
        "units. If the loss grows, make the steps smaller; if it falls too slowly, make them "
        "larger: something near a tenth is a good start.",
    ),
    variants=(
        Variant("modules and Adam", loops.with_modules_and_adam),
        Variant("a module of its own, and momentum", loops.with_a_module),
        Variant("NumPy's random numbers and autograd.grad", loops.with_numpy_and_grad),
        Variant("data, and zeroing at the beginning", loops.with_data_and_early_zeroing),
    ),
    place=5,
)

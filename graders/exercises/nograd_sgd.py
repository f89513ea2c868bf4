"""`nograd-sgd`: one step of gradient descent, in place and off the record."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.exercises import _descent_steps as steps
from graders.inputs import case, positive, signed
from graders.judging.closeness import same
from graders.judging.diagnosis import Deviation
from graders.observe import optimiser_step
from graders.observe.codec import TensorData


def _one_step(rng):
    forms = {
        "single numbers": ((), (), False),
        "a vector and a number": ((3,), (), False),
        "a matrix and a vector": ((2, 3), (3,), False),
        "a transposed matrix and an empty vector": ((3, 2), (0,), True),
    }
    return {
        "cases": [
            case(
                name,
                frozen=("slope_of_w", "slope_of_b"),
                transposed=transposed,
                w=signed(rng, *first),
                b=signed(rng, *second),
                slope_of_w=signed(rng, *first),
                slope_of_b=signed(rng, *second),
                lr=round(float(rng.uniform(0.1, 0.9)), 2),
            )
            for name, (first, second, transposed) in forms.items()
        ]
    }


def _three_steps(rng):
    one = np.ones((), dtype=np.float32)
    return {
        "cases": [
            case("w * w, from 1 with rate 0.1", frozen=("k",), w=one, k=one, lr=0.1),
            case("a vector", frozen=("k",), w=signed(rng, 3), k=positive(rng, 3), lr=0.15),
        ]
    }


def _iterables(rng):
    return {"first": signed(rng, 2), "second": signed(rng), "lr": 0.25}


def _some_without(rng):
    names = ("unused", "frozen", "used", "last")
    return {"lr": 0.25} | {name: signed(rng, 2) for name in names}


def _watched(rng):
    return {
        "cases": [
            case("a vector", frozen=("slope",), w=signed(rng, 3), slope=signed(rng, 3), lr=0.5),
        ]
    }


def _modes(rng):
    return {
        "cases": [
            case("recording on before", w=signed(rng, 2), lr=0.5, before=True),
            case("recording off before", w=signed(rng, 2), lr=0.5, before=False),
        ]
    }


AWAY = "Your step is as long as it should be, and goes in the opposite direction."
ANOTHER_LENGTH = "Your step has the right direction, and {:g} times the length that it should have."
NOT_MOVED = "If your step uses the gradient, check whether it is still there at that moment."


def _how_far_it_went(moved: Deviation) -> float:
    """Return how many of the steps that are expected were taken; nan if it went elsewhere."""
    before, wanted = moved.others["input w"], moved.expected.values
    found = moved.observed
    if not isinstance(found, TensorData) or found.values.shape != before.shape:
        return math.nan
    step = (wanted - before).astype(np.float64)
    share = float(((found.values - before) * step).sum() / (step * step).sum())
    on_the_way = np.asarray(before + share * step, dtype=before.dtype)
    return share if same(found, TensorData(on_the_way)) else math.nan


def _where_it_went(deviations: Sequence[Deviation]) -> str:
    moved = [each for each in deviations if each.subject == "w after the step"]
    shares = [_how_far_it_went(each) for each in moved]
    # What depends on the rate differs from case to case.
    if len(shares) < 2 or not np.ptp(shares) < 1e-3:
        return ""
    share = round(shares[0], 2) + 0.0
    if not share:
        kept = any(each.subject == "gradient after the step" for each in deviations)
        return "" if kept else NOT_MOVED
    if share == -1:
        return AWAY
    return ANOTHER_LENGTH.format(share) if share > 0 and share != 1 else ""


EXERCISE = Exercise(
    id="nograd-sgd",
    lesson="04_no_grad",
    section="Changing what learns",
    title="A step of gradient descent",
    symbol="sgd_step",
    kind="implement",
    points=5,
    difficulty=2,
    minutes=8,
    task=(
        "Write `sgd_step(parameters, lr)`: each parameter moves by `lr` times its gradient, "
        "downhill, and its gradient is cleared (`None` or zeros), so that the next backward "
        "starts from zero. The parameters stay the same tensors, leaves that require grad.\n\n"
        "`parameters` may be anything that a `for` loop can walk through once. Those without a "
        "gradient are left alone. From 1.0, three steps with rate 0.1 on w * w lead to 0.512."
    ),
    starter='''\
def sgd_step(parameters, lr):
    """Move each parameter downhill, and clear its gradient."""
''',
    reference=steps.sgd_step,
    checks=(
        Check(
            "one step",
            3,
            optimiser_step.one_step,
            _one_step,
            passes="After one step the parameters are where they should be.",
            fails="After one step something is not as it should be.",
        ),
        Check(
            "three steps",
            3,
            optimiser_step.three_steps,
            _three_steps,
            passes="Three steps in a row work.",
            fails="Three steps in a row do not end where they should.",
        ),
        Check(
            "any iterable",
            1,
            optimiser_step.any_iterable,
            _iterables,
            passes="The parameters may come in a list, a tuple or a generator.",
            fails="The result depends on how the parameters are handed over.",
            after=("one step",),
            statements=True,
        ),
        Check(
            "without a gradient",
            1,
            optimiser_step.without_gradient,
            _some_without,
            passes="Parameters without a gradient are left alone.",
            fails="Parameters without a gradient are not treated as they should be.",
            after=("one step",),
        ),
        Check(
            "a change that is seen",
            1,
            optimiser_step.watched_change,
            _watched,
            passes="The engine knows that the parameters have changed.",
            fails="The engine does not notice that the parameters have changed.",
            after=("one step",),
            statements=True,
        ),
        Check(
            "the mode afterwards",
            1,
            optimiser_step.mode_afterwards,
            _modes,
            passes="Recording is on or off as it was before.",
            fails="Recording is not on or off as it was before.",
            after=("one step",),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "rebinding-the-name",
            "After your step the caller's parameters are what they were, gradients included. A new "
            "tensor that is given a name, or returned, does not move the one that the caller "
            "holds, and neither does a `map` or generator that nobody walks through.",
            steps.rebinding,
        ),
        Misconception(
            "rebinding-and-clearing",
            "After your step the caller's parameters are where they were. Making a new tensor does "
            "not move the one that the caller holds, and neither does a gradient that is cleared "
            "before it is used.",
            steps.rebinding_and_clearing,
        ),
        Misconception(
            "replacing-the-entries",
            "You put new tensors into the list in place of the old ones. Any other code that holds "
            "the parameters, such as the model, still has the old ones, which did not move.",
            steps.replacing_entries,
        ),
        Misconception(
            "on-the-record",
            "Your step changes a leaf in place while operations are recorded, which is refused. "
            "Updating a parameter is not part of the function that is differentiated.",
            steps.on_the_record,
        ),
        Misconception(
            "gradients-not-cleared",
            "Your parameters move, but the old gradients stay. The next backward adds to them, so "
            "each step moves by the sum of all gradients so far.",
            steps.not_clearing,
        ),
        Misconception(
            "cleared-too-early",
            "Your parameters do not move, because their gradients are cleared before they are "
            "used. Think about the order.",
            steps.clearing_first,
        ),
        Misconception(
            "cleared-to-none-too-early",
            "Your step clears the gradients before it uses them, and then computes with the "
            "`None` that is left. Think about the order.",
            steps.clearing_to_none_first,
        ),
        Misconception(
            "behind-the-engines-back",
            "Your step changes the memory without the engine knowing, as `.data` does. A graph "
            "that still needs the old value then gives a wrong gradient, and no error.",
            steps.through_data,
        ),
        Misconception(
            "uphill",
            "Your step goes along the gradient, which is the way up. Descent goes against it.",
            steps.ascending,
        ),
        Misconception(
            "rate-ignored",
            "Your step moves by the whole gradient. It does not use the rate that it is given.",
            steps.without_rate,
        ),
        Misconception(
            "rate-of-its-own",
            "Your step always uses a rate of one tenth, whichever rate it is given.",
            steps.own_rate,
        ),
        Misconception(
            "mode-not-called",
            "Your `with` block is given a class, but it needs an object of that class. Something "
            "is missing after the name.",
            steps.mode_not_called,
        ),
        Misconception(
            "a-gradient-everywhere",
            "Your step expects a gradient in every parameter. Where backward has not stored one "
            "there is `None`, and that cannot be multiplied.",
            steps.gradient_everywhere,
        ),
        Misconception(
            "only-the-first",
            "Your step moves the first parameter and no other. Either it ends there, or it clears "
            "the gradients of the others before their turn comes.",
            steps.only_the_first,
        ),
        Misconception(
            "stops-at-the-first-without",
            "At the first parameter without a gradient your step ends, and those after it do not "
            "move. Even if one parameter was not used, the next one may have been.",
            steps.stopping_at_none,
        ),
        Misconception(
            "walks-twice",
            "Your step goes through the parameters twice. A generator can be walked through only "
            "once, and the second time there is nothing left in it.",
            steps.walking_twice,
        ),
        Misconception(
            "left-frozen",
            "After your step the parameters no longer require grad. Backward will give them no "
            "gradient any more, so they have moved for the last time.",
            steps.left_frozen,
        ),
        Misconception(
            "recording-left-off",
            "After your step nothing is recorded any more, anywhere in the program. A mode that is "
            "set by a plain call stays until another call changes it.",
            steps.left_off,
        ),
        Misconception(
            "recording-switched-on",
            "Your step ends by switching recording on, whatever it was before. If the caller had "
            "switched it off, their next operations are recorded without their knowing.",
            steps.left_on,
        ),
    ),
    variants=(
        Variant("decorated, with zeroed gradients", steps.decorated),
        Variant("copied into place, two loops", steps.with_copy),
        Variant("through detach, with a print", steps.through_detach),
        Variant("torch.optim does it", steps.with_the_optimiser),
        Variant("a switch and finally", steps.with_a_switch),
    ),
    hints=(
        "Three things are asked of each parameter that has a gradient: it moves, it stays the same "
        "tensor, and its gradient is cleared. Which of them does your code not do?",
        "A tensor moves when its memory is changed in place. For a leaf that requires grad, "
        "this is allowed only while nothing is recorded.",
        "One loop, all of it with recording switched off: leave out those whose gradient is "
        "`None`, change the others in place, and only then clear their gradients.",
    ),
    suspicion=_where_it_went,
    place=2,
)

"""Scenarios for a training loop: its single steps, its seed, and what it learns.

Each scenario is sent as source, so it has its own imports.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graders.observe.lab import Lab


def goes_step_by_step(train: Any, lab: Lab) -> None:
    """Take a few steps, and record what is returned and what stays in memory."""
    from graders.observe.training import watched_walks

    torch = lab.torch
    x, y = lab.tensor("x"), lab.tensor("y")
    before = x.clone(), y.clone()
    with watched_walks(torch, in_memory=True) as walks:
        result = train(x, y, lab.value("steps"), lab.value("weight_seed"))
    pair = issubclass(type(result), (tuple, list)) and len(result) == 2
    lab.record_kind(result, "a pair, model and losses", pair)
    if not pair:
        return
    model, losses = result
    lab.record("the model can be called", callable(model))
    a_list = issubclass(type(losses), (list, tuple, np.ndarray))
    lab.record("the losses are a list", a_list)
    if not a_list:
        return
    lab.record("number of losses", len(losses))
    held = [each for each in losses if issubclass(type(each), torch.Tensor)]
    lab.record("the losses hold no graph", not any(each.requires_grad for each in held))
    sizes = [0 if issubclass(type(each), str) else np.size(np.asarray(each)) for each in losses]
    lab.record("every loss is one number", sizes == [1] * len(losses))
    lab.record("the graphs of earlier steps are freed", walks.lets_go and walks.alive() <= 1)
    needed = min(walks.looked_at, lab.value("steps"))
    lab.record(
        "every step begins without the gradients of the step before", walks.begun_clear >= needed
    )
    lab.record("there are backward passes", walks.count > 0)
    lab.record("there is a backward pass for every step", walks.count >= lab.value("steps"))
    lab.record("what the backward passes reach changes from step to step", walks.each_moves)
    lab.record(
        "the graph does not grow from step to step",
        max(walks.sizes, default=0) <= 2 * min(walks.sizes, default=0),
    )
    if callable(model):
        lab.record("shape of what the model returns", list(np.shape(model(x))))
    kept = all(
        np.array_equal(now.detach().numpy(), then.numpy())
        for now, then in zip((x, y), before, strict=True)
    )
    lab.record("x and y keep their values", kept)
    lab.record("x and y get no gradient", x.grad is None and y.grad is None)


def depends_on_its_seed(train: Any, lab: Lab) -> None:
    """Train twice with one seed, with random numbers drawn in between, then with another seed."""
    from graders.observe.training import model_and_losses, numbers_of, watched_walks

    found: list[list[float]] = []
    for name in ("weight_seed", "weight_seed", "other_seed"):
        lab.torch.rand(len(found))
        np.random.rand(len(found))
        with watched_walks(lab.torch):
            result = train(lab.tensor("x"), lab.tensor("y"), 3, lab.value(name))
        pair = model_and_losses(result)
        told = pair is not None and len(pair[1]) > 0
        lab.record("model and losses are returned", told)
        if pair is None or not told:
            return
        found.append(numbers_of(pair[1]).tolist())
    first, second, other = found
    lab.record("the same seed gives the same losses", first == second)
    lab.record("another seed gives other losses", first != other)


def learns(train: Any, lab: Lab) -> None:
    """Take all steps on several data sets: is the loss low enough, and if not, what is wrong?"""
    from graders.observe.attempt import Attempt
    from graders.observe.training import (
        NEEDED_TO_LEARN,
        broken_parts,
        learns_in_vain,
        values_of,
        what_is_lacking,
    )

    for data in lab.cases():
        attempt = Attempt(train, data)
        reached, losses = attempt.reached, attempt.losses
        broken = [] if reached and attempt.fits else broken_parts(train, lab)
        if broken:
            # Which data set shows this is a matter of chance, so no other record is kept.
            lab.records.clear()
            for name in broken:
                lab.record(f"the {name} of this notebook works", False)
            return
        if attempt.error is not None:
            raise attempt.error
        data.record("model and losses are returned", attempt.returned)
        if not attempt.returned:
            continue
        model, answer, walks = attempt.model, attempt.answer, attempt.walks
        data.record("number of losses", len(losses))
        walked = walks.count >= data.value("steps")
        data.record("there is a backward pass for every step", walked)
        data.record("shape of what the model returns", list(answer.shape))
        if len(losses) != data.value("steps") or answer.shape != attempt.target.shape:
            continue
        if not reached and walks.begun_clear < walks.looked_at:
            lab.records.clear()
            lab.record("every step begins without the gradients of the step before", False)
            return
        told = reached or not attempt.far_off < attempt.low_enough
        data.record("the losses are the mean squared errors of the model", told)
        if not told:
            continue
        line = np.array([[0.2], [1.0], [1.8]], dtype=np.float32)
        left, middle, right = values_of(model(lab.build(line)), lab).ravel()
        straight = abs(left + right - 2 * middle) < 1e-4
        lacking = "" if reached else what_is_lacking(train, data, losses, straight)
        for statement in NEEDED_TO_LEARN:
            data.record(statement, reached or statement != lacking)
        data.record("the last loss is below 5 % of the variance of y", reached)
        data.record("the model that is returned fits the data", attempt.fits or not reached)
        if reached and attempt.fits:
            data.record("curve of the model", answer)
            if walked:
                by_walks = walks.lead_to(model, data) or not learns_in_vain(train, data)
                data.record("the model has learned through the backward passes", by_walks)

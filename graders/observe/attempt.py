"""An attempt at training: what a student's function makes of one data set, and how."""

from __future__ import annotations

from typing import Any

import numpy as np

from graders.observe.lab import Lab
from graders.observe.training import Walks, model_and_losses, numbers_of, values_of, watched_walks

LOW_ENOUGH = 0.05
"""The share of the variance of y below which the last loss has to be."""


class Attempt:
    """All steps of `train` on one `data` set.

    `error` is the exception that ended it. Without one, `model` and `losses` are what was returned,
    and `answer` is what the model makes of x; `returned` is False if that was no model and losses.
    """

    def __init__(self, train: Any, data: Lab) -> None:
        self.target: np.ndarray = data.value("y")
        self.low_enough = LOW_ENOUGH * float(self.target.var(ddof=1))
        self.error: Exception | None = None
        self.returned = False
        self.losses = np.zeros(0)
        try:
            self._train(train, data)
        except Exception as raised:
            self.error = raised

    def _train(self, train: Any, data: Lab) -> None:
        x, y = data.tensor("x"), data.tensor("y")
        with watched_walks(data.torch) as walks:
            self.walks: Walks = walks
            result = train(x, y, data.value("steps"), data.value("weight_seed"))
        pair = model_and_losses(result)
        self.returned = pair is not None
        if pair is not None:
            self.model, self.losses = pair[0], numbers_of(pair[1])
            self.answer = values_of(self.model(x), data)

    @property
    def reached(self) -> bool:
        """Whether the loss has come low enough; a mean squared error is never below 0."""
        low = len(self.losses) > 0 and self.losses[-1] < self.low_enough
        return bool(self.error is None and low and not np.any(self.losses < 0))

    @property
    def far_off(self) -> float:
        """The mean squared error of the model."""
        return float(((self.answer - self.target) ** 2).mean())

    @property
    def fits(self) -> bool:
        """Whether the model is nearly as close to the data as the last loss has to be."""
        return self.far_off < 2 * self.low_enough

"""Functions that change their input sometimes, right and wrong: for `dirty-conditional`."""

from __future__ import annotations

import autograd_core as torch
from autograd_core.autograd import Function


class ConditionalAddOne_(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.added = bool(x > 0)
        if ctx.added:
            ctx.mark_dirty(x)
            x.add_(1)
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output if ctx.added else torch.zeros_like(grad_output)


class SavesTheSlope(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward((x > 0) * 1.0)
        if x.item() <= 0:
            return x.clone()
        x += 1
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return ctx.saved_tensors[0] * grad_output


class NoneForZero(Function):
    @staticmethod
    def forward(ctx, number):
        ctx.added = number > 0
        if number > 0:
            number.add_(1)
            ctx.mark_dirty(number)
        return number

    @staticmethod
    def backward(ctx, upstream: torch.Tensor) -> torch.Tensor | None:
        return upstream if ctx.added else None


class OneOnBothSides(ConditionalAddOne_):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


class AsksForZero(ConditionalAddOne_):
    @staticmethod
    def forward(ctx, x):
        ctx.added = bool(x)
        if ctx.added:
            ctx.mark_dirty(x)
            x.add_(1)
        return x


class AsksTheGradient(ConditionalAddOne_):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output if grad_output > 0 else torch.zeros_like(grad_output)


class ZeroOnBothSides(ConditionalAddOne_):
    @staticmethod
    def backward(ctx, grad_output):
        return torch.zeros_like(grad_output)


class TurnsTheBranchesRound(ConditionalAddOne_):
    @staticmethod
    def backward(ctx, grad_output):
        return torch.zeros_like(grad_output) if ctx.added else grad_output


class MarksAlways(ConditionalAddOne_):
    @staticmethod
    def forward(ctx, x):
        ctx.added = bool(x > 0)
        ctx.mark_dirty(x)
        return x.add_(1) if ctx.added else x


class RemembersForAllCalls(Function):
    added = False

    @staticmethod
    def forward(ctx, x):
        RemembersForAllCalls.added = bool(x > 0)
        if RemembersForAllCalls.added:
            ctx.mark_dirty(x)
            x.add_(1)
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output if RemembersForAllCalls.added else torch.zeros_like(grad_output)


class AsksTheInputAgain(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        if x > 0:
            ctx.mark_dirty(x)
            x.add_(1)
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output if ctx.x > 0 else torch.zeros_like(grad_output)


class NotMarked(ConditionalAddOne_):
    @staticmethod
    def forward(ctx, x):
        ctx.added = bool(x > 0)
        if ctx.added:
            x.add_(1)
        return x


class OutOfPlace(ConditionalAddOne_):
    @staticmethod
    def forward(ctx, x):
        ctx.added = bool(x > 0)
        return x + 1 if ctx.added else x


class IgnoresGradOutput(ConditionalAddOne_):
    @staticmethod
    def backward(ctx, grad_output):
        return torch.tensor(1.0 if ctx.added else 0.0)


class AddsToTheOthers(ConditionalAddOne_):
    @staticmethod
    def forward(ctx, x):
        ctx.added = bool(x < 0)
        if ctx.added:
            ctx.mark_dirty(x)
            x.add_(1)
        return x


class AddsAlways(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.add_(1)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


class CountsZeroIn(ConditionalAddOne_):
    @staticmethod
    def forward(ctx, x):
        ctx.added = bool(x >= 0)
        if ctx.added:
            ctx.mark_dirty(x)
            x.add_(1)
        return x

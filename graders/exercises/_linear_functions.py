"""Linear layers as Functions, right and wrong: the solutions of `fn-linear`."""

from __future__ import annotations

import autograd_core as torch
from autograd_core.autograd import Function


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_x = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_x = grad_output @ weight
        if ctx.needs_input_grad[1]:
            grad_weight = grad_output.T @ x
        if ctx.needs_input_grad[2]:
            grad_bias = grad_output.sum(0)
        return grad_x, grad_weight, grad_bias


class LinearThatComputesAll(Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight, bias)
        y = torch.matmul(x, weight.t())
        if bias is not None:
            y = y + bias
        return y

    @staticmethod
    def backward(ctx, grad_output):
        x, weight, bias = ctx.saved_tensors
        grad_bias = None if bias is None else grad_output
        return grad_output.matmul(weight), (x.T @ grad_output).T, grad_bias


class LinearWithSetupContext(Function):
    @staticmethod
    def forward(inputs, weights, bias):
        print("a batch of", inputs.shape[0])
        product = inputs.mm(weights.transpose(0, 1))
        return product if bias is None else product.add(bias)

    @staticmethod
    def setup_context(ctx, inputs, output):
        data, weights, bias = inputs
        ctx.has_bias = bias is not None
        ctx.save_for_backward(data, weights)

    @staticmethod
    def backward(ctx, upstream):
        data, weights = ctx.saved_tensors
        to_bias = upstream.sum(dim=0) if ctx.has_bias else None
        return upstream @ weights, upstream.t().mm(data), to_bias


class ForgetsToTransposeTheWeight(Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        y = x @ weight
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_bias = grad_output.sum(0) if ctx.needs_input_grad[2] else None
        return grad_output @ weight.T, x.T @ grad_output, grad_bias


class TransposesTheWeightsGradient(Linear):
    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_bias = grad_output.sum(0) if ctx.needs_input_grad[2] else None
        return grad_output @ weight, x.T @ grad_output, grad_bias


class TransposesInTheInputsGradient(Linear):
    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_bias = grad_output.sum(0) if ctx.needs_input_grad[2] else None
        return grad_output @ weight.T, grad_output.T @ x, grad_bias


class AveragesTheBias(Linear):
    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_bias = grad_output.mean(0) if ctx.needs_input_grad[2] else None
        return grad_output @ weight, grad_output.T @ x, grad_bias


class SumsTheBiasOverTheWrongAxis(Linear):
    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_bias = grad_output.sum(1) if ctx.needs_input_grad[2] else None
        return grad_output @ weight, grad_output.T @ x, grad_bias


class SumsTheBiasOverEverything(Linear):
    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_bias = grad_output.sum() if ctx.needs_input_grad[2] else None
        return grad_output @ weight, grad_output.T @ x, grad_bias


class GivesTheBiasOnes(Linear):
    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_bias = torch.ones(weight.shape[0]) if ctx.needs_input_grad[2] else None
        return grad_output @ weight, grad_output.T @ x, grad_bias


class IgnoresGradOutput(Linear):
    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        ones = torch.ones_like(grad_output)
        grad_bias = ones.sum(0) if ctx.needs_input_grad[2] else None
        return ones @ weight, ones.T @ x, grad_bias


class AveragesOverTheBatch(Linear):
    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        batch = x.shape[0]
        grad_bias = grad_output.mean(0) if ctx.needs_input_grad[2] else None
        return grad_output @ weight, grad_output.T @ x / batch, grad_bias


class ExpectsABias(Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        return x @ weight.T + bias

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        return grad_output @ weight, grad_output.T @ x, grad_output.sum(0)


class GivesAMissingBiasAGradient(Linear):
    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        return grad_output @ weight, grad_output.T @ x, grad_output.sum(0)


class CountsNeedsFromTheOutput(Linear):
    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        if not all(ctx.needs_input_grad):
            return None, None, None
        return grad_output @ weight, grad_output.T @ x, grad_output.sum(0)


class AsksTheWrongWayRound(Linear):
    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_x = None if ctx.needs_input_grad[0] else grad_output @ weight
        grad_weight = None if ctx.needs_input_grad[1] else grad_output.T @ x
        grad_bias = None if ctx.needs_input_grad[2] else grad_output.sum(0)
        return grad_x, grad_weight, grad_bias


class AsksWhetherTheBiasIsTrue(Linear):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        y = x @ weight.T
        return y + bias if bias else y


class ForgetsTheBias(Linear):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        return x @ weight.T


class KeepsInputsOnContext(Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.x, ctx.weight = x, weight
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, grad_output):
        grad_bias = grad_output.sum(0) if ctx.needs_input_grad[2] else None
        return grad_output @ ctx.weight, grad_output.T @ ctx.x, grad_bias

import pytest

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import load
from graders.exercises._hooks import ARGUMENT
from graders.judging import meaning
from graders.selftest import judged, sentences

Square = load("fn-square").reference


class WithoutReturn(Square):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)


class WithoutReturnInBackward(Square):
    @staticmethod
    def backward(ctx, grad_output):
        pass


class WithoutContext(Square):
    @staticmethod
    def forward(x):
        return x * x


class WithoutContextInBackward(Square):
    @staticmethod
    def backward(grad_output):
        return grad_output


class WithSelf(Square):
    @staticmethod
    def backward(self, ctx, grad_output):
        return grad_output


class SavesNothing(Square):
    @staticmethod
    def forward(ctx, x):
        return x * x


class ReadsTheNameOfForward(Square):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2 * x  # noqa: F821


class AsksCtxForMore(Square):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2 * ctx.x


class MultipliesMatrices(Square):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x @ x


class TakesOneNumber(Square):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.tensor(float(x) ** 2)


class WalksBackInside(Square):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        (x * x).backward(grad_output)
        return x.grad


class SavesAList(Square):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward([x])
        return x * x


class SavesOneByOne(Square):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_backward(x + x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        _, slope = ctx.saved_tensors
        return grad_output * slope


class LeavesOutContext(Square):
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)


class TakesNoOutput(Square):
    @staticmethod
    def forward(x):
        return x * x

    @staticmethod
    def setup_context(ctx, x):
        ctx.save_for_backward(x)


class AppliesItself(Square):
    @staticmethod
    def forward(ctx, x):
        return AppliesItself.apply(x)


class MarksAList(Square):
    @staticmethod
    def forward(ctx, x):
        y = x * x
        ctx.mark_non_differentiable([y])
        return y


class MarksItsOutput(Square):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        y = x * x
        ctx.mark_non_differentiable(y)
        return y


class MultipliesByAList(Square):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.saved_tensors[0].tolist() * 2


class DividesByAMethod(Square):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x / x.numel


class AsksNothing(Square):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.mul(2 * None.x)


class StartsFromSeveral(Square):
    @staticmethod
    def backward(ctx, grad_output):
        with torch.enable_grad():
            x = ctx.saved_tensors[0].detach().requires_grad_()
            (x * x).backward()
        return grad_output * x.grad


class FillsSavedTensors(Square):
    @staticmethod
    def forward(ctx, x):
        ctx.saved_tensors = (x,)
        return x * x


class WritesPowersOtherwise(Square):
    @staticmethod
    def forward(ctx, x):
        return x ^ 2


class WithoutBackward(Function):
    @staticmethod
    def forward(ctx, x):
        return x * x

    @staticmethod
    def backwards(ctx, grad_output):
        return grad_output


class AsksForOneAnswer(Square):
    @staticmethod
    def forward(ctx, x):
        return x * x if x > 0 else x * -x


class Compares(Square):
    @staticmethod
    def forward(ctx, x):
        return x * x * (x > 0 | x <= 0)


class LeavesItToNumPy(Square):
    @staticmethod
    def forward(ctx, x):
        return torch.from_numpy(x.detach().numpy() ** 2)


class Misspelled(Square):
    @staticmethod
    def backward(ctx, grad_output):
        return toch.mul(grad_output, 2)  # noqa: F821


class GivesTwo(Square):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, grad_output


class AddsUp(Square):
    @staticmethod
    def backward(ctx, grad_output):
        return torch.stack([grad_output, grad_output]).flatten()


@pytest.mark.parametrize(
    ("solution", "says"),
    [
        (WithoutReturn, meaning.NO_RETURN),
        (MultipliesMatrices, meaning.MATRICES),
        (TakesOneNumber, meaning.ONE_NUMBER),
        (WalksBackInside, meaning.NOT_RECORDED),
        (WithoutReturnInBackward, meaning.NO_RETURN_IN_BACKWARD),
        (WithoutContext, meaning.ARGUMENTS),
        (WithoutContextInBackward, meaning.ARGUMENTS),
        (WithSelf, meaning.ARGUMENTS),
        (SavesNothing, meaning.NOTHING_SAVED),
        (ReadsTheNameOfForward, meaning.NAME_OF_FORWARD),
        (AsksCtxForMore, meaning.NO_ATTRIBUTE),
        (SavesAList, meaning.ONE_BY_ONE),
        (SavesOneByOne, meaning.REPLACES),
        (LeavesOutContext, meaning.ARGUMENTS),
        (TakesNoOutput, meaning.OF_SETUP_CONTEXT),
        (AppliesItself, meaning.CALLS_ITSELF),
        (MarksAList, meaning.ONE_BY_ONE),
        (MarksItsOutput, meaning.NOT_RECORDED),
        (MultipliesByAList, meaning.ONLY_TENSORS_MULTIPLY),
        (DividesByAMethod, meaning.NOT_CALLED),
        (AsksNothing, meaning.NONE_THERE),
        (StartsFromSeveral, meaning.STARTS_FROM_A_NUMBER),
        (FillsSavedTensors, meaning.FOR_READING),
        (WritesPowersOtherwise, meaning.NO_POWER),
        (WithoutBackward, meaning.NO_SUCH_METHOD),
        (AsksForOneAnswer, meaning.YES_OR_NO),
        (Compares, meaning.BINDS_FIRST),
        (LeavesItToNumPy, meaning.BECAME_A_NUMBER),
        (GivesTwo, meaning.ONE_FOR_EACH),
        (AddsUp, meaning.ITS_SHAPE),
        (Misspelled, "name 'toch' is not defined."),
    ],
)
def test_a_frequent_failure_is_told_with_what_it_may_come_from(solution, says):
    told = judged(load("fn-square"), solution, 5).summary

    assert told.endswith(says)
    assert sentences(told) <= 3


def test_a_class_that_is_called_is_told_how_functions_are_called():
    class Tanh(load("cap-tanh").reference):
        pass

    def train(x, y, steps, seed):
        return Tanh()(x), []

    assert judged(load("cap-train"), train, 5).summary.endswith(meaning.NOT_BY_APPLY)


def test_a_graph_that_is_walked_again_after_an_update_is_told_what_has_changed():
    def train(x, y, steps, seed):
        first, second = (torch.ones(1, requires_grad=True) for _ in range(2))
        total = (first * second).sum()
        for _ in range(steps):
            total.backward(retain_graph=True)
            with torch.no_grad():
                first -= 0.1 * first.grad

    assert judged(load("cap-train"), train, 5).summary.endswith(meaning.CHANGED_SINCE)


def test_one_of_several_inputs_that_is_not_protected_is_told_so():
    reference = load("fn-multiply").reference

    class KeepsOneOnContext(reference):
        @staticmethod
        def forward(ctx, x, y):
            ctx.y = y
            ctx.save_for_backward(x)
            return x * y

        @staticmethod
        def backward(ctx, grad_output):
            (x,) = ctx.saved_tensors
            gradients = grad_output * ctx.y, grad_output * x
            return gradients[0].sum_to_size(x.shape), gradients[1].sum_to_size(ctx.y.shape)

    told = judged(load("fn-multiply"), KeepsOneOnContext, 5).summary
    assert "changing y in place" in told
    assert told.endswith(meaning.KEPT_UNPROTECTED)


def test_what_is_no_function_has_no_forward_to_speak_of():
    def stop_gradient_product(x):
        return x**unknown  # noqa: F821

    told = judged(load("detach-stop"), stop_gradient_product, 5).summary
    assert told.endswith("name 'unknown' is not defined.")

    told = judged(load("detach-stop"), lambda x: print(x * x), 5).summary
    assert told.endswith(meaning.NO_RETURN)


def test_plain_numbers_in_functions_of_torch_are_told_where_theirs_are():
    def reverse_mode(x1, x2):
        return torch.log(x1 * x2), x2, x1

    told = judged(load("graph-reverse"), reverse_mode, 5).summary
    assert told.endswith(meaning.TENSORS_ALONE)


def test_a_hook_that_takes_more_than_the_gradient_is_told_so():
    def record(t, log):
        def hook(module, gradient):
            log.append(gradient)

        t.register_hook(hook)

    def layer_gradients(layers, x):
        for layer in layers:
            x = layer(x)
            x.register_hook(lambda: None)
        x.sum().backward()

    assert judged(load("retain-hook"), record, 5).summary.endswith(ARGUMENT)
    assert judged(load("retain-layers"), layer_gradients, 5).summary.endswith(ARGUMENT)


def test_of_several_gradients_one_that_is_none_is_no_forgotten_return():
    reference = load("fn-multiply").reference

    class ForOneOnly(reference):
        @staticmethod
        def backward(ctx, grad_output):
            return reference.backward(ctx, grad_output)[0], None

    told = judged(load("fn-multiply"), ForOneOnly, 5).summary
    assert "no gradient arrives at y: it is None." in told
    assert told.endswith(meaning.NONE_IN_ITS_PLACE)

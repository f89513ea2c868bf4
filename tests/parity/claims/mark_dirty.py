"""What really happens where the document on mark_dirty speaks: dirty-1 to dirty-15."""

import warnings

from ..harness import outcome
from .claim import LEAF_CHANGED_IN_PLACE, NOTHING_TO_DIFFERENTIATE, Claims

claims = Claims()

DIRTY_INPUT_NOT_RETURNED = {
    "raises": "RuntimeError",
    "says": "Some elements marked as dirty during the forward method were not returned as output. "
    "The inputs that are modified inplace must all be outputs of the Function.",
}


def add_one_function(torch):
    """The document's first example, as it stands."""

    class AddOne(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            output = input.add_(1)
            ctx.mark_dirty(input)
            return output

        @staticmethod
        def backward(ctx, grad_output):
            return grad_output

    return AddOne


@claims.really("dirty-1", backward=NOTHING_TO_DIFFERENTIATE, input=11, grad=None)
def example_1_on_an_integer(torch):
    input = torch.tensor(10)
    output = add_one_function(torch).apply(input)
    return {
        "backward": outcome(output.backward),
        "input": input.item(),
        "grad": input.grad,
    }


@claims.really("dirty-2", apply=LEAF_CHANGED_IN_PLACE)
def example_1_on_a_leaf(torch):
    leaf = torch.tensor(10.0, requires_grad=True)
    return {"apply": outcome(lambda: add_one_function(torch).apply(leaf))}


@claims.really(
    "dirty-3",
    value=11.0,
    grad=1.0,
    is_the_input=True,
    grad_fn="AddOneBackward",
    version_by_add_and_mark_dirty=2,
    version_by_mark_dirty_alone=1,
)
def example_1_on_a_clone(torch):
    class OnlyMarks(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            ctx.mark_dirty(input)
            return input

        @staticmethod
        def backward(ctx, grad_output):
            return grad_output

    leaf = torch.tensor(10.0, requires_grad=True)
    clone = leaf.clone()
    output = add_one_function(torch).apply(clone)
    output.backward()
    marked = OnlyMarks.apply(leaf.clone())
    return {
        "value": output.item(),
        "grad": leaf.grad.item(),
        "is_the_input": output is clone,
        "grad_fn": output.grad_fn.name(),
        "version_by_add_and_mark_dirty": output._version,
        "version_by_mark_dirty_alone": marked._version,
    }


@claims.really("dirty-4", apply=DIRTY_INPUT_NOT_RETURNED)
def example_2_marks_an_input_it_does_not_return(torch):
    class Example2(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input1, input2):
            output = input1.mul_(input2).add_(1)
            ctx.mark_dirty(input1, input2)
            return output

        @staticmethod
        def backward(ctx, grad_output):
            return grad_output, grad_output

    input1 = torch.tensor(2.0, requires_grad=True).clone()
    input2 = torch.tensor(3.0, requires_grad=True).clone()
    return {"apply": outcome(lambda: Example2.apply(input1, input2))}


@claims.really(
    "dirty-5",
    backward={"raises": "ValueError", "says": "not enough values to unpack (expected 2, got 0)"},
)
def example_2_reads_what_it_never_saved(torch):
    class Example2(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input1, input2):
            output = input1.mul_(input2).add_(1)
            ctx.mark_dirty(input1)
            return output

        @staticmethod
        def backward(ctx, grad_output):
            input1, input2 = ctx.saved_tensors
            return grad_output * input2, grad_output * input1

    input1 = torch.tensor(2.0, requires_grad=True).clone()
    input2 = torch.tensor(3.0, requires_grad=True)
    output = Example2.apply(input1, input2)
    return {"backward": outcome(output.backward)}


@claims.really("dirty-6", grads=[6.0, 6.0])
def example_2_multiplies_one_tensor_twice(torch):
    class Example2(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input1, input2):
            ctx.save_for_backward(input1.clone(), input2)
            output = input1.mul_(input2).add_(1)
            ctx.mark_dirty(input1)
            return output

        @staticmethod
        def backward(ctx, grad_output):
            input1, input2 = ctx.saved_tensors
            grad_input1 = grad_output.mul_(input2)
            grad_input2 = grad_output.mul_(input1)
            return grad_input1, grad_input2

    input1 = torch.tensor(2.0, requires_grad=True)
    input2 = torch.tensor(3.0, requires_grad=True)
    Example2.apply(input1.clone(), input2).backward()
    return {"grads": [input1.grad.item(), input2.grad.item()]}


@claims.really("dirty-7", output=7.0, grads=[3.0, 2.0])
def example_2_mended(torch):
    class Example2(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input1, input2):
            ctx.save_for_backward(input1.clone(), input2)
            ctx.mark_dirty(input1)
            return input1.mul_(input2).add_(1)

        @staticmethod
        def backward(ctx, grad_output):
            input1, input2 = ctx.saved_tensors
            return grad_output * input2, grad_output * input1

    input1 = torch.tensor(2.0, requires_grad=True)
    input2 = torch.tensor(3.0, requires_grad=True)
    output = Example2.apply(input1.clone(), input2)
    output.backward()
    return {"output": output.item(), "grads": [input1.grad.item(), input2.grad.item()]}


@claims.really("dirty-8", saved_before=[3.0, 7.0], saved_after=[3.0, 7.0])
def saving_the_changed_input_is_silently_wrong(torch):
    def product(save_first):
        class Product(torch.autograd.Function):
            @staticmethod
            def forward(ctx, input1, input2):
                if save_first:
                    ctx.save_for_backward(input1, input2)
                output = input1.mul_(input2).add_(1)
                if not save_first:
                    ctx.save_for_backward(input1, input2)
                ctx.mark_dirty(input1)
                return output

            @staticmethod
            def backward(ctx, grad_output):
                input1, input2 = ctx.saved_tensors
                return grad_output * input2, grad_output * input1

        input1 = torch.tensor(2.0, requires_grad=True)
        input2 = torch.tensor(3.0, requires_grad=True)
        Product.apply(input1.clone(), input2).backward()
        return [input1.grad.item(), input2.grad.item()]

    return {"saved_before": product(True), "saved_after": product(False)}


@claims.really(
    "dirty-9",
    backward={
        "raises": "AttributeError",
        "says": "'Example3Backward' object has no attribute 'saved_tensor'",
    },
)
def example_3_reads_saved_tensor_in_the_singular(torch):
    class Example3(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            if input > 0:
                output = input.add_(1)
                ctx.mark_dirty(input)
            else:
                output = input
            return output

        @staticmethod
        def backward(ctx, grad_output):
            if ctx.saved_tensor is not None:
                return grad_output
            return torch.zeros_like(input)

    output = Example3.apply(torch.tensor(5.0, requires_grad=True).clone())
    return {"backward": outcome(output.backward)}


@claims.really("dirty-10", outputs=[-1.0, 6.0], grads=[0.0, 1.0])
def example_3_mended(torch):
    class Example3(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            ctx.changed = bool(input > 0)
            ctx.mark_dirty(input)
            return input.add_(1) if ctx.changed else input

        @staticmethod
        def backward(ctx, grad_output):
            return grad_output if ctx.changed else torch.zeros_like(grad_output)

    outputs, grads = [], []
    for value in (-1.0, 5.0):
        leaf = torch.tensor(value, requires_grad=True)
        output = Example3.apply(leaf.clone())
        output.backward()
        outputs.append(output.item())
        grads.append(leaf.grad.item())
    return {"outputs": outputs, "grads": grads}


@claims.really(
    "dirty-11",
    as_tensor={"raises": "AttributeError", "says": "'Tensor' object has no attribute 'as_tensor'"},
)
def tensors_have_no_as_tensor(torch):
    return {"as_tensor": outcome(lambda: torch.tensor(11.0).as_tensor())}


@claims.really(
    "dirty-12",
    forward_records=False,
    on_a_leaf=LEAF_CHANGED_IN_PLACE,
    marked=[1.0, True, "AddOneBackward"],
    unmarked_is_the_input=False,
)
def no_grad_does_not_replace_mark_dirty(torch):
    recording = []

    def add_one(marks):
        class AddOne(torch.autograd.Function):
            @staticmethod
            def forward(ctx, input):
                recording.append(torch.is_grad_enabled())
                with torch.no_grad():
                    output = input.add_(1)
                if marks:
                    ctx.mark_dirty(input)
                return output

            @staticmethod
            def backward(ctx, grad_output):
                return grad_output

        return AddOne

    leaf = torch.tensor(10.0, requires_grad=True)
    clone = leaf.clone()
    output = add_one(marks=True).apply(clone)
    output.backward()
    unmarked = leaf.clone()
    return {
        "forward_records": recording[0],
        "on_a_leaf": outcome(lambda: add_one(marks=True).apply(leaf)),
        "marked": [leaf.grad.item(), output is clone, output.grad_fn.name()],
        "unmarked_is_the_input": add_one(marks=False).apply(unmarked) is unmarked,
    }


@claims.really("dirty-13", warnings=[], grad=1.0)
def mark_dirty_is_not_deprecated(torch):
    leaf = torch.tensor(10.0, requires_grad=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        add_one_function(torch).apply(leaf.clone()).backward()
    return {"warnings": [str(entry.message) for entry in caught], "grad": leaf.grad.item()}


@claims.really(
    "dirty-14",
    through_data_unmarked=8.0,
    through_data_marked={
        "raises": "RuntimeError",
        "says": "one of the variables needed for gradient computation has been modified by an "
        "inplace operation: [torch.FloatTensor []], which is output 0 of BehindTheBack, "
        "is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the "
        "operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False).",
    },
    through_numpy_unmarked=8.0,
    through_numpy_marked="RuntimeError",
    by_add_unmarked="RuntimeError",
    undisturbed=6.0,
)
def mark_dirty_makes_a_wrong_gradient_detectable(torch):
    def through_data(input):
        input.data += 1

    def through_numpy(input):
        input.detach().numpy()[...] += 1

    def by_add(input):
        input.add_(1)

    def gradient_of_square(change, marks):
        class BehindTheBack(torch.autograd.Function):
            @staticmethod
            def forward(ctx, input):
                change(input)
                if marks:
                    ctx.mark_dirty(input)
                return input

            @staticmethod
            def backward(ctx, grad_output):
                return grad_output

        leaf = torch.tensor(3.0, requires_grad=True)
        a = leaf.clone()
        b = a * a
        BehindTheBack.apply(a)
        b.backward()
        return leaf.grad.item()

    def error(change, marks):
        return outcome(lambda: gradient_of_square(change, marks))["raises"]

    return {
        "through_data_unmarked": gradient_of_square(through_data, marks=False),
        "through_data_marked": outcome(lambda: gradient_of_square(through_data, marks=True)),
        "through_numpy_unmarked": gradient_of_square(through_numpy, marks=False),
        "through_numpy_marked": error(through_numpy, marks=True),
        "by_add_unmarked": error(by_add, marks=False),
        "undisturbed": gradient_of_square(lambda input: None, marks=False),
    }


@claims.really(
    "dirty-15",
    in_forward=[1.0, 2, True],
    in_setup_context=[1.0, 2, True],
    in_backward_is_ignored=[1.0, [0, 0]],
)
def mark_dirty_belongs_to_forward(torch):
    class InSetupContext(torch.autograd.Function):
        @staticmethod
        def forward(input):
            return input.add_(1)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.mark_dirty(inputs[0])

        @staticmethod
        def backward(ctx, grad_output):
            return grad_output

    versions_in_backward = []

    class InBackward(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            return input + 1

        @staticmethod
        def backward(ctx, grad_output):
            versions_in_backward.append(grad_output._version)
            ctx.mark_dirty(grad_output)
            versions_in_backward.append(grad_output._version)
            return grad_output

    def applied(function):
        leaf = torch.tensor(10.0, requires_grad=True)
        clone = leaf.clone()
        output = function.apply(clone)
        output.backward()
        return [leaf.grad.item(), output._version, output is clone]

    return {
        "in_forward": applied(add_one_function(torch)),
        "in_setup_context": applied(InSetupContext),
        "in_backward_is_ignored": [applied(InBackward)[0], versions_in_backward],
    }

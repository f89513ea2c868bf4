"""`dirty-add-one`: the smallest Function that changes its input, and says so."""

from __future__ import annotations

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import case, shapes, signed
from graders.observe import scenarios


class AddOne_(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.add_(1)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


class MarksInSetupContext(Function):
    @staticmethod
    def forward(x):
        x += 1
        return x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_dirty(inputs[0])

    @staticmethod
    def backward(ctx, grad_output):
        return (grad_output,)


class MarksAfterwards(Function):
    @staticmethod
    def forward(ctx, value: torch.Tensor) -> torch.Tensor:
        value.data.add_(1.0)
        ctx.mark_dirty(value)
        print("now", value)
        return value

    @staticmethod
    def backward(ctx, upstream: torch.Tensor) -> torch.Tensor:
        return upstream.clone()


class NotMarked(AddOne_):
    @staticmethod
    def forward(ctx, x):
        return x.add_(1)


class NotMarkedAndBehindTheBack(AddOne_):
    @staticmethod
    def forward(ctx, x):
        x.data += 1
        return x


class OutOfPlace(AddOne_):
    @staticmethod
    def forward(ctx, x):
        return x + 1


class MarksTheCopy(AddOne_):
    @staticmethod
    def forward(ctx, x):
        y = x.clone().add_(1)
        ctx.mark_dirty(y)
        return y


class ReturnsACopy(AddOne_):
    @staticmethod
    def forward(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x.clone()


class MarksAnAlias(AddOne_):
    @staticmethod
    def forward(ctx, x):
        x = x.detach()
        x.add_(1)
        ctx.mark_dirty(x)
        return x


class GivesItOtherMemory(AddOne_):
    @staticmethod
    def forward(ctx, x):
        x.data = x.data + 1
        ctx.mark_dirty(x)
        return x


class AddsTwice(AddOne_):
    @staticmethod
    def forward(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x.add_(1)


class ForgetsToAdd(AddOne_):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x


class CountsTheOne(AddOne_):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output + 1


def what_is_marked(function, lab):
    """Apply the Function to a clone: does `mark_dirty` complain that it was given no input?"""
    import warnings

    for each in lab.cases():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            each.apply(function, each.copies(each.arguments()))
        complaints = [str(entry.message) for entry in caught]
        each.record(
            "only inputs are marked", not any("was not an input" in text for text in complaints)
        )


def _vector(rng):
    return {"cases": [case("a vector", x=signed(rng, 3))]}


def _number_and_vector(rng):
    return {"cases": [case("a single number", x=signed(rng)), case("a vector", x=signed(rng, 3))]}


EXERCISE = Exercise(
    id="dirty-add-one",
    lesson="08_mark_dirty",
    section="The contract of an in-place Function",
    title="Add one, in place",
    symbol="AddOne_",
    kind="implement",
    points=5,
    difficulty=1,
    minutes=6,
    task=(
        "Write `AddOne_`, so that `AddOne_.apply(x)` adds one to every element of `x` in the "
        "memory of `x` and keeps the contract: it returns the very same tensor, earlier operations "
        "that saved the old values raise an error, and a leaf that requires grad is refused."
    ),
    starter='''\
class AddOne_(Function):
    """x + 1, in the memory of x."""

    @staticmethod
    def forward(ctx, x):
        # Your code here.
        ...

    @staticmethod
    def backward(ctx, grad_output):
        # Your code here.
        ...
''',
    reference=AddOne_,
    checks=(
        Check(
            "values",
            2,
            scenarios.inplace_values,
            shapes,
            passes="The values are right, in the output and in the input's own memory.",
            fails="The values are not right, in the output or in the input's memory.",
        ),
        Check(
            "gradient",
            2,
            scenarios.inplace_gradients,
            shapes,
            passes="The gradient is right.",
            fails="The gradient is not right.",
        ),
        Check(
            "same tensor",
            2,
            scenarios.inplace_identity,
            _number_and_vector,
            passes="What comes back is the input itself, with a higher version.",
            fails="What comes back is not the input itself with a higher version.",
            statements=True,
        ),
        Check(
            "leaf refused",
            1,
            scenarios.inplace_leaf,
            _vector,
            passes="A leaf that requires grad is refused.",
            fails="A leaf that requires grad is not refused with the error that it should raise.",
            statements=True,
        ),
        Check(
            "earlier users warned",
            2,
            scenarios.inplace_stale,
            _number_and_vector,
            passes=(
                "Earlier operations that saved the old values raise an error instead of "
                "computing a wrong gradient."
            ),
            fails=(
                "Earlier operations that saved the old values do not raise the error that should "
                "warn of it."
            ),
            statements=True,
        ),
        Check(
            "marks an input",
            1,
            what_is_marked,
            _vector,
            passes="Only the input is marked.",
            fails="Something is marked that is not an input.",
            after=("same tensor",),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "not-marked",
            "You change the memory of the input, but do not tell the engine. So it treats your "
            "output as a new tensor, and the value of a leaf is overwritten without an error.",
            NotMarked,
        ),
        Misconception(
            "out-of-place",
            "You compute a new tensor and leave the input as it was. In place means that the "
            "memory of the input itself holds the new values.",
            OutOfPlace,
        ),
        Misconception(
            "behind-the-back",
            "You change the memory without going through the version counter, and you tell the "
            "engine nothing. Earlier operations that saved the old value will compute a wrong "
            "gradient without an error.",
            NotMarkedAndBehindTheBack,
        ),
        Misconception(
            "marks-the-output-copy",
            "You mark a tensor that you made yourself. The mark is for an input whose memory was "
            "changed; no earlier operation can have saved a new tensor.",
            MarksTheCopy,
        ),
        Misconception(
            "returns-a-copy",
            "You mark one tensor and return another one, or none. An input that is marked gets a "
            "new place in the graph, so it has to be returned itself.",
            ReturnsACopy,
        ),
        Misconception(
            "marks-an-alias",
            "You mark and return a detached tensor. It has the memory of the input, but it is "
            "another object, and the engine expects the very object that forward was given.",
            MarksAnAlias,
        ),
        Misconception(
            "other-memory",
            "You give the input other memory instead of changing its own. Whatever shares the old "
            "memory, such as a view of the input, does not see the new values.",
            GivesItOtherMemory,
        ),
        Misconception(
            "adds-twice",
            "The result is one too large. An operator whose name ends in an underscore has "
            "changed the tensor by the time it returns it.",
            AddsTwice,
        ),
        Misconception(
            "mark-dirty-does-it",
            "You expect `mark_dirty` to make the change. It changes no value, it only tells the "
            "engine that you have changed one.",
            ForgetsToAdd,
        ),
        Misconception(
            "counts-the-one",
            "Your gradient contains the one that is added. Adding a constant changes the value, "
            "but not the slope.",
            CountsTheOne,
        ),
    ),
    hints=(
        "There are three duties: change the memory, tell the engine, and return the right object.",
        "Which methods of a tensor change it instead of making a new one? Their names end in an "
        "underscore. `ctx` has a method to tell the engine about it.",
        "Change the input itself with such a method, mark that same input, and return that same "
        "input. For backward ask how fast the output changes with the input: the constant that is "
        "added plays no part.",
    ),
    variants=(
        Variant("setup_context and +=", MarksInSetupContext),
        Variant("through .data but marked, prints, type hints", MarksAfterwards),
    ),
    place=2,
)

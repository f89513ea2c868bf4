"""What is said of solutions: which idea is behind them, or else what came out."""

import dataclasses

import numpy as np

from autograd_core.autograd import Function
from graders.exercise import Check, Exercise, Misconception, Remark, load
from graders.exercises.fn_square import Square
from graders.inputs import case, signed
from graders.observe import scenarios
from tests.graders.judging.judgements import OffByOne, judge_on, judged, observed


class HalfAndCarefree(Function):
    """Two misconceptions at once: half the slope, and the input on ctx."""

    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return 3 * grad_output * ctx.x


def test_the_reference_passes_with_full_points():
    verdict = judged("fn-square", Square)

    assert (verdict.status, verdict.points) == ("passed", 4)
    assert verdict.summary == "Everything is right."
    assert verdict.findings == ()
    assert all(report.passed for report in verdict.checks)


def test_a_misconception_is_named_however_its_code_is_written():
    class InOtherWords(Function):
        @staticmethod
        def forward(ctx, number):
            ctx.save_for_backward(number)
            return number**2

        @staticmethod
        def backward(ctx, *upstream):
            (number,) = ctx.saved_tensors
            return upstream[0].mul(number)

    verdict = judged("fn-square", InOtherWords)

    assert verdict.misconception == "forgets-the-two"
    assert verdict.findings == ("forgets-the-two",)
    assert verdict.summary.startswith("The output is right for numbers, vectors and matrices. Your")


def test_what_no_misconception_explains_is_diagnosed():
    verdict = judged("fn-square", OffByOne)

    assert verdict.misconception is None
    assert "gradient" in verdict.findings
    assert "the gradient of x is too large by 1, by the same amount" in verdict.summary
    failed = next(report for report in verdict.checks if report.name == "gradient")
    assert "expected: tensor(" in failed.details
    assert "grad_output =" in failed.details


def test_a_wrong_factor_outside_of_the_list_is_named_generally():
    verdict = judged("fn-square", HalfAndCarefree)

    assert verdict.misconception == "keeps-input-on-ctx" or "1.5 times" in verdict.summary
    gradient = next(report for report in verdict.checks if report.name == "gradient")
    assert "is 1.5 times what it should be" in gradient.details


def test_what_is_changed_in_place_is_told_beside_a_wrong_gradient():
    class LogSin(load("fn-logsin").reference):
        @staticmethod
        def backward(ctx, grad_output):
            x1, x2 = ctx.saved_tensors
            product = x1 * x2
            slope = product.sin() / product + product.log() * product.cos()
            return grad_output.mul_(slope * x2), grad_output.mul_(slope * x1)

    verdict = judged("fn-logsin", LogSin)

    assert verdict.misconception is None
    assert "the gradient of x1 is not right" in verdict.summary
    assert verdict.summary.endswith(
        "Your backward changes `grad_output` in place, although other operations may still need it."
    )


def test_a_graver_mistake_is_told_before_the_one_that_has_a_name():
    class Linear(load("fn-linear").reference):
        @staticmethod
        def backward(ctx, grad_output):
            x, weight = ctx.saved_tensors
            return 2 * grad_output @ weight, 2 * grad_output.T @ x, grad_output.sum(0)

    verdict = judged("fn-linear", Linear)

    assert verdict.misconception == "missing-bias-gets-a-gradient"
    assert verdict.summary.startswith("For a batch of 4")
    assert (
        "the gradient of x is twice what it should be, in every element. "
        "Besides: When the bias is None"
    ) in verdict.summary


def test_a_logarithm_of_nothing_does_not_tell_which_idea_led_there():
    class LogSin(Function):
        @staticmethod
        def forward(ctx, x1, x2):
            ctx.save_for_backward(x1, x2)
            return x1.log() * x2.sin()

        backward = load("fn-logsin").reference.backward

    verdict = judged("fn-logsin", LogSin)

    assert verdict.misconception is None
    assert "the output is not right" in verdict.summary


def test_a_forgotten_return_is_not_taken_for_a_single_gradient():
    class Multiply(Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * y

        @staticmethod
        def backward(ctx, grad_output):
            return None

    verdict = judged("fn-multiply", Multiply)

    assert verdict.misconception is None
    assert "backward returned None" in verdict.summary


def exercise_with(**changes) -> Exercise:
    inputs = {"cases": [case("a vector", x=signed(np.random.default_rng(1), 3))]}
    fields = {
        "id": "fn-square",
        "checks": (
            Check("call", 1, scenarios.call, lambda rng: inputs, "It is right.", "It is wrong."),
        ),
        "reference": lambda x: x + 1,
        "misconceptions": (),
        "remarks": (),
        **changes,
    }
    return dataclasses.replace(load("fn-square"), **fields)


def test_of_two_that_fit_the_one_that_explains_more_is_named_and_on_a_tie_the_first():
    def two_checks(rng):
        return {"keys": ["a", "b"]}

    truth = {"a": 1, "b": 2}
    exercise = exercise_with(
        reference=truth,
        checks=(Check("keys", 1, scenarios.entries, two_checks, "Right.", "Wrong."),),
        misconceptions=(
            Misconception("a-only", "A.", {"a": 7, "b": 2}),
            Misconception("both", "Both.", {"a": 7, "b": 8}),
            Misconception("both-again", "Again.", {"a": 7, "b": 8}),
            Misconception("b-only", "B.", {"a": 1, "b": 8}),
        ),
    )

    def findings(answers):
        return judge_on(exercise, observed(exercise, answers)).findings

    assert findings({"a": 7, "b": 8}) == ("both",)
    assert findings({"a": 7, "b": 2}) == ("a-only",)
    assert findings({"a": 7, "b": 9}) == ("a-only",)
    assert findings({"a": 5, "b": 6}) == ("keys",)


def test_two_ideas_side_by_side_are_both_found():
    exercise = exercise_with(
        reference={"a": 1, "b": 2, "c": 3},
        checks=(
            Check("keys", 1, scenarios.entries, lambda rng: {"keys": ["a", "b", "c"]}, "R.", "W."),
        ),
        misconceptions=(
            Misconception("wrong-c", "C.", {"a": 1, "b": 2, "c": 9}),
            Misconception("wrong-a-b", "AB.", {"a": 8, "b": 9, "c": 3}),
        ),
    )

    verdict = judge_on(exercise, observed(exercise, {"a": 8, "b": 9, "c": 9}))

    assert verdict.findings == ("wrong-a-b", "wrong-c")
    assert verdict.misconception == "wrong-a-b"
    assert verdict.summary == "AB."
    assert verdict.checks[0].details.startswith("C.")


def test_a_misconception_that_raises_is_told_from_other_exceptions():
    def raises_type_error(x):
        return x + "1"

    def raises_another(x):
        return x + {}

    def raises_the_same_elsewhere(x):
        y = x * 2
        return y + "1"

    exercise = exercise_with(
        misconceptions=(Misconception("adds-text", "Text.", raises_type_error),)
    )

    def named(solution):
        return judge_on(exercise, observed(exercise, solution)).misconception

    assert named(raises_the_same_elsewhere) == "adds-text"
    assert named(raises_another) is None


def test_a_check_may_judge_records_itself():
    def near_enough(record, observed, expected):
        return abs(observed.values - expected.values).max() < 0.5 if "result" in record else None

    exercise = exercise_with()
    lenient = dataclasses.replace(exercise.checks[0], judge=near_enough)
    exercise = dataclasses.replace(exercise, checks=(lenient,))

    assert judge_on(exercise, observed(exercise, lambda x: x + 1.3)).status == "passed"
    assert judge_on(exercise, observed(exercise, lambda x: x + 1.6)).status == "failed"


def test_remarks_are_made_only_when_everything_passes():
    exercise = exercise_with(
        remarks=(Remark("warned", "Look.", lambda notes: "warnings" in notes),)
    )

    def warns(by):
        import warnings

        def solution(x):
            warnings.warn("hm", UserWarning, stacklevel=1)
            return x + by

        return solution

    assert judge_on(exercise, observed(exercise, warns(1))).remarks == ("Look.",)
    assert judge_on(exercise, observed(exercise, warns(2))).remarks == ()
    assert judge_on(exercise, observed(exercise, lambda x: x + 1)).remarks == ()


def test_prints_do_not_count_and_are_kept():
    def prints(x):
        print("looking at", x.shape)
        return x + 1

    exercise = exercise_with()
    verdict = judge_on(exercise, observed(exercise, prints))

    assert verdict.status == "passed"
    assert verdict.output.startswith("looking at")


def test_control_characters_in_what_was_printed_reach_no_page():
    observations = observed(load("fn-square"), Square, output="a\x00b\x1b[31m\nc\td")
    assert judge_on(load("fn-square"), observations).output == "ab[31m\nc\td"


def test_a_mistake_as_grave_is_told_after_the_one_that_has_a_name():
    class AddOne(Function):
        @staticmethod
        def forward(ctx, x):
            x += 1

        @staticmethod
        def backward(ctx, grad_output):
            return grad_output

    summary = judged("dirty-add-one", AddOne).summary

    assert summary.startswith("You change the memory of the input, but do not tell the engine.")
    assert summary.endswith(
        "Besides: For a single number, the output is None, where a tensor is needed."
    )

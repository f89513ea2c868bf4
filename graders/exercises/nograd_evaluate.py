"""`nograd-evaluate`: run a model off the record, and leave no trace."""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Remark, Variant, noted
from graders.exercises import _evaluations as solutions
from graders.inputs import case, signed


def run_a_model(evaluate, lab):
    """Run a small model through `evaluate`, and note down what `facts` asks for."""
    from graders.observe.hidden import hidden

    torch = lab.torch
    runs, recorded = [], []

    def run(model, x):
        runs.append((torch.is_grad_enabled(), model.training))
        if model.fails:
            raise ValueError("this model cannot take this input")
        y = (x * model.weight).tanh() + model.bias
        recorded.append(y.requires_grad)
        return y

    class Model(torch.nn.Module):
        forward = hidden(run)

    for one in lab.cases():
        torch.set_grad_enabled(True)
        runs.clear()
        recorded.clear()
        x, weight, bias, before, fails, training = one.arguments().values()
        wanted = x.requires_grad
        model = Model().train(training)
        model.weight = torch.nn.Parameter(weight.detach())
        model.bias = torch.nn.Parameter(bias.detach(), requires_grad=False)
        model.fails = fails
        (model.weight * 3).sum().backward()
        torch.set_grad_enabled(before)
        result, raised = None, "no error"
        try:
            result = evaluate(model, x)
        except Exception as error:
            if not (fails and runs):
                raise
            raised = type(error).__name__
        now = torch.is_grad_enabled()
        torch.set_grad_enabled(True)
        is_tensor = issubclass(type(result), torch.Tensor)
        if is_tensor and result.is_inference():
            one.note("inference tensor", True)
        if model.training != training:
            one.note("training mode changed", True)
        if len(runs) > 1:
            one.note("run more than once", True)
        found = {
            "the model is run": bool(runs),
            "recording is on while the model runs": any(mode for mode, _ in runs),
            "what the model computes is recorded": any(recorded),
            "the model is run once more, with recording on": any(mode for mode, _ in runs[1:]),
            "one run of the model is recorded and another is not": len({m for m, _ in runs}) > 1,
            "the model records in evaluation mode": any(m and t < training for m, t in runs),
            "result": result,
            "the result requires grad": is_tensor and result.requires_grad,
            "error that reaches the caller": raised if runs else "the model was not run",
            "recording is on afterwards": now,
            "weight of the model requires grad afterwards": model.weight.requires_grad,
            "frozen bias of the model requires grad afterwards": model.bias.requires_grad,
            "x requires grad as it did before": x.requires_grad == wanted,
            "weight's gradient afterwards": model.weight.grad,
        }
        facts = lab.value("facts")
        if "result" in facts and not is_tensor:
            facts = ["result"]  # what is not there has not been recorded, or detached
        for name in facts:
            one.record(name, found[name])


RECORDING = (
    "the model is run",
    "recording is on while the model runs",
    "what the model computes is recorded",
    "one run of the model is recorded and another is not",
    "the model records in evaluation mode",
    "result",
    "the result requires grad",
)
FLAGS = (
    "weight of the model requires grad afterwards",
    "frozen bias of the model requires grad afterwards",
    "x requires grad as it did before",
    "weight's gradient afterwards",
)
AFTERWARDS = ("recording is on afterwards",)
ERRORS = (
    "error that reaches the caller",
    "the model is run once more, with recording on",
    *AFTERWARDS,
)


def _asking(facts, before=(True, False), fails=False):
    """Return inputs that ask for `facts`, once for each mode in `before`."""

    def inputs(rng):
        shapes = {"a vector": (3,), "a matrix": (2, 3)}
        modes = {True: "recording on before", False: "recording off before"}
        return {
            "facts": list(facts),
            "cases": [
                case(
                    f"{form}, {modes[mode]}",
                    frozen=("x",) if form == "a vector" else (),
                    x=signed(rng, *shape),
                    weight=signed(rng, 3),
                    bias=signed(rng, 3),
                    before=mode,
                    fails=fails,
                    training=form == "a vector",
                )
                for form, shape in shapes.items()
                for mode in before
            ],
        }

    return inputs


EXERCISE = Exercise(
    id="nograd-evaluate",
    lesson="04_no_grad",
    section="The mode and where it ends",
    title="Repair the evaluation that leaves traces",
    symbol="evaluate",
    kind="repair",
    points=4,
    difficulty=2,
    minutes=5,
    task=(
        "`evaluate(model, x)` returns `model(x)` without recording anything. That part works. "
        "But it leaves traces: recording is on afterwards even if it was off before, and when "
        "the model raises an error, recording stays off.\n\n"
        "Repair it, so that the mode from before is always restored. An error of the model still "
        "reaches the caller, and the flags of the model's parameters stay as they are."
    ),
    starter='''\
def evaluate(model, x):
    """Return what the model makes of x, without recording anything."""
    torch.set_grad_enabled(False)
    y = model(x)
    torch.set_grad_enabled(True)
    return y
''',
    reference=solutions.evaluate,
    checks=(
        Check(
            "off the record",
            2,
            run_a_model,
            _asking(RECORDING),
            passes="Nothing is recorded while the model runs.",
            fails="Not everything about the run of the model is as it should be.",
        ),
        Check(
            "the mode afterwards",
            2,
            run_a_model,
            _asking(AFTERWARDS),
            passes="The mode from before is restored.",
            fails="The mode from before is not restored.",
            after=("off the record",),
            statements=True,
        ),
        Check(
            "when the model raises",
            3,
            run_a_model,
            _asking(ERRORS, fails=True),
            passes="An error of the model reaches the caller, and the mode is restored as well.",
            fails="When the model raises an error, something goes wrong.",
            after=("off the record",),
            statements=True,
        ),
        Check(
            "everything else",
            1,
            run_a_model,
            _asking(FLAGS),
            passes="The flags and gradients of model and input are as before.",
            fails="Something about the model or its input has changed.",
            after=("off the record",),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "off-and-on",
            "You switch recording on at the end, whatever it was before, and not at all when the "
            "model raises an error. In both cases the caller is left with another mode than "
            "before.",
            solutions.off_and_on,
        ),
        Misconception(
            "on-at-the-end",
            "At the end you switch recording on, whatever it was before. If the caller had "
            "switched it off, their next operations are recorded without their knowing.",
            solutions.finally_on,
        ),
        Misconception(
            "errors-forgotten",
            "You restore the mode only if all goes well. When the model raises an error, the line "
            "that would do it is skipped.",
            solutions.forgetting_errors,
        ),
        Misconception(
            "never-back",
            "You switch recording off and never restore the mode. From then on nothing in the "
            "program is recorded, and the next training step fails.",
            solutions.never_back,
        ),
        Misconception(
            "mode-not-called",
            "Your `with` block is given a class, but it needs an object of that class. Something "
            "is missing after the name.",
            solutions.mode_not_called,
        ),
        Misconception(
            "recorded-as-always",
            "While the model runs, everything is recorded as always: recording is not off at that "
            "moment, whatever your code does before and after.",
            solutions.recording,
        ),
        Misconception(
            "detached-at-the-end",
            "Your result has no history, but the model was recorded while it ran. Cutting the "
            "history off afterwards does not avoid the memory that recording takes.",
            solutions.detaching,
        ),
        Misconception(
            "recorded-beside",
            "One run of the model is not recorded, but another one is, although that record is "
            "never used. Every run of the model counts, including one before or after.",
            solutions.recorded_beside,
        ),
        Misconception(
            "evaluation-mode-for-no-grad",
            "You put the model into evaluation mode. That tells some layers how to behave, but "
            "everything they do is still recorded.",
            solutions.evaluation_mode_only,
        ),
        Misconception(
            "flags-flipped",
            "You freeze the parameters and make all of them require grad afterwards. That "
            "unfreezes those that were frozen before, and the input's history is recorded all the "
            "same.",
            solutions.flipping,
        ),
        Misconception(
            "flags-put-back",
            "You keep the parameters from requiring grad while the model runs, but recording stays "
            "on. So where `x` requires grad, the operations on it are recorded all the same.",
            solutions.flipping_and_putting_back,
        ),
        Misconception(
            "nothing-asks",
            "You see to it that neither the parameters nor `x` require grad while the model runs, "
            "but recording stays on. A model may compute with other tensors that do.",
            solutions.asking_for_nothing,
        ),
        Misconception(
            "frozen-for-good",
            "You freeze the model's parameters in order to evaluate it, and they stay frozen. The "
            "next training will not change them.",
            solutions.freezing,
        ),
        Misconception(
            "error-swallowed",
            "The model's error does not reach the caller: you catch it, or a `return` in a "
            "`finally` discards it. Restoring the mode is your task; what to do about the error is "
            "for the caller to decide.",
            solutions.swallowing,
        ),
    ),
    variants=(
        Variant("a switch and finally", solutions.with_a_switch),
        Variant("set_grad_enabled as a context, and detach", solutions.with_set_grad_enabled),
        Variant("evaluation mode as well, put back", solutions.in_evaluation_mode),
        Variant("evaluation mode as well, left on", solutions.left_in_evaluation_mode),
        Variant(
            "evaluation mode as well, and training mode afterwards", solutions.training_afterwards
        ),
        Variant("inference_mode as a decorator", solutions.in_inference_mode),
        Variant("a decorated helper inside", solutions.decorated_helper),
    ),
    remarks=(
        Remark(
            "inference-tensor",
            "Your result was made in inference mode: cheaper still, but it cannot be saved for "
            "backward in a later computation.",
            noted("inference tensor"),
        ),
        Remark(
            "training-mode-changed",
            "Your function does not always leave the model as it found it, in training or in "
            "evaluation mode. The task does not ask for that, and the caller may go on with "
            "dropout, or without it, by mistake.",
            noted("training mode changed"),
        ),
        Remark(
            "run-more-than-once",
            "Your function runs the model more than once. Each run takes the same time again, and "
            "the result of one is enough.",
            noted("run more than once"),
        ),
    ),
    hints=(
        "Call it once with recording off, and once with a model that raises an error. What does "
        "`is_grad_enabled()` say afterwards?",
        "A mode that is set by a plain call has to be restored by another call, however the "
        "function ends. There is a form that does this by itself.",
        "A `with` block of a mode restores the mode from before however it is left: at its end, by "
        "a return, by an error. Let the model run inside such a block.",
    ),
    place=4,
)

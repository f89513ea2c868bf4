"""`retain-hook`: write down each gradient that passes a tensor, and touch nothing."""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.exercises._hooks import takes_other_arguments
from graders.inputs import signed


def record(t, log):
    """Append the gradient of t to log in each backward."""

    def keep(gradient):
        log.append(gradient)

    t.register_hook(keep)


def _lambda(t, log: list) -> None:
    t.register_hook(lambda g: log.append(g))


def _the_method_itself(t, log):
    return t.register_hook(log.append)


def _clone_with_print(tensor, history):
    def hook(grad):
        print("gradient:", grad)
        history.append(grad.detach().clone())

    return tensor.register_hook(hook)


def _returns_the_same(t, log):
    def hook(g):
        log.append(g)
        return g

    t.register_hook(hook)


class _Recorder:
    def __init__(self, log):
        self.log = log

    def __call__(self, gradient):
        self.log.append(gradient.clone())


def _callable_object(t, log):
    t.register_hook(_Recorder(log))


def _extended(t, log):
    def hook(g):
        log.extend([g])

    t.register_hook(hook)


def _reads_at_once(t, log):
    log.append(t.grad)


def _never_called(t, log):
    def keep(gradient):
        log.append(gradient)


def _called_at_once(t, log):
    t.register_hook(log.append(t.grad))


def _assigns_log(t, log):
    def keep(gradient):
        log += [gradient]  # noqa: F823, F841

    t.register_hook(keep)


def _only_the_first(t, log):
    def keep(gradient):
        log.append(gradient)
        handle.remove()

    handle = t.register_hook(keep)


def _changes_the_gradient(t, log):
    def keep(gradient):
        log.append(gradient)
        return gradient * 0

    t.register_hook(keep)


def _returns_the_log(t, log):
    def keep(gradient):
        log.append(gradient)
        return log

    t.register_hook(keep)


def _keeps_the_last(t, log):
    def keep(gradient):
        log[:] = [gradient]

    t.register_hook(keep)


def _newest_first(t, log):
    t.register_hook(lambda g: log.insert(0, g))


def _empties_the_log(t, log):
    log.clear()
    t.register_hook(log.append)


def _appends_twice(t, log):
    t.register_hook(log.append)
    t.register_hook(log.append)


def _retains_as_well(t, log):
    t.retain_grad()
    t.register_hook(lambda g: log.append(g))


def _reads_grad_in_the_hook(t, log):
    t.retain_grad()
    t.register_hook(lambda g: log.append(t.grad))


def _reads_grad_unkept(t, log):
    t.register_hook(lambda g: log.append(t.grad))


def _logs_the_tensor(t, log):
    t.register_hook(lambda g: log.append(t))


def _logs_numbers(t, log):
    t.register_hook(lambda g: log.append(g.tolist()))


def _logs_arrays(t, log):
    t.register_hook(lambda g: log.append(g.numpy()))


def _backward_at_once(t, log):
    t.retain_grad()
    t.sum().backward(retain_graph=True)
    log.append(t.grad)


def watch_log(record, lab):
    """Let gradients pass a result and a leaf, each several times: what is in the log?"""
    for case in lab.cases():
        x = case.arguments()["x"]
        t = x * 3 if case.value("result") else x
        begun = "begun before"
        log = [begun]
        lab.do(record, t, log)
        case.record("number of new entries before any backward", len(log) - 1)
        loss = (t * t).sum() + (t * case.value("k")).sum()
        loss.backward(retain_graph=True)
        case.record("number of entries after one backward", len(log) - 1)
        loss.backward()
        case.record("number of entries after two", len(log) - 1)
        case.record("what was in the log before is still there", bool(log) and log[0] is begun)
        new = [*log[1:], None, None]
        case.record("gradient in the first entry", new[0])
        case.record("gradient in the second entry", new[1])


def stay_out_of_the_way(record, lab):
    """Does anything else change because somebody watches?"""
    torch = lab.torch
    for case in lab.cases():

        def gradient(watch, case=case):
            x = case.arguments()["x"]
            t = x * 3 if case.value("result") else x
            if watch:
                lab.do(record, t, [])
            (t * t * case.value("k")).sum().backward()
            return x.grad, t.retains_grad, t.requires_grad

        alone, kept_alone, wanted_alone = gradient(watch=False)
        watched, kept, wanted = gradient(watch=True)
        same = watched is not None and bool(torch.equal(alone, watched))
        case.record("the gradient is passed on as if no hook were there", same)
        case.record("the tensor retains its gradient", kept and not kept_alone)
        case.record("the tensor requires grad as before", wanted == wanted_alone)


def two_in_one_log(record, lab):
    """Two tensors write into one log, one after the other, and one of them into a second log."""
    for case in lab.cases():
        x = case.arguments()["x"]
        first, second = x * 2, x * 3
        log, other = [], []
        lab.do(record, first, log)
        lab.do(record, second, log)
        lab.do(record, second, other)
        (first * first * case.value("k")).sum().backward()
        (second * second).sum().backward()
        case.record("number of entries in the log of two tensors", len(log))
        for place, gradient in enumerate(log[:2], start=1):
            case.record(f"gradient in entry {place} of that log", gradient)
        case.record("number of entries in the other log", len(other))


def _cases(rng):
    return {
        "cases": [
            _case(rng, "a result", 3),
            _case(rng, "a leaf", 2, result=False),
            _case(rng, "a matrix", 2, 3),
            _case(rng, "a single number"),
        ]
    }


def _two_cases(rng):
    return {"cases": [_case(rng, "a result", 3), _case(rng, "a leaf", 2, result=False)]}


def _case(rng, name, *shape, result=True):
    k = round(float(rng.uniform(1.5, 3.0)), 2)
    return {"name": name, "args": {"x": signed(rng, *shape), "result": result, "k": k}}


def _one_case(rng):
    return {"cases": [_case(rng, "two results", 2, 2)]}


EXERCISE = Exercise(
    id="retain-hook",
    lesson="05_retain_grad",
    section="Hooks: called when a gradient passes",
    title="A log of gradients",
    symbol="record",
    kind="implement",
    points=4,
    difficulty=2,
    minutes=5,
    task=(
        "Write `record(t, log)`. Once it has been called, every backward pass through the tensor "
        "`t` appends the gradient of `t` (a tensor) to the list `log`. Nothing else changes: the "
        "gradient is passed on as it is, and `t` retains nothing."
    ),
    starter='''\
def record(t, log):
    """Append the gradient of t to log in every backward."""
''',
    reference=record,
    checks=(
        Check(
            "the log",
            2,
            watch_log,
            _cases,
            passes="Every gradient is in the log.",
            fails="The log does not hold each gradient exactly once.",
        ),
        Check(
            "several tensors",
            1,
            two_in_one_log,
            _one_case,
            passes="Several tensors can be watched at the same time.",
            fails="Watching several tensors at the same time does not work.",
        ),
        Check(
            "out of the way",
            1,
            stay_out_of_the_way,
            _two_cases,
            passes="Nothing else changes.",
            fails="Something else changes when a tensor is watched.",
            after=("the log",),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "reads-grad-at-once",
            "You read the gradient when `record` is called, before any backward pass. You need "
            "something that is called later, when a gradient arrives.",
            _reads_at_once,
        ),
        Misconception(
            "never-called",
            "The log that you were given stays empty. Either no function of yours is called when "
            "a gradient arrives at `t`, or it writes somewhere else.",
            _never_called,
        ),
        Misconception(
            "called-at-once",
            "You call your function in the line that should register it, so that its result is "
            "registered, which is None. A hook is registered without calling it.",
            _called_at_once,
        ),
        Misconception(
            "assigns-to-log",
            "Your hook assigns to the name `log`. That makes `log` a local variable of the hook, "
            "not the list that you were given.",
            _assigns_log,
        ),
        Misconception(
            "only-the-first",
            "The log holds the gradient of a single backward pass. Either your hook is removed "
            "after the first, or it replaces what is there.",
            _only_the_first,
        ),
        Misconception(
            "changes-the-gradient",
            "The gradient that is passed on is not the one that arrived. What a hook returns, or "
            "changes in place, is what reaches everything below.",
            _changes_the_gradient,
        ),
        Misconception(
            "returns-something-else",
            "Your hook returns something that is not a tensor. What a hook returns replaces the "
            "gradient, so backward cannot go on with it.",
            _returns_the_log,
        ),
        Misconception(
            "keeps-the-last",
            "The log holds only the newest gradient; what was in it before is gone. Every "
            "backward pass should add an entry.",
            _keeps_the_last,
        ),
        Misconception(
            "newest-first",
            "Your hook puts each gradient at the front of the log. The newest one belongs at the "
            "end.",
            _newest_first,
        ),
        Misconception(
            "empties-the-log",
            "When `record` is called, what was in the log before is lost. The list belongs to the "
            "caller, so only add to it.",
            _empties_the_log,
        ),
        Misconception(
            "appends-twice",
            "Each gradient is in the log twice. One backward pass should leave one entry.",
            _appends_twice,
        ),
        Misconception(
            "retains-as-well",
            "Your log is right, but `t` now retains its gradient as well. The task says that `t` "
            "should retain nothing.",
            _retains_as_well,
        ),
        Misconception(
            "reads-grad-in-the-hook",
            "You wait until a gradient arrives, but then read `t.grad`. That is filled only after "
            "the hooks have run; the gradient is what the hook is given.",
            _reads_grad_in_the_hook,
        ),
        Misconception(
            "reads-grad-unkept",
            "Your hook is called, but it reads `t.grad`. In a leaf that is filled only after the "
            "hooks have run, and in other tensors not at all; the gradient is what the hook is "
            "given.",
            _reads_grad_unkept,
        ),
        Misconception(
            "logs-the-tensor",
            "Your log holds `t` itself, with its values. It should hold the gradient that arrives "
            "at `t`.",
            _logs_the_tensor,
        ),
        Misconception(
            "logs-numbers",
            "Your log holds plain numbers or lists of them. Keep the gradients as tensors, so "
            "that one can go on computing with them.",
            _logs_numbers,
        ),
        Misconception(
            "logs-arrays",
            "Your log holds NumPy arrays. Keep the gradients as tensors, so that one can go on "
            "computing with them.",
            _logs_arrays,
        ),
        Misconception(
            "walks-at-once",
            "You start a backward pass of your own when `record` is called. It leaves gradients "
            "that were not asked for, and later backward passes are not in the log.",
            _backward_at_once,
        ),
    ),
    hints=(
        "`record` is called before any backward pass. What it leaves behind has to be called when "
        "a gradient arrives.",
        "A hook is a function that the engine calls with the gradient. It is given what you need, "
        "and what it returns matters too.",
        "Register with `t` a function of one argument that appends this argument to the log. A "
        "function that returns nothing leaves the gradient as it is.",
    ),
    variants=(
        Variant("a lambda", _lambda),
        Variant("the list's own method", _the_method_itself),
        Variant("a copy, with a print, and the handle returned", _clone_with_print),
        Variant("the same gradient returned", _returns_the_same),
        Variant("an object that can be called", _callable_object),
        Variant("extended by a list of one", _extended),
    ),
    suspicion=takes_other_arguments,
    place=4,
)

"""`detach-history`: a running loss that keeps every graph alive."""

from __future__ import annotations

import numpy as np

import autograd_core as torch
from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import signed


def running_loss(losses):
    """Run backward for each loss; return the means so far."""
    total, history = 0.0, []
    for loss in losses:
        loss.backward()
        total += loss.item()
        history.append(total / (len(history) + 1))
    return history


def _with_detach(losses):
    total = torch.zeros(())
    history = []
    for count, loss in enumerate(losses, start=1):
        loss.backward()
        total = total + loss.detach()
        history.append(total / count)
    print(history)
    return history


def _added_without_recording(losses):
    total: float = 0.0
    history: list[float] = []
    for loss in losses:
        loss.backward()
        with torch.no_grad():
            total = total + loss
            history.append((total / (len(history) + 1)).item())
    return history


def _numbers_first(losses):
    seen = []
    means = []
    for loss in losses:
        loss.backward()
        seen.append(float(loss.detach()))
        means.append(np.mean(seen))
    return means


def _update_of_the_mean(losses):
    mean = torch.tensor(0.0)
    history = []
    for i, loss in enumerate(losses):
        loss.backward()
        mean = mean + (loss.data - mean) / (i + 1)
        history.append(mean.clone())
    return history


def _one_by_one(losses):
    total = 0
    for number, loss in enumerate(losses, 1):
        loss.backward()
        total += loss.detach().numpy().copy()
        yield total / number


def _graph_still_there(losses):
    total, history = 0.0, []
    for loss in losses:
        loss.backward()
        total = total + loss.clone()
        history.append(total / (len(history) + 1))
    return history


def _only_entries_converted(losses):
    total, history = 0.0, []
    for loss in losses:
        loss.backward()
        total = total + loss
        history.append(total.item() / (len(history) + 1))
    return history


def _collected_first(losses):
    total, history = 0.0, []
    for loss in list(losses):
        loss.backward()
        total += loss.item()
        history.append(total / (len(history) + 1))
    return history


def _cut_before_backward(losses):
    total, history = 0.0, []
    for loss in losses:
        loss = loss.detach()
        loss.backward()
        total += loss.item()
        history.append(total / (len(history) + 1))
    return history


def _backward_dropped(losses):
    total, history = 0.0, []
    for loss in losses:
        total += loss.item()
        history.append(total / (len(history) + 1))
    return history


def _each_loss_alone(losses):
    history = []
    for loss in losses:
        loss.backward()
        history.append(loss.item())
    return history


def _sum_for_mean(losses):
    total, history = 0.0, []
    for loss in losses:
        loss.backward()
        total += loss.item()
        history.append(total)
    return history


def _divided_by_all(losses):
    total, history = 0.0, []
    for loss in losses:
        loss.backward()
        total += loss.item()
        history.append(total)
    return [each / len(history) for each in history]


def _last_mean_only(losses):
    total, count = 0.0, 0
    for loss in losses:
        loss.backward()
        total += loss.item()
        count += 1
    return total / count


def _nothing_returned(losses):
    total, history = 0.0, []
    for loss in losses:
        loss.backward()
        total += loss.item()
        history.append(total / (len(history) + 1))


def _one_tensor_for_all(losses):
    total, history = torch.zeros(()), []
    for loss in losses:
        loss.backward()
        total += loss.detach()
        history.append(total)
    return history


def numbers(running_loss, lab):
    """The means, and the gradient that the steps leave behind."""
    torch = lab.torch
    w = lab.tensor("w", requires_grad=True)
    batches = lab.value("batches")
    history = running_loss(((w * torch.tensor(batch)) ** 2).sum() for batch in batches)
    told = "one number" if hasattr(type(history), "__float__") else lab.kind_of(history)
    # Those can be gone through, too, but keep no order, or hand out something else.
    is_other = issubclass(type(history), (set, frozenset, dict, str))
    try:
        history = list(history)
    except TypeError:
        is_other = True
    lab.record("result", told if is_other else "a list")
    if is_other:
        return
    lab.record("number of entries", len(history))
    for number, entry in enumerate(history, 1):
        lab.record(f"mean after loss {number}", entry)
    lab.record("gradient of w", w.grad)


def graphs(running_loss, lab):
    """Whose graphs are still there, while the losses come and afterwards?"""
    import gc
    import weakref

    from graders.observe.hidden import hidden

    class Witness:
        pass

    torch = lab.torch
    w = lab.tensor("w", requires_grad=True)
    witnesses, alive, walked, in_order = [], [], [], []

    def still_there():
        # A loop's variable holds the latest loss, and whoever compares holds the one before it.
        return sum(each() is not None for each in witnesses[:-2])

    def a_loss(batch):
        loss = ((w * torch.tensor(batch)) ** 2).sum()
        witness = Witness()
        if loss.requires_grad:
            loss.register_hook(hidden(lambda gradient, witness=witness: walked.append(1)))
        witnesses.append(weakref.ref(witness))
        return loss

    def losses():
        for batch in lab.value("batches"):
            yield a_loss(batch)
            in_order.append(len(walked) == len(witnesses))
            alive.append(still_there())

    history = running_loss(losses())
    try:
        history = list(history)
    except TypeError:
        history = [history]
    lab.record("backward ran for each loss before the next loss came", all(in_order))
    recorded = [each for each in history if getattr(each, "requires_grad", False)]
    lab.record("some entries have a graph", bool(recorded))
    left = sum(each() is not None for each in witnesses)
    if left and not recorded:
        gc.collect()
        left = sum(each() is not None for each in witnesses)
    lab.record("graphs are still in memory at the end", left > 0)
    lab.record(
        "graphs of earlier steps were in memory while the losses came", max(alive, default=0) > 0
    )


def _batches(rng):
    return {"w": signed(rng, 2), "batches": [signed(rng, 2) for _ in range(5)]}


EXERCISE = Exercise(
    id="detach-history",
    lesson="06_detach",
    section="Graphs that nobody needs",
    title="The history that forgets nothing",
    symbol="running_loss",
    kind="repair",
    points=4,
    difficulty=2,
    minutes=4,
    task=(
        "`running_loss(losses)` gets the losses of the steps one after another, each with the "
        "graph that it was computed by. It calls `backward` on each and returns a list: after each "
        "step, the mean of the losses so far. The numbers are right, but every graph stays in "
        "memory. Fix it, so that the graph of a step can be freed once the next step is done. (You "
        "can iterate over the losses only once, with `for`.)"
    ),
    starter='''\
def running_loss(losses):
    """Run backward for each loss; return the means so far."""
    total, history = 0.0, []
    for loss in losses:
        loss.backward()
        total = total + loss
        history.append(total / (len(history) + 1))
    return history
''',
    reference=running_loss,
    checks=(
        Check(
            "the numbers",
            1,
            numbers,
            _batches,
            passes="The means are right, and so are the gradients.",
            fails="The means or the gradients are no longer right.",
        ),
        Check(
            "the graphs",
            3,
            graphs,
            _batches,
            passes="No graph outlives its step.",
            fails="Some graphs outlive their step.",
            after=("the numbers",),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "graph-still-there",
            "The entries of your history still lead back to all losses before them. Anything "
            "computed from a tensor with a history, even a copy or a sum, has a history too.",
            _graph_still_there,
        ),
        Misconception(
            "only-entries-converted",
            "The entries of your history have no graph, but the losses live on in what you add up "
            "or collect. Each of them keeps its graph there until the loop ends.",
            _only_entries_converted,
        ),
        Misconception(
            "collected-first",
            "You collect all losses before the first call of `backward`. So all their graphs are "
            "in memory at the same time.",
            _collected_first,
        ),
        Misconception(
            "cut-before-backward",
            "When `backward` is called, the loss has no history: it was cut off, or never "
            "recorded. The cut comes too early.",
            _cut_before_backward,
        ),
        Misconception(
            "backward-dropped",
            "No graph is kept, but no gradient arrives either. `backward` has to be called on "
            "each loss.",
            _backward_dropped,
        ),
        Misconception(
            "each-loss-alone",
            "Each of your entries is a single loss. It should be the mean of all losses so far.",
            _each_loss_alone,
        ),
        Misconception(
            "sum-for-mean",
            "Each of your entries is the sum of the losses so far. It should be their mean.",
            _sum_for_mean,
        ),
        Misconception(
            "divided-by-all",
            "You divide by the number of all losses. After each step, divide by the number of "
            "losses so far.",
            _divided_by_all,
        ),
        Misconception(
            "last-mean-only",
            "You return one number. There should be one for each step.",
            _last_mean_only,
        ),
        Misconception(
            "nothing-returned",
            "Your function returns nothing. It should return its history at the end.",
            _nothing_returned,
        ),
        Misconception(
            "one-tensor-for-all",
            "All entries of your history are the same tensor, which is changed in place in each "
            "step. So they all show the last sum.",
            _one_tensor_for_all,
        ),
    ),
    hints=(
        "Print the last entry of the history. What does it show besides its value?",
        "Two things outlive a step: the entries of the history and the running total. Look at "
        "both.",
        "What is added to the total should be a number, or a tensor without history. But backward "
        "still needs that history, so mind the order.",
    ),
    variants=(
        Variant("detached tensors, with a print", _with_detach),
        Variant("added without recording", _added_without_recording),
        Variant("a mean of numbers each time", _numbers_first),
        Variant("the mean updated", _update_of_the_mean),
        Variant("a generator", _one_by_one),
    ),
    place=7,
)

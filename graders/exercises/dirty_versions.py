"""`dirty-versions`: whose change is counted where?"""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import keys
from graders.observe import scenarios

TRUTH = {"a": 3, "view": 3, "detached": 3, "copy": 1, "data": 1, "double": 0}


EXERCISE = Exercise(
    id="dirty-versions",
    lesson="08_mark_dirty",
    section="Memory counts its changes",
    title="Six names, how many counters?",
    symbol="versions",
    kind="predict",
    points=3,
    difficulty=2,
    minutes=4,
    task=(
        "Before you run anything, read this program:\n\n"
        "```python\n"
        "a = torch.tensor([1.0, 2.0, 3.0])\n"
        "view = a[:2]\n"
        "detached = a.detach()\n"
        "copy = a.clone()\n"
        "data = a.data\n"
        "view.add_(1)\n"
        "detached.mul_(2)\n"
        "detached.sub_(1)\n"
        "copy.add_(1)\n"
        "data.add_(1)\n"
        "double = a * 2\n"
        "```\n\n"
        "For each name write the number that its `_version` shows at the end."
    ),
    starter="""\
versions = {
    "a": None,
    "view": None,
    "detached": None,
    "copy": None,
    "data": None,
    "double": None,
}
""",
    reference=TRUTH,
    checks=(
        Check(
            "one memory, several names",
            2,
            scenarios.entries,
            keys("a", "view", "detached"),
            passes="Your answers for `a`, `view` and `detached` are right.",
            fails="At least one of your answers for `a`, `view` and `detached` is wrong.",
        ),
        Check(
            "a memory of its own",
            1,
            scenarios.entries,
            keys("copy", "double"),
            passes="Your answers for `copy` and `double` are right.",
            fails="At least one of your answers for `copy` and `double` is wrong.",
        ),
        Check(
            "the same memory behind the back",
            1,
            scenarios.entries,
            keys("data"),
            passes="Your answer for `data` is right.",
            fails="Your answer for `data` is not right.",
        ),
    ),
    misconceptions=(
        Misconception(
            "nothing-is-counted",
            "You expect no counter to go up. Each in-place change is counted somewhere: ask which "
            "memory it changes, and through which name.",
            dict.fromkeys(TRUTH, 0),
            whole=True,
        ),
        Misconception(
            "making-counts",
            "You counted the making of each tensor as its first change. A counter starts at zero "
            "when memory is made.",
            {name: count + 1 for name, count in TRUTH.items()},
        ),
        Misconception(
            "one-counter-for-all",
            "You counted all five changes for names that do not share them all. A clone has memory "
            "of its own, and a change through `.data` is not counted for the others.",
            dict.fromkeys(TRUTH, 5) | {"double": 0},
        ),
        Misconception(
            "detach-and-data-swapped",
            "You have swapped `detach` and `.data`. Both share the memory of their source; ask "
            "which of them shares its counter too.",
            {"a": 2, "view": 2, "detached": 2, "copy": 1, "data": 2, "double": 0},
        ),
        Misconception(
            "counted-per-name",
            "For each name you counted the changes made through it. The counter belongs to the "
            "memory, and several names may share one memory.",
            TRUTH | {"a": 0, "view": 1, "detached": 2},
        ),
        Misconception(
            "detach-starts-anew",
            "You expect `detach` to give a new counter. It cuts off the history, but memory and "
            "counter stay shared.",
            TRUTH | {"a": 1, "view": 1, "detached": 2},
        ),
        Misconception(
            "views-count-alone",
            "You expect a view to have its own counter. A view shares the memory, and the counter "
            "with it.",
            TRUTH | {"a": 2, "view": 1, "detached": 2},
        ),
        Misconception(
            "view-shows-its-own-changes",
            "You expect a view to show only the changes made through it. It shows the counter of "
            "its memory, through whatever name that is changed.",
            TRUTH | {"view": 1},
        ),
        Misconception(
            "detached-shows-its-own-changes",
            "You expect a detached tensor to show only the changes made through it. It shows the "
            "counter of its memory, through whatever name that is changed.",
            TRUTH | {"detached": 2},
        ),
        Misconception(
            "data-counts-too",
            "You expect a change through `.data` to be counted for all names. It changes the "
            "shared memory, but not the counter that the other names share.",
            dict.fromkeys(TRUTH, 4) | {"copy": 1, "double": 0},
        ),
        Misconception(
            "data-shares-the-counter",
            "You expect `.data` to show the counter of its source. It shares the memory, but has "
            "a counter of its own that starts at zero.",
            TRUTH | {"data": 3},
        ),
        Misconception(
            "data-does-not-count",
            "You expect changes through `.data` not to be counted at all. `.data` has a counter, "
            "just not the one that the other names share.",
            TRUTH | {"data": 0},
        ),
        Misconception(
            "clone-shares",
            "You expect a clone to share the counter of its source. A clone has its own memory, "
            "and a counter that starts when it is made.",
            dict.fromkeys(TRUTH, 4) | {"data": 1, "double": 0},
        ),
        Misconception(
            "copies-take-the-count-along",
            "You expect the result of an operation to start with the count of its input. New "
            "memory starts with a new count.",
            TRUTH | {"double": 3},
        ),
        Misconception(
            "reading-counts",
            "You counted one change too many for the memory of `a`. Reading it for `double` does "
            "not change it, and a change through `.data` is counted elsewhere.",
            TRUTH | {"a": 4, "view": 4, "detached": 4},
        ),
        Misconception(
            "every-operation-counts",
            "You counted the operation that makes a tensor as its first change. A counter starts "
            "at zero when the tensor is made, and counts later changes.",
            TRUTH | {"copy": 2, "double": 1},
        ),
    ),
    variants=(
        Variant("floats", {key: float(count) for key, count in TRUTH.items()}),
        Variant("more keys than asked for", {**TRUTH, "note": "a, view and detached are one"}),
    ),
    hints=(
        "First ask how many separate memories there are, and only then which counter each name "
        "shows.",
        "A view and a detached tensor share the memory that they come from, and its counter. A "
        "clone and the result of an operation have both for themselves.",
        "Write down the memories in a column, put each of the five changes next to the memory "
        "that it changes, and count. Only `.data` is special: the same memory, but a second "
        "counter, which starts when `.data` is read.",
    ),
    place=5,
)

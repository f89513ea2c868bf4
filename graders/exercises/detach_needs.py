"""`detach-needs`: six purposes, and what each of them takes: a cut, a copy, or both."""

from __future__ import annotations

from collections.abc import Iterator

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import keys
from graders.observe import scenarios

PURPOSES = {
    "target": (
        "detach",
        "The output of a second network is the target of a loss. It is only read, and no gradient "
        "should flow into that network.",
    ),
    "before": (
        "both",
        "The weights as they are now are kept, to measure later how far training has moved them.",
    ),
    "masked": (
        "clone",
        "`h = x.exp()` is needed once as it is, and once with its first element set to 0 in "
        "place. Gradients should reach `x` through both.",
    ),
    "array": (
        "detach",
        "The values of a weight that requires grad are converted with `numpy()` and plotted. "
        "Nothing changes them in the meantime.",
    ),
    "twin": (
        "both",
        "A second parameter starts with the same numbers and then learns on its own. "
        "(`requires_grad_()` is called on it afterwards.)",
    ),
    "noisy": (
        "clone",
        "A layer's output is needed unchanged, and once more with noise added in place. The layer "
        "learns from both.",
    ),
}

TRUTH = {key: tool for key, (tool, _) in PURPOSES.items()}

IDEAS = {
    ("both", "detach"): (
        "detach-copies",
        "You expect `detach` to preserve the numbers as they are now. It shares the memory, so "
        "every in-place change of the original changes it too.",
    ),
    ("both", "clone"): (
        "clone-cuts",
        "You expect `clone` to leave the history behind. It is a recorded operation like any "
        "other, and gradients flow back through it.",
    ),
    ("detach", "clone"): (
        "clone-stops-gradients",
        "You expect `clone` to stop gradients or to drop `requires_grad`. It is recorded, so it "
        "does neither; and nothing is changed here that would make a copy necessary.",
    ),
    ("detach", "both"): (
        "copies-to-be-safe",
        "That works, but it copies values that nothing changes. Ask what the copy would protect "
        "them from.",
    ),
    ("clone", "detach"): (
        "detach-permits-changes",
        "You expect that a detached tensor can be changed without consequences. The change "
        "reaches memory that is still needed, and the gradients that you want are cut off.",
    ),
    ("clone", "both"): (
        "gradient-lost",
        "The memory is safe that way, but some of the gradients that you want are cut off. Ask "
        "whether gradients should flow back through this tensor.",
    ),
}


OTHER_WORDS = {
    "detach": (),
    "clone": (),
    "both": tuple(
        f"{one}-{between}{other}"
        for one, other in (("detach", "clone"), ("clone", "detach"))
        for between in ("", "and-", "then-")
    ),
}


def _check(name: str, *purposes: str) -> Check:
    named = " and ".join(f"`{each}`" for each in purposes)
    return Check(
        name,
        1,
        scenarios.entries,
        keys(*purposes, **OTHER_WORDS),
        passes=f"Your answers for {named} are right.",
        fails=f"At least one of your answers for {named} is wrong.",
    )


def _ideas() -> Iterator[Misconception]:
    """Each idea wherever it applies, and then for each purpose alone."""
    for (needed, chosen), (id, says) in IDEAS.items():
        keys = [key for key, tool in TRUTH.items() if tool == needed]
        yield Misconception(id, says, TRUTH | dict.fromkeys(keys, chosen))
        for key in keys:
            yield Misconception(
                f"{id}-{key}", f"For `{key}`: {_small(says)}", TRUTH | {key: chosen}
            )


def _small(text: str) -> str:
    return text[0].lower() + text[1:]


STARTER = "needs = {\n" + "".join(f'    "{key}": None,\n' for key in PURPOSES) + "}\n"
TASK = (
    'For each purpose choose the least that does the job: `"detach"`, `"clone"`, or `"both"`, '
    "which stands for `detach().clone()`.\n\n"
)

EXERCISE = Exercise(
    id="detach-needs",
    lesson="06_detach",
    section="Three ways to a second tensor",
    title="A cut, a copy, or both?",
    symbol="needs",
    kind="explain",
    points=3,
    difficulty=2,
    minutes=4,
    task=TASK + "\n".join(f"- `{key}`: {words}" for key, (_, words) in PURPOSES.items()),
    starter=STARTER,
    reference=TRUTH,
    checks=(
        _check("in a loss", "target", "noisy"),
        _check("for later", "before", "twin"),
        _check("to read or to change", "masked", "array"),
    ),
    misconceptions=(
        Misconception(
            "detach-for-everything",
            "You chose `detach` everywhere. It cuts off the history, but it gives no protection "
            "where values are changed in place.",
            dict.fromkeys(TRUTH, "detach"),
            whole=True,
        ),
        Misconception(
            "clone-for-everything",
            "You chose `clone` everywhere. It copies the memory, but it does not stop a gradient "
            "where none should flow.",
            dict.fromkeys(TRUTH, "clone"),
            whole=True,
        ),
        Misconception(
            "both-for-everything",
            "You chose both everywhere, to be on the safe side. That copies values that nothing "
            "changes, and it cuts off gradients that are wanted.",
            dict.fromkeys(TRUTH, "both"),
            whole=True,
        ),
        *_ideas(),
    ),
    hints=(
        "Ask two questions of each purpose: should gradients flow back through the second tensor, "
        "and is one of the two changed in place while the other is still needed?",
        "A cut answers the first question, a copy the second. Neither can do the work of the "
        "other.",
        "Optimisers change weights in place, so values that should outlive a step need memory of "
        "their own. Values that are only read need none. And where gradients are wanted, nothing "
        "may be cut.",
    ),
    variants=(
        Variant("written as calls", {key: f"{tool}()" for key, tool in TRUTH.items()}),
        Variant("both spelled out", TRUTH | {"before": "detach().clone()", "twin": "clone+detach"}),
        Variant("more keys than asked for", {**TRUTH, "why": "memory and history"}),
    ),
    place=3,
)

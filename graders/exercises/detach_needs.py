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
        "shall flow into that network.",
    ),
    "before": (
        "both",
        "The weights as they are now, to measure later how far training has moved them.",
    ),
    "masked": (
        "clone",
        "`h = x.exp()` is needed once as it is, and once with its first element set to 0 in place. "
        "Gradients shall reach `x` through both.",
    ),
    "array": (
        "detach",
        "The values of a weight that requires grad are plotted by way of `numpy()`. Nobody changes "
        "them meanwhile.",
    ),
    "twin": (
        "both",
        "A second parameter begins with the same numbers and then learns on its own. (It is asked "
        "to require grad afterwards.)",
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
        "You expect `detach` to keep the numbers as they are. It shares the memory, so what "
        "changes the source changes it too.",
    ),
    ("both", "clone"): (
        "clone-cuts",
        "You expect `clone` to leave the history behind. A copy is a recorded operation like any "
        "other, and gradients flow back through it.",
    ),
    ("detach", "clone"): (
        "clone-stops-gradients",
        "You expect a copy to stop gradients, or to be free of `requires_grad`. It is recorded, "
        "so it is neither; and here nothing changes that a copy would protect.",
    ),
    ("detach", "both"): (
        "copies-to-be-safe",
        "That works, but it copies what nobody changes. Ask what a copy would protect from here.",
    ),
    ("clone", "detach"): (
        "detach-permits-changes",
        "You expect that a detached tensor may be changed freely. The change reaches the memory "
        "that is still needed, and the gradients that are wanted are cut off.",
    ),
    ("clone", "both"): (
        "gradient-lost",
        "The memory is safe that way, but part of what should be learned is cut off. Ask whether "
        "gradients are to flow back through this tensor.",
    ),
}


OTHER_WORDS = {
    "detach": ("detach()",),
    "clone": ("clone()",),
    "both": (
        "both()",
        *(
            f"{one}{call}{between}{other}{call}"
            for one, other in (("detach", "clone"), ("clone", "detach"))
            for call in ("", "()")
            for between in (".", "+", "-+-", ",", ",-", "-and-", "-then-")
        ),
    ),
}


def _check(name: str, *purposes: str) -> Check:
    return Check(
        name,
        1,
        scenarios.entries,
        keys(*purposes, **OTHER_WORDS),
        passes=f"Your answers for {' and '.join(purposes)} are right.",
        fails=f"Not both of {' and '.join(purposes)} are right.",
    )


def _ideas() -> Iterator[Misconception]:
    """Each idea wherever it applies, and then for each purpose alone."""
    for (needed, chosen), (id, says) in IDEAS.items():
        keys = [key for key, tool in TRUTH.items() if tool == needed]
        yield Misconception(id, says, TRUTH | dict.fromkeys(keys, chosen))
        for key in keys:
            yield Misconception(f"{id}-{key}", f"For {key}: {_small(says)}", TRUTH | {key: chosen})


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
            "You chose `detach` everywhere. It cuts the history, and where something will be "
            "changed in place a cut does not help.",
            dict.fromkeys(TRUTH, "detach"),
        ),
        Misconception(
            "clone-for-everything",
            "You chose `clone` everywhere. It copies the memory, and where no gradient should "
            "flow, a copy does not help.",
            dict.fromkeys(TRUTH, "clone"),
        ),
        Misconception(
            "both-for-everything",
            "You chose both everywhere, to be on the safe side. That copies what nobody changes, "
            "and it cuts off what should learn.",
            dict.fromkeys(TRUTH, "both"),
        ),
        *_ideas(),
    ),
    hints=(
        "Ask two questions of each purpose: may gradients flow back through it, and will anybody "
        "change the values in place while the others are needed?",
        "A cut answers the first question, a copy answers the second. Neither does the work of the "
        "other.",
        "Optimisers change weights in place, so what should outlive a step needs memory of its "
        "own. What is only read needs none. And where something is to learn, nothing may be cut.",
    ),
    variants=(
        Variant("written as calls", {key: f"{tool}()" for key, tool in TRUTH.items()}),
        Variant("both spelled out", TRUTH | {"before": "detach().clone()", "twin": "clone+detach"}),
        Variant("more keys than asked for", {**TRUTH, "why": "memory and history"}),
    ),
    place=3,
)

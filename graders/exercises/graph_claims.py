"""`graph-claims`: what is true of the two modes, of sweeps, digits and cuts?"""

from __future__ import annotations

from graders.exercise import Exercise, Misconception, Variant
from graders.exercises._statements import theme

CLAIMS = {
    "a": (
        False,
        "Forward mode, like reverse mode, has to keep all intermediate values until the end.",
        "A tangent is computed next to its value; ask what is still needed once both are known.",
    ),
    "b": (
        True,
        "A tangent of zero says that an input is held fixed during this sweep.",
        "A tangent is a speed, and in each sweep only one input moves.",
    ),
    "c": (
        True,
        "One reverse sweep gives the derivatives of one output with respect to all inputs.",
        "Count the derivatives that were known after the sweep by hand.",
    ),
    "d": (
        False,
        "With one input and a thousand outputs, reverse mode takes fewer sweeps than forward mode.",
        "Ask of each mode where a sweep starts, and how many such places there are here.",
    ),
    "e": (
        False,
        "The node of y1 is visited once for each path that leads back to it.",
        "The hooks of the lesson have counted the visits.",
    ),
    "f": (
        False,
        "The gradients depend on whether backward visits y2 or y3 first.",
        "What arrives at y1 is added up, and a sum does not depend on the order of its terms.",
    ),
    "g": (
        False,
        "The engine's last digits differ from those by hand because it takes small steps.",
        "The engine applies the derivative of each operation, as you did by hand.",
    ),
    "h": (
        True,
        "In float64, the engine's dz/dx1 is the number found by hand, to the last digit.",
        "A cell of the lesson compares the two.",
    ),
    "i": (
        True,
        "If y1 is detached before the logarithm, z keeps its value and loses one path back.",
        "Detaching is about the history of a tensor; ask what it does to the value.",
    ),
    "j": (
        False,
        "`make_dot` draws a detached branch, too, but without the edges that lead back.",
        "Only what was recorded is drawn.",
    ),
}

TRUTH = {key: holds for key, (holds, _, _) in CLAIMS.items()}


def _one_wrong(key: str) -> Misconception:
    holds, _, why = CLAIMS[key]
    verdict = "false" if holds else "true"
    return Misconception(
        f"wrong-about-{key}", f"You call sentence {key} {verdict}. {why}", TRUTH | {key: not holds}
    )


EXERCISE = Exercise(
    id="graph-claims",
    lesson="01_computation_graph",
    section="What the document says",
    title="True or false?",
    symbol="verdicts",
    kind="explain",
    points=5,
    difficulty=2,
    minutes=3,
    task=(
        "Which of these sentences hold? Write `True` or `False` for each. y1, y2, y3 and z are "
        "those of the document's function. You get points for each pair, a and b, c and "
        "d, and so on, in which both are right.\n\n"
        + "\n".join(f"- `{key}`: {claim}" for key, (_, claim, _) in CLAIMS.items())
    ),
    starter="verdicts = {\n" + "".join(f'    "{key}": None,\n' for key in CLAIMS) + "}\n",
    reference=TRUTH,
    checks=(
        theme("forward mode", "forward mode", "ab"),
        theme("sweeps", "sweeps", "cd"),
        theme("visits", "visits", "ef"),
        theme("digits", "the digits", "gh"),
        theme("cuts", "branches that are cut off", "ij"),
    ),
    misconceptions=(
        Misconception(
            "believes-everything",
            "You call every sentence true, although cells of the lesson show that several are not. "
            "Compare each sentence with the cell that it is about.",
            dict.fromkeys(TRUTH, True),
            whole=True,
        ),
        Misconception(
            "believes-nothing",
            "You call every sentence false, although cells of the lesson show that several are "
            "true. Compare each sentence with the cell that it is about.",
            dict.fromkeys(TRUTH, False),
            whole=True,
        ),
        Misconception(
            "everything-turned-round",
            "Each of your verdicts is the opposite of what holds, so you can tell the sentences "
            "apart. Check whether you have swapped `True` and `False`.",
            {key: not holds for key, holds in TRUTH.items()},
        ),
        *(_one_wrong(key) for key in CLAIMS),
    ),
    hints=(
        "For nearly every sentence there is a cell above that decides it.",
        "For sweeps, ask where a sweep starts and which derivatives it ends with. For visits, look "
        "at what the hooks have counted. For digits, compare the two precisions.",
        "Take the sentences in pairs, find the cell for each, and say what would have to be "
        "printed there if the sentence were true.",
    ),
    variants=(
        Variant("zeros and ones", {key: int(holds) for key, holds in TRUTH.items()}),
        Variant("more keys than asked for", {**TRUTH, "note": "I tried them all"}),
    ),
    place=7,
)

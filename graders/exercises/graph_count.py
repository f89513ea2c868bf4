"""`graph-count`: how many sweeps does a whole Jacobian take?"""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import keys
from graders.observe import scenarios


def _passes(forward: int, reverse: int) -> dict[str, int]:
    return {"forward": forward, "reverse": reverse}


EXERCISE = Exercise(
    id="graph-count",
    lesson="01_computation_graph",
    section="How many sweeps?",
    title="Three inputs, two outputs",
    symbol="passes",
    kind="predict",
    points=2,
    difficulty=1,
    minutes=2,
    task=(
        "A function has three inputs and two outputs. You need all of its derivatives, of each "
        "output with respect to each input, at one point. How many sweeps does that take in "
        "forward mode, and how many in reverse mode? (Evaluating the function is not counted.)"
    ),
    starter="""\
passes = {
    "forward": None,
    "reverse": None,
}
""",
    reference=_passes(3, 2),
    checks=(
        Check(
            "forward mode",
            1,
            scenarios.entries,
            keys("forward"),
            passes="Your number for forward mode is right.",
            fails="Your number for forward mode is not right.",
        ),
        Check(
            "reverse mode",
            1,
            scenarios.entries,
            keys("reverse"),
            passes="Your number for reverse mode is right.",
            fails="Your number for reverse mode is not right.",
        ),
    ),
    misconceptions=(
        Misconception(
            "swapped",
            "You have swapped the two modes. Ask of each where a sweep starts, and how many places "
            "there are to start from.",
            _passes(2, 3),
        ),
        Misconception(
            "one-reverse-sweep-gives-all",
            "You expect one reverse sweep to give everything. It does when there is a single "
            "output; each reverse sweep starts from one output and finds the derivatives of that "
            "one only.",
            _passes(3, 1),
        ),
        Misconception(
            "one-sweep-always",
            "You expect one sweep to be enough in either mode. A sweep carries a single number "
            "through each step, so it answers for one starting point.",
            _passes(1, 1),
        ),
        Misconception(
            "one-forward-sweep-gives-all",
            "You expect one forward sweep to give everything. In it, one input moves while the "
            "others are held fixed, so it finds the derivatives with respect to that one only.",
            _passes(1, 2),
        ),
        Misconception(
            "one-sweep-for-each-derivative",
            "You count a sweep for each single derivative. A sweep goes through the whole graph, "
            "and more than one derivative is known at its end.",
            _passes(6, 6),
        ),
        Misconception(
            "counts-inputs-only",
            "For reverse mode you give the number of inputs. That is where its sweeps arrive; ask "
            "where each of them starts.",
            _passes(3, 3),
        ),
        Misconception(
            "counts-outputs-only",
            "For forward mode you give the number of outputs. That is where its sweeps arrive; ask "
            "where each of them starts.",
            _passes(2, 2),
        ),
        Misconception(
            "forward-one-at-a-time",
            "In forward mode you count a sweep for each single derivative. With one input moving, "
            "a sweep reaches all outputs and tells how each of them moves.",
            _passes(6, 2),
        ),
        Misconception(
            "reverse-one-at-a-time",
            "In reverse mode you count a sweep for each single derivative. A sweep back from one "
            "output reaches all inputs.",
            _passes(3, 6),
        ),
        Misconception(
            "forward-each-reverse-once",
            "You count a sweep for each derivative forward, and a single one back. Neither fits: "
            "ask where a sweep starts and what it reaches from there.",
            _passes(6, 1),
        ),
    ),
    variants=(
        Variant("decimals", {"forward": 3.0, "reverse": 2.0}),
        Variant("more keys than asked for", {"reverse": 2, "forward": 3, "why": "rows, columns"}),
    ),
    hints=(
        "In the lesson's example, how many derivatives were known after one sweep in each mode?",
        "A forward sweep starts from one input and reaches every output. A reverse sweep starts "
        "from one output and reaches every input.",
        "So count, for each mode, the places from which a sweep has to start until every pair of "
        "input and output has been met.",
    ),
    place=6,
)

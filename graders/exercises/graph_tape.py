"""`graph-tape`: a sweep back over any recorded graph, to be mended."""

from __future__ import annotations

from collections.abc import Sequence

from graders.exercise import Check, Exercise, Misconception, Remark, Variant, noted
from graders.exercises import _tape_sweeps as sweeps
from graders.inputs import signed
from graders.judging.diagnosis import EXCEPTION, Deviation
from graders.observe.codec import ErrorData

NO_SUCH_NAME = (
    "A `KeyError` names a key that the dict does not have: what is in yours for a name where "
    "nothing has arrived yet?"
)


def _no_such_name(deviations: Sequence[Deviation]) -> str:
    ended = [each.observed for each in deviations if each.record == EXCEPTION]
    missed = any(isinstance(each, ErrorData) and each.type == "KeyError" for each in ended)
    return NO_SUCH_NAME if missed else ""


def sweep(function, lab):
    """Hand over the tapes that `tapes` names, and look at the number that each name gets.

    A step is gone through when its sources are, or, in a copy of the tape, when one of its slopes
    is multiplied by something. What counts either is called by the name of what it stands for.
    """
    from collections import Counter

    from graders.observe.hidden import hidden

    times = Counter()

    def multiply(slope, other):
        times[id(slope)] += 1
        # What else there is may have slopes in it: it knows how to be multiplied.
        is_number = issubclass(type(other), int | float)
        return float(slope) * float(other) if is_number else NotImplemented

    def begin(sources):
        times[id(sources)] += 1
        if times[id(sources)] > 5_000:
            raise RuntimeError("the walk comes to the same step again and again, without end")
        return list.__iter__(sources)

    class Watched(list):
        """A step's sources, of which it is known how often they were gone through."""

        __iter__ = hidden(begin)

    class Slope(float):
        """A slope of which it is known how often it was multiplied by something."""

        __mul__ = __rmul__ = hidden(multiply)

    Watched.__name__, Slope.__name__ = "list", "float"
    p, q, r, s, t, u = (float(slope) for slope in lab.value("slopes"))
    ladder = [(f"v{n + 1}", [(f"v{n}", 0.5), (f"v{n}", 1.0)]) for n in range(10)]
    tapes = {
        "a chain": [("y", [("x", p)]), ("z", [("y", q)])],
        "two inputs": [("y", [("x", p), ("w", q)]), ("z", [("y", r)])],
        "the diamond": [
            ("y", [("x", p)]),
            ("a", [("y", q)]),
            ("b", [("y", r)]),
            ("z", [("a", s), ("b", t)]),
        ],
        "the lesson's function": [
            ("y1", [("x1", p), ("x2", q)]),
            ("y2", [("y1", r)]),
            ("y3", [("y1", s)]),
            ("z", [("y2", t), ("y3", u)]),
        ],
        "a short way and a long one": [
            ("y", [("x", p)]),
            ("a", [("y", q)]),
            ("b", [("a", r)]),
            ("z", [("y", s), ("b", t)]),
            ("end", [("x", u), ("z", p)]),
        ],
        "a square": [("y", [("x", p)]), ("z", [("y", q), ("y", q)])],
        "ten doublings": ladder,
    }
    for title in lab.value("tapes"):
        times.clear()
        many = title == "ten doublings"
        tape = [
            (name, Watched((each, Slope(slope) if many else slope) for each, slope in sources))
            for name, sources in tapes[title]
        ]
        watched = [sources for _, sources in tape]
        watched += [slope for sources in watched for _, slope in list.__iter__(sources)]
        grads = function(tape)
        is_dict = issubclass(type(grads), dict)
        lab.record(f"{title}: result", "a dict" if is_dict else lab.kind_of(grads))
        names = {source for _, sources in tapes[title] for source, _ in sources}
        wanted = sorted(names | {tapes[title][-1][0]}) if is_dict else []
        again = max(times[id(sources)] for sources in watched) > 100
        if many:
            # In one record: how often is a question only where the numbers are right.
            told = [dict.get(grads, name) for name in wanted]
            told = [float(each) if type(each) is Slope else each for each in told]
            lab.record("numbers, and whether a step was visited many times", [*told, again])
            continue
        found = [name for name in wanted if dict.__contains__(grads, name)]
        lab.record(f"{title}: list of its names", ", ".join(found))
        for name in found:
            lab.record(f"{title}: number for {name}", dict.get(grads, name))
        if [name for name, _ in tape] != [name for name, _ in tapes[title]]:
            lab.note(f"{title}: changed", True)


def _tapes(*names: str):
    return lambda rng: {"tapes": list(names), "slopes": signed(rng, 6)}


EXERCISE = Exercise(
    id="graph-tape",
    lesson="01_computation_graph",
    section="In which order backward visits",
    title="Repair the sweep back",
    symbol="sweep_back",
    kind="repair",
    points=5,
    difficulty=3,
    minutes=5,
    task=(
        "A *tape* lists the steps of a computation in the order in which they were computed. Each "
        "step is a name and its sources, each with its slope. This is the diamond from above:\n\n"
        "```python\n"
        'tape = [\n    ("y", [("x", 3.0)]),\n    ("a", [("y", 2.0)]),\n    ("b", [("y", 5.0)]),\n'
        '    ("z", [("a", 1.0), ("b", 1.0)]),\n]\n'
        "```\n\n"
        "`sweep_back(tape)` should return a dict that says for each name how much the last value "
        "moves with it. It runs, but where paths meet it is wrong. Repair it, so that it also goes "
        "through each step only once. (Every value on the tape is used, except the last.)"
    ),
    starter='''\
def sweep_back(tape):
    """Return for each value how much the last one moves with it."""
    steps = dict(tape)
    last, _ = tape[-1]
    grads = {last: 1.0}
    waiting = [last]
    while waiting:
        name = waiting.pop()
        for source, slope in steps.get(name, []):
            grads[source] = grads[name] * slope
            waiting.append(source)
    return grads
''',
    reference=sweeps.sweep_back,
    checks=(
        Check(
            "chains",
            1,
            sweep,
            _tapes("a chain", "two inputs"),
            passes="Where no paths meet, the numbers are right.",
            fails="Even where no paths meet, the numbers are not right.",
            after=("diamonds",),
        ),
        Check(
            "diamonds",
            3,
            sweep,
            _tapes(
                "the diamond", "the lesson's function", "a short way and a long one", "a square"
            ),
            passes="Where paths meet, the numbers are right.",
            fails="Where paths meet, the numbers are not right.",
        ),
        Check(
            "many ways",
            1,
            sweep,
            _tapes("ten doublings"),
            passes="Each step is gone through only once.",
            fails="With many paths, the sweep is not right.",
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "overwrites",
            "Where two paths meet, you let what arrives second overwrite what came first. Both "
            "move the result, and both count.",
            sweeps.overwriting,
        ),
        Misconception(
            "overwrites-on-every-way",
            "Where two paths meet, you still let what arrives second overwrite what came first. "
            "Both move the result, and both count.",
            sweeps.overwriting_on_the_walk,
        ),
        Misconception(
            "overwrites-row-by-row",
            "You changed the order of the visits, but where two paths meet, what arrives second "
            "still overwrites what came first. Both move the result, and both count.",
            sweeps.overwriting_in_rows,
        ),
        Misconception(
            "first-one-wins",
            "Where two paths meet, you keep only what arrives first. Both move the result, and "
            "both count.",
            sweeps.first_one_wins,
        ),
        Misconception(
            "pushes-partial-sums",
            "Your sweep adds, but it visits a meeting point as soon as something arrives, and "
            "passes on everything that is there so far. So what came first is passed on more than "
            "once.",
            sweeps.pushing_partial_sums,
        ),
        Misconception(
            "pushes-the-sum-repeatedly",
            "Your sweep adds, but it visits a meeting point once for each arrival, and passes on "
            "the same sum each time.",
            sweeps.pushing_partial_sums_in_rows,
        ),
        Misconception(
            "does-not-wait",
            "Your sweep visits each name once, but sometimes too early. What arrives there "
            "afterwards is added but never passed on.",
            sweeps.not_waiting,
        ),
        Misconception(
            "does-not-wait-for-long-ways",
            "Your sweep visits each name once, the nearest first. What comes along a longer path "
            "arrives after the visit and is never passed on.",
            sweeps.not_waiting_in_rows,
        ),
        Misconception(
            "from-the-front",
            "Your sweep goes through the tape in the order of computation. When a step is visited, "
            "nothing has arrived there yet.",
            sweeps.from_the_front,
        ),
        Misconception(
            "multiplies-at-meetings",
            "Where two paths meet, you multiply. Slopes are multiplied along one path; think about "
            "how two separate paths combine.",
            sweeps.multiplying_at_meetings,
        ),
        Misconception(
            "without-slopes",
            "You pass on what arrives as it is. Each step has a slope, which you leave out.",
            sweeps.without_slopes,
        ),
        Misconception(
            "one-entry-for-each-name",
            "You keep only one entry for each source of a step. A step may name the same source "
            "more than once, as a square does.",
            sweeps.one_entry_for_each_name,
        ),
        Misconception(
            "walks-every-way",
            "Your numbers are right, but you follow each path separately to its end. With every "
            "diamond the number of paths doubles, unless you wait where they meet.",
            sweeps.every_way,
        ),
    ),
    hints=(
        "Run it on the diamond, and print each name when it is visited, together with what has "
        "arrived there by then.",
        "Two things have to change: what happens when a second number arrives, and when a name is "
        "visited, which must wait until nothing more can arrive there.",
        "The tape itself gives you a good order: whatever uses a value was computed after it. So "
        "from which end do you read it?",
    ),
    remarks=(
        Remark(
            "changes-the-tape",
            "Your sweep changes the tape that it is given. Code that uses the same tape again no "
            "longer finds all of its steps.",
            noted("changed"),
        ),
    ),
    variants=(
        Variant("counting who still has to come", sweeps.counting_users),
        Variant("a defaultdict and indices", sweeps.with_a_defaultdict),
        Variant("each name asks those who use it", sweeps.asking_the_users),
        Variant("the tape used up", sweeps.using_up_the_tape),
    ),
    suspicion=_no_such_name,
    place=5,
)

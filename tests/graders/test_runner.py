import json
from pathlib import Path

import pytest

from graders import runner
from graders.answer import limit_told_by
from graders.exercise import PRELUDE, all_exercises, exercises_of, load, source_of
from graders.isolation import Limits, choose
from graders.reading.cells import Cell
from graders.reading.magics import runnable
from graders.reading.submissions import Submission
from graders.runner import grade_submission
from graders.verdict import StudentError
from tests.graders.workers import ISOLATING

LESSON = "07_custom_functions"
SHORT = Limits(seconds=1.5, submission_seconds=60)
RIGHT = source_of(load("fn-square").reference, "Square")
WRONG = source_of(load("fn-square").misconceptions[0].solution, "Square")
EXP = source_of(load("fn-exp").reference, "Exp")
IN_FORWARD = RIGHT.replace("return x * x", "{}\n        return x * x")


def submission(*written, lesson=LESSON, problem=""):
    """A submission of the prelude and `written`: sources, or (source, exercise) pairs."""
    pairs = [each if isinstance(each, tuple) else (each, None) for each in (PRELUDE, *written)]
    cells = [Cell(i, text, runnable(text), mark) for i, (text, mark) in enumerate(pairs)]
    return Submission("ada", lesson, Path("ada") / f"{lesson}.ipynb", tuple(cells), "d", problem)


def grade(*written, limits=SHORT, isolation="auto", **more):
    verdicts = grade_submission(submission(*written, **more), choose(isolation), limits, seed=5)
    return {verdict.exercise: verdict for verdict in verdicts}


def square(*written, **more):
    return grade(*written, **more)["fn-square"]


@pytest.fixture(params=ISOLATING)
def isolation(request):
    return request.param


@pytest.mark.parametrize("lesson", sorted({each.lesson for each in all_exercises()}))
def test_a_notebook_of_right_solutions_passes(lesson, isolation):
    exercises = exercises_of(lesson)
    cells = [(source_of(each.reference, each.symbol), each.id) for each in exercises]

    verdicts = grade(*cells, lesson=lesson, isolation=isolation, limits=Limits())

    assert list(verdicts) == [each.id for each in exercises]
    assert {name: verdict.status for name, verdict in verdicts.items()} == dict.fromkeys(
        verdicts, "passed"
    )


def test_a_notebook_of_starters_is_not_attempted():
    cells = [(each.starter, each.id) for each in exercises_of(LESSON)]

    statuses = {verdict.status for verdict in grade(*cells).values()}

    assert statuses == {"not_attempted"}


def test_an_empty_notebook_is_not_attempted():
    assert {verdict.status for verdict in grade().values()} == {"not_attempted"}


def test_a_misconception_is_named(isolation):
    verdict = square((WRONG, "fn-square"), isolation=isolation)

    assert (verdict.status, verdict.findings) == ("partial", ("ignores-grad-output",))


LOOP = "while True: pass"
ALLOCATION = "memory = bytearray(4 * 1024**3)"
NUMPY_ALLOCATION = "import numpy; memory = numpy.ones(2**29)"
HOARD = "import numpy\nhoard = []\nwhile True: hoard.append(numpy.zeros(2**20))"
CONNECTION = "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9')"
FORK = "import os; os.fork()"
EXIT = "import os; os._exit(0)"
CRASH = "import ctypes; ctypes.memset(0, 0, 1)"

ENDINGS = {
    "loop": (LOOP, "timeout"),
    "sleep": ("import time; time.sleep(1000)", "timeout"),
    "allocation": (ALLOCATION, "memory_limit"),
    "NumPy allocation": (NUMPY_ALLOCATION, "memory_limit"),
    "hoard": (HOARD, "memory_limit"),
    "connection": (CONNECTION, "blocked"),
    "address": ("import urllib.request; urllib.request.urlopen('http://example.org')", "blocked"),
    "process": (FORK, "blocked"),
    "program": ("import subprocess; subprocess.run(['true'])", "blocked"),
    "thread": ("import threading; threading.Thread(target=print).start()", "blocked"),
    "mapping": ("import mmap; mmap.mmap(-1, 4 * 1024**3)", "memory_limit"),
    "files": ("kept = []\nwhile True: kept.append(open('/dev/null'))", "blocked"),
    "exit": (EXIT, "error"),
    "crash": (CRASH, "error"),
}


REFUSED = {name: ending for name, (ending, status) in ENDINGS.items() if status == "blocked"}


@pytest.mark.parametrize(
    ("cell", "status"),
    [
        *(pytest.param(f"{end}\n{RIGHT}", status, id=n) for n, (end, status) in ENDINGS.items()),
        *(
            pytest.param(f"{RIGHT}\n{end}", status, id=f"{name} below")
            for name, (end, status) in ENDINGS.items()
            if name not in REFUSED
        ),
    ],
)
def test_how_a_cell_ends_is_its_exercise_s_status(cell, status, isolation):
    verdicts = grade(
        (cell, "fn-square"),
        (source_of(load("fn-exp").reference, "Exp"), "fn-exp"),
        isolation=isolation,
    )

    assert (verdicts["fn-square"].status, verdicts["fn-square"].points) == (status, 0)
    assert verdicts["fn-exp"].status == "passed"
    assert verdicts["fn-twice"].status == "not_attempted"


@pytest.mark.parametrize(("ending", "status"), ENDINGS.values(), ids=ENDINGS)
def test_how_a_solution_ends_is_its_exercise_s_status(ending, status):
    verdicts = grade(
        (IN_FORWARD.format(ending.replace("\n", "\n        ")), "fn-square"),
        (source_of(load("fn-exp").reference, "Exp"), "fn-exp"),
    )

    assert (verdicts["fn-square"].status, verdicts["fn-square"].points) == (status, 0)
    assert verdicts["fn-exp"].status == "passed"


@pytest.mark.parametrize("ending", REFUSED.values(), ids=REFUSED)
def test_what_is_refused_below_an_answer_does_not_cost_it_and_is_told(ending, isolation):
    verdict = square((f"{RIGHT}\n{ending}", "fn-square"), isolation=isolation)

    assert (verdict.status, verdict.points) == ("passed", 4)
    assert "is not allowed while it is graded, and that was refused" in verdict.summary
    assert verdict.error.source_line in ending


def test_what_is_refused_below_an_answer_earns_it_nothing():
    wrong = "class Square(Function):\n    forward = backward = None"
    starter = load("fn-square").starter

    for source in (wrong, starter):
        verdict = square((f"{source}\n{CONNECTION}", "fn-square"))
        assert (verdict.status, verdict.points) == ("blocked", 0)
    assert square((f"{WRONG}\n{CONNECTION}", "fn-square")).findings == ("ignores-grad-output",)


def test_what_is_refused_between_two_answers_costs_only_the_one_below():
    verdicts = grade((f"{RIGHT}\nraise PermissionError\n{EXP}", "fn-square"))

    assert (verdicts["fn-square"].status, verdicts["fn-exp"].status) == ("passed", "blocked")


@pytest.mark.parametrize("ending", [LOOP, ALLOCATION, HOARD, CONNECTION, EXIT, CRASH, "1 / 0"])
def test_a_demonstration_s_end_costs_no_exercise(ending):
    verdict = square(ending, (RIGHT, "fn-square"), ending)

    assert (verdict.status, verdict.error) == ("passed", None)


def test_several_limits_in_one_notebook_are_told_apart():
    verdicts = grade(
        (LOOP.replace("pass", "Square = 1"), "fn-square"),
        (f"Exp = 1\n{ALLOCATION}", "fn-exp"),
        (f"Multiply = 1\n{FORK}", "fn-multiply"),
        ("class Clamp(", "fn-clamp"),
        (source_of(load("fn-twice").reference, "Cube"), "fn-twice"),
    )

    statuses = {name: verdict.status for name, verdict in verdicts.items()}
    assert {name: status for name, status in statuses.items() if status != "not_attempted"} == {
        "fn-square": "timeout",
        "fn-exp": "memory_limit",
        "fn-multiply": "blocked",
        "fn-clamp": "error",
        "fn-twice": "passed",
    }


def test_when_the_submission_s_time_is_over_the_rest_is_a_timeout():
    exercises = exercises_of(LESSON)
    cells = [(f"{each.symbol} = 1\n{LOOP}", each.id) for each in exercises]

    verdicts = grade(*cells, limits=Limits(seconds=1.0, submission_seconds=2.5))

    assert {verdict.status for verdict in verdicts.values()} == {"timeout"}
    assert len(verdicts) == len(exercises)


def test_a_syntax_error_tells_line_and_text():
    verdict = square(("x = 1\nclass Square(Function:\n    pass", "fn-square"))

    assert verdict.status == "error"
    assert (verdict.error.type, verdict.error.line) == ("SyntaxError", 2)
    assert verdict.error.source_line == "class Square(Function:"


def test_an_exception_before_the_symbol_is_an_error():
    verdict = square(("toch.exp\nclass Square: pass", "fn-square"))

    assert verdict.status == "error"
    assert verdict.error.message == "name 'toch' is not defined"
    assert verdict.error.line == 1


def test_an_exception_below_a_right_solution_does_not_cost_it():
    assert square((f"{RIGHT}\nSquare.apply('seven')", "fn-square")).status == "passed"


@pytest.mark.parametrize(
    "noise",
    [
        "print('x' * 10**7)",
        "import sys; print('wrong!', file=sys.stderr)",
        "import warnings; warnings.warn('careful')",
        "import logging; logging.error('oh')",
        "import sys; sys.stdout = None",
    ],
)
def test_noise_changes_nothing(noise):
    verdict = square((f"{noise}\n{IN_FORWARD.format(noise)}", "fn-square"))

    assert (verdict.status, verdict.error) == ("passed", None)
    assert len(verdict.output) <= SHORT.output_bytes


def test_closed_streams_change_nothing():
    closing = "import sys\nsys.stdout.close()\nsys.stderr.close()"

    assert square(closing, (f"{closing}\n{RIGHT}", "fn-square")).status == "passed"


@pytest.mark.parametrize("path", ["/etc/passwd", "/home/ada/data.csv", "../../data.csv", "/x/y"])
def test_files_outside_are_blocked_whether_they_are_there_or_not(path, isolation):
    reading = f"open({path!r})"

    before = square((f"{reading}\n{RIGHT}", "fn-square"), isolation=isolation)
    inside = square((IN_FORWARD.format(reading), "fn-square"), isolation=isolation)
    behind = square((f"{RIGHT}\n{reading}", "fn-square"), isolation=isolation)

    assert (before.status, before.points) == (inside.status, inside.points) == ("blocked", 0)
    assert path in before.error.message
    # Whoever has solved the exercise may look for a file of their own.
    assert behind.status == "passed"


def test_a_missing_file_of_one_s_own_is_an_ordinary_error(isolation):
    verdict = square((f"open('data.csv')\n{RIGHT}", "fn-square"), isolation=isolation)

    assert (verdict.status, verdict.error.type) == ("error", "FileNotFoundError")


def test_what_is_printed_is_kept():
    assert square((f"print('hello')\n{RIGHT}", "fn-square")).output == "hello\n"


def test_cells_without_marks_are_found_by_their_symbol():
    assert square("x = 1", RIGHT).status == "passed"


@pytest.mark.parametrize(
    ("marked", "added", "status"),
    [
        (WRONG, RIGHT, "passed"),
        ("class Square(Function):\n    forward = 1 / 0", RIGHT, "passed"),
        (RIGHT, WRONG, "passed"),
        (WRONG, "Square = 3", "partial"),
    ],
    ids=["mended", "mended after an error", "tried out what goes wrong", "spoiled"],
)
def test_of_an_answer_and_its_redefinition_below_the_better_counts(marked, added, status):
    sources = [(PRELUDE, None), (marked, "fn-square"), (EXP, "fn-exp"), (added, None)]
    cells = [Cell(i, text, text, mark, own=i == 3) for i, (text, mark) in enumerate(sources)]
    handed_in = Submission("ada", LESSON, Path("ada.ipynb"), tuple(cells), "d")

    verdicts = grade_submission(handed_in, choose("auto"), SHORT, seed=5)

    assert [each.exercise for each in verdicts] == [each.id for each in exercises_of(LESSON)]
    found = {each.exercise: each.status for each in verdicts}
    assert (found["fn-square"], found["fn-exp"]) == (status, "passed")


def test_helpers_in_other_cells_are_there():
    helper, rest = (
        "def twice(t): return 2 * t",
        RIGHT.replace("grad_output * 2 * x", "grad_output * twice(x)"),
    )

    assert square(helper, (rest, "fn-square")).status == "passed"


def test_magics_and_shell_lines_do_not_matter():
    cell = f"%%time\n{RIGHT}"

    assert square("!touch gone\n%matplotlib inline\nx = 1", (cell, "fn-square")).status == "passed"


def test_a_problem_is_every_exercise_s_error():
    verdicts = grade(problem="It is empty.")

    assert list(verdicts) == [each.id for each in exercises_of(LESSON)]
    assert {(verdict.status, verdict.summary) for verdict in verdicts.values()} == {
        ("error", "It is empty.")
    }


def test_an_unknown_lesson_has_no_verdicts():
    assert grade(lesson="", problem="It has no notebook in it.") == {}


def test_one_seed_gives_one_verdict_and_both_isolations_agree():
    def graded(name):
        return [
            verdict.to_json() for verdict in grade((WRONG, "fn-square"), isolation=name).values()
        ]

    results = [json.dumps(graded(name)) for name in (*ISOLATING, *ISOLATING, "none")]

    assert len(set(results)) == 1


def test_a_judge_that_fails_costs_one_exercise(monkeypatch):
    judge = runner.verdict_on

    def fragile(exercise, observations, seed):
        if exercise.id == "fn-square":
            raise ZeroDivisionError
        return judge(exercise, observations, seed)

    monkeypatch.setattr(runner, "verdict_on", fragile)

    verdicts = grade((RIGHT, "fn-square"), (source_of(load("fn-exp").reference, "Exp"), "fn-exp"))

    assert verdicts["fn-square"].summary == "The grader itself failed on this exercise."
    assert verdicts["fn-exp"].status == "passed"


def test_words_that_only_look_like_a_refusal_are_the_students_own():
    assert limit_told_by(StudentError("ValueError", "[Errno 1] is what I expected")) is None
    assert limit_told_by(StudentError("OSError", "[Errno 1] Operation not permitted")) == "blocked"


def test_the_students_own_cell_is_kept_where_there_is_something_to_say(isolation):
    wrong = square((WRONG, "fn-square"), isolation=isolation)
    right = square((RIGHT, "fn-square"), isolation=isolation)
    assert wrong.source == WRONG
    assert right.source == ""


def test_a_long_cell_is_kept_in_part_and_without_control_characters():
    verdict = square((WRONG + "# \x1b[31m" + "x" * 9_000, "fn-square"))
    assert verdict.source.startswith(WRONG)
    assert "\x1b" not in verdict.source
    assert len(verdict.source) == runner.LONGEST_SOURCE


def test_what_is_printed_of_the_checks_inputs_is_kept_without_them():
    told = square((IN_FORWARD.format('print("x is", float(x.sum()))'), "fn-square"))
    assert "x is ▒" in told.output
    assert not any(sign.isdigit() for sign in told.output)


def test_what_the_cell_itself_prints_is_kept_as_it_is():
    assert square((f'{RIGHT}\nprint("loss", 0.25)', "fn-square")).output == "loss 0.25\n"

"""The selftest notices what can be amiss with an exercise, and says so on the command line."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from graders.cli import main
from graders.exercise import Misconception, Variant, load
from graders.selftest import (
    about_hints,
    about_misconceptions,
    about_reference,
    about_starter,
    about_variants,
    confusion,
    examine,
    lines_of_solution,
)
from graders.selftest.table import run_selftest

SQUARE = load("fn-square")
SLOPE = load("welcome-slope")
WRONG = SQUARE.misconceptions[0]


def with_idea(exercise, solution, says="You think of something else."):
    return replace(exercise, misconceptions=(Misconception("new-idea", says, solution),))


def test_a_sound_exercise_passes():
    done = examine(SLOPE)
    assert done.passed, done.amiss
    assert done.seconds > 0
    assert done.confusion["half-the-slope"] == ("half-the-slope",)


def test_a_wrong_reference_is_noticed_as_object_and_as_source():
    def slope(x):
        return "steep" if x > 0 else [x]

    assert list(about_reference(SLOPE, 1)) == []
    # What is wrong in the same way on both sides is found by the variants.
    broken = replace(SLOPE, reference=slope, misconceptions=())
    assert len(list(about_variants(broken, 1))) == 2 * len(SLOPE.variants)


def test_a_check_that_stops_even_for_the_reference_is_noticed():
    def stops(solution, lab):
        lab.record("begun", True)
        raise NameError("a name that the scenario lacks")

    checks = (replace(SLOPE.checks[0], scenario=stops),)
    (found,) = about_reference(replace(SLOPE, checks=checks), 1)
    assert found == f"seed 1: the check “{SLOPE.checks[0].name}” stops with NameError"


def test_what_is_mistaken_for_a_statement_or_not_known_as_one_is_noticed():
    def with_statements(*names):
        checks = [replace(each, statements=each.name in names) for each in SQUARE.checks]
        return list(about_reference(replace(SQUARE, checks=tuple(checks)), 1))

    assert with_statements("saved tensors", "grad_output") == []
    assert with_statements("saved tensors", "grad_output", "output") == [
        "the check “output” is not one of statements: its inputs matter"
    ]
    assert with_statements("saved tensors") == [
        "the check “grad_output” sees the same on all inputs: say `statements=True`"
    ]
    (*_, last) = with_statements(*(each.name for each in SQUARE.checks))
    assert last == "no check looks at what depends on its inputs"


def test_a_wrong_variant_is_noticed():
    broken = replace(SQUARE, variants=(Variant("half of it", WRONG.solution),))
    first, second = about_variants(broken, 1)
    assert first.startswith("seed 1: the variant “half of it” does not pass: ")
    assert "as source" in second


def test_a_misconception_that_passes_is_noticed():
    broken = with_idea(SQUARE, SQUARE.reference)
    assert all(
        "new-idea is not rejected: passed" in each for each in about_misconceptions(broken, 1)
    )
    assert confusion(broken, 1) == {"new-idea": ("passed",)}


def test_a_misconception_that_is_named_another_is_noticed():
    twin = Misconception("twin", "It is the same.", WRONG.solution)
    broken = replace(SQUARE, misconceptions=(WRONG, twin))
    assert f"twin is named {WRONG.id}" in " ".join(about_misconceptions(broken, 1))
    assert confusion(broken, 1)["twin"] == (WRONG.id,)


def test_a_misconception_that_talks_too_much_is_noticed():
    broken = with_idea(SQUARE, WRONG.solution, "One. Two. Three. Four.")
    assert "not told in three sentences" in " ".join(about_misconceptions(broken, 1))
    assert "new-idea does not say one or two sentences" in " ".join(about_hints(broken))


@pytest.mark.parametrize(
    ("hint", "noticed"),
    [
        ("Write `2 * x`.", "is more than a name"),
        ("It is grad_output * 2 * x, of course.", "a line of the solution is given away"),
    ],
)
def test_a_hint_that_gives_the_solution_away_is_noticed(hint, noticed):
    broken = replace(SQUARE, hints=(*SQUARE.hints[:2], hint))
    assert "grad_output*2*x" in lines_of_solution(broken)
    assert noticed in " ".join(about_hints(broken))


def test_two_equal_hints_are_noticed():
    broken = replace(SQUARE, hints=(SQUARE.hints[0],) * 3)
    assert list(about_hints(broken)) == ["there are not three different hints"]


@pytest.mark.parametrize(
    ("starter", "noticed"),
    [
        ("def steep(x):\n    ...\n", "of another kind"),
        ("def slope(x, y):\n    ...\n", "other arguments"),
        ("def slope(x):\n    pass\n", "the cell in 00_welcome.ipynb is not the starter"),
        ("def slope(x):\n    return 2 * x\n", "the reference passes for the untouched starter"),
    ],
)
def test_a_starter_that_does_not_fit_is_noticed(starter, noticed):
    assert noticed in " ".join(about_starter(replace(SLOPE, starter=starter), 1))


def test_a_starter_class_with_other_arguments_is_noticed():
    starter = SQUARE.starter.replace("forward(ctx, x)", "forward(ctx, x, y)")
    problems = " ".join(about_starter(replace(SQUARE, starter=starter), 1))
    assert "Square.forward takes other arguments" in problems


def test_starter_keys_that_differ_are_noticed():
    exercise = load("leaf-predict")
    broken = replace(exercise, starter=exercise.starter.replace('"a"', '"z"'))
    assert "other keys" in " ".join(about_starter(broken, 1))


def test_an_exercise_that_no_lesson_holds_is_noticed():
    alone = replace(SLOPE, lesson="99_nowhere")
    assert list(about_starter(alone, 1)) == ["there is no cell for it in 99_nowhere.ipynb"]


def test_an_exercise_that_stops_the_test_is_noticed():
    broken = replace(SLOPE, starter="1 / 0\n")
    done = examine(broken, (1,))
    assert not done.passed
    assert "stopped with ZeroDivisionError" in done.amiss["starter"][0]


def test_what_is_amiss_is_listed_below_the_table(capsys):
    twin = Misconception("twin", "It is the same.", WRONG.solution)
    done = run_selftest([replace(SQUARE, misconceptions=(WRONG, twin)), SLOPE], (1,), matrix=True)
    printed = capsys.readouterr().out

    assert [each.passed for each in done] == [False, True]
    assert f"  ✗ misconceptions: seed 1: twin is named {WRONG.id}\n" in printed
    assert " 2 twin" in printed
    assert "✗ 1 exercise with problems." in printed


def test_the_command_prints_a_table_and_ends_well():
    result = CliRunner().invoke(main, ["selftest", "--exercise", "welcome-slope", "--seed", "7"])

    assert result.exit_code == 0, result.output
    assert "welcome-slope" in result.output
    assert "✓ All is as it should be." in result.output
    assert "●" not in result.output


def test_the_command_shows_the_matrix_when_asked():
    arguments = ["selftest", "--exercise", "welcome-slope", "--seed", "1", "--matrix"]
    lines = CliRunner().invoke(main, arguments).output.splitlines()
    rows = [line.split() for line in lines if "●" in line and "solution" not in line]

    assert [row[1] for row in rows] == [each.id for each in SLOPE.misconceptions]
    assert [row[2:].index("●") for row in rows] == list(range(len(rows)))


def test_the_command_ends_with_1_when_something_is_amiss(monkeypatch):
    broken = replace(SLOPE, hints=("Same.", "Same.", "Same."))
    monkeypatch.setattr("graders.exercise.load", lambda id: broken)
    result = CliRunner().invoke(main, ["selftest", "--exercise", "welcome-slope", "--seed", "1"])

    assert result.exit_code == 1
    assert "hints: there are not three different hints" in result.output


def test_the_command_refuses_an_exercise_that_is_not_there():
    result = CliRunner().invoke(main, ["selftest", "--exercise", "welcome-slop"])
    assert result.exit_code == 2
    assert "did you mean 'welcome-slope'?" in result.output

import pytest

from graders.exercise import load
from graders.gradebook import Gradebook
from graders.run.seeds import DRAWS, LARGEST, OWN_BITS, Seeds, draws
from tests.graders.classroom import entry, grading
from tests.graders.test_cli import grade, quick, seeds, submissions

__all__ = ["quick", "submissions"]


def test_every_submission_has_a_seed_of_its_own():
    seeds = {Seeds(7).seed_of(entry(f"student {n}")) for n in range(300)}
    assert len(seeds) == 300


SQUARE = load("fn-square")


def drawn_by(students, exercise=SQUARE, run=7):
    return [draws(Seeds(run).seed_of(entry(f"student {n}")), exercise) for n in range(students)]


@pytest.mark.parametrize("id", ["fn-square", "leaf-walk", "cap-train"])
def test_checks_that_depend_on_their_inputs_have_inputs_of_a_submission_s_own(id):
    exercise = load(id)
    drawn = drawn_by(300, exercise)
    telling = [check.name for check in exercise.checks if not check.statements]
    seeds = {each[name].seed for each in drawn for name in telling}

    assert telling
    assert all(draw.own == (name in telling) for each in drawn for name, draw in each.items())
    assert len(seeds) == 300 * len(telling)


def test_checks_of_statements_have_few_draws_in_a_run_and_all_are_used():
    def shared(run):
        drawn = drawn_by(300, run=run)
        return [
            {each[check.name].seed for each in drawn} for check in SQUARE.checks if check.statements
        ]

    assert {len(seeds) for seeds in shared(7)} == {DRAWS}
    assert not set.union(*shared(7)) & set.union(*shared(8))


def test_the_checks_of_a_submission_draw_independently():
    first, second = (check.name for check in SQUARE.checks if check.statements)
    together = {(each[first].seed, each[second].seed) for each in drawn_by(300)}

    assert len(together) == DRAWS**2


def test_written_answers_are_asked_the_same_in_a_whole_run():
    first, *others = drawn_by(20, load("fn-predict"))

    assert all(each == first for each in others)
    assert not any(draw.own for draw in first.values())


def test_what_a_run_draws_follows_from_its_number_alone():
    assert Seeds(7) == Seeds(7)
    assert Seeds(7).seed_of(entry()) == Seeds(7).seed_of(entry(path="elsewhere.ipynb"))
    assert Seeds(7).seed_of(entry()) != Seeds(8).seed_of(entry())
    assert drawn_by(1) == drawn_by(1)


@pytest.mark.parametrize("changed", [{"digest": "d2"}, {"student": "ben"}, {"lesson": "08"}])
def test_student_lesson_and_content_decide_which_seed_it_is(changed):
    def drawn(**changes):
        student, lesson = changes.pop("student", "ada"), changes.pop("lesson", "07")
        return [Seeds(n).seed_of(entry(student, lesson, **changes)) for n in range(20)]

    assert drawn() == drawn()
    assert not set(drawn(**changed)) & set(drawn())


def test_a_seed_cannot_be_told_from_the_submission():
    own = {Seeds(n).seed_of(entry()) % 2**OWN_BITS for n in range(100)}
    assert len(own) > 95


def test_fresh_runs_differ():
    assert len({Seeds.fresh(()).run for _ in range(20)}) == 20
    assert all(0 <= Seeds.fresh(()).run <= LARGEST for _ in range(20))
    assert Seeds(LARGEST).seed_of(entry()) < 2**63


def test_a_fresh_run_draws_nothing_that_was_drawn_before(monkeypatch):
    numbers = iter([3, 4, 5])
    monkeypatch.setattr("graders.run.seeds.secrets.randbelow", lambda most: next(numbers))
    assert Seeds.fresh({Seeds(3).seed_of(entry()), Seeds(4).seed_of(entry("ben"))}) == Seeds(5)


def test_the_gradebook_knows_every_seed_that_was_used(tmp_path):
    with Gradebook(tmp_path / "gradebook.db") as book:
        book.record(grading("ada", seed=11))
        book.record(grading("ada", seed=12, entry=entry("ada", digest="d2")))
        book.enroll([])
        assert book.used_seeds() == {11, 12}


def test_a_run_can_be_had_again_by_the_number_it_tells(quick, submissions, tmp_path):
    told = grade(submissions, tmp_path / "one").output
    number = told.partition("--seed ")[2].split()[0]
    grade(submissions, tmp_path / "two", "--seed", number)
    assert seeds(tmp_path / "one") == seeds(tmp_path / "two")
    assert "3 unchanged" in grade(submissions, tmp_path / "two").output
    assert "3 unchanged" in grade(submissions, tmp_path / "two", "--seed", number).output
    assert "unchanged" not in grade(submissions, tmp_path / "two", "--seed", "1").output


def test_a_run_that_drew_nothing_tells_no_number(quick, submissions, tmp_path):
    told = [grade(submissions, tmp_path / "out").output for _ in range(2)]
    assert ["Inputs drawn from" in output for output in told] == [True, False]

import pytest

from graders.exercise import exercises_of
from graders.gradebook import Gradebook
from graders.run.seeds import DRAWS, LARGEST, OWN_BITS, Seeds, draw
from tests.graders.classroom import entry, grading


def test_every_submission_has_a_seed_of_its_own():
    seeds = {Seeds(7).seed_of(entry(f"student {n}")) for n in range(300)}
    assert len(seeds) > 295


def test_an_exercise_has_few_draws_in_a_run_and_all_are_used():
    drawn = {draw(Seeds(7).seed_of(entry(f"student {n}")), "fn-square") for n in range(300)}
    assert len(drawn) == DRAWS
    others = {draw(Seeds(8).seed_of(entry(f"student {n}")), "fn-square") for n in range(300)}
    assert not drawn & others


def test_the_exercises_of_a_submission_draw_independently():
    exercises = [each.id for each in exercises_of("07_custom_functions")]
    seeds = [Seeds(7).seed_of(entry(f"student {n}")) for n in range(200)]
    together = {tuple(draw(seed, each) for each in exercises) for seed in seeds}
    assert len(together) > 195


def test_what_a_run_draws_follows_from_its_number_alone():
    assert Seeds(7) == Seeds(7)
    assert Seeds(7).seed_of(entry()) == Seeds(7).seed_of(entry(path="elsewhere.ipynb"))
    assert Seeds(7).seed_of(entry()) != Seeds(8).seed_of(entry())
    assert draw(Seeds(7).seed_of(entry()), "a") == draw(Seeds(7).seed_of(entry()), "a")


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
    assert Seeds(LARGEST).seed_of(entry()) < 2**48


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

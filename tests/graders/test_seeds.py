import pytest

from graders.gradebook import Gradebook
from graders.run.seeds import LARGEST, POOL, Seeds
from tests.graders.classroom import entry, grading


def test_a_run_has_few_seeds_and_uses_them_all():
    seeds = Seeds(7)
    assert len(set(seeds.pool)) == POOL
    assert {seeds.seed_of(entry(f"student {n}")) for n in range(300)} == set(seeds.pool)


def test_what_a_run_draws_follows_from_its_number_alone():
    assert Seeds(7) == Seeds(7)
    assert Seeds(7).pool == Seeds(7).pool
    assert Seeds(7).seed_of(entry()) == Seeds(7).seed_of(entry(path="elsewhere.ipynb"))
    assert not set(Seeds(7).pool) & set(Seeds(8).pool)


@pytest.mark.parametrize("changed", [{"digest": "d2"}, {"student": "ben"}, {"lesson": "08"}])
def test_student_lesson_and_content_decide_which_seed_of_the_pool_it_is(changed):
    def drawn(**changes):
        student, lesson = changes.pop("student", "ada"), changes.pop("lesson", "07")
        return [Seeds(n).seed_of(entry(student, lesson, **changes)) for n in range(20)]

    assert drawn() == drawn()
    assert drawn(**changed) != drawn()


def test_which_seed_it_is_cannot_be_told_from_the_submission():
    places = {Seeds(n).pool.index(Seeds(n).seed_of(entry())) for n in range(100)}
    assert len(places) == POOL


def test_fresh_runs_differ():
    assert len({Seeds.fresh(()).run for _ in range(20)}) == 20
    assert all(0 <= Seeds.fresh(()).run <= LARGEST for _ in range(20))


def test_a_fresh_run_has_no_seed_that_was_used_before(monkeypatch):
    numbers = iter([3, 4, 5])
    monkeypatch.setattr("graders.run.seeds.secrets.randbelow", lambda most: next(numbers))
    assert Seeds.fresh({Seeds(3).pool[2], Seeds(4).pool[7]}) == Seeds(5)


def test_the_gradebook_knows_every_seed_that_was_used(tmp_path):
    with Gradebook(tmp_path / "gradebook.db") as book:
        book.record(grading("ada", seed=11))
        book.record(grading("ada", seed=12, entry=entry("ada", digest="d2")))
        book.enroll([])
        assert book.used_seeds() == {11, 12}

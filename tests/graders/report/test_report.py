import base64
import json
import re
from dataclasses import replace
from hashlib import sha256

import pytest

from graders.report import feedback_page, report_page, summarize
from graders.report.words import (
    LABELS,
    SYMBOLS,
    duration,
    lesson_title,
    limit,
    percent,
    prose,
)
from graders.verdict import STATUSES, StudentError
from tests.graders.classroom import entry, grading, misled, stopped, verdict
from tests.graders.report.pages import Page, words_of

HOSTILE = "<script>alert(1)</script>\"'&{{ 7*7 }}"


def class_of_three():
    return [
        grading("ada", [verdict(), verdict("fn-exp")]),
        grading("ben", [misled(), verdict("fn-exp", "partial")]),
        grading("cleo", [misled(), verdict("fn-exp", "timeout")], seconds=10.5),
    ]


def test_the_summary_counts_statuses_students_and_scores():
    summary = summarize(class_of_three())
    assert summary.statuses == {"passed": 2, "failed": 2, "partial": 1, "timeout": 1}
    assert [student.name for student in summary.students] == ["ada", "ben", "cleo"]
    assert [student.share for student in summary.students] == [1.0, 0.25, 0.0]
    assert summary.mean_share == pytest.approx(1.25 / 3)
    assert summary.median_share == 0.25


def test_the_distribution_has_everybody_once_and_full_marks_in_the_last_bin():
    summary = summarize(class_of_three())
    assert [bin.students for bin in summary.bins if bin.students] == [("cleo",), ("ben",), ("ada",)]
    assert summary.bins[-1].label == "90-100%"
    assert summary.bins[2].students == ("ben",)


def test_misconceptions_are_ranked_by_how_many_hold_them():
    rare = grading("dora", [misled("fn-exp", "times-input", summary="Multiplied by the input.")])
    ranked = summarize([rare, *class_of_three()]).misconceptions
    assert [(found.id, found.students) for found in ranked] == [
        ("ignores-grad-output", ("ben", "cleo")),
        ("times-input", ("dora",)),
    ]
    assert ranked[1].says == "Multiplied by the input."


def test_a_misconceptions_example_is_the_shortest_cell_that_shows_it():
    long = grading("ada", [misled(source="# so far\nclass Square: ...\n")])
    short = grading("ben", [misled(source="class Square: ...\n")])
    unknown = grading("cleo", [misled()])
    (found,) = summarize([long, short, unknown]).misconceptions
    assert (found.example, found.shown) == ("class Square: ...", "ben")
    assert len(found.students) == 3


def test_whoever_holds_two_misconceptions_counts_for_both():
    both = replace(misled(), findings=("ignores-grad-output", "adds-one"))
    found = summarize([grading("ada", [both])]).misconceptions
    assert {each.id for each in found} == {"ignores-grad-output", "adds-one"}


def test_a_lesson_handed_in_twice_counts_once_with_the_better_answer():
    once = grading("ada", [misled()])
    again = grading("ada", [verdict()], entry=entry("ada", path="ada/late/07.ipynb"))
    summary = summarize([once, again])
    assert len(summary.gradings) == 2
    assert summary.statuses == {"passed": 1}
    assert summary.students[0].max_points == 4


def test_a_submission_of_no_lesson_adds_no_exercise():
    nothing = entry("dora", "", problem="It has no notebook in it.")
    row = verdict("unknown", "error", max_points=0.0, lesson="")
    summary = summarize([grading("dora", [row], entry=nothing), *class_of_three()])
    assert [each.id for each in summary.exercises] == ["fn-square", "fn-exp"]
    assert "It has no notebook in it." in words_of(report_page(summary))
    assert "It has no notebook in it." in words_of(feedback_page("dora", summary.unreadable))


def test_an_empty_class_has_a_report():
    assert "Class report" in words_of(report_page(summarize([])))


def test_the_report_shows_each_part():
    torn = entry("dora", problem="The file ends in the middle.")
    unreadable = grading("dora", [verdict(status="error")], entry=torn, isolation="")
    text = report_page(summarize([*class_of_three(), unreadable]))
    words = words_of(text)
    for expected in (
        "Score distribution",
        "Misconceptions, most common first",
        "ignores-grad-output in Title of fn-square fn-square 2 students 50%",
        "Students \N{MULTIPLICATION SIGN} exercises",
        "Unreadable1 submission",
        "Could not be read: 1 of 4 submissions",
        "The file ends in the middle.",
        "Time and limits",
        "an exercise: 10 s",
        "10.5 s",
        "bubblewrap",
    ):
        assert expected in words, expected


def test_the_report_tells_what_was_refused_beside_answers_that_count():
    error = StudentError("PermissionError", "[Errno 1] Operation not permitted", 3)
    own = StudentError("ValueError", "not permitted", 3)
    tried = [grading("ada", [verdict(error=error)]), grading("ben", [verdict(error=own)])]
    words = words_of(report_page(summarize(tried)))

    assert "Refused beside answers that count all the same: 1 ✓ passed ada, fn-square" in words
    assert "Refused beside" not in words_of(report_page(summarize(tried[1:])))


def data_of(text):
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_the_page_has_each_verdict_as_data():
    data = data_of(report_page(summarize(class_of_three()), {"ben": "ben"}))
    assert data["students"] == [["ada", ""], ["ben", "feedback/ben.html"], ["cleo", ""]]
    exercises = [id for id, *_ in data["exercises"]]
    statuses = [name for name, *_ in data["statuses"]]
    student, lesson, seconds, problem, rows = data["submissions"][2]
    assert data["students"][student][0] == "cleo"
    assert data["lessons"][lesson] == "7 · Custom functions"
    assert (seconds, problem) == (10.5, "")
    square, exp = rows
    assert (exercises[square[0]], statuses[square[1]], square[2:4]) == (
        "fn-square",
        "failed",
        [0, 4],
    )
    assert data["findings"][square[4][0]][1:] == ["ignores-grad-output", 1]
    assert (exercises[exp[0]], statuses[exp[1]], len(exp)) == ("fn-exp", "timeout", 4)


def test_an_answer_that_a_better_one_replaces_is_marked_in_the_data():
    again = grading("ada", [verdict()], entry=entry("ada", path="ada/late/07.ipynb"))
    data = data_of(report_page(summarize([grading("ada", [misled()]), again])))
    first, second = (rows[0] for *_, rows in data["submissions"])
    assert first[5:] == [1]
    assert second[5:] == []


def test_every_status_has_a_sign_and_words_of_its_own():
    assert set(SYMBOLS) == set(LABELS) == set(STATUSES)
    assert len(set(SYMBOLS.values())) == len(set(LABELS.values())) == len(STATUSES)


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_can_be_shown(status):
    own = [grading("ada", [verdict(status=status)])]
    assert LABELS[status] in words_of(feedback_page("ada", own))
    assert LABELS[status] in words_of(report_page(summarize(own)))


def test_running_without_isolation_is_pointed_out():
    assert "Graded without isolation" in report_page(summarize([grading(isolation="none")]))
    assert "Graded without isolation" not in report_page(summarize([grading()]))


def test_a_failure_of_the_grader_is_not_blamed_on_the_student():
    failed = grading("ben", [verdict(status="error")], isolation="")
    words = words_of(report_page(summarize([grading("ada"), failed])))
    assert "The grader failed on 1 of 2 submissions" in words
    assert "no fault of the students" in words


def hostile():
    made = verdict(
        status="error",
        summary=HOSTILE,
        title=HOSTILE,
        output=HOSTILE,
        remarks=(HOSTILE,),
        findings=(HOSTILE,),
        misconception=HOSTILE,
    )
    problem = grading(HOSTILE, entry=entry(HOSTILE, "08_mark_dirty", problem=HOSTILE))
    return [grading(HOSTILE, [made, stopped("fn-exp", HOSTILE)]), problem]


@pytest.mark.parametrize(
    "page",
    [
        lambda: report_page(summarize(hostile()), {HOSTILE: "x"}),
        lambda: feedback_page(HOSTILE, hostile()),
    ],
)
def test_what_students_typed_is_text_and_never_markup(page):
    text = page()
    assert "<script>alert" not in text
    assert "alert(1)" in Page(text).text
    assert "{{ 7*7 }}" in Page(text).text


def test_pages_need_no_network_and_repeat_no_id():
    own = [grading("ada", [verdict(), misled("fn-exp")], entry=entry("ada", "07_custom_functions"))]
    names = {"ada": "ada"}
    for text in (report_page(summarize(own), names), feedback_page("ada", own)):
        page = Page(text)
        assert all(link.startswith(("#", "feedback/")) for link in page.links)
        assert not {"link", "img", "iframe"} & set(page.elements)
        assert "http" not in text.replace("http-equiv", "").replace("http://www.w3.org", "")
        assert len(page.ids) == len(set(page.ids))
        assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)


def test_the_policy_allows_the_reports_own_script_alone():
    text = report_page(summarize(class_of_three()))
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert script
    assert policy
    digest = base64.b64encode(sha256(script[1].encode()).digest()).decode()
    assert f"sha256-{digest}" in policy[1].replace("&#43;", "+").replace("&#39;", "'")


def test_links_to_feedback_are_quoted():
    text = report_page(summarize([grading("50% of #1")]), {"50% of #1": "50% of #1~ab"})
    assert "feedback/50%25%20of%20%231~ab.html" in Page(text).links


def test_backticks_become_code_and_nothing_else_becomes_markup():
    assert prose("read `ctx` <b>") == "read <code>ctx</code> &lt;b&gt;"
    assert prose("`<i>`") == "<code>&lt;i&gt;</code>"
    assert prose("one ` alone") == "one ` alone"


@pytest.mark.parametrize(
    ("share", "said"), [(0, "0%"), (1, "100%"), (0.999, "99%"), (0.001, "<1%"), (0.5, "50%")]
)
def test_only_all_is_a_hundred_percent_and_only_nothing_is_none(share, said):
    assert percent(share) == said


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.214, "0.21 s"), (4.25, "4.2 s"), (185.4, "3 min 5 s")]
)
def test_durations_are_said_as_people_say_them(seconds, said):
    assert duration(seconds) == said


def test_lessons_and_limits_have_readable_names():
    assert lesson_title("07_custom_functions") == "7 · Custom functions"
    assert lesson_title("") == "No lesson"
    assert limit("memory_bytes", 2**30) == "memory: 1024 MiB"
    assert limit("output_bytes", 64 * 1024) == "output: 64 KiB"
    assert limit("seconds", 10.0) == "an exercise: 10 s"
    assert limit("open_files", 64) == "open files: 64"

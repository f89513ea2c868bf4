"""The report on 400 students and one student's feedback, as a real browser shows them."""

import re
from dataclasses import replace

import pytest

from graders.report import feedback_page, report_page, summarize
from graders.verdict import STATUSES, ByHand
from tests.graders.classroom import entry, grading, misled, stopped, verdict

LESSONS = {
    f"{number:02}_lesson": [f"l{number}-{place}" for place in range(6)] for number in range(10)
}
STUDENTS = 400
HOSTILE = '</script><img src=x onerror="document.title=1">'


def submission(place, name, lesson):
    verdicts = []
    for exercise in LESSONS[lesson]:
        status = STATUSES[(place + int(exercise[-1])) % len(STATUSES)]
        own = misled(exercise) if status == "failed" else verdict(exercise, status)
        verdicts.append(replace(own, lesson=lesson))
    return grading(name, verdicts, entry=entry(name, lesson), seconds=0.1 + place / 1000)


def whole_class():
    names = [f"student {place:03}" for place in range(STUDENTS - 1)] + [HOSTILE]
    made = [
        submission(place, name, lesson) for place, name in enumerate(names) for lesson in LESSONS
    ]
    by_hand = replace(made[0].verdicts[0], by_hand=ByHand("Shown in the oral exam.", 0.0))
    made[0] = replace(made[0], verdicts=(by_hand, *made[0].verdicts[1:]))
    before, failed, *after = made[10].verdicts
    example = replace(failed, source=f"class Square: ...  # {HOSTILE}")
    made[10] = replace(made[10], verdicts=(before, example, *after))
    return made


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    summary = summarize(whole_class())
    names = {student.name: f"s{place}" for place, student in enumerate(summary.students)}
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(report_page(summary, names), encoding="utf-8")
    return path


class Watched:
    """A page, what it asked for beside itself, and what it complained of."""

    def __init__(self, browser, address, **options):
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(15_000)
        self.requests, self.complaints = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(address)


@pytest.fixture(scope="module")
def opened(chromium, file):
    watched = Watched(chromium, file.as_uri())
    yield watched
    watched.context.close()


@pytest.fixture
def page(opened):
    opened.page.locator("#clear").click()
    opened.page.select_option("#rows", "submissions")
    return opened.page


def column(page, place):
    cells = page.locator(f"#table tbody tr > :nth-child({place + 1})")
    return cells.evaluate_all("cells => cells.slice(0, 20).map((cell) => cell.innerText)")


def shown(page):
    return page.locator("#shown").inner_text()


def test_the_page_needs_nothing_but_itself_and_complains_of_nothing(opened, file):
    assert opened.requests == [file.as_uri()]
    assert opened.complaints == []


def test_a_students_name_is_text_wherever_it_shows(page):
    page.fill("#search", "onerror")
    assert column(page, 0)[0] == HOSTILE
    assert page.title() == "Class report"
    assert page.locator("img").count() == 0


def test_four_hundred_students_are_one_small_file_of_which_little_is_laid_out(page, file):
    assert file.stat().st_size < 2_000_000
    assert page.locator("#table tbody tr").count() <= 200
    assert page.locator("#map-grid .row").count() == STUDENTS + 2
    far = page.locator("#map-grid > div").last
    assert far.evaluate("element => getComputedStyle(element).contentVisibility") == "auto"


def test_the_rest_of_a_long_table_comes_when_it_is_asked_for(page):
    before = page.locator("#table tbody tr").count()
    page.locator("#more").press("Enter")
    assert page.locator("#table tbody tr").count() > before
    assert "left)" in page.locator("#more").inner_text()


def test_a_heading_sorts_by_mouse_and_by_keyboard_and_says_how(page):
    heading = page.locator("#table thead th").nth(2)
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    rising = column(page, 2)
    heading.locator("button").press("Enter")
    assert heading.get_attribute("aria-sort") == "descending"
    assert float(column(page, 2)[0].split(" /")[0]) > float(rising[0].split(" /")[0])
    page.locator("#table thead button").first.press("Space")
    assert page.locator("#table thead th[aria-sort]").count() == 1


def test_numbers_sort_by_value(page):
    heading = page.locator("#table thead button").nth(5)
    heading.click()
    heading.click()
    assert column(page, 5)[0] == "0.50 s"


def test_search_finds_by_all_its_words(page):
    page.fill("#search", "STUDENT 017 l3-2")
    assert shown(page) == "1 of 4,000 submissions"
    assert column(page, 0) == ["student 017"]
    assert column(page, 1) == ["3 · Lesson"]


def test_filters_narrow_down_by_lesson_status_and_misconception(page):
    page.select_option("#rows", "answers")
    assert shown(page).endswith(" answers")
    page.select_option("#lesson", label="2 · Lesson")
    page.select_option("#status", "failed")
    page.select_option("#finding", "l2-1/ignores-grad-output")
    assert set(column(page, 1)) == {"Title of l2-1 l2-1"}
    assert set(column(page, 2)) == {"✗ not right yet"}
    page.locator("#clear").click()
    assert " of " not in shown(page)


def test_a_row_can_be_a_students(page):
    page.select_option("#rows", "students")
    assert shown(page) == "400 students"
    page.fill("#search", "student 007")
    assert column(page, 0) == ["student 007"]
    assert re.fullmatch(r"\d+%", column(page, 1)[0])


def test_what_stopped_many_answers_is_said_once_with_their_number(page):
    page.fill("#search", "student 007")
    assert "! l0-5: stopped by an error" in page.inner_text("#table tbody")
    page.select_option("#rows", "students")
    said = page.inner_text("#table tbody")
    assert re.search(r"! \d+ answers: stopped by an error", said)
    assert "l0-5" not in said


def test_points_set_by_hand_are_marked(page):
    page.fill("#search", "student 000 l0-0")
    assert "set by hand" in column(page, 2)[0]
    assert (
        "Shown in the oral exam."
        in page.locator("section", has_text="set by hand").last.inner_text()
    )


def test_slash_searches_escape_clears_and_tab_first_meets_the_skip_link(chromium, file):
    watched = Watched(chromium, file.as_uri())
    page = watched.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("/")
    page.keyboard.type("student 001")
    assert shown(page) == "10 of 4,000 submissions"
    page.keyboard.press("Escape")
    assert shown(page) == "4,000 submissions"
    watched.context.close()


def test_a_cell_of_the_map_has_a_sign_and_tells_itself_in_words(page):
    page.select_option("#map-order", "name")
    grid = page.locator("#map-grid")
    grid.focus()
    for key in ("ArrowDown", "Home", "PageUp", "ArrowDown", "ArrowDown", "ArrowRight"):
        grid.press(key)
    cell = page.locator("#map-active")
    told = cell.get_attribute("aria-label")
    assert grid.get_attribute("aria-activedescendant") == "map-active"
    assert page.locator("#map-note").inner_text() == told
    assert re.match(r"student \d+, l0-1: (.) [a-z ]+, \d of 4", told)
    assert f": {cell.inner_text()} " in told
    grid.press("Enter")
    assert shown(page).startswith("1 of ")
    assert column(page, 0)[0] in told


def test_the_map_can_begin_with_the_weakest(page):
    def first():
        cells = page.locator("#map-grid [role=rowgroup]:nth-child(2) .row").first.locator("i")
        return cells.all_inner_texts().count("✓")

    page.select_option("#map-order", "best")
    best = first()
    page.select_option("#map-order", "worst")
    assert first() < best
    page.select_option("#map-order", "name")


def test_the_rarer_misconceptions_come_when_they_are_asked_for(page):
    assert page.locator(".ideas li").count() == 10
    page.locator("[data-rest] > summary").click()
    rest = page.locator("[data-rest] .ideas li")
    rest.first.wait_for()
    assert rest.count() == 50
    assert rest.first.locator(".rank").inner_text() == "11"
    held = rest.first.locator(".held strong").inner_text().split()[0]
    rest.first.locator("button", has_text="table").click()
    assert shown(page).startswith(f"{held} of ")


def test_a_misconception_tells_who_holds_it_and_shows_an_example(page):
    idea = page.locator(".ideas li", has=page.locator("pre")).first
    idea.locator("summary", has_text="An example").click()
    assert HOSTILE in idea.locator("pre").inner_text()
    idea.locator("summary", has_text="Who").click()
    idea.locator("[data-who] a").first.wait_for()
    holders = idea.locator("[data-who] a").count()
    assert idea.locator(".held strong").inner_text() == f"{holders} students"
    idea.locator("button", has_text="table").click()
    assert shown(page).startswith(f"{holders} of ")


@pytest.mark.parametrize("width", [1280, 400])
def test_nothing_but_tables_scrolls_sideways(chromium, file, width):
    watched = Watched(chromium, file.as_uri(), viewport={"width": width, "height": 800})
    assert watched.page.evaluate("document.documentElement.scrollWidth") == width
    watched.context.close()


LOWEST_CONTRAST = """() => {
  const part = (value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = (colour) => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).map((value) => part(value / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const style = (element) => getComputedStyle(element);
  const contrast = (element) => {
    let behind = element;
    while (style(behind).backgroundColor === "rgba(0, 0, 0, 0)") behind = behind.parentElement;
    const both = [light(style(element).color), light(style(behind).backgroundColor)];
    return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
  };
  return [...document.querySelectorAll(".chip, .legend i:not(.none), .muted, .idea p, a, h1")]
    .map((element) => [contrast(element), element.className, element.textContent])
    .reduce((one, other) => (other[0] < one[0] ? other : one));
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_what_is_behind_them(chromium, file, scheme):
    watched = Watched(chromium, file.as_uri(), color_scheme=scheme)
    contrast, *what = watched.page.evaluate(LOWEST_CONTRAST)
    assert contrast >= 4.5, what
    background = watched.page.evaluate("getComputedStyle(document.body).backgroundColor")
    red = int(re.search(r"\d+", background)[0])
    assert (red < 60) == (scheme == "dark")
    watched.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_idea_can_be_read_whatever_the_status(chromium, tmp_path, scheme):
    path = tmp_path / "ada.html"
    ideas = [replace(misled(f"e{status}"), status=status) for status in STATUSES]
    path.write_text(feedback_page("ada", [grading("ada", ideas)]), encoding="utf-8")
    watched = Watched(chromium, path.as_uri(), color_scheme=scheme)
    assert watched.page.locator(".idea").count() == len(STATUSES)
    contrast, *what = watched.page.evaluate(LOWEST_CONTRAST)
    assert contrast >= 4.5, what
    watched.context.close()


def test_names_take_the_room_that_few_exercises_leave(chromium, tmp_path):
    path = tmp_path / "report.html"
    few = [grading(f"a student of the year {year}") for year in range(2024, 2027)]
    path.write_text(report_page(summarize(few)), encoding="utf-8")
    watched = Watched(chromium, path.as_uri())
    row = watched.page.locator("#map-grid .row:has(i)").last
    name = row.locator(".name")
    assert name.evaluate("element => element.scrollWidth <= element.clientWidth")
    heading = watched.page.locator("#map-grid .id")
    assert heading.bounding_box()["x"] == row.locator("i").bounding_box()["x"]
    watched.context.close()


def test_a_name_without_an_end_leaves_the_map_beside_the_others(chromium, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(report_page(summarize([grading("ada"), grading("n" * 240)])), encoding="utf-8")
    watched = Watched(chromium, path.as_uri())
    assert watched.page.locator("#map-grid .row i").first.bounding_box()["x"] < 450
    watched.context.close()


def test_print_has_the_whole_map_and_no_controls(chromium, file):
    watched = Watched(chromium, file.as_uri())
    page = watched.page
    grid = page.locator("#map-grid")
    assert grid.locator("i").count() < STUDENTS * 60
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert grid.locator("i").count() == STUDENTS * 60
    page.emulate_media(media="print")
    assert not page.locator("#search").is_visible()
    assert not page.locator("button[data-show]").first.is_visible()
    far = page.locator("#map-grid > div").last
    assert far.evaluate("element => getComputedStyle(element).contentVisibility") == "visible"
    assert grid.evaluate("element => element.scrollHeight <= element.clientHeight + 1")
    watched.context.close()


@pytest.mark.parametrize("width", [1280, 400])
def test_feedback_opens_without_script_and_unfolds_hints(chromium, tmp_path, width):
    own = grading("ada", [replace(misled(), section="The chain"), stopped("fn-exp")])
    path = tmp_path / "ada.html"
    path.write_text(feedback_page("ada", [own]), encoding="utf-8")
    size = {"width": width, "height": 800}
    watched = Watched(chromium, path.as_uri(), viewport=size, java_script_enabled=False)
    page = watched.page
    hint = page.locator("details.hint").first
    assert not hint.locator("p").is_visible()
    hint.locator("summary").press("Enter")
    assert hint.locator("p").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert (watched.requests, watched.complaints) == ([path.as_uri()], [])
    watched.context.close()

"""A notebook that was opened again, or became a page: the stepper lives there without a kernel."""

import json

import pytest

from lessons.widgets.stepper.standalone import standalone_html
from tests.browser.stepper_stories import log_sin

STILL = {"text/plain": "x1 <1.>", "image/svg+xml": '<svg><text id="still">still</text></svg>'}


@pytest.fixture
def shown(chromium, tmp_path):
    contexts = []

    def show(body, **options):
        file = tmp_path / "page.html"
        page_style = "<style>button, input, p, svg, td { display: none; color: red }</style>"
        file.write_text(f'<!doctype html><meta charset="utf-8">{page_style}{body}', "utf-8")
        context = chromium.new_context(viewport={"width": 1100, "height": 1000}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.complaints, page.asked = [], []
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto(file.as_uri())
        return page

    yield show
    for context in contexts:
        context.close()


def test_the_page_steps_asks_and_judges_without_a_kernel_or_a_network(shown):
    page = shown(standalone_html(log_sin(), STILL))
    page.locator(".al-stepper").focus()
    page.keyboard.press("End")
    assert page.locator(".count").inner_text() == "8 / 9"
    page.locator(".gate input").fill("0.4546")
    page.locator(".gate .commit").click()
    assert "one-path" in page.locator(".gate.wrong").inner_text()
    page.locator("select[aria-label=Variant]").select_option("overwrite")
    assert page.locator(".says").inner_text().startswith("The sine's share overwrites")
    assert page.complaints == []
    assert len(page.asked) == 1


def test_where_scripts_do_not_run_the_figure_and_the_text_stay(shown):
    page = shown(standalone_html(log_sin(), STILL), java_script_enabled=False)
    assert page.locator("#still").count() == 1
    assert page.locator("pre").text_content() == "x1 <1.>"
    assert page.locator(".al-stepper").count() == 0


def test_an_output_that_is_on_the_page_twice_lives_twice(shown):
    page = shown(standalone_html(log_sin(), STILL) * 2)
    assert page.locator(".al-stepper").count() == 2
    page.locator("button.forward").first.click()
    assert page.locator(".count").all_inner_texts() == ["2 / 9", "1 / 9"]


def test_nothing_in_a_story_ends_the_script(shown):
    told = log_sin()
    hostile = "</script><!-- <script><b>bold</b>"
    told["title"] = hostile
    page = shown(standalone_html(told, STILL | {"text/plain": hostile}))
    assert page.locator("h2").inner_text() == hostile
    assert page.locator("b", has_text="bold").count() == 0
    assert page.complaints == []


def test_the_same_story_is_the_same_page():
    pages = {standalone_html(json.loads(json.dumps(log_sin())), STILL) for _ in range(2)}
    assert len(pages) == 1

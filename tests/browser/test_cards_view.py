"""The cards' page half in a real browser; the kernel's half answers as it does in a notebook."""

import base64

import pytest

from graders import check, progress
from graders.check import forget_hints
from graders.exercise import load
from graders.exercises.fn_square import ForgetsTheTwo
from graders.progress.kept import VARIABLE
from lessons.widgets import reveal
from lessons.widgets.prediction import forget_predictions

widget = pytest.importorskip("graders.widget", reason="anywidget is not installed")
SCRIPT = (widget.STATIC / "card.js").read_text(encoding="utf-8")
STYLE = (widget.STATIC / "card.css").read_text(encoding="utf-8")
TRAITS = ("html", "note", "answered")
RIGHT = load("fn-square").reference
DARK = (
    "--jp-layout-color0:#000;--jp-layout-color1:#111;--jp-layout-color2:#333;"
    "--jp-layout-color3:#444;--jp-ui-font-color1:#eee;--jp-content-link-color:#8cf;"
    "--jp-border-color0:#999;--jp-border-color1:#999;--jp-brand-color1:#4af"
)

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A notebook</title>
<style>{style}:root{{{theme}}}body{{background:var(--jp-layout-color1,#fff)}}</style></head><body>
<div class="jp-Notebook"><div style="height:2000px"></div>
<h3>Exercise: A product of two tensors<a href="#x">¶</a></h3>
<h2>Forward and backward: what lies between</h2><div style="height:2000px"></div>
<div id="card"></div></div></body></html>"""

# A model as anywidget gives it: state, events, and messages, answered a moment later.
OPEN = """async ([address, state]) => {
  const listeners = {};
  window.keys = [];
  document.addEventListener("keydown", (event) => keys.push(event.key));
  window.model = {
    get: (name) => state[name],
    on: (name, heard) => (listeners[name] ??= new Set()).add(heard),
    off: (name, heard) => listeners[name].delete(heard),
    send: (content) => {
      if (window.gone) throw new Error("no comm");
      if (!window.silent) window.kernel(content).then(model.change);
    },
    change: (news) => {
      const changed = Object.keys(news).filter((name) => state[name] !== news[name]);
      Object.assign(state, news);
      for (const name of changed) for (const heard of listeners[`change:${name}`] ?? []) heard();
    },
    listening: () => Object.values(listeners).reduce((sum, each) => sum + each.size, 0),
  };
  const { default: view } = await import(address);
  window.close_ = view.render({ model, el: document.querySelector("#card") });
}"""


@pytest.fixture(autouse=True)
def _no_progress(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "data"))
    forget_hints()
    forget_predictions()


@pytest.fixture(scope="module")
def browser_context(chromium):
    context = chromium.new_context(viewport={"width": 900, "height": 600})
    yield context
    context.close()


def state(card):
    return {name: getattr(card, name) for name in TRAITS}


@pytest.fixture
def opened(browser_context, live):
    page = browser_context.new_page()
    page.set_default_timeout(10_000)
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))

    def answer(card, content):
        card._hear(card, content, [])
        return state(card)

    def opened(shown, theme=""):
        card = live(shown)
        page.set_content(PAGE.format(style=STYLE, theme=theme))
        page.expose_function("kernel", lambda content: answer(card, content))
        code = base64.b64encode(SCRIPT.encode()).decode()
        page.evaluate(OPEN, [f"data:text/javascript;base64,{code}", state(card)])
        page.card = card
        return page

    yield opened
    page.close()
    assert complaints == []


def prediction(**options):
    because = {24: "You let backward overwrite."}
    return reveal(..., 48, because, "Gradients add up.", **options)


def focus(page):
    return page.evaluate("document.activeElement.className")


def checking(solution):
    names = {"check": check, "Square": solution}
    exec("card = check('fn-square')", names)
    return names["card"], names


def test_a_wrong_prediction_names_the_idea_and_the_form_is_gone(opened):
    page = opened(prediction())
    page.get_by_label("Your prediction").get_by_role("textbox").fill("24")
    page.get_by_role("button", name="Commit").click()

    page.get_by_text("Not what happens").wait_for()
    text = page.locator(".al-card").inner_text()
    assert "You predicted 24. What happens: 48." in text
    assert "You let backward overwrite." in text
    assert page.locator("form[data-al-do=commit]").count() == 0


def test_a_right_prediction_is_committed_with_the_keyboard_alone(opened):
    page = opened(prediction())
    page.keyboard.press("Tab")
    while focus(page) != "al-answer":
        page.keyboard.press("Tab")
    page.keyboard.type("48.0")
    page.keyboard.press("Enter")

    page.get_by_text("Predicted right").wait_for()
    assert "al-card passed" in focus(page)


def test_choices_are_made_with_arrows_and_committed_with_enter(opened):
    page = opened(reveal(..., True, because={False: "It does."}))
    page.locator("input[type=radio]").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("input:checked").get_attribute("value") == "False"
    page.keyboard.press("Enter")
    page.get_by_text("You predicted False. What happens: True.").wait_for()


def test_each_part_of_an_answer_has_its_own_choice(opened):
    guess, truth = {"Sine": ..., "Attaches": ...}, {"Sine": "error", "Attaches": "wrong"}
    page = opened(reveal(guess, truth, choices=("right", "wrong", "error")))
    for part, choice in truth.items():
        group = page.get_by_role("group", name=part)
        group.get_by_text(choice).click()
    page.get_by_role("button", name="Commit").click()
    page.get_by_text("Predicted right").wait_for()


def test_nothing_is_committed_before_there_is_an_answer(opened):
    page = opened(prediction())
    page.get_by_role("button", name="Commit").click()
    assert page.card.answered == 0

    page.locator(".al-answer").fill(" ... ")
    page.keyboard.press("Enter")
    page.get_by_text("There is no answer in it yet.").wait_for()
    assert page.get_by_role("status").count() == 1
    assert page.locator("form").count() == 1


def test_what_is_typed_here_is_no_command_to_the_notebook_but_saving_is(opened):
    page = opened(prediction())
    page.locator(".al-answer").focus()
    page.keyboard.type("dd")
    page.keyboard.press("Control+s")
    assert page.evaluate("keys") == ["Control", "s"] or page.evaluate("keys") == ["s"]
    assert page.locator(".al-answer").input_value() == "dd"

    page.keyboard.press("Escape")
    assert focus(page) == ""


def test_the_answer_can_be_unfolded_without_a_prediction(opened):
    page = opened(prediction())
    assert not page.get_by_text("48", exact=True).is_visible()
    page.get_by_text("Show the answer without a prediction").click()
    assert page.get_by_text("48", exact=True).is_visible()


def test_a_result_is_told_to_those_who_do_not_see_it(opened):
    page = opened(prediction())
    page.locator(".al-answer").fill("24")
    page.keyboard.press("Enter")
    page.get_by_text("Not what happens").wait_for()
    assert page.locator("[aria-live=polite] section").get_attribute("aria-label") == (
        "Prediction: Not what happens"
    )


@pytest.mark.parametrize("theme", ["", DARK])
def test_words_stand_out_from_what_is_behind_them_in_both_themes(opened, theme):
    page = opened(prediction(), theme)
    for selector in (".al-card p", ".al-answer", "button", "summary", "label"):
        seen = page.locator(selector).first.evaluate(CONTRAST)
        assert seen >= 4.5, f"{selector}: {seen}"


@pytest.mark.parametrize("theme", ["", DARK])
def test_signs_of_right_and_wrong_parts_differ_in_colour_and_are_legible(opened, theme):
    page = opened(checking(ForgetsTheTwo)[0], theme)
    right, wrong = (page.locator(f".al-{state}").first for state in ("right", "wrong"))
    assert (right.inner_text(), wrong.inner_text()) == ("✓", "✗")
    colours = [each.evaluate("each => getComputedStyle(each).color") for each in (right, wrong)]
    assert colours[0] != colours[1]
    assert min(each.evaluate(CONTRAST) for each in (right, wrong)) >= 4.5


CONTRAST = """(element) => {
  const numbers = (colour) => {
    const found = colour.match(/[\\d.]+/g).map(Number);
    return colour.startsWith("color(") ? found.map((c, i) => (i < 3 ? 255 * c : c)) : found;
  };
  const light = ([r, g, b]) => [r, g, b]
    .map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  let behind = [255, 255, 255];
  const above = [];
  for (let each = element; each; each = each.parentElement) above.unshift(each);
  for (const each of above) {
    const [r, g, b, a = 1] = numbers(getComputedStyle(each).backgroundColor);
    behind = [r, g, b].map((c, i) => c * a + behind[i] * (1 - a));
  }
  const [one, other] = [light(numbers(getComputedStyle(element).color)), light(behind)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}"""


@pytest.mark.parametrize(
    "typed", ["<img src=x onerror=alert(1)>", '"><script>alert(1)</script>', "{{alert(1)}}"]
)
def test_what_a_learner_types_stays_text(opened, typed):
    page = opened(reveal(..., "works"))
    page.locator(".al-answer").fill(typed)
    page.keyboard.press("Enter")
    page.get_by_text("Not what happens").wait_for()
    assert typed in page.locator(".al-card").inner_text()
    assert page.locator("#card :is(img, script)").count() == 0


def test_a_note_is_text_with_code_in_backticks(opened):
    page = opened(prediction())
    page.evaluate("model.change({note: 'See `<img src=x onerror=alert(1)>`.'})")
    assert page.locator(".al-note code").inner_text() == "<img src=x onerror=alert(1)>"
    assert page.locator("#card img").count() == 0


def test_check_again_shows_what_is_found_now_and_keeps_the_keyboards_place(opened):
    card, names = checking(ForgetsTheTwo)
    page = opened(card)
    assert "partly right" in page.locator(".al-card").inner_text()

    names["Square"] = RIGHT
    page.get_by_role("button", name="Check again").focus()
    page.keyboard.press("Enter")
    page.get_by_text("Everything is right.").wait_for()
    assert focus(page) == "al-again"


def test_the_same_solution_is_told_to_be_the_same(opened):
    card, _ = checking(ForgetsTheTwo)
    page = opened(card)
    button = page.get_by_role("button", name="Check again")
    button.click()
    page.get_by_text("is the same as before").wait_for()
    assert button.get_attribute("aria-disabled") is None
    assert focus(page) == "al-again"


def test_earlier_hints_can_be_read_again(opened):
    card, names = checking(ForgetsTheTwo)
    page = opened(card)
    names["Square"] = lambda x: x
    page.get_by_role("button", name="Check again").click()
    page.get_by_text("Hint 2 of 3").wait_for()
    hint = load("fn-square").hints[0].replace("`", "")
    assert not page.get_by_text(hint).is_visible()
    page.get_by_text("Earlier hint").click()
    assert page.get_by_text(hint).is_visible()


def test_a_kernel_that_does_not_answer_is_waited_for_in_words(opened):
    card, _ = checking(ForgetsTheTwo)
    page = opened(card)
    page.clock.install()
    page.evaluate("window.silent = true")
    button = page.get_by_role("button", name="Check again")
    button.click()
    assert page.locator("#card").get_attribute("aria-busy") == "true"
    assert button.get_attribute("aria-disabled") == "true"

    page.clock.fast_forward(5_000)
    page.get_by_text("The kernel has not answered yet.").wait_for()
    page.evaluate("model.change({answered: 1, note: 'Here I am.'})")
    assert page.locator(".al-note").inner_text() == "Here I am."
    assert page.locator("#card").get_attribute("aria-busy") is None


@pytest.mark.parametrize(
    "gone",
    [
        "window.gone = true",
        "document.querySelector('#card').classList.add('jupyter-widgets-disconnected')",
    ],
)
def test_a_kernel_that_is_gone_is_told(opened, gone):
    card, _ = checking(ForgetsTheTwo)
    page = opened(card)
    page.evaluate(gone)
    page.get_by_role("button", name="Check again").click()
    page.get_by_text("The kernel that made this card has gone.").wait_for()
    assert page.locator("#card").get_attribute("aria-busy") is None


def test_the_lessons_line_follows_and_its_steps_lead_to_their_exercises(opened):
    page = opened(progress("07"))
    assert "0 of 10 exercises passed" in page.locator(".al-lesson").inner_text()
    check("fn-square", RIGHT)
    page.evaluate("(html) => model.change({html})", page.card.html)
    assert "1 of 10 exercises passed" in page.locator(".al-lesson").inner_text()
    assert page.locator(".al-step.passed").inner_text() == "✓"

    page.get_by_role("link", name="A product of two tensors").first.click()
    heading = page.locator("h3")
    page.wait_for_function("document.querySelector('h3').getBoundingClientRect().top < 5")
    assert heading.is_visible()


def test_who_looks_at_the_old_card_no_more_listens_no_more(opened):
    page = opened(prediction())
    assert page.evaluate("model.listening()") == 3
    assert page.evaluate("(close_(), model.listening())") == 0

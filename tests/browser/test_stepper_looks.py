"""How the stepper looks: themes, widths, motion, zoom, and text that never covers text."""

import pytest

from tests.browser.stepper_stories import chain, log_sin, stale, unasked

# Text that covers text: every pair of boxes of visible texts that share more than a hair.
COVERED = """() => {
  const boxes = [...document.querySelectorAll(".drawing text")]
    .filter((text) => text.getClientRects().length && !text.closest(".mover"))
    .map((text) => [text.textContent, text.getBoundingClientRect()]);
  const pairs = [];
  boxes.forEach(([one, a], place) => {
    for (const [other, b] of boxes.slice(place + 1)) {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 1 && high > 2.5) pairs.push([one, other]);
    }
  });
  return pairs;
}"""
# Text that leaves its node.
ESCAPED = """() => [...document.querySelectorAll(".node")].flatMap((node) => {
  const body = node.querySelector(".body")?.getBoundingClientRect();
  return [...node.querySelectorAll("text")]
    .filter((text) => {
      const box = text.getBoundingClientRect();
      return box.left < body.left || box.right > body.right || box.bottom > body.bottom + 1;
    })
    .map((text) => text.textContent);
})"""
CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (color, under) => {
    for (const layer of [under, color]) { canvas.fillStyle = layer; canvas.fillRect(0, 0, 1, 1); }
    const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const ground = (one) => {
    const color = getComputedStyle(one).backgroundColor;
    return /^rgba|\\/ 0/.test(color) ? ground(one.parentElement) : color;
  };
  const words = "p, h2, h3, dt, dd, th, td, li, b, small, .foot, .row, .label, .name, .aside";
  return [...document.querySelectorAll(`.al-stepper :is(${words})`)]
    .filter((one) => one.textContent.trim() && one.getClientRects().length)
    .map((one) => {
      const style = getComputedStyle(one);
      const ink = light(one.namespaceURI.endsWith("svg") ? style.fill : style.color, "#fff");
      const under = light(ground(one), "#fff");
      const ratio = (Math.max(ink, under) + 0.05) / (Math.min(ink, under) + 0.05);
      return [one.textContent, ratio];
    })
    .filter(([text, ratio]) => ratio < 4.5);
}"""
STORIES = {"log and sin": unasked, "stale": stale, "sixty nodes": chain}


def long_texts():
    """Names, numbers and reasons that no box was made for."""
    told = unasked()
    for node in told["nodes"]:
        node["name"] += "_with_a_name_that_goes_on"
        node["shape"] = "(128, 3, 224, 224)"
    for step in told["steps"]:
        for change in step["changes"]["nodes"].values():
            for key in change.keys() & {"value", "grad", "sum"}:
                change[key] = "[" + ", ".join([change[key]] * 9) + "]"
        for change in step["changes"]["edges"].values():
            for key in change.keys() & {"upstream", "local", "contribution"}:
                change[key] = "[" + ", ".join([change[key]] * 4) + "]"
    return told


@pytest.mark.parametrize("width", [680, 1100])
@pytest.mark.parametrize("make", [*STORIES.values(), long_texts], ids=[*STORIES, "long texts"])
def test_no_text_covers_another_and_none_leaves_its_node(stepped, make, width):
    told = make()
    page = stepped(told, width=width, reduced_motion="reduce")
    for position in range(0, len(told["steps"]), 1 + len(told["steps"]) // 10):
        page.set("position", position)
        assert page.page.evaluate(COVERED) == []
        assert page.page.evaluate(ESCAPED) == []


@pytest.mark.parametrize("width", [680, 1100])
def test_nothing_sticks_out_sideways(stepped, width):
    page = stepped(log_sin(), width=width)
    page.set("position", 7)
    assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    words, graph = (page.at(part).bounding_box() for part in (".says", ".graph"))
    assert (words["y"] < graph["y"]) == (width == 680)
    assert (words["x"] > graph["x"] + graph["width"]) == (width == 1100)


def places(page):
    """How high the stepper is, and where in it the memory is and ends."""
    # What depends on the size of something is settled when the next frame is drawn.
    page.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    boxes = [part.bounding_box() for part in (page.root, *page.at(".memory").all())]
    return [box["height"] for box in boxes] + [box["y"] - boxes[0]["y"] for box in boxes]


@pytest.mark.parametrize("width", [680, 800, 1100])
@pytest.mark.parametrize("make", [log_sin, stale], ids=["log and sin", "stale"])
def test_nothing_below_moves_from_the_first_step_to_the_last(stepped, make, width):
    told = make()
    page = stepped(told, width=width, reduced_motion="reduce")
    seen = [places(page)]
    for position in range(len(told["steps"])):
        page.set("position", position)
        seen.append(places(page))
        if page.at(".gate.asking").count():
            page.press("ArrowRight")
            seen.append(places(page))
            page.set("committed", page.get("committed") | {f"q{position - 6}": "0.4546"})
            seen.append(places(page))
    assert all(each == pytest.approx(seen[0], abs=0.1) for each in seen)


def test_the_room_fits_when_the_window_and_the_variant_change(stepped):
    page = stepped(log_sin(), reduced_motion="reduce")
    wide = page.root.evaluate("root => root.offsetHeight")
    page.page.set_viewport_size({"width": 480, "height": 1000})
    page.page.wait_for_function(
        "wide => document.querySelector('.al-stepper').offsetHeight > wide + 100", arg=wide
    )
    page.page.set_viewport_size({"width": 1100, "height": 1000})
    page.page.wait_for_function(
        "wide => document.querySelector('.al-stepper').offsetHeight === wide", arg=wide
    )
    assert page.at(".ruler").count() == 0


LAB = "body {{ --jp-layout-color1: {ground}; --jp-ui-font-color1: {ink} }}"


@pytest.mark.parametrize("told", [unasked, stale], ids=["log and sin", "stale"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_words_stand_out_from_their_ground(stepped, told, scheme):
    page = stepped(told(), color_scheme=scheme, reduced_motion="reduce")
    assert page.root.get_attribute("data-theme") == scheme
    for key in ("Home", "End", "ArrowLeft"):
        page.press(key)
        assert page.page.evaluate(CONTRAST) == []


def test_jupyterlabs_theme_comes_before_the_systems_and_may_change(stepped):
    dark = LAB.format(ground="#111111", ink="rgba(255,255,255,0.87)")
    page = stepped(unasked(), color_scheme="light", page_style=dark)
    assert page.root.get_attribute("data-theme") == "dark"
    assert page.root.evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(17, 17, 17)"
    page.page.evaluate(
        "document.body.style.setProperty('--jp-layout-color1', 'white');"
        "document.body.dataset.jpThemeLight = 'true'"
    )
    page.page.wait_for_selector(".al-stepper[data-theme=light]")


def test_contributions_travel_and_new_parts_enter_gently(stepped):
    page = stepped(unasked())
    page.press("ArrowRight")
    assert page.at('.node[data-id="y"].entering').count() == 1
    page.set("position", 5)
    page.press("ArrowRight")
    assert page.at(".mover.vjp").all_text_contents() == ["0.4546"]
    page.page.wait_for_selector(".mover", state="detached")
    page.press("ArrowLeft")
    assert page.at(".mover").count() == 0


def test_an_answer_sends_the_contribution_on_its_way(stepped):
    page = stepped(log_sin())
    page.set("position", 7)
    assert page.at(".mover").count() == 0
    page.at(".gate .skip").click()
    assert page.at(".mover.vjp").all_text_contents() == ["-0.2884"]


def test_with_reduced_motion_nothing_moves(stepped):
    page = stepped(unasked(), reduced_motion="reduce")
    for _ in range(8):
        page.press("ArrowRight")
        assert page.at(".mover, .entering").count() == 0
        assert page.page.evaluate("document.getAnimations().length") == 0


def width_of_z(page):
    return page.at('.node[data-id="x1"]').bounding_box()["width"]


def test_the_graph_zooms_by_buttons_keys_and_wheel_and_fits_again(stepped):
    page = stepped(unasked(), reduced_motion="reduce")
    fitted = width_of_z(page)
    page.at("button[aria-label='Zoom in']").click()
    assert width_of_z(page) == pytest.approx(1.25 * fitted, rel=0.02)
    page.press("-")
    assert width_of_z(page) == pytest.approx(fitted, rel=0.02)
    page.at(".drawing").hover()
    page.page.mouse.wheel(0, -120)
    assert width_of_z(page) == pytest.approx(fitted, rel=0.02)
    page.page.keyboard.down("Control")
    page.page.mouse.wheel(0, -120)
    page.page.keyboard.up("Control")
    page.page.wait_for_function(
        "wide => document.querySelector('.node').getBoundingClientRect().width > wide",
        arg=1.2 * fitted,
    )
    page.at("button[aria-label='Fit the whole graph']").click()
    assert width_of_z(page) == pytest.approx(fitted, rel=0.02)


def turned(page, by):
    """How much wider a node gets by one turn of the wheel with Control, which a pinch is, too."""
    page.at(".drawing").hover()
    before = width_of_z(page)
    page.at(".drawing").evaluate(
        "(pane, deltaY) => pane.dispatchEvent(new WheelEvent('wheel',"
        " { deltaY, ctrlKey: true, clientX: 200, clientY: 300, cancelable: true }))",
        by,
    )
    return width_of_z(page) / before


def test_a_pinch_on_a_trackpad_zooms_as_far_as_the_fingers_go(stepped):
    page = stepped(unasked(), reduced_motion="reduce")
    assert turned(page, -5) == pytest.approx(1.06, abs=0.01)
    assert turned(page, 5) == pytest.approx(1 / 1.06, abs=0.01)
    assert turned(page, -120) == pytest.approx(1.34, abs=0.01)
    assert turned(page, -400) == pytest.approx(1.34, abs=0.01)


class Fingers:
    """Touches on the pane of a page, as the browser's own input has them."""

    def __init__(self, page):
        self.page = page
        self.box = page.at(".drawing").bounding_box()
        self.session = page.context.new_cdp_session(page.page)

    def at(self, *places):
        return [
            {"x": self.box["x"] + x, "y": self.box["y"] + y, "id": number}
            for number, (x, y) in enumerate(places)
        ]

    def send(self, kind, *places):
        event = {"type": kind, "touchPoints": self.at(*places)}
        self.session.send("Input.dispatchTouchEvent", event)

    def move(self, start, end, steps=4):
        self.send("touchStart", *start)
        for step in range(1, steps + 1):
            share = step / steps
            pairs = zip(start, end, strict=True)
            self.send(
                "touchMove",
                *[(a + (c - a) * share, b + (d - b) * share) for (a, b), (c, d) in pairs],
            )
        self.send("touchEnd")


def place_of_z(page):
    return page.at('.node[data-id="x1"]').bounding_box()


def test_two_fingers_stretch_the_graph_between_them_and_move_it(stepped):
    page = stepped(unasked(), reduced_motion="reduce", has_touch=True)
    before = place_of_z(page)
    fingers = Fingers(page)
    fingers.move([(100, 200), (200, 200)], [(70, 230), (270, 230)])
    after = place_of_z(page)
    assert after["width"] == pytest.approx(2 * before["width"], rel=0.03)
    # What was in the middle between the fingers has stayed there.
    middle = fingers.box["x"] + 150, fingers.box["y"] + 200
    moved = middle[0] + 20, middle[1] + 30
    assert after["x"] - moved[0] == pytest.approx(2 * (before["x"] - middle[0]), abs=3)
    assert after["y"] - moved[1] == pytest.approx(2 * (before["y"] - middle[1]), abs=3)
    assert page.page.evaluate("visualViewport.scale") == 1


def test_one_finger_leaves_the_graph_as_it_is(stepped):
    page = stepped(unasked(), reduced_motion="reduce", has_touch=True)
    before = place_of_z(page)
    Fingers(page).move([(100, 200)], [(180, 200)])
    after = place_of_z(page)
    assert (after["x"], after["width"]) == (before["x"], before["width"])


@pytest.mark.parametrize("width", [680, 1100])
def test_the_tools_cover_nothing_of_a_graph_that_fits(stepped, width):
    page = stepped(unasked(), width=width, reduced_motion="reduce")
    page.press("End")
    tools = page.at(".tools").bounding_box()
    for node in page.at(".node").all():
        box = node.bounding_box()
        apart = box["x"] + box["width"] < tools["x"] or box["y"] + box["height"] < tools["y"]
        assert apart


def test_the_graph_can_be_dragged(stepped):
    page = stepped(unasked(), reduced_motion="reduce")
    before = page.at('.node[data-id="x1"]').bounding_box()
    pane = page.at(".graph").bounding_box()
    page.page.mouse.move(pane["x"] + 20, pane["y"] + 20)
    page.page.mouse.down()
    page.page.mouse.move(pane["x"] + 80, pane["y"] + 60, steps=4)
    page.page.mouse.up()
    after = page.at('.node[data-id="x1"]').bounding_box()
    assert after["x"] - before["x"] == pytest.approx(60, abs=2)
    assert after["y"] - before["y"] == pytest.approx(40, abs=2)


def test_a_version_that_is_raised_stays_on_the_line_of_its_values(stepped):
    told = stale()
    told["steps"][1]["changes"]["storages"]["s1"]["hidden"] = 0
    page = stepped(told)
    place = next(n for n, step in enumerate(told["steps"]) if "a.add_" in step["says"])
    for position in (place - 1, place):
        page.set("position", position)
        cells, version = (
            page.at(f".storage:has-text('B') {part}").bounding_box()
            for part in (".cells", ".version")
        )
        assert cells["y"] < version["y"] + version["height"] / 2 < cells["y"] + cells["height"]
    assert "bumped" in page.at(".storage:has-text('B') .version").get_attribute("class")


def test_what_is_stale_current_or_absent_is_told_without_colour(stepped):
    page = stepped(stale(), reduced_motion="reduce")
    page.set("position", 4)
    dashes = "element => getComputedStyle(element).{}"
    assert page.at(".slot .tag-body").evaluate(dashes.format("borderTopStyle")) == "dashed"
    assert page.text(".slot .sign").endswith("STALE")
    absent = page.at('.node[data-id="d"] .body').evaluate(dashes.format("strokeDasharray"))
    assert absent != "none"
    width = page.at(".node.focus .body").evaluate(dashes.format("strokeWidth"))
    assert float(width.removesuffix("px")) > 2

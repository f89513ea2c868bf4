"""The nodes of the graph from the keyboard: reached, told and picked without a mouse."""

from tests.browser.stepper_stories import chain, unasked

FOCUSED = "document.activeElement.dataset.id ?? document.activeElement.className"


def tab_into_graph(page):
    """Go on from the last control before the graph; the node that Tab leads to."""
    page.at("select[aria-label=Speed]").focus()
    page.page.keyboard.press("Tab")
    return page.page.evaluate(FOCUSED)


def press(page, *keys):
    """Press keys where the keyboard is; the node that has it afterwards."""
    for key in keys:
        page.page.keyboard.press(key)
    return page.page.evaluate(FOCUSED)


def test_tab_leads_to_one_node_and_up_and_down_to_the_others(stepped):
    page = stepped(unasked(), reduced_motion="reduce")
    page.set("position", 4)
    assert tab_into_graph(page) == "z"
    walked = [press(page, "ArrowUp") for _ in range(6)]
    assert walked == ["sin", "log", "y", "x2", "x1", "x1"]
    assert press(page, "ArrowDown") == "x2"
    assert page.at(".node[tabindex='0']").evaluate_all("all => all.map((e) => e.dataset.id)") == [
        "x2"
    ]
    page.page.keyboard.press("Tab")
    assert page.page.evaluate("document.activeElement.title") == "Zoom in"
    page.page.keyboard.press("Shift+Tab")
    assert page.page.evaluate(FOCUSED) == "x2"


def test_enter_and_space_pick_a_node_and_let_it_go(stepped):
    page = stepped(unasked(), reduced_motion="reduce")
    page.page.evaluate(
        "window.leaked = []; document.addEventListener('keydown', (e) => leaked.push(e.key))"
    )
    assert tab_into_graph(page) == "x1"
    leaf = page.at('.node[data-id="x1"]')
    assert leaf.get_attribute("role") == "button"
    for key in ("Enter", " "):
        press(page, key)
        assert leaf.get_attribute("aria-pressed") == "true"
        assert page.text(".numbers h3").lower() == "the node you picked"
        assert "requires_grad" in page.text(".facts")
        assert press(page, key) == "x1"
        assert leaf.get_attribute("aria-pressed") == "false"
    assert page.count == "1 / 9"
    assert page.page.evaluate("leaked") == []


def test_the_node_that_has_the_keyboard_has_a_ring_around_it(stepped):
    page = stepped(unasked(), reduced_motion="reduce")
    ring = "node => getComputedStyle(node).outlineStyle"
    page.at('.node[data-id="x2"]').click()
    assert page.at('.node[data-id="x2"]').evaluate(ring) == "none"
    assert tab_into_graph(page) == "x2"
    assert page.at('.node[data-id="x2"]').evaluate(ring) == "solid"
    assert page.at('.node[data-id="x1"]').evaluate(ring) == "none"


def test_left_and_right_go_on_and_back_from_a_node_too(stepped):
    page = stepped(unasked(), reduced_motion="reduce")
    assert tab_into_graph(page) == "x1"
    assert press(page, "ArrowRight", "ArrowRight") == "x1"
    assert page.count == "3 / 9"
    assert press(page, "ArrowLeft") == "x1"
    assert page.count == "2 / 9"


def test_the_keyboard_keeps_a_place_when_its_node_is_not_there_any_more(stepped):
    page = stepped(unasked(), reduced_motion="reduce")
    page.press("End")
    tab_into_graph(page)
    assert press(page, *["ArrowDown"] * 5) == "z"
    assert press(page, "Home") == "x1"
    assert page.at('.node[data-id="z"]').get_attribute("tabindex") is None
    press(page, "ArrowRight")
    assert page.count == "2 / 9"


def test_the_view_follows_the_keyboard_and_the_page_stays(stepped):
    page = stepped(chain(), reduced_motion="reduce")
    page.press("End")
    assert tab_into_graph(page) == "n59"
    pane, top = page.at(".graph").bounding_box(), page.page.evaluate("scrollY")
    for node in range(58, 20, -1):
        assert press(page, "ArrowUp") == f"n{node}"
        box = page.at(f'.node[data-id="n{node}"]').bounding_box()
        assert pane["y"] <= box["y"]
        assert box["y"] + box["height"] <= pane["y"] + pane["height"]
    assert page.page.evaluate("scrollY") == top
    assert page.at(".graph").evaluate("pane => pane.scrollTop") == 0

"""The graph stepper in a real browser, on a bare page: stepping, keys, words, looks."""

import re

import pytest

import autograd_core as torch
from lessons.widgets.stepper import record
from lessons.widgets.stepper.browser_half import joined_module
from tests.browser.stepper_stories import chain, made, stale, story, unasked, went

TIMES = "\N{MULTIPLICATION SIGN}"
HOSTILE = '<img src=x onerror="document.title=1">'


def test_the_joined_module_is_one_module_that_asks_for_nothing():
    assert not re.search(r"^(import|export (?!default))", joined_module(), re.MULTILINE)
    assert joined_module().count("export default") == 1
    assert not re.search(r"\b(fetch|XMLHttpRequest|innerHTML|eval)\b", joined_module())
    assert re.findall(r"https?://[^\"]+", joined_module()) == ["http://www.w3.org/2000/svg"]


def test_steps_forward_show_nodes_their_values_and_then_what_edges_carry(stepped):
    page = stepped(unasked())
    assert (page.count, page.says) == ("1 / 9", "Two leaves are there: x1 and x2.")
    assert page.node("x1") == "x1 leaf value 1. () · leaf · requires grad"
    assert page.node("y") == ""
    page.at("button.forward").click()
    assert page.node("y") == "y MulBackward0 value 2. () · not a leaf · requires grad"
    for _ in range(4):
        page.at("button.forward").click()
    assert page.says.startswith("Backward starts at z")
    assert page.chips() == {
        "log-z": f"1. {TIMES} 0.9093 = 0.9093",
        "sin-z": f"1. {TIMES} 0.6931 = 0.6931",
    }
    assert page.at('.node[data-id="z"] .visited').count() == 1
    page.press("End")
    assert "grad 0.4546 + (-0.2884) = 0.1662" in page.node("y")
    assert "grad 0.3324" in page.node("x1")
    assert page.chips()["log-z"] == "0.9093"
    assert page.chips()["x1-y"] == f"0.1662 {TIMES} 2. = 0.3324"


def test_going_back_undoes_what_going_forward_did(stepped):
    page = stepped(unasked(), reduced_motion="reduce")
    seen = []
    for position in range(9):
        page.set("position", position)
        seen.append(page.root.inner_text())
    for position in reversed(range(9)):
        page.set("position", position)
        assert page.root.inner_text() == seen[position]


def test_arrows_home_end_and_space_work_while_the_stepper_has_the_focus(stepped):
    page = stepped(unasked())
    page.page.evaluate(
        "window.leaked = []; document.addEventListener('keydown', (e) => leaked.push(e.key))"
    )
    page.press("ArrowRight", "ArrowRight")
    assert (page.count, page.get("position")) == ("3 / 9", 2)
    page.press("ArrowLeft")
    assert page.count == "2 / 9"
    page.press("End")
    assert page.count == "9 / 9"
    page.press("Home")
    assert page.count == "1 / 9"
    page.press(" ")
    assert page.at("button.play").get_attribute("aria-label") == "Pause"
    assert page.at("button.play").get_attribute("title") == "Pause (space)"
    page.press(" ")
    assert page.at("button.play").get_attribute("aria-label") == "Play"
    assert page.page.evaluate("leaked") == []


def test_keys_with_a_modifier_and_keys_in_other_places_are_left_alone(stepped):
    page = stepped(unasked())
    page.press("Control+ArrowRight", "Alt+End", "Meta+ArrowRight")
    page.page.evaluate("document.activeElement.blur()")
    page.page.keyboard.press("ArrowRight")
    assert page.count == "1 / 9"


def test_the_scrubber_goes_anywhere_and_says_where_it_is(stepped):
    page = stepped(unasked())
    scrubber = page.at("input[type=range]")
    scrubber.fill("6")
    assert page.says == "Through the logarithm."
    assert page.get("position") == 6
    scrubber.press("ArrowLeft")
    assert page.count == "6 / 9"
    told = scrubber.get_attribute("aria-valuetext")
    assert told.startswith("Step 6 of 9. Backward. Backward starts at")


def test_python_moves_the_view_and_a_position_out_of_range_is_the_nearest(stepped):
    page = stepped(unasked())
    page.set("position", 4)
    assert page.says == "Their product is z."
    page.set("position", 400)
    assert page.count == "9 / 9"


def test_play_goes_on_by_itself_and_stops_at_the_end(stepped):
    page = stepped(unasked())
    page.set("position", 7)
    page.at("select[aria-label=Speed]").select_option("4")
    page.at("button.play").click()
    page.page.wait_for_function("model.get('position') === 8")
    page.page.wait_for_function(
        "document.querySelector('button.play').getAttribute('aria-label') === 'Play'"
    )
    page.at("button.play").click()
    assert page.count == "1 / 9"


def test_the_current_line_and_the_sweeps_are_told(stepped):
    page = stepped(unasked())
    assert page.text(".source [aria-current=step]").split(maxsplit=1)[1].startswith("x1 = torch")
    page.press("End")
    assert page.at(".source [aria-current]").count() == 0
    assert page.text(".sweeps").split() == ["Sweeps", "reverse", "1", "forward", "0"]


def test_the_numbers_of_a_step_are_a_table_too(stepped):
    page = stepped(unasked())
    page.press("End")
    rows = [row.split() for row in page.at(".carried tr").all_inner_texts()]
    assert rows[1] == ["y", "→", "x1", "0.1662", TIMES, "2.", "=", "0.3324"]
    page.at('.node[data-id="x1"]').click()
    assert page.text(".numbers h3").lower() == "the node you picked"
    assert re.search(r"requires_grad\s+True", page.text(".numbers"))


def test_variants_are_other_stories_on_the_same_graph(stepped):
    page = stepped(unasked())
    page.set("position", 7)
    assert "0.4546 + (-0.2884) = 0.1662" in page.node("y")
    page.at("select[aria-label=Variant]").select_option("overwrite")
    assert "grad -0.2884" in page.node("y")
    assert "the last one wins" in page.text(".why-variant")
    assert page.get("variant") == "overwrite"
    page.at("select[aria-label=Variant]").select_option("true")
    assert page.at(".why-variant").is_hidden()
    assert "0.4546 + (-0.2884) = 0.1662" in page.node("y")


def test_memory_shows_aliases_versions_and_the_slot_that_goes_stale(stepped):
    page = stepped(stale())
    page.set("position", 3)
    told = " ".join(page.text(".place >> nth=1").split())
    assert told == (
        "a made by MulBackward0 d detached B 2. 4. … 3 more version 0 "
        "SinBackward0 · self saved at version 0"
    )
    page.press("ArrowRight")
    slot = page.text(".slot")
    assert "STALE" in slot
    assert "saved at version 0, memory is at 1" in slot
    assert page.text(".place >> nth=1").count("version 1") == 1
    page.press("ArrowLeft")
    assert "STALE" not in page.text(".slot")


def test_the_step_where_pytorch_raises_says_its_words(stepped):
    page = stepped(stale())
    page.press("End")
    assert "is at version 1; expected version 0 instead." in page.text("[role=alert]")
    page.press("ArrowLeft")
    assert page.at(".error").count() == 0


def test_of_many_slots_of_one_storage_those_are_shown_that_matter_now(stepped):
    told = stale()
    for place in range(9):
        told["memory"]["slots"].append({"id": f"more{place}", "owner": "Mul", "name": "self"})
        slot = {"shown": True, "storage": "s1", "version": "0", "freed": True}
        told["steps"][2]["changes"]["slots"][f"more{place}"] = slot
    page = stepped(told)
    page.press("End")
    page.press("ArrowLeft")
    assert page.at(".slot").count() == 4
    assert "STALE" in page.text(".slot >> nth=0")
    assert page.text(".slots .rest") == "and 6 more slots"


def test_what_a_long_edge_carries_is_told_where_it_is_looked_for(stepped):
    told = chain(12)
    told["nodes"][0]["name"] = "x"
    ends = {edge["target"]: edge["route"][-1] for edge in told["edges"]}
    long = next(edge for edge in told["edges"] if edge["id"] == "n0-n2")
    start, end = long["route"][0], ends["n11"]
    route = [start, [20, start[1] + 60], [20, end[1] - 60], end]
    long |= {"id": "long", "target": "n11", "route": route}
    carried = {"long": ("1.", "2.", "2.")}
    told["steps"][2]["changes"]["edges"] = {}
    told["steps"].append(went("Backward.", "n11", carried))
    told["steps"][-1]["changes"]["edges"]["long"]["shown"] = True
    told["steps"].append(went("On.", "n10", {}))
    page = stepped(told, reduced_motion="reduce")
    page.set("position", 12)
    assert page.chips() == {"long": f"1. {TIMES} 2. = 2."}
    node, chip = (page.at(one).bounding_box() for one in ('.node[data-id="n11"]', ".chip"))
    assert 0 < node["y"] - chip["y"] < 150
    page.press("ArrowRight")
    assert page.chips() == {}


def kept_square():
    """x = 2, h = 3 x that was asked to keep its gradient, and y = h h: the true story."""
    x = torch.tensor(2.0, requires_grad=True)
    with record() as recording:
        h = 3 * x
        h.retain_grad()
        y = h * h
        y.backward()
    return recording.story


def test_every_variant_of_a_recording_is_shown_and_left_again(stepped):
    told = kept_square() | {"answers": {}}
    page = stepped(told, reduced_motion="reduce")
    for switch in page.at(".ask input").all():
        switch.uncheck()
    page.press("End")
    as_it_is = page.says
    assert len(told["variants"]) > 2
    for variant in told["variants"][1:]:
        page.at("select[aria-label=Variant]").select_option(variant["id"])
        page.press("End")
        assert page.count == f"{len(told['stories'][variant['id']])} / {page.count.split()[-1]}"
        assert variant["label"] in page.text(".why-variant")
        page.at("select[aria-label=Variant]").select_option("true")
        page.press("End")
        assert page.says == as_it_is


def test_what_a_result_keeps_stands_in_its_node(stepped):
    told = kept_square()
    (h,) = [node["id"] for node in told["nodes"] if node["name"] == "h"]
    page = stepped(told, reduced_motion="reduce")
    page.set("position", 4)
    assert "retains grad" in page.node(h)
    page.press("End")
    assert "keeps .grad 12." in page.node(h)
    page.at(f'.node[data-id="{h}"]').click()
    assert ".grad\n12." in page.text(".facts")


def test_what_two_ways_between_the_same_nodes_carry_stands_on_either_side(stepped):
    told = kept_square()
    page = stepped(told, reduced_motion="reduce")
    page.press("End")
    twins = [each["id"] for each in told["edges"] if each["target"] == told["nodes"][-1]["id"]]
    lines = [page.at(f'.edge[data-id="{one}"] .line').bounding_box()["x"] for one in twins]
    chips = [page.at(f'.chip[data-id="{one}"]').bounding_box() for one in twins]
    (left, first), (right, second) = sorted(
        zip(lines, chips, strict=True), key=lambda pair: pair[0]
    )
    assert first["x"] + first["width"] < left + 1
    assert second["x"] > right - 1
    assert first["y"] == second["y"]


def test_what_is_absent_says_why(stepped):
    page = stepped(stale())
    page.set("position", 3)
    assert page.node("d") == "d ∅ cut by detach"
    assert page.chips() == {"a-d": "✂ cut by detach"}


def test_words_are_read_aloud_and_everything_has_a_name(stepped):
    page = stepped(unasked())
    says = page.at(".says")
    assert says.get_attribute("aria-live") == "polite"
    assert page.root.get_attribute("aria-label").startswith("Graph stepper")
    nameless = page.at("button, input, select").evaluate_all(
        "all => all.filter((one) => !one.getAttribute('aria-label') && !one.textContent.trim()"
        " && !one.closest('label')).length"
    )
    assert nameless == 0
    node = page.at('.node[data-id="x1"]')
    assert node.get_attribute("aria-label") == (
        "x1, value 1., shape (), leaf, requires_grad True, retains_grad False"
    )
    assert page.at('.node[data-id="z"]').get_attribute("aria-hidden") == "true"
    assert "2 of 6 nodes shown" in page.at(".drawing").get_attribute("aria-label")


def test_names_are_text_wherever_they_show(stepped):
    told = stale()
    told["title"] = told["steps"][0]["says"] = told["steps"][0]["error"] = HOSTILE
    told["nodes"][0]["name"] = told["nodes"][0]["shape"] = told["edges"][0]["why"] = HOSTILE
    told["memory"]["names"][0]["name"] = told["memory"]["slots"][0]["owner"] = HOSTILE
    told["source"] = [{"number": 1, "text": HOSTILE}]
    told["variants"] = [{"id": "true", "label": HOSTILE, "why": HOSTILE}, {"id": HOSTILE}]
    told["stories"] = {HOSTILE: told["steps"]}
    told["steps"][0] |= {
        "line": 1,
        "question": {"text": HOSTILE, "kind": "choice", "choices": [HOSTILE], "token": "t"},
    }
    told["answers"] = {"t": {"truth": HOSTILE, "says": HOSTILE}}
    page = stepped(told)
    page.at(".choice").click()
    page.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert page.text("h2") == HOSTILE
    assert page.page.title() == "Stepper"
    assert page.page.locator("img").count() == 0


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({}, "it is empty"),
        ({"nodes": [], "edges": []}, 'it lacks "steps"'),
        ({"edges": [], "steps": [{}]}, 'it lacks "nodes"'),
        (unasked() | {"stories": {}}, 'its variant overwrite lacks "steps"'),
        ({"nodes": [], "edges": [], "steps": []}, "nothing was recorded"),
        ({"nodes": [{"id": "n0"}], "edges": [], "steps": [{}]}, "node n0 has no box"),
        ({"nodes": [], "edges": [{"id": "e", "source": "n"}], "steps": [{}]}, "edge e leads to"),
    ],
)
def test_a_story_that_cannot_be_shown_says_why(stepped, told, words):
    page = stepped(told)
    assert page.root.get_attribute("role") == "alert"
    assert words in page.root.inner_text()


def test_the_barest_story_is_shown_and_a_better_one_replaces_it(stepped):
    page = stepped({"nodes": [], "edges": [], "steps": [{}]})
    assert page.count == "1 / 1"
    page.set("story", unasked())
    assert page.count == "1 / 9"


def test_a_view_that_is_taken_away_leaves_nothing_behind(stepped):
    page = stepped(unasked())
    page.at("button.play").click()
    page.page.evaluate("end()")
    assert page.page.evaluate("listening()") == 0
    assert page.page.locator("#stepper > *").count() == 0
    page.page.wait_for_timeout(2_000)
    assert page.get("position") == 0


def test_one_step_of_a_bare_graph_has_no_empty_panels(stepped):
    nodes = {"x": {"kind": "leaf", "name": "x"}}
    page = stepped(story(nodes, [], [made("One leaf.", {"x": "1."})]))
    assert page.at(".source, .memory, .ask, .variants").count() == 0
    assert page.at("button.forward").is_disabled()


def test_the_keyboard_keeps_its_place_where_a_button_leads_no_further(stepped):
    page = stepped(unasked())
    page.at("button.forward").focus()
    for _ in range(9):
        page.page.keyboard.press("Enter")
    assert page.count == "9 / 9"
    page.page.wait_for_timeout(100)
    page.page.keyboard.press("ArrowLeft")
    assert page.count == "8 / 9"


def test_sixty_nodes_can_be_read_and_the_view_follows(stepped):
    page = stepped(chain())
    pane = page.at(".graph").bounding_box()
    for key, node in (("End", "n59"), ("Home", "n0")):
        page.press(key)
        page.page.wait_for_timeout(500)
        box = page.at(f'.node[data-id="{node}"]').bounding_box()
        assert pane["y"] <= box["y"]
        assert box["y"] + box["height"] <= pane["y"] + pane["height"]
        assert box["height"] > 50

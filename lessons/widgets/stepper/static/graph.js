// The drawing of the graph: nodes and edges at the places that Python has chosen.

import { makeCamera } from "./camera.js";
import { h, icon, svg } from "./dom.js";
import { chipText, isLong, makeChip, makeEdge, partTwins, placeChips, travel } from "./edge.js";
import { fillNode, makeNode } from "./node.js";

const PLUS = "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z";
const MINUS = "M5 11h14v2H5z";
const FIT = "M4 4h6v2H6v4H4zm10 0h6v6h-2V6h-4zM4 14h2v4h4v2H4zm14 0h2v6h-6v-2h4z";

/**
 * The pane with the graph. `moves()` says whether things may move; `onPick(id)` is called when
 * the reader clicks on a node, or presses Enter or the space bar on it.
 */
export function makeGraph(story, { moves, onPick }) {
  const places = new Map(story.nodes.map((node) => [node.id, node]));
  const groups = new Map(story.nodes.map((node) => [node.id, makeNode(node)]));
  const edges = new Map(story.edges.map((edge) => [edge.id, makeEdge(edge)]));
  partTwins([...edges.values()]);
  const chips = svg("g", { class: "chips" });
  const movers = svg("g", { class: "movers", "aria-hidden": "true" });
  const world = svg(
    "g",
    { class: "world" },
    svg("g", {}, [...edges.values()].map(({ group }) => group)),
    svg("g", {}, [...groups.values()]),
    chips,
    movers,
  );
  const pane = svg(
    "svg",
    { class: "drawing", role: "group", "aria-description": "Up and down lead to the other nodes, Enter picks one." },
    world,
  );
  const camera = makeCamera(pane, world, story.size);
  const button = (label, path, act) =>
    h("button", { type: "button", title: label, "aria-label": label, on: { click: act } }, icon(path));
  const tools = h(
    "div",
    { class: "tools", role: "group", "aria-label": "Zoom" },
    button("Zoom in", PLUS, () => camera.zoom(1.25)),
    button("Zoom out", MINUS, () => camera.zoom(0.8)),
    button("Fit the whole graph", FIT, () => camera.fit()),
  );
  const element = h("div", { class: "graph", style: `--drawn: ${Math.ceil(story.size[1])}px` }, pane, tools);
  const signatures = new Map();
  // From the top down, as data flows. One node takes part in the order of Tab, and is `reached`.
  const order = [...story.nodes].sort(byPlace).map(({ id }) => id);
  let reached = null;
  let flights = [];

  const nodeAt = (event) => event.target.closest(".node:not([aria-hidden])");
  pane.addEventListener("click", (event) => {
    const group = nodeAt(event);
    if (group) onPick(group.dataset.id);
  });
  // An SVG element that listened for this itself would take part in the order of Tab.
  element.addEventListener("focusin", (event) => {
    const group = nodeAt(event);
    if (!group) return;
    reach(group.dataset.id);
    // What a mouse is pressed on stays below it.
    if (group.matches(":focus-visible")) camera.follow([places.get(reached).box]);
  });
  pane.addEventListener("keydown", onKey);

  function onKey(event) {
    const { key, altKey, ctrlKey, metaKey } = event;
    if (!nodeAt(event) || altKey || ctrlKey || metaKey) return;
    const acts = {
      ArrowUp: () => goOn(-1),
      ArrowDown: () => goOn(1),
      Enter: () => onPick(reached),
      " ": () => onPick(reached),
    };
    if (!acts[key]) return;
    event.preventDefault();
    event.stopPropagation();
    acts[key]();
  }

  function goOn(by) {
    const shown = order.filter((id) => !groups.get(id).hasAttribute("aria-hidden"));
    groups.get(shown[shown.indexOf(reached) + by])?.focus({ preventScroll: true });
  }

  function reach(id) {
    if (groups.get(reached)?.hasAttribute("tabindex")) groups.get(reached).setAttribute("tabindex", "-1");
    groups.get(id)?.setAttribute("tabindex", "0");
    reached = id;
  }

  /** The node that has the keyboard focus. */
  function holder() {
    const holding = pane.getRootNode().activeElement;
    return order.find((id) => groups.get(id) === holding);
  }

  /** Let Tab lead to a node that is shown: the one that was `held`, else the first of `wished`. */
  function offer(state, held, wished) {
    const next = [held, ...wished, ...order].find((id) => state.nodes.get(id)?.shown);
    if (reached !== next) reach(next);
    if (held !== undefined && held !== next) groups.get(next)?.focus({ preventScroll: true });
  }

  function update(state, step, { sealed, forward, picked }) {
    land();
    const held = holder();
    const focus = new Set(step.focus ?? []);
    const current = new Set(step.edges ?? []);
    for (const [id, group] of groups) {
      const now = state.nodes.get(id);
      const fresh = new Set(Object.keys(step.changes?.nodes?.[id] ?? {}));
      const signature = JSON.stringify([now, [...fresh]]);
      if (signatures.get(id) !== signature) {
        fillNode(group, places.get(id), now, fresh);
        signatures.set(id, signature);
      }
      group.classList.toggle("focus", focus.has(id));
      group.classList.toggle("picked", id === picked);
      if (now?.shown) group.setAttribute("aria-pressed", String(id === picked));
      group.classList.toggle("entering", moves() && forward && fresh.has("shown") && Boolean(now?.shown));
    }
    for (const [id, { group, edge }] of edges) {
      const now = state.edges.get(id);
      const entering = "shown" in (step.changes?.edges?.[id] ?? {});
      group.classList.toggle("hidden", !now?.shown);
      group.classList.toggle("current", current.has(id));
      group.classList.toggle("carried", now?.contribution != null && !edge.why);
      group.classList.toggle("jvp", now?.kind === "jvp");
      group.classList.toggle("entering", moves() && forward && entering);
    }
    offer(state, held, [picked, ...focus]);
    drawChips(state, step, current, sealed);
    describe(state);
    camera.follow([...focus].map((id) => places.get(id)?.box).filter(Boolean));
    const flies = forward && !sealed && moves();
    // What travels comes first; the whole product is read when it has arrived.
    chips.classList.toggle("awaiting", flies);
    if (flies) fly(state, step, current);
  }

  function drawChips(state, step, current, sealed) {
    const wishes = [];
    for (const [id, drawn] of edges) {
      const now = state.edges.get(id);
      if (!now?.shown) continue;
      const isCurrent = current.has(id);
      if (drawn.edge.why) wishes.push({ drawn, texts: [`✂ ${drawn.edge.why}`, "✂"], name: "cut", rank: 1 });
      else if (isCurrent && sealed)
        wishes.push({ drawn, texts: ["?"], name: "now", rank: 0 });
      else if (now.contribution != null) {
        const long = chipText(now, true);
        const short = chipText(now, false);
        // Long edges share lanes, so only the numbers that travel now can be told apart.
        if (!isCurrent && isLong(drawn)) continue;
        const name = `${isCurrent ? "now" : "past"} ${now.kind === "jvp" ? "jvp" : "vjp"}`;
        wishes.push({ drawn, texts: isCurrent ? [long, short] : [short], name, rank: isCurrent ? 0 : 2, long });
      }
    }
    wishes.sort((one, other) => one.rank - other.rank);
    const boxes = story.nodes.map((node) => node.box);
    const placed = placeChips(wishes, boxes, story.size);
    chips.replaceChildren(
      ...placed.map(({ text, x, y, width, name, long, drawn }) => {
        const chip = makeChip(text, width, name);
        chip.dataset.id = drawn.edge.id;
        if (long ?? drawn.edge.why) chip.prepend(svg("title", {}, long ?? drawn.edge.why));
        chip.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
        return chip;
      }),
    );
  }

  function fly(state, step, current) {
    for (const id of current) {
      const drawn = edges.get(id);
      const now = state.edges.get(id);
      if (!drawn || !now?.shown || drawn.edge.why) continue;
      const changed = "contribution" in (step.changes?.edges?.[id] ?? {});
      if (!changed && step.phase !== "forward") continue;
      const upwards = changed && now.kind !== "jvp";
      const text = changed ? chipText(now, false) : "";
      flights.push(travel(movers, drawn, text, upwards, now.kind === "jvp" ? "jvp" : "vjp"));
    }
  }

  function describe(state) {
    const shown = story.nodes.filter(({ id }) => state.nodes.get(id)?.shown);
    const words = shown.map((node) => node.name || node.function).join(", ");
    pane.setAttribute(
      "aria-label",
      `Computation graph, ${shown.length} of ${story.nodes.length} nodes shown${words && ": "}${words}`,
    );
  }

  function land() {
    for (const flight of flights) flight.cancel();
    flights = [];
    movers.replaceChildren();
  }

  function destroy() {
    land();
    camera.destroy();
  }

  return { element, update, zoom: camera.zoom, fit: camera.fit, destroy };
}

function byPlace({ box: [x, y] }, { box: [otherX, otherY] }) {
  return y - otherY || x - otherX;
}

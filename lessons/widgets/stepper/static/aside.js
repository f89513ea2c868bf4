// The pane beside the graph: the source with its current line, and the step's numbers as text.

import { h, scrollWithin } from "./dom.js";
import { nodeFacts } from "./node.js";

const LONG_FACT = 14;

/** The source lines; the current one is marked by a sign, by weight and by colour. */
export function makeSource(lines) {
  if (!lines.length) return { element: null, update() {} };
  const rows = new Map(
    lines.map(({ number, text }) => [
      number,
      h(
        "li",
        {},
        h("span", { class: "number", "aria-hidden": "true" }, String(number)),
        h("code", {}, String(text ?? "")),
      ),
    ]),
  );
  const list = h("ol", {}, [...rows.values()]);
  const element = h("section", { class: "source", "aria-label": "Source" }, h("h3", {}, "Source"), list);

  function update(current) {
    for (const [number, row] of rows) {
      row.classList.toggle("current", number === current);
      if (number === current) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    }
    scrollWithin(list, rows.get(current));
  }

  return { element, update };
}

/** The numbers of a step: what its edges carry, and all facts of the nodes in focus. */
export function makeNumbers(story) {
  const nodes = new Map(story.nodes.map((node) => [node.id, node]));
  const edges = new Map(story.edges.map((edge) => [edge.id, edge]));
  const content = h("div", { class: "numbers-content" });
  const element = h("section", { class: "numbers", "aria-label": "Numbers" }, h("h3", {}, "In this step"), content);
  const title = (id) => nodes.get(id)?.name || nodes.get(id)?.function || String(id);

  function update(state, step, { sealed, picked }) {
    const parts = [];
    const carried = sealed ? [] : arithmetic(state, step);
    if (carried.length) parts.push(h("table", { class: "carried" }, carriedHead(carried, step.phase === "tangent"), h("tbody", {}, carried)));
    const shown = (picked ? [picked] : step.focus ?? []).filter((id) => state.nodes.get(id)?.shown);
    for (const id of shown.slice(0, 4)) parts.push(factTable(nodes.get(id), state.nodes.get(id)));
    element.querySelector("h3").textContent = picked ? "The node you picked" : "In this step";
    element.classList.toggle("empty", !parts.length);
    content.replaceChildren(...parts);
  }

  function arithmetic(state, step) {
    return (step.edges ?? []).flatMap((id) => {
      const [edge, now] = [edges.get(id), state.edges.get(id)];
      if (!edge || now?.contribution == null || !now.shown) return [];
      const way = now.kind === "jvp" ? [edge.source, edge.target] : [edge.target, edge.source];
      return h(
        "tr",
        {},
        h("th", { scope: "row" }, `${title(way[0])} → ${title(way[1])}`),
        h("td", {}, now.upstream == null ? "" : String(now.upstream)),
        h("td", {}, now.local == null ? "" : `× ${now.local}`),
        h("td", { class: `product ${now.kind}` }, `= ${now.contribution}`),
      );
    });
  }

  function carriedHead(rows, isTangent) {
    return h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, rows.length > 1 ? "edges" : "edge"),
        ...[isTangent ? "tangent" : "upstream", "local", "contribution"].map((word) => h("th", { scope: "col" }, word)),
      ),
    );
  }

  return { element, update };
}

function factTable(node, now) {
  const rows = nodeFacts(node, now).map(([key, text]) =>
    h(
      "div",
      { class: text.length > LONG_FACT && "long" },
      h("dt", {}, key === "leaf" ? "leaf?" : key),
      h("dd", {}, text),
    ),
  );
  const name = [node.name, node.function].filter(Boolean).join(" · ") || node.kind;
  return h("div", { class: "facts" }, h("h4", {}, name), h("dl", {}, rows));
}

// One node of the graph: its outline shows its kind, its rows show its values.

import { svg } from "./dom.js";

const NAME_SIZE = 13;
const ASIDE_SIZE = 10.5;
const ROW_SIZE = 11.5;
const WHY_SIZE = 11;
const FOOT_SIZE = 10;
// The width of a character of each font, as a part of the font's size.
const MONO_WIDTH = 0.602;
const SANS_WIDTH = 0.52;
const ROW_HEIGHT = 15;
const WHY_HEIGHT = 14;
const HEAD_HEIGHT = 24;
const PADDING = 12;
const LABEL_WIDTH = 50;
const NARROWEST_SQUEEZE = 0.84;
const KIND_WORDS = { leaf: "leaf", output: "output", constant: "constant", folded: "folded" };

/** An empty group for a node, to be filled by `fillNode`. */
export function makeNode(node) {
  return svg("g", { class: `node ${node.kind ?? "function"}`, "data-id": node.id });
}

/**
 * Draw the node in its state `now`; `fresh` is the set of keys that this step has changed. Of a node
 * that is not shown yet, only a faint outline is drawn.
 */
export function fillNode(group, node, now, fresh) {
  group.replaceChildren();
  if (!now?.shown) {
    const [x, y, width, height] = node.box;
    for (const name of ["role", "tabindex", "aria-pressed"]) group.removeAttribute(name);
    group.setAttribute("aria-hidden", "true");
    group.append(rect("ghost", x - width / 2, y - height / 2, width, height, 10));
    return;
  }
  group.removeAttribute("aria-hidden");
  if (!group.hasAttribute("tabindex")) group.setAttribute("tabindex", "-1");
  group.setAttribute("role", "button");
  group.setAttribute("aria-label", nodeWords(node, now));
  group.append(svg("title", {}, nodeWords(node, now)), ...outline(node));
  if (node.kind === "absent") group.append(...absentTexts(node));
  else group.append(...texts(node, now, fresh));
  if (now.visited) group.append(visitedSign(node.box));
}

/** Everything that is known about a node, as [name, text] pairs. */
export function nodeFacts(node, now = {}) {
  const facts = node.facts ?? {};
  const pairs = [
    ["value", now.value],
    ["shape", node.shape],
    ["tangent", now.tangent],
    ["grad", now.grad],
    ["sum", now.sum],
    ["leaf", facts.leaf],
    ["requires_grad", facts.requires_grad],
    ["retains_grad", facts.retains_grad],
    ["version", now.version],
    ...Object.entries({ ...facts, ...(now.kept != null && { ".grad": now.kept }) }).filter(
      ([key]) => !/^(leaf|requires_grad|retains_grad)$/.test(key),
    ),
    ["absent", node.why],
  ];
  return pairs.filter(([, text]) => text != null && text !== "").map(([key, text]) => [key, String(text)]);
}

/** The node in words, for screen readers and for the tooltip. */
export function nodeWords(node, now) {
  const title = [node.name, node.function].filter(Boolean).join(", ") || node.kind;
  const facts = nodeFacts(node, now).map(([key, text]) => (key === "leaf" ? text : `${key} ${text}`));
  return [title, ...facts, now?.visited ? "visited" : ""].filter(Boolean).join(", ");
}

function outline({ kind, box: [x, y, width, height] }) {
  const [left, top] = [x - width / 2, y - height / 2];
  if (kind === "leaf")
    return [
      rect("body", left, top, width, height, 3),
      rect("spine", left, top, 5, height, 2),
    ];
  if (kind === "output")
    return [
      rect("body", left, top, width, height, 6),
      rect("inner", left + 3, top + 3, width - 6, height - 6, 4),
    ];
  if (kind === "constant") {
    const cut = 10;
    const path = `M${left} ${top}H${left + width - cut}l${cut} ${cut}V${top + height}H${left}z`;
    return [svg("path", { class: "body", d: path })];
  }
  if (kind === "folded")
    return [
      rect("behind", left + 5, top - 5, width - 5, height, 12),
      rect("body", left, top, width - 5, height, 12),
    ];
  return [rect("body", left, top, width, height, kind === "absent" ? 6 : 16)];
}

function rect(name, x, y, width, height, rx) {
  return svg("rect", { class: name, x, y, width, height, rx: Math.min(rx, height / 2) });
}

function texts(node, now, fresh) {
  const [x, y, width, height] = node.box;
  const [left, right, top] = [x - width / 2 + PADDING, x + width / 2 - PADDING, y - height / 2];
  // The number of rows depends on the node's height alone, so nothing moves when a gradient arrives.
  const rowsThatFit = Math.floor((height - HEAD_HEIGHT) / ROW_HEIGHT);
  const shown = rows(node, now).slice(0, Math.max(rowsThatFit, 0));
  const foot = shown.length < rowsThatFit ? footer(node, now) : "";
  const firstLine = top + Math.max(17, Math.min(21, (height - 4 * ROW_HEIGHT) / 2 + 11));
  const drawn = header(node, left, right, firstLine);
  shown.forEach(([key, text], place) => {
    const line = firstLine + 1 + ROW_HEIGHT * (place + 1);
    const isFresh = fresh.has(key) || (key === "grad" && fresh.has("sum"));
    if (isFresh) drawn.push(rect("fresh", left - 5, line - 11.5, right - left + 10, ROW_HEIGHT, 4));
    const value = fitted(text, ROW_SIZE, right - left - LABEL_WIDTH, MONO_WIDTH);
    drawn.push(
      svg("text", { class: `label ${key}`, x: left, y: line }, key),
      svg("text", { class: `row ${text === "None" ? "none" : key}`, x: left + LABEL_WIDTH, y: line, ...value.squeeze }, value.text),
    );
  });
  if (foot) {
    const words = fitted(foot, FOOT_SIZE, right - left, SANS_WIDTH);
    drawn.push(svg("text", { class: "foot", x: left, y: top + height - 9, ...words.squeeze }, words.text));
  }
  return drawn;
}

function header(node, left, right, line) {
  const name = node.name || node.function || "";
  const aside = node.name ? node.function || KIND_WORDS[node.kind] || "" : "";
  const nameWidth = Math.min(name.length * NAME_SIZE * MONO_WIDTH, right - left);
  const asideWidth = right - left - nameWidth - 12;
  const big = fitted(name, NAME_SIZE, aside ? Math.max(nameWidth, 40) : right - left, MONO_WIDTH);
  const small = fitted(aside, ASIDE_SIZE, asideWidth, MONO_WIDTH);
  const drawn = [svg("text", { class: "name", x: left, y: line, ...big.squeeze }, big.text)];
  if (aside && asideWidth > 24)
    drawn.push(svg("text", { class: "aside", x: right, y: line, ...small.squeeze }, small.text));
  return drawn;
}

function rows(node, now) {
  const pairs = [["value", now.value]];
  if (now.tangent != null) pairs.push(["tangent", now.tangent]);
  if (now.sum && now.grad !== "?") pairs.push([now.grad == null ? "sum" : "grad", now.sum]);
  else pairs.push(["grad", now.grad]);
  return pairs.filter(([, text]) => text != null && text !== "").map(([key, text]) => [key, String(text)]);
}

function footer(node, now) {
  const { leaf, requires_grad: requires, retains_grad: retains } = node.facts ?? {};
  return [
    node.shape,
    leaf,
    requires && (requires === "True" ? "requires grad" : "no grad"),
    retains === "True" && (now.kept == null ? "retains grad" : `keeps .grad ${now.kept}`),
    now.version != null && `v${now.version}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function absentTexts(node) {
  const [x, y, width, height] = node.box;
  const left = x - width / 2 + PADDING;
  const room = width - 2 * PADDING;
  const name = fitted(node.name || node.function || "not there", NAME_SIZE, room, MONO_WIDTH);
  const linesThatFit = Math.max(1, Math.floor((height - HEAD_HEIGHT) / WHY_HEIGHT));
  const lines = wrapped(`∅ ${node.why || "not recorded"}`, room, WHY_SIZE, linesThatFit);
  let line = y - height / 2 + Math.max(17, 17 + (height - HEAD_HEIGHT - WHY_HEIGHT * lines.length) / 2);
  const drawn = [svg("text", { class: "name", x: left, y: line, ...name.squeeze }, name.text)];
  for (const words of lines)
    drawn.push(svg("text", { class: "why", x: left, y: (line += WHY_HEIGHT) + 1, ...words.squeeze }, words.text));
  return drawn;
}

// The words in at most `most` lines; the last line takes all words that are left.
function wrapped(text, room, size, most) {
  const lines = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    const fits = last !== undefined && (last.length + word.length + 1) * size * SANS_WIDTH <= room;
    if (fits || lines.length === most) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => fitted(line, size, room, SANS_WIDTH));
}

/**
 * The text that fits into the width `room`: whole if it can be squeezed a little (`squeeze` has the
 * attributes for that), otherwise cut off with an ellipsis.
 */
export function fitted(text, size, room, ratio) {
  const width = text.length * size * ratio;
  if (width <= room) return { text, squeeze: {} };
  if (width * NARROWEST_SQUEEZE <= room)
    return { text, squeeze: { textLength: room.toFixed(1), lengthAdjust: "spacingAndGlyphs" } };
  const letters = Math.max(1, Math.floor(room / (size * ratio)) - 1);
  return { text: `${text.slice(0, letters)}…`, squeeze: {} };
}

function visitedSign([x, y, width, height]) {
  return svg(
    "g",
    { class: "visited", transform: `translate(${x + width / 2 - 9} ${y - height / 2})` },
    svg("circle", { r: 8 }),
    svg("path", { d: "M-3.6 0.2l2.6 2.8 4.8-5.6" }),
  );
}

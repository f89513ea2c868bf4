// One edge of the graph: its line, its heads, and places for the numbers that it carries.

import { svg } from "./dom.js";

const CHIP_HEIGHT = 18;
const CHIP_LETTER = 6.7;
const CHIP_PADDING = 14;
const SAMPLES = 24;
const HEAD = 8;
const LONG = 420;
// Where along an edge a chip is tried, the best places first.
const PLACES = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8, 0.14, 0.86];
const BESIDE = 3;
const ASIDE = [0, -0.25, 0.25, -0.5, 0.5, -0.75, 0.75];

/** The group of an edge with its curve; its numbers are shown in a `chip`. */
export function makeEdge(edge) {
  const [start, end] = [edge.route[0], edge.route.at(-1)];
  const path = svg("path", { class: "line", d: curve(edge.route) });
  const group = svg(
    "g",
    { class: edge.why ? "edge broken" : "edge", "data-id": edge.id },
    path,
    svg("path", { class: "head", d: head(end, -HEAD) }),
    svg("path", { class: "head back", d: head(start, HEAD) }),
  );
  return { edge, group, path, points: null };
}

/** Of edges with the same two ends, the outer ones show their numbers on the outside. */
export function partTwins(drawn) {
  const twins = new Map();
  for (const each of drawn) {
    const ends = `${each.edge.source} ${each.edge.target}`;
    twins.set(ends, [...(twins.get(ends) ?? []), each]);
  }
  for (const list of twins.values()) {
    if (list.length < 2) continue;
    list.sort((one, other) => one.edge.route[0][0] - other.edge.route[0][0]);
    list[0].side = -1;
    list.at(-1).side = 1;
  }
}

/** Path data through points: vertical pieces straight, others as an S that ends vertically. */
function curve(route) {
  let [x, y] = route[0];
  let data = `M${x} ${y}`;
  for (const [nextX, nextY] of route.slice(1)) {
    const middle = (y + nextY) / 2;
    data += Math.abs(nextX - x) < 0.5
      ? `L${nextX} ${nextY}`
      : `C${x} ${middle} ${nextX} ${middle} ${nextX} ${nextY}`;
    [x, y] = [nextX, nextY];
  }
  return data;
}

/** A filled head with its tip at (x, y); data arrives from above, gradients from below. */
function head([x, y], length) {
  return `M${x} ${y}l-4.2 ${length}h8.4z`;
}

/** Points along the curve from its data source to its data target, measured once. */
function pointsOf(drawn) {
  if (!drawn.points) {
    const length = drawn.path.getTotalLength();
    const at = (distance) => {
      const { x, y } = drawn.path.getPointAtLength(distance);
      return [x, y];
    };
    drawn.points = Array.from({ length: SAMPLES + 1 }, (_, place) => at((length * place) / SAMPLES));
    drawn.isLong = length > LONG;
    // A long edge shows its numbers where they arrive, because nobody looks at its middle.
    drawn.spots = drawn.isLong
      ? Array.from({ length: SAMPLES }, (_, place) => at(length - 14 - 9 * place))
      : PLACES.map((place) => drawn.points[Math.round(place * SAMPLES)]);
  }
  return drawn.points;
}

/** Whether an edge is so long that its middle is out of sight of its ends. */
export function isLong(drawn) {
  pointsOf(drawn);
  return drawn.isLong;
}

/** The text of an edge: all three numbers, or only the product if `long` is false. */
export function chipText({ upstream, local, contribution }, long) {
  if (contribution == null) return "";
  if (!long || upstream == null || local == null) return String(contribution);
  return `${upstream} × ${local} = ${contribution}`;
}

/**
 * Find places for chips, the most important first, so that none covers a box or another chip.
 * `wishes` are {drawn, texts, …}, where later texts are shorter; those that fit nowhere are left out.
 */
export function placeChips(wishes, boxes, size) {
  const taken = boxes.map(([x, y, w, h]) => [x - w / 2 - 2, y - h / 2 - 2, x + w / 2 + 2, y + h / 2 + 2]);
  const placed = [];
  for (const wish of wishes) {
    const found = firstPlace(wish, taken, size);
    if (!found) continue;
    taken.push(found.rect);
    placed.push({ ...wish, ...found });
  }
  return placed;
}

function firstPlace({ drawn, texts, rank }, taken, [totalWidth]) {
  pointsOf(drawn);
  for (const text of texts) {
    const width = text.length * CHIP_LETTER + CHIP_PADDING;
    // An edge with a twin puts its resting chip beside itself, so that the chip covers neither.
    const asides = drawn.side && rank ? [drawn.side * (0.5 + BESIDE / width), ...ASIDE] : ASIDE;
    for (const aside of asides)
      for (const [px, y] of drawn.spots) {
        const x = px + aside * width;
        const rect = [x - width / 2, y - CHIP_HEIGHT / 2, x + width / 2, y + CHIP_HEIGHT / 2];
        const outside = rect[0] < -20 || rect[2] > totalWidth + 20;
        if (!outside && !taken.some((other) => overlap(rect, other))) return { text, x, y, width, rect };
      }
  }
  return null;
}

function overlap(a, b) {
  return a[0] < b[2] + 5 && b[0] < a[2] + 5 && a[1] < b[3] + 2 && b[1] < a[3] + 2;
}

/** A chip with its middle at the origin. */
export function makeChip(text, width, name) {
  const left = -width / 2;
  return svg(
    "g",
    { class: `chip ${name}` },
    svg("rect", { x: left, y: -CHIP_HEIGHT / 2, width, height: CHIP_HEIGHT, rx: CHIP_HEIGHT / 2 }),
    svg("text", { y: 3.8 }, text),
  );
}

/** Let `text` travel along the edge once; `upwards` is against the flow of data. */
export function travel(layer, drawn, text, upwards, name) {
  const points = upwards ? [...pointsOf(drawn)].reverse() : pointsOf(drawn);
  const mover = text
    ? makeChip(text, text.length * CHIP_LETTER + CHIP_PADDING, `mover ${name}`)
    : svg("g", { class: `chip mover dot ${name}` }, svg("circle", { r: 5 }));
  layer.append(mover);
  const frames = points.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
  frames[0].opacity = 0;
  frames[2].opacity = 1;
  frames.at(-3).opacity = 1;
  frames.at(-1).opacity = 0;
  const flight = mover.animate(frames, { duration: text ? 900 : 600, easing: "ease-in-out", fill: "both" });
  flight.onfinish = flight.oncancel = () => mover.remove();
  return flight;
}

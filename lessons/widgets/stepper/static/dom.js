// Making elements. Every string becomes a text node, so that no name in a story is ever read as
// HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: `h("p", {class: "says"}, "text", child)`; functions in `on` are listeners. */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An SVG element, in the same way. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, { on = {}, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  for (const [type, listener] of Object.entries(on)) element.addEventListener(type, listener);
  element.append(...children.flat().filter((child) => child != null && child !== ""));
  return element;
}

/** A sentence, with the text between backticks as code. */
export function prose(text) {
  return String(text ?? "")
    .split("`")
    .map((part, place) => (place % 2 && part ? h("code", {}, part) : part));
}

/** An icon of 24 by 24 from path data, silent for screen readers. */
export function icon(path) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", width: 18, height: 18, "aria-hidden": "true", focusable: "false" },
    svg("path", { d: path, fill: "currentColor" }),
  );
}

/** Bring `child` into sight within `pane` alone: the page around it must not jump. */
export function scrollWithin(pane, child) {
  if (!child) return;
  const outer = pane.getBoundingClientRect();
  const inner = child.getBoundingClientRect();
  if (inner.top < outer.top) pane.scrollTop -= outer.top - inner.top + 8;
  else if (inner.bottom > outer.bottom) pane.scrollTop += inner.bottom - outer.bottom + 8;
}

// Looking at a drawing that may be larger than its pane: fit, zoom about a point, drag, pinch, follow.

const LARGEST = 3;
const SMALLEST = 0.1;
const READABLE = 0.72;
const WHERE_NOT_ALL_FITS = 0.85;
const FITTED_AT_MOST = 1;
const MARGIN = 22;
// The tools are in the lower right corner, so the drawing ends above them.
const FOOT = 44;
// A notch of a wheel zooms by a third; browsers report a pinch on a trackpad as many small turns.
const NOTCH = 25;
const WHEEL_SLOWNESS = 85;
const LINE_HEIGHT = 16;

/**
 * A camera that moves `world` (an SVG group of `size`) within `pane` (an SVG element). Until the
 * reader moves it, it fits the drawing into the pane as long as that leaves the text readable.
 */
export function makeCamera(pane, world, size) {
  let [scale, x, y] = [1, 0, 0];
  let own = false;
  let drag = null;
  const fingers = new Map();
  let grip = null;
  let lastFocus = [];

  const extent = () => [pane.clientWidth, pane.clientHeight];

  function apply(smooth) {
    world.classList.toggle("smooth", smooth);
    world.style.transform = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) scale(${scale.toFixed(4)})`;
  }

  function fittingScale(height = extent()[1]) {
    const width = extent()[0];
    const both = Math.min((width - 2 * MARGIN) / size[0], (height - MARGIN - FOOT) / size[1]);
    return Math.max(SMALLEST, Math.min(both, FITTED_AT_MOST));
  }

  function centre() {
    const [width, height] = extent();
    x = (width - size[0] * scale) / 2;
    y = middle(height);
  }

  function middle(height) {
    return MARGIN + (height - MARGIN - FOOT - size[1] * scale) / 2;
  }

  /** The height that the pane has for the drawing's sake, whatever stands beside it. */
  function ownHeight() {
    return Math.min(parseFloat(getComputedStyle(pane.parentElement).minHeight) || Infinity, extent()[1]);
  }

  /** Show all of the drawing, however small that makes it. */
  function fit(smooth = true) {
    if (!extent()[0]) return;
    own = false;
    scale = fittingScale();
    centre();
    apply(smooth);
  }

  /** As `fit`, but a large drawing stays readable and shows where the focus is. */
  function settle(smooth) {
    if (!extent()[0]) return;
    scale = fittingScale(ownHeight());
    if (scale < READABLE) scale = WHERE_NOT_ALL_FITS;
    centre();
    if (size[0] * scale > extent()[0]) x = MARGIN;
    // A pane that grows with the words beside it must not move what is drawn in it.
    y = Math.max(MARGIN, middle(ownHeight()));
    keepInSight(lastFocus);
    apply(smooth);
  }

  function zoom(factor, at = extent().map((length) => length / 2)) {
    const wanted = Math.max(SMALLEST, Math.min(scale * factor, LARGEST));
    x = at[0] - ((at[0] - x) * wanted) / scale;
    y = at[1] - ((at[1] - y) * wanted) / scale;
    scale = wanted;
    own = true;
    apply(false);
  }

  function keepInSight(boxes) {
    if (!boxes.length) return;
    const [width, height] = extent();
    const left = Math.min(...boxes.map(([cx, , w]) => cx - w / 2)) * scale + x;
    const right = Math.max(...boxes.map(([cx, , w]) => cx + w / 2)) * scale + x;
    const top = Math.min(...boxes.map(([, cy, , h]) => cy - h / 2)) * scale + y;
    const bottom = Math.max(...boxes.map(([, cy, , h]) => cy + h / 2)) * scale + y;
    x += shift(left, right, width);
    y += shift(top, bottom, height);
  }

  function shift(low, high, length) {
    if (low >= 0 && high <= length) return 0;
    if (high - low > length - 2 * MARGIN) return (length - low - high) / 2;
    return low < MARGIN ? 2 * MARGIN - low : length - 2 * MARGIN - high;
  }

  /** Move so far that the given boxes are in the pane; nothing happens when they are. */
  function follow(boxes) {
    lastFocus = boxes;
    if (!extent()[0]) return;
    keepInSight(boxes);
    apply(true);
  }

  function onWheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const turned = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_HEIGHT * event.deltaY : event.deltaY;
    zoom(Math.exp(-Math.max(-NOTCH, Math.min(turned, NOTCH)) / WHEEL_SLOWNESS), within(event));
  }

  function within(event) {
    const { left, top } = pane.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  /** The middle between two fingers, and how far they are apart. */
  function gripped() {
    const [[x0, y0], [x1, y1]] = fingers.values();
    return { at: [(x0 + x1) / 2, (y0 + y1) / 2], apart: Math.max(Math.hypot(x1 - x0, y1 - y0), 1) };
  }

  /** One finger scrolls the page as everywhere; two hold the drawing, move it and stretch it. */
  function touch(event) {
    fingers.set(event.pointerId, within(event));
    grip = fingers.size === 2 ? gripped() : null;
    if (grip) for (const id of fingers.keys()) pane.setPointerCapture(id);
  }

  function pinch(event) {
    fingers.set(event.pointerId, within(event));
    if (!grip) return;
    const before = grip;
    grip = gripped();
    x += grip.at[0] - before.at[0];
    y += grip.at[1] - before.at[1];
    zoom(grip.apart / before.apart, grip.at);
  }

  function onTouch(event) {
    // Otherwise the browser scrolls or zooms the page with the two fingers.
    if (event.touches.length > 1) event.preventDefault();
  }

  function onDown(event) {
    if (event.pointerType === "touch") return touch(event);
    if (event.button !== 0) return;
    drag = { id: event.pointerId, x: event.clientX - x, y: event.clientY - y, moved: false };
  }

  function onMove(event) {
    if (fingers.has(event.pointerId)) return pinch(event);
    if (drag?.id !== event.pointerId) return;
    const [nextX, nextY] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(nextX - x, nextY - y) < 4) return;
    if (!drag.moved) pane.setPointerCapture(event.pointerId);
    drag.moved = own = true;
    [x, y] = [nextX, nextY];
    pane.classList.add("dragging");
    apply(false);
  }

  function onUp(event) {
    if (fingers.delete(event.pointerId)) grip = null;
    drag = null;
    pane.classList.remove("dragging");
  }

  pane.addEventListener("wheel", onWheel, { passive: false });
  pane.addEventListener("touchstart", onTouch, { passive: false });
  pane.addEventListener("pointerdown", onDown);
  pane.addEventListener("pointermove", onMove);
  pane.addEventListener("pointerup", onUp);
  pane.addEventListener("pointercancel", onUp);
  const watch = new ResizeObserver(() => own || settle(false));
  watch.observe(pane);

  return { fit, zoom, follow, destroy: () => watch.disconnect() };
}

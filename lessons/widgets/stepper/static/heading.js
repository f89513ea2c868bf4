// Above the steps: what is shown, how many sweeps it took, and what the reader may choose.

import { h, prose } from "./dom.js";

/**
 * The heading of a story. `onVariant(id)` is called when another variant is chosen, `onAsking(yes)`
 * when the reader wants to be asked, or no longer.
 */
export function makeHeading(story, variant, { onVariant, onAsking }) {
  const sweeps = h("div", { class: "sweeps" });
  const why = h("p", { class: "why-variant" });
  const element = h(
    "header",
    {},
    h("h2", {}, prose(story.title)),
    sweeps,
    hasQuestions(story) ? questionSwitch(onAsking) : null,
    story.variants.length > 1 ? variantMenu(story.variants, variant, onVariant) : null,
  );

  function update(step, shown) {
    const counts = Object.entries(step.sweeps ?? {}).map(([kind, count]) =>
      h("span", { class: "chip-count" }, `${kind} `, h("b", {}, String(count))),
    );
    sweeps.replaceChildren(...(counts.length ? [h("span", {}, "Sweeps"), ...counts] : []));
    const { why: reason, label } = story.variants.find(({ id }) => id === shown) ?? {};
    why.replaceChildren(...(reason ? [h("b", {}, `${label}: `), ...prose(reason)] : []));
    why.hidden = !reason;
  }

  return { element, why, update };
}

function hasQuestions(story) {
  const lists = [story.steps, ...Object.values(story.stories)];
  return lists.some((steps) => Array.isArray(steps) && steps.some((step) => step?.question?.token));
}

function questionSwitch(onAsking) {
  const box = h("input", { type: "checkbox", checked: true, on: { change: () => onAsking(box.checked) } });
  return h("label", { class: "ask" }, box, "Ask me first");
}

function variantMenu(variants, chosen, onVariant) {
  const list = h(
    "select",
    { "aria-label": "Variant", on: { change: () => onVariant(list.value) } },
    variants.map(({ id, label }) => h("option", { value: id, selected: id === chosen }, label ?? id)),
  );
  return h("label", { class: "variants" }, h("span", {}, "Engine"), list);
}

// The heading above the steps: the title, the number of sweeps, and the reader's two settings.

import { h, prose } from "./dom.js";

/**
 * The heading of a story. `onVariant(id)` is called when the reader chooses another variant, and
 * `onAsking(isOn)` when the reader switches the questions on or off. `why`, a paragraph, explains
 * the variant.
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

  function update(step, variantId) {
    const counts = Object.entries(step.sweeps ?? {}).map(([kind, count]) =>
      h("span", { class: "chip-count" }, `${kind} `, h("b", {}, String(count))),
    );
    sweeps.replaceChildren(...(counts.length ? [h("span", {}, "Sweeps"), ...counts] : []));
    const { why: reason, label } = story.variants.find(({ id }) => id === variantId) ?? {};
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

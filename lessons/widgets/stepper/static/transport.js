// The controls: first, back, play, forward, last, the speed, and a scrubber that shows the phases,
// questions and errors of the steps.

import { h, icon } from "./dom.js";
import { PHASES } from "./story.js";

const ICONS = {
  first: "M5 5h2.4v14H5zM19 6.4L17.6 5l-7 7 7 7 1.4-1.4-5.6-5.6z",
  back: "M15.8 6.4L14.4 5l-7 7 7 7 1.4-1.4-5.6-5.6z",
  play: "M8 5v14l11-7z",
  pause: "M7 5h4v14H7zm6 0h4v14h-4z",
  forward: "M8.2 6.4L9.6 5l7 7-7 7-1.4-1.4 5.6-5.6z",
  last: "M16.6 5H19v14h-2.4zM5 6.4L6.4 5l7 7-7 7L5 17.6l5.6-5.6z",
};
const SPEEDS = [0.5, 1, 2, 4];
const SECONDS_PER_STEP = 1.8;

/**
 * The bar of controls. `actions` has the functions first, back, toggle, forward, last and
 * go(position); `delay()` returns the milliseconds between two steps while it plays.
 */
export function makeTransport(actions) {
  const button = (name, label, key, listener) =>
    h(
      "button",
      { type: "button", class: name, title: `${label} (${key})`, "aria-label": label, on: { click: listener } },
      icon(ICONS[name]),
    );
  const buttons = {
    first: button("first", "First step", "Home", actions.first),
    back: button("back", "One step back", "←", actions.back),
    play: button("play", "Play", "space", actions.toggle),
    forward: button("forward", "One step forward", "→", actions.forward),
    last: button("last", "Last step", "End", actions.last),
  };
  const range = h("input", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": "Step",
    on: { input: () => actions.go(Number(range.value)) },
  });
  const signs = h("div", { class: "signs", "aria-hidden": "true" });
  const bands = h("div", { class: "bands", "aria-hidden": "true" });
  const count = h("output", { class: "count", "aria-hidden": "true" });
  const speed = h(
    "select",
    { "aria-label": "Speed", title: "Speed" },
    SPEEDS.map((factor) => h("option", { value: factor, selected: factor === 1 }, `${factor}×`)),
  );
  const element = h(
    "div",
    { class: "transport", role: "group", "aria-label": "Steps" },
    h("div", { class: "buttons" }, Object.values(buttons)),
    h("div", { class: "scrubber" }, signs, range, bands),
    count,
    speed,
  );

  /** Show the steps on the scrubber: phases as bands, questions and errors as signs. */
  function setSteps(steps) {
    range.max = steps.length - 1;
    const runs = [];
    steps.forEach(({ phase }, place) => {
      const run = runs.at(-1);
      if (run && run.phase === phase) run.end = place;
      else runs.push({ phase, start: place, end: place });
    });
    const last = Math.max(steps.length - 1, 1);
    const percent = (place) => `${((100 * Math.max(0, Math.min(place, last))) / last).toFixed(2)}%`;
    const runBands = runs.map(({ phase, start, end }) => {
      const width = `calc(${percent(end + 0.5)} - ${percent(start - 0.5)})`;
      return h(
        "span",
        { class: `band of-${phase}`, style: `left:${percent(start - 0.5)};width:${width}`, title: PHASES[phase] ?? phase },
        (end - start + 1) / steps.length > 0.14 ? (PHASES[phase] ?? String(phase ?? "")) : "",
      );
    });
    const stepSigns = steps.flatMap((step, place) => {
      // Where the question is about the error, the sign of an error would give the answer away.
      const sign = step.question ? "?" : step.error ? "!" : "";
      return sign ? h("span", { class: sign === "!" ? "mark raises" : "mark asks", style: `left:${percent(place)}` }, sign) : [];
    });
    bands.replaceChildren(...runBands);
    signs.replaceChildren(...stepSigns);
  }

  function update(position, steps, says, playing) {
    range.value = position;
    const phase = PHASES[steps[position].phase] ?? "";
    range.setAttribute("aria-valuetext", `Step ${position + 1} of ${steps.length}. ${phase}. ${says}`);
    count.textContent = `${position + 1} / ${steps.length}`;
    switchOff([buttons.first, buttons.back], position === 0);
    switchOff([buttons.last, buttons.forward], position === steps.length - 1);
    setPlaying(playing);
  }

  function setPlaying(playing) {
    buttons.play.replaceChildren(icon(ICONS[playing ? "pause" : "play"]));
    const label = playing ? "Pause" : "Play";
    buttons.play.setAttribute("aria-label", label);
    buttons.play.setAttribute("title", `${label} (space)`);
  }

  return { element, setSteps, update, setPlaying, delay: () => (1000 * SECONDS_PER_STEP) / Number(speed.value) };
}

// A button with the attribute `disabled` would lose the keyboard focus, so these only say that they
// are disabled; a click on them changes nothing.
function switchOff(buttons, isOff) {
  for (const button of buttons) button.setAttribute("aria-disabled", String(isOff));
}

// The graph stepper: shows a story (plain data that Python has made) step by step, in a notebook
// or in a bare page. It computes nothing: the state after step k results from the changes of steps
// 0 … k, so that going back is as safe as going forward.

import { makeNumbers, makeSource } from "./aside.js";
import { h, prose } from "./dom.js";
import { makeGraph } from "./graph.js";
import { makeHeading } from "./heading.js";
import { makeMemory } from "./memory.js";
import { makeRoom } from "./room.js";
import { isSealed, judge, readStory, stateAt, StoryError } from "./story.js";
import { makeTelling } from "./telling.js";
import { watchTheme } from "./theme.js";
import { makeTransport } from "./transport.js";

/** Fill `el` with a stepper over `model`; returns a function that removes it. */
export function render({ model, el }) {
  let current = open();

  function open() {
    try {
      return openStepper(model, el, readStory(model.get("story")));
    } catch (error) {
      if (!(error instanceof StoryError)) console.error(error);
      const words = error instanceof StoryError ? error.message : `the view failed (${error.message}).`;
      el.replaceChildren(
        h("div", { class: "al-stepper-sorry", role: "alert" }, `This story cannot be shown: ${words}`),
      );
      return { destroy: () => el.replaceChildren() };
    }
  }

  function reopen() {
    current.destroy();
    current = open();
  }

  model.on("change:story", reopen);
  return () => {
    model.off("change:story", reopen);
    current.destroy();
  };
}

function openStepper(model, el, story) {
  const stillness = matchMedia("(prefers-reduced-motion: reduce)");
  const moves = () => !stillness.matches;
  const wanted = model.get("variant");
  let variant = story.variants.some(({ id }) => id === wanted) ? wanted : "";
  let steps = stepsOf(variant);
  let position = -1;
  let asking = true;
  let picked = null;
  let drawn = null;
  let playing = null;

  const transport = makeTransport({
    first: () => go(0),
    back: () => go(position - 1),
    toggle,
    forward: () => go(position + 1),
    last: () => go(steps.length - 1),
    go,
  });
  const graph = makeGraph(story, { moves, onPick });
  const heading = makeHeading(story, variant, { onVariant, onAsking });
  const telling = makeTelling({ commit, moves });
  const source = makeSource(story.source);
  const numbers = makeNumbers(story);
  const memory = makeMemory(story);
  const notes = story.notes.map((note) => h("p", { class: "note" }, prose(note)));
  const root = h(
    "div",
    {
      class: "al-stepper",
      tabindex: "0",
      role: "region",
      "aria-label": `Graph stepper${story.title && `: ${story.title}`}`,
      "aria-keyshortcuts": "ArrowRight ArrowLeft Home End Space",
      // Tells JupyterLab not to treat keys as commands while the stepper has the focus.
      "data-lm-suppress-shortcuts": "true",
      on: { keydown: onKey },
    },
    heading.element,
    heading.why,
    transport.element,
    h(
      "div",
      { class: "stage" },
      h("div", { class: "drawn" }, graph.element, notes),
      h("div", { class: "told" }, telling.element, source.element, numbers.element),
    ),
    memory.element,
  );

  const room = makeRoom(root, story, {
    telling: telling.element,
    numbers: numbers.element,
    memory: memory.element,
  });

  function stepsOf(id) {
    return story.stories[id] ?? story.steps;
  }

  function committed() {
    return model.get("committed") ?? {};
  }

  function sealedAt(place) {
    return isSealed(steps[place], committed(), asking);
  }

  /** Go to a step, or to the first question on the way there that waits for its answer. */
  function go(place) {
    let target = Math.max(0, Math.min(Math.round(place), steps.length - 1));
    if (target > position && sealedAt(position)) {
      pause();
      transport.update(position, steps, "A question waits.", false);
      telling.insist();
      return;
    }
    for (let way = position + 1; way < target; way++) if (sealedAt(way)) target = way;
    if (target === position) return;
    position = target;
    picked = null;
    sync("position", position);
    show();
  }

  function toggle() {
    if (playing !== null) return pause();
    if (position === steps.length - 1) go(0);
    return playOn();
  }

  /** Plan the next step, unless there is none or a question waits. */
  function playOn() {
    if (position === steps.length - 1 || sealedAt(position)) return pause();
    playing = setTimeout(() => {
      go(position + 1);
      if (playing !== null) playOn();
    }, transport.delay());
    return transport.setPlaying(true);
  }

  function pause() {
    clearTimeout(playing);
    playing = null;
    transport.setPlaying(false);
  }

  function show() {
    const step = steps[position];
    const sealed = sealedAt(position);
    const state = stateAt(steps, position, sealed);
    // Parts enter when the reader goes one step on, and when an answer unveils them.
    const isNext = drawn !== null && position === drawn.position + 1;
    const isUnveiled = drawn?.position === position && drawn.sealed && !sealed;
    const forward = isNext || isUnveiled;
    const token = step.question?.token;
    const given = token === undefined ? undefined : committed()[token];
    const verdict = given === undefined ? null : verdictOn(token, given);
    heading.update(step, variant);
    graph.update(state, step, { sealed, picked, forward });
    memory.update(state, step, forward && moves());
    numbers.update(state, step, { sealed, picked });
    source.update(step.line);
    telling.update(step, { sealed, given, verdict });
    const told = sealed ? "A question waits." : (step.says ?? "");
    transport.update(position, steps, told, playing !== null);
    drawn = { position, sealed };
  }

  function verdictOn(token, given) {
    const known = story.answers[token];
    return known ? judge(known, given) : null;
  }

  function commit(answer) {
    const { token } = steps[position].question;
    // The step is shown as soon as the model has the answer, whichever view it was given in.
    sync("committed", { ...committed(), [token]: answer });
    root.focus({ preventScroll: true });
  }

  function onVariant(id) {
    const list = stepsOf(id);
    pause();
    if (list.length !== steps.length) position = 0;
    [variant, steps, picked, drawn] = [id, list, null, null];
    transport.setSteps(steps);
    room.setSteps(steps);
    sync("variant", id);
    sync("position", position);
    show();
  }

  function onAsking(yes) {
    asking = yes;
    show();
  }

  function onPick(id) {
    picked = picked === id ? null : id;
    show();
  }

  function onPosition() {
    const place = Math.max(0, Math.min(Number(model.get("position")) || 0, steps.length - 1));
    if (place === position) return;
    pause();
    position = place;
    show();
  }

  function onKey(event) {
    event.stopPropagation();
    const { target, key } = event;
    const isTyped = target.closest("input, select, textarea");
    if (event.altKey || event.ctrlKey || event.metaKey || isTyped) return;
    if (key === " " && target.closest("button")) return;
    const acts = {
      ArrowRight: () => go(position + 1),
      ArrowLeft: () => go(position - 1),
      Home: () => go(0),
      End: () => go(steps.length - 1),
      " ": toggle,
      "+": () => graph.zoom(1.25),
      "-": () => graph.zoom(0.8),
      0: () => graph.fit(),
    };
    if (!acts[key]) return;
    event.preventDefault();
    acts[key]();
  }

  function sync(key, value) {
    model.set(key, value);
    try {
      model.save_changes();
    } catch {
      // Without a kernel there is nobody to send this to, and the view does not need it.
    }
  }

  const unwatch = watchTheme(root);
  transport.setSteps(steps);
  room.setSteps(steps);
  el.replaceChildren(root);
  onPosition();
  const listeners = {
    "change:position": onPosition,
    "change:committed": show,
  };
  for (const [event, listener] of Object.entries(listeners)) model.on(event, listener);

  function destroy() {
    pause();
    for (const [event, listener] of Object.entries(listeners)) model.off(event, listener);
    graph.destroy();
    room.destroy();
    unwatch();
    el.replaceChildren();
  }

  return { destroy };
}

export default { render };

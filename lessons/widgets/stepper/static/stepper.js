// The graph stepper: shows a story (plain data that Python has made) step by step, in a notebook
// or in a bare page. It computes nothing; what holds after step k is what the changes of steps
// 0 … k say, so that going back is as safe as going on.

import { makeNumbers, makeSource } from "./aside.js";
import { h, prose } from "./dom.js";
import { askingCard, insist, verdictCard } from "./gate.js";
import { makeGraph } from "./graph.js";
import { makeMemory } from "./memory.js";
import { isSealed, judge, PHASES, readSteps, readStory, stateAt, StoryError } from "./story.js";
import { watchTheme } from "./theme.js";
import { makeTransport } from "./transport.js";

const ANSWER_SECONDS = 4;

/** Fill `el` with a stepper over `model`; returns what takes it away again. */
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
  const replies = new Map();
  const timers = new Set();
  let variant = story.variants.some(({ id }) => id === model.get("variant")) ? model.get("variant") : "";
  let steps = stepsOf(variant) ?? story.steps;
  let position = -1;
  let asking = true;
  let picked = null;
  let playing = 0;
  let asked = null;
  let drawn = null;

  const transport = makeTransport({
    first: () => go(0),
    back: () => go(position - 1),
    toggle: () => (playing ? pause() : play()),
    forward: () => go(position + 1),
    last: () => go(steps.length - 1),
    go,
  });
  const graph = makeGraph(story, {
    moves,
    onPick: (id) => {
      picked = picked === id ? null : id;
      show();
    },
  });
  const source = makeSource(story.source);
  const numbers = makeNumbers(story);
  const memory = makeMemory(story);
  const phase = h("span", { class: "phase" });
  const says = h("p", { class: "says", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  const question = h("div", { class: "question-place" });
  const alarm = h("div", { class: "error-place" });
  const sweeps = h("div", { class: "sweeps" });
  const why = h("p", { class: "why-variant" });
  const menu = variantMenu();
  const hasQuestions = [story.steps, ...Object.values(story.stories)].some((list) =>
    list.some?.((step) => step.question?.token),
  );
  const root = h(
    "div",
    {
      class: "al-stepper",
      tabindex: "0",
      role: "region",
      "aria-label": `Graph stepper${story.title && `: ${story.title}`}`,
      "aria-keyshortcuts": "ArrowRight ArrowLeft Home End Space",
      "data-lm-suppress-shortcuts": "true",
      on: { keydown: onKey },
    },
    h(
      "header",
      {},
      h("h2", {}, prose(story.title)),
      sweeps,
      hasQuestions ? questionSwitch() : null,
      menu,
    ),
    why,
    transport.element,
    h(
      "div",
      { class: "stage" },
      h("div", { class: "drawn" }, graph.element, story.notes.map((note) => h("p", { class: "note" }, prose(note)))),
      h(
        "div",
        { class: "told" },
        h("section", { class: "telling" }, h("div", { class: "where" }, phase), says, question, alarm),
        source.element,
        numbers.element,
      ),
    ),
    memory.element,
  );

  function stepsOf(id) {
    const kept = story.stories[id || story.variants[0]?.id] ?? (id ? undefined : story.steps);
    return kept && readSteps(kept);
  }

  function variantMenu() {
    if (story.variants.length < 2) return null;
    const list = h(
      "select",
      { "aria-label": "Variant", on: { change: () => choose(list.value) } },
      story.variants.map(({ id, label }) => h("option", { value: id, selected: id === variant }, label ?? id)),
    );
    return h("label", { class: "variants" }, h("span", {}, "Engine"), list);
  }

  function questionSwitch() {
    const box = h("input", { type: "checkbox", checked: true, on: { change: onSwitch } });
    function onSwitch() {
      asking = box.checked;
      show();
    }
    return h("label", { class: "ask" }, box, "Ask me first");
  }

  function choose(id) {
    pause();
    const kept = stepsOf(id);
    if (kept) useVariant(id, kept);
    else {
      waitFor(() => tell("No kernel answers, so this variant cannot be shown here."));
      tell("Asking the kernel …");
      send({ ask: "variant", id });
    }
  }

  function useVariant(id, list) {
    const same = list.length === steps.length;
    [variant, steps, picked, drawn] = [id, list, null, null];
    transport.setSteps(steps);
    sync("variant", id);
    position = same ? position : 0;
    sync("position", position);
    show();
  }

  function committed() {
    return model.get("committed") ?? {};
  }

  function sealedAt(place) {
    return isSealed(steps[place], committed(), asking);
  }

  /** Go to a step, or to the first question on the way there that waits for its answer. */
  function go(wanted) {
    let target = Math.max(0, Math.min(Math.round(wanted), steps.length - 1));
    if (target > position && sealedAt(position)) {
      pause();
      transport.update(position, steps, "", false);
      if (asked) insist(asked, moves());
      return;
    }
    for (let place = position + 1; place < target; place++) if (sealedAt(place)) target = place;
    if (target === position) return;
    position = target;
    picked = null;
    sync("position", position);
    show();
  }

  function play() {
    if (position === steps.length - 1) go(0);
    playing = -1;
    tick();
  }

  function tick() {
    if (position === steps.length - 1 || sealedAt(position)) pause();
    else {
      playing = setTimeout(() => {
        go(position + 1);
        if (playing) tick();
      }, transport.pause());
      transport.setPlaying(true);
    }
  }

  function pause() {
    clearTimeout(playing);
    playing = 0;
    transport.setPlaying(false);
  }

  function commit(answer) {
    const { token } = steps[position].question;
    sync("committed", { ...committed(), [token]: answer });
    if (!story.answers[token] && answer !== null) send({ ask: "answer", token, answer });
    show();
    root.focus({ preventScroll: true });
  }

  function show() {
    const step = steps[position];
    const sealed = sealedAt(position);
    const forward = drawn != null && position === drawn.position + 1;
    const unveiled = drawn?.position === position && drawn.sealed && !sealed;
    const state = stateAt(steps, position, sealed);
    const entering = moves() && (forward || unveiled);
    graph.update(state, step, { sealed, picked, forward: forward || unveiled });
    memory.update(state, step, entering);
    numbers.update(state, step, { sealed, picked });
    source.update(step.line);
    transport.update(position, steps, sealed ? "A question waits." : (step.says ?? ""), playing !== 0);
    phase.textContent = step.title ?? PHASES[step.phase] ?? "";
    phase.className = `phase of-${step.phase}`;
    tellStep(step, sealed);
    tellSweeps(step.sweeps);
    const { why: reason, label } = story.variants.find(({ id }) => id === variant) ?? {};
    why.replaceChildren(...(reason ? [h("b", {}, `${label}: `), ...prose(reason)] : []));
    why.hidden = !reason;
    drawn = { position, sealed };
  }

  function tellStep(step, sealed) {
    const token = step.question?.token;
    asked = null;
    alarm.replaceChildren();
    if (sealed) {
      asked = askingCard(step.question, commit);
      question.replaceChildren(asked);
      tell("Predict before you look. Then the step is shown.");
      return;
    }
    const answer = token && committed()[token];
    const known = story.answers[token];
    const verdict = known ? judge(known, answer) : replies.get(token);
    const isTold = token && answer !== undefined && !(answer === null && !verdict);
    question.replaceChildren(...(isTold ? [verdictCard(step.question, answer, verdict ?? null)] : []));
    tell(step.says);
    if (step.error)
      alarm.append(
        h("div", { class: "error", role: "alert" }, h("b", {}, "✗ Here PyTorch raises"), h("pre", {}, step.error)),
      );
  }

  function tell(words) {
    if (says.dataset.words === String(words)) return;
    says.dataset.words = words;
    says.replaceChildren(...prose(words));
  }

  function tellSweeps(counts) {
    const parts = Object.entries(counts ?? {}).map(([kind, count]) =>
      h("span", { class: "chip-count" }, `${kind} `, h("b", {}, String(count))),
    );
    sweeps.replaceChildren(...(parts.length ? [h("span", {}, "Sweeps"), ...parts] : []));
  }

  function sync(key, value) {
    model.set(key, value);
    try {
      model.save_changes();
    } catch {
      // Without a kernel nobody listens; what is shown does not depend on it.
    }
  }

  function send(message) {
    try {
      model.send(message);
    } catch {
      // As above: an answer that never comes is told by the timer.
    }
  }

  function waitFor(giveUp) {
    const timer = setTimeout(() => {
      timers.delete(timer);
      giveUp();
    }, 1000 * ANSWER_SECONDS);
    timers.add(timer);
  }

  function onReply(reply) {
    if (reply?.variant != null && Array.isArray(reply.steps)) {
      timers.forEach(clearTimeout);
      timers.clear();
      useVariant(reply.variant, readSteps(reply.steps));
    } else if (reply?.token != null) {
      const outcome = reply.right ? "right" : "wrong";
      replies.set(reply.token, { outcome, says: reply.says ?? "", idea: "" });
      show();
    }
  }

  function onKey(event) {
    event.stopPropagation();
    const { target, key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || target.closest("input, select, textarea")) return;
    const isButton = target.closest("button, summary");
    if (key === " " && isButton) return;
    const acts = {
      ArrowRight: () => go(position + 1),
      ArrowLeft: () => go(position - 1),
      Home: () => go(0),
      End: () => go(steps.length - 1),
      " ": () => (playing ? pause() : play()),
      "+": () => graph.zoom(1.25),
      "-": () => graph.zoom(0.8),
      0: () => graph.fit(),
    };
    if (!acts[key]) return;
    event.preventDefault();
    acts[key]();
  }

  function onPosition() {
    const wanted = Math.max(0, Math.min(Number(model.get("position")) || 0, steps.length - 1));
    if (wanted === position) return;
    pause();
    position = wanted;
    show();
  }

  const unwatch = watchTheme(root);
  transport.setSteps(steps);
  el.replaceChildren(root);
  onPosition();
  const listeners = { "change:position": onPosition, "change:committed": show, "msg:custom": onReply };
  for (const [event, listener] of Object.entries(listeners)) model.on(event, listener);

  function destroy() {
    pause();
    timers.forEach(clearTimeout);
    for (const [event, listener] of Object.entries(listeners)) model.off(event, listener);
    graph.destroy();
    unwatch();
    el.replaceChildren();
  }

  return { destroy };
}

export default { render };

// The words of a step: what happens, and its question, the verdict on the answer, or its error.

import { h, prose } from "./dom.js";
import { askingCard, insist, verdictCard } from "./gate.js";
import { PHASES } from "./story.js";

/**
 * The words of the current step, which screen readers read aloud. `commit(answer)` is called with a
 * prediction; `moves()` says whether things may move.
 */
export function makeTelling({ commit, moves }) {
  const phase = h("span", { class: "phase" });
  const says = h("p", { class: "says", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  const question = h("div", { "aria-live": "polite" });
  const error = h("div", {});
  const element = h("section", { class: "telling" }, h("div", {}, phase), says, question, error);
  let asking = null;

  /**
   * Show a step. A `sealed` one asks its question; another may have the answer that was `given` to
   * it, with the `verdict` of `judge`.
   */
  function update(step, { sealed, given, verdict }) {
    phase.textContent = step.title ?? PHASES[step.phase] ?? "";
    phase.className = `phase of-${step.phase}`;
    asking = sealed ? askingCard(step.question, commit) : null;
    const answered = given !== undefined && (given !== null || verdict);
    const card = asking ?? (answered ? verdictCard(step.question, given, verdict) : null);
    question.replaceChildren(...(card ? [card] : []));
    error.replaceChildren(...(step.error && !sealed ? [errorBox(step.error)] : []));
    say(sealed ? "Predict before you look. Then the step is shown." : step.says);
  }

  /** Replace the words, unless they are the same: screen readers would read them again. */
  function say(words) {
    if (says.dataset.words === String(words)) return;
    says.dataset.words = words;
    says.replaceChildren(...prose(words));
  }

  return { element, update, insist: () => asking && insist(asking, moves()) };
}

function errorBox(words) {
  return h(
    "div",
    { class: "error", role: "alert" },
    h("b", {}, "✗ Here PyTorch raises"),
    h("pre", {}, words),
  );
}

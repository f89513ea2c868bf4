// The words of a step: what happens, a question before it, a verdict after it, an error in it.

import { h, prose } from "./dom.js";
import { askingCard, insist, verdictCard } from "./gate.js";
import { PHASES } from "./story.js";

/** Where a step is told, and read aloud; `commit(answer)` is called with a prediction. */
export function makeTelling({ commit, moves }) {
  const phase = h("span", { class: "phase" });
  const says = h("p", { class: "says", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  const question = h("div", { "aria-live": "polite" });
  const alarm = h("div", {});
  const element = h("section", { class: "telling" }, h("div", {}, phase), says, question, alarm);
  let asking = null;

  /** `sealed` steps ask; others may have an answer that was `given`, and judge's `verdict` on it. */
  function update(step, { sealed, given, verdict }) {
    phase.textContent = step.title ?? PHASES[step.phase] ?? "";
    phase.className = `phase of-${step.phase}`;
    asking = sealed ? askingCard(step.question, commit) : null;
    const answered = given !== undefined && (given !== null || verdict);
    const card = asking ?? (answered ? verdictCard(step.question, given, verdict) : null);
    question.replaceChildren(...(card ? [card] : []));
    alarm.replaceChildren(...(step.error && !sealed ? [errorBox(step.error)] : []));
    tell(sealed ? "Predict before you look. Then the step is shown." : step.says);
  }

  /** Say something; the same words are not read aloud twice. */
  function tell(words) {
    if (says.dataset.words === String(words)) return;
    says.dataset.words = words;
    says.replaceChildren(...prose(words));
  }

  return { element, update, tell, insist: () => asking && insist(asking, moves()) };
}

function errorBox(words) {
  return h(
    "div",
    { class: "error", role: "alert" },
    h("b", {}, "✗ Here PyTorch raises"),
    h("pre", {}, words),
  );
}

// The prediction gate: a question before a step's values are shown, and the verdict on the answer.

import { h, prose } from "./dom.js";
import { toNumber } from "./story.js";

/** The card that asks; `commit(answer)` is called once, with null when the learner skips. */
export function askingCard(question, commit) {
  const note = h("p", { class: "note", role: "alert" });
  const skip = h("button", { type: "button", class: "skip", on: { click: () => commit(null) } }, "Skip");
  const card = h(
    "div",
    { class: "gate asking", role: "group", "aria-label": "Prediction", on: { keydown: onKey } },
    h("p", { class: "gate-head" }, h("span", { class: "sign", "aria-hidden": "true" }, "?"), "Predict first"),
    h("p", { class: "question" }, prose(question.text)),
    question.kind === "choice" ? choices() : numberForm(),
    note,
  );

  function choices() {
    return h(
      "div",
      { class: "choices" },
      (question.choices ?? []).map((choice) =>
        h("button", { type: "button", class: "choice", on: { click: () => commit(String(choice)) } }, prose(choice)),
      ),
      skip,
    );
  }

  function numberForm() {
    const input = h("input", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": "Your prediction, a number",
      placeholder: "a number",
    });
    const submit = (event) => {
      event.preventDefault();
      const text = input.value.trim();
      if (Number.isNaN(toNumber(text)) && !/^[+-]?(nan|inf(inity)?)$/i.test(text)) {
        note.textContent = "Write a number, such as 0.25.";
        input.focus({ preventScroll: true });
      } else commit(text);
    };
    return h(
      "form",
      { on: { submit } },
      input,
      h("button", { type: "submit", class: "commit" }, "Commit"),
      skip,
    );
  }

  function onKey(event) {
    if (event.key === "Escape") commit(null);
  }

  return card;
}

/** Move the keyboard focus to a question that is still unanswered, say so, and shake its card. */
export function insist(card, moves) {
  card.querySelector("input, .choice")?.focus({ preventScroll: true });
  card.querySelector(".note").textContent = "Commit to an answer first, or skip.";
  if (moves)
    card.animate([{ transform: "none" }, { transform: "translateX(5px)" }, { transform: "none" }], {
      duration: 160,
      iterations: 2,
    });
}

/** The card that compares a committed answer with the truth; `verdict` is judge's, or null. */
export function verdictCard(question, given, verdict) {
  if (!verdict)
    return h(
      "div",
      { class: "gate verdict" },
      h("p", { class: "gate-head" }, h("span", { class: "sign" }, "✎"), `You predicted ${given}.`),
    );
  const { outcome, truth, says, idea } = verdict;
  const [sign, head] = {
    right: ["✓", "Predicted right"],
    wrong: ["✗", "Not what happens"],
    skipped: ["–", "Skipped"],
  }[outcome];
  // A choice may be a sentence of its own.
  const isTold = question.kind === "choice" ? "What happens: " : "It is ";
  const told = (answer) => [isTold, h("b", {}, String(answer)), "."];
  const answers = {
    right: () => told(truth ?? given),
    wrong: () => ["You predicted ", h("s", {}, String(given)), ". ", ...(truth == null ? [] : told(truth))],
    skipped: () => (truth == null ? [] : told(truth)),
  }[outcome]();
  return h(
    "div",
    { class: `gate verdict ${outcome}` },
    h("p", { class: "gate-head" }, h("span", { class: "sign", "aria-hidden": "true" }, sign), head),
    h("p", { class: "asked" }, prose(question.text), " ", answers),
    idea ? h("p", { class: "idea" }, prose(idea)) : null,
    says ? h("p", {}, prose(says)) : null,
  );
}

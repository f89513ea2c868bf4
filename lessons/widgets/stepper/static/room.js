// Room that is kept free from the first step on, so that what stands below the stepper, and its
// memory, do not move while one goes through the steps.

import { makeNumbers } from "./aside.js";
import { h } from "./dom.js";
import { makeMemory } from "./memory.js";
import { judge, stateAt } from "./story.js";
import { makeTelling } from "./telling.js";

// Of a story that goes on and on, its beginning says enough.
const STEPS_DRAFTED = 150;

/**
 * Keep `telling` and `numbers` together as high as they get in any step, and `memory` as well.
 * All are elements in `root`; there may be no memory.
 */
export function makeRoom(root, story, { telling, numbers, memory }) {
  const twins = {
    telling: makeTelling({ commit() {}, moves: () => false }),
    numbers: makeNumbers(story),
    memory: makeMemory(story),
  };
  let drafts = [];
  let width = 0;
  let needed = 0;

  /** From now on it is these steps that are gone through. */
  function setSteps(steps) {
    drafts = steps.slice(0, STEPS_DRAFTED).map((step, place) => draft(step, stateAt(steps, place)));
    if (width) measure();
  }

  function measure() {
    const beside = drafts.flatMap((each) => [...each.tellings, each.numbers]);
    const ruler = h(
      "div",
      { class: "ruler", "aria-hidden": "true" },
      h("div", { style: `width: ${width}px` }, beside),
      memory && drafts.map((each) => each.memory),
    );
    root.append(ruler);
    needed = highest(drafts.map((each) => highest(each.tellings.map(heightOf)) + heightOf(each.numbers)));
    if (memory) memory.style.minHeight = `${highest(drafts.map((each) => heightOf(each.memory)))}px`;
    ruler.remove();
    share();
  }

  /** What the words do not take of their common room, the numbers have. */
  function share() {
    numbers.style.minHeight = `${needed - heightOf(telling)}px`;
  }

  /** Copies of the words, the numbers and the memory, as they will be in a step. */
  function draft(step, state) {
    const copyOf = ({ element }) => element?.cloneNode(true);
    const tellings = outcomes(step, story.answers).map((told) => {
      twins.telling.update(step, told);
      twins.telling.insist();
      return copyOf(twins.telling);
    });
    twins.numbers.update(state, step, { sealed: false, picked: null });
    twins.memory.update(state, step, false);
    return { tellings, numbers: copyOf(twins.numbers), memory: copyOf(twins.memory) };
  }

  const watch = new ResizeObserver(([{ contentRect }]) => {
    if (!contentRect.width) return;
    if (contentRect.width === width) return share();
    width = contentRect.width;
    measure();
  });
  watch.observe(telling);

  return { setSteps, destroy: () => watch.disconnect() };
}

/** How a step may be told: as it is, or with its question and whatever becomes of the answer. */
function outcomes({ question }, answers) {
  if (!question?.token) return [{ sealed: false }];
  const known = answers[question.token];
  const foreseen = known ? [known.truth, ...(known.wrong ?? []).map(({ answer }) => answer)] : [];
  const verdicts = foreseen.map((given) => ({ sealed: false, given, verdict: judge(known, given) }));
  return [{ sealed: true }, ...verdicts];
}

function heightOf(element) {
  return element.getBoundingClientRect().height;
}

function highest(heights) {
  return Math.max(0, ...heights);
}

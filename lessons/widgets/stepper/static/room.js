// Reserves the space that the highest step needs, so that the memory lane and the page below the
// stepper do not move from one step to the next. To find out how much that is, every step is laid
// out once, out of sight.

import { makeNumbers } from "./aside.js";
import { h } from "./dom.js";
import { makeMemory } from "./memory.js";
import { judge, stateAt } from "./story.js";
import { makeTelling } from "./telling.js";

// The first steps of a very long story are enough to know its height.
const STEPS_MEASURED = 150;

/**
 * Give `telling` and `numbers` together the height that they have in their highest step, and the
 * same to `memory`. All are elements in `root`; `memory` may be null.
 */
export function makeRoom(root, story, { telling, numbers, memory }) {
  const hidden = {
    telling: makeTelling({ commit() {}, moves: () => false }),
    numbers: makeNumbers(story),
    memory: makeMemory(story),
  };
  let layouts = [];
  let width = 0;
  let needed = 0;

  /** Reserve the space that these steps need. */
  function setSteps(steps) {
    layouts = steps.slice(0, STEPS_MEASURED).map((step, place) => layOut(step, stateAt(steps, place)));
    if (width) measure();
  }

  function measure() {
    const besideTheGraph = layouts.flatMap((each) => [...each.tellings, each.numbers]);
    const ruler = h(
      "div",
      { class: "ruler", "aria-hidden": "true" },
      h("div", { style: `width: ${width}px` }, besideTheGraph),
      memory && layouts.map((each) => each.memory),
    );
    root.append(ruler);
    needed = highest(layouts.map((each) => highest(each.tellings.map(heightOf)) + heightOf(each.numbers)));
    if (memory) memory.style.minHeight = `${highest(layouts.map((each) => heightOf(each.memory)))}px`;
    ruler.remove();
    share();
  }

  /** Give the numbers the part of the reserved height that the words leave free. */
  function share() {
    numbers.style.minHeight = `${needed - heightOf(telling)}px`;
  }

  /** The words, the numbers and the memory of a step, as elements to be measured. */
  function layOut(step, state) {
    const copyOf = ({ element }) => element?.cloneNode(true);
    const tellings = outcomes(step, story.answers).map((outcome) => {
      hidden.telling.update(step, outcome);
      hidden.telling.insist();
      return copyOf(hidden.telling);
    });
    hidden.numbers.update(state, step, { sealed: false, picked: null });
    hidden.memory.update(state, step, false);
    return { tellings, numbers: copyOf(hidden.numbers), memory: copyOf(hidden.memory) };
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

/** The ways in which a step can appear: as it is, or with its question or one of the verdicts. */
function outcomes({ question }, answers) {
  if (!question?.token) return [{ sealed: false }];
  const known = answers[question.token];
  const answersForeseen = known ? [known.truth, ...(known.wrong ?? []).map(({ answer }) => answer)] : [];
  const verdicts = answersForeseen.map((given) => ({ sealed: false, given, verdict: judge(known, given) }));
  return [{ sealed: true }, ...verdicts];
}

function heightOf(element) {
  return element.getBoundingClientRect().height;
}

function highest(heights) {
  return Math.max(0, ...heights);
}

// Reads a story: whether it is complete, the state after a step, whether an answer is right. No
// mathematics happens here; every number comes ready-made from Python.

export const PHASES = {
  forward: "Forward",
  backward: "Backward",
  tangent: "Forward mode",
  memory: "Memory",
};

const PARTS = ["nodes", "edges", "names", "storages", "slots"];
const GUESSED = ["value", "grad", "tangent"];
const TOLERANCE = 1e-3;

/** What is wrong with a story, in words for the reader. */
export class StoryError extends Error {}

/** The story with every part in its place; throws StoryError when it cannot be shown. */
export function readStory(raw) {
  if (!raw || typeof raw !== "object" || Array.isArray(raw) || !Object.keys(raw).length)
    throw new StoryError("it is empty. Make one with step(z).");
  const nodes = listed(raw, "nodes");
  const known = new Set();
  for (const node of nodes) {
    if (node?.id == null) throw new StoryError("one of its nodes has no id.");
    if (!isBox(node.box)) throw new StoryError(`node ${node.id} has no box of four numbers.`);
    known.add(node.id);
  }
  const edges = listed(raw, "edges");
  for (const edge of edges) {
    const lost = [edge?.source, edge?.target].find((end) => !known.has(end));
    if (!edge || lost !== undefined || edge.source == null || edge.target == null)
      throw new StoryError(`edge ${edge?.id} leads to a node that is not there: ${lost}.`);
    if (!Array.isArray(edge.route) || edge.route.length < 2)
      throw new StoryError(`edge ${edge.id} has no route.`);
  }
  const memory = raw.memory ?? {};
  const variants = raw.variants ?? [];
  // The first one's steps are the story's own.
  for (const { id } of variants.slice(1)) readSteps(raw.stories?.[id], `its variant ${id}`);
  return {
    title: String(raw.title ?? ""),
    source: raw.source ?? [],
    size: extent(raw.size, nodes),
    nodes,
    edges,
    memory: {
      names: memory.names ?? [],
      storages: memory.storages ?? [],
      slots: memory.slots ?? [],
    },
    steps: readSteps(raw.steps),
    variants,
    stories: raw.stories ?? {},
    answers: raw.answers ?? {},
    notes: raw.notes ?? [],
  };
}

// The steps of a story or of a variant of it.
function readSteps(steps, where = "it") {
  if (steps === undefined) throw new StoryError(`${where} lacks "steps".`);
  if (!Array.isArray(steps)) throw new StoryError(`${where} has "steps" that are no list.`);
  if (!steps.length) throw new StoryError(`${where} has no steps: nothing was recorded.`);
  if (steps.some((step) => !step || typeof step !== "object"))
    throw new StoryError(`${where} has an empty step.`);
  return steps;
}

function listed(raw, key) {
  if (raw[key] === undefined) throw new StoryError(`it lacks "${key}".`);
  if (!Array.isArray(raw[key])) throw new StoryError(`its "${key}" are no list.`);
  return raw[key];
}

function isBox(box) {
  return Array.isArray(box) && box.length === 4 && box.every((number) => Number.isFinite(number));
}

function extent(size, nodes) {
  const [width, height] = Array.isArray(size) ? size : [0, 0];
  const right = nodes.map(({ box: [x, , w] }) => x + w / 2);
  const bottom = nodes.map(({ box: [, y, , h] }) => y + h / 2);
  return [Math.max(width || 0, 1, ...right), Math.max(height || 0, 1, ...bottom)];
}

/**
 * The state after step `position`: a Map from id to state for each part of the story. Of a sealed
 * step, whose question waits for an answer, it has only what appears, with "?" for its values.
 */
export function stateAt(steps, position, sealed = false) {
  const state = Object.fromEntries(PARTS.map((part) => [part, new Map()]));
  for (let index = 0; index <= position; index++) {
    for (const part of PARTS) {
      for (const [id, change] of Object.entries(steps[index].changes?.[part] ?? {})) {
        const news = sealed && index === position ? veiled(part, change) : change;
        const now = { ...state[part].get(id), ...news };
        if ("grad" in news && !("sum" in news)) delete now.sum;
        state[part].set(id, now);
      }
    }
  }
  return state;
}

function veiled(part, change) {
  const news = {};
  if (part !== "nodes" && part !== "edges") return news;
  if ("shown" in change) news.shown = change.shown;
  if (part === "nodes") for (const key of GUESSED) if (key in change) news[key] = "?";
  return news;
}

/** Whether a step's question still waits for its answer. */
export function isSealed(step, committed, asking) {
  return Boolean(asking && step.question?.token && !(step.question.token in committed));
}

/**
 * Compare a committed answer with what the story knows: `outcome` is right, wrong, or skipped
 * (the answer is null); `truth` is as it is to be shown; `idea` is the misconception behind a wrong
 * answer that was foreseen.
 */
export function judge(known, given) {
  const { says = "", wrong = [], tolerance = TOLERANCE } = known;
  const truth = known.shown ?? known.truth;
  if (given === null) return { outcome: "skipped", truth, says, idea: "" };
  if (sameAnswer(given, known.truth, tolerance)) return { outcome: "right", truth, says, idea: "" };
  const foreseen = wrong.find(({ answer }) => sameAnswer(given, answer, tolerance));
  return { outcome: "wrong", truth, says, idea: foreseen?.says ?? "" };
}

function sameAnswer(given, answer, tolerance) {
  const [one, other] = [toNumber(given), toNumber(answer)];
  if (Number.isNaN(one) || Number.isNaN(other)) return words(given) === words(answer);
  if (one === other) return true;
  return Math.abs(one - other) <= tolerance * Math.max(Math.abs(other), tolerance);
}

/** A number as people write it, NaN for anything else: "−0.5", "2.", "0,25", "1e-3", "２". */
export function toNumber(text) {
  const plain = String(text ?? "").normalize("NFKC").trim().replace(/\u2212/g, "-");
  return plain === "" ? NaN : Number(plain.replace(/^(-?\d*),(\d+)$/, "$1.$2"));
}

function words(text) {
  return String(text).trim().toLowerCase().replace(/\s+/g, " ");
}

// The memory lane: names on the left, storages in the middle, what the graph has saved on the right.

import { h, scrollWithin } from "./dom.js";

const SLOTS_SHOWN = 5;
const FEW_VALUES = 2;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The lane of a story; `element` is null when the story has nothing about memory. */
export function makeMemory({ memory: { names, storages, slots }, steps }) {
  if (!storages.length) return { element: null, update() {} };
  const labels = new Map(storages.map(({ id }, place) => [id, lettered(place)]));
  const longest = Math.max(
    0,
    ...steps.flatMap((step) =>
      Object.values(step.changes?.storages ?? {}).map(({ values }) => values?.length ?? 0),
    ),
  );
  const rows = h("div", { class: longest > FEW_VALUES ? "storages wide" : "storages" });
  const element = h(
    "section",
    { class: "memory", "aria-label": "Memory" },
    h(
      "header",
      {},
      h("h3", {}, "Memory"),
      h("span", {}, "names"),
      h("span", { "aria-hidden": "true" }, "→"),
      h("span", {}, "storage and its version counter"),
      h("span", { "aria-hidden": "true" }, "←"),
      h("span", {}, "saved by the graph"),
    ),
    rows,
  );

  function update(state, step, entering) {
    const touched = (part, id) => step.changes?.[part]?.[id];
    const made = [];
    let first = null;
    for (const { id } of storages) {
      const now = state.storages.get(id);
      if (!now?.shown) continue;
      const mine = (list, part) =>
        list
          .map((item) => ({ ...item, now: state[part].get(item.id), change: touched(part, item.id) }))
          .filter((item) => item.now?.shown && item.now.storage === id);
      const [aliases, saved] = [mine(names, "names"), mine(slots, "slots")];
      const change = touched("storages", id);
      const isTouched = change || [...aliases, ...saved].some((item) => item.change);
      const row = h(
        "div",
        { class: `place${isTouched ? " touched" : ""}${entering && change?.shown ? " entering" : ""}` },
        h("div", { class: "names" }, aliases.map((name) => nameTag(name, entering))),
        storageCard(labels.get(id), now, change),
        h("div", { class: "slots" }, slotTags(saved, now, entering)),
      );
      if (isTouched) first ??= row;
      made.push(row);
    }
    if (!made.length) made.push(h("p", { class: "none" }, "Nothing in memory yet."));
    rows.replaceChildren(...made);
    scrollWithin(rows, first);
  }

  return { element, update };
}

function lettered(place) {
  const letter = LETTERS[place % LETTERS.length];
  return place < LETTERS.length ? letter : `${letter}${Math.floor(place / LETTERS.length)}`;
}

function nameTag({ name, says, now, change }, entering) {
  return h(
    "div",
    { class: `tag name${change ? " fresh" : ""}${entering && change?.shown ? " entering" : ""}` },
    h("div", { class: "tag-body" }, h("b", {}, String(name ?? "")), h("small", {}, now.says ?? says ?? "")),
    h("i", { class: "arrow points", "aria-label": "points to" }),
  );
}

function storageCard(label, now, change) {
  const values = (now.values ?? []).map((value) => h("span", { class: "cell" }, String(value)));
  if (now.hidden) values.push(h("span", { class: "cell more" }, `… ${now.hidden} more`));
  const moved = change && "version" in change && !("shown" in change);
  return h(
    "div",
    { class: "storage" },
    h("span", { class: "letter", title: `storage ${label}` }, label),
    h("div", { class: "cells" }, values),
    h(
      "b",
      { class: moved ? "version bumped" : "version" },
      now.version == null ? "" : `version ${now.version}`,
      moved ? h("span", { "aria-label": ", just raised" }, " ▲") : null,
    ),
  );
}

/** The slots of one storage; of many, those that matter now. */
function slotTags(saved, storage, entering) {
  const weight = ({ now, change }) => (change ? 2 : 0) + (now.stale ? 1 : 0) - (now.freed ? 1 : 0);
  const told = saved.length <= SLOTS_SHOWN
    ? saved
    : [...saved].sort((one, other) => weight(other) - weight(one)).slice(0, SLOTS_SHOWN - 1);
  const tags = told.map((slot) => slotTag(slot, storage, entering));
  const rest = saved.length - told.length;
  if (rest) tags.push(h("small", { class: "rest" }, `and ${rest} more slots`));
  return tags;
}

function slotTag({ owner, name, now, change }, storage, entering) {
  const kind = now.freed ? "freed" : now.stale ? "stale" : "held";
  const told = {
    held: `saved at version ${now.version}`,
    stale: `saved at version ${now.version}, memory is at ${storage.version ?? "another"}`,
    freed: "",
  }[kind];
  const sign = { held: null, stale: "⚠ STALE", freed: "∅ freed" }[kind];
  const classes = ["tag", "slot", kind];
  if (change) classes.push("fresh");
  if (entering && change?.shown) classes.push("entering");
  return h(
    "div",
    { class: classes.join(" ") },
    h("i", { class: "arrow reads", "aria-label": "reads" }),
    h(
      "div",
      { class: "tag-body" },
      h("b", {}, [owner, name].filter(Boolean).join(" · ")),
      sign && h("span", { class: "sign" }, sign),
      sign && " ",
      h("small", {}, now.version == null && kind !== "freed" ? "saved" : told),
    ),
  );
}

// The stepper on a page that has no kernel and no widgets: everything is in the story.

import { render } from "./stepper.js";

/** Make `host` a live stepper over `story`; what it showed until now gives way. */
export function standAlone(host, story) {
  const data = { story, position: 0, committed: {}, variant: "" };
  const listeners = new Map();
  const heard = (name) => listeners.get(name) ?? listeners.set(name, new Set()).get(name);
  const model = {
    get: (name) => data[name],
    set: (name, value) => {
      data[name] = value;
      for (const listener of [...heard(`change:${name}`)]) listener();
    },
    save_changes() {},
    on: (name, listener) => heard(name).add(listener),
    off: (name, listener) => heard(name).delete(listener),
  };
  // In a tree of its own the style sheets of the page, made for prose, do not reach it.
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const style = document.createElement("style");
  style.textContent = STYLE;
  const el = document.createElement("div");
  root.replaceChildren(style, el);
  // JupyterLab looks for this outside of that tree before it takes a key for itself.
  host.dataset.lmSuppressShortcuts = "true";
  render({ model, el });
}

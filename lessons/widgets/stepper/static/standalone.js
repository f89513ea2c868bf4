// The stepper on a page without a kernel and without widgets: the story is all that it needs.

import { render } from "./stepper.js";

/** Replace the content of `host` by a stepper over `story`, with a model that lives on the page. */
export function standAlone(host, story) {
  const data = { story, position: 0, committed: {}, variant: "" };
  const listeners = new Map();
  const listenersOf = (name) => listeners.get(name) ?? listeners.set(name, new Set()).get(name);
  const model = {
    get: (name) => data[name],
    set: (name, value) => {
      data[name] = value;
      for (const listener of [...listenersOf(`change:${name}`)]) listener();
    },
    save_changes() {},
    on: (name, listener) => listenersOf(name).add(listener),
    off: (name, listener) => listenersOf(name).delete(listener),
  };
  // Inside a shadow root the page's style sheets, which are made for prose, have no effect.
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const style = document.createElement("style");
  style.textContent = STYLE;
  const el = document.createElement("div");
  root.replaceChildren(style, el);
  // JupyterLab cannot see into the shadow root; on the host this keeps it from treating keys as
  // commands.
  host.dataset.lmSuppressShortcuts = "true";
  render({ model, el });
}

// The part of a card that runs in the page: shows the HTML from the kernel, and sends its forms.
// A form with data-al-do="x" sends {do: "x", …its fields}; the kernel answers with html or a note.

const PATIENCE = 4000;
const LATE = "The kernel has not answered yet. If it is not busy, run this card's cell again.";
const GONE = "The kernel that made this card has gone. Run the lesson from the top.";
const CUT_OFF = "jupyter-widgets-disconnected";

function words(text) {
  return text.replace(/¶$/, "").replace(/\s+/g, " ").trim();
}

// Scroll repeatedly: cells are laid out when they come into view, which moves those below them.
function settle(heading, frames) {
  heading.scrollIntoView({ block: "start" });
  if (frames > 0) requestAnimationFrame(() => settle(heading, frames - 1));
}

// JupyterLab handles links to headings in Markdown and HTML outputs, but not those in widgets.
function goTo(link, event) {
  const wanted = words(link.dataset.alHeading || link.textContent);
  const around = link.closest(".jp-Notebook") || document;
  for (const heading of around.querySelectorAll("h1,h2,h3,h4,h5,h6")) {
    if (words(heading.textContent) !== wanted) continue;
    event.preventDefault();
    settle(heading, 20);
    return;
  }
}

// If the page is busy for two seconds, anywidget gives up on a model, which then gets no messages.
// The model of a card on the page still works, so it gets the message handler of other widgets.
async function listen(model) {
  const own = await model.widget_manager?.get_model(model.get("address"));
  const others = own && Object.getPrototypeOf(Object.getPrototypeOf(own));
  if (others?._handle_comm_msg) own.comm?.on_msg(others._handle_comm_msg.bind(own));
}

function render({ model, el }) {
  const result = document.createElement("div");
  const note = document.createElement("p");
  let waiting = null;

  el.classList.add("al-live");
  note.className = "al-note";
  note.setAttribute("role", "status");
  el.append(result);

  function rest() {
    clearTimeout(waiting);
    waiting = null;
    el.removeAttribute("aria-busy");
    for (const button of result.querySelectorAll("button")) button.removeAttribute("aria-disabled");
  }

  function sayNote() {
    say(model.get("note"));
  }

  function draw() {
    const active = el.contains(document.activeElement) ? document.activeElement : null;
    const again = active && active.className;
    result.innerHTML = model.get("html");
    (result.querySelector(".al-card") || result).append(note);
    rest();
    if (!active) return;
    // Keep the keyboard focus where it was, or move it to what replaced that element.
    const same = again && [...result.querySelectorAll("button")].find((b) => b.className === again);
    const target = same || result.querySelector(".al-card");
    if (!target) return;
    if (target !== same) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }

  // Text between backticks is code, as everywhere in the cards.
  function say(text) {
    const pieces = text.split("`");
    note.replaceChildren(
      ...pieces.map((piece, place) => {
        const part = document.createElement(place % 2 ? "code" : "span");
        part.textContent = piece;
        return part;
      }),
    );
  }

  function submit(event) {
    const form = event.target.closest("form[data-al-do]");
    if (!form) return;
    event.preventDefault();
    if (waiting !== null) return;
    if (el.classList.contains(CUT_OFF)) {
      say(GONE);
      return;
    }
    const fields = Object.fromEntries(new FormData(form));
    el.setAttribute("aria-busy", "true");
    // Not `disabled`, which would lose the keyboard focus.
    for (const button of form.querySelectorAll("button")) {
      button.setAttribute("aria-disabled", "true");
    }
    say("");
    waiting = setTimeout(() => say(LATE), PATIENCE);
    try {
      model.send({ ...fields, do: form.dataset.alDo });
    } catch {
      rest();
      say(GONE);
    }
  }

  function click(event) {
    const link = event.target.closest('a[href^="#"]');
    if (link) goTo(link, event);
  }

  // Keys typed in a field must not reach the notebook as commands, except for saving it and, where
  // there is nothing to fill in, for running the cell.
  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && event.shiftKey && !result.querySelector("form input")) return;
    if (event.key === "Escape") document.activeElement.blur();
    else event.stopPropagation();
    const field = event.target.closest("form[data-al-do] input");
    if (event.key !== "Enter" || !field) return;
    event.preventDefault();
    field.form.requestSubmit();
  }

  function answered() {
    rest();
    sayNote();
  }

  listen(model).catch(console.warn);
  draw();
  sayNote();
  result.setAttribute("aria-live", "polite");
  el.addEventListener("submit", submit);
  el.addEventListener("click", click);
  el.addEventListener("keydown", key);
  model.on("change:html", draw);
  model.on("change:note", sayNote);
  model.on("change:answered", answered);
  return () => {
    clearTimeout(waiting);
    model.off("change:html", draw);
    model.off("change:note", sayNote);
    model.off("change:answered", answered);
  };
}

export default { render };

// A card's page half: shows the HTML that the kernel writes, and sends what is put in its forms.
// A form with data-al-do="x" sends {do: "x", …its fields}; the answer is a new html or note.

const PATIENCE = 4000;
const LATE = "The kernel has not answered yet. If it is not busy, run this card's cell again.";
const GONE = "The kernel cannot be reached. Run this card's cell again.";

function words(text) {
  return text.replace(/¶$/, "").replace(/\s+/g, " ").trim();
}

// A notebook's page has its own way with links to headings, which widgets have no part in.
function goTo(link, event) {
  const wanted = words(link.dataset.alHeading || link.textContent);
  const around = link.closest(".jp-Notebook") || document;
  for (const heading of around.querySelectorAll("h1,h2,h3,h4,h5,h6")) {
    if (words(heading.textContent) !== wanted) continue;
    event.preventDefault();
    heading.scrollIntoView({ block: "start" });
    return;
  }
}

function render({ model, el }) {
  const result = document.createElement("div");
  const note = document.createElement("p");
  let waiting = null;

  el.classList.add("al-live");
  note.className = "al-note";
  note.setAttribute("role", "status");
  el.append(result, note);

  function rest() {
    clearTimeout(waiting);
    waiting = null;
    el.removeAttribute("aria-busy");
    for (const field of result.querySelectorAll("[data-al-do] :is(input, button)")) {
      field.disabled = false;
    }
  }

  function draw() {
    const active = el.contains(document.activeElement) ? document.activeElement : null;
    const again = active && active.className;
    result.innerHTML = model.get("html");
    rest();
    if (!active) return;
    // The keyboard stays where it was, or with what came in its place.
    const same = again && [...result.querySelectorAll("button")].find((b) => b.className === again);
    const target = same || result.querySelector(".al-card");
    if (!target) return;
    if (target !== same) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }

  function say() {
    note.textContent = model.get("note");
  }

  function submit(event) {
    const form = event.target.closest("form[data-al-do]");
    if (!form) return;
    event.preventDefault();
    if (waiting !== null) return;
    const fields = Object.fromEntries(new FormData(form));
    el.setAttribute("aria-busy", "true");
    for (const button of form.querySelectorAll("button")) button.disabled = true;
    note.textContent = "";
    waiting = setTimeout(() => (note.textContent = LATE), PATIENCE);
    try {
      model.send({ ...fields, do: form.dataset.alDo });
    } catch {
      rest();
      note.textContent = GONE;
    }
  }

  function click(event) {
    const link = event.target.closest('a[href^="#"]');
    if (link) goTo(link, event);
  }

  // What is typed here is no command to the notebook. Saving it stays one.
  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") document.activeElement.blur();
    else event.stopPropagation();
    const field = event.target.closest("form[data-al-do] input");
    if (event.key !== "Enter" || !field) return;
    event.preventDefault();
    field.form.requestSubmit();
  }

  function answered() {
    rest();
    say();
  }

  draw();
  say();
  result.setAttribute("aria-live", "polite");
  el.addEventListener("submit", submit);
  el.addEventListener("click", click);
  el.addEventListener("keydown", key);
  model.on("change:html", draw);
  model.on("change:note", say);
  model.on("change:answered", answered);
  return () => {
    clearTimeout(waiting);
    model.off("change:html", draw);
    model.off("change:note", say);
    model.off("change:answered", answered);
  };
}

export default { render };

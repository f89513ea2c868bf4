/* A grid of students and exercises: a sign and a colour for each answer, and words for the one that
   is under the pointer. Arrow keys move in the grid, Enter shows the answer in the table. */

function heatMap(grid, order) {
  const ROWS_A_BLOCK = 20;
  const ROWS_IN_SIGHT = 40;
  const columns = raw.columns.map((place) => exercises[place]);
  const starts = columns.map((exercise, place) => exercise.lesson !== columns[place - 1]?.lesson);
  const note = document.getElementById("map-note");
  const handle = { onChoose() {} };
  let shown = students;
  let active = null;
  let byKeys = false;

  function headings() {
    const widths = [];
    columns.forEach((exercise, place) => {
      if (starts[place]) widths.push([exercise.lesson, 0]);
      widths.at(-1)[1] += 1;
    });
    const titles = widths.map(([lesson, count]) =>
      `<span class="lesson start" role="columnheader" aria-colspan="${count}" style="--columns: ${count}" title="${escape_(lesson.title)}"><span>${escape_(count < 4 ? lesson.title.split(" ")[0] : lesson.title)}</span></span>`);
    const ids = columns.map((exercise, place) =>
      `<span class="id${starts[place] ? " start" : ""}" role="columnheader" title="${escape_(exercise.title)}"><span>${escape_(exercise.id)}</span></span>`);
    return `<div class="heading" role="rowgroup"><div class="row" role="row"><span class="name" role="columnheader"></span>${titles.join("")}</div>` +
      `<div class="row ids" role="row"><span class="name" role="columnheader">Student</span>${ids.join("")}</div></div>`;
  }

  function cells(student) {
    return columns.map((exercise, place) => {
      const verdict = student.best.get(exercise);
      const start = starts[place] ? " start" : "";
      return verdict
        ? `<i role="gridcell" class="${verdict.status.name}${start}${verdict.byHand ? " by-hand" : ""}">${verdict.status.sign}</i>`
        : `<i role="gridcell" class="none${start}"></i>`;
    }).join("");
  }

  const row = ({ name }) =>
    `<div class="row" role="row"><span class="name" role="rowheader">${escape_(name)}</span></div>`;

  /* All names exist from the start, so that the browser's search finds them; the cells of a block
     of rows are made when it is about to be visible. */
  function fill(block) {
    if (!block || "filled" in block.dataset) return;
    block.dataset.filled = "";
    const first = ([...grid.children].indexOf(block) - 1) * ROWS_A_BLOCK;
    [...block.children].forEach((line, place) => line.insertAdjacentHTML("beforeend", cells(shown[first + place])));
  }

  const soon = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) fill(target);
  }, { root: grid, rootMargin: "400px" });
  addEventListener("beforeprint", () => [...grid.children].slice(1).forEach(fill));

  function draw() {
    const blocks = [];
    for (let first = 0; first < shown.length; first += ROWS_A_BLOCK) {
      const block = shown.slice(first, first + ROWS_A_BLOCK);
      blocks.push(`<div class="${first < ROWS_IN_SIGHT ? "" : "block"}" role="rowgroup" style="--rows: ${block.length}">${block.map(row).join("")}</div>`);
    }
    soon.disconnect();
    grid.innerHTML = headings() + blocks.join("");
    for (const block of [...grid.children].slice(1)) soon.observe(block);
    for (let first = 0; first < ROWS_IN_SIGHT; first += ROWS_A_BLOCK) fill(grid.children[1 + first / ROWS_A_BLOCK]);
    grid.style.setProperty("--width", columns.length);
    grid.style.setProperty("--longest", Math.max(...students.map(({ name }) => name.length)));
    grid.style.setProperty("--lessons", starts.filter(Boolean).length);
    active = null;
    note.hidden = true;
  }

  function cellAt([down, across]) {
    const block = grid.children[1 + Math.floor(down / ROWS_A_BLOCK)];
    fill(block);
    return block.children[down % ROWS_A_BLOCK].children[across + 1];
  }

  function placeOf(cell) {
    if (!cell || cell.getAttribute("role") !== "gridcell") return null;
    const line = cell.parentElement;
    const block = [...grid.children].indexOf(line.parentElement) - 1;
    const down = block * ROWS_A_BLOCK + [...line.parentElement.children].indexOf(line);
    return [down, [...line.children].indexOf(cell) - 1];
  }

  function words([down, across]) {
    const student = shown[down];
    const exercise = columns[across];
    const verdict = student.best.get(exercise);
    if (!verdict) return `${student.name}, ${exercise.id}: not handed in`;
    const found = verdict.findings.map(({ id }) => id).join(", ");
    return `${student.name}, ${exercise.id}: ${verdict.status.sign} ${verdict.status.label}, ` +
      `${points(verdict.points)} of ${points(verdict.most)}${found ? `, ${found}` : ""}${verdict.byHand ? ", set by hand" : ""}`;
  }

  function tell(place) {
    const cell = cellAt(place).getBoundingClientRect();
    const around = grid.parentElement.getBoundingClientRect();
    note.textContent = words(place);
    note.hidden = false;
    const left = Math.min(cell.left - around.left + 12, around.width - note.offsetWidth - 8);
    note.style.left = `${Math.max(8, left)}px`;
    const below = cell.bottom - around.top + 6;
    const fits = below + note.offsetHeight < around.height - 4;
    note.style.top = `${fits ? below : cell.top - around.top - note.offsetHeight - 6}px`;
  }

  function activate(place) {
    const before = active && cellAt(active);
    if (before) {
      before.removeAttribute("id");
      before.removeAttribute("aria-label");
    }
    active = place;
    const cell = cellAt(place);
    cell.id = "map-active";
    cell.setAttribute("aria-label", words(place));
    grid.setAttribute("aria-activedescendant", cell.id);
    byKeys = true;
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    tell(place);
  }

  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    PageUp: [-20, 0], PageDown: [20, 0], Home: [0, -Infinity], End: [0, Infinity] };
  const within = (value, most) => Math.max(0, Math.min(value, most - 1));
  grid.addEventListener("keydown", (event) => {
    if (!shown.length || !columns.length) return;
    if (event.key in steps) {
      event.preventDefault();
      const [down, across] = active ?? [0, 0];
      const [vertical, horizontal] = active ? steps[event.key] : [0, 0];
      activate([within(down + vertical, shown.length), within(across + horizontal, columns.length)]);
    } else if (event.key === "Enter" && active) {
      handle.onChoose(shown[active[0]], columns[active[1]]);
    } else if (event.key === "Escape") {
      note.hidden = true;
    }
  });
  grid.addEventListener("mouseover", (event) => {
    const place = placeOf(event.target);
    byKeys = false;
    if (place) tell(place);
    else note.hidden = true;
  });
  grid.addEventListener("mouseleave", () => { note.hidden = true; });
  grid.addEventListener("blur", () => { note.hidden = true; });
  grid.addEventListener("scroll", () => {
    if (!note.hidden && active && byKeys) tell(active);
    else note.hidden = true;
  });
  grid.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (place) handle.onChoose(shown[place[0]], columns[place[1]]);
  });

  const orders = {
    name: () => students,
    best: () => [...students].sort((one, other) => other.share - one.share),
    worst: () => [...students].sort((one, other) => one.share - other.share),
  };
  order.addEventListener("input", () => {
    shown = orders[order.value]();
    draw();
  });
  draw();
  return handle;
}

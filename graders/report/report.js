"use strict";
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

function sortKey(row, column) {
  const { dataset, textContent } = row.cells[column];
  return dataset.value ?? textContent.trim();
}

function compare(one, other) {
  const difference = Number(one) - Number(other);
  return Number.isNaN(difference) ? collator.compare(one, other) : difference;
}

for (const table of document.querySelectorAll("table[data-sortable]")) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const falling = heading.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", falling ? "descending" : "ascending");
      const keyed = [...body.rows].map((row) => [sortKey(row, column), row]);
      keyed.sort((one, other) => compare(one[0], other[0]) * (falling ? -1 : 1));
      body.append(...keyed.map(([, row]) => row));
    });
  });
}

const search = document.getElementById("search");
const lesson = document.getElementById("lesson");
const status_ = document.getElementById("status");
const rows = [...document.getElementById("table").tBodies[0].rows].map((row) => ({
  row,
  text: `${row.textContent} ${row.dataset.statuses}`.toLocaleLowerCase(),
  statuses: row.dataset.statuses.split(" "),
}));

function filter() {
  const words = search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const { row, text, statuses } of rows) {
    const fits =
      words.every((word) => text.includes(word)) &&
      (!lesson.value || row.dataset.lesson === lesson.value) &&
      (!status_.value || statuses.includes(status_.value));
    row.hidden = !fits;
    shown += fits;
  }
  const all = rows.length;
  document.getElementById("shown").textContent =
    shown === all ? `${all} submissions` : `${shown} of ${all} submissions`;
}

for (const control of [search, lesson, status_]) control.addEventListener("input", filter);
document.getElementById("controls").hidden = false;
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea");
  if (event.key === "/" && !typing) {
    event.preventDefault();
    search.focus();
  } else if (event.key === "Escape" && event.target === search) {
    search.value = "";
    filter();
  }
});

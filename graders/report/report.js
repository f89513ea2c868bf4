"use strict";
/* Decodes the report's data, which graders/report/data.py has written. */

const raw = JSON.parse(document.getElementById("data").textContent);
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escape_ = (text) => String(text).replace(/[&<>"']/g, (sign) => escapes[sign]);
const plural = (count, thing) => `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
const points = (value) => String(Math.round(value * 100) / 100);

const lessons = raw.lessons.map((title, place) => ({ title, place }));
const exercises = raw.exercises.map(([id, title, lesson]) => ({ id, title, lesson: lessons[lesson] }));
const statuses = raw.statuses.map(([name, sign, label]) => ({ name, sign, label }));
const findings = raw.findings.map(([exercise, id, known]) => ({ exercise: exercises[exercise], id, known }));
const students = raw.students.map(([name, link]) => ({ name, link, submissions: [], best: new Map() }));

const verdicts = [];
const submissions = raw.submissions.map(([student, lesson, seconds, problem, rows]) => {
  const submission = { student: students[student], lesson: lessons[lesson], seconds, problem };
  submission.verdicts = rows.map(([exercise, status, earned, most, named = [], marks = 0]) => {
    const verdict = {
      submission, exercise: exercises[exercise], status: statuses[status], points: earned, most,
      findings: named.map((place) => findings[place]), counts: !(marks & 1), byHand: Boolean(marks & 2),
    };
    if (verdict.counts) submission.student.best.set(verdict.exercise, verdict);
    verdicts.push(verdict);
    return verdict;
  });
  submission.student.submissions.push(submission);
  return submission;
});

const sum = (list, key) => list.reduce((total, each) => total + each[key], 0);
for (const student of students) {
  student.verdicts = [...student.best.values()];
  student.points = sum(student.verdicts, "points");
  student.most = sum(student.verdicts, "most");
  student.share = student.most ? student.points / student.most : 0;
}

const person = ({ name, link }) =>
  link ? `<a href="${escape_(link)}"><bdi>${escape_(name)}</bdi></a>` : `<bdi>${escape_(name)}</bdi>`;
const chip = (status, more = "") =>
  `<span class="chip ${status.name}"><span aria-hidden="true">${status.sign}</span> ${more}${status.label}</span>`;
const compare = (one, other) =>
  typeof one === "number" ? one - other : collator.compare(one, other);

/* Makes column headings sort: pressing one calls `choose(column, falling)`. */
function sortable(head, choose) {
  [...head.cells].forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const falling = heading.getAttribute("aria-sort") === "ascending";
      for (const other of head.cells) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", falling ? "descending" : "ascending");
      choose(column, falling);
    });
  });
}

for (const table of document.querySelectorAll("table[data-sortable]")) {
  const body = table.tBodies[0];
  const key = (cell) => (cell.dataset.value === undefined ? cell.textContent.trim() : Number(cell.dataset.value));
  sortable(table.tHead.rows[0], (column, falling) => {
    const keyed = [...body.rows].map((row) => [key(row.cells[column]), row]);
    keyed.sort((one, other) => compare(one[0], other[0]) * (falling ? -1 : 1));
    body.append(...keyed.map(([, row]) => row));
  });
}

function tellWho(details) {
  const place = details.querySelector("p");
  if (place.childNodes.length) return;
  const holders = verdicts.filter((verdict) => verdict.counts && verdict.findings.some((found) =>
    found.known && `${found.exercise.id}/${found.id}` === details.dataset.who));
  place.innerHTML = holders.map((verdict) => person(verdict.submission.student)).join(", ");
}

/* The rarer misconceptions are many, so their elements are made when the list is opened. */
function tellRest(details) {
  const place = details.querySelector("ol");
  if (place.childNodes.length) return;
  place.innerHTML = document.getElementById("rest").textContent;
  unhide(place);
}

const unhide = (part) => {
  for (const hidden of part.querySelectorAll("[data-scripted]")) hidden.hidden = false;
};

document.addEventListener("toggle", ({ target }) => {
  if ("who" in target.dataset) tellWho(target);
  if ("rest" in target.dataset) tellRest(target);
}, true);

const map = heatMap(document.getElementById("map-grid"), document.getElementById("map-order"));
const answers = answerTable(document.getElementById("table"));
map.onChoose = (student, exercise) =>
  answers.show({ rows: "answers", search: `${student.name} ${exercise.id}` });
document.addEventListener("click", ({ target }) => {
  const button = target.closest("button[data-show]");
  if (button) answers.show({ rows: "answers", ...JSON.parse(button.dataset.show) });
});
unhide(document);

/* One table with a row for each answer, submission or student. Filters and sorting work on all
   rows; only those that may soon be visible are put on the page. */

function answerTable(table) {
  const ROWS_AT_A_TIME = 50;
  const ROWS_IN_PRINT = 1000;
  const STOPS_NAMED = 2;
  const controls = Object.fromEntries(
    ["rows", "search", "lesson", "status", "finding"].map((name) => [name, document.getElementById(name)]));
  const more = document.getElementById("more");
  const count = document.getElementById("shown");
  const part = (row) => row.passed / row.verdicts.length;
  const tags = (list) => list
    .flatMap((verdict) => verdict.findings.map(({ id }) =>
      `<code title="${escape_(verdict.exercise.id)}">${escape_(id)}</code>`)).join(" ");
  const stops = (list) => statuses
    .filter(({ name }) => !["passed", "failed", "partial", "not_attempted"].includes(name))
    .flatMap((each) => {
      const ids = list.filter(({ status }) => status === each).map(({ exercise }) => escape_(exercise.id));
      return (ids.length > STOPS_NAMED ? [`${ids.length} answers`] : ids).map((which) => chip(each, `${which}: `));
    }).join(" ");
  const byHand = (list) => (list.some((verdict) => verdict.byHand) ? ' <span class="chip by-hand">set by hand</span>' : "");
  const seconds = (value) => (value < 1 ? `${value.toFixed(2)} s` : `${value.toFixed(1)} s`);
  const score = { title: "Points", number: true, key: (row) => (row.most ? row.points / row.most : 0),
    html: (row) => `${points(row.points)} / ${points(row.most)}${byHand(row.verdicts)}` };
  const passed = { title: "Passed", number: true, key: part, html: (row) => `${row.passed} of ${row.verdicts.length}` };
  const student = { title: "Student", key: (row) => row.student.name, html: (row) => person(row.student) };
  const lesson = { title: "Lesson", key: (row) => row.lesson.title, html: (row) => escape_(row.lesson.title), kind: "lesson" };
  const time = { title: "Time", number: true, key: (row) => row.seconds, html: (row) => seconds(row.seconds) };
  const found = { title: "Findings", kind: "tags", key: (row) => row.problem || row.verdicts.flatMap(({ findings: named }) => named.map(({ id }) => id)).join(" "),
    html: (row) => (row.problem ? `<span class="chip error"><span aria-hidden="true">!</span> could not be read</span> ${escape_(row.problem)}`
      : `${stops(row.verdicts)} ${tags(row.verdicts)}`) };

  const whole = (list) => ({
    verdicts: list, points: sum(list, "points"), most: sum(list, "most"),
    passed: list.filter(({ status }) => status.name === "passed").length,
  });
  const searchable = (who, list, extra = "") => [who.name, extra, ...list.flatMap((verdict) =>
    [verdict.exercise.id, verdict.exercise.title, verdict.status.label, ...verdict.findings.map(({ id }) => id)])]
    .join(" ").toLocaleLowerCase();

  const grains = {
    submissions: {
      thing: "submission",
      columns: [student, lesson, score, passed, found, time],
      make: () => submissions.map((each) => ({
        ...each, ...whole(each.verdicts), text: searchable(each.student, each.verdicts, `${each.lesson.title} ${each.problem}`),
      })),
    },
    answers: {
      thing: "answer",
      columns: [student,
        { title: "Exercise", key: (row) => row.exercise.id, html: (row) => `${escape_(row.exercise.title)} <code>${escape_(row.exercise.id)}</code>` },
        { title: "Status", key: (row) => row.status.label, html: (row) => chip(row.status) },
        score, { ...found, html: (row) => tags(row.verdicts) }],
      make: () => verdicts.map((each) => ({
        ...each, student: each.submission.student, lesson: each.exercise.lesson, verdicts: [each],
        text: searchable(each.submission.student, [each], each.exercise.lesson.title),
      })),
    },
    students: {
      thing: "student",
      columns: [student,
        { title: "Score", number: true, key: (row) => row.student.share, html: (row) => `${Math.round(row.student.share * 100)}%` },
        score, passed,
        { title: "Lessons", number: true, key: (row) => row.student.submissions.length, html: (row) => row.student.submissions.length },
        found, time],
      make: () => students.map((each) => ({
        student: each, ...whole(each.verdicts), seconds: sum(each.submissions, "seconds"),
        text: searchable(each, each.verdicts),
      })),
    },
  };

  function offer(select, entries) {
    select.insertAdjacentHTML("beforeend", entries.map(([value, text]) =>
      `<option value="${escape_(value)}">${escape_(text)}</option>`).join(""));
  }

  function offerFilters() {
    const used = new Set(verdicts.map(({ exercise }) => exercise.lesson));
    const seen = new Set(verdicts.map(({ status }) => status));
    const held = new Map();
    for (const verdict of verdicts) {
      for (const named of verdict.findings) {
        if (named.known && verdict.counts) held.set(named, (held.get(named) ?? 0) + 1);
      }
    }
    offer(controls.lesson, lessons.filter((each) => used.has(each)).map(({ place, title }) => [place, title]));
    offer(controls.status, statuses.filter((each) => seen.has(each)).map(({ name, sign, label }) => [name, `${sign} ${label}`]));
    offer(controls.finding, [...held].sort((one, other) => other[1] - one[1]).map(([{ exercise, id }, times]) =>
      [`${exercise.id}/${id}`, `${id} · ${exercise.id} (${times})`]));
  }

  let grain;
  let rows = [];
  let onPage = 0;
  let order = null;

  function enter() {
    grain = grains[controls.rows.value];
    grain.all ??= grain.make();
    order = null;
    table.tHead.innerHTML = `<tr>${grain.columns.map(({ title, number }) =>
      `<th scope="col"${number ? ' class="number"' : ""}>${title}</th>`).join("")}</tr>`;
    sortable(table.tHead.rows[0], (column, falling) => {
      order = [grain.columns[column].key, falling ? -1 : 1];
      filter();
    });
    filter();
  }

  function filter() {
    const wanted = controls.search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const fits = ({ exercise, status, findings: named }) =>
      (!controls.lesson.value || String(exercise.lesson.place) === controls.lesson.value) &&
      (!controls.status.value || status.name === controls.status.value) &&
      (!controls.finding.value || named.some((each) => `${each.exercise.id}/${each.id}` === controls.finding.value));
    rows = grain.all.filter((row) => wanted.every((word) => row.text.includes(word)) && row.verdicts.some(fits));
    if (order) {
      const [key, direction] = order;
      const keyed = rows.map((row) => [key(row), row]);
      keyed.sort((one, other) => compare(one[0], other[0]) * direction);
      rows = keyed.map(([, row]) => row);
    }
    table.tBodies[0].replaceChildren();
    table.parentElement.scrollTop = 0;
    onPage = 0;
    extend(ROWS_AT_A_TIME);
    count.textContent = rows.length === grain.all.length ? plural(rows.length, grain.thing)
      : `${rows.length.toLocaleString("en")} of ${plural(grain.all.length, grain.thing)}`;
  }

  function extend(by) {
    const next = rows.slice(onPage, onPage + by);
    onPage += next.length;
    table.tBodies[0].insertAdjacentHTML("beforeend", next.map((row) => `<tr>${grain.columns.map((column, place) =>
      place ? `<td class="${column.kind ?? ""}${column.number ? " number" : ""}">${column.html(row)}</td>`
        : `<th scope="row">${column.html(row)}</th>`).join("")}</tr>`).join(""));
    const rest = rows.length - onPage;
    more.hidden = !rest;
    document.getElementById("unprinted").textContent = rest
      ? `The first ${plural(onPage, "row")}; ${rest.toLocaleString("en")} more are on the page itself.` : "";
    more.textContent = `Show ${Math.min(rest, ROWS_AT_A_TIME)} more (${rest.toLocaleString("en")} left)`;
  }

  more.addEventListener("click", () => extend(ROWS_AT_A_TIME));
  new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) extend(ROWS_AT_A_TIME); },
    { root: table.parentElement, rootMargin: "600px" }).observe(more);
  addEventListener("beforeprint", () => { if (rows.length <= ROWS_IN_PRINT) extend(ROWS_IN_PRINT); });
  controls.rows.addEventListener("input", enter);
  for (const name of ["search", "lesson", "status", "finding"]) controls[name].addEventListener("input", filter);
  document.getElementById("clear").addEventListener("click", () => {
    set({});
    controls.search.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.target.closest("input, select, textarea")) {
      event.preventDefault();
      controls.search.focus();
    } else if (event.key === "Escape" && event.target === controls.search) {
      controls.search.value = "";
      filter();
    }
  });

  function set(wanted) {
    for (const name of ["search", "lesson", "status", "finding"]) controls[name].value = wanted[name] ?? "";
    if (wanted.rows) controls.rows.value = wanted.rows;
    enter();
  }

  offerFilters();
  enter();
  return {
    show(wanted) {
      set(wanted);
      document.getElementById("answers").scrollIntoView();
      controls.search.focus({ preventScroll: true });
    },
  };
}

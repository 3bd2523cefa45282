// The script of the page. It sorts, filters and paginates the list of files, and enlarges images. Content of the
// manifest is inserted only as text, never as markup.
"use strict";
(() => {
// The same formats as `QuantityFormat`.
const count = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ",");
const bytes = (value) => {
  if (value < 1000) return `${value} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let scaled = value / 1000, unit = 0;
  while (scaled >= 999.5 && unit < 3) { scaled /= 1000; unit += 1; }
  return `${scaled < 99.95 ? scaled.toFixed(1) : count(Math.round(scaled))} ${units[unit]}`;
};
const seconds = (value) => {
  if (value < 59.995) return `${value.toFixed(2)} s`;
  const whole = Math.round(value), two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(whole / 60) % 60;
  if (whole < 3600) return `${minutes}:${two(whole % 60)}`;
  return `${count(Math.floor(whole / 3600))}:${two(minutes)}:${two(whole % 60)}`;
};
const share = (row) =>
  row[AFTER] === null || !row[BEFORE] ? null : 100 * (1 - row[AFTER] / row[BEFORE]);
const percent = (value) => {
  if (value > 99 && value < 100) return `${Math.min(value, 99.9).toFixed(1)}%`;
  return `${String(Math.round(value)).replace("-", "\u2212")}%`;
};
// Invisible characters and direction marks are shown by their numbers, as `HTMLEscaping` does.
const unseen = /[\0-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
const visible = (text) => text.replace(unseen, (one) => `\\u{${one.charCodeAt(0).toString(16).toUpperCase()}}`);
const make = (tag, properties = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const badge = (outcome) => make("span", { class: `badge ${outcome}` }, outcome);
const fileName = (path) => {
  const start = path.lastIndexOf("/", path.length - 2) + 1;
  const name = make("bdi", { class: "name", title: visible(path) });
  if (start > 0) name.append(make("span", { class: "dir" }, visible(path.slice(0, start))));
  name.append(visible(path.slice(start)));
  return name;
};
const note = ([isWarning, code, message, offset]) => make(
  "p", { class: isWarning ? "warning" : "reason" }, make("code", {}, visible(code)), " ", visible(message),
  offset === null ? "" : make("span", { class: "at" }, ` at byte ${count(offset)}`));
const NAME = 0, OUTCOME = 1, KIND = 2, BEFORE = 3, AFTER = 4, LENGTH = 5, NOTES = 6, MEASURES = 7;
const source = document.getElementById("data");
const { outcomes, kinds, measures, rows } = JSON.parse(source.textContent);
source.remove();
const perPage = 100;
const wanted = { text: "", outcome: "", kind: "", rule: "", limit: null, column: null, descending: false, page: 0 };
let shown = rows;

// Names in lower case. They are computed for the first search.
let searchable = null;
const contains = (text) => {
  searchable ??= new Map(rows.map((row) => [
    row, [row[NAME], ...row[NOTES].flatMap((note) => [note[1], note[2]])].join("\n").toLowerCase()]));
  return (row) => searchable.get(row).includes(text);
};
const hasOutcome = {
  unready: (row) => row[OUTCOME] < outcomes.indexOf("skipped"),
  warned: (row) => row[NOTES].some((note) => note[0] === 1),
};
// A rule is the index of a measure, doubled, plus 1 for a maximum. An unknown measure breaks no rule.
const breaksRule = (rule, limit) => (row) => {
  const value = row[MEASURES]?.[rule >> 1] ?? null;
  return value !== null && (rule % 2 === 0 ? value < limit : value > limit);
};
const select = () => {
  const tests = [];
  if (wanted.outcome !== "") {
    tests.push(hasOutcome[wanted.outcome] ?? ((row) => row[OUTCOME] === Number(wanted.outcome)));
  }
  if (wanted.kind !== "") tests.push((row) => row[KIND] === Number(wanted.kind));
  if (wanted.rule !== "" && wanted.limit !== null) tests.push(breaksRule(wanted.rule, wanted.limit));
  if (wanted.text !== "") tests.push(contains(wanted.text.toLowerCase()));
  shown = tests.length === 0 ? rows : rows.filter((row) => tests.every((test) => test(row)));
  if (wanted.column !== null) sort(columns[wanted.column].value);
  wanted.page = 0;
  render();
};
// Unknown values come last in both directions.
const sort = (value) => {
  const sign = wanted.descending ? -1 : 1;
  shown = shown.map((row) => [value(row), row]).sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null);
    return a < b ? -sign : a > b ? sign : 0;
  }).map(([, row]) => row);
};
const number = (format) => (value) => (value === null ? "" : format(value));
const columns = [
  { id: "name", title: "File", value: (row) => row[NAME], cell: (row) => fileName(row[NAME]) },
  {
    id: "outcome", title: "Outcome", value: (row) => row[OUTCOME], cell: (row) => badge(outcomes[row[OUTCOME]]),
  },
  {
    id: "notes", title: "Reason", value: (row) => row[NOTES][0]?.[1] ?? null,
    cell: (row) => row[NOTES].map(note),
  },
  { id: "kind", title: "Kind", value: (row) => row[KIND], cell: (row) => kinds[row[KIND]] },
  { id: "before", title: "Before", value: (row) => row[BEFORE], format: bytes },
  { id: "after", title: "After", value: (row) => row[AFTER], format: bytes },
  { id: "saved", title: "Saved", value: share, format: percent },
  { id: "length", title: "Length", value: (row) => row[LENGTH], format: seconds },
];
const cell = (row, { id, title, value, cell, format }) => {
  if (id === "name") return make("th", { scope: "row", role: "rowheader" }, cell(row));
  if (format) {
    return make("td", { class: "number", role: "cell", "data-title": title }, number(format)(value(row)));
  }
  return make("td", { class: id, role: "cell" }, ...[cell(row)].flat());
};
const body = make("tbody", { role: "rowgroup" });
const heads = columns.map(({ id, title, format }, index) => {
  const button = make("button", { type: "button" }, title);
  button.addEventListener("click", () => {
    wanted.descending = wanted.column === index ? !wanted.descending : format !== undefined;
    wanted.column = index;
    select();
  });
  return make(
    "th", { scope: "col", role: "columnheader", class: format ? `c-${id} number` : `c-${id}` }, button);
});
const list = make(
  "table", { class: "list", role: "table", "aria-labelledby": "files-title" },
  make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...heads)), body);
const render = () => {
  const start = wanted.page * perPage, end = Math.min(start + perPage, shown.length);
  body.replaceChildren(...shown.slice(start, end).map((row) =>
    make("tr", { role: "row" }, ...columns.map((column) => cell(row, column)))));
  heads.forEach((head, index) => {
    if (index !== wanted.column) head.removeAttribute("aria-sort");
    else head.setAttribute("aria-sort", wanted.descending ? "descending" : "ascending");
  });
  const files = shown.length === rows.length
    ? count(rows.length) : `${count(shown.length)} of ${count(rows.length)}`;
  status.textContent = shown.length === 0 ? "No file is like that"
    : `${count(start + 1)} to ${count(end)} of ${files}${rows.length === 1 ? " file" : " files"}`;
  for (const { previous, next } of pagers) {
    previous.disabled = start === 0;
    next.disabled = end === shown.length;
  }
};
const status = make("span", { role: "status" });
const turn = (title, step) => {
  const button = make("button", { type: "button" }, title);
  button.addEventListener("click", () => {
    wanted.page += step;
    render();
    place.scrollIntoView();
  });
  return button;
};
// The controls are above and below the list.
const pagers = [0, 1].map(() => ({ previous: turn("Previous", -1), next: turn("Next", 1) }));
const choice = (title, key, options) => {
  const menu = make("select", {}, ...options.map(([value, text]) => make("option", { value }, text)));
  menu.addEventListener("change", () => { wanted[key] = menu.value; select(); });
  return make("label", {}, title, menu);
};
// The filter for images that a rule would reject.
const ruleFilter = () => {
  if (!rows.some((row) => row[MEASURES])) return [];
  const limit = make("input", { type: "number", min: "0", step: "any", placeholder: "limit", "aria-label": "Limit" });
  limit.addEventListener("input", () => {
    wanted.limit = limit.value === "" ? null : Number(limit.value);
    select();
  });
  const rules = measures.flatMap((title, index) => [
    [String(2 * index), `${title} is below`], [String(2 * index + 1), `${title} is above`]]);
  return [choice("Would be rejected if", "rule", [["", "no rule"], ...rules]), make("label", {}, "Limit", limit)];
};
const counts = (column, index) => rows.reduce((sum, row) => sum + (row[column] === index), 0);
const found = (names, column) => names
  .map((name, index) => [index, name, counts(column, index)]).filter(([, , files]) => files > 0)
  .map(([index, name, files]) => [String(index), `${name} (${count(files)})`]);
const search = make("input", { type: "search", autocomplete: "off", spellcheck: "false" });
let pause;
search.addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(() => { wanted.text = search.value.trim(); select(); }, rows.length > 5000 ? 200 : 0);
});
const place = document.getElementById("list");
place.append(
  make(
    "div", { class: "filters", role: "search" },
    make("label", { class: "grow" }, "Name or reason", search),
    choice("Outcome", "outcome", [
      ["", "all"], ["unready", "with problems"], ["warned", "with warnings"], ...found(outcomes, OUTCOME)]),
    choice("Kind", "kind", [["", "all"], ...found(kinds, KIND)]), ...ruleFilter()),
  make("div", { class: "pages" }, status, ...Object.values(pagers[0])), list,
  make("div", { class: "pages below" }, ...Object.values(pagers[1])));
place.hidden = false;
render();
const pairs = [...document.querySelectorAll(".pair")];
const dialog = document.getElementById("enlarged");
const sides = dialog.querySelector(".sides");
let current = 0;
const draw = (tag, properties) => {
  const element = document.createElementNS(document.getElementById("svg").namespaceURI, tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  return element;
};
// A region is [name, x, y, width, height], in parts of the image. The field of view is an ellipse in its bounds.
const shape = ([name, x, y, width, height]) => name === "field"
  ? draw("ellipse", { class: name, cx: x + width / 2, cy: y + height / 2, rx: width / 2, ry: height / 2 })
  : draw("rect", { class: name, x, y, width, height });
// The image is fitted into its box and centered, and so is the overlay.
const makeOverlay = (regions, image) => {
  const width = Number(image.getAttribute("width")), height = Number(image.getAttribute("height"));
  const overlay = draw("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  overlay.append(...regions.map(([name, ...place]) =>
    shape([name, ...place.map((part, index) => part * (index % 2 === 0 ? width : height))])));
  return overlay;
};
const regionNames = { field: "field of view", sharpest: "sharpest region", glare: "largest glare" };
const legend = (regions) => regions.flatMap(([name]) => [
  " ", make("span", { class: `region ${name}` }, regionNames[name])]);
const side = (thumbnail, title, regions = []) => {
  if (thumbnail.tagName !== "IMG") {
    return make("figure", {}, make("div", { class: "none" }, thumbnail.textContent));
  }
  return make(
    "figure", {},
    make("span", { class: "frame" }, make("img", { src: thumbnail.src, alt: title }), makeOverlay(regions, thumbnail)),
    make("figcaption", {}, make("strong", {}, title), " ", thumbnail.dataset.facts, ...legend(regions)));
};
const enlarge = (index) => {
  current = (index + pairs.length) % pairs.length;
  const [before, after] = pairs[current].querySelector(".images").children;
  document.getElementById("enlarged-name").textContent = pairs[current].querySelector(".name").textContent;
  const regions = JSON.parse(pairs[current].dataset.regions);
  sides.replaceChildren(side(before, "Before", regions), ...(after ? [side(after, "After")] : []));
  if (!dialog.open) dialog.showModal();
};
pairs.forEach((pair, index) => pair.addEventListener("click", () => enlarge(index)));
dialog.addEventListener("click", (event) => {
  const { step, close } = event.target.dataset;
  if (step !== undefined) enlarge(current + Number(step));
  if (close !== undefined || event.target === dialog) dialog.close();
});
dialog.addEventListener("keydown", (event) => {
  if (event.key === "ArrowLeft") enlarge(current - 1);
  if (event.key === "ArrowRight") enlarge(current + 1);
});
// About two rows of images are shown at first, so that the list of files is near.
const few = 10;
const hidden = pairs.slice(few).map((pair) => pair.parentElement);
if (hidden.length > 2) {
  const more = make("button", { type: "button", class: "more" }, `Show all ${pairs.length}`);
  for (const item of hidden) item.hidden = true;
  more.addEventListener("click", () => {
    for (const item of hidden) item.hidden = false;
    hidden[0].firstElementChild.focus();
    more.remove();
  });
  document.querySelector(".pairs").after(more);
}
})();

"use strict";
// Tables that a click on a heading sorts.

/** A column {title, value, show, number, wrap, help}: `value` sorts and goes into CSV, `show` is what the cell holds. */
const column = (title, value, show = text) => ({ title, value, show: row => show(value(row)) });
const numbers = (title, value, show) => ({ ...column(title, value, show), number: true });
const sentences = (title, value) => ({ ...column(title, value), wrap: true });
const cellClass = c => c.number ? "number" : c.wrap ? "wrap" : null;

function compare(a, b) {
  if (!present(a) || !present(b)) return present(b) - present(a);
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
}

/** Sorted by a column; what is absent comes last either way. */
function sorted(rows, { value }, ascending) {
  const sign = ascending ? 1 : -1;
  return [...rows].sort((a, b) => compare(value(a), value(b)) * (present(value(a)) && present(value(b)) ? sign : 1));
}

/**
 * A table of {caption, name, columns, saved, rows, order, attributes}.
 *   name        of the CSV file
 *   saved       [name, value of a row] of the columns of the CSV file; those shown if absent
 *   order       {index, ascending} of the first order; the given order if absent. Kept up to date.
 *   attributes  of a row's tr, for example the listener of a click
 */
function sortableTable({ caption, name, columns, saved = columns.map(c => [c.title, c.value]), rows, order = {}, attributes = () => ({}) }) {
  const cells = row => columns.map((c, i) => element(i ? "td" : "th", { class: cellClass(c), scope: i ? null : "row", "data-title": c.title }, c.show(row)));
  const heads = columns.map((c, i) => element("th", { scope: "col", class: cellClass(c), title: c.help },
    element("button", { type: "button", onclick: () => sortBy(i) }, c.title)));
  const body = element("tbody");
  function show() {
    heads.forEach((head, i) => {
      if (i === order.index) head.setAttribute("aria-sort", order.ascending ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    const shown = order.index === undefined ? rows : sorted(rows, columns[order.index], order.ascending);
    body.replaceChildren(...shown.map(row => element("tr", attributes(row), ...cells(row))));
  }
  function sortBy(index) {
    order.ascending = order.index === index ? !order.ascending : !columns[index].number;
    order.index = index;
    show();
  }
  show();
  const save = element("button", { type: "button", class: "small screen", "aria-label": `${caption}: save as CSV`, onclick: () => saveCsv(name, saved, rows) }, "CSV");
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body);
  const box = element("div", { class: rows.length > 40 ? "scroll long" : "scroll", tabindex: "0", role: "region", "aria-label": caption }, table);
  fitting(box, table);
  return element("div", { class: "table" }, element("header", {}, element("h3", {}, caption), save), box);
}

/** Where a table is wider than its box, it gets small type, then each row a block of its own. */
function fitting(box, table) {
  new ResizeObserver(([{ contentRect: { width } }]) => {
    if (!width || width === Number(box.dataset.width)) return;
    box.dataset.width = width;
    for (const kind of ["", "tight", "stacked"]) {
      table.className = kind;
      if (table.scrollWidth <= width + 1) return;
    }
  }).observe(box);
}

"use strict";
// Source files with what tables say of their lines: heat and counts at each, the hottest opened, what is wrong in red.

/** What stands at each line of a file: [table, row] pairs. */
function rowsAt(tables, file) {
  const placed = tables.flatMap(table => table.rows.map((row, i) => ({ table, row, place: table.places?.[i] })));
  return new Map(groupBy(placed.filter(({ place }) => place?.[0] === file), ({ place }) => place[1]));
}

const alarmOf = table => table.columns.findIndex(({ alarm }) => alarm);
const barOf = table => table.columns.findIndex(({ bar }) => bar);
const sumOf = (entries, i) => entries.reduce((sum, { row }) => sum + (row[i].length > 1 ? row[i][0] : 0), 0);

/** The cell of a column of all rows at a line. */
function lineCell(entries, i, { sum, bar }) {
  if (!entries.length) return "";
  if (entries.length === 1) return entries[0].row[i].at(-1);
  return bar ? percent(sumOf(entries, i)) : sum ? integer(sumOf(entries, i)) : "";
}

/** The titles and cells of a row but for code and the columns `without`; of counts their share of all rows. */
function rowFacts({ table, row }, ...without) {
  const shareOf = i => row[i][0] > 0 && row[i].length > 1 ? ` (${percent(row[i][0] / sumOf(table.rows.map(row => ({ row })), i))})` : "";
  return facts(table.columns.map(({ title, code, sum }, i) => [title, code || without.includes(i) ? "" : row[i].at(-1) + (sum && barOf(table) >= 0 ? shareOf(i) : "")]));
}

/** Of a file {file, lines}; `costs` is the table with a bar, `most` the largest of its sums at a line. */
function sourcePanel({ file, lines }, index, costs, alarms, most) {
  const costed = rowsAt(costs ? [costs] : [], index), wrong = rowsAt(alarms, index), bar = costs ? barOf(costs) : -1;
  const counts = costs ? costs.columns.map((column, i) => ({ ...column, i })).filter(({ number, i }) => number && i !== bar) : [];
  const body = element("tbody"), span = 3 + counts.length;
  const below = (kind, node) => element("tr", { class: kind }, element("td", { colspan: span }, node));
  let last = lines[0]?.[0];
  for (const [number, code] of lines) {
    if (number > last + 1) body.append(below("gap", "\u22ef"));
    last = number;
    const entries = costed.get(number) ?? [], heat = bar < 0 ? 0 : sumOf(entries, bar), hot = heat > 0 && heat === most;
    const details = entries.map(entry => below("opened", rowFacts(entry, 0, bar)));
    const show = on => details.forEach(row => { row.hidden = !on; });
    show(hot);
    const place = details.length ? element("button", { type: "button", "aria-expanded": String(hot), onclick: ({ currentTarget: button }) => {
      const on = button.getAttribute("aria-expanded") === "false";
      button.setAttribute("aria-expanded", String(on));
      show(on);
    } }, String(number)) : String(number);
    body.append(element("tr", { class: hot ? "hot" : null, style: heat > 0 ? `--share: ${Math.round(100 * heat / most)}%` : null }, element("th", { scope: "row", class: "number" }, place),
      element("td", { class: "number heat" }, bar < 0 ? "" : lineCell(entries, bar, costs.columns[bar])), element("td", {}, element("code", {}, code || " ")),
      ...counts.map(column => {
        const cell = lineCell(entries, column.i, column);
        return element("td", { class: /^[0-]$/.test(cell) ? "number count soft" : "number count" }, cell);
      })),
      ...(wrong.get(number) ?? []).map(entry => {
        const words = entry.table.columns.findLastIndex(({ number, code }) => !number && !code);
        return below("wrong", element("span", {}, element("strong", { class: "bad" }, entry.row[alarmOf(entry.table)].at(-1)), ` ${entry.row[words].at(-1)}`));
      }), ...details);
  }
  const head = (title, kind) => element("th", { scope: "col", class: kind }, title);
  return section(`source-${index + 1}`, file, element("p", { class: "soft screen" }, costs ? "A line's number opens what it costs." : ""),
    element("table", { class: "listing" }, element("thead", {}, element("tr", {}, head("line", "number"), head(costs?.columns[bar].title ?? "", "number"), head("source"), ...counts.map(({ title }) => head(title, "number count")))), body));
}

/** All files that tables speak of, those with most costs first. */
function sourcePanels(sources, tables) {
  const costs = tables.find(table => table.places?.some(present) && barOf(table) >= 0), alarms = tables.filter(table => alarmOf(table) >= 0);
  const heats = sources.map((_, file) => costs ? [...rowsAt([costs], file).values()].map(entries => sumOf(entries, barOf(costs))) : [0]);
  const most = Math.max(...heats.flat()), total = file => heats[file].reduce((sum, heat) => sum + heat, 0);
  return { costs, panels: sources.map((_, file) => file).sort((a, b) => total(b) - total(a)).map(file => sourcePanel(sources[file], file, costs, alarms, most)) };
}

"use strict";
// The page of a report (validation/report/report_html.cpp): cards, then each heading with its plots, facts and tables.

/** Terms with values and, softer, meanings; those of the title " " go on with the one before. */
function factList(all) {
  const joined = [];
  for (const { title, value, meaning, card } of all) {
    if (card) continue;
    const goesOn = !title.trim() && joined.length, line = [value, meaning ? element("span", { class: "soft" }, ` ${meaning}`) : ""];
    if (goesOn) joined.at(-1)[1].append("\n", ...line);
    else joined.push([title, element("span", {}, ...line)]);
  }
  const list = facts(joined);
  if (joined.length > 8) list.classList.add("wide");
  return joined.length ? list : "";
}

/** A number on a bar that is as long as its share of the largest of the column. */
function barCell([value, shown], most) {
  const share = value > 0 ? Math.round(100 * value / most) : 0;
  return element("span", { class: "bar", style: `background-size: ${share}% 100%` }, shown);
}

function reportTable({ what, columns, rows }, name) {
  const codeBelow = new Map(); // a column of text -> that of the code below it
  columns.forEach(({ code }, i) => { if (code) codeBelow.set(columns.slice(0, i).map(c => !c.number).lastIndexOf(true), i); });
  const shown = columns.flatMap(({ title, number, code, bar }, i) => {
    if (code) return [];
    const most = bar ? Math.max(...rows.map(row => row[i][0]).filter(value => value > 0)) : 0;
    const wrap = rows.some(row => typeof row[i][0] === "string" && row[i][0].length > 32);
    const below = row => codeBelow.has(i) ? element("code", {}, row[codeBelow.get(i)][0]) : "";
    return { title, number, wrap, value: row => row[i][0], show: row => element("span", {}, bar && row[i].length > 1 ? barCell(row[i], most) : row[i].at(-1), below(row)) };
  });
  return sortableTable({ caption: `${integer(rows.length)} ${what || (rows.length === 1 ? "row" : "rows")}`, name, columns: shown, saved: columns.map(({ title }, i) => [title, row => row[i][0]]), rows });
}

/** What stands below one heading: that of the section, and what sections inside without a heading add. */
function groupsOf(section, groups = []) {
  if (section.heading || !groups.length) groups.push({ heading: section.heading.trim(), sentences: [], plots: [], drawings: [], facts: [], tables: [], remarks: [] });
  const group = groups.at(-1);
  for (const part of ["sentences", "plots", "drawings", "facts", "tables", "remarks"]) group[part].push(...section[part]);
  for (const inner of section.sections) groupsOf(inner, groups);
  return groups;
}

function reportGroup({ heading, sentences, plots, drawings, facts: all, tables, remarks }, index) {
  const paragraph = sentence => element("p", { class: /\n/.test(sentence.trim()) ? "lines" : null }, sentence.trim());
  const drawing = svg => { const box = element("div", { class: "scroll" }); box.innerHTML = svg; return box; };
  const nodes = [...sentences.filter(sentence => sentence.trim()).map(paragraph), ...plots.map(panelFigures), ...drawings.map(drawing), factList(all),
    ...tables.map((table, i) => reportTable(table, `table-${index + 1}-${i + 1}`)), ...remarks.map(paragraph)];
  if (!nodes.length) return "";
  return heading ? section(`part-${index + 1}`, heading, ...nodes) : element("section", { class: "panel" }, ...nodes);
}

openPage(({ agpusim, title, body }) => {
  const [, first, rest] = /^(.*?)(?:, (n .*))?$/.exec(title), groups = groupsOf(body);
  heading(first, [rest, `agpusim ${agpusim}`].filter(Boolean).join("; "));
  const firstFacts = groups.flatMap(group => group.facts).filter(fact => fact.card);
  fill("page", ...(firstFacts.length ? [cards(...firstFacts.map(fact => card(fact.title, fact.title, fact.value, fact.meaning)))] : []), ...groups.map(reportGroup));
});

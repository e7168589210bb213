"use strict";
// The page of a report (validation/report/report_html.cpp): what matters, what is wrong, the source with its costs, then each heading with its plots, facts and tables.

/** Terms with values and, softer, meanings; those of the title " " go on with the one before. */
function factList(all) {
  const joined = [];
  for (const { title, value, meaning, card } of all) {
    if (card || !title) continue;
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

/** "8 kernels", after what the rows are or what the first column has. */
function captionOf({ what, columns, rows }) {
  const title = columns[0].title.trim(), name = what || (title === "n" ? "size" : /^[a-z]{3,}$/.test(title) ? title : "row"), one = name.replace(/s$/, "");
  return `${integer(rows.length)} ${rows.length === 1 ? one : one + "s"}`;
}

function reportTable(table, name) {
  const { columns, rows, links } = table;
  rows.forEach((row, i) => { if (i && row[0][0] === "") row[0] = rows[i - 1][0]; }); // text says an n once
  const shown = columns.map(({ title, number, code, bar, alarm }, i) => {
    const most = bar ? Math.max(...rows.map(row => row[i][0]).filter(value => value > 0)) : 0;
    const wrap = rows.some(row => typeof row[i][0] === "string" && row[i][0].length > 32);
    const cell = row => code ? element("code", {}, row[i][0]) : bar && row[i].length > 1 ? barCell(row[i], most) : links?.length && i === 0 ? element("a", { href: encodeURI(links[rows.indexOf(row)]) }, row[i][0]) : row[i].at(-1);
    return { title, number, wrap, value: row => row[i][0], show: row => element("span", { class: alarm && row[i][0] !== 0 ? "bad" : null }, cell(row)) };
  });
  return sortableTable({ caption: captionOf(table), name, columns: shown, saved: columns.map(({ title }, i) => [title, row => row[i][0]]), rows });
}

const parts = ["sentences", "plots", "drawings", "facts", "tables", "remarks"];

/** What stands below one heading, that of the section and what sections inside without a heading add; what is wrong first, by itself. */
function groupsOf(section, groups = []) {
  const alarm = section.tables.some(table => alarmOf(table) >= 0), group = { alarm, heading: section.heading.trim() || (alarm ? "Findings" : "") };
  const last = groups.at(-1), into = group.heading || !last ? { ...group, ...Object.fromEntries(parts.map(part => [part, []])) } : last;
  if (alarm) groups.unshift(into);
  else if (into !== last) groups.push(into);
  for (const part of parts) into[part].push(...section[part]);
  for (const inner of section.sections) groupsOf(inner, groups);
  return groups;
}

function reportGroup({ alarm, heading, sentences, plots, drawings, facts: all, tables, remarks }, index, answer, costs) {
  const paragraph = sentence => element("p", { class: /\n/.test(sentence.trim()) ? "lines" : null }, sentence.trim());
  const drawing = svg => { const box = element("div", { class: "scroll" }); box.innerHTML = svg; return box; };
  const table = (table, i) => { const node = reportTable(table, `table-${index + 1}-${i + 1}`); return table === costs ? folded(captionOf(table), node) : node; };
  const nodes = [...sentences.filter(sentence => sentence.trim() && sentence !== answer.sentence).map(paragraph), ...plots.map(panelFigures), ...drawings.filter(Boolean).map(drawing), factList(all),
    ...tables.map(table), ...remarks.filter(remark => remark.trim()).map(paragraph)].filter(Boolean);
  if (!nodes.length) return "";
  return element("section", { class: alarm ? "panel alarm" : "panel" }, ...(heading ? [element("h2", {}, heading)] : []), ...nodes);
}

openPage(({ agpusim, title, answer, sources, body }) => {
  const [, first, rest] = /^(.+?)(?:(?:: |, (?=n ))(.*))?$/.exec(title), groups = groupsOf(body);
  heading(first, [rest, `agpusim ${agpusim}`].filter(Boolean).join("; "));
  const tables = groups.flatMap(group => group.tables), all = groups.flatMap(group => group.facts), firstFacts = all.filter(fact => fact.card);
  const titles = [...tables.flatMap(table => table.columns), ...all].flatMap(({ title, card }) => [title, ...(card ?? "").split(", ")]);
  const { costs, panels } = sourcePanels(sources, tables), nodes = groups.map((group, i) => reportGroup(group, i, answer, costs)), alarms = groups.filter(({ alarm }) => alarm).length;
  fill("page", ...nodes.slice(0, alarms), answerPanel(answer),
    ...(firstFacts.length ? [cards(...firstFacts.map(fact => card(fact.card, fact.card, fact.value, fact.note || fact.meaning, fact.alarm)))] : []),
    ...panels, ...nodes.slice(alarms), termsPanel(titles));
});

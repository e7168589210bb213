"use strict";
// The first screen: scores, filters, every row as a point, every algorithm as a line of a table.

const filterFields = ["family", "algorithm", "variant", "type", "machine", "input", "predicted_from", "limit"];
const filterTitles = { predicted_from: "predicted from", limit: "limited by" };
const counterFields = ["algorithm", "variant"]; // those that hardware counters know

/** The rows that pass every filter but that of `except`. */
const passing = (rows, filters, except) =>
  rows.filter(row => filterFields.every(field => field === except || !filters[field] || row[field] === filters[field]));

/** The counters of the algorithms whose rows are shown and, unless rows are chosen by anything else, of those without rows. */
function passingCounters(counters, rows, filters) {
  const names = new Set(rows.map(formOf)), others = filterFields.some(field => filters[field] && !counterFields.includes(field));
  return counters.filter(group => names.has(formOf(group)) || (!others && counterFields.every(field => !filters[field] || group[field] === filters[field])));
}

/** One drop-down list per field in which the rows differ. */
function filterForm(rows, filters, onchange) {
  const lists = filterFields.filter(field => unique(rows.map(row => row[field])).length > 1).map(field => {
    const values = unique(passing(rows, filters, field).map(row => row[field]).filter(present)).sort((a, b) => compare(a, b));
    return choice(filterTitles[field] ?? field, [["", "all"], ...values.map(value => [value, value])], filters[field] ?? "", value => onchange(field, value));
  });
  const active = filterFields.some(field => filters[field]);
  return element("form", { class: "filters", "aria-label": "Rows shown", onsubmit: event => event.preventDefault() }, ...lists,
    active ? element("button", { type: "button", onclick: () => onchange(null) }, "show all runs") : "");
}

/** How far off the predictions are, in one sentence and one bar. */
function errorAnswer(rows) {
  const part = (low, high) => rows.filter(row => Math.abs(row.error) > low && Math.abs(row.error) <= high).length;
  const parts = [["within 10 %", part(-1, 0.1)], ["10 to 20 %", part(0.1, 0.2)], ["beyond 20 %", part(0.2, Infinity)]];
  return answerPanel({ sentence: `Half of ${integer(rows.length)} predicted times are off by less than ${percent(scores(rows).median)}.`, parts });
}

function scoreCards(rows, counters, fit) {
  const all = scores(rows), sum = key => counters.reduce((total, group) => total + group[key], 0);
  const exact = rows.filter(row => row.counts !== "extrapolated").length;
  return cards(
    card("median", "median error of the time", percent(all.median), "absolute"),
    card("p90", "90 % of errors below", percent(all.p90), `mean ${percent(all.mean)}`),
    ...(present(fit.left_out_mean) ? [card("left_out", "mean error when left out", percent(fit.left_out_mean), `median ${percent(fit.left_out_median)}`)] : []),
    card("within", "within 10 %", percent(all.within), `of ${integer(all.rows)} runs`),
    card("spearman", "rank correlation", threeDigits(all.spearman), `linear ${threeDigits(all.pearson)}`),
    card("exact", "exact counts", integer(exact), `of ${integer(rows.length)} runs`),
    card("equal", "hardware counters equal", counters.length ? integer(sum("equal")) : dash, counters.length ? `of ${integer(sum("launches"))} launches` : "none compared"));
}

const spreadText = row => present(row.measured_low_ms) ? `${threeDigits(row.measured_ms)} [${threeDigits(row.measured_low_ms)}, ${threeDigits(row.measured_high_ms)}]` : threeDigits(row.measured_ms);

const rowTip = row => [
  formOf(row), ["n", integer(row.n)], ["type, input", `${row.type}, ${row.input}`], ["machine", row.machine], ["predicted (ms)", threeDigits(row.predicted_ms)],
  ["measured (ms)", spreadText(row)], ["error", signedPercent(row.error)], ["predicted from", row.predicted_from], ["limited by", row.limit], ["T", integer(row.T)], ["Q (blocks)", integer(row.Q)], ["counts", row.counts]];

/** Every row, its colour and shape the limiting resource; rows of other algorithms than the chosen one stand back. */
function scatter(rows, chosen, styles, partNames, pick) {
  const limits = logDomain(rows.flatMap(row => [row.predicted_ms, row.measured_ms]), 1.5);
  const front = chosen ? rows.filter(row => formOf(row) === chosen) : rows, back = chosen ? rows.filter(row => formOf(row) !== chosen) : [];
  const at = row => [row.measured_ms, row.predicted_ms];
  const layers = [
    { kind: "band", color: "var(--bound)", label: "within 10 %", points: limits.map(v => [v, 0.9 * v, 1.1 * v]) },
    { kind: "line", color: "var(--bound)", width: 1, points: limits.map(v => [v, v]) },
    { kind: "points", color: "var(--faded)", radius: 2.5, points: back.map(at) },
    ...Object.keys(styles).filter(limit => front.some(row => row.limit === limit))
      .map(limit => ({ kind: "points", ...styles[limit], radius: front.length > 3000 ? 2.5 : 3.2, opacity: 0.75, label: limit, points: front.filter(row => row.limit === limit).map(at) }))];
  return figure({
    name: "predicted-measured", title: chosen ? `Predicted and measured time: ${chosen}` : "Predicted and measured time",
    help: "Above the line the prediction is too long, below it too short. Colour and shape: the resource that takes most of the predicted time. A click shows the algorithm.",
    height: width => Math.min(Math.max(280, width), 460),
    plot: { x: logAxis("measured (ms)", limits), y: logAxis("predicted (ms)", limits), layers },
    points: rows.map(row => ({ at: at(row), row })), tip: rowTip, pick: row => pick(formOf(row)), csv: { columns: rowCsv(rows, partNames), rows } });
}

/** A bar of the middle 80 % of predicted / measured on a logarithmic scale of 1/4 to 4, its median marked; the band is 10 %. */
function ratioBar(members) {
  const at = ratio => 50 + 48 * Math.min(Math.max(Math.log(ratio) / Math.log(4), -1), 1), values = members.map(row => row.ratio);
  const low = at(quantile(values, 0.1)), high = at(quantile(values, 0.9)), middle = at(median(values));
  const node = element("span", { class: "ratio", "aria-hidden": "true" });
  node.innerHTML = `<svg viewBox="0 0 100 14" ><path d="M50 0V14" stroke="var(--soft)"/><rect x="${pixel(at(0.9))}" width="${pixel(at(1.1) - at(0.9))}" height="14" fill="var(--bound)" fill-opacity="0.25"/>` +
    `<path d="M${pixel(low)} 7H${pixel(Math.max(high, low + 1))}" stroke="var(--predicted)" stroke-width="4"/><circle cx="${pixel(middle)}" cy="7" r="4" fill="var(--predicted)"/></svg>`;
  return node;
}

const formColumns = pick => [
  { ...column("algorithm", form => form.name), show: form => element("a", { href: "#", onclick: event => { event.preventDefault(); event.stopPropagation(); pick(form.name); } }, form.name) },
  { ...numbers("predicted / measured", form => form.ratio, threeDigits), help: "median; the dot is the median, the bar holds 80 % of the rows, from a quarter to four times; the band is 10 %",
    show: form => element("span", { class: "with-ratio" }, form.rows ? ratioBar(form.members) : "", element("span", { class: "value" }, threeDigits(form.ratio))) },
  { ...numbers("median error", form => form.median, percent), help: "absolute" },
  { ...numbers("90 % below", form => form.p90, percent), help: "90 % of the rows have a smaller absolute error" },
  numbers("within 10 %", form => form.within, percent),
  numbers("runs", form => form.rows, integer),
  { ...column("limited by", form => form.limit), help: "the resource that takes most of the predicted time, from small n to large, of all rows: filters change nothing" },
  { ...column("n", form => form.high), show: form => form.rows ? `${size(form.low)}\u2013${size(form.high)}` : dash },
  { ...numbers("counters equal", form => form.launches ? form.equal / form.launches : null), help: "launches whose hardware counters equal the counts",
    show: form => form.launches ? `${integer(form.equal)} / ${integer(form.launches)}` : dash }];

/** Every family of the report, whatever the filters are. */
const familyTable = families => sortableTable({
  caption: "Families of algorithms, all runs.", name: "families", rows: families, columns: [
    column("family", score => score.family), numbers("algorithms", score => score.algorithms, integer), numbers("runs", score => score.rows, integer),
    numbers("predicted / measured", score => score.ratio, threeDigits), numbers("median error", score => score.error_median, percent), numbers("mean", score => score.error_mean, percent),
    numbers("90 % below", score => score.error_p90, percent), numbers("within 10 %", score => score.within_10_percent, percent), column("limited by", score => score.limited_by)] });

function formTable(rows, counters, reported, chosen, order, pick) {
  return sortableTable({
    caption: "Algorithms: choose one to see its times, counts and counters.", name: "algorithms", columns: formColumns(pick), rows: forms(rows, counters, reported), order,
    attributes: form => ({ class: form.name === chosen ? "chosen pick" : "pick", "aria-current": form.name === chosen ? "true" : null, "data-form": form.name, onclick: () => pick(form.name) }) });
}

"use strict";
// One algorithm: times, errors and counts against n of one series of runs, and its hardware counters.

const seriesName = row => `${row.type}, ${row.input}, ${row.machine}`;
const bySize = rows => [...rows].sort((a, b) => a.n - b.n);

/** Points of a count or time of the rows that have it. */
const curve = (rows, value) => rows.map(row => [row.n, value(row)]).filter(([, y]) => y > 0);

function timeFigure(rows, partNames) {
  const spread = rows.filter(row => row.measured_low_ms > 0).map(row => [row.n, row.measured_low_ms, row.measured_high_ms]);
  const measured = curve(rows, row => row.measured_ms), predicted = curve(rows, row => row.predicted_ms);
  return figure({
    name: "time", title: "Time", help: "Measured: median, with 5 % and 95 % quantiles (extremes of fewer than 20 samples).",
    plot: { x: sizeAxis(rows.map(row => row.n)), y: logAxis("time (ms)", logDomain([...measured, ...predicted].map(([, y]) => y), 1.4)), layers: [
      { kind: "band", color: "var(--measured)", points: spread },
      { kind: "spread", color: "var(--measured)", points: spread },
      { kind: "line", color: "var(--predicted)", label: "predicted", points: predicted },
      { kind: "points", color: "var(--predicted)", shape: "bar", points: predicted },
      { kind: "points", color: "var(--measured)", label: "measured", points: measured }] },
    points: rows.map(row => ({ at: [row.n, row.measured_ms], row })), tip: rowTip, csv: { columns: rowCsv(rows, partNames), rows } });
}

/** The parts of the prediction on top of each other, in units of the measured time. */
function partsFigure(rows, partNames, styles) {
  const used = partNames.filter(name => rows.some(row => partOf(row, name) > 0));
  const base = rows.map(() => 0);
  const layers = used.map(name => ({ kind: "band", color: styles[name].color, opacity: 0.75, label: name,
    points: rows.map((row, k) => { const low = base[k]; base[k] += partOf(row, name) / row.measured_ms; return [row.n, low, base[k]]; }) }));
  const top = 1.08 * Math.max(1.15, ...base, ...rows.map(row => (row.measured_high_ms ?? 0) / row.measured_ms));
  const notes = layers.flatMap(layer => {
    const [x, low, high] = layer.points.reduce((best, point) => point[2] - point[1] > best[2] - best[1] ? point : best);
    const inside = layer.points.length > 4 && x > layer.points[0][0] && x < layer.points.at(-1)[0];
    return inside && high - low > 0.1 * top ? [{ x, y: (low + high) / 2, text: layer.label }] : [];
  });
  const range = rows.filter(row => row.measured_low_ms > 0).map(row => [row.n, row.measured_low_ms / row.measured_ms, row.measured_high_ms / row.measured_ms]);
  const ends = [rows[0].n, rows.at(-1).n];
  return figure({
    name: "parts", title: "Parts of the predicted time", help: "In units of the measured time: where the stack ends at 1, the prediction is right.",
    plot: { x: sizeAxis(rows.map(row => row.n)), y: linearAxis("time / measured time", [0, top]), notes, layers: [...layers,
      { kind: "line", color: "var(--ink)", dash: "5 3", points: ends.map(n => [n, 1]) },
      { kind: "spread", color: "var(--ink)", points: range },
      { kind: "points", color: "var(--ink)", label: "measured", radius: 3, points: rows.map(row => [row.n, 1]) }] },
    points: rows.map((row, k) => ({ at: [row.n, base[k]], row })),
    tip: row => [`n = ${integer(row.n)}`, ...used.filter(name => partOf(row, name) > 0).map(name => [`${name} (ms)`, threeDigits(partOf(row, name))]), ["predicted (ms)", threeDigits(row.predicted_ms)], ["measured (ms)", spreadText(row)]],
    csv: { columns: rowCsv(rows, partNames), rows } });
}

function errorFigure(rows, others, partNames) {
  const all = [...rows, ...others], line = rows.map(row => [row.n, row.ratio]), ends = logDomain(all.map(row => row.n), 2);
  return figure({
    name: "error", title: "Error", help: "Predicted over measured time: 1 is right, 2 is twice too long. Bars: the spread of the measurement.",
    plot: { x: sizeAxis(all.map(row => row.n)), y: ratioAxis("predicted / measured", all.map(row => row.ratio)), layers: [
      { kind: "band", color: "var(--bound)", label: "within 10 %", points: ends.map(n => [n, 0.9, 1.1]) },
      { kind: "line", color: "var(--bound)", width: 1, points: ends.map(n => [n, 1]) },
      ...(others.length ? [{ kind: "points", color: "var(--faded)", shape: "diamond", radius: 2.5, label: "other runs", points: others.map(row => [row.n, row.ratio]) }] : []),
      { kind: "line", color: "var(--predicted)", points: line },
      { kind: "spread", color: "var(--predicted)", points: rows.filter(row => row.measured_low_ms > 0).map(row => [row.n, row.predicted_ms / row.measured_high_ms, row.predicted_ms / row.measured_low_ms]) },
      { kind: "points", color: "var(--predicted)", label: "these runs", points: line }] },
    points: all.map(row => ({ at: [row.n, row.ratio], row })), tip: rowTip, csv: { columns: rowCsv(rows, partNames), rows: all } });
}

/** A count beside its formula and its lower bound. */
function countFigure(rows, count, unit, bound, formula, partNames) {
  const lowerOf = row => row[`${count}_lower`], formulaOf = row => row[`${count}_formula`];
  const counted = curve(rows, row => row[count]), lower = curve(rows, lowerOf), foretold = curve(rows, formulaOf);
  const equal = rows.filter(row => formulaOf(row) === row[count]).length;
  const help = (present(bound) ? `Bound: ${bound}. ` : "") + (foretold.length ? `Formula: ${formula} (equal in ${integer(equal)} of ${integer(foretold.length)} rows).` : "");
  return figure({
    name: `count-${count}`, title: `${count} (${unit})`, help,
    plot: { x: sizeAxis(rows.map(row => row.n)), y: logAxis(`${count} (${unit})`, logDomain([...counted, ...lower, ...foretold].map(([, y]) => y), 1.5)), layers: [
      ...(lower.length ? [{ kind: "line", color: "var(--bound)", dash: "5 3", label: "lower bound", points: lower }] : []),
      ...(foretold.length ? [{ kind: "line", color: "var(--formula)", width: 5, label: "formula", points: foretold }] : []),
      { kind: "line", color: "var(--counted)", width: 1, points: counted },
      { kind: "points", color: "var(--counted)", shape: "triangle", label: "counted", points: counted }] },
    points: rows.map(row => ({ at: [row.n, row[count]], row })),
    tip: row => [`n = ${integer(row.n)}`, [count, integer(row[count])], ["formula", present(formulaOf(row)) ? integer(formulaOf(row)) : ""], ["lower bound", lowerOf(row) > 0 ? integer(lowerOf(row)) : ""],
      ["over lower bound", lowerOf(row) > 0 ? threeDigits(row[count] / lowerOf(row)) : ""], ["counts", row.counts]],
    csv: { columns: rowCsv(rows, partNames), rows } });
}

/** Columns of the table of rows that have a name or a format of their own. */
const namedColumns = {
  n: numbers("n", row => row.n, integer), phases: numbers("phases", row => row.phases, integer), T: numbers("T", row => row.T, integer), Q: numbers("Q", row => row.Q, integer),
  optimality_ratio: numbers("Q / lower bound", row => row.optimality_ratio, threeDigits), predicted_ms: numbers("predicted (ms)", row => row.predicted_ms, threeDigits),
  measured_ms: { ...numbers("measured (ms) [5 %, 95 %]", row => row.measured_ms), show: spreadText }, error: numbers("error", row => row.error, signedPercent), limit: column("limited by", row => row.limit) };
const inFigures = ["T_lower", "Q_lower", "Q_formula", "differences", "parts_ms", "measured_low_ms", "measured_high_ms", "samples"]; // or in other columns

function rowColumns(rows) {
  const other = key => typeof rows[0][key] === "number" ? numbers(key, row => row[key], sixDigits) : column(key, row => row[key]);
  const [n, ...rest] = keysOf(rows).filter(key => !inFigures.includes(key)).map(key => namedColumns[key] ?? other(key));
  return [n, ...["type", "machine"].map(other), ...rest];
}

function counterSection(group) {
  if (!group) return element("p", { class: "soft" }, "No hardware counters of this algorithm were compared.");
  const kinds = groupBy(group.differences, difference => JSON.stringify([difference.kernel, difference.metric, difference.reason]))
    .map(([, same]) => ({ ...same[0], times: same.length, least: Math.min(...same.map(d => d.measured - d.simulated)), most: Math.max(...same.map(d => d.measured - d.simulated)) }));
  const metrics = sortableTable({ caption: `Every counter that must be equal is equal in ${integer(group.equal)} of ${integer(group.launches)} launches.`, name: "counters", rows: group.metrics, columns: [
    column("counter of the device", metric => metric.metric), column("compared", metric => metric.exact ? "must be equal" : "for information"),
    numbers("equal", metric => metric.equal, integer), numbers("launches", metric => metric.launches, integer)] });
  if (!kinds.length) return metrics;
  const differences = sortableTable({ caption: "Differences, by kernel and counter.", name: "counter-differences", rows: kinds, columns: [
    column("kernel", kind => kind.kernel), column("counter of the device", kind => kind.metric), numbers("launches", kind => kind.times, integer),
    { ...numbers("measured \u2212 counted", kind => kind.most), show: kind => kind.least === kind.most ? integer(kind.most) : `${integer(kind.least)} to ${integer(kind.most)}` }, sentences("reason", kind => kind.reason)] });
  return element("div", {}, metrics, differences);
}

/** What the rows of one algorithm and variant show; `series` names the runs that the curves are of. */
function rowSection(rows, series, styles, partNames, onseries) {
  const all = groupBy(rows, seriesName).sort((a, b) => b[1].length - a[1].length);
  const [name, members] = all.find(([key]) => key === series) ?? all[0];
  const shown = bySize(members), { group } = shown[0], chosen = new Set(members), form = formOf(shown[0]);
  const choices = all.map(([key, same]) => [key, `${key} (${same.length} ${same.length === 1 ? "row" : "rows"})`]);
  return element("div", {},
    element("p", {}, group.summary), present(group.limiting) ? element("p", { class: "limiting" }, group.limiting) : "",
    element("form", { class: "filters", onsubmit: event => event.preventDefault() }, choice("curves", choices, name, onseries)),
    element("div", { class: "plots" }, timeFigure(shown, partNames), partsFigure(shown, partNames, styles), errorFigure(shown, rows.filter(row => !chosen.has(row)), partNames),
      countFigure(shown, "T", "time units", group.bound_time, "", partNames), countFigure(shown, "Q", "blocks", group.bound_io, group.formula, partNames)),
    element("details", {}, element("summary", {}, `All ${integer(rows.length)} rows`), sortableTable({ caption: `Rows of ${form}`, name: form.replace(":", "-"), columns: rowColumns(rows), rows })));
}

/** The panel of one algorithm and variant, which may have rows, counters or both. */
function panel(form, rows, counters, series, styles, partNames, onseries) {
  return element("section", { class: "panel", id: "panel", "aria-labelledby": "panel-title" },
    element("header", {}, element("h2", { id: "panel-title", tabindex: "-1" }, form), element("button", { type: "button", class: "screen", onclick: () => byId("title").scrollIntoView() }, "to the top")),
    rows.length ? rowSection(rows, series, styles, partNames, onseries) : element("p", { class: "soft" }, "No measured time."),
    element("h3", {}, "Hardware counters"), counterSection(counters));
}

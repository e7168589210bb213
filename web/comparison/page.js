"use strict";
// The page of `agpusim compare`: contestants against n on each machine.

const terms = [
  ["AGPU(p, b, M, w)", "Abstract machine: p cores in multiprocessors of b lanes, M words of shared memory each, words of w bits. V: lanes of one task."],
  ["T", "Time units of the slowest multiprocessor, summed over the phases."],
  ["Q", "I/O: blocks of b words of global memory accessed; plotted as a multiple of n/b, the blocks of n words."],
  ["T / bound, Q / bound", "The count over the lower bound of the problem that the algorithm states; 1 is optimal."],
  ["predicted", "Time from the counts and the constants of the device; nothing is fitted."],
  ["measured", "Median of the recorded samples with their 5 % and 95 % quantiles (extremes of fewer than 20)."],
  ["crossover", "Two neighbouring sizes between which the order changes; \u201cabout\u201d: interpolated between them, the logarithm of the ratio linear in the logarithm of n."]];

const pointTip = point => [
  point.contestant, ["n", integer(point.n)], ["T", integer(point.T)], ["Q (blocks)", integer(point.Q)], ["Q / (n/b)", threeDigits(point.Q_scaled)], ["phases", integer(point.phases)],
  ["predicted (ms)", threeDigits(point.predicted_ms)], ["limited by", point.limit], ["measured (ms)", threeDigits(point.measured_ms) + spreadOf(point)],
  ["predicted / best", threeDigits(point.predicted_ratio)], ["measured / best", threeDigits(point.measured_ratio)]];

/** Columns of the CSV files of figures: everything that is known of a point. */
const pointCsv = rows => Object.keys(rows[0]).filter(name => name !== "index").map(name => [name, point => point[name]]);

/** Lines of one field and marks of another, per contestant: {name, title, help, axis, line, mark, spread, bound}. */
function contestantFigure({ name, title, help, axis, line, mark, spread, bound }, rows, contestants) {
  const of = (contestant, field) => rows.filter(row => row.index === contestant && row[field] > 0);
  const at = field => row => [row.n, row[field]];
  const layers = contestants.flatMap(({ index, color, shape, label }) => [
    { kind: "line", color, points: line ? of(index, line).map(at(line)) : [] },
    { kind: "spread", color, points: spread ? of(index, "measured_low_ms").map(row => [row.n, row.measured_low_ms, row.measured_high_ms]) : [] },
    { kind: "points", color, shape, label, points: mark ? of(index, mark).map(at(mark)) : [] }]);
  const lower = bound ? contestants.map(({ index }) => ({ kind: "line", color: "var(--bound)", dash: "5 3", points: of(index, bound).map(at(bound)) })).filter(layer => layer.points.length) : [];
  const fields = [line, mark, bound].filter(present), values = rows.flatMap(row => fields.map(field => row[field])).filter(value => value > 0);
  if (!values.length) return element("figure", {}, element("h3", {}, title), element("p", { class: "soft" }, "Nothing to show on this machine."));
  const asked = mark && rows.some(row => row[mark] > 0) ? mark : line;
  return figure({
    name, title, help, plot: { x: sizeAxis(rows.map(row => row.n)), y: axis(values), layers: [...lower.map((layer, i) => i ? layer : { ...layer, label: "lower bound" }), ...layers] },
    points: rows.filter(row => row[asked] > 0).map(row => ({ at: [row.n, row[asked]], row })), tip: pointTip, csv: { columns: pointCsv(rows), rows } });
}

function machineFigures(machine, contestants, rows) {
  const predicted = rows.some(row => row.predicted_ms > 0), foretold = predicted ? "predicted_ratio" : "T_best", named = predicted ? "predicted time" : "T";
  const log = title => values => logAxis(title, logDomain(values, 1.3));
  return [
    { name: `${machine.id}-time`, title: "Time", help: "Lines: predicted. Marks with a bar: measured, with 5 % and 95 % quantiles.", axis: log("time (ms)"), line: "predicted_ms", mark: "measured_ms", spread: true },
    { name: `${machine.id}-ratio`, title: "Over the best", help: `Lines: ${named} over the smallest of all contestants at this n; marks: measured over the fastest measured. Lines cross where the order changes.`,
      axis: values => ({ ...ratioAxis("over the best at this n", values), domain: [0.93, Math.max(1.4, ...values) * 1.1] }), line: foretold, mark: "measured_ratio" },
    { name: `${machine.id}-io`, title: "Q in units of n/b", help: "1: every word moved once in whole blocks. Dashed: the lower bounds that the algorithms state.", axis: log("Q / (n/b)"), line: "Q_scaled", mark: "Q_scaled", bound: "Q_lower_scaled" },
    { name: `${machine.id}-T`, title: "T", help: "Time of the abstract machine.", axis: log("T (time units)"), line: "T", mark: "T" }].map(spec => contestantFigure(spec, rows, contestants));
}

const starred = (title, field, show) => ({ ...numbers(title, point => point[field], show), show: point => {
  const cell = show(point[field]) + (field === "measured_ms" ? spreadOf(point) : "");
  return point.smallest.includes(field.replace("_ms", "")) ? element("strong", { class: "good" }, cell) : cell;
} });
const pointColumns = [
  numbers("n", point => point.n, integer), column("contestant", point => point.contestant), column("counts", point => point.refusal ? "refused" : point.counts), starred("T", "T", integer), starred("Q (blocks)", "Q", integer),
  numbers("instructions", point => point.instructions, integer), numbers("shared wavefronts", point => point.wavefronts, integer), numbers("phases", point => point.phases, integer),
  numbers("T / bound", point => point.T_over_lower, threeDigits), numbers("Q / bound", point => point.Q_over_lower, threeDigits), starred("predicted (ms)", "predicted_ms", threeDigits), column("limited by", point => point.limit),
  starred("measured (ms) [5 %, 95 %]", "measured_ms", threeDigits)];
const orderColumns = [column("contestant", order => order.first), column("against", order => order.second), column("by", order => order.by), numbers("sizes", order => order.sizes, integer), sentences("who is ahead", order => order.sentence)];

function machineSection(machine, contestants, names) {
  if (machine.refusal) return section(machine.id, machine.label, element("p", { class: "bad" }, machine.refusal));
  const shown = new Set(contestants.map(contestant => contestant.index)), rows = points(machine, names).filter(row => shown.has(row.index));
  const agreement = [...machine.agreements.map(entry => entry.sentence), ...machine.crossovers];
  return section(machine.id, machine.label,
    element("p", { class: "soft" }, machine.name + (machine.device ? `; device ${machine.device}` : "")),
    facts(machine.smallest.map(entry => [`smallest ${entry.by}`, entry.sentence])),
    element("div", { class: "plots" }, ...machineFigures(machine, contestants, rows.filter(row => !row.refusal))),
    ...(agreement.length ? [element("h3", {}, "Agreement with the measurements, among the contestants with both values"), list(agreement)] : []),
    ...(machine.remarks.length ? [element("h3", {}, "Remarks"), list(machine.remarks)] : []),
    sortableTable({ caption: "Who is ahead in each pair", name: `${machine.id}-pairs`, columns: orderColumns, rows: machine.orders }),
    sortableTable({ caption: "Every contestant at every n; the smallest at each n stands out.", name: `${machine.id}-rows`, columns: pointColumns, rows }));
}

function fastestSection(data) {
  const bySize = new Map();
  for (const by of ["predicted", "measured"]) for (const best of data[`fastest_${by}`]) bySize.set(best.n, { ...bySize.get(best.n), n: best.n, [by]: best });
  if (!bySize.size) return "";
  const who = best => best ? `${best.contestant}${best.machine ? ` on ${best.machine}` : ""}, ${threeDigits(best.ms)} ms` : dash;
  const cell = by => ({ ...column(by, row => row[by]?.ms), show: row => who(row[by]) });
  return section("fastest", "Fastest over all machines", sortableTable({ caption: "The fastest contestant and machine at each n", name: "fastest",
    columns: [numbers("n", row => row.n, integer), cell("predicted"), cell("measured")], rows: [...bySize.values()] }));
}

function showComparison(data) {
  const contestants = data.contestants.map((contestant, index) => ({ ...contestant, index, ...style(index) })), hidden = new Set();
  const machines = data.machines.map((machine, i) => ({ ...machine, id: `machine-${i + 1}` }));
  const show = () => fill("machines", ...machines.map(machine => machineSection(machine, contestants.filter(contestant => !hidden.has(contestant.index)), contestants.map(contestant => contestant.label))));
  const toggle = (index, on) => { on ? hidden.delete(index) : hidden.add(index); show(); };
  const mark = contestant => element("label", {}, element("input", { type: "checkbox", checked: true, onchange: event => toggle(contestant.index, event.target.checked) }), swatch(contestant), contestant.label);
  heading(data.contestants.map(contestant => contestant.label).join(" against "), `agpusim ${data.agpusim}, ${moment(data.generated)}; seed ${data.seed}`);
  fill("page",
    section("contestants", "Contestants", sortableTable({ caption: "What is compared; the figures show what is ticked.", name: "contestants", rows: contestants, columns: [
      { ...column("contestant", contestant => contestant.label), show: mark }, column("algorithm", contestant => contestant.algorithm), column("variant", contestant => contestant.variant),
      column("element type", contestant => contestant.type), column("input", contestant => contestant.input), column("counts", contestant => contestant.measured_only ? "measurements only" : "counted")] }),
      ...(data.remarks.length ? [list(data.remarks)] : [])),
    fastestSection(data), element("div", { id: "machines" }), folded("Terms and units", facts(terms)));
  show();
}

openPage(showComparison);

"use strict";
// The analysis that the page shows: its rows, and what is said of a set of rows.

const familyOf = row => row.variant ? `${row.algorithm}:${row.variant}` : row.algorithm;

/** A column of a group: the values themselves, or indices into texts. */
const decodeColumn = column => column.texts ? column.index.map(i => column.texts[i]) : column;

/** One object per row; times in milliseconds. The parts are an array beside `data.parts`, their names. */
function decodeRows(data) {
  return data.groups.flatMap(group => {
    const columns = Object.entries(group.columns).map(([name, values]) => [name, decodeColumn(values)]);
    const shared = { group, algorithm: group.algorithm, variant: group.variant, type: group.type, machine: group.machine };
    return group.columns.n.map((_, i) => {
      const row = { ...shared, ...Object.fromEntries(columns.map(([name, values]) => [name, values[i]])) };
      row.parts = group.parts.map(values => values[i]);
      row.ratio = row.predicted_ms / row.measured_ms;
      row.error = row.ratio - 1;
      return row;
    });
  });
}

const within = error => Math.abs(error) <= 0.1;

/** How well the predictions of some rows agree with the measurements. */
function scores(rows) {
  const errors = rows.map(row => Math.abs(row.error));
  return {
    rows: rows.length,
    median: median(errors),
    p90: quantile(errors, 0.9),
    mean: mean(errors),
    within: share(errors, within),
    ratio: median(rows.map(row => row.ratio)),
    pearson: pearson(rows.map(row => row.predicted_ms), rows.map(row => row.measured_ms)),
    spearman: spearman(rows.map(row => row.predicted_ms), rows.map(row => row.measured_ms)),
  };
}

/** The limiting resources of rows, from small n to large: that of most rows of each n, repeats left out. */
function limits(rows) {
  const perSize = groupBy([...rows].sort((a, b) => a.n - b.n), row => row.n)
    .map(([, same]) => groupBy(same, row => row.limit).sort((a, b) => b[1].length - a[1].length)[0][0]);
  const runs = perSize.filter((limit, i) => limit !== perSize[i - 1]);
  return runs.length <= 3 ? runs : unique([runs[0], groupBy(perSize, limit => limit).sort((a, b) => b[1].length - a[1].length)[0][0], runs.at(-1)]);
}

/** One entry per algorithm and variant, with its rows, their scores and its counters; of those in `counters` there may be no rows. */
function families(rows, counters) {
  const timed = new Map(groupBy(rows, familyOf)), counted = new Map(counters.map(group => [familyOf(group), group]));
  return unique([...timed.keys(), ...counted.keys()]).map(name => {
    const members = timed.get(name) ?? [], sizes = members.map(row => row.n);
    return { name, members, ...scores(members), low: members.length ? Math.min(...sizes) : null, high: members.length ? Math.max(...sizes) : null,
      limits: members.length ? limits(members) : [], launches: counted.get(name)?.launches ?? 0, equal: counted.get(name)?.equal ?? 0 };
  });
}

/** Columns of the CSV files of rows: everything that is known of a row. */
const rowCsv = partNames => [
  ...["algorithm", "variant", "type", "machine", "input", "n", "phases", "T", "T_lower", "Q", "Q_lower", "Q_formula", "counts"].map(name => [name, row => row[name]]),
  ...["predicted_ms", "measured_ms", "measured_low_ms", "measured_high_ms", "samples", "error", "limit"].map(name => [name, row => row[name]]),
  ...partNames.map((name, i) => [`${name}_ms`, row => row.parts[i]])];

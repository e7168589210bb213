"use strict";
// The analysis that the page shows: its rows, and what is said of a set of rows.

const formOf = row => row.variant ? `${row.algorithm}:${row.variant}` : row.algorithm;

/** One object per row of the report, with its group; times in milliseconds. */
const rowsOf = data => data.algorithms.flatMap(group => group.rows.map(row =>
  ({ ...row, group, algorithm: group.name, variant: group.variant, type: group.type, machine: group.machine, family: group.family, ratio: 1 + row.error })));

/** The parts of predicted times that occur: any names, any number. */
const partsOf = rows => unique(rows.flatMap(row => Object.keys(row.parts_ms)));
const partOf = (row, name) => row.parts_ms[name] ?? 0;

/** The hardware counters of each algorithm and variant, with its differences. */
const countersOf = data => data.counters.algorithms.map(group =>
  ({ ...group, differences: data.counters.differences.filter(difference => formOf(difference) === formOf(group)) }));

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

/** One entry per algorithm and variant, with its rows, their scores and its counters; of those in `counters` there may be no rows.
 *  What limits it is said in `reported`, the scores of the report, of all its rows. */
function forms(rows, counters, reported) {
  const timed = new Map(groupBy(rows, formOf)), counted = new Map(counters.map(group => [formOf(group), group]));
  const limits = new Map(reported.map(score => [formOf(score), score.limited_by]));
  return unique([...timed.keys(), ...counted.keys()]).map(name => {
    const members = timed.get(name) ?? [], sizes = members.map(row => row.n);
    return { name, members, ...scores(members), low: members.length ? Math.min(...sizes) : null, high: members.length ? Math.max(...sizes) : null,
      limit: members.length ? limits.get(name) : "", launches: counted.get(name)?.launches ?? 0, equal: counted.get(name)?.equal ?? 0 };
  });
}

/** What the report has of each row: the keys of its columns. */
const keysOf = rows => Object.keys(rows[0].group.rows[0]);

/** Columns of the CSV files of rows: everything that is known of a row. */
const rowCsv = (rows, partNames) => [
  ...["algorithm", "variant", "type", "machine", ...keysOf(rows).filter(key => key !== "parts_ms")].map(name => [name, row => row[name]]),
  ...partNames.map(name => [`${name}_ms`, row => partOf(row, name)])];

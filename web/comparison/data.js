"use strict";
// The comparison that the page shows: one object per machine, n and contestant.

const over = (value, base) => value > 0 && base > 0 ? value / base : null;
const least = values => {
  const known = values.filter(value => value > 0);
  return known.length ? Math.min(...known) : null;
};

/** The rows of the report, each with the index of its contestant and, for figures, its ratios to the best at this n. */
function points(machine, names) {
  return machine.rows.map(row => {
    const best = field => least(machine.rows.filter(other => other.n === row.n).map(other => other[field]));
    return {
      ...row, index: names.indexOf(row.contestant),
      Q_scaled: over(row.Q * machine.machine.b, row.n), Q_lower_scaled: over(row.Q_lower * machine.machine.b, row.n),
      predicted_ratio: over(row.predicted_ms, best("predicted_ms")), measured_ratio: over(row.measured_ms, best("measured_ms")), T_best: over(row.T, best("T")) };
  });
}

const spreadOf = point => present(point.measured_low_ms) ? ` [${threeDigits(point.measured_low_ms)}, ${threeDigits(point.measured_high_ms)}]` : "";

"use strict";
// The comparison that the page shows: one object per machine, n and contestant.

const over = (value, base) => value > 0 && base > 0 ? value / base : null;
const least = values => {
  const known = values.filter(value => value > 0);
  return known.length ? Math.min(...known) : null;
};

/** Numbers of one contestant at one n, and their ratios to the best at this n. */
function points(machine) {
  return machine.rows.flatMap(({ n, entries, winners }) => {
    const best = {
      predicted: least(entries.map(entry => entry.predicted_ms)),
      measured: least(entries.map(entry => entry.measured?.ms)),
      T: least(entries.map(entry => entry.cost?.T)) };
    return entries.map((entry, contestant) => {
      const cost = entry.cost ?? {}, measured = entry.measured ?? {};
      return {
        n, contestant, name: entry.contestant, refusal: entry.refusal, counts: cost.counts, T: cost.T, Q: cost.Q,
        instructions: cost.instructions, wavefronts: cost.wavefronts, phases: cost.phases,
        T_ratio: over(cost.T, cost.T_lower), Q_ratio: over(cost.Q, cost.Q_lower),
        Q_scaled: over(cost.Q * machine.machine.b, n), Q_lower_scaled: over(cost.Q_lower * machine.machine.b, n),
        predicted: entry.predicted_ms, limit: entry.limit, measured: measured.ms, low: measured.low_ms, high: measured.high_ms, samples: measured.samples,
        predicted_ratio: over(entry.predicted_ms, best.predicted), measured_ratio: over(measured.ms, best.measured), T_best: over(cost.T, best.T),
        wins: Object.fromEntries(["T", "Q", "predicted", "measured"].map(by => [by, winners[by].includes(entry.contestant)])) };
    });
  });
}

const spreadOf = point => present(point.low) ? ` [${threeDigits(point.low)}, ${threeDigits(point.high)}]` : "";

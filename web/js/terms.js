"use strict";
// What words and units mean: [term, meaning, ...other titles of the same].

const terms = [
  ["AGPU(p, b, M, w)", "Abstract machine: p cores in multiprocessors of b lanes, M words of shared memory each, words of w bits. V: lanes of one task.", "machine"],
  ["n", "Elements of the input."],
  ["T", "Time units of the slowest multiprocessor, summed over the phases: issued instructions, bank conflicts, block accesses. Of a line: of all tasks.", "of T", "time units", "share"],
  ["Q", "I/O: blocks of b words of global memory accessed."],
  ["requests", "Of a warp to global memory: one for each instruction.", "global requests"],
  ["sectors", "Pieces of 32 bytes of global memory that requests touch.", "global sectors"],
  ["efficiency", "Of the bytes in these sectors, those that lanes asked for."],
  ["wavefronts", "Time units of shared memory: a request takes one for each word that lanes want of one bank.", "shared wavefronts"],
  ["conflicts", "Wavefronts beyond the first of a request: its lanes meet in one bank.", "shared conflicts", "bank conflicts"],
  ["lanes", "Part of all lanes that work; the rest waits in the other branch.", "active lanes", "active"],
  ["rounds", "Waits of tasks for global reads; latency, not in T.", "read rounds"],
  ["\u03a6", "Phases: launches of kernels.", "phases"],
  ["T / bound, Q / bound", "The count over the lower bound of the problem; 1 is optimal.", "T/bound", "Q/bound"],
  ["counts", "Where they come from: derived from one task of each class, stored from a simulation, simulated now, or extrapolated from a smaller n (an estimate)."],
  ["predicted", "Time from the counts and the constants of the device. 90 % of measured runs lie in the interval.", "predicted ms", "predicted, ms", "90 % interval"],
  ["measured", "Median of the recorded samples with their 5 % and 95 % quantiles (extremes of fewer than 20).", "measured ms", "measured, ms"],
  ["error", "Predicted / measured \u2212 1: above 0 the prediction is too long."],
  ["limited by", "The part that takes most of the predicted time.", "limit"],
  ["crossover", "Two neighbouring sizes between which the order changes; \u201cabout\u201d: interpolated, linear in the logarithms."]];

/** Those terms that stand in some titles. */
function termsPanel(titles) {
  const used = new Set(titles.map(title => title.trim()));
  const shown = terms.filter(([term, , ...others]) => [term, ...others].some(title => used.has(title)));
  return shown.length ? folded("Terms and units", facts(shown)) : "";
}

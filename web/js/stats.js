"use strict";
// Statistics of arrays of numbers; of an empty array: null.

/** The value below which the fraction q of the numbers lies, linear between neighbours (type 7 of Hyndman and Fan). */
function quantile(values, q) {
  if (!values.length) return null;
  const sorted = Float64Array.from(values).sort();
  const position = q * (sorted.length - 1), below = Math.floor(position), above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
}
const median = values => quantile(values, 0.5);
const mean = values => values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;

/** The fraction of the values for which `holds`. */
const share = (values, holds) => values.length ? values.filter(holds).length / values.length : null;

/** Linear correlation; null when one of the samples is constant. */
function pearson(x, y) {
  if (unique(x).length < 2 || unique(y).length < 2) return null;
  const meanX = mean(x), meanY = mean(y);
  let xx = 0, yy = 0, xy = 0;
  for (let i = 0; i < x.length; ++i) {
    const dx = x[i] - meanX, dy = y[i] - meanY;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  return xy / Math.sqrt(xx * yy);
}

/** Ranks from 1; equal values share their average rank. */
function ranks(values) {
  const order = values.map((_, i) => i).sort((a, b) => values[a] - values[b]), result = new Array(values.length);
  for (let first = 0; first < order.length;) {
    let last = first;
    while (last < order.length && values[order[last]] === values[order[first]]) ++last;
    for (const rank = (first + last + 1) / 2; first < last; ++first) result[order[first]] = rank;
  }
  return result;
}
const spearman = (x, y) => pearson(ranks(x), ranks(y));

"use strict";
// Axes of plots: where a value lies, and which values have a tick.

/** The range of the positive values, widened by the factor `pad` on both sides. */
function logDomain(values, pad = 1.2) {
  let low = Infinity, high = 0;
  for (const value of values) {
    if (!(value > 0)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high > 0 ? [low / pad, high * pad] : [0.5, 2];
}

/** At most `most` powers of two within the domain. */
function powersOfTwo([low, high], most = 7) {
  const first = Math.ceil(Math.log2(low)), last = Math.floor(Math.log2(high));
  const step = Math.max(1, Math.ceil((last - first + 1) / most)), ticks = [];
  for (let exponent = first; exponent <= last; exponent += step) ticks.push(2 ** exponent);
  return ticks;
}

/** Powers of ten within the domain, with 2 and 5 between them where there is room. */
function decades([low, high]) {
  const span = Math.log10(high / low), mantissas = span < 3 ? [1, 2, 5] : [1], step = Math.max(1, Math.ceil(span / 9)), ticks = [];
  for (let exponent = Math.floor(Math.log10(low)); exponent <= Math.log10(high); exponent += step) {
    ticks.push(...mantissas.map(mantissa => Number(`${mantissa}e${exponent}`)));
  }
  return ticks.filter(value => value >= low && value <= high);
}

/** About five round values within the domain. */
function roundValues([low, high]) {
  const rough = (high - low) / 5, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find(mantissa => mantissa * power >= rough * 0.99), ticks = [];
  for (let i = Math.ceil(low / step); i * step <= high * (1 + 1e-12); ++i) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

/** Ratios around 1 within the domain. */
function ratios([low, high]) {
  const near = high / low < 30 ? [0.8, 1.25] : [];
  return [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, ...near].filter(value => value >= low && value <= high);
}

// Axes: {title, scale: "log" or "linear", domain, ticks(domain), label(tick)}
const sizeAxis = values => ({ title: "n (elements)", scale: "log", domain: logDomain(values, 1.3), ticks: powersOfTwo, label: tick => "2" + superscript(Math.log2(tick)) });
const logAxis = (title, domain) => ({ title, scale: "log", domain, ticks: decades, label: decimalTick });
const linearAxis = (title, domain) => ({ title, scale: "linear", domain, ticks: roundValues, label: sixDigits });
const ratioAxis = (title, values) => ({ title, scale: "log", domain: logDomain([...values, 0.8, 1.25], 1.1), ticks: ratios, label: sixDigits });

/** The function from values of an axis to pixels from `start` to `end`. Values beyond the domain lie beyond. */
function position(axis, start, end) {
  const at = axis.scale === "log" ? Math.log : value => value;
  const low = at(axis.domain[0]), perUnit = (end - start) / (at(axis.domain[1]) - low);
  return value => start + (at(value) - low) * perUnit;
}

"use strict";
// Numbers and names as a reader sees them.

const dash = "\u2013";
const present = value => value !== null && value !== undefined && value !== "" && !Number.isNaN(value);

function formatter(options) {
  const format = new Intl.NumberFormat("en", options);
  return value => present(value) ? format.format(value).replace("%", "\u00a0%") : dash;
}
const integer = formatter({ maximumFractionDigits: 0 });
const threeDigits = formatter({ minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
const sixDigits = formatter({ maximumSignificantDigits: 6 });
const percent = formatter({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
const signedPercent = formatter({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" });
const text = value => present(value) ? String(value) : dash;

const superscript = exponent =>
  String(exponent).replace(/[-\d]/g, digit => digit === "-" ? "\u207b" : "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[digit]);

/** A size: 2 to a power where it is one, else the number. */
function size(n) {
  const exponent = Math.log2(n);
  return n >= 1024 && Number.isInteger(exponent) ? "2" + superscript(exponent) : integer(n);
}

/** A number of an axis: 0, 0.001 to 5,000 as they are, others as powers of ten. */
function decimalTick(value) {
  if (value === 0 || (value >= 1e-3 && value < 1e4)) return sixDigits(value);
  const exponent = Math.floor(Math.log10(value) + 1e-9), mantissa = Math.round(value / 10 ** exponent);
  return (mantissa === 1 ? "" : mantissa + "\u00d7") + "10" + superscript(exponent);
}

const unique = values => [...new Set(values)];

/** An array of [key, values], in the order in which the keys come first. */
function groupBy(values, key) {
  const groups = new Map();
  for (const value of values) {
    const name = key(value);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(value);
  }
  return [...groups];
}

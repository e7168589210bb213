"use strict";
// What the pages have in common: numbers, elements, axes, figures, tables.
const dash = "\u2013";
const shapes = ["circle", "square", "diamond", "triangle-up", "triangle-down", "cross"];
const glyphs = ["\u25cf", "\u25a0", "\u25c6", "\u25b2", "\u25bc", "\u271a"];
const present = v => v !== null && v !== undefined && v !== "";
const format = options => v => present(v) ? new Intl.NumberFormat("en", options).format(v) : dash;
const integer = format({ maximumFractionDigits: 0 });
const figures = format({ minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
const decimal = format({ maximumSignificantDigits: 6 });
const percent = format({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
const signed = format({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" });
const text = v => present(v) ? String(v) : dash;
const unique = values => [...new Set(values)];
const superscript = k => String(k).replace(/[-\d]/g, c => c === "-" ? "\u207b" : "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[c]);

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes))
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null) node.setAttribute(key, value === true ? "" : value);
  node.append(...children);
  return node;
}
const fill = (id, ...children) => document.getElementById(id).replaceChildren(...children);

function domain(values, pad) {
  const positive = values.filter(v => v > 0);
  return positive.length ? [Math.min(...positive) / pad, Math.max(...positive) * pad] : [0.5, 2];
}
function powersOfTwo([low, high]) {
  const first = Math.ceil(Math.log2(low)), last = Math.floor(Math.log2(high)), step = Math.ceil((last - first + 1) / 7);
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => 2 ** (first + i * step));
}
function decades([low, high]) {
  const mantissas = high / low < 2000 ? [1, 2, 5] : [1], ticks = [];
  for (let k = Math.floor(Math.log10(low)); k <= Math.log10(high); ++k) ticks.push(...mantissas.map(m => Number(`${m}e${k}`)));
  return ticks.filter(v => v >= low && v <= high);
}
vega.expressionFunction("binaryLabel", v => "2" + superscript(Math.round(Math.log2(v))));
vega.expressionFunction("decimalLabel", v => {
  if (v >= 1e-3 && v < 1e5) return decimal(v);
  const exponent = Math.floor(Math.log10(v) + 1e-9), mantissa = Math.round(v / 10 ** exponent);
  return (mantissa === 1 ? "" : mantissa + "\u00d7") + "10" + superscript(exponent);
});

const logAxis = (title, limits, ticks, label) => field =>
  ({ field, type: "quantitative", title, scale: { type: "log", domain: limits, nice: false }, axis: { values: ticks(limits), labelExpr: `${label}(datum.value)` } });
const sizeAxis = rows => logAxis("input size n (elements)", domain(rows.map(r => r.n), 1.5), powersOfTwo, "binaryLabel")("n");
const tip = { expr: "datum.tip" };

const plots = [];
const axisStyle = { labelColor: "var(--soft)", titleColor: "var(--ink)", gridColor: "var(--grid)", domainColor: "var(--rule)", tickColor: "var(--rule)", titleFontWeight: 500, labelFontSize: 12, titleFontSize: 12, labelOverlap: true };
const style = { font: "system-ui, sans-serif", background: "var(--panel)", view: { stroke: "transparent" }, axis: axisStyle };

function saveSvg(plot) {
  const colors = getComputedStyle(document.documentElement);
  plot.view.toSVG().then(svg => {
    const resolved = svg.replace(/var\((--\w+)\)/g, (_, name) => colors.getPropertyValue(name).trim());
    const link = element("a", { href: URL.createObjectURL(new Blob([resolved], { type: "image/svg+xml" })), download: plot.name + ".svg" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}
function toggleKey(plot, key, button) {
  const hide = !plot.hidden.delete(key);
  if (hide) plot.hidden.add(key);
  button.setAttribute("aria-pressed", String(!hide));
  plot.view?.signal("hidden", [...plot.hidden]).run();
}
function keyButton(plot, { key, glyph, color, label }) {
  const mark = element("span", { style: `color: ${color}`, "aria-hidden": "true" }, glyph + " ");
  return element("button", { type: "button", "aria-pressed": "true", title: "Show or hide", onclick: e => toggleKey(plot, key, e.currentTarget) }, mark, label);
}
function figure({ name, title, help, spec, keys, empty }) {
  const plot = { name, hidden: new Set(), spec: { description: title + ". " + help, ...spec }, box: element("div", { class: "plot" }) };
  const save = element("button", { type: "button", class: "screen", "aria-label": `Save plot as SVG: ${title}`, onclick: () => plot.view && saveSvg(plot) }, "SVG");
  const body = empty ? [element("p", { class: "soft" }, empty)] : [element("div", { class: "keys" }, ...keys.map(k => keyButton(plot, k))), plot.box, element("figcaption", {}, help)];
  if (!empty) plots.push(plot);
  return { plot, node: element("figure", {}, element("header", {}, element("h3", {}, title), empty ? "" : save), ...body) };
}
async function draw(plot) {
  const spec = { width: "container", height: 240, params: [{ name: "hidden", value: [...plot.hidden] }], config: style, ...plot.spec };
  plot.view = (await vegaEmbed(plot.box, spec, { actions: false, renderer: "svg" })).view;
}

function compare(a, b) {
  if (!present(a) || !present(b)) return present(b) - present(a);
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
}
function sortTable(table, columns, rows, index) {
  const heads = [...table.tHead.rows[0].cells], { key } = columns[index];
  const sign = heads[index].getAttribute("aria-sort") === "ascending" ? -1 : 1;
  heads.forEach(h => h.removeAttribute("aria-sort"));
  heads[index].setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
  const order = (a, b) => compare(key(a), key(b)) * (present(key(a)) && present(key(b)) ? sign : 1);
  table.tBodies[0].replaceChildren(...[...rows].sort(order).map(r => tableRow(columns, r)));
}
const tableRow = (columns, row) => element("tr", {}, ...columns.map(c => element("td", { class: c.class ?? null }, c.show(row))));
function sortableTable(caption, columns, rows) {
  const head = columns.map((c, i) => element("th", { scope: "col", class: c.class ?? null }, element("button", { type: "button", onclick: () => sortTable(table, columns, rows, i) }, c.title)));
  const table = element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows.map(r => tableRow(columns, r))));
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, table);
}
const column = (title, key, show = text) => ({ title, key: r => r[key], show: r => show(r[key]) });
const number = (...parts) => ({ ...column(...parts), class: "number" });
const wrapped = (...parts) => ({ ...column(...parts), class: "wrap" });

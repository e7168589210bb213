"use strict";
// A plot as the text of an SVG image. It needs no browser: web/plots.mjs writes the same images to files.

// Colours are safe for colour-blind readers (Okabe and Ito, 2008); with each colour goes a shape.
const palette = [
  { color: "var(--c0)", shape: "circle" }, { color: "var(--c1)", shape: "square" }, { color: "var(--c2)", shape: "triangle" },
  { color: "var(--c3)", shape: "diamond" }, { color: "var(--c4)", shape: "plus" }, { color: "var(--c5)", shape: "wedge" },
  { color: "var(--c6)", shape: "bar" }, { color: "var(--c7)", shape: "cross" }];

/** Colour and shape of the series `index` of any number: colours repeat with other shapes. */
function style(index) {
  const shape = palette[(index + Math.floor(index / palette.length)) % palette.length].shape;
  return { color: palette[index % palette.length].color, shape };
}

const pixel = value => String(Math.round(10 * value) / 10);
const polygon = corners => "M" + corners.map(([x, y]) => `${pixel(x)} ${pixel(y)}`).join("L") + "Z";

/** The outline of a mark of about the area of a circle of radius r around (x, y). */
const outlines = {
  circle: (x, y, r) => `M${pixel(x - r)} ${pixel(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
  square: (x, y, r) => `M${pixel(x - 0.9 * r)} ${pixel(y - 0.9 * r)}h${pixel(1.8 * r)}v${pixel(1.8 * r)}h${pixel(-1.8 * r)}Z`,
  triangle: (x, y, r) => polygon([[x, y - 1.3 * r], [x + 1.2 * r, y + 0.9 * r], [x - 1.2 * r, y + 0.9 * r]]),
  wedge: (x, y, r) => polygon([[x, y + 1.3 * r], [x + 1.2 * r, y - 0.9 * r], [x - 1.2 * r, y - 0.9 * r]]),
  diamond: (x, y, r) => polygon([[x, y - 1.4 * r], [x + 1.2 * r, y], [x, y + 1.4 * r], [x - 1.2 * r, y]]),
  plus: (x, y, r) => polygon([[-0.4, -1.3], [0.4, -1.3], [0.4, -0.4], [1.3, -0.4], [1.3, 0.4], [0.4, 0.4], [0.4, 1.3], [-0.4, 1.3], [-0.4, 0.4], [-1.3, 0.4], [-1.3, -0.4], [-0.4, -0.4]]
    .map(([dx, dy]) => [x + dx * r, y + dy * r])),
  bar: (x, y, r) => polygon([[x - 1.4 * r, y - 0.5 * r], [x + 1.4 * r, y - 0.5 * r], [x + 1.4 * r, y + 0.5 * r], [x - 1.4 * r, y + 0.5 * r]]),
  cross: (x, y, r) => polygon([[0, -0.6], [0.8, -1.3], [1.3, -0.8], [0.6, 0], [1.3, 0.8], [0.8, 1.3], [0, 0.6], [-0.8, 1.3], [-1.3, 0.8], [-0.6, 0], [-1.3, -0.8], [-0.8, -1.3]]
    .map(([dx, dy]) => [x + dx * r, y + dy * r])),
};

const escaped = value => String(value).replace(/[&<>"]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const attributes = values => Object.entries(values).filter(([, value]) => present(value)).map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
const tag = (name, values, content = "") => `<${name}${attributes(values)}>${content}</${name}>`;
const label = (x, y, anchor, value, more = {}) => tag("text", { x: pixel(x), y: pixel(y), "text-anchor": anchor, fill: "var(--soft)", ...more }, escaped(value));
const textWidth = value => 7 * String(value).length; // of 12 px system-ui, about

/** Drawings of the kinds of layers; each point is [x, y] or [x, low, high] in units of the axes. */
const drawings = {
  bars: ({ points, color }, x, y) => points.length === 0 ? "" :
    tag("path", { d: points.map(([a, low, high]) => polygon([[x(a - 0.45), y(low)], [x(a + 0.45), y(low)], [x(a + 0.45), y(high)], [x(a - 0.45), y(high)]])).join(""), fill: color }),
  line: ({ points, color, width = 1.5, dash }, x, y) => points.length < 2 ? "" :
    tag("path", { d: "M" + points.map(([a, b]) => `${pixel(x(a))} ${pixel(y(b))}`).join("L"), fill: "none", stroke: color, "stroke-width": width, "stroke-dasharray": dash, "stroke-linejoin": "round" }),
  points: ({ points, color, shape = "circle", radius = 3.5, opacity }, x, y) => points.length === 0 ? "" :
    tag("path", { d: points.map(([a, b]) => outlines[shape](x(a), y(b), radius)).join(""), fill: color, "fill-opacity": opacity }),
  band: ({ points, color, opacity = 0.2 }, x, y) => points.length === 0 ? "" :
    tag("path", { d: polygon([...points.map(([a, , high]) => [x(a), y(high)]), ...points.map(([a, low]) => [x(a), y(low)]).reverse()]), fill: color, "fill-opacity": opacity }),
  spread: ({ points, color, width = 1.5 }, x, y) => points.length === 0 ? "" :
    tag("path", { d: points.map(([a, low, high]) => `M${pixel(x(a))} ${pixel(y(low))}V${pixel(y(high))}m-3 0h6M${pixel(x(a) - 3)} ${pixel(y(low))}h6`).join(""), stroke: color, "stroke-width": width, fill: "none" }),
};

/** A sample of a legend beside its text. */
function legendMark({ color, shape, kind, dash, opacity }, x, y) {
  if (kind === "bars") return tag("rect", { x: x - 6, y: y - 5, width: 12, height: 10, fill: color });
  if (kind === "band") return tag("rect", { x: x - 7, y: y - 5, width: 14, height: 10, fill: color, "fill-opacity": opacity ?? 0.2 });
  if (kind === "line") return tag("path", { d: `M${pixel(x - 8)} ${y}h16`, stroke: color, "stroke-width": 2, "stroke-dasharray": dash });
  return tag("path", { d: outlines[shape ?? "circle"](x, y, 4.2), fill: color });
}

/** The legend in as many lines as the width asks for: {svg, height}. */
function legend(layers, width) {
  const parts = [];
  let x = 4, line = 0;
  for (const layer of layers) {
    const needed = 28 + textWidth(layer.label);
    if (x > 4 && x + needed > width) {
      x = 4;
      ++line;
    }
    parts.push(legendMark(layer, x + 8, 10 + 18 * line), label(x + 20, 14 + 18 * line, "start", layer.label));
    x += needed;
  }
  return { svg: parts.join(""), height: layers.length ? 18 * (line + 1) + 6 : 4 };
}

function axes(plot, frame, x, y) {
  const { left, right, top, bottom } = frame, parts = [];
  const every = Math.ceil(plot.x.ticks(plot.x.domain).length * 46 / (right - left)); // labels of 46 px each fit
  plot.x.ticks(plot.x.domain).forEach((tick, i) => {
    parts.push(tag("path", { d: `M${pixel(x(tick))} ${pixel(top)}V${pixel(bottom)}`, stroke: "var(--grid)" }));
    if (i % every === 0) parts.push(label(x(tick), bottom + 17, "middle", plot.x.label(tick)));
  });
  for (const tick of plot.y.ticks(plot.y.domain)) {
    parts.push(tag("path", { d: `M${pixel(left)} ${pixel(y(tick))}H${pixel(right)}`, stroke: "var(--grid)" }));
    parts.push(label(left - 6, y(tick) + 4, "end", plot.y.label(tick)));
  }
  parts.push(label((left + right) / 2, bottom + 34, "middle", plot.x.title, { fill: "var(--ink)" }));
  parts.push(tag("text", { transform: `translate(12 ${pixel((top + bottom) / 2)}) rotate(-90)`, "text-anchor": "middle", fill: "var(--ink)" }, escaped(plot.y.title)));
  return parts.join("");
}

/**
 * Draws {name, title, description, width, height, x, y, layers}: axes of scale.js, and layers {kind, points, color, ...} of
 * `drawings`. A layer with a label is in the legend, which adds to the height. Returns {svg, place, height}: the image, the
 * pixel [x, y] of a point, and the height with the legend.
 */
function drawPlot(plot) {
  const { width } = plot, shown = legend(plot.layers.filter(layer => layer.label && layer.points.length), width), height = plot.height + shown.height;
  const left = 30 + Math.max(...plot.y.ticks(plot.y.domain).map(tick => textWidth(plot.y.label(tick))), 12);
  const frame = { left, right: width - 10, top: shown.height + 6, bottom: height - 42 };
  const x = position(plot.x, frame.left, frame.right), y = position(plot.y, frame.bottom, frame.top);
  const clip = `clip-${plot.name}`;
  const body = [
    tag("title", {}, escaped(plot.title)), tag("desc", {}, escaped(plot.description ?? "")),
    tag("rect", { width, height, fill: "var(--panel)" }),
    tag("clipPath", { id: clip }, tag("rect", { x: frame.left, y: frame.top, width: frame.right - frame.left, height: frame.bottom - frame.top })),
    shown.svg, axes(plot, frame, x, y),
    tag("g", { "clip-path": `url(#${clip})` }, plot.layers.map(layer => drawings[layer.kind](layer, x, y)).join("")),
    ...(plot.notes ?? []).map(note => label(x(note.x), y(note.y) + 4, "middle", note.text, { fill: "var(--ink)", class: "note" }))];
  const svg = tag("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "font-family": "system-ui, sans-serif", "font-size": 12 }, body.join(""));
  return { svg, place: ([a, b]) => [x(a), y(b)], height };
}

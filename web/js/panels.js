"use strict";
// The plots of an experiment: panels of series that a program names, see validation/report/plot_data.hpp.

/** The points [x, low, high] of series that stand on each other, in their order, and the top of each x. */
function stacked(series) {
  const tops = new Map(), bars = series.map(({ points }) => points.map(([at, value]) => {
    const low = tops.get(at) ?? 0;
    tops.set(at, low + value);
    return [at, low, low + value];
  }));
  return { bars, tops };
}

/** A panel of bars. */
function barsPlot({ x, y, series }) {
  const { bars, tops } = stacked(series), layers = series.map(({ color, label }, i) => ({ kind: "bars", label, color: style(color).color, points: bars[i].filter(([, low, high]) => high > low) }));
  const places = [...tops.keys()], wholes = { ...linearAxis(x, [Math.min(...places) - 0.6, Math.max(...places) + 0.6]), ticks: domain => roundValues(domain).filter(Number.isInteger), label: integer };
  return { x: wholes, y: { ...linearAxis(y, [0, 1.05 * Math.max(...tops.values(), 1e-9)]), label: decimalTick }, layers };
}

/** A panel {title, x, y, series} as a plot for drawPlot. A series has points [x, y, low, high] (low and high may be absent) and a line. */
function panelPlot(panel) {
  if (panel.bars) return barsPlot(panel);
  const styled = panel.series.map(series => {
    const { color, shape } = style(series.color);
    return { ...series, color, shape: series.shape || shape };
  });
  const all = styled.flatMap(series => [...series.points, ...series.line]);
  const layers = styled.flatMap(({ label, color, shape, dash, points, line }) => [
    { kind: "band", color, points: line.filter(([, , low]) => low > 0).map(([x, , low, high]) => [x, low, high]) },
    { kind: "line", color, dash: dash ? "4 3" : null, points: line, label: points.length ? "" : label },
    { kind: "spread", color, width: 1, points: points.filter(([, , low]) => low > 0).map(([x, , low, high]) => [x, low, high]) },
    { kind: "points", color, shape, radius: 3, points, label }]);
  const diagonal = panel.diagonal ? [{ kind: "line", color: "var(--bound)", width: 1, points: logDomain(all.flatMap(([x, y]) => [x, y])).map(v => [v, v]) }] : [];
  const x = all.map(([x]) => x), isSize = panel.x.endsWith("(elements)");
  const y = all.flatMap(([, y, low, high]) => [y, low, high]).filter(value => value > 0);
  return { x: isSize ? { ...sizeAxis(x), title: panel.x } : logAxis(panel.x, logDomain(x, 1.2)), y: panel.linear ? linearAxis(panel.y, [0, 1.05 * Math.max(...y, 1e-9)]) : logAxis(panel.y, logDomain(y, 1.3)), layers: [...diagonal, ...layers] };
}

/** The panels of a plot {name, title, panels} as figures; a linear axis of theirs can be made logarithmic, and back. */
function panelFigures(plot) {
  const { name, title, panels } = plot, linear = panels.some(panel => panel.linear), switches = plot.switches ?? linear;
  const shown = panels.map((panel, i) => {
    const kind = panel.bars ? "" : "measured", value = panel.bars ? integer : threeDigits;
    const tops = panel.bars ? stacked(panel.series).bars.flat().map(([x, , top]) => [x, top]) : [];
    const rows = panel.series.flatMap(series => [
      ...series.points.map(([x, y, low, high]) => ({ series: series.label, kind, x, y, low, high })),
      ...series.line.map(([x, y]) => ({ series: series.label, kind: "predicted", x, y }))]);
    return figure({
      name: `${name}-${i + 1}`, title: panel.title || title, help: "", plot: panelPlot(panel), points: rows.map((row, i) => ({ at: tops[i] ?? [row.x, row.y], row })).filter(({ row }) => row.y > 0),
      tip: row => [row.series, [panel.x, value(row.x)], [panel.y, `${value(row.y)} ${row.kind}`]],
      csv: { columns: [["series", row => row.series], ["kind", row => row.kind], [panel.x, row => row.x], [panel.y, row => row.y], ["low", row => row.low], ["high", row => row.high]], rows } });
  });
  const other = () => panelFigures({ ...plot, switches, panels: panels.map(panel => ({ ...panel, linear: !linear })) });
  const toggle = () => element("button", { type: "button", class: "screen", onclick: () => whole.replaceWith(other()) }, linear ? "logarithmic axis" : "linear axis");
  const whole = section(`plot-${name}`, title, ...(switches ? [toggle()] : []), element("div", { class: "plots" }, ...shown));
  return whole;
}

/** All panels of a plot side by side as one image, `columns` in a row. */
function panelImage({ name, title, panels, columns }) {
  const width = 400, drawn = panels.map((panel, i) => drawPlot({ ...panelPlot(panel), name: `${name}-${i}`, title: panel.title, width, height: 260 }));
  const parts = [];
  let top = 0;
  for (let first = 0; first < drawn.length; first += columns) {
    const row = drawn.slice(first, first + columns);
    row.forEach(({ svg }, i) => parts.push(
      label(i * width + width / 2, top + 16, "middle", panels[first + i].title, { fill: "var(--ink)", "font-weight": 600 }),
      tag("g", { transform: `translate(${i * width} ${top + 24})` }, svg)));
    top += 32 + Math.max(...row.map(({ height }) => height));
  }
  const size = { width: width * Math.min(columns, drawn.length), height: top };
  return tag("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${size.width} ${size.height}`, ...size, "font-family": "system-ui, sans-serif", "font-size": 12 },
    tag("title", {}, escaped(title)) + tag("rect", { ...size, fill: "var(--panel)" }) + parts.join(""));
}

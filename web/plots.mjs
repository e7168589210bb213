// Draws the plots of an experiment, or the times of an analysis, as SVG files, without a browser:
//   agpusim experiment integer-sorts --json > e.json && node web/plots.mjs e.json docs/experiments
//   agpusim analyze --json > e.json && node web/plots.mjs e.json docs
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInThisContext } from "node:vm";

const read = name => readFileSync(new URL(name, import.meta.url), "utf8");
const script = ["format", "scale", "plot", "panels"].map(name => read(`js/${name}.js`)).join("");
const panelImage = runInThisContext(`${script};panelImage`);
// The first rule of the style sheet has the colours of the light page.
const colors = new Map([...read("page.css").split("}")[0].matchAll(/(--\w+): ([^;]+);/g)].map(([, name, value]) => [name, value]));

/** Predicted against measured times of an analysis, and their ratio against n: a mark for each run. */
function timesPlot({ device, algorithms, summary }) {
  const rows = algorithms.flatMap(group => group.rows), limits = [...new Set(rows.map(row => row.limit))].sort();
  const percent = value => `${(100 * value).toFixed(1)} %`;
  const series = at => limits.map((label, color) => ({ label, color, line: [], points: rows.filter(row => row.limit === label).map(at) }));
  return { name: "times", title: `Predicted and measured times on ${device.name}`, columns: 2, panels: [
    { title: `${rows.length.toLocaleString("en")} runs on ${device.name}: median error ${percent(summary.median)}`, x: "measured (ms)", y: "predicted (ms)", diagonal: true, series: series(row => [row.measured_ms, row.predicted_ms]) },
    { title: `90 % of the runs are at most ${percent(summary.error_p90)} off`, x: "n (elements)", y: "predicted / measured", series: series(row => [row.n, row.predicted_ms / row.measured_ms]) }] };
}

const [input, folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: node plots.mjs EXPERIMENT.json FOLDER");
const report = JSON.parse(readFileSync(input, "utf8"));
const { experiment, plots } = report.summary ? { experiment: "analysis", plots: [timesPlot(report)] } : report;
for (const plot of plots) {
  const file = join(folder, `${experiment}-${plot.name}.svg`);
  writeFileSync(file, panelImage(plot).replace(/var\((--\w+)\)/g, (_, name) => colors.get(name)) + "\n");
  console.log(file);
}

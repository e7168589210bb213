// Draws the plots of an experiment as SVG files, without a browser:
//   agpusim experiment kozakai --json > kozakai.json && node web/plots.mjs kozakai.json docs/experiments
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInThisContext } from "node:vm";

// The browser builds define the globals vega and vegaLite.
for (const name of ["vega", "vega-lite"]) {
  const file = new URL(`vendor/${name}.min.js`, import.meta.url);
  runInThisContext(readFileSync(file, "utf8"), { filename: file.pathname });
}
const { vega, vegaLite } = globalThis;

const [input, folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: node plots.mjs EXPERIMENT.json FOLDER");
const { experiment, plots } = JSON.parse(readFileSync(input, "utf8"));
for (const { name, spec } of plots) {
  const view = new vega.View(vega.parse(vegaLite.compile(spec).spec), { renderer: "none" });
  const file = join(folder, `${experiment}-${name}.svg`);
  // A hundredth of a pixel is enough, and halves the file.
  const svg = (await view.toSVG()).replace(/\d+\.\d{3,}/g, number => String(Math.round(100 * number) / 100));
  writeFileSync(file, svg);
  console.log(file);
}

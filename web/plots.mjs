// Draws the plots of an experiment as SVG files, without a browser:
//   agpusim experiment integer-sorts --json > e.json && node web/plots.mjs e.json docs/experiments
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInThisContext } from "node:vm";

const read = name => readFileSync(new URL(name, import.meta.url), "utf8");
const script = ["format", "scale", "plot", "panels"].map(name => read(`js/${name}.js`)).join("");
const panelImage = runInThisContext(`${script};panelImage`);
// The first rule of the style sheet has the colours of the light page.
const colors = new Map([...read("page.css").split("}")[0].matchAll(/(--\w+): ([^;]+);/g)].map(([, name, value]) => [name, value]));

const [input, folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: node plots.mjs EXPERIMENT.json FOLDER");
const { experiment, plots } = JSON.parse(readFileSync(input, "utf8"));
for (const plot of plots) {
  const file = join(folder, `${experiment}-${plot.name}.svg`);
  writeFileSync(file, panelImage(plot).replace(/var\((--\w+)\)/g, (_, name) => colors.get(name)) + "\n");
  console.log(file);
}

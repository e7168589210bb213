// page_data.mjs AGPUSIM: the page of analyze holds what --json prints and shows the limits that text and JSON name.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInThisContext } from "node:vm";

const agpusim = process.argv[2], folder = mkdtempSync(join(tmpdir(), "page_data-"));
const run = (...words) => execFileSync(agpusim, words, { env: { ...process.env, COLUMNS: "300" }, encoding: "utf8", maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "ignore"] });
const script = ["js/format", "js/stats", "analysis/data"].map(name => readFileSync(new URL(`../web/${name}.js`, import.meta.url), "utf8"));
const { rowsOf, partsOf, countersOf, forms, rowCsv } = runInThisContext(`${script.join("")};({ rowsOf, partsOf, countersOf, forms, rowCsv })`);

/** The last column of the scores of `analyze`, by algorithm and variant as the page names them. */
function limitsOfText(text) {
  const lines = text.split("\n"), first = lines.findIndex(line => line.startsWith("algorithm ")) + 1;
  const table = lines.slice(first, lines.findIndex(line => line.startsWith("limited by:")));
  return Object.fromEntries(table.map(line => line.split(/ {2,}/)).map(cells => [cells[0].replace(/ \((.*)\)/, ":$1"), cells.at(-1)]));
}

try {
  const page = join(folder, "page.html"), json = JSON.parse(run("analyze", "--json", "--html", page));
  const data = JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(readFileSync(page, "utf8"))[1]), rows = rowsOf(data);
  assert.deepEqual(data, json, "the page does not hold what --json prints");
  const onPage = Object.fromEntries(forms(rows, countersOf(data), data.scores).filter(form => form.rows).map(form => [form.name, form.limit]));
  const inJson = Object.fromEntries(json.scores.map(score => [[score.algorithm, score.variant].filter(Boolean).join(":"), score.limited_by]));
  assert(json.scores.length > 1);
  assert.deepEqual(limitsOfText(run("analyze", "--no-html", "--algorithms")), inJson, "limited by: text and JSON");
  assert.deepEqual(onPage, inJson, "limited by: page and JSON");
  const saved = rowCsv(rows, partsOf(rows)).map(([name]) => name);
  assert.deepEqual(Object.keys(json.algorithms[0].rows[0]).filter(key => !saved.includes(key)), ["parts_ms"], "columns that the page does not save");
  console.log(`page data: ${rows.length} rows of ${json.scores.length} algorithms and variants`);
} finally {
  rmSync(folder, { recursive: true });
}

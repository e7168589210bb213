// Fills report.html with synthetic data: node web/test_report.mjs OUTPUT.html
import { readFileSync, writeFileSync } from "node:fs";

const output = process.argv[2];
if (!output) throw new Error("usage: node test_report.mjs OUTPUT.html");
const read = name => readFileSync(new URL(name, import.meta.url), "utf8");

function row(n, input, factor, measured) {
  const Q = Math.ceil(n / 32) * factor, Q_lower = 2 * Math.ceil(n / 32);
  const predicted_ms = 0.0026 + Q * (input === "sorted" ? 1.4e-8 : 3e-8), error = 0.25 * Math.sin(n % 97 + factor);
  const measured_ms = measured ? predicted_ms / (1 + error) : null;
  const simulated = n <= 1 << 20;
  return { n, input, phases: 2, T: Math.ceil(n / 528) * factor, Q, Q_lower, counts: simulated ? "simulated" : "derived",
    differences: simulated && input === "sorted" && n === 4096 ? ["T"] : [], optimality_ratio: Q / Q_lower, predicted_ms,
    measured_ms, measured_low_ms: measured ? measured_ms * 0.93 : null, measured_high_ms: measured ? measured_ms * 1.06 : null,
    samples: measured ? 40 : null, error: measured ? error : null, limit: n < 1 << 16 ? "launch" : "bandwidth" };
}

function algorithm(name, index) {
  const inputs = index % 3 ? ["uniform"] : ["uniform", "sorted"];
  const sizes = Array.from({ length: 9 }, (_, i) => 2 ** (10 + 2 * i));
  return { name, variant: index % 4 ? "" : "padded", type: "u32", machine: `AGPU(p=16896, b=32, M=14528, w=32), V=${32 << index % 3}`,
    summary: `Synthetic rows for ${name}.`, limiting: "Memory bandwidth from n = 65,536 on; below that the launch overhead.",
    bound_time: "O((n/p) log\u00b2 n)", bound_io: "O((n/b) log\u00b2 n)",
    rows: inputs.flatMap(input => sizes.map(n => row(n, input, 2 + index, name !== "unmeasured"))) };
}

const names = ["reduce", "scan", "rank_sort", "bitonic_sort", "heap_merge", "histogram", "transpose", "matmul", "list_rank", "compact", "sample_sort", "unmeasured"];
const data = { agpusim: "0.1.0", generated: "2026-11-20T10:00:00Z", device: { name: "NVIDIA H200", file: "h200.json" },
  constants: [{ name: "launch", value: 2.6, unit: "us", source: "empty kernel, median of 1000", date: "2026-11-20" },
    { name: "bandwidth", value: 4.1e3, unit: "GB/s", source: "copy of 4 GiB </script>", date: null }],
  algorithms: names.map(algorithm),
  counters: { launches: 100, equal: 98, differences: [
    { algorithm: "reduce", n: 4096, launch: 3, kernel: "tile_sum", metric: "l1tex__t_set_accesses", simulated: 128, measured: 130, reason: "the argument block is read twice" },
    { algorithm: "scan", n: 1024, launch: 1, kernel: "tile_scan", metric: "shared wavefronts", simulated: 64, measured: null, reason: null }] },
  summary: { rows: 130, pearson: 0.9913, spearman: 0.987, mape: 0.12, median: 0.08, worst: { algorithm: "reduce", n: 1024, error: 0.5 } } };

const parts = { "/*AGPUSIM_STYLE*/": read("page.css"), "/*AGPUSIM_PAGE*/": read("page.js"), "/*AGPUSIM_VEGA*/": read("vendor/vega.min.js"), "/*AGPUSIM_VEGA_LITE*/": read("vendor/vega-lite.min.js"),
  "/*AGPUSIM_VEGA_EMBED*/": read("vendor/vega-embed.min.js"), "/*AGPUSIM_DATA*/null": JSON.stringify(data).replaceAll("</", "<\\/") };
let page = read("report.html");
for (const [placeholder, replacement] of Object.entries(parts)) {
  if (page.split(placeholder).length !== 2) throw new Error(`${placeholder} must occur exactly once`);
  page = page.replace(placeholder, () => replacement);
}
writeFileSync(output, page);

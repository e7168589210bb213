#include <string_view>

#include <fmt/format.h>

#include "agpusim/validation/atomic_file.hpp"
#include "agpusim/validation/experiment/detail/experiment_json.hpp"
#include "agpusim/validation/experiment/writers.hpp"

#include "embed/vega_embed_js.hpp"
#include "embed/vega_js.hpp"
#include "embed/vega_lite_js.hpp"

namespace agpusim {
namespace {

constexpr std::string_view head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>agpusim: Kozakai 2022 repeated</title>
<style>
body { margin: 0 auto; padding: 16px; max-width: 1280px; color: #1c2024; font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 24px; margin: 0; }
h2 { font-size: 18px; margin: 24px 0 4px; }
p { max-width: 85ch; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 8px; text-align: left; border-bottom: 1px solid #d9dde2; vertical-align: top; }
.holds { color: #15703a; }
.fails { color: #b3261e; }
.number { text-align: right; white-space: nowrap; }
</style>
</head>
<body>
<header><h1>Kozakai 2022 (seed 000) repeated</h1><p id="subtitle"></p></header>
<main>
<p id="scores"></p>
<h2>What the paper says, and what became of it</h2>
<div class="scroll" id="findings"></div>
<div id="plots"></div>
<h2>Every time (ms)</h2>
<div class="scroll" id="cells"></div>
</main>
<noscript><p>The tables and plots of this page need JavaScript; no network is used.</p></noscript>
)";

constexpr std::string_view tail = R"(
<script>
"use strict";
const element = (tag, attributes = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), attributes);
  node.append(...children);
  return node;
};
const table = (header, rows) => element("table", {}, element("thead", {}, element("tr", {}, ...header.map(text => element("th", { scope: "col" }, text)))),
  element("tbody", {}, ...rows.map(cells => element("tr", {}, ...cells))));
const cell = (text, className = "") => element("td", { className }, text);
const ms = value => cell(value === null ? "\u2013" : value.toPrecision(4), "number");
const mark = verdict => verdict === "holds" ? "holds" : verdict === "does not hold" ? "fails" : "";

document.getElementById("subtitle").append(`${data.environment.device}, driver ${data.environment.driver}, CUDA ${data.environment.cuda}, CCCL ${data.environment.cccl}; ` +
  `${data.cells.length} inputs, ${data.unmeasured} runs not measured. Points: measured, with the 5 % and 95 % quantiles. Solid lines: predicted from counts. Dashed lines: CUB, calibrated apart, not counted.`);
document.getElementById("scores").append(...data.scores.filter(score => score.cells).map(score => element("span", {},
  `Against ${score.peer} the predicted winner is the measured one for ${score.right} of ${score.cells} inputs, or within 5 % of it for ${score.near}; whether ${score.peer} wins is predicted for ${score.side}. `)));
document.getElementById("findings").append(table(["section", "the paper says", "times of", "", "places", "numbers"], data.findings.flatMap(finding =>
  finding.judgements.map((judgement, i) => [cell(i ? "" : finding.section), cell(i ? "" : finding.statement), cell(judgement.times), cell(judgement.verdict, mark(judgement.verdict)),
    cell(`${judgement.held} of ${judgement.checked}`, "number"), cell(judgement.numbers)]))));
for (const plot of plots) {
  const place = element("div", { className: "scroll" });
  document.getElementById("plots").append(element("h2", {}, plot.title), place);
  vegaEmbed(place, plot.spec, { renderer: "svg", actions: false });
}
document.getElementById("cells").append(table(["keys", "panel", "n", "team", "sort", "variant", "measured", "predicted", "limit"], data.cells.flatMap(row =>
  row.entries.map((entry, i) => [cell(i ? "" : row.family), cell(i ? "" : row.panel), cell(i ? "" : row.n.toLocaleString("en"), "number"), cell(entry.team), cell(entry.sort), cell(entry.variant),
    ms(entry.measured_ms), ms(entry.predicted_ms), cell(entry.limit ?? "")]))));
</script>
</body>
</html>
)";

/// JSON that may stand in a script element, where "</script" or "<!--" in a text would end it.
std::string script_json(const detail::Json& json) {
  std::string result;
  for (const char c : json.dump()) result += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return result;
}

std::string script(std::string_view text) { return fmt::format("<script>{}</script>\n", text); }

}  // namespace

std::string to_html(const Experiment& experiment) {
  std::string page(head);
  page += script(embed::vega_js());
  page += script(embed::vega_lite_js());
  page += script(embed::vega_embed_js());
  page +=
      script(fmt::format("const data = {}, plots = {};", script_json(detail::encode(experiment)),
                         script_json(detail::plots(experiment))));
  return page.append(tail);
}

void write_html(const Experiment& experiment, const std::filesystem::path& path) {
  write_file(path, to_html(experiment));
}

}  // namespace agpusim

#include "agpusim/validation/experiments/integer_sorts/detail/experiment_json.hpp"
#include "agpusim/validation/experiments/integer_sorts/detail/page.hpp"
#include "agpusim/validation/experiments/integer_sorts/writers.hpp"
#include "agpusim/validation/report/atomic_file.hpp"

namespace agpusim {
namespace {

constexpr const char* body = R"(<p id="scores"></p>
<h2>What the paper says, and what became of it</h2>
<div class="scroll" id="findings"></div>
<div id="plots"></div>
<h2>Every time (ms)</h2>
<div class="scroll" id="cells"></div>
)";

constexpr const char* script = R"(
const mark = verdict => verdict === "holds" ? "holds" : verdict === "does not hold" ? "fails" : "";

document.getElementById("subtitle").append(`${data.environment.device}, driver ${data.environment.driver}, CUDA ${data.environment.cuda}, CCCL ${data.environment.cccl}; ` +
  `${data.cells.length} inputs, ${data.unmeasured} runs not measured. Points: measured, with the 5 % and 95 % quantiles. Solid lines: predicted from counts. Dashed lines: CUB, calibrated apart, not counted.`);
document.getElementById("scores").append(...data.scores.filter(score => score.cells).map(score => element("span", {},
  `Against ${score.peer} the predicted winner is the measured one for ${score.right} of ${score.cells} inputs, or within 5 % of it for ${score.near}; whether ${score.peer} wins is predicted for ${score.side}. `)));
document.getElementById("findings").append(table(["section", "the paper says", "times of", "", "places", "numbers"], data.findings.flatMap(finding =>
  finding.judgements.map((judgement, i) => [cell(i ? "" : finding.section), cell(i ? "" : finding.statement), cell(judgement.times), cell(judgement.verdict, mark(judgement.verdict)),
    cell(`${judgement.held} of ${judgement.checked}`, "number"), cell(judgement.numbers)]))));
draw(plots, document.getElementById("plots"));
document.getElementById("cells").append(table(["keys", "panel", "n", "team", "sort", "variant", "measured", "predicted", "limit"], data.cells.flatMap(row =>
  row.entries.map((entry, i) => [cell(i ? "" : row.family), cell(i ? "" : row.panel), cell(i ? "" : row.n.toLocaleString("en"), "number"), cell(entry.team), cell(entry.sort), cell(entry.variant),
    figure(entry.measured_ms), figure(entry.predicted_ms), cell(entry.limit ?? "")]))));
)";

}  // namespace

std::string to_html(const Experiment& experiment) {
  return detail::to_html({"agpusim: Kozakai 2022 repeated", "Kozakai 2022 (seed 000) repeated",
                          body, script, detail::encode(experiment), detail::plots(experiment)});
}

void write_html(const Experiment& experiment, const std::filesystem::path& path) {
  write_file(path, to_html(experiment));
}

}  // namespace agpusim

#include "agpusim/validation/experiments/integer_sorts/detail/page.hpp"
#include "agpusim/validation/experiments/statistics/detail/nishimura_json.hpp"
#include "agpusim/validation/experiments/statistics/writers.hpp"
#include "agpusim/validation/report/atomic_file.hpp"

namespace agpusim::nishimura {
namespace {

constexpr const char* body = R"(<div id="plots"></div>
<h2>The paper's times (us)</h2>
<div class="scroll" id="account"></div>
<h2>The constants</h2>
<div class="scroll" id="constants"></div>
<h2>The programs on a GPU of today (us)</h2>
<p id="device"></p>
<div class="scroll" id="panels"></div>
<h2>The variance of normal numbers as their mean grows</h2>
<p id="numbers"></p>
<div class="scroll" id="accuracy"></div>
)";

constexpr const char* script = R"js(
const percent = value => cell(value === null ? "\u2013" : `${(100 * value).toFixed(1)} %`, "number");
const whole = value => cell(value.toLocaleString("en"), "number");
const place = id => document.getElementById(id);

place("subtitle").append(`${data.account.source}. Every time is predicted with constants that were fitted to the other problem of the same card.`);
draw(plots, place("plots"));
const laws = account => [["Tm", account.tournament_lg], ["Ts by N", account.single_by_n]].concat(account.single ? [["Ts by T", account.single]] : []);
place("account").append(table(["card", "", "problem", "N", "launches", "T", "bytes", "measured", "predicted", "error"], data.account.cards.flatMap(account =>
  laws(account).flatMap(([name, fit]) => fit.rows.map(row => [cell(account.card), cell(name), cell(row.problem), whole(row.n), whole(row.launches), whole(row.time), whole(row.bytes),
    figure(row.measured_us), figure(row.predicted_us), percent(row.error)])))));
const fits = (account, rounds, fit) => [...fit.fits, fit.both].map(half => [cell(account.card), cell(rounds), cell(half.trained_on), figure(half.launch_us || null), figure(1e3 * half.time_unit_us || null),
  figure(half.byte_us ? 1e-3 / half.byte_us : null), figure(account.bandwidth_peak), percent(half.training_mape), half.trained_on === "both" ? cell("") : percent(fit.mape)]);
place("constants").append(table(["card", "rounds", "fitted to", "us/launch", "ns/T", "GB/s", "peak GB/s", "its own error", "mean error of all predictions"], data.account.cards.flatMap(account =>
  [...fits(account, "ceil(log2 N)", account.tournament_lg), ...fits(account, "floor(ln N)", account.tournament_ln)])));
const comparison = data.comparison;
if (comparison) {
  place("device").append(`${comparison.environment.device}, driver ${comparison.environment.driver}, CUDA ${comparison.environment.cuda}, CCCL ${comparison.environment.cccl}; ${comparison.unmeasured} runs not measured. ` +
    "Floor: the elements, moved once, at the fastest rate that was measured.");
  place("panels").append(table(["panel", "n", "program", "median", "5 %", "95 %", "floor", "of floor", "/ CUB", "predicted", "limit"], comparison.panels.flatMap(panel => panel.rows.flatMap(row =>
    row.entries.map((entry, i) => [cell(i ? "" : panel.title), cell(i ? "" : row.n.toLocaleString("en"), "number"), cell(entry.program), figure(entry.measured_us), figure(entry.measured_low_us ?? null),
      figure(entry.measured_high_us ?? null), figure(row.floor_us), percent(entry.floor_share), figure(entry.over_library), figure(entry.predicted_us), cell(entry.limit)])))));
} else {
  place("device").append(data.why_no_comparison);
}
place("numbers").append(`${data.accuracy_n.toLocaleString("en")} numbers`);
place("accuracy").append(data.accuracy.length ? table(["type", "variant", "mean / sigma", "exact", "computed", "relative error", ""], data.accuracy.map(row =>
  [cell(row.type), cell(row.variant), whole(row.mean_over_sigma), figure(row.exact), figure(row.variance), cell(row.relative_error === null ? "NaN" : row.relative_error.toExponential(1), "number"),
    cell(row.variance < 0 ? "negative" : "", "fails")])) : "not computed");
)js";

}  // namespace

std::string to_html(const Experiment& experiment) {
  return agpusim::detail::to_html({"agpusim: Nishimura and Toyonaga repeated",
                                   "Nishimura and Toyonaga (seed 003) repeated", body, script,
                                   detail::encode(experiment), detail::plots(experiment)});
}

void write_html(const Experiment& experiment, const std::filesystem::path& path) {
  write_file(path, to_html(experiment));
}

}  // namespace agpusim::nishimura

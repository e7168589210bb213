#include "agpusim/validation/experiments/integer_sorts/detail/page.hpp"
#include "agpusim/validation/experiments/out_of_core/detail/experiment_json.hpp"
#include "agpusim/validation/experiments/out_of_core/experiment.hpp"
#include "agpusim/validation/report/atomic_file.hpp"

namespace agpusim::out_of_core {
namespace {

using agpusim::detail::Json;

constexpr const char* body = R"(<div id="plots"></div>
<h2>The runs</h2>
<p id="device"></p>
<div class="scroll" id="runs"></div>
<h2>Foretold and measured timelines</h2>
<div id="timelines"></div>
<h2>The paper's machine</h2>
<p>Speed-up over one thread of its host, as printed and by the transfer model.</p>
<div class="scroll" id="seed"></div>
)";

constexpr const char* script = R"js(
const percent = value => cell(value === null ? "\u2013" : `${(100 * value).toFixed(1)} %`, "number");
const whole = value => cell(value ? value.toLocaleString("en") : "\u2013", "number");
const place = id => document.getElementById(id);
const giga = 1e9;

place("subtitle").append("Tasks of seed 004 on arrays larger than the memory that the device may use, beside the makespans that the transfer model foretells.");
draw(plots, place("plots"));
const scheme = run => run.scheme + (run.memory === "pageable" ? ", pageable" : "");
place("device").append(`${data.environment.device}, ${data.host_cores} host cores; link ${(data.link.in / giga).toFixed(1)} GB/s in, ${(data.link.out / giga).toFixed(1)} out, ${(data.link.both / giga).toFixed(1)} both. ` +
  `Floor: the bytes of the task over these. Mean error of the prediction ${(100 * data.mean_error).toFixed(1)} %, median ${(100 * data.median_error).toFixed(1)} %; ${data.within_tenth} of ${data.on_device} runs within 10 %.`);
place("runs").append(table(["task", "scheme", "n", "budget (GB)", "chunk", "ms", "Gelements/s", "of floor", "predicted (ms)", "error", "x one core", "x all cores"], data.rows.map(row =>
  [cell(row.task), cell(scheme(row)), whole(row.n), whole(row.budget / giga), whole(row.chunk), figure(1e3 * row.seconds), figure(row.n / row.seconds / giga),
    percent(row.budget ? row.floor / row.seconds : null), figure(row.predicted === null ? null : 1e3 * row.predicted), percent(row.error),
    figure(row.host_one === null ? null : row.host_one / row.seconds), figure(row.host_all === null ? null : row.host_all / row.seconds)])));
const chart = (title, svg) => { const box = element("div", {class: "scroll"}); box.innerHTML = svg; return element("div", {}, element("p", {}, title), box); };
for (const timeline of data.timelines) {
  place("timelines").append(element("h3", {}, `${timeline.task} (${scheme(timeline)}), n = ${timeline.n.toLocaleString("en")}`),
    chart(`foretold: ${(1e3 * timeline.predicted).toFixed(2)} ms`, timeline.predicted_svg), chart(`measured: ${(1e3 * timeline.measured).toFixed(2)} ms`, timeline.measured_svg));
}
place("seed").append(table(["task", "n", "printed", "by bandwidth", "with chunks", "by reading", ""], data.seed.map(row =>
  [cell(row.task), cell(row.n), cell(row.printed.join("\u2013"), "number")].concat(row.prediction
    ? [figure(row.prediction.bound), figure(row.prediction.scheduled), figure(row.prediction.by_read)] : [cell("\u2013"), cell("\u2013"), cell("\u2013")], [cell(row.remark)]))));
)js";

/// Measured over foretold time, a point per run.
Json plots(const MiuraExperiment& experiment) {
  Json values = Json::array();
  for (const ExperimentRow& row : experiment.rows) {
    if (!row.predicted) continue;
    values.push_back({{"task", row.run.task},
                      {"scheme", row.run.scheme_text()},
                      {"predicted", *row.predicted * 1e3},
                      {"measured", row.seconds * 1e3}});
  }
  Json panel = {{"data", {{"values", std::move(values)}}},
                {"mark", {{"type", "point"}, {"filled", true}, {"tooltip", true}}},
                {"encoding",
                 {{"x", agpusim::detail::log_axis("predicted", "predicted (ms)", "~g")},
                  {"y", agpusim::detail::log_axis("measured", "measured (ms)", "~g")},
                  {"color", {{"field", "task"}, {"type", "nominal"}}},
                  {"shape", {{"field", "scheme"}, {"type", "nominal"}}}}}};
  return Json::array({agpusim::detail::plot("makespan", "Measured over foretold makespan", 1,
                                            Json::array({std::move(panel)}))});
}

}  // namespace

std::string to_html(const MiuraExperiment& experiment) {
  return agpusim::detail::to_html({"agpusim: Miura, Chang and Miyazaki repeated",
                                   "Miura, Chang and Miyazaki (seed 004) repeated", body, script,
                                   detail::encode(experiment), plots(experiment)});
}

void write_html(const MiuraExperiment& experiment, const std::string& path) {
  write_file(path, to_html(experiment));
}

}  // namespace agpusim::out_of_core

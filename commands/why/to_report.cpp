#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "agpusim/commands/why/explain.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/predict/interval.hpp"

namespace agpusim::why {
namespace {

using report::Column;
using report::Fact;
using report::Format;
using report::Value;

report::Table resources(const Explanation& explanation) {
  std::vector<Column<Resource>> columns = {
      {{"resource", "resource", Format::text}, [](const Resource& r) { return Value(r.name); }},
      {{"part_ms", "part, ms", Format::decimal},
       [](const Resource& r) { return Value(r.part_ms); }},
      {{"share", "of the time", Format::percent, true},
       [total = explanation.row.predicted->milliseconds](const Resource& r) {
         return Value(r.part_ms / total);
       }},
      {{"alone_ms", "alone, ms", Format::decimal},
       [](const Resource& r) { return Value(r.alone_ms); }},
      {{"without_ms", "all without it, ms", Format::decimal},
       [](const Resource& r) { return Value(r.without_ms); }},
      {{.key = "limit_then", .title = "then limited by", .rank = 1},
       [](const Resource& r) { return Value(r.limit_then); }}};
  if (explanation.row.measured) {
    columns.push_back({{.key = "needed_factor",
                        .title = "explains the measured time if times",
                        .format = Format::decimal,
                        .rank = 2},
                       [](const Resource& r) { return report::value_or_null(r.needed); }});
  }
  columns.push_back({{"counts", "what to lower", Format::text},
                     [](const Resource& r) { return Value(r.counts); }});
  report::Table table = report::table("resources", columns, explanation.resources);
  table.csv = true;
  return table;
}

report::Table kernels(const Explanation& explanation) {
  const std::vector<Column<Kernel>> columns = {
      {{"kernel", "kernel", Format::text}, [](const Kernel& k) { return Value(k.name); }},
      {{"launches", "launches", Format::integer},
       [](const Kernel& k) { return Value(k.launches); }},
      {{"most_tasks", "most tasks", Format::integer},
       [](const Kernel& k) { return Value(k.tasks); }},
      {{"resident_tasks", "at once on an MP", Format::decimal},
       [](const Kernel& k) { return Value(k.resident); }},
      {{"ms", "ms", Format::decimal, true}, [](const Kernel& k) { return Value(k.ms); }},
      {{"limit", "limited by", Format::text}, [](const Kernel& k) { return Value(k.limit); }}};
  return report::table("kernels", columns, explanation.kernels);
}

report::Table lines(const Explanation& explanation) {
  const std::vector<Column<Line>> columns = {
      {{"kernel", "kernel", Format::text}, [](const Line& l) { return Value(l.kernel); }},
      {{"place", "line behind " + explanation.of_lines, Format::text},
       [](const Line& l) { return Value(l.place); }},
      {{"share", "of its counts", Format::percent, true},
       [](const Line& l) { return Value(l.share); }},
      {{"without_ms", "all without it, ms", Format::decimal},
       [](const Line& l) { return Value(l.without_ms); }},
      {{"text", "text", Format::code}, [](const Line& l) { return Value(l.text); }}};
  report::Table table = report::table("lines", columns, explanation.lines);
  table.what = "lines";
  return table;
}

/// The parts of the time, the largest in words.
report::Answer answer(const Explanation& explanation) {
  const double all = explanation.row.predicted->milliseconds;
  const Resource& first = explanation.resources.front();
  report::Answer answer{fmt::format("{:.0f} % of the predicted {} ms are {}: {}.",
                                    100 * first.part_ms / all, agpusim::detail::decimal_text(all),
                                    first.name, first.counts)};
  for (const Resource& resource : explanation.resources) {
    if (resource.part_ms >= all / 100) answer.parts.emplace_back(resource.name, resource.part_ms);
  }
  return answer;
}

/// "latency      48 %  ########################" for each part, a sign for each 2 %.
report::Drawing bar(const report::Answer& answer, double milliseconds) {
  report::Drawing drawing;
  for (const auto& [name, part] : answer.parts) {
    const double percent = 100 * part / milliseconds;
    drawing.text += fmt::format(
        "{:<12} {:<9} {:3.0f} %  {}\n", drawing.text.empty() ? "parts" : "", name, percent,
        std::string(static_cast<std::size_t>(std::max(1.0, percent / 2)), '#'));
  }
  return drawing;
}

/// The resource that has to change least to explain the measured time.
std::string residual(const Explanation& explanation) {
  const double error = explanation.row.predicted->milliseconds / explanation.row.measured->ms - 1;
  const Resource* least = nullptr;
  for (const Resource& resource : explanation.resources) {
    if (!resource.needed || *resource.needed <= 0) continue;
    if (least == nullptr ||
        std::abs(std::log(*resource.needed)) < std::abs(std::log(*least->needed))) {
      least = &resource;
    }
  }
  const std::string miss =
      fmt::format("The prediction is {:.1f} % {} than measured ({}).", 100 * std::abs(error),
                  error < 0 ? "less" : "more", short_origin(explanation.row.record->origin));
  if (least == nullptr) return miss + " No single resource explains that.";
  return fmt::format(
      "{} If one resource alone is wrong, it is {} with the smallest change: times "
      "{:.2f}.",
      miss, least->name, *least->needed);
}

std::string source_text(const Row& row) {
  return row.from_n > 0 ? fmt::format("extrapolated from n = {}: an estimate", row.from_n)
                        : row.source;
}

}  // namespace

report::Report to_report(const Explanation& explanation) {
  const RunConfig& config = explanation.row.run.config;
  report::Report written{
      fmt::format("Why {}{} takes its time on {}, n = {}, {} {}", config.algorithm,
                  config.variant.empty() ? "" : " (" + config.variant + ")", explanation.row.device,
                  agpusim::detail::integer_text(config.n), config.type, config.input),
      {}};
  report::Section& body = written.body;
  body.facts = {{{"algorithm", ""}, config.algorithm},
                {{"variant", ""}, config.variant},
                {{"type", ""}, config.type},
                {{"input", ""}, config.input},
                {{"n", ""}, config.n},
                {{"device", ""}, explanation.row.device},
                {{"machine", "machine", Format::text}, config.spec.to_string()}};
  body.facts.push_back({{"counts", "counts", Format::text}, source_text(explanation.row)});
  const auto card = [&](const report::Name& name, const Value& value, std::string note = {}) {
    body.facts.push_back({name, value, {}, {}, name.title, std::move(note)});
  };
  const Prediction& predicted = *explanation.row.predicted;
  card({"predicted_ms", "predicted, ms", Format::decimal}, predicted.milliseconds,
       interval_text(predicted));
  body.facts.push_back({{"predicted_low_ms", ""}, predicted.low});
  body.facts.push_back({{"predicted_high_ms", ""}, predicted.high});
  body.facts.push_back({{"", "90 % interval", Format::text}, interval_text(predicted)});
  const bool compiled = !explanation.row.compiled.empty();
  body.facts.push_back({{"predicted_from", "predicted from", Format::text},
                        compiled ? "the compiled kernels" : "the counts"});
  card({"limit", "limited by", Format::text}, predicted.limit);
  if (explanation.row.measured) {
    card({"measured_ms", "measured, ms", Format::decimal}, explanation.row.measured->ms);
  }
  body.facts.push_back({{"lines_behind", ""}, explanation.of_lines});
  written.answer = answer(explanation);
  body.drawings = {bar(written.answer, predicted.milliseconds)};
  body.tables = {resources(explanation), kernels(explanation), lines(explanation)};
  if (explanation.row.measured) body.remarks.push_back(residual(explanation));
  if (const DeviceFile* const device = explanation.row.run.device) {
    const std::string uncertain = why_uncertain(*device);
    if (!uncertain.empty()) body.remarks.push_back(uncertain);
  }
  body.remarks.emplace_back(
      "Parts add up; resources overlap, so that without one the time falls by less than it takes "
      "alone. The model: docs/reference/prediction.md");
  return written;
}

}  // namespace agpusim::why

#include "agpusim/commands/validate/to_report.hpp"

#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "agpusim/validation/io/stats.hpp"
#include "agpusim/validation/io/text_table.hpp"

namespace agpusim::protocol {
namespace {

using report::Column;
using report::Format;
using report::Value;

detail::Plot held_out_plot(const std::vector<HeldOut>& rows) {
  detail::PlotPanel times{"Each algorithm left out", "measured (ms)", "predicted (ms)", {}, true};
  detail::PlotPanel ratios{"The same against n", "n", "predicted / measured", {}};
  for (const HeldOut& row : rows) {
    if (times.series.empty() || times.series.back().label != row.algorithm) {
      const auto color = static_cast<int>(times.series.size());
      times.series.push_back({row.algorithm, color});
      ratios.series.push_back({row.algorithm, color});
    }
    times.series.back().points.push_back({row.measured_ms, row.predicted_ms});
    ratios.series.back().points.push_back({row.n, row.predicted_ms / row.measured_ms});
  }
  return {"held-out", "Predicted beside measured", 2, {times, ratios}};
}

}  // namespace

std::vector<Column<Line>> score_columns(const std::string& what) {
  return {
      {{"predicted", what, Format::text}, [](const Line& line) { return Value(line.predicted); }},
      {{"rows", "rows", Format::integer}, [](const Line& line) { return Value(line.score.rows); }},
      {{"mape", "MAPE", Format::percent, true},
       [](const Line& line) { return Value(line.score.mape); }},
      {{"median", "median", Format::percent},
       [](const Line& line) { return Value(line.score.median); }},
      {{"p90", "90 %", Format::percent}, [](const Line& line) { return Value(line.score.p90); }},
      {{"within_10", "within 10 %", Format::percent},
       [](const Line& line) { return Value(line.score.within_10); }},
      {{"worst", "worst", Format::percent},
       [](const Line& line) { return Value(line.score.worst); }},
      {{"spearman", "Spearman", Format::three_digits},
       [](const Line& line) { return Value(line.score.spearman); }}};
}

std::vector<Column<Line>> columns(const std::string& what) {
  std::vector<Column<Line>> result = score_columns(what);
  result.insert(result.begin() + 1,
                {{"fitted_to", "constants fitted to", Format::text}, [](const Line& line) {
                   return Value(line.fitted_to.empty() ? "nothing" : line.fitted_to);
                 }});
  return result;
}

report::Table interval_table(const std::vector<Coverage>& intervals) {
  const std::vector<Column<Coverage>> of_intervals = {
      {{"predicted_from", "measured / predicted, from", Format::text},
       [](const Coverage& c) { return Value(c.from); }},
      {{"limited", "limited", Format::text}, [](const Coverage& c) { return Value(c.limited); }},
      {{"rows", "rows", Format::integer}, [](const Coverage& c) { return Value(c.rows); }},
      {{"low", "low", Format::two_digits}, [](const Coverage& c) { return Value(c.low); }},
      {{"high", "high", Format::two_digits}, [](const Coverage& c) { return Value(c.high); }},
      {{"inside", "inside that of the others", Format::percent}, [](const Coverage& c) {
         return Value(static_cast<double>(c.inside) / static_cast<double>(c.rows));
       }}};
  return report::table("intervals", of_intervals, intervals);
}

report::Report to_report(const Validation& validation, const DeviceFile& device) {
  report::Report written{fmt::format("Predicted and measured times of runs on {}", device.name),
                         {}};
  report::Section& body = written.body;
  body.sentences = {
      "MAPE is the mean of |predicted / measured - 1|; median, 90 % and worst are of the same.",
      fmt::format("{} rows of the table are predicted from the kernels as nvcc has compiled them, "
                  "the others from counts.",
                  detail::integer_text(validation.compiled_rows))};
  body.plots = {held_out_plot(validation.held_out)};
  body.facts = {{{"device", ""}, device.name},
                {{"rows_of_compiled_kernels", ""}, validation.compiled_rows},
                {{"contests", ""}, validation.contests.pairs},
                {{"contests_predicted_right", ""}, validation.contests.right},
                {{"crossings", ""}, validation.crossings.measured},
                {{"crossings_predicted", ""}, validation.crossings.predicted},
                {{"crossings_octaves", ""}, validation.crossings.octaves},
                {{"refused", ""}, validation.refused}};
  report::Table lines = report::table("splits", columns("rows predicted"), validation.lines);
  lines.csv = true;
  report::Table left =
      report::table("algorithms", columns("algorithm left out"), validation.by_algorithm);
  left.csv = true;
  report::Table families =
      report::table("families", columns("family left out"), validation.by_family);
  families.csv = true;
  report::Table baselines =
      report::table("baselines", columns("instead of the model"), validation.baselines);
  baselines.csv = true;
  body.tables = {lines, families, left, interval_table(validation.intervals), baselines};
  const std::vector<Column<FittedConstant>> of_constants = {
      {{"name", "fitted to the table", Format::text},
       [](const FittedConstant& constant) { return Value(constant.name); }},
      {{"value", "value", Format::decimal},
       [&](const FittedConstant& constant) { return Value(validation.constants.*constant.value); }},
      {{"unit", "unit", Format::text},
       [](const FittedConstant& constant) { return Value(constant.unit); }}};
  body.tables.push_back(
      report::table("constants", of_constants,
                    std::vector<FittedConstant>(fitted_constants.begin(), fitted_constants.end())));
  const auto mape = [](const char* key, const char* title, double Moved::*value) {
    return Column<Moved>{{key, title, Format::percent, true},
                         [value](const Moved& moved) { return Value(moved.*value); }};
  };
  const std::vector<Column<Moved>> of_moved = {
      {{"name", "MAPE of the table when", Format::text},
       [](const Moved& moved) { return Value(moved.name); }},
      mape("less", "is 0.8 times", &Moved::less),
      mape("more", "1.2 times as large", &Moved::more)};
  body.tables.push_back(report::table("moved", of_moved, validation.moved));
  if (!validation.ablation.empty()) {
    body.tables.push_back(
        report::table("ablation", columns("the table, without"), validation.ablation));
  }
  body.remarks = {
      fmt::format("The faster of two runs with one result whose times differ by more "
                  "than 10 % is predicted right in {} of {} pairs.",
                  validation.contests.right, validation.contests.pairs),
      fmt::format("The n from which on another program is the faster one is predicted in {} of {} "
                  "cases, to within {:.2f} octaves in half of them.",
                  validation.crossings.predicted, validation.crossings.measured,
                  validation.crossings.octaves)};
  constexpr std::array kinds = {"sets",   "families",  "algorithms", "intervals",
                                "models", "constants", "constants",  "models"};
  for (std::size_t i = 0; i < body.tables.size(); ++i) body.tables[i].what = kinds.at(i);
  const Score& score = validation.lines.front().score;
  written.answer = {
      fmt::format("Predicted times are off by {} in the mean, {} in the median, where "
                  "the algorithm is left out of the fit.",
                  detail::percent_text(score.mape), detail::percent_text(score.median)),
      {{"within 10 %", score.within_10}, {"beyond", 1 - score.within_10}}};
  const auto card = [&](const char* title, double value, const std::string& meaning) {
    body.facts.push_back({{"", title, Format::percent}, value, meaning, {}, title});
  };
  card("mean error", score.mape, "of the time, each algorithm left out of the fit");
  card("median", score.median, "of the same");
  card("within 10 %", score.within_10, fmt::format("of {} rows", score.rows));
  if (!validation.prologues.empty()) {
    const Spread spread = low_high(validation.prologues);
    body.facts.push_back({{"prologue_instructions", ""}, mean(validation.prologues)});
    body.remarks.push_back(fmt::format(
        "A warp executes {:.0f} instructions beyond those counted (mean of {} profiled "
        "kernels; 5 % and 95 % quantiles {:.0f} and {:.0f}).",
        mean(validation.prologues), validation.prologues.size(), spread.low, spread.high));
  }
  if (!validation.refused.empty()) {
    body.remarks.push_back(fmt::format("{} records have no counts and are left out; the first: {}",
                                       validation.refused.size(), validation.refused.front()));
  }
  return written;
}

}  // namespace agpusim::protocol

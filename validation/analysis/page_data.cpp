#include <algorithm>
#include <cstdlib>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "agpusim/validation/analysis/writers.hpp"

namespace agpusim {
namespace {

using PageJson = nlohmann::ordered_json;

/// The number of `digits` significant digits nearest to `value`.
double rounded(double value, int digits) {
  return std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
}

PageJson nullable(const std::optional<std::int64_t>& value) {
  return value ? PageJson(*value) : PageJson(nullptr);
}

/// What `value` gives for each row.
template <class Value>
PageJson column(const std::vector<AnalysisRow>& rows, Value value) {
  PageJson column = PageJson::array();
  for (const AnalysisRow& row : rows) {
    if constexpr (std::is_same_v<decltype(value(row)), double>) {
      column.push_back(rounded(value(row), 9));
    } else {
      column.push_back(value(row));
    }
  }
  return column;
}

/// A column of few texts: the texts, and an index for each row.
template <class Value>
PageJson text_column(const std::vector<AnalysisRow>& rows, Value value) {
  std::vector<std::string> texts;
  PageJson index = PageJson::array();
  for (const AnalysisRow& row : rows) {
    const std::string text = value(row);
    const auto it = std::find(texts.begin(), texts.end(), text);
    index.push_back(it - texts.begin());
    if (it == texts.end()) texts.push_back(text);
  }
  return {{"texts", texts}, {"index", index}};
}

PageJson group_json(const AnalysisGroup& group, const std::vector<std::string>& part_names) {
  const auto& rows = group.rows;
  PageJson parts = PageJson::array();
  for (const std::string& name : part_names) {
    parts.push_back(column(rows, [&](const AnalysisRow& row) {
      const auto part = row.parts.find(name);
      return part == row.parts.end() ? PageJson(0) : PageJson(rounded(part->second, 5));
    }));
  }
  using Row = const AnalysisRow&;
  return {{"algorithm", group.algorithm},
          {"variant", group.variant},
          {"type", group.type},
          {"machine", group.machine},
          {"summary", group.summary},
          {"limiting", group.limiting},
          {"bound_time", group.bound_time},
          {"bound_io", group.bound_io},
          {"formula", group.formula},
          {"columns",
           {{"n", column(rows, [](Row row) { return row.n; })},
            {"input", text_column(rows, [](Row row) { return row.input; })},
            {"phases", column(rows, [](Row row) { return row.phases; })},
            {"T", column(rows, [](Row row) { return row.time; })},
            {"T_lower", column(rows, [](Row row) { return row.time_lower; })},
            {"Q", column(rows, [](Row row) { return row.io; })},
            {"Q_lower", column(rows, [](Row row) { return row.io_lower; })},
            {"Q_formula", column(rows, [](Row row) { return nullable(row.io_formula); })},
            {"counts", text_column(rows, [](Row row) { return to_string(row.counts); })},
            {"predicted_ms", column(rows, [](Row row) { return row.predicted_ms; })},
            {"measured_ms", column(rows, [](Row row) { return row.measured.ms; })},
            {"measured_low_ms", column(rows, [](Row row) { return row.measured.low_ms; })},
            {"measured_high_ms", column(rows, [](Row row) { return row.measured.high_ms; })},
            {"samples", column(rows, [](Row row) { return row.measured.samples; })},
            {"limit", text_column(rows, [](Row row) { return row.limit; })}}},
          {"parts", parts}};
}

PageJson counters_json(const CounterGroup& group) {
  PageJson metrics = PageJson::array();
  for (const MetricAgreement& metric : group.summary.metrics) {
    metrics.push_back({{"metric", metric.metric},
                       {"exact", metric.exact},
                       {"launches", metric.launches},
                       {"equal", metric.equal}});
  }
  PageJson differences = PageJson::array();
  for (const CounterDifference& difference : group.summary.differences) {
    differences.push_back({{"n", difference.n},
                           {"launch", difference.launch},
                           {"kernel", difference.kernel},
                           {"metric", difference.metric},
                           {"simulated", difference.simulated},
                           {"measured", difference.measured},
                           {"reason", difference.reason}});
  }
  return {{"algorithm", group.algorithm},
          {"variant", group.variant},
          {"launches", group.summary.launches},
          {"equal", group.summary.equal},
          {"metrics", metrics},
          {"differences", differences}};
}

std::vector<std::string> part_names(const Analysis& analysis) {
  std::vector<std::string> names;
  for (const AnalysisGroup& group : analysis.groups) {
    for (const AnalysisRow& row : group.rows) {
      for (const auto& [name, milliseconds] : row.parts) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
  }
  return names;
}

}  // namespace

std::string to_page_data(const Analysis& analysis) {
  const std::vector<std::string> parts = part_names(analysis);
  PageJson groups = PageJson::array();
  for (const AnalysisGroup& group : analysis.groups) groups.push_back(group_json(group, parts));
  PageJson counters = PageJson::array();
  for (const CounterGroup& group : analysis.counter_groups) {
    counters.push_back(counters_json(group));
  }
  PageJson constants = PageJson::array();
  for (const Constant& constant : analysis.device.constants) {
    constants.push_back({{"name", constant.name},
                         {"value", constant.value},
                         {"unit", constant.unit},
                         {"source", constant.source},
                         {"date", constant.date}});
  }
  const PageJson json = {
      {"agpusim", AGPUSIM_VERSION},
      {"generated", analysis.generated},
      {"device",
       {{"name", analysis.device.name}, {"file", analysis.device.path.filename().string()}}},
      {"constants", constants},
      {"parts", parts},
      {"groups", groups},
      {"counters", counters}};
  return json.dump();
}

}  // namespace agpusim

#include <nlohmann/json.hpp>

#include "agpusim/validation/analysis/writers.hpp"

namespace agpusim {
namespace {

// Keeps the members in the order they are written, which is the order a person reads them in.
using Json = nlohmann::ordered_json;

template <class T>
Json nullable(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json encode(const Constant& constant) {
  return {{"name", constant.name},
          {"value", constant.value},
          {"unit", constant.unit},
          {"source", constant.source},
          {"date", constant.date}};
}

Json encode(const AnalysisRow& row) {
  return {{"n", row.n},
          {"input", row.input},
          {"phases", row.phases},
          {"T", row.time},
          {"Q", row.io},
          {"Q_lower", row.io_lower},
          {"counts", to_string(row.counts)},
          {"differences", row.differences},
          {"optimality_ratio", nullable(row.optimality_ratio)},
          {"predicted_ms", row.predicted_ms},
          {"measured_ms", row.measured_ms},
          {"measured_low_ms", row.measured_low_ms},
          {"measured_high_ms", row.measured_high_ms},
          {"samples", row.samples},
          {"error", row.error},
          {"limit", row.limit}};
}

Json encode(const CounterDifference& difference) {
  return {{"algorithm", difference.algorithm}, {"n", difference.n},
          {"launch", difference.launch},       {"kernel", difference.kernel},
          {"metric", difference.metric},       {"simulated", difference.simulated},
          {"measured", difference.measured},   {"reason", difference.reason}};
}

template <class T>
Json encode_all(const std::vector<T>& values);

Json encode(const AnalysisGroup& group) {
  return {{"name", group.algorithm},
          {"variant", group.variant},
          {"type", group.type},
          {"machine", group.machine},
          {"summary", group.summary},
          {"limiting", group.limiting},
          {"bound_time", group.bound_time},
          {"bound_io", group.bound_io},
          {"rows", encode_all(group.rows)}};
}

template <class T>
Json encode_all(const std::vector<T>& values) {
  Json array = Json::array();
  for (const T& value : values) array.push_back(encode(value));
  return array;
}

Json encode(const AnalysisSummary& summary) {
  Json worst = nullptr;
  if (summary.worst) {
    worst = {{"algorithm", summary.worst->algorithm},
             {"n", summary.worst->n},
             {"error", summary.worst->error}};
  }
  return {{"rows", summary.rows},
          {"pearson", nullable(summary.pearson)},
          {"spearman", nullable(summary.spearman)},
          {"mape", nullable(summary.mape)},
          {"median", nullable(summary.median)},
          {"worst", worst}};
}

}  // namespace

std::string to_json(const Analysis& analysis) {
  const Json json = {
      {"agpusim", AGPUSIM_VERSION},
      {"generated", analysis.generated},
      {"device",
       {{"name", analysis.device.name}, {"file", analysis.device.path.filename().string()}}},
      {"constants", encode_all(analysis.device.constants)},
      {"algorithms", encode_all(analysis.groups)},
      {"counters",
       {{"launches", analysis.counters.launches},
        {"equal", analysis.counters.equal},
        {"differences", encode_all(analysis.counters.differences)}}},
      {"summary", encode(analysis.summary)}};
  return json.dump(2) + "\n";
}

}  // namespace agpusim

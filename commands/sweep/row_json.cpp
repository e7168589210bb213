#include "agpusim/commands/sweep/row_json.hpp"

#include "agpusim/model/error.hpp"
#include "agpusim/validation/rows/evaluate.hpp"

namespace agpusim::sweep {
namespace {

using agpusim::detail::field;
using agpusim::detail::Json;
using agpusim::detail::member;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <class T>
std::optional<T> optional_field(const Json& json, const std::string& name) {
  if (member(json, name).is_null()) return std::nullopt;
  return field<T>(json, name);
}

}  // namespace

Json encode(const Row& row) {
  const Run& run = row.run;
  Json quantities = Json::array();
  for (const Quantity& q : row.quantities) {
    quantities.push_back({{"name", q.name},
                          {"count", q.count},
                          {"formula", or_null(q.formula)},
                          {"stated", q.stated},
                          {"bound", or_null(q.bound)},
                          {"lower_bound", or_null(q.lower_bound)}});
  }
  return {{"program", run.program},
          {"model", run.on_pram() ? "PRAM" : "AGPU"},
          {"algorithm", run.config.algorithm},
          {"variant", run.config.variant},
          {"type", run.config.type},
          {"input", run.config.input},
          {"machine", run.machine()},
          {"symbols", run.symbols()},
          {"refused", row.refusal},
          {"quantities", std::move(quantities)},
          {"counts", row.source},
          {"extrapolated_from_n", row.from_n},
          {"phases", row.phases},
          {"predicted_ms", row.predicted ? Json(row.predicted->milliseconds) : Json(nullptr)},
          {"predicted_low_ms", row.predicted ? Json(row.predicted->low) : Json(nullptr)},
          {"predicted_high_ms", row.predicted ? Json(row.predicted->high) : Json(nullptr)},
          {"limit", row.predicted ? row.predicted->limit : ""},
          {"device", row.device},
          {"key", row.key}};
}

Row decode_row(const Json& json) {
  Row row;
  row.key = field<std::string>(json, "key");
  if (!row.key.starts_with('{')) {
    throw agpusim::detail::JsonError("the point lacks its seed");
  }
  try {
    row.run = run_of_key(run_key(row.key));
  } catch (const FileError& error) {
    throw agpusim::detail::JsonError(error.what());
  }
  row.run.program = field<std::string>(json, "program");
  row.refusal = field<std::string>(json, "refused");
  for (const Json& q : member(json, "quantities")) {
    row.quantities.push_back({field<std::string>(q, "name"), field<std::int64_t>(q, "count"),
                              optional_field<std::int64_t>(q, "formula"),
                              field<std::string>(q, "stated"), optional_field<double>(q, "bound"),
                              optional_field<std::int64_t>(q, "lower_bound")});
  }
  row.source = field<std::string>(json, "counts");
  row.from_n = field<std::int64_t>(json, "extrapolated_from_n");
  row.phases = field<std::int64_t>(json, "phases");
  row.device = field<std::string>(json, "device");
  if (const auto ms = optional_field<double>(json, "predicted_ms")) {
    row.predicted = Prediction{*ms,
                               field<std::string>(json, "limit"),
                               {},
                               optional_field<double>(json, "predicted_low_ms").value_or(0),
                               optional_field<double>(json, "predicted_high_ms").value_or(0)};
  }
  return row;
}

}  // namespace agpusim::sweep

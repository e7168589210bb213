#include "agpusim/validation/sweep/point_json.hpp"

#include "agpusim/validation/records/run_json.hpp"
#include "agpusim/validation/report/machine_rules.hpp"
#include "agpusim/validation/sweep/counter.hpp"

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

Json encode(const Point& point) {
  Json quantities = Json::array();
  for (const Quantity& q : point.quantities) {
    quantities.push_back({{"name", q.name},
                          {"count", q.count},
                          {"formula", or_null(q.formula)},
                          {"stated", q.stated},
                          {"bound", or_null(q.bound)},
                          {"lower_bound", or_null(q.lower_bound)}});
  }
  return {{"program", point.program},
          {"model", point.model},
          {"algorithm", point.algorithm},
          {"variant", point.variant},
          {"type", point.type},
          {"input", point.input},
          {"machine", point.machine},
          {"symbols", point.symbols},
          {"refused", point.refusal},
          {"quantities", std::move(quantities)},
          {"counts", point.source},
          {"extrapolated_from_n", point.from_n},
          {"phases", point.phases},
          {"predicted_ms", or_null(point.predicted_ms)},
          {"limit", point.limit},
          {"device", point.device},
          {"key", point.key}};
}

Point decode_point(const Json& json) {
  Point point;
  point.program = field<std::string>(json, "program");
  point.model = field<std::string>(json, "model");
  point.algorithm = field<std::string>(json, "algorithm");
  point.variant = field<std::string>(json, "variant");
  point.type = field<std::string>(json, "type");
  point.input = field<std::string>(json, "input");
  point.machine = field<std::string>(json, "machine");
  for (const auto& [name, value] : member(json, "symbols").items()) {
    point.symbols[name] = field<std::int64_t>(member(json, "symbols"), name);
  }
  if (!point.symbols.contains("n")) throw agpusim::detail::JsonError("field 'symbols' lacks n");
  point.refusal = field<std::string>(json, "refused");
  for (const Json& q : member(json, "quantities")) {
    point.quantities.push_back({field<std::string>(q, "name"), field<std::int64_t>(q, "count"),
                                optional_field<std::int64_t>(q, "formula"),
                                field<std::string>(q, "stated"), optional_field<double>(q, "bound"),
                                optional_field<std::int64_t>(q, "lower_bound")});
  }
  point.source = field<std::string>(json, "counts");
  point.from_n = field<std::int64_t>(json, "extrapolated_from_n");
  point.phases = field<std::int64_t>(json, "phases");
  point.predicted_ms = optional_field<double>(json, "predicted_ms");
  point.limit = field<std::string>(json, "limit");
  point.device = field<std::string>(json, "device");
  point.key = field<std::string>(json, "key");
  if (!point.key.starts_with('{')) {
    throw agpusim::detail::JsonError("the point lacks its seed: count it again into a new file");
  }
  const Json run = agpusim::detail::parse_object(run_text(point.key));
  point.seed = field<std::uint64_t>(run, "seed");
  if (point.model == "AGPU") {
    point.rules = rules_text(agpusim::detail::decode_spec(member(run, "machine")));
  }
  return point;
}

}  // namespace agpusim::sweep

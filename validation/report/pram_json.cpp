#include "agpusim/validation/report/pram_json.hpp"

#include "agpusim/validation/counts/count_fields.hpp"
#include "agpusim/validation/report/pram_measures.hpp"

namespace agpusim::detail {

nlohmann::ordered_json encode(const PramForm& form) {
  return {{"steps", form.steps}, {"processors", form.processors}, {"work", form.work}};
}

nlohmann::ordered_json encode(const Differences& differences) {
  if (differences.count == 0) return nullptr;
  auto first = nlohmann::ordered_json::array();
  for (const Difference& one : differences.first) {
    first.push_back({{"index", one.index}, {"got", one.got}, {"expected", one.expected}});
  }
  return {{"count", differences.count}, {"of", differences.of}, {"first", first}};
}

nlohmann::ordered_json encode_measures(const PramReport& report) {
  nlohmann::ordered_json json;
  for (const PramMeasure& measure : pram_measures) json[measure.key] = measure.value(report);
  return json;
}

nlohmann::ordered_json encode_meanings() {
  nlohmann::ordered_json json;
  for (const PramMeasure& measure : pram_measures) json[measure.key] = measure.meaning;
  return json;
}

nlohmann::ordered_json encode(const Counts& counts) {
  nlohmann::ordered_json json;
  for (const CountField& field : count_fields) json[std::string(field.name)] = field.of(counts);
  return json;
}

nlohmann::ordered_json encode_totals(const RunReport& agpu) {
  const Counts total = agpu.total();
  return {{"T", agpu.time()},
          {"Q", total.io()},
          {"sectors", total.sectors()},
          {"atomic_requests", total.global_atomic.requests},
          {"serialised", total.serialised},
          {"contention", agpu.contention()}};
}

}  // namespace agpusim::detail

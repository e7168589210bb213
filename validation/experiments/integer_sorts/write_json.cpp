#include "agpusim/validation/experiments/integer_sorts/detail/experiment_json.hpp"
#include "agpusim/validation/experiments/integer_sorts/writers.hpp"

namespace agpusim {
namespace {

using detail::Json;

Json encode_one(const ExperimentEntry& entry);
Json encode_one(const Judgement& judgement);
Json encode_one(const Finding& finding);
Json encode_one(const ExperimentScore& score);
Json encode_one(const ExperimentRow& row);

template <class T>
Json encode_all(const std::vector<T>& values) {
  Json array = Json::array();
  for (const T& value : values) array.push_back(encode_one(value));
  return array;
}

Json nullable(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json encode_one(const ExperimentEntry& entry) {
  Json json = {
      {"team", to_string(entry.contestant.team)},   {"sort", entry.contestant.sort},
      {"algorithm", entry.contestant.algorithm},    {"variant", entry.contestant.variant},
      {"measured_ms", nullable(entry.measured_ms)}, {"predicted_ms", nullable(entry.predicted_ms)}};
  if (entry.measured_ms) {
    json["measured_low_ms"] = entry.measured_low_ms;
    json["measured_high_ms"] = entry.measured_high_ms;
    json["samples"] = entry.samples;
  }
  if (entry.predicted_ms) json["limit"] = entry.limit;
  return json;
}

Json encode_one(const std::optional<ExperimentVerdict>& verdict) {
  if (!verdict) return nullptr;
  return {{"predicted_winner", verdict->predicted_winner},
          {"measured_winner", verdict->measured_winner},
          {"loss", verdict->loss}};
}

Json encode_one(const Judgement& judgement) {
  return {{"times", judgement.times},
          {"verdict", to_string(judgement.verdict)},
          {"checked", judgement.checked},
          {"held", judgement.held},
          {"numbers", judgement.numbers}};
}

Json encode_one(const Finding& finding) {
  return {{"section", finding.section},
          {"statement", finding.statement},
          {"judgements", encode_all(finding.judgements)}};
}

Json encode_one(const ExperimentScore& score) {
  return {{"peer", score.peer}, {"cells", score.cells}, {"right", score.right},
          {"near", score.near}, {"side", score.side},   {"spearman", nullable(score.spearman)}};
}

Json encode_one(const ExperimentRow& row) {
  return {{"family", to_string(row.cell.family)},
          {"panel", row.cell.panel},
          {"n", row.cell.n},
          {"range", row.cell.range},
          {"len", row.cell.len},
          {"input", row.cell.input},
          {"entries", encode_all(row.entries)},
          {"against_cub", encode_one(row.against_cub)},
          {"against_fitted", encode_one(row.against_fitted)}};
}

}  // namespace

detail::Json detail::encode(const Experiment& experiment) {
  return {{"agpusim", AGPUSIM_VERSION},
          {"experiment", "kozakai"},
          {"generated", experiment.generated},
          {"environment", encode(experiment.environment)},
          {"unmeasured", experiment.unmeasured},
          {"foreign", experiment.foreign},
          {"scores", encode_all(experiment.scores)},
          {"findings", encode_all(experiment.findings)},
          {"cells", encode_all(experiment.rows)}};
}

std::string to_json(const Experiment& experiment) {
  Json json = detail::encode(experiment);
  json["plots"] = detail::encode(detail::plots(experiment));
  return json.dump(2) + "\n";
}

}  // namespace agpusim

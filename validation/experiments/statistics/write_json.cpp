#include "agpusim/validation/experiments/statistics/detail/parts.hpp"
#include "agpusim/validation/experiments/statistics/writers.hpp"

namespace agpusim::statistics_experiment {
namespace {

using detail::Json;

Json encode_one(const AccountRow&);
Json encode_one(const Fit&);
Json encode_one(const CardAccount&);
Json encode_one(const PanelEntry&);
Json encode_one(const PanelRow&);
Json encode_one(const PanelResult&);
Json encode_one(const statistics::VarianceError&);

template <class T>
Json encode_all(const std::vector<T>& values) {
  Json array = Json::array();
  for (const T& value : values) array.push_back(encode_one(value));
  return array;
}

Json encode_one(const AccountRow& row) {
  return {{"problem", row.problem},           {"n", row.n},
          {"measured_us", row.measured_us},   {"launches", row.charges.launches},
          {"time", row.charges.time},         {"bytes", row.charges.bytes},
          {"predicted_us", row.predicted_us}, {"error", row.error}};
}

Json encode_one(const Fit& fit) {
  return {{"trained_on", fit.trained_on},
          {"launch_us", fit.model.launch_us},
          {"time_unit_us", fit.model.time_unit_us},
          {"byte_us", fit.model.byte_us},
          {"training_mape", fit.training_mape}};
}

Json encode_one(const CrossFit& fit) {
  return {{"fits", encode_all(fit.fits)},
          {"both", encode_one(fit.both)},
          {"rows", encode_all(fit.rows)},
          {"mape", fit.mape},
          {"worst", encode_one(fit.rows.at(fit.worst))}};
}

Json encode_one(const CardAccount& account) {
  return {{"card", account.card.name},
          {"machine", account.card.machine},
          {"spec", agpusim::detail::encode(account.card.spec)},
          {"clock_mhz", account.card.clock_mhz},
          {"bandwidth_peak", account.card.bandwidth_peak},
          {"tournament_lg", encode_one(account.lg)},
          {"tournament_ln", encode_one(account.ln)},
          {"tournament_wide", encode_one(account.wide)},
          {"single", account.single ? encode_one(*account.single) : Json(nullptr)},
          {"single_by_n", encode_one(account.single_by_n)}};
}

Json nullable(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json encode_one(const PanelEntry& entry) {
  Json json = {{"program", entry.contestant.label},
               {"algorithm", entry.contestant.algorithm},
               {"variant", entry.contestant.variant},
               {"machine", entry.contestant.machine},
               {"measured_us", nullable(entry.measured_us)},
               {"floor_share", nullable(entry.floor_share)},
               {"over_library", nullable(entry.over_library)},
               {"predicted_us", nullable(entry.predicted_us)},
               {"limit", entry.limit}};
  if (entry.measured_us) {
    json["measured_low_us"] = entry.measured_low_us;
    json["measured_high_us"] = entry.measured_high_us;
    json["samples"] = entry.samples;
  }
  return json;
}

Json encode_one(const PanelRow& row) {
  return {{"n", row.n}, {"floor_us", row.floor_us}, {"entries", encode_all(row.entries)}};
}

Json encode_one(const PanelResult& result) {
  return {{"name", result.panel.name},
          {"title", result.panel.title},
          {"type", result.panel.type},
          {"input", result.panel.input},
          {"rows", encode_all(result.rows)}};
}

Json encode_one(const statistics::VarianceError& row) {
  return {
      {"type", row.type},   {"variant", row.variant},   {"mean_over_sigma", row.mean_over_sigma},
      {"exact", row.exact}, {"variance", row.variance}, {"relative_error", relative_error(row)}};
}

Json encode_comparison(const Experiment& experiment) {
  if (!experiment.comparison) return nullptr;
  const Comparison& comparison = *experiment.comparison;
  return {{"environment", agpusim::detail::encode(comparison.environment)},
          {"bandwidth_read", comparison.bandwidth.read},
          {"bandwidth_read_of", comparison.bandwidth.reader},
          {"bandwidth_copy", comparison.bandwidth.copy},
          {"unmeasured", comparison.unmeasured},
          {"foreign", comparison.foreign},
          {"panels", encode_all(comparison.panels)}};
}

}  // namespace

detail::Json detail::encode(const Experiment& experiment) {
  return {{"agpusim", AGPUSIM_VERSION},
          {"experiment", "nishimura"},
          {"generated", experiment.generated},
          {"account",
           {{"source", experiment.account.source},
            {"missing", experiment.account.missing},
            {"cards", encode_all(experiment.account.cards)}}},
          {"comparison", encode_comparison(experiment)},
          {"why_no_comparison", experiment.why_no_comparison},
          {"accuracy_n", experiment.accuracy_n},
          {"accuracy", encode_all(experiment.accuracy)}};
}

std::string to_json(const Experiment& experiment) {
  Json json = detail::encode(experiment);
  json["plots"] = agpusim::detail::encode(detail::plots(experiment));
  return json.dump(2) + "\n";
}

}  // namespace agpusim::statistics_experiment

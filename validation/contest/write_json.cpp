#include <nlohmann/json.hpp>

#include "agpusim/validation/contest/detail/sentences.hpp"
#include "agpusim/validation/contest/order.hpp"
#include "agpusim/validation/contest/writers.hpp"
#include "agpusim/validation/json/json.hpp"

namespace agpusim::comparison {
namespace {

// Keeps the members in the order they are written, which is the order a person reads them in.
using Json = nlohmann::ordered_json;

template <class T>
Json nullable(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

/// Writes the parts of one comparison, whose contestants are named by their labels.
class Encoder {
 public:
  explicit Encoder(const Comparison& comparison) : comparison_(comparison) {}

  [[nodiscard]] Json whole() const {
    Json machines = Json::array();
    for (const MachineResult& result : comparison_.machines) machines.push_back(machine(result));
    return {{"agpusim", AGPUSIM_VERSION},
            {"generated", comparison_.generated},
            {"seed", comparison_.seed},
            {"contestants", contestants()},
            {"remarks", comparison_.remarks},
            {"machines", machines},
            {"fastest_predicted", fastest(comparison_.fastest_predicted)},
            {"fastest_measured", fastest(comparison_.fastest_measured)}};
  }

 private:
  [[nodiscard]] const std::string& label(std::size_t contestant) const {
    return comparison_.contestants[contestant].label;
  }

  [[nodiscard]] const std::string& machine_label(std::size_t machine) const {
    return comparison_.machines[machine].machine.label;
  }

  [[nodiscard]] Json labels(const std::vector<std::size_t>& contestants) const {
    Json array = Json::array();
    for (const std::size_t contestant : contestants) array.push_back(label(contestant));
    return array;
  }

  [[nodiscard]] Json contestants() const {
    Json array = Json::array();
    for (std::size_t i = 0; i < comparison_.contestants.size(); ++i) {
      const Contestant& contestant = comparison_.contestants[i];
      array.push_back({{"label", contestant.label},
                       {"algorithm", contestant.algorithm},
                       {"variant", contestant.variant},
                       {"chosen_parameters", contestant.parameters},
                       {"type", comparison_.kinds[i].type},
                       {"input", comparison_.kinds[i].input},
                       {"measured_only", !comparison_.has_row[i]}});
    }
    return array;
  }

  [[nodiscard]] static Json cost(const Cost& cost) {
    return {{"counts", to_string(cost.source)},
            {"T", cost.time},
            {"Q", cost.io},
            {"instructions", cost.instructions},
            {"wavefronts", cost.wavefronts},
            {"phases", cost.phases},
            {"T_lower", cost.bound.time},
            {"Q_lower", cost.bound.io},
            {"lower_bound_source", cost.bound.source},
            {"differences", cost.differences}};
  }

  [[nodiscard]] Json entry(std::size_t contestant, const Entry& entry) const {
    Json json = {{"contestant", label(contestant)},
                 {"refusal", text_or_null(entry.refusal)},
                 {"parameters", entry.config.parameters},
                 {"cost", entry.cost ? cost(*entry.cost) : Json(nullptr)},
                 {"predicted_ms", nullable(entry.predicted_ms)},
                 {"limit", text_or_null(entry.limit)},
                 {"why_not_predicted", text_or_null(entry.why_not_predicted)},
                 {"measured", nullptr}};
    if (entry.measured) {
      json["measured"] = {{"ms", entry.measured->ms},
                          {"low_ms", entry.measured->low_ms},
                          {"high_ms", entry.measured->high_ms},
                          {"samples", entry.measured->samples},
                          {"date", entry.measured->date}};
    }
    return json;
  }

  [[nodiscard]] Json row(const Row& row) const {
    Json entries = Json::array();
    for (std::size_t i = 0; i < row.entries.size(); ++i) {
      entries.push_back(entry(i, row.entries[i]));
    }
    Json best;
    for (const Measure measure : measures) best[to_string(measure)] = labels(winners(row, measure));
    return {{"n", row.n}, {"winners", best}, {"entries", entries}};
  }

  [[nodiscard]] Json order(const PairOrder& order) const {
    Json crossovers = Json::array();
    for (const Crossover& crossover : order.crossovers) {
      crossovers.push_back({{"below", label(crossover.below)},
                            {"above", label(crossover.above)},
                            {"n_below", crossover.n_below},
                            {"n_above", crossover.n_above},
                            {"n_interpolated", nullable(crossover.n)},
                            {"resolved", crossover.resolved}});
    }
    return {{"first", label(order.first)},
            {"second", label(order.second)},
            {"by", to_string(order.measure)},
            {"sizes", order.sizes},
            {"first_ahead", order.first_ahead},
            {"second_ahead", order.second_ahead},
            {"crossovers", crossovers},
            {"sentence", detail::sentence(order, comparison_.contestants)}};
  }

  [[nodiscard]] Json machine(const MachineResult& result) const {
    const ComparedMachine& machine = result.machine;
    Json rows = Json::array();
    for (const Row& one : result.rows) rows.push_back(row(one));
    Json smallest = Json::array();
    for (const auto& [measure, runs] : result.stretches) {
      Json parts = Json::array();
      for (const Stretch& run : runs) {
        parts.push_back(
            {{"winners", labels(run.winners)}, {"n_first", run.n_first}, {"n_last", run.n_last}});
      }
      smallest.push_back({{"by", to_string(measure)},
                          {"stretches", parts},
                          {"sentence", detail::sentence(runs, comparison_.contestants)}});
    }
    Json orders = Json::array();
    for (const PairOrder& one : result.orders) orders.push_back(order(one));
    Json agreements = Json::array();
    for (const Agreement& found : result.agreements) {
      agreements.push_back({{"by", to_string(found.by)},
                            {"sizes", found.sizes},
                            {"right", found.right},
                            {"near", found.near},
                            {"undecided", found.undecided},
                            {"overlapping", found.overlapping},
                            {"sentence", detail::sentence(found)}});
    }
    return {{"label", machine.label},
            {"name", machine.spec.to_string()},
            {"machine", agpusim::detail::encode(machine.spec)},
            {"device", text_or_null(machine.device)},
            {"refusal", text_or_null(machine.refusal)},
            {"rows", rows},
            {"smallest", smallest},
            {"orders", orders},
            {"agreements", agreements},
            {"crossovers", detail::crossover_sentences(result.orders, comparison_.contestants)},
            {"remarks", result.remarks}};
  }

  [[nodiscard]] Json fastest(const std::vector<Fastest>& all) const {
    Json array = Json::array();
    for (const Fastest& best : all) {
      array.push_back(
          {{"n", best.n},
           {"machine", best.machine ? Json(machine_label(*best.machine)) : Json(nullptr)},
           {"contestant", label(best.contestant)},
           {"ms", best.ms}});
    }
    return array;
  }

  const Comparison& comparison_;
};

}  // namespace

std::string to_json(const Comparison& comparison) {
  return Encoder(comparison).whole().dump(2) + "\n";
}

}  // namespace agpusim::comparison

#include "agpusim/commands/compare/comparison.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "agpusim/commands/compare/detail/remarks.hpp"
#include "agpusim/commands/compare/detail/table.hpp"
#include "agpusim/commands/compare/order.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim::contest {
namespace {

void require_contestants(const std::vector<Contestant>& contestants) {
  if (contestants.size() < 2) throw UsageError("a comparison needs two contestants or more");
  for (auto it = contestants.begin(); it != contestants.end(); ++it) {
    if (std::any_of(contestants.begin(), it,
                    [&](const Contestant& other) { return other.label == it->label; })) {
      throw UsageError(fmt::format("contestant '{}' is named twice; name it once", it->label));
    }
  }
}

MachineResult compare_on(const ComparedMachine& machine, const std::vector<Contestant>& contestants,
                         detail::Table& table) {
  MachineResult result;
  result.machine = machine;
  if (!machine.refusal.empty()) return result;
  result.rows = table.rows(machine);
  for (const Measure measure : measures) {
    auto runs = stretches(result.rows, measure);
    if (!runs.empty()) result.stretches[measure] = std::move(runs);
    if (measure == Measure::measured) continue;
    const Agreement found = agreement(result.rows, measure);
    if (found.sizes > 0) result.agreements.push_back(found);
  }
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    for (std::size_t j = i + 1; j < contestants.size(); ++j) {
      for (const Measure measure : measures) {
        PairOrder order = pair_order(result.rows, i, j, measure);
        if (order.sizes > 0) result.orders.push_back(std::move(order));
      }
    }
  }
  result.remarks = detail::remarks_on(result, contestants);
  for (std::string& remark : table.untimed(result)) result.remarks.push_back(std::move(remark));
  return result;
}

/// The fastest of all machines at each n where there are two to choose from.
std::vector<Fastest> fastest_over(const std::vector<MachineResult>& machines,
                                  const std::vector<std::int64_t>& sizes,
                                  const std::vector<bool>& has_row, Measure measure) {
  std::vector<Fastest> result;
  for (std::size_t at = 0; at < sizes.size(); ++at) {
    std::vector<Fastest> all;
    std::set<std::size_t> programs;
    for (std::size_t m = 0; m < machines.size(); ++m) {
      if (machines[m].rows.empty()) continue;
      const SizeRows& row = machines[m].rows[at];
      for (std::size_t i = 0; i < row.entries.size(); ++i) {
        const auto ms = value_of(row.entries[i], measure);
        // A program without a row has the same time on every machine.
        if (!ms || (!has_row[i] && !programs.insert(i).second)) continue;
        all.push_back({row.n, has_row[i] ? std::optional(m) : std::nullopt, i, *ms});
      }
    }
    if (all.size() < 2) continue;
    result.push_back(*std::min_element(
        all.begin(), all.end(), [](const Fastest& a, const Fastest& b) { return a.ms < b.ms; }));
  }
  return result;
}

/// Throws UsageError with the first reason when nobody ran anywhere.
void require_someone(const Comparison& comparison) {
  std::string reason;
  const auto because = [&](const std::string& why) {
    if (reason.empty()) reason = why;
  };
  for (const MachineResult& result : comparison.machines) {
    because(result.machine.refusal);
    for (const SizeRows& row : result.rows) {
      for (const Row& entry : row.entries) {
        if (entry.counted || entry.measured) return;
        because(entry.refusal);
      }
    }
    for (const std::string& remark : result.remarks) because(remark);
  }
  throw UsageError("no contestant can be compared: " + reason);
}

}  // namespace

Comparison compare(const Registry& registry, const Options& options) {
  require_contestants(options.contestants);
  detail::Table table(registry, options);
  Comparison comparison;
  comparison.generated = utc_now();
  comparison.contestants = options.contestants;
  for (std::size_t i = 0; i < options.contestants.size(); ++i) {
    comparison.has_row.push_back(table.has_row(i));
    comparison.kinds.push_back({table.kinds().of[i].type, table.kinds().of[i].input});
  }
  comparison.remarks = table.kinds().remarks;
  comparison.seed = options.seed;
  for (const ComparedMachine& machine : options.machines) {
    comparison.machines.push_back(compare_on(machine, options.contestants, table));
  }
  require_someone(comparison);
  if (comparison.machines.size() > 1) {
    comparison.fastest_predicted =
        fastest_over(comparison.machines, options.sizes, comparison.has_row, Measure::predicted);
    comparison.fastest_measured =
        fastest_over(comparison.machines, options.sizes, comparison.has_row, Measure::measured);
  }
  return comparison;
}

}  // namespace agpusim::contest

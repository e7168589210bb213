#include "agpusim/commands/analyze/scores.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "agpusim/commands/analyze/limiting.hpp"
#include "agpusim/validation/io/stats.hpp"

namespace agpusim {
namespace {

/// Rows that belong together; a name is empty where they may differ in it.
struct Rows {
  std::string family;
  std::string algorithm;
  std::string variant;
  std::string machine;
  std::vector<const AnalysisRow*> rows;
};

Rows of_family(const AnalysisGroup& group) { return {group.family, {}, {}, {}, {}}; }
Rows of_form(const AnalysisGroup& group) {
  return {group.family, group.algorithm, group.variant, {}, {}};
}
Rows of_machine(const AnalysisGroup& group) {
  return {group.family, group.algorithm, group.variant, group.machine, {}};
}

std::vector<Rows> gather(const std::vector<AnalysisGroup>& groups,
                         Rows (*names_of)(const AnalysisGroup&)) {
  std::vector<Rows> all;
  for (const AnalysisGroup& group : groups) {
    Rows names = names_of(group);
    const auto found = std::find_if(all.begin(), all.end(), [&](const Rows& one) {
      return std::tie(one.family, one.algorithm, one.variant, one.machine) ==
             std::tie(names.family, names.algorithm, names.variant, names.machine);
    });
    Rows& rows = found != all.end() ? *found : all.emplace_back(std::move(names));
    for (const AnalysisRow& row : group.rows) rows.rows.push_back(&row);
  }
  return all;
}

template <class F>
std::vector<double> map_rows(const Rows& rows, F value) {
  std::vector<double> values;
  std::transform(rows.rows.begin(), rows.rows.end(), std::back_inserter(values),
                 [&](const AnalysisRow* row) { return value(*row); });
  return values;
}

std::vector<double> errors_of(const Rows& rows) {
  return map_rows(rows, [](const AnalysisRow& row) { return std::abs(row.error); });
}

double ratio_of(const Rows& rows) {
  return median(map_rows(rows, [](const AnalysisRow& row) { return 1 + row.error; }));
}

std::vector<std::string> limits_of(const Rows& rows) {
  std::vector<std::string> limits;
  for (const LimitStretch& stretch : limits_by_size(rows.rows)) limits.push_back(stretch.limit);
  return limits;
}

/// What the largest part and all parts of the prediction are of the measured time.
std::string reason_of(const Rows& rows, double ratio, const std::string& limit) {
  const auto of_measured = [&](const AnalysisRow& row) {
    const auto part = row.predicted->parts.find(limit);
    return part == row.predicted->parts.end() ? 0 : part->second / row.measured->ms;
  };
  const double part = median(map_rows(rows, of_measured));
  const std::string most = fmt::format("{} is predicted at {:.0f} %", limit, 100 * part);
  if (part > 1) return most + " of the measured time";
  return fmt::format("{} of the measured time, all parts at {:.0f} %{}", most, 100 * ratio,
                     ratio < 1 ? ": the rest is not predicted" : "");
}

std::vector<Score> score_each(const std::vector<Rows>& all) {
  std::vector<Score> scores;
  for (const Rows& rows : all) {
    const std::vector<double> errors = errors_of(rows);
    const auto [least, most] = std::minmax_element(
        rows.rows.begin(), rows.rows.end(),
        [](const AnalysisRow* a, const AnalysisRow* b) { return a->n() < b->n(); });
    std::set<std::string> algorithms;
    for (const AnalysisRow* const row : rows.rows) algorithms.insert(row->run.config.algorithm);
    scores.push_back({rows.family, rows.algorithm, rows.variant, std::ssize(algorithms),
                      std::ssize(errors), (*least)->n(), (*most)->n(), limits_of(rows),
                      ratio_of(rows), median(errors), mean(errors), quantile(errors, 0.9),
                      share_within(errors)});
  }
  return scores;
}

}  // namespace

std::vector<Score> scores_of(const std::vector<AnalysisGroup>& groups) {
  return score_each(gather(groups, of_form));
}

std::vector<Score> scores_of_families(const std::vector<AnalysisGroup>& groups) {
  return score_each(gather(groups, of_family));
}

std::vector<WorstMachine> worst_machines(const std::vector<AnalysisGroup>& groups) {
  constexpr std::size_t most = 5;
  constexpr double good = 0.1;
  std::vector<WorstMachine> worst;
  for (const Rows& rows : gather(groups, of_machine)) {
    const std::vector<double> errors = errors_of(rows);
    const double error = median(errors);
    if (error <= good) continue;
    const auto known = std::find_if(worst.begin(), worst.end(), [&](const WorstMachine& one) {
      return std::tie(one.algorithm, one.variant) == std::tie(rows.algorithm, rows.variant);
    });
    if (known != worst.end() && known->error_median >= error) continue;
    WorstMachine& machine = known != worst.end() ? *known : worst.emplace_back();
    const double ratio = ratio_of(rows);
    const std::string limit = limit_of(rows.rows);
    machine = {rows.algorithm, rows.variant, rows.machine, static_cast<std::int64_t>(errors.size()),
               ratio,          error,        limit,        reason_of(rows, ratio, limit)};
  }
  std::stable_sort(worst.begin(), worst.end(), [](const WorstMachine& a, const WorstMachine& b) {
    return a.error_median > b.error_median;
  });
  if (worst.size() > most) worst.resize(most);
  return worst;
}

}  // namespace agpusim

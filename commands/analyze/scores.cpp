#include "agpusim/commands/analyze/scores.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "agpusim/commands/analyze/limiting.hpp"
#include "agpusim/validation/io/stats.hpp"

namespace agpusim {
namespace {

/// Rows that belong together.
struct Rows {
  std::string algorithm;
  std::string variant;
  std::string machine;  ///< empty: of all
  std::vector<const AnalysisRow*> rows;
};

std::vector<Rows> gather(const std::vector<AnalysisGroup>& groups, bool by_machine) {
  std::vector<Rows> all;
  for (const AnalysisGroup& group : groups) {
    const std::string machine = by_machine ? group.machine : "";
    const auto found = std::find_if(all.begin(), all.end(), [&](const Rows& one) {
      return std::tie(one.algorithm, one.variant, one.machine) ==
             std::tie(group.algorithm, group.variant, machine);
    });
    Rows& rows = found != all.end()
                     ? *found
                     : all.emplace_back(Rows{group.algorithm, group.variant, machine, {}});
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

}  // namespace

std::vector<Score> scores_of(const std::vector<AnalysisGroup>& groups) {
  std::vector<Score> scores;
  for (const Rows& rows : gather(groups, false)) {
    const std::vector<double> errors = errors_of(rows);
    const auto [least, most] = std::minmax_element(
        rows.rows.begin(), rows.rows.end(),
        [](const AnalysisRow* a, const AnalysisRow* b) { return a->n() < b->n(); });
    scores.push_back({rows.algorithm, rows.variant, static_cast<std::int64_t>(errors.size()),
                      (*least)->n(), (*most)->n(), limits_of(rows), ratio_of(rows), median(errors),
                      quantile(errors, 0.9), share_within(errors)});
  }
  return scores;
}

std::vector<Family> worst_families(const std::vector<AnalysisGroup>& groups) {
  constexpr std::size_t most = 5;
  constexpr double good = 0.1;
  std::vector<Family> families;
  for (const Rows& rows : gather(groups, true)) {
    const std::vector<double> errors = errors_of(rows);
    const double error = median(errors);
    if (error <= good) continue;
    const auto worse = std::find_if(families.begin(), families.end(), [&](const Family& one) {
      return std::tie(one.algorithm, one.variant) == std::tie(rows.algorithm, rows.variant);
    });
    if (worse != families.end() && worse->error_median >= error) continue;
    Family& family = worse != families.end() ? *worse : families.emplace_back();
    const double ratio = ratio_of(rows);
    const std::string limit = limit_of(rows.rows);
    family = {rows.algorithm, rows.variant, rows.machine, static_cast<std::int64_t>(errors.size()),
              ratio,          error,        limit,        reason_of(rows, ratio, limit)};
  }
  std::stable_sort(families.begin(), families.end(), [](const Family& a, const Family& b) {
    return a.error_median > b.error_median;
  });
  if (families.size() > most) families.resize(most);
  return families;
}

}  // namespace agpusim

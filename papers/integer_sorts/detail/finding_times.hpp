#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agpusim/papers/integer_sorts/experiment.hpp"

/// What the findings of an experiment are judged with.
namespace agpusim::detail {

/// One set of times: of a row, the milliseconds of "CUB", "H-P", "1-H-P" or "0-compressed".
struct FindingTimes {
  std::string name;
  std::function<std::optional<double>(const ExperimentRow&, const std::string& sort)> of;
  bool counts_cub = true;  ///< false: CUB's time is interpolated, so nothing is learned about it

  /// Whether `sort` takes the shortest time of CUB and the paper's three sorts; nothing when a time
  /// is missing.
  [[nodiscard]] std::optional<bool> is_fastest(const ExperimentRow& row,
                                               const std::string& sort) const;
  /// Whether `a` takes less time than `b`.
  [[nodiscard]] std::optional<bool> is_faster(const ExperimentRow& row, const std::string& a,
                                              const std::string& b) const;
};

/// The paper's programs, predictions and our rows as measured, the latter also against fitted CUB.
[[nodiscard]] std::vector<FindingTimes> finding_times();

/// Counts in how many places a statement holds.
class Tally {
 public:
  /// One place; nothing: it cannot be checked there.
  void add(std::optional<bool> holds);
  [[nodiscard]] Judgement judgement(std::string numbers) const;
  [[nodiscard]] std::int64_t checked() const { return checked_; }
  [[nodiscard]] std::int64_t held() const { return held_; }

 private:
  std::int64_t checked_ = 0;
  std::int64_t held_ = 0;
};

using Selection = std::vector<const ExperimentRow*>;

/// The rows that `keep` wants, in order.
[[nodiscard]] Selection select(const Selection& rows,
                               const std::function<bool(const ExperimentCell&)>& keep);

using Question = std::function<std::optional<bool>(const ExperimentRow&)>;

/// "panel: sizes where it is true; ..."
[[nodiscard]] std::string where(const Selection& rows, const Question& question);

/// "median 1.02, 0.98 to 1.10"
[[nodiscard]] std::string median_and_extremes(const std::vector<double>& values);

/// 1300000 as "1.3 M", 200000 as "0.2 M".
[[nodiscard]] std::string millions(std::int64_t n);

/// The sizes at which something is true, as runs of neighbouring ones: "0.2-2 M, 20 M"; "nowhere".
[[nodiscard]] std::string size_ranges(const std::vector<std::pair<std::int64_t, bool>>& sizes);

}  // namespace agpusim::detail

#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/papers/integer_sorts/experiment.hpp"

/// What the findings of an experiment are judged with.
namespace agpusim::detail {

using Inputs = std::vector<const contest::Event*>;
using Question = std::function<std::optional<bool>(const contest::Event&)>;

/// One set of times: of an input, the milliseconds of "CUB", "H-P", "1-H-P" or "0-compressed".
struct FindingTimes {
  std::string name;
  std::optional<double> (*time)(const contest::Event&, const std::string& team,
                                const std::string& sort) = measured_ms;
  const char* team = team::ours;  ///< who wrote the sorts besides CUB
  const char* cub = "CUB";        ///< which form of CUB they are compared with

  [[nodiscard]] std::optional<double> of(const contest::Event& input,
                                         const std::string& sort) const;
  /// Whether `sort` takes the shortest time of CUB and the paper's three sorts; nothing when a time
  /// is missing.
  [[nodiscard]] std::optional<bool> is_fastest(const contest::Event& input,
                                               const std::string& sort) const;
  /// Whether `a` takes less time than `b`.
  [[nodiscard]] std::optional<bool> is_faster(const contest::Event& input, const std::string& a,
                                              const std::string& b) const;
};

/// The paper's programs, predictions and our rows as measured, the latter also against fitted CUB.
[[nodiscard]] const std::vector<FindingTimes>& finding_times();

/// Counts in how many places a statement holds.
struct Tally {
  std::int64_t checked = 0;
  std::int64_t held = 0;

  /// One place; nothing: it cannot be checked there.
  void add(std::optional<bool> holds);
  [[nodiscard]] Judgement judgement(std::string numbers) const;
  /// The numbers are "name: median 1.02, 0.98 to 1.10".
  [[nodiscard]] Judgement judgement(const std::string& name,
                                    const std::vector<double>& ratios) const;
};

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

/// In how many inputs the answer is yes from n = `from` on, and no before.
[[nodiscard]] Tally tally(const Inputs& inputs, const Question& question, std::int64_t from = 0);

/// "panel: sizes where it is true, neighbouring ones as 0.2-2 M; ..."
[[nodiscard]] std::string where(const Inputs& inputs, const Question& question);

/// 1300000 as "1.3 M", 200000 as "0.2 M".
[[nodiscard]] std::string millions(std::int64_t n);

}  // namespace agpusim::detail

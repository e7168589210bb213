#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/papers/common/contest.hpp"
#include "agpusim/papers/integer_sorts/findings.hpp"

namespace agpusim {

/// The five data sets of seed 000 (Kozakai 2022, sections 6.3.1 to 6.3.5): families of the plan's
/// panels.
namespace key_family {
inline constexpr std::string_view distinct = "distinct";      ///< no key twice
inline constexpr std::string_view duplicates = "duplicates";  ///< delta and sigma given
inline constexpr std::string_view fixed_len = "fixed len";    ///< delta and len given
inline constexpr std::string_view full_range = "len = range";
inline constexpr std::string_view fixed_max_value = "fixed maxVal";  ///< range and sigma given
}  // namespace key_family

/// One input of the experiment. The paper's symbols: delta = n / range, len = number of values the
/// input draws from, sigma = range / len, maxVal = range (minVal is 0 everywhere).
struct ExperimentCell {
  std::string family;
  std::string panel;  ///< what is the same along n, e.g. "delta = 10, sigma = 50"
  std::string title;  ///< title of the family
  std::int64_t n = 0;
  double delta = 0;  ///< as the family gives it, 0 where it varies with n
  double sigma = 0;  ///< as the family gives it, 0 where it varies with n
  std::int64_t range = 0;
  std::int64_t len = 0;
  std::string input;
};

[[nodiscard]] ExperimentCell cell_of(const contest::Event& event);

/// Who is fastest in a cell among one form of CUB and our sorts.
struct ExperimentVerdict {
  std::string predicted_winner;  ///< a sort
  std::string measured_winner;   ///< a sort
  double loss = 0;  ///< measured time of the predicted winner over that of the measured one, - 1
};

/// One cell of the experiment with everyone that takes part.
struct ExperimentRow {
  ExperimentCell cell;
  std::vector<contest::PlannedRun> entries;
  std::optional<ExperimentVerdict> against_cub;     ///< CUB sorts by all 32 bits, as in the paper
  std::optional<ExperimentVerdict> against_fitted;  ///< CUB sorts by the bits of the range
};

/// How often the predicted winner is the measured one; inputs of two families count once.
struct ExperimentScore {
  std::string peer;        ///< "CUB" or "CUB fitted"
  std::int64_t cells = 0;  ///< with a complete prediction and measurement
  std::int64_t right = 0;
  std::int64_t near = 0;           ///< right, or the predicted winner is within 5 % of the fastest
  std::int64_t side = 0;           ///< the peer is predicted fastest where it is, and only there
  std::optional<double> spearman;  ///< correlation of predicted with measured our H-P / peer
};

/// The experiment of seed 000 on one device; every writer reads this struct.
struct Experiment {
  Environment environment;
  std::string generated;  ///< ISO 8601, UTC
  std::vector<ExperimentRow> rows;
  std::vector<ExperimentScore> scores;
  std::vector<Finding> findings;
  std::int64_t unmeasured = 0;   ///< runs of the plan without a record
  std::int64_t unpredicted = 0;  ///< runs of our rows whose counts nobody knows
  std::int64_t foreign = 0;      ///< records of no run of the plan
};

/// Holds the contest of the plan and judges it; CUB is predicted by records of its own
/// (`calibration`). Throws as contest::hold does.
[[nodiscard]] Experiment integer_sorts_experiment(const contest::Plan& plan,
                                                  const Registry& registry,
                                                  const contest::ContestOptions& options,
                                                  const std::vector<TimingRecord>& calibration);

/// Who wrote a contestant: cub::DeviceRadixSort; the paper's pipelines, in CUDA; rows of the
/// algorithm table, one source for both machines.
namespace team {
inline constexpr const char* cub = "cub";
inline constexpr const char* seed = "seed";
inline constexpr const char* ours = "ours";
}  // namespace team

/// Shortest time of a team's sort in a row, over its contestants; nothing when one of those that
/// take part lacks it.
[[nodiscard]] std::optional<double> measured_ms(const ExperimentRow& row, const std::string& team,
                                                const std::string& sort);
[[nodiscard]] std::optional<double> predicted_ms(const ExperimentRow& row, const std::string& team,
                                                 const std::string& sort);

}  // namespace agpusim

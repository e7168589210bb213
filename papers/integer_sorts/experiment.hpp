#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/papers/common/contest.hpp"
#include "agpusim/papers/integer_sorts/findings.hpp"

// The experiment of seed 000 (Kozakai 2022). The families of the plan's panels are its data sets,
// sections 6.3.1 to 6.3.5. Its symbols: delta = n / range, len = number of values the input draws
// from, sigma = range / len, maxVal = range (minVal is 0 everywhere).
namespace agpusim {

/// Who wrote a contestant: cub::DeviceRadixSort; the paper's pipelines, in CUDA; rows of the
/// algorithm table, one source for both machines.
namespace team {
inline constexpr const char* cub = "cub";
inline constexpr const char* seed = "seed";
inline constexpr const char* ours = "ours";
}  // namespace team

/// Shortest time of a team's sort on an input, over its contestants; nothing when one of those that
/// take part lacks it.
[[nodiscard]] std::optional<double> measured_ms(const contest::Event& input,
                                                const std::string& team, const std::string& sort);
[[nodiscard]] std::optional<double> predicted_ms(const contest::Event& input,
                                                 const std::string& team, const std::string& sort);

/// Who is fastest on an input among one form of CUB and our sorts.
struct ExperimentVerdict {
  std::string predicted_winner;  ///< a sort
  std::string measured_winner;   ///< a sort
  double loss = 0;  ///< measured time of the predicted winner over that of the measured one, - 1
};

/// `peer`: "CUB", which sorts by all 32 bits, as in the paper, or "CUB fitted", by the bits of the
/// range. Nothing when a time is missing or nobody of ours takes part.
[[nodiscard]] std::optional<ExperimentVerdict> verdict(const contest::Event& input,
                                                       const std::string& peer);

/// How often the predicted winner is the measured one; inputs of two families count once.
struct ExperimentScore {
  std::string peer;        ///< "CUB" or "CUB fitted"
  std::int64_t cells = 0;  ///< with a complete prediction and measurement
  std::int64_t right = 0;
  std::int64_t near = 0;           ///< right, or the predicted winner is within 5 % of the fastest
  std::int64_t side = 0;           ///< the peer is predicted fastest where it is, and only there
  std::optional<double> spearman;  ///< correlation of predicted with measured our H-P / peer
};

[[nodiscard]] ExperimentScore score(const std::vector<contest::Event>& inputs,
                                    const std::string& peer);

/// Holds the contest of the plan; CUB is predicted by records of its own (`calibration`). Throws as
/// contest::hold does.
[[nodiscard]] contest::Contest integer_sorts_contest(const contest::Plan& plan,
                                                     const Registry& registry,
                                                     const contest::ContestOptions& options,
                                                     const std::vector<TimingRecord>& calibration);

}  // namespace agpusim

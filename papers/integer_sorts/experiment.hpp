#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/papers/common/contest.hpp"
#include "agpusim/validation/records/device_file.hpp"
#include "agpusim/validation/report/report.hpp"

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

/// The 8-bit digits that a run of cub_radix_sort sorts by, which is the number of its passes over
/// the keys: 4 for "all_bits", else those of the bits on which the values of the range differ.
[[nodiscard]] std::int32_t cub_radix_passes(const RunConfig& config);

/// Time of cub::DeviceRadixSort by number of passes and n: calibrated by runs of its own, not
/// counted. Uniform keys; the time of other keys differs by up to a quarter.
class CubRadixModel {
 public:
  /// From records of cub_radix_sort; others are ignored. Of several records of one size and number
  /// of passes the one with the latest date counts.
  explicit CubRadixModel(const std::vector<TimingRecord>& calibration);

  /// Milliseconds, between neighbouring sizes linear in lg time over lg n; nothing outside the
  /// calibrated sizes.
  [[nodiscard]] std::optional<double> milliseconds(const RunConfig& config) const;

 private:
  std::map<std::int32_t, std::map<std::int64_t, double>> medians_;  // ms by passes and n
};

/// Holds the contest of the plan; CUB is predicted by records of its own (`calibration`). Throws as
/// contest::hold does.
[[nodiscard]] contest::Contest integer_sorts_contest(const contest::Plan& plan,
                                                     const Registry& registry,
                                                     const contest::ContestOptions& options,
                                                     const std::vector<TimingRecord>& calibration);

/// Whether a finding is true of one set of times.
enum class Verdict {
  holds,   ///< everywhere it was checked
  partly,  ///< in half of the places or more
  fails,   ///< in fewer than half of them
  unknown  ///< nowhere to check: times are missing, or the border lies outside the sizes
};

[[nodiscard]] std::string to_string(Verdict verdict);

/// A finding against one set of times.
struct Judgement {
  std::string times;  ///< whose times, e.g. "counts predict"
  Verdict verdict = Verdict::unknown;
  std::int64_t checked = 0;  ///< places where the finding says something and times are known
  std::int64_t held = 0;     ///< checked places where it is true
  std::string numbers;       ///< what was found instead, in one line
};

/// One statement of the paper, as something that times can confirm or refute.
struct Finding {
  std::string section;  ///< section of the paper
  std::string statement;
  std::vector<Judgement> judgements;
};

/// The findings of a file, each judged by the paper's programs on the measured device, by the times
/// that the counts predict for our rows, and by our rows as measured, against CUB by all bits and
/// by the bits of the range. Throws IoError and FileError.
///
/// A finding takes `about`, a list of conditions of which one must be true of an input: a family,
/// and numbers of delta, sigma, n, range or len, or [smallest, largest], null where there is none.
[[nodiscard]] std::vector<Finding> integer_sorts_findings(const std::vector<contest::Event>& inputs,
                                                          const std::filesystem::path& path);

/// The times of every input, a table and a plot per family of keys; what the paper says and what
/// became of it; how often the winner is predicted. Times in milliseconds.
[[nodiscard]] report::Report to_report(const contest::Contest& contest);

/// An input of the benchmark of the sorts from counts (bench/counting_sort.cu), with the medians of
/// its times in microseconds.
struct CountingSorts {
  std::string input;               ///< kind of keys
  std::int64_t n = 0;              ///< keys
  std::int64_t range = 0;          ///< range of the keys; "few in 2^32": number of values
  double copy = 0;                 ///< copying the keys, by cudaMemcpyAsync
  double fitted = 0;               ///< cub::DeviceRadixSort by the bits of the range
  std::optional<double> all_bits;  ///< cub::DeviceRadixSort by 32 bits
  std::optional<double> seed;      ///< the H-P sort of seed 000
  std::string chosen;              ///< the method that counting_sort takes for a sample of the keys
  double predicted = 0;            ///< the time that it is chosen for
  std::optional<double> ours;      ///< the time of that method, where it was measured; of CUB by
                                   ///< range as well, where it had to give up
  std::string fastest;             ///< fastest method that sorted the keys, CUB by range among them
  double least = 0;                ///< its time
};

/// Reads a file of the benchmark and chooses by the constants of the device. Throws IoError and
/// FileError.
[[nodiscard]] std::vector<CountingSorts> read_counting_sorts(const std::filesystem::path& path,
                                                             const DeviceFile& device);

/// Who wins where.
[[nodiscard]] report::Section counting_sorts_section(const std::vector<CountingSorts>& inputs);

}  // namespace agpusim

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim::statistics_experiment {

/// What the paper's programs compute.
inline constexpr const char* paper_problems[] = {"minmax", "statistics"};

/// One row of tables 4.2 and 4.3 of Nishimura and Toyonaga (seed 003) on one card.
struct SeedTime {
  std::string card;          ///< for example "GeForce GTX 480"
  std::string problem;       ///< "minmax" or "statistics"
  std::int64_t n = 0;        ///< numbers, in ascending order
  double single_us = 0;      ///< Ts: one thread of the GPU
  double parallel_us = 0;    ///< Tm: the tournament
  double printed_ratio = 0;  ///< Ts / Tm as printed, one digit after the point
};

struct SeedTimes {
  std::string source;  ///< paper, tables and how the times were taken
  std::vector<SeedTime> times;
};

/// Reads the transcription. Throws IoError when the file cannot be read; FileError that names the
/// field for invalid JSON, another schema, an unknown problem, a time that is not positive and a
/// row that stands there twice.
[[nodiscard]] SeedTimes load_seed_times(const std::filesystem::path& path);

/// A card of the paper as the account needs it.
struct Card {
  std::string name;     ///< as the tables print it
  std::string machine;  ///< name of the abstract machine
  AgpuSpec spec;
  double clock_mhz = 0;       ///< clock of the processors, table 4.1
  double bandwidth_peak = 0;  ///< GB/s, table 4.1
};

/// What the time model charges a run with.
struct Charges {
  double launches = 0;  ///< Φ
  double time = 0;      ///< T
  double bytes = 0;     ///< Q·b words of w bits
};

/// t = launch_us·Φ + time_unit_us·T + byte_us·bytes (theory 6.1).
struct TimeModel {
  double launch_us = 0;
  double time_unit_us = 0;
  double byte_us = 0;

  [[nodiscard]] double microseconds(const Charges& charges) const;
  /// What the bytes of the counts stream at; infinite when they are free.
  [[nodiscard]] double gigabytes_per_second() const { return 1e-3 / byte_us; }
};

/// A measured time beside a prediction that has not seen it.
struct AccountRow {
  std::string problem;  ///< "minmax" or "statistics"
  std::int64_t n = 0;
  double measured_us = 0;
  Charges charges;
  double predicted_us = 0;
  double error = 0;  ///< predicted / measured - 1
};

/// Constants and what they were fitted to.
struct Fit {
  std::string trained_on;  ///< a problem, or "both"
  TimeModel model;
  double training_mape = 0;  ///< mean of |error| over the rows of the fit
};

/// Two problems, each predicted from the constants of the other.
struct CrossFit {
  std::string what;              ///< times and rounds: "Tm, ceil(log2 N) rounds"
  std::vector<Fit> fits;         ///< one per problem; last, "both", which predicts nothing
  std::vector<AccountRow> rows;  ///< in the order given
  double mape = 0;               ///< mean of |error| over `rows`
  std::size_t worst = 0;         ///< index of the row with the largest |error|
};

/// Which of the charges take part in a fit.
enum class Law { launches_time_bytes, time };

/// Fits the constants (>= 0, least squares of the relative error) to the rows of each problem and
/// predicts the rows of the other problem with them. Throws std::invalid_argument unless there are
/// rows of exactly two problems, all with a positive time.
[[nodiscard]] CrossFit cross_fit(std::vector<AccountRow> rows, Law law, std::string what = "");

/// How many rounds a tournament of n numbers ran.
enum class Rounds {
  ceil_lg,  ///< ceil(log2 n): what the result needs
  floor_ln  ///< floor of C's log(n), as the host code of the paper spells it
};

[[nodiscard]] std::int64_t rounds_of(Rounds rule, std::int64_t n);

/// The charges of a run whose closed form has ceil(log2 n) rounds, as if it had stopped after the
/// first `rounds` of them: kernels that every round launches count so often less, others once.
[[nodiscard]] Charges charges_of(const RunConfig& config, const std::vector<PhaseReport>& forms,
                                 std::int64_t rounds);

/// The ten times Tm and the ten times Ts of a card.
struct CardAccount {
  Card card;
  CrossFit lg;    ///< Tm, ceil(log2 n) rounds, sums of 32 bits as in the paper
  CrossFit ln;    ///< Tm, floor(ln n) rounds
  CrossFit wide;  ///< Tm, ceil(log2 n) rounds, sums of 64 bits, which do not overflow
  std::optional<CrossFit> single;  ///< Ts from T of one lane; none without those rows
  CrossFit single_by_n;            ///< Ts in proportion to n
};

struct Account {
  std::string source;
  std::vector<CardAccount> cards;
  std::vector<std::string> missing;  ///< rows that this build does not have
};

/// Accounts for the times of the paper with the counts of minmax_tournament/copy,
/// statistics_tournament/copy, minmax/one_lane and statistics/one_lane on each card's machine, a
/// pair per thread as in the paper, numbers in ascending order. The paper adds up 32-bit integers,
/// which overflow; our row for i32 has sums of 64 bits, so that the row for f32 is the one that
/// moves as much as the paper's program. Without the tournaments there are no cards. Throws
/// UsageError when a machine cannot run a row.
[[nodiscard]] Account account(const Registry& registry, const SeedTimes& times,
                              const std::vector<Card>& cards);

}  // namespace agpusim::statistics_experiment

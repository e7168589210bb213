#pragma once

#include "agpusim/commands/compare/comparison.hpp"

namespace agpusim::test {

/// What an invented algorithm costs, by n.
struct InventedCost {
  std::function<std::int64_t(std::int64_t n)> time;
  std::function<std::int64_t(std::int64_t n)> io;
};

/// A row of one phase with this T and Q, whose lower bounds are T >= n/p and Q >= 2n/b. It has the
/// parameters "range" (default n) and "rows" (default 8), and refuses n above `largest`.
[[nodiscard]] Algorithm invented_row(const std::string& name, const InventedCost& cost,
                                     std::int64_t largest = std::int64_t{1} << 40);

/// "power" with T = n^2 and Q = 3 ceil(n/32), "line" with T = 64n and Q = 2 ceil(n/32), "echo" with
/// the T and Q of "line", "small" as "power" for n <= 1000 only.
[[nodiscard]] Registry invented_registry();

/// Rows of the table made of values instead of runs: of each n, one value per contestant.
struct MadeRow {
  std::int64_t n = 0;
  std::vector<std::int64_t> times;
  std::vector<double> measured_ms;
};

/// Entries with these T and these measured times, within 1 %. T < 0 and a time of 0: missing.
[[nodiscard]] std::vector<contest::SizeRows> made_rows(const std::vector<MadeRow>& rows);

/// A record of `algorithm` on "Fake GPU" with samples of exactly `milliseconds`.
[[nodiscard]] TimingRecord invented_record(const RunConfig& config, double milliseconds);

/// The machine of the fake device, predicted with its constants.
[[nodiscard]] contest::ComparedMachine fake_machine();

/// The contestants of these names.
[[nodiscard]] std::vector<contest::Contestant> contestants(const std::vector<std::string>& names);

/// A comparison of these at n = 10, 100, 1000 and 10000 on the fake machine.
[[nodiscard]] contest::Options options_of(const std::vector<std::string>& names);

/// The complete run of an invented row.
[[nodiscard]] RunConfig run_of(const std::string& algorithm, std::int64_t n);

/// A run of "library", a program that is in no table, on keys of a range.
[[nodiscard]] RunConfig library_run(std::int64_t n, std::int64_t range);

/// The order of the first pair by a measure.
[[nodiscard]] const contest::PairOrder& order_of(const contest::MachineResult& result,
                                                 contest::Measure measure);

/// All remarks of a comparison, one per line.
[[nodiscard]] std::string remarks_of(const contest::Comparison& comparison);

}  // namespace agpusim::test

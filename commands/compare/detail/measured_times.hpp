#pragma once

#include <map>
#include <string>
#include <vector>

#include "agpusim/commands/compare/comparison.hpp"

namespace agpusim::contest::detail {

/// A record that was looked for, or how many there are when the question was not precise enough.
struct Found {
  const TimingRecord* record = nullptr;
  std::vector<std::string> choices;  ///< parameters of the runs that fit, when several do
};

/// Timing records by run. The records must outlive it.
class MeasuredTimes {
 public:
  explicit MeasuredTimes(const std::vector<TimingRecord>& records);

  /// The latest record of a program without a row: algorithm, variant, type, n, input and seed are
  /// those of `wanted`; it has the parameters of `wanted`, and where it has one of `keys` the same
  /// value. Such programs depend on no machine.
  [[nodiscard]] Found of_program(const std::string& device, const RunConfig& wanted,
                                 const std::map<std::string, std::int64_t>& keys) const;

  /// Every record of a program, whatever its variant, type and size.
  [[nodiscard]] const std::vector<const TimingRecord*>& of_algorithm(
      const std::string& algorithm) const;

 private:
  std::map<std::string, std::vector<const TimingRecord*>> by_algorithm_;
};

}  // namespace agpusim::contest::detail

#pragma once

#include <map>
#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim::protocol {

/// The warp instructions that the kernels of an algorithm execute, from profiles of launches of any
/// size: what only the built kernel knows.
class ProfiledKernels {
 public:
  /// Takes the records that count instructions and whose run's counts are stored or derived.
  ProfiledKernels(const Registry& registry, const std::vector<CounterRecord>& records);

  /// Warp instructions of each phase of a run with these counts; 0 for a kernel that was not
  /// profiled with this type and machine. Between sizes the ratio to counted instructions and the
  /// prologue together is kept, that of the launch with the most similar number of instructions per
  /// warp.
  [[nodiscard]] std::vector<double> executed(const RunConfig& config,
                                             const std::vector<PhaseReport>& phases,
                                             double prologue) const;

  /// Instructions of a warp beyond those counted, for each kernel of an algorithm, type and width:
  /// the median of its launches with at most 1,500 counted ones per warp (in longer ones errors of
  /// the prices of what is counted are larger than the prologue).
  [[nodiscard]] std::vector<double> prologues() const;

 private:
  struct Launch {
    double counted;   ///< instructions per warp
    double executed;  ///< instructions per warp
  };
  std::map<std::string, std::vector<Launch>> launches_;  // by what kernel_key tells apart
  std::map<std::string, std::vector<double>> beyond_counted_;
};

}  // namespace agpusim::protocol

#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "agpusim/validation/ranks/work.hpp"
#include "agpusim/validation/sweep/point_file.hpp"
#include "agpusim/validation/sweep/sweep.hpp"

// The runs of a sweep as tasks that processes share.
namespace agpusim::sweep {

/// The task of a run is to count it: its result is the line of its point, and what is known of it
/// are such lines. Runs and options must outlive the work.
[[nodiscard]] ranks::Work shared_work(const std::vector<Run>& runs, const Options& options);

/// Points that were kept, by their run; they must outlive this.
class KnownByRun {
 public:
  KnownByRun(const KnownPoints& points, Whole whole);
  /// The lines of a run's points, by whatever kernels.
  [[nodiscard]] std::string lines(const Run& run) const;

 private:
  Whole whole_;
  std::unordered_multimap<std::string, const Point*> points_;  ///< by key_of the run
};

}  // namespace agpusim::sweep

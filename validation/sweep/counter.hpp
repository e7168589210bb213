#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "agpusim/validation/counts/stored_counts.hpp"
#include "agpusim/validation/sweep/sweep.hpp"

namespace agpusim::sweep {

/// Counts one run after another, from any thread.
class Counter {
 public:
  explicit Counter(const Options& options);

  /// The point of a run; one of `known` is not simulated again. What a row refuses and what cannot
  /// be counted is a point with its reason. Throws Mismatch as count_points does.
  [[nodiscard]] Point operator()(const Run& run, const KnownPoints* known);

 private:
  void fill(Point& point, const Run& run, const KnownPoints* known);
  std::uint64_t fingerprint(const Run& run);

  const Options& options_;
  std::mutex fingerprint_mutex_;
  Fingerprints fingerprints_;
};

/// All that decides what a run costs and how a table names it, whatever state of the kernels and of
/// the constants it was counted in.
[[nodiscard]] std::string identity(const Run& run);
/// The same of a point.
[[nodiscard]] std::string identity(const Point& point);

/// What a key begins with: config_to_json of the run.
[[nodiscard]] std::string run_text(const std::string& key);

/// The key of a run's point but for its kernels.
[[nodiscard]] std::string key_of(const Run& run);
/// The same of a point.
[[nodiscard]] std::string key_of_run(const Point& point);

}  // namespace agpusim::sweep

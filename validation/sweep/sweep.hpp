#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agpusim/algorithms/pram_registry.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/records/device_file.hpp"

// Counts, formulas, bounds and predicted times of algorithms over sizes and machines.
namespace agpusim::sweep {

/// One run to count: on AGPU, where `algorithm` is set, or on a PRAM.
struct Run {
  std::string program;  ///< as tables show it, for example "scan:blelloch" or "pram/sum"
  const Algorithm* algorithm = nullptr;
  RunConfig config = {};               ///< resolved, unless it is refused
  const DeviceFile* device = nullptr;  ///< whose constants predict a time; null: no prediction
  const PramAlgorithm* pram_algorithm = nullptr;
  PramRunConfig pram_config = {};  ///< the same on a PRAM
  std::string refusal = {};        ///< why it cannot run

  [[nodiscard]] std::int64_t n() const { return algorithm != nullptr ? config.n : pram_config.n; }
};

/// A count of a run beside what is said of it.
struct Quantity {
  std::string name;  ///< T, Q; steps, processors, work
  std::int64_t count = 0;
  std::optional<std::int64_t> formula = {};      ///< of a paper or of theory, where there is one
  std::string stated = {};                       ///< the bound of the row, as text
  std::optional<double> bound = {};              ///< its expression, without its constant
  std::optional<std::int64_t> lower_bound = {};  ///< of every program of the problem
};

/// What one run costs. All that tables and fits show; nothing of it depends on this host.
struct Point {
  std::string program;
  std::string model;      ///< "AGPU" or "PRAM"
  std::string algorithm;  ///< name of the row
  std::string variant;
  std::string type;  ///< empty on a PRAM
  std::string input;
  std::string machine;     ///< for example "AGPU(p=128, b=8, M=256, w=32), V=8, bank-mode=strict"
  std::string rules;       ///< the last of that: rules_text
  std::uint64_t seed = 0;  ///< of the input
  /// n, the numbers of the machine (p, b, M, w, V, k) and the parameters of the row, by name.
  std::map<std::string, std::int64_t> symbols;
  std::string refusal;  ///< why it cannot run; the rest is empty then
  std::vector<Quantity> quantities;
  std::string source;  ///< of the counts: derived, stored, simulated, extrapolated, closed form
  std::int64_t from_n = 0;  ///< of what was simulated, where the counts are extrapolated
  std::int64_t phases = 0;
  std::optional<double> predicted_ms = {};
  std::string limit;   ///< the resource with most of the predicted time
  std::string device;  ///< that the time is predicted of; empty: none
  std::string key;     ///< of the run, of the constants and, where it was simulated, of the kernels

  [[nodiscard]] std::int64_t n() const { return symbols.at("n"); }
  [[nodiscard]] const Quantity* find(std::string_view quantity) const;
};

/// Points by their key.
using KnownPoints = std::unordered_map<std::string, Point>;

struct Options {
  /// Most lane operations of a simulation, by its estimate.
  double simulate_limit = double{std::int64_t{1} << 28};
  bool verify = false;  ///< simulate what is affordable though it is known, and compare
  int threads = 0;      ///< host threads; 0: one per core
  std::function<void(const RunConfig&)> require_memory = {};  ///< as in CountOptions
  /// Points that were counted before: they are not simulated again.
  const KnownPoints* known = nullptr;
  /// Called with each point as it is counted, one at a time.
  std::function<void(const Point&)> counted = {};
  std::function<bool()> stop = {};  ///< asked before each run; true: leave out what is left
};

/// Counts the runs on all cores, the largest first, and sorts their points. What a row refuses and
/// what cannot be counted is a point with its reason. Throws Mismatch when a simulation differs
/// from its reference or from known counts.
[[nodiscard]] std::vector<Point> count_points(const std::vector<Run>& runs, const Options& options);

/// The runs in the order in which they are counted.
[[nodiscard]] std::vector<std::size_t> largest_first(const std::vector<Run>& runs);

/// Whether two points are of one program on one kind of input.
[[nodiscard]] bool same_series(const Point& a, const Point& b);

/// The order of points: by program, machine and n.
[[nodiscard]] bool comes_before(const Point& a, const Point& b);

}  // namespace agpusim::sweep

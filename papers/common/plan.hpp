#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/records/measurement.hpp"
#include "agpusim/validation/rows/selection.hpp"

// What an experiment runs: a file, papers/<what it is about>/plan.json.
namespace agpusim::contest {

/// How integer keys follow from n: delta = n / range, sigma = range / len, where len is the number
/// of values that the keys are drawn from. 0: not given.
struct KeyRule {
  double delta = 0;
  double sigma = 0;
  std::int64_t range = 0;
  std::int64_t len = 0;

  [[nodiscard]] bool is_given() const { return delta > 0 || range > 0; }
  /// Range and len at n; len is the range where nothing else is given.
  [[nodiscard]] KeyRule at(std::int64_t n) const;
};

/// Contestants on inputs of one kind.
struct Panel {
  std::string family;  ///< family of panels that are shown together; or empty
  std::string name;    ///< short, for files and plots
  std::string title;
  std::string reference;        ///< row of the algorithm table that says what must be found; empty:
                                ///< who measures knows
  bool own_references = false;  ///< rows must find what their own reference says, programs that one
  std::string type;
  std::string input;
  std::uint64_t seed = 1;
  KeyRule keys;
  bool writes = false;              ///< every element is written once, too
  std::vector<std::int64_t> sizes;  ///< ascending
  std::int64_t quick_n_max = 0;     ///< largest size of a quick experiment
  std::vector<Contestant> contestants;

  /// The row that says what a contestant must find. Results by one row are equal.
  [[nodiscard]] const std::string& reference_of(const Contestant& contestant) const {
    return own_references && !contestant.is_program() ? contestant.algorithm : reference;
  }
};

using Plan = std::vector<Panel>;

/// Reads a plan. A panel has the fields of the groups it is in, unless it has its own. Throws
/// IoError when the file cannot be read; FileError that names the panel and the field.
[[nodiscard]] Plan load_plan(const std::filesystem::path& path);

/// A plan that agpusim carries, for example "statistics/plan.json".
[[nodiscard]] Plan bundled_plan(const std::string& name);

/// Which sizes to take.
struct SizeChoice {
  bool quick = false;
  std::int64_t n_max = std::numeric_limits<std::int64_t>::max();
};

/// The machine of a name.
using FindMachine = std::function<AgpuSpec(const std::string& machine)>;

/// One run as measured and as predicted.
struct TimedRun {
  RunConfig config;
  std::optional<Measurement> measured;
  std::optional<double> predicted_ms;
  std::string limit;  ///< what takes most of the predicted time
};

/// One contestant's run.
struct PlannedRun : TimedRun {
  Contestant contestant;
};

/// One input of a panel, with those that take part.
struct Event {
  Panel panel;
  std::int64_t n = 0;
  std::vector<PlannedRun> runs;

  [[nodiscard]] KeyRule keys() const { return panel.keys.at(n); }
};

/// Whether this build has the row that a panel names as its reference. Panels without it are left
/// out.
[[nodiscard]] bool has_reference(const Panel& panel, const Registry& registry);

/// Panel by panel, n ascending. Left out are contestants that do not take this input or n, rows
/// that this build does not have or that refuse the run, and events without anyone.
[[nodiscard]] std::vector<Event> events_of(const Plan& plan, const SizeChoice& choice,
                                           const Registry& registry, const FindMachine& machine);

/// A run to measure and the run whose reference says what its result must be; of a panel without
/// one that is empty.
struct RunToMeasure {
  RunConfig config;
  RunConfig reference;
};

/// The runs of the events, each once, small n first, those of one event together.
[[nodiscard]] std::vector<RunToMeasure> runs_of(const std::vector<Event>& events,
                                                const Registry& registry);

}  // namespace agpusim::contest

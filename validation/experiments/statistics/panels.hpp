#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim::statistics_experiment {

/// One program of a panel: a row of the algorithm table, or a library's program.
struct Contestant {
  std::string label;
  std::string algorithm;
  std::string variant;
  std::string machine;  ///< name of the machine of a row; empty for a library
  std::int64_t n_max = std::numeric_limits<std::int64_t>::max();
  std::map<std::string, std::int64_t> parameters = {};  ///< those that are not the defaults

  [[nodiscard]] bool is_library() const { return machine.empty(); }
};

/// What a program must move at least.
enum class Traffic {
  read,           ///< every element once
  read_and_write  ///< every element once in and once out
};

/// Programs that solve one problem on the same numbers.
struct Panel {
  std::string name;  ///< short, for files and plots
  std::string title;
  std::string reference;  ///< row of the algorithm table that says what libraries must find
  std::string type;
  std::string input;
  Traffic traffic = Traffic::read;
  std::vector<Contestant> contestants;

  /// The library program that the others are compared with: the first one; null without any.
  [[nodiscard]] const Contestant* library() const;

  /// The row that says what a contestant must find: its own, or `reference` for a library. Results
  /// by one row are equal.
  [[nodiscard]] const std::string& reference_of(const Contestant& contestant) const {
    return contestant.is_library() ? reference : contestant.algorithm;
  }
};

/// Every panel, in the order of the tables.
[[nodiscard]] const std::vector<Panel>& panels();

/// Which sizes to take.
struct SizeChoice {
  bool quick = false;  ///< n <= 10^5
  std::int64_t n_max = std::numeric_limits<std::int64_t>::max();
};

/// 100, 10^3, ..., 10^6, 2^22, 2^24, 2^26, 2^28, ascending.
[[nodiscard]] std::vector<std::int64_t> panel_sizes(const SizeChoice& choice = {});

/// Whether this build has the reference row of a panel. Panels without it are left out.
[[nodiscard]] bool has_reference(const Panel& panel, const Registry& registry);

/// The machine of a name.
using FindMachine = std::function<AgpuSpec(const std::string& machine)>;

/// The run of a contestant; nothing where it does not take part: n above its largest, or a row that
/// this build does not have or that refuses the run.
[[nodiscard]] std::optional<RunConfig> run_of(const Panel& panel, const Contestant& contestant,
                                              std::int64_t n, const Registry& registry,
                                              const FindMachine& machine);

/// A run to measure and the run whose reference says what its result must be.
struct PanelRun {
  RunConfig config;
  RunConfig reference;
};

/// The runs of every contestant of every panel, each once, small n first, those of one panel and n
/// together.
[[nodiscard]] std::vector<PanelRun> panel_runs(const std::vector<Panel>& panels,
                                               const SizeChoice& choice, const Registry& registry,
                                               const FindMachine& machine);

/// Of the numbers of every run.
inline constexpr std::uint64_t panel_seed = 1;

}  // namespace agpusim::statistics_experiment

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/experiments/integer_sorts/cells.hpp"

namespace agpusim {

/// Who wrote a contestant of the experiment.
enum class Team {
  cub,   ///< cub::DeviceRadixSort
  seed,  ///< the paper's pipelines, in CUDA
  ours   ///< rows of the algorithm table, one source for both machines
};

/// One program of the experiment. Of several contestants of a team with the same `sort` the fastest
/// stands for the sort.
struct Contestant {
  Team team = Team::cub;
  std::string sort;  ///< "CUB", "CUB fitted", "H-P", "1-H-P", "0-compressed" or "run-head"
  std::string algorithm;
  std::string variant;
  bool distinct_only = false;  ///< sorts keys without duplicates only

  /// "team sort/variant" as tables show it, for example "seed H-P".
  [[nodiscard]] std::string label() const;
};

/// Short name of a team.
[[nodiscard]] std::string to_string(Team team);

/// Every contestant, in the order of the tables.
[[nodiscard]] const std::vector<Contestant>& contestants();

/// The machines that our rows run on.
struct ExperimentMachines {
  AgpuSpec global;  ///< of the variant "global"
  AgpuSpec shared;  ///< of the variant "shared"
};

/// The run of a contestant in a cell; nothing where it does not take part: distinct keys only, a
/// row that this build does not have, or a machine that cannot run it (range > M). CUB and the
/// paper's pipelines do not depend on a machine; theirs is the default one.
[[nodiscard]] std::optional<RunConfig> run_of(const Contestant& contestant,
                                              const ExperimentCell& cell, const Registry& registry,
                                              const ExperimentMachines& machines);

/// The runs of every contestant in every cell, each once, cells with few keys first, those of one
/// input together.
[[nodiscard]] std::vector<RunConfig> experiment_runs(const std::vector<ExperimentCell>& cells,
                                                     const Registry& registry,
                                                     const ExperimentMachines& machines);

/// cub_radix_sort on uniform keys of 8, 16, 24 and 31 bits with other seeds than the cells:
/// n = 2^16 ... 2^26, the first two sizes when `quick`.
[[nodiscard]] std::vector<RunConfig> cub_calibration_runs(bool quick = false);

}  // namespace agpusim

#pragma once

#include "agpusim/model/run/run.hpp"

// Costs of three algorithms, counted by hand from their sources and not from the machine that runs
// them: independent witnesses of the simulation.
namespace agpusim::test {

/// What a phase must cost.
struct PhaseForm {
  std::string kernel;
  std::int64_t tasks = 0;
  std::int64_t shared_words = 0;
  Counts counts;
  std::optional<std::int64_t> time;  ///< T; absent where tasks are unequal in a data layout's way
  std::int64_t max_task_time = 0;    ///< longest task; an upper bound where `time` is absent
};

[[nodiscard]] std::vector<PhaseForm> vector_add_witness(const RunConfig& config);
[[nodiscard]] std::vector<PhaseForm> bitonic_sort_witness(const RunConfig& config);
[[nodiscard]] std::vector<PhaseForm> transpose_witness(const RunConfig& config);

/// A phase of `tasks` tasks: the last costs `last`, others `each`. T is open under next-fit.
[[nodiscard]] PhaseForm form_of_equal_tasks(const AgpuSpec& spec, std::string kernel,
                                            std::int64_t tasks, const Counts& each,
                                            const Counts& last, std::int64_t shared_words);

}  // namespace agpusim::test

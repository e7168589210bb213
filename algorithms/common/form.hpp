#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "agpusim/model/run/run.hpp"

namespace agpusim {

/// The form of a phase of `tasks` tasks that all cost `each` but the last, which costs `last`. T is
/// exact for static and list assignment; under next-fit it is left open.
[[nodiscard]] PhaseForm form_of_equal_tasks(const AgpuSpec& spec, std::string kernel,
                                            std::int64_t tasks, const Counts& each,
                                            const Counts& last, std::int64_t shared_words);

/// The form of a phase whose tasks 0..tasks-1 each cost `cost(task)`. T is exact for static and
/// list assignment; under next-fit it is left open.
[[nodiscard]] PhaseForm form_of_tasks(const AgpuSpec& spec, std::string kernel, std::int64_t tasks,
                                      std::int64_t shared_words,
                                      const std::function<Counts(std::int64_t)>& cost);

/// The bound of a problem that must move `io` blocks and touch n elements: T >= io/k and n/p.
[[nodiscard]] LowerBound lower_bound_of_io(const RunConfig& config, std::int64_t io,
                                           std::string source);

[[nodiscard]] bool is_power_of_two(std::int64_t x);

/// Largest power of two that is at most `x` (x >= 1).
[[nodiscard]] std::int64_t floor_power_of_two(std::int64_t x);

}  // namespace agpusim

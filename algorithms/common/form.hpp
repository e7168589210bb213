#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "agpusim/model/run/run.hpp"

namespace agpusim {

/// A phase whose tasks 0..tasks-1 each cost `cost(task)`.
[[nodiscard]] PhaseReport phase_of_tasks(const AgpuSpec& spec, std::string kernel,
                                         std::int64_t tasks, std::int64_t shared_words,
                                         const std::function<Counts(std::int64_t)>& cost);

/// The bound of a problem that must move `io` blocks and touch n elements: T >= io/k and n/p.
[[nodiscard]] LowerBound lower_bound_of_io(const RunConfig& config, std::int64_t io,
                                           std::string source);

[[nodiscard]] bool is_power_of_two(std::int64_t x);

/// Largest power of two that is at most `x` (x >= 1).
[[nodiscard]] std::int64_t floor_power_of_two(std::int64_t x);

}  // namespace agpusim

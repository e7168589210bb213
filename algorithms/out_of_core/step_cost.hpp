#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/algorithms/scan/methods.hpp"
#include "agpusim/model/run/run.hpp"

// How the steps on a chunk use the machine.
namespace agpusim::out_of_core {

/// The segments of a chunk of n elements: up to 8 tasks per multiprocessor, whole tiles.
[[nodiscard]] Cut cut_of_chunk(const AgpuSpec& spec, std::int64_t n);
/// Most partial results of a chunk of up to n elements.
[[nodiscard]] std::int64_t most_partials(const AgpuSpec& spec, std::int64_t n);
/// The cut of these partial results: one task takes all.
[[nodiscard]] Cut cut_of_partials(const AgpuSpec& spec, std::int64_t count);
[[nodiscard]] scan::LaneSerial scan_method(const AgpuSpec& spec);

/// For places that are spread so that every element of a warp lies in a block of its own;
/// `hits` of the elements lie in the window.
[[nodiscard]] std::vector<PhaseReport> scatter_phases(const AgpuSpec& spec, std::int64_t n,
                                                      std::int64_t hits, std::int32_t bytes);

}  // namespace agpusim::out_of_core

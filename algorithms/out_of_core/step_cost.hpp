#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/algorithms/scan/methods.hpp"
#include "agpusim/model/run/run.hpp"

// How the steps on a chunk use the machine, and their closed forms.
namespace agpusim::out_of_core {

/// The segments of a chunk of n elements: up to 8 tasks per multiprocessor, whole tiles.
[[nodiscard]] Cut cut_of_chunk(const AgpuSpec& spec, std::int64_t n);
/// Most partial results of a chunk of up to n elements.
[[nodiscard]] std::int64_t most_partials(const AgpuSpec& spec, std::int64_t n);
/// The cut of these partial results: one task takes all.
[[nodiscard]] Cut cut_of_partials(const AgpuSpec& spec, std::int64_t count);
[[nodiscard]] scan::LaneSerial scan_method(const AgpuSpec& spec);

/// Bytes of an element and instructions of an operator.
struct ElementCost {
  std::int32_t in_bytes = 0;
  std::int32_t out_bytes = 0;
  std::int64_t alu = 1;
  bool commutative = true;
};

[[nodiscard]] std::vector<PhaseForm> map_forms(const AgpuSpec& spec, std::int64_t n,
                                               const ElementCost& element);
[[nodiscard]] std::vector<PhaseForm> reduce_forms(const AgpuSpec& spec, std::int64_t n,
                                                  const ElementCost& element);
[[nodiscard]] std::vector<PhaseForm> scan_forms(const AgpuSpec& spec, std::int64_t n,
                                                const ElementCost& element);
/// `at`: which of the values before chunks.
[[nodiscard]] std::vector<PhaseForm> combine_forms(const AgpuSpec& spec, std::int64_t n,
                                                   std::int64_t at, const ElementCost& element);
/// For places that are spread so that every element of a warp lies in a block of its own;
/// `hits` of the elements lie in the window.
[[nodiscard]] std::vector<PhaseForm> scatter_forms(const AgpuSpec& spec, std::int64_t n,
                                                   std::int64_t hits, std::int32_t bytes);

}  // namespace agpusim::out_of_core

#pragma once

#include <cstdint>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

/// Checksum of the sorted keys of a run whose input is generate<T>(): the library's sort, on all
/// cores.
[[nodiscard]] std::uint64_t sorted_checksum(const RunConfig& config);

}  // namespace agpusim

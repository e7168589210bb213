#pragma once

#include <cstdint>

#include "agpusim/model/transfer/chunks.hpp"

// How a scatter of elements of 8 bytes divides its output by the device's memory.
namespace agpusim::out_of_core {

/// Elements of the windows of the seed: as few windows as fit the budget beside the buffers, all of
/// one size. Throws UsageError when none fits.
[[nodiscard]] std::int64_t seed_window(const Chunks& chunks, std::int64_t budget_bytes);

/// lg of the places of a window of a partitioned scatter: 5 to 8 windows, or more where these do
/// not fit the budget. Throws UsageError when none fits.
[[nodiscard]] std::int32_t partition_shift(const Chunks& chunks, std::int64_t budget_bytes);

}  // namespace agpusim::out_of_core

#pragma once

#include <cstdint>

namespace agpusim::detail {

/// Bytes of memory that the host can still give; the largest number where it does not say.
[[nodiscard]] std::int64_t available_memory_bytes();

}  // namespace agpusim::detail

#pragma once

#include <cstdint>

namespace agpusim {

/// Bytes of memory that the host can still give this process, as far as the system, its control
/// group and its limit (ulimit -v) say; the largest number where none does.
[[nodiscard]] std::int64_t available_memory_bytes();

}  // namespace agpusim

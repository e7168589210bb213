#include "agpusim/commands/pipeline/windows.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/algorithms/out_of_core/scatter_partitioned.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim::out_of_core {
namespace {

constexpr std::int64_t value_bytes = sizeof(double);
constexpr std::int64_t place_bytes = sizeof(std::int64_t);
constexpr std::int64_t counter_bytes = sizeof(std::int32_t);
// Nothing overlaps the copy of the last window; with more windows it is shorter.
constexpr std::int64_t most_windows = 8;
constexpr std::int64_t library_share = 16;  // one part of the budget is for a library's memory

[[noreturn]] void refuse(const Chunks& chunks, std::int64_t budget_bytes) {
  throw UsageError(
      fmt::format("scatter: a budget of {} bytes of device memory has no room for a window beside "
                  "{} buffers of {} elements; use a larger budget, smaller chunks or fewer streams",
                  budget_bytes, chunks.used_streams(), chunks.buffer()));
}

std::int64_t partitioned_bytes(const Chunks& chunks, std::int32_t shift) {
  const std::int64_t window = std::int64_t{1} << shift;
  const std::int64_t counts = (chunks.n + window - 1) / window + 1;
  return chunks.used_streams() *
             (2 * chunks.buffer() * (value_bytes + place_bytes) + counts * place_bytes) +
         windows_in_flight * std::min(window, chunks.n) * value_bytes + counter_bytes;
}

}  // namespace

std::int64_t seed_window(const Chunks& chunks, std::int64_t budget_bytes) {
  const std::int64_t buffers =
      chunks.used_streams() * (chunks.buffer() * (value_bytes + place_bytes) + counter_bytes);
  const std::int64_t most = (budget_bytes - buffers) / value_bytes;
  if (most < 1) refuse(chunks, budget_bytes);
  if (chunks.n == 0) return most;
  const std::int64_t windows = (chunks.n + most - 1) / most;
  return (chunks.n + windows - 1) / windows;
}

std::int32_t partition_shift(const Chunks& chunks, std::int64_t budget_bytes) {
  const std::int64_t usable = budget_bytes - budget_bytes / library_share;
  std::int32_t shift = 0;
  while (most_windows * (std::int64_t{1} << shift) < chunks.n) ++shift;
  while (shift > 0 && partitioned_bytes(chunks, shift) > usable) --shift;
  if (partitioned_bytes(chunks, shift) > usable) refuse(chunks, budget_bytes);
  return shift;
}

}  // namespace agpusim::out_of_core

#include "agpusim/algorithms/out_of_core/host_parallel.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace agpusim::out_of_core {
namespace {

/// Runs body(i), which says whether place i is outside, for all i; returns the first that is.
template <class Body>
std::optional<std::int64_t> first_where(std::int64_t count, Body body) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::atomic<std::int64_t> first{none};
  for_ranges(count, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t found = none;
    for (std::int64_t i = end - 1; i >= begin; --i) {
      if (body(i)) found = i;
    }
    std::int64_t known = first.load();
    while (found < known && !first.compare_exchange_weak(known, found)) {
    }
  });
  if (first == none) return std::nullopt;
  return first.load();
}

}  // namespace

void for_ranges(std::int64_t count, const std::function<void(std::int64_t, std::int64_t)>& body) {
  constexpr std::int64_t grain = std::int64_t{1} << 16;
  tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, count, grain),
                    [&](const auto& range) { body(range.begin(), range.end()); });
}

void for_each_index(std::int64_t count, const std::function<void(std::int64_t)>& body) {
  tbb::parallel_for(std::int64_t{0}, count, body);
}

std::optional<std::int64_t> compact_places(std::span<const std::int64_t> places,
                                           std::span<std::int32_t> compact, std::int64_t n) {
  const auto most = static_cast<std::uint64_t>(n);
  return first_where(std::ssize(places),
                     [&, from = places.data(), to = compact.data()](std::int64_t i) {
                       const auto place = static_cast<std::uint64_t>(from[i]);
                       to[i] = static_cast<std::int32_t>(place);
                       return place >= most;
                     });
}

std::optional<std::int64_t> first_outside(std::span<const std::int64_t> places, std::int64_t n) {
  const auto most = static_cast<std::uint64_t>(n);
  return first_where(std::ssize(places), [&, from = places.data()](std::int64_t i) {
    return static_cast<std::uint64_t>(from[i]) >= most;
  });
}

}  // namespace agpusim::out_of_core

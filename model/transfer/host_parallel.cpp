#include "agpusim/model/transfer/host_parallel.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace agpusim::out_of_core {
namespace {

// A copy to the device is slow where it has to fetch what a core holds in its cache.
#ifdef __SSE2__
void store_past_caches(std::int32_t* to, std::int32_t value) { _mm_stream_si32(to, value); }
void finish_stores_past_caches() { _mm_sfence(); }
#else
void store_past_caches(std::int32_t* to, std::int32_t value) { *to = value; }
void finish_stores_past_caches() {}
#endif

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
  std::atomic<bool> any_outside{false};
  for_ranges(std::ssize(places),
             [&, from = places.data(), to = compact.data()](std::int64_t begin, std::int64_t end) {
               bool outside = false;
               for (std::int64_t i = begin; i < end; ++i) {
                 const auto place = static_cast<std::uint64_t>(from[i]);
                 outside |= place >= most;
                 store_past_caches(to + i, static_cast<std::int32_t>(place));
               }
               finish_stores_past_caches();
               if (outside) any_outside = true;
             });
  return any_outside ? first_outside(places, n) : std::nullopt;
}

std::optional<std::int64_t> first_outside(std::span<const std::int64_t> places, std::int64_t n) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const auto most = static_cast<std::uint64_t>(n);
  std::atomic<std::int64_t> first{none};
  for_ranges(std::ssize(places), [&, from = places.data()](std::int64_t begin, std::int64_t end) {
    const std::int64_t* const found =
        std::find_if(from + begin, from + end,
                     [&](std::int64_t place) { return static_cast<std::uint64_t>(place) >= most; });
    if (found == from + end) return;
    const std::int64_t i = found - from;
    std::int64_t known = first.load();
    while (i < known && !first.compare_exchange_weak(known, i)) {
    }
  });
  if (first == none) return std::nullopt;
  return first.load();
}

}  // namespace agpusim::out_of_core

#include "agpusim/model/agpu/global_memory.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {

GlobalStorage::GlobalStorage(std::string name, std::int64_t size, std::int32_t element_bytes,
                             std::int32_t element_words, bool checks)
    : name_(std::move(name)),
      size_(size),
      element_words_(element_words),
      bytes_(std::make_unique<std::byte[]>(static_cast<std::size_t>(size) *
                                           static_cast<std::size_t>(element_bytes))),
      races_(checks ? std::make_unique<RaceDetector>(size) : nullptr) {}

std::uint32_t GlobalStorage::count_atomic(std::uint32_t phase, std::int64_t element) {
  std::call_once(contention_once_, [this] {
    contention_ = std::make_unique<std::atomic<std::uint64_t>[]>(static_cast<std::size_t>(size_));
  });
  std::atomic<std::uint64_t>& cell = contention_[static_cast<std::size_t>(element)];
  const std::uint64_t fresh = std::uint64_t{phase} << 32;
  std::uint64_t seen = cell.load(std::memory_order_relaxed);
  std::uint64_t next = 0;
  do {
    next = (seen >= fresh ? seen : fresh) + 1;
  } while (!cell.compare_exchange_weak(seen, next, std::memory_order_relaxed));
  return static_cast<std::uint32_t>(next);
}

const ActiveIndices& GlobalAccess::access(GlobalStorage& array, std::int64_t origin,
                                          const Varying<std::int32_t>& index, GlobalCounts& counts,
                                          RaceDetector::Kind kind,
                                          const std::source_location& where) {
  index.use();
  const ActiveIndices& active = context_.access(index.data(), index.id()).active;
  const Mask& mask = context_.mask();
  context_.counts.idle += mask.issued_warps - mask.active_warps;
  context_.counts.active_lanes += active.count;
  if (active.count == 0) return active;

  if (origin + active.low < 0 || origin + active.high >= array.size()) {
    for (std::int32_t i = 0; i < active.count; ++i) {
      const std::int64_t element = origin + active.index[i];
      if (element < 0 || element >= array.size()) {
        context_.fail(fmt::format("out of bounds: global array of {} elements", array.size()),
                      active.lane[i], array.name(), element, where);
      }
    }
  }
  if (context_.pricing()) charge(counts, array, active, origin, kind);
  if (array.races() != nullptr) note(array, origin, active, kind, where);
  return active;
}

void GlobalAccess::charge(GlobalCounts& counts, const GlobalStorage& array,
                          const ActiveIndices& active, std::int64_t origin,
                          RaceDetector::Kind kind) {
  for (std::int32_t w = 0; w < context_.spec().warps(); ++w) {
    const std::int32_t begin = active.warp_begin[w];
    const std::int32_t count = active.warp_begin[w + 1] - begin;
    if (count == 0) continue;
    const GlobalPrice price =
        context_.rules().global(active.index + begin, count, context_.shape_of_warp(active, w),
                                origin, array.element_words());
    counts.requests += 1;
    counts.blocks += price.blocks;
    counts.sectors += price.sectors;
    if (kind == RaceDetector::Kind::atomic) {
      context_.counts.serialised += context_.rules().multiplicity(active.index + begin, count) - 1;
    }
  }
}

void GlobalAccess::note(GlobalStorage& array, std::int64_t origin, const ActiveIndices& active,
                        RaceDetector::Kind kind, const std::source_location& where) {
  // Maximal runs of neighbouring elements in lane order; most accesses are one run.
  if (active.shape != Shape::general) {
    const std::int64_t a = origin + active.index[0];
    const std::int64_t z = origin + active.index[active.count - 1];
    note_range(array, std::min(a, z), std::max(a, z) + 1, kind, active, origin, where);
    return;
  }
  for (std::int32_t i = 0; i < active.count;) {
    std::int32_t end = i + 1;
    while (end < active.count && active.index[end] == active.index[end - 1] + 1) ++end;
    const std::int64_t begin = origin + active.index[i];
    note_range(array, begin, begin + (end - i), kind, active, origin, where);
    i = end;
  }
}

void GlobalAccess::note_range(GlobalStorage& array, std::int64_t begin, std::int64_t end,
                              RaceDetector::Kind kind, const ActiveIndices& active,
                              std::int64_t origin, const std::source_location& where) {
  constexpr std::int64_t size = RaceDetector::chunk_elements;
  while (begin < end) {
    const std::int64_t chunk = begin / size;
    const std::int64_t stop = std::min(end, (chunk + 1) * size);
    const auto bits = static_cast<std::uint32_t>((std::uint64_t{1} << (stop - begin)) - 1)
                      << (begin - chunk * size);
    std::int32_t element = 0;
    const std::int64_t other =
        array.races()->note(phase_, context_.task(), kind, chunk, bits, element);
    if (other != RaceDetector::nobody) {
      fail_race(array, chunk * size + element, other, kind, active, origin, where);
    }
    begin = stop;
  }
}

void GlobalAccess::fail_race(GlobalStorage& array, std::int64_t element, std::int64_t other,
                             RaceDetector::Kind kind, const ActiveIndices& active,
                             std::int64_t origin, const std::source_location& where) {
  std::int32_t lane = 0;
  for (std::int32_t i = active.count; i-- > 0;) {
    if (origin + active.index[i] == element) lane = active.lane[i];
  }
  const char* const verb = kind == RaceDetector::Kind::read    ? "reads"
                           : kind == RaceDetector::Kind::write ? "writes"
                                                               : "atomically updates";
  const std::string who =
      other == RaceDetector::many ? "several tasks use" : fmt::format("task {} uses", other);
  context_.fail(
      fmt::format("race: task {} {} a word of global memory that {} in the same phase, and "
                  "one of them writes; let the host wait between them",
                  context_.task(), verb, who),
      lane, array.name(), element, where);
}

void GlobalAccess::count_atomics(GlobalStorage& array, std::int64_t origin,
                                 const ActiveIndices& active) {
  for (std::int32_t i = 0; i < active.count; ++i) {
    contention_ =
        std::max<std::int64_t>(contention_, array.count_atomic(phase_, origin + active.index[i]));
  }
}

}  // namespace agpusim

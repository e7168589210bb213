#include "agpusim/model/agpu/global_memory.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

constexpr std::int64_t cached_elements = 1 << 16;  // their records stay in the host's cache

}  // namespace

GlobalStorage::GlobalStorage(std::string name, std::int64_t size, std::int32_t element_bytes,
                             const AgpuSpec& spec, bool checks, bool concurrent, std::size_t place)
    : name_(std::move(name)),
      size_(size),
      element_bytes_(element_bytes),
      element_words_(spec.words_per_element(element_bytes)),
      block_words_(spec.block_words),
      checks_(checks),
      concurrent_(concurrent),
      place_(place) {}

std::int64_t GlobalStorage::host_bytes() const {
  return size_ * element_bytes_ + (checks_ ? RaceDetector::host_bytes(size_) : 0);
}

void GlobalStorage::make_ready() {
  if (bytes_) return;
  bytes_ = std::make_unique<std::byte[]>(static_cast<std::size_t>(size_ * element_bytes_));
  if (checks_) races_ = std::make_unique<RaceDetector>(size_, concurrent_);
}

AtomicTally& GlobalStorage::tally() {
  std::call_once(tally_once_, [this] {
    tally_ = std::make_unique<AtomicTally>(size_, element_words_, block_words_, concurrent_);
  });
  return *tally_;
}

const ActiveIndices& GlobalAccess::access(GlobalStorage& array, std::int64_t origin,
                                          const Varying<std::int32_t>& index, GlobalCounts& counts,
                                          RaceDetector::Kind kind,
                                          const std::source_location& where) {
  index.use();
  const ActiveIndices& active = context_.access(index.data(), index.id()).active;
  const GlobalCounts before = counts;
  const Mask& mask = context_.mask();
  context_.counts.idle += mask.issued_warps - mask.active_warps;
  context_.counts.active_lanes += active.count;
  if (active.count == 0) {
    if (context_.lone() != nullptr) note_use(array, index, before, counts);
    return active;
  }

  const Access access{array, origin, kind, active, where};
  check_bounds(access);
  const bool watched = array.races() != nullptr;
  const bool one_run = active.shape != Shape::general;
  if (watched && one_run) note_run(access);
  if (context_.pricing() || (watched && !one_run)) {
    for (std::int32_t w = 0; w < context_.spec().warps(); ++w) {
      if (active.warp_begin[w] < active.warp_begin[w + 1]) access_of_warp(access, w, counts);
    }
  }
  if (context_.lone() != nullptr) note_use(array, index, before, counts);
  return active;
}

void GlobalAccess::note_use(const GlobalStorage& array, const Varying<std::int32_t>& index,
                            const GlobalCounts& before, const GlobalCounts& counts) {
  context_.lone()->wait(index.arrives());
  use_ = {array.place(), context_.mask().active_warps, counts.sectors - before.sectors,
          counts.blocks - before.blocks, static_cast<std::size_t>(array.element_bytes())};
}

void GlobalAccess::access_of_warp(const Access& access, std::int32_t warp, GlobalCounts& counts) {
  const ActiveIndices& active = access.active;
  const std::int32_t* index = active.index + active.warp_begin[warp];
  std::int32_t count = active.warp_begin[warp + 1] - active.warp_begin[warp];
  const Shape shape = context_.shape_of_warp(active, warp);
  const bool scattered = active.shape == Shape::general;
  const bool noted = scattered && access.array.races() != nullptr;
  const bool counted = context_.pricing() && access.kind == RaceDetector::Kind::atomic;
  if (noted || counted || !(active.distinct || shape == Shape::equal)) {
    if (shape == Shape::equal) {
      distinct_.set_equal(index[0], count);
    } else {
      distinct_.find(index, count);
      index = distinct_.index();
      count = distinct_.count();
    }
    if (scattered && access.array.size() > cached_elements) prefetch(access);
  }
  if (context_.pricing()) charge(access, index, count, shape, counts);
  if (noted) note_distinct(access);
  if (counted) {
    context_.counts.serialised += distinct_.most() - 1;
    access.array.tally().count(phase_, access.origin, distinct_, meetings_);
  }
}

/// Asks for the records of all scattered elements of the warp at hand at once.
void GlobalAccess::prefetch(const Access& access) const {
  const bool counted = context_.pricing() && access.kind == RaceDetector::Kind::atomic;
  const RaceDetector* const races = access.array.races();
  const AtomicTally* const tally = counted ? &access.array.tally() : nullptr;
  for (std::int32_t i = 0; i < distinct_.count(); ++i) {
    const std::int64_t element = access.origin + distinct_.index()[i];
    if (races != nullptr) races->prefetch(element / RaceDetector::chunk_elements);
    if (tally != nullptr) tally->prefetch(element);
    __builtin_prefetch(access.array.element(element), 1);
  }
}

void GlobalAccess::check_bounds(const Access& access) const {
  const auto& [array, origin, kind, active, where] = access;
  if (origin + active.low >= 0 && origin + active.high < array.size()) return;
  for (std::int32_t i = 0; i < active.count; ++i) {
    const std::int64_t element = origin + active.index[i];
    if (element < 0 || element >= array.size()) {
      context_.fail(fmt::format("out of bounds: global array of {} elements", array.size()),
                    active.lane[i], array.name(), element, where);
    }
  }
}

void GlobalAccess::charge(const Access& access, const std::int32_t* index, std::int32_t count,
                          Shape shape, GlobalCounts& counts) {
  const GlobalPrice price =
      context_.rules().global(index, count, shape, access.origin, access.array.element_words());
  counts.requests += 1;
  counts.blocks += price.blocks;
  counts.sectors += price.sectors;
}

/// Notes an access whose indices follow each other.
void GlobalAccess::note_run(const Access& access) {
  const ActiveIndices& active = access.active;
  const std::int64_t a = access.origin + active.index[0];
  const std::int64_t z = access.origin + active.index[active.count - 1];
  note(access, std::min(a, z), std::max(a, z) + 1);
}

/// Notes the warp at hand, once for each chunk.
void GlobalAccess::note_distinct(const Access& access) {
  constexpr std::int64_t size = RaceDetector::chunk_elements;
  for (std::int32_t i = 0; i < distinct_.count();) {
    const std::int64_t chunk = (access.origin + distinct_.index()[i]) / size;
    std::uint32_t elements = 0;
    for (; i < distinct_.count(); ++i) {
      const std::int64_t element = access.origin + distinct_.index()[i] - chunk * size;
      if (element >= size) break;
      elements |= std::uint32_t{1} << element;
    }
    note(access, chunk, elements);
  }
}

void GlobalAccess::note(const Access& access, std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t size = RaceDetector::chunk_elements;
  while (begin < end) {
    const std::int64_t chunk = begin / size;
    const std::int64_t stop = std::min(end, (chunk + 1) * size);
    const auto elements = static_cast<std::uint32_t>((std::uint64_t{1} << (stop - begin)) - 1)
                          << (begin - chunk * size);
    note(access, chunk, elements);
    begin = stop;
  }
}

void GlobalAccess::note(const Access& access, std::int64_t chunk, std::uint32_t elements) {
  std::int32_t element = 0;
  const std::int64_t other =
      access.array.races()->note(phase_, context_.task(), access.kind, chunk, elements, element);
  if (other != RaceDetector::nobody) {
    fail_race(access, chunk * RaceDetector::chunk_elements + element, other);
  }
}

void GlobalAccess::fail_race(const Access& access, std::int64_t element, std::int64_t other) {
  const ActiveIndices& active = access.active;
  std::int32_t lane = 0;
  for (std::int32_t i = active.count; i-- > 0;) {
    if (access.origin + active.index[i] == element) lane = active.lane[i];
  }
  const char* const verb = access.kind == RaceDetector::Kind::read    ? "reads"
                           : access.kind == RaceDetector::Kind::write ? "writes"
                                                                      : "atomically updates";
  const std::string who =
      other == RaceDetector::many ? "several tasks use" : fmt::format("task {} uses", other);
  context_.fail(
      fmt::format("race: task {} {} a word of global memory that {} in the same phase, and "
                  "one of them writes; let the host wait between them",
                  context_.task(), verb, who),
      lane, access.array.name(), element, access.where);
}

}  // namespace agpusim

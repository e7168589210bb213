#include "agpusim/model/agpu/global_memory.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {
namespace {

constexpr std::int64_t cached_elements =
    1 << 13;  // they and what is known of them stay in the host's cache

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
  if (bytes_.data() != nullptr) return;
  bytes_ = ZeroedMemory(size_ * element_bytes_);
  if (checks_) races_ = std::make_unique<RaceDetector>(size_, concurrent_);
}

void GlobalStorage::begin_phase(std::int64_t tasks) {
  make_ready();
  if (races_) races_->begin_phase(tasks);
}

AtomicTally& GlobalStorage::tally() {
  std::call_once(tally_once_, [this] {
    tally_ = std::make_unique<AtomicTally>(size_, element_words_, block_words_, concurrent_);
  });
  return *tally_;
}

void GlobalAccess::note_use(const GlobalStorage& array, std::int32_t bytes,
                            const Varying<std::int32_t>& index, const GlobalCounts& before,
                            const GlobalCounts& counts) {
  context_.lone()->wait(index.arrives());
  use_ = {array.place(),
          context_.mask().active_warps,
          counts.sectors - before.sectors,
          counts.blocks - before.blocks,
          static_cast<std::size_t>(bytes),
          index.arrives().read};
}

inline void GlobalAccess::charge(const Access& access, std::int32_t words, std::int32_t warp,
                                 std::int32_t times, GlobalCounts& counts) {
  const ActiveIndices& active = access.active;
  const std::int32_t* const index = active.index + active.warp_begin[warp];
  const std::int32_t count = active.warp_begin[warp + 1] - active.warp_begin[warp];
  const GlobalPrice price = context_.rules().global(
      index, count, context_.shape_of_warp(active, warp), access.origin, words);
  counts.requests += times;
  counts.blocks += times * price.blocks;
  counts.sectors += times * price.sectors;
  if (access.kind == RaceDetector::Kind::atomic) [[unlikely]] {
    if (!active.distinct) {
      context_.counts.serialised += context_.rules().multiplicity(index, count) - 1;
    }
    access.array.tally().count(phase_, access.origin, index, count, meetings_);
  }
}

/// Asks for what is known of all scattered elements, and for the elements, at once.
void GlobalAccess::prefetch(const Access& access) const {
  const bool counted = context_.pricing() && access.kind == RaceDetector::Kind::atomic;
  const RaceDetector* const races = access.array.races();
  const AtomicTally* const tally = counted ? &access.array.tally() : nullptr;
  for (std::int32_t i = 0; i < access.active.count; ++i) {
    const std::int64_t element = access.origin + access.active.index[i];
    if (races != nullptr) races->prefetch(element);
    if (tally != nullptr) tally->prefetch(element);
    __builtin_prefetch(access.array.element(element), 1);
  }
}

void GlobalAccess::fail_bounds(const Access& access) const {
  const auto& [array, origin, kind, active, where] = access;
  const auto outside = [&](std::int32_t index) {
    return origin + index < 0 || origin + index >= array.size();
  };
  const std::int32_t* const index =
      std::find_if(active.index, active.index + active.count, outside);
  context_.fail(fmt::format("out of bounds: global array of {} elements", array.size()),
                active.lane[index - active.index], array.name(), origin + *index, where);
}

inline void GlobalAccess::note(const Access& access) const {
  const auto& [array, origin, kind, active, where] = access;
  const std::int64_t a = origin + active.index[0];
  const std::int64_t z = origin + active.index[active.count - 1];
  const bool legal =
      active.shape == Shape::general
          ? array.races()->note(context_.task(), kind, origin, active.index, active.count)
          : array.races()->note_run(context_.task(), kind, std::min(a, z), std::abs(z - a) + 1);
  if (!legal) fail_race(access);
}

const ActiveIndices& GlobalAccess::access(GlobalStorage& array, std::int64_t origin,
                                          const Varying<std::int32_t>& index, GlobalCounts& counts,
                                          RaceDetector::Kind kind, const SourceLine& where) {
  index.use();
  const ActiveIndices& active = context_.access(index.data(), index.id()).active;
  const bool executes = context_.lone() != nullptr;
  const GlobalCounts before = executes ? counts : GlobalCounts{};
  const Mask& mask = context_.mask();
  context_.counts.idle += mask.issued_warps - mask.active_warps;
  context_.counts.active_lanes += active.count;
  if (active.count == 0) {
    if (executes) note_use(array, array.element_bytes(), index, before, counts);
    return active;
  }

  const Access access{array, origin, kind, active, where};
  if (origin + active.low < 0 || origin + active.high >= array.size()) fail_bounds(access);
  if (active.shape == Shape::general && array.size() > cached_elements) prefetch(access);
  if (array.races() != nullptr) note(access);
  if (context_.pricing()) {
    const std::int32_t warps = context_.warps();
    const std::int32_t words = array.element_words();
    const bool alike = context_.full() && active.shape != Shape::general &&
                       kind != RaceDetector::Kind::atomic && context_.rules().whole_sectors();
    if (alike) {
      charge(access, words, 0, warps, counts);
    } else {
      for (std::int32_t w = 0; w < warps; ++w) {
        if (active.warp_begin[w] < active.warp_begin[w + 1]) charge(access, words, w, 1, counts);
      }
    }
  }
  if (executes) note_use(array, array.element_bytes(), index, before, counts);
  return active;
}

const ActiveIndices& GlobalAccess::access_wide(GlobalStorage& array, Neighbours& neighbours,
                                               const Varying<std::int32_t>& index,
                                               GlobalCounts& counts, RaceDetector::Kind kind,
                                               const SourceLine& where) {
  const Varying<std::int32_t>& groups = neighbours.groups();
  const ActiveIndices& active = context_.access(groups.data(), groups.id()).active;
  const std::int32_t count = neighbours.count();
  const GlobalCounts before = counts;
  const Mask& mask = context_.mask();
  context_.counts.idle += mask.issued_warps - mask.active_warps;
  context_.counts.active_lanes += active.count;
  for (std::int32_t j = 0; array.races() != nullptr && active.count > 0 && j < count; ++j) {
    const ActiveIndices& elements = neighbours.elements(active, j);
    note({array, neighbours.first_group() * count, kind, elements, where});
  }
  const Access access{array, neighbours.first_group(), kind, active, where};
  for (std::int32_t w = 0; context_.pricing() && w < context_.warps(); ++w) {
    if (active.warp_begin[w] == active.warp_begin[w + 1]) continue;
    charge(access, count * array.element_words(), w, 1, counts);
  }
  if (context_.lone() != nullptr) {
    note_use(array, count * array.element_bytes(), index, before, counts);
  }
  return active;
}

void GlobalAccess::fail_race(const Access& access) const {
  const ActiveIndices& active = access.active;
  std::int32_t i = 0;
  std::int64_t other = RaceDetector::nobody;
  for (; i < active.count; ++i) {
    const std::int64_t element = access.origin + active.index[i];
    other = access.array.races()->other_user(context_.task(), access.kind, element);
    if (other != RaceDetector::nobody) break;
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
      active.lane[i], access.array.name(), access.origin + active.index[i], access.where);
}

}  // namespace agpusim

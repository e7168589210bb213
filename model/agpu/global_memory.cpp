#include "agpusim/model/agpu/global_memory.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

namespace agpusim {
namespace {

// Host threads with records of their own. To take and compare the memory of more costs as much as
// it saves (docs/developer/benchmarks.md).
constexpr std::size_t most_alone = 4;
constexpr std::int64_t cached_elements =
    1 << 13;  // they and what is known of them stay in the host's cache

/// Combines in order of(begin, end) of ranges of `size` elements that begin at multiples of 2^17.
template <class Of, class Combine>
std::int64_t reduce_ranges(std::int64_t size, std::int64_t none, Of of, Combine combine) {
  constexpr std::int64_t at_once = 1 << 17;
  if (size <= at_once) return of(0, size);
  return tbb::parallel_reduce(
      tbb::blocked_range<std::int64_t>(0, (size + at_once - 1) / at_once), none,
      [&](const tbb::blocked_range<std::int64_t>& range, std::int64_t value) {
        return combine(value, of(range.begin() * at_once, std::min(size, range.end() * at_once)));
      },
      combine);
}

}  // namespace

GlobalStorage::GlobalStorage(std::string name, std::int64_t size, std::int32_t element_bytes,
                             const AgpuSpec& spec, bool checks, std::size_t threads,
                             std::size_t place)
    : name_(std::move(name)),
      size_(size),
      element_bytes_(element_bytes),
      element_size_(spec.element_size(element_bytes)),
      block_words_(spec.block_words),
      checks_(checks),
      place_(place),
      threads_(threads),
      group_mask_(threads > most_alone ? 0 : std::bit_ceil(threads) - 1),
      orders_(threads) {}

std::int64_t GlobalStorage::host_bytes() const {
  const auto groups = static_cast<std::int64_t>(group_mask_ + 1);
  return size_ * element_bytes_ + (checks_ ? groups * RaceDetector::host_bytes(size_) : 0);
}

bool GlobalStorage::save_host_bytes() { return std::exchange(group_mask_, 0) != 0; }

void GlobalStorage::make_ready() {
  if (bytes_.data() != nullptr) return;
  bytes_ = ZeroedMemory(size_ * element_bytes_);
  constexpr std::int64_t few = 1 << 22;  // elements; of more a thread will not use all
  for (std::size_t i = 0; checks_ && i <= group_mask_; ++i) {
    races_.push_back(std::make_unique<RaceDetector>(size_, shares_records()));
    if (size_ <= few || group_mask_ == 0) races_.back()->take_pages();
  }
}

void GlobalStorage::begin_phase(std::int64_t tasks) {
  make_ready();
  for (const auto& races : races_) races->begin_phase(tasks);
  for (const auto& tally : tallies_) tally->begin_phase();
}

AtomicTally& GlobalStorage::tally(std::size_t thread) {
  std::call_once(tallies_once_, [this] {
    for (std::size_t i = 0; i <= group_mask_; ++i) {
      tallies_.push_back(
          std::make_unique<AtomicTally>(size_, element_size_, block_words_, shares_records()));
    }
  });
  return *tallies_[thread & group_mask_];
}

std::int64_t GlobalStorage::race_of_threads() const {
  std::vector<const RaceDetector*> detectors;
  std::uint32_t kinds = 0;
  for (const auto& races : races_) {
    if (races->kinds() == 0) continue;
    detectors.push_back(races.get());
    kinds |= races->kinds();
  }
  if (detectors.size() < 2 || !RaceDetector::may_race(kinds)) return RaceDetector::nobody;
  return reduce_ranges(
      size_, RaceDetector::nobody,
      [&](std::int64_t begin, std::int64_t end) {
        return RaceDetector::first_race(detectors, begin, end);
      },
      [](std::int64_t a, std::int64_t b) { return a == RaceDetector::nobody ? b : a; });
}

AtomicMeetings GlobalStorage::meetings() const {
  std::vector<const AtomicTally*> tallies;
  for (const auto& tally : tallies_) {
    if (tally->is_used()) tallies.push_back(tally.get());
  }
  if (tallies.empty()) return {};
  return {reduce_ranges(
              size_, 0,
              [&](std::int64_t begin, std::int64_t end) {
                return AtomicTally::contention(tallies, begin, end);
              },
              [](std::int64_t a, std::int64_t b) { return std::max(a, b); }),
          reduce_ranges(
              tallies[0]->all_blocks(), 0,
              [&](std::int64_t begin, std::int64_t end) {
                return AtomicTally::blocks(tallies, begin, end);
              },
              std::plus<>())};
}

void GlobalAccess::note_use(const GlobalStorage& array, std::int32_t bytes,
                            const Varying<std::int32_t>& index, const GlobalCounts& before,
                            const GlobalCounts& counts) {
  context_.lone()->wait(index.arrives());
  use_ = {array.place(), context_.mask().active_warps, counts.sectors - before.sectors,
          counts.blocks - before.blocks, static_cast<std::size_t>(bytes)};
}

ArrayOrder& GlobalStorage::order(std::size_t thread, LaneContext& context) {
  std::unique_ptr<ArrayOrder>& order = orders_[thread];
  if (order == nullptr) order = std::make_unique<ArrayOrder>(context, size_);
  return *order;
}

inline GlobalPrice GlobalAccess::price(const Access& access, ElementSize size, std::int32_t warp) {
  const ActiveIndices& active = access.active;
  const std::int32_t* const index = active.index + active.warp_begin[warp];
  const std::int32_t count = active.warp_begin[warp + 1] - active.warp_begin[warp];
  const GlobalPrice price = context_.rules().global(
      index, count, context_.shape_of_warp(active, warp), access.origin, size);
  if (is_atomic(access.kind) && !active.distinct && !price.distinct) {
    context_.counts.serialised += context_.rules().multiplicity(index, count) - 1;
  }
  return price;
}

GlobalCounts GlobalAccess::known_price(const Access& access, KnownIndices& known,
                                       std::int64_t period) {
  const ElementSize size = access.array.element_size();
  if (known.global_size != size) {
    known.global_size = size;
    known.global.assign(static_cast<std::size_t>(period), {});
  }
  const std::int64_t first = access.origin + access.active.index[0];
  GlobalCounts& result = known.global[static_cast<std::size_t>(first & (period - 1))];
  for (std::int32_t w = 0; result.requests < context_.mask().active_warps; ++w) {
    const GlobalPrice one = price(access, size, w);
    result += {1, one.blocks, one.sectors};
  }
  return result;
}

/// Takes any indices: a prefetch of an address where nothing lies is harmless.
void GlobalAccess::prefetch(GlobalStorage& array, std::int64_t origin, Touch kind,
                            const std::int32_t* index, std::int32_t count) const {
  const bool counted = context_.pricing() && is_atomic(kind);
  const RaceDetector* const races = array.races(thread_);
  const AtomicTally* const tally = counted ? &array.tally(thread_) : nullptr;
  for (std::int32_t i = 0; i < count; ++i) {
    const std::int64_t element = origin + index[i];
    // Here and not in functions of their own: calls of those that do nothing else are left out.
    __builtin_prefetch(array.element(element), 0, 2);
    if (races != nullptr) __builtin_prefetch(races->record_of(element), 0, 2);
    if (tally == nullptr) continue;
    for (const void* const record : tally->records_of(element)) __builtin_prefetch(record, 0, 2);
  }
}

void GlobalAccess::prefetch_by(const GlobalStorage& array, std::uint64_t id,
                               const std::int32_t* value) {
  if (!context_.full() || context_.derives()) return;
  ahead_.read[ahead_.reads++ % ahead_.read.size()] = {id, &array};
  if (ahead_.from != &array) return;
  prefetch(*ahead_.to, ahead_.origin, ahead_.kind, value, context_.width());
}

bool GlobalAccess::is_prefetched(GlobalStorage& array, std::int64_t origin, Touch kind,
                                 std::uint64_t index_id) {
  for (const Ahead::Values& values : ahead_.read) {
    if (values.id != index_id) continue;
    if (ahead_.from == values.from && ahead_.to == &array && ahead_.origin == origin) return true;
    ahead_.from = values.from;
    ahead_.to = &array;
    ahead_.origin = origin;
    ahead_.kind = kind;
    return false;
  }
  return false;
}

void GlobalAccess::prefetch_run(const GlobalStorage& array, std::int64_t first) const {
  if (first < 0 || first + context_.width() > array.size()) return;
  constexpr std::int64_t line = 64;
  const std::byte* const begin = array.element(first);
  const std::int64_t bytes = std::int64_t{context_.width()} * array.element_bytes();
  for (std::int64_t i = 0; i < bytes; i += line) __builtin_prefetch(begin + i);
}

void GlobalAccess::fail_bounds(const Access& access) const {
  const ActiveIndices& active = access.active;
  const auto outside = [&](std::int32_t index) {
    return access.origin + index < 0 || access.origin + index >= access.array.size();
  };
  const std::int32_t* const index =
      std::find_if(active.index, active.index + active.count, outside);
  context_.fail(fmt::format("out of bounds: global array of {} elements", access.array.size()),
                active.lane[index - active.index], access.array.name(), access.origin + *index,
                access.where);
}

inline void GlobalAccess::note(const Access& access, bool anywhere) {
  const auto& [array, origin, kind, active, where] = access;
  if (original_ != nullptr) return original_->come_again(array, kind, origin, active, where);
  const std::int64_t a = origin + active.index[0];
  const std::int64_t z = origin + active.index[active.count - 1];
  RaceDetector& races = *array.races(thread_);
  const std::uint32_t found =
      active.shape == Shape::general
          ? races.note(context_.task(), kind, origin, active.index, active.count, anywhere)
          : races.note_run(context_.task(), kind, std::min(a, z), std::abs(z - a) + 1);
  if ((found & RaceDetector::race) != 0) fail_race(access);
  order_.note(array, kind, origin, active, found != 0, where);
}

template <Touch kind>
std::int64_t GlobalAccess::access_run(GlobalStorage& array, std::int64_t origin,
                                      const Varying<std::int32_t>& index, GlobalCounts& counts,
                                      const SourceLine& where) {
  if (!runs_are_simple_ || array.element_size().parts > 1 ||
      !context_.is_run(index.data(), index.id())) {
    return no_run;
  }
  const std::int32_t width = context_.width();
  const std::int64_t first = origin + index.data()[0];
  context_.counts.active_lanes += width;
  RaceDetector* const races = array.races(thread_);
  if (first < 0 || first + width > array.size()) [[unlikely]]
    fail_run(array, origin, index, kind, where);
  if (races != nullptr) {
    const std::uint32_t found = races->note_run(context_.task(), kind, first, width);
    if ((found & RaceDetector::race) != 0) [[unlikely]]
      fail_run(array, origin, index, kind, where);
    order_.note_run(array, kind, first, found != 0, where);
  }
  // Where one access follows the other the host sees that by itself.
  std::int64_t& last = ahead_.last[array.place()];
  const std::int64_t step = first - last;
  last = first;
  constexpr std::int64_t accesses = 4;  // as many as kernels have under way
  if (step != width) prefetch_run(array, first + accesses * step);
  if (context_.pricing()) {
    const std::int64_t warps = context_.warps();
    const std::int64_t words = array.element_size().words;
    const GlobalPrice price =
        context_.rules().words(first * words, (first + context_.spec().block_words) * words - 1);
    counts.requests += warps;
    counts.blocks += warps * price.blocks;
    counts.sectors += warps * price.sectors;
  }
  return first;
}

template std::int64_t GlobalAccess::access_run<Touch::read>(GlobalStorage&, std::int64_t,
                                                            const Varying<std::int32_t>&,
                                                            GlobalCounts&, const SourceLine&);
template std::int64_t GlobalAccess::access_run<Touch::write>(GlobalStorage&, std::int64_t,
                                                             const Varying<std::int32_t>&,
                                                             GlobalCounts&, const SourceLine&);

void GlobalAccess::fail_run(GlobalStorage& array, std::int64_t origin,
                            const Varying<std::int32_t>& index, Touch kind,
                            const SourceLine& where) {
  const ActiveIndices& active = context_.ascending(index.data()).active;
  const Access access{array, origin, kind, active, where};
  if (origin + active.low < 0 || origin + active.high >= array.size()) fail_bounds(access);
  fail_race(access);
}

const ActiveIndices& GlobalAccess::access(GlobalStorage& array, std::int64_t origin,
                                          const Varying<std::int32_t>& index, GlobalCounts& counts,
                                          Touch kind, const SourceLine& where) {
  AccessPattern& pattern = context_.access(index.data(), index.id());
  const ActiveIndices& active = pattern.active;
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
  const bool anywhere = active.shape == Shape::general && pattern.known == nullptr;
  if (anywhere && array.size() > cached_elements &&
      !is_prefetched(array, origin, kind, index.id())) {
    prefetch(array, origin, kind, active.index, active.count);
  }
  if (context_.pricing()) {  // before the race is looked for: what that needs is on its way
    const std::int32_t warps = context_.warps();
    const ElementSize size = array.element_size();
    const bool serialises = is_atomic(kind) && !active.distinct;
    const std::int64_t period = context_.rules().period(size);
    if (pattern.known != nullptr && period > 0 && !serialises) {
      counts += known_price(access, *pattern.known, period);
    } else if (context_.full() && active.shape != Shape::general && !serialises &&
               context_.rules().whole_sectors() && (warps == 1 || size.parts == 1)) {
      const GlobalPrice one = price(access, size, 0);
      counts += {warps, warps * one.blocks, warps * one.sectors};
    } else {
      for (std::int32_t w = 0; w < warps; ++w) {
        if (active.warp_begin[w] == active.warp_begin[w + 1]) continue;
        const GlobalPrice one = price(access, size, w);
        counts += {1, one.blocks, one.sectors};
        if (warps == 1) pattern.active.distinct |= one.distinct;
      }
    }
  }
  if (context_.checks() || original_ != nullptr) note(access, anywhere);
  if (context_.pricing() && is_atomic(kind)) {
    AtomicTally& tally = array.tally(thread_);
    for (std::int32_t w = 0; w < context_.warps(); ++w) {
      const std::int32_t begin = active.warp_begin[w];
      const std::int32_t count = active.warp_begin[w + 1] - begin;
      if (count > 0) tally.count(origin, active.index + begin, count);
    }
  }
  if (executes) note_use(array, array.element_bytes(), index, before, counts);
  return active;
}

const ActiveIndices& GlobalAccess::access_wide(GlobalStorage& array, Neighbours& neighbours,
                                               const Varying<std::int32_t>& index,
                                               GlobalCounts& counts, Touch kind,
                                               const SourceLine& where) {
  const Varying<std::int32_t>& groups = neighbours.groups();
  const ActiveIndices& active = context_.access(groups.data(), groups.id()).active;
  const std::int32_t count = neighbours.count();
  const GlobalCounts before = counts;
  const Mask& mask = context_.mask();
  context_.counts.idle += mask.issued_warps - mask.active_warps;
  context_.counts.active_lanes += active.count;
  const bool is_noted = (context_.checks() || original_ != nullptr) && active.count > 0;
  for (std::int32_t j = 0; is_noted && j < count; ++j) {
    const ActiveIndices& elements = neighbours.elements(active, j);
    note({array, neighbours.first_group() * count, kind, elements, where}, false);
  }
  const Access access{array, neighbours.first_group(), kind, active, where};
  for (std::int32_t w = 0; context_.pricing() && w < context_.warps(); ++w) {
    if (active.warp_begin[w] == active.warp_begin[w + 1]) continue;
    const GlobalPrice one = price(access, array.element_size().times(count), w);
    counts += {1, one.blocks, one.sectors};
  }
  if (context_.lone() != nullptr) {
    note_use(array, count * array.element_bytes(), index, before, counts);
  }
  return active;
}

void GlobalAccess::fail_race(const Access& access) {
  const ActiveIndices& active = access.active;
  std::int32_t i = 0;
  std::int64_t other = RaceDetector::nobody;
  for (; i < active.count; ++i) {
    const std::int64_t element = access.origin + active.index[i];
    other = access.array.races(thread_)->other_user(context_.task(), access.kind, element);
    if (other != RaceDetector::nobody) break;
  }
  race_ = {&access.array, access.origin + active.index[i]};
  const char* const verb = access.kind == Touch::read    ? "reads"
                           : access.kind == Touch::write ? "writes"
                                                         : "atomically updates";
  const std::string who =
      other == RaceDetector::many ? "several tasks use" : fmt::format("task {} uses", other);
  context_.fail(
      fmt::format("race: task {} {} a word of global memory that {} in the same phase, and "
                  "{}; let the host wait between them",
                  context_.task(), verb, who,
                  access.array.races(thread_)->is_atomic_only(access.origin + active.index[i]) &&
                          is_atomic(access.kind)
                      ? "atomics of two kinds have no order"
                      : "one of them writes"),
      active.lane[i], access.array.name(), access.origin + active.index[i], access.where);
}

}  // namespace agpusim

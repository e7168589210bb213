#include "agpusim/model/agpu/shared_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include <fmt/format.h>

#include "agpusim/model/agpu/lane_vector.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {
namespace {

/// Whether each(shadow word, lane) returned 0 for all lanes of an access that no two lanes make to
/// one word; a vector of them at a time.
template <class Each>
bool for_distinct(std::uint32_t* shadow, const ActiveIndices& active, Each each) {
  const std::int32_t whole = active.count / vector_lanes * vector_lanes;
  SignedLaneVector refused{};
  bool legal = true;
  std::int32_t i = 0;
  if (active.shape == Shape::ascending) {
    std::uint32_t* const first = shadow + active.index[0];
    for (; i < whole; i += vector_lanes) {
      LaneVector words = load_lanes(first + i);
      refused |= each(words, load_lanes(active.lane + i));
      store_lanes(words, first + i);
    }
  } else {
    for (; i < whole; i += vector_lanes) {
      const std::int32_t* const index = active.index + i;
      LaneVector words{};
      for (std::int32_t j = 0; j < vector_lanes; ++j) words[j] = shadow[index[j]];
      refused |= each(words, load_lanes(active.lane + i));
      for (std::int32_t j = 0; j < vector_lanes; ++j) shadow[index[j]] = words[j];
    }
  }
  for (; i < active.count; ++i) {
    legal &= !each(shadow[active.index[i]], static_cast<std::uint32_t>(active.lane[i]));
  }
  return legal && !any_lane(refused);
}

/// The same lane after lane, where several may touch one word.
template <class Each>
bool for_each(std::uint32_t* shadow, const ActiveIndices& active, Each each) {
  const std::int32_t* const index = active.index;
  const std::int32_t* const lane = active.lane;
  bool legal = true;
  for (std::int32_t i = 0, count = active.count; i < count; ++i) {
    legal &= !each(shadow[index[i]], static_cast<std::uint32_t>(lane[i]));
  }
  return legal;
}

}  // namespace

// Room for M words, so that arrays stay where they are; the host gives what is touched of it, since
// M, and what a task reserves, may be far larger.
SharedMemory::SharedMemory(LaneContext& context)
    : context_(context),
      bytes_(context.spec().shared_words * std::int64_t{sizeof(std::uint64_t)}),
      shadow_(context.spec().shared_words * std::int64_t{sizeof(std::uint32_t)}) {}

void SharedMemory::begin_task() {
  bytes_used_ = 0;
  elements_used_ = 0;
  words_used_ = 0;
  next_epoch();
  task_floor_ = epoch_ << epoch_shift;
}

void SharedMemory::sync() { next_epoch(); }

void SharedMemory::next_epoch() {
  constexpr std::uint32_t last_epoch = (1U << (32 - epoch_shift)) - 1;
  if (epoch_ < last_epoch) {
    ++epoch_;
    return;
  }
  // Renumber: what the current task has touched becomes epoch 1, everything else is forgotten.
  const auto reserved = static_cast<std::size_t>(most_elements_);
  for (std::uint32_t& shadow : std::span(shadow_.as<std::uint32_t>(), reserved)) {
    if (shadow != 0) shadow = shadow >= task_floor_ ? 1U << epoch_shift : 0;
  }
  task_floor_ = 1U << epoch_shift;
  epoch_ = 2;
}

SharedMemory::Array SharedMemory::allocate(std::int32_t size, std::int32_t element_bytes,
                                           std::string_view name) {
  const std::int32_t words = context_.spec().words_per_element(element_bytes);
  const std::int64_t needed = words_used_ + std::int64_t{size} * words;
  if (size < 0 || needed > context_.spec().shared_words) {
    throw RuleViolation(fmt::format(
        "too much shared memory: array {} of {} elements brings task {} of kernel {} to {} "
        "words, but M = {}; use a smaller tile or a larger M",
        name, size, context_.task(), context_.kernel(), needed, context_.spec().shared_words));
  }
  const Array array{name,
                    bytes_.data() + bytes_used_,
                    shadow_.as<std::uint32_t>() + elements_used_,
                    size,
                    words,
                    words_used_};
  bytes_used_ += (std::int64_t{size} * element_bytes + 7) / 8 * 8;
  elements_used_ += size;
  most_elements_ = std::max(most_elements_, elements_used_);
  words_used_ = needed;
  return array;
}

const ActiveIndices& SharedMemory::access(const Array& array, const Varying<std::int32_t>& index,
                                          SharedCounts& counts, const SourceLine& where) {
  index.use();
  AccessPattern& pattern = context_.access(index.data(), index.id());
  const ActiveIndices& active = pattern.active;
  if (active.count > 0 && (active.low < 0 || active.high >= array.size)) {
    for (std::int32_t i = 0; i < active.count; ++i) {
      if (active.index[i] < 0 || active.index[i] >= array.size) {
        context_.fail(fmt::format("out of bounds: shared array of {} elements", array.size),
                      active.lane[i], array.name, active.index[i], where);
      }
    }
  }
  if (!context_.pricing()) return active;
  context_.counts.idle += context_.mask().issued_warps - context_.mask().active_warps;
  context_.counts.active_lanes += active.count;
  if (&counts == &context_.counts.shared_atomic) {
    const SharedCounts atomic = price(array, active, Kind::atomic);
    wavefronts_ = atomic.wavefronts;
    counts += atomic;
    return active;
  }
  const bool load = array.words == 1 || &counts == &context_.counts.shared_read;
  const std::int64_t base = array.words == 1 ? 0 : array.base;  // one word: banks move alike
  if (pattern.shared_base != base || pattern.shared_words != array.words ||
      pattern.shared_load != load) {
    KnownIndices* const known = array.words == 1 ? pattern.known : nullptr;
    if (known != nullptr && known->priced) {
      pattern.shared = known->shared;
    } else {
      pattern.shared = price(array, active, load ? Kind::load : Kind::store);
      if (known != nullptr) known->shared = pattern.shared;
      if (known != nullptr) known->priced = true;
    }
    pattern.shared_base = base;
    pattern.shared_words = array.words;
    pattern.shared_load = load;
  }
  counts += pattern.shared;
  wavefronts_ = pattern.shared.wavefronts;
  return active;
}

const ActiveIndices& SharedMemory::access_wide(const Array& array, const Neighbours& neighbours,
                                               std::size_t element_bytes, SharedCounts& counts,
                                               const SourceLine& where) {
  Array groups = array;
  groups.size /= neighbours.count();
  groups.words *= neighbours.count();
  const auto bytes = static_cast<std::ptrdiff_t>(element_bytes) * neighbours.count();
  if (array.base % groups.words != 0 || (array.data - bytes_.data()) % bytes != 0) {
    context_.fail(fmt::format("misaligned: {} neighbours of {} bytes in all in an array that does "
                              "not begin at a multiple of these; reserve it before others",
                              neighbours.count(), bytes),
                  0, array.name, 0, where);
  }
  return access(groups, neighbours.groups(), counts, where);
}

SharedCounts SharedMemory::price(const Array& array, const ActiveIndices& active, Kind kind) {
  SharedCounts sum;
  for (std::int32_t w = 0; w < context_.warps(); ++w) {
    const std::int32_t begin = active.warp_begin[w];
    const std::int32_t count = active.warp_begin[w + 1] - begin;
    if (count == 0) continue;
    const std::int32_t* const index = active.index + begin;
    const std::int32_t* const lane = active.lane + begin;
    const SharedPrice price =
        kind == Kind::atomic
            ? context_.rules().shared_atomic(index, lane, count, array.base, array.words)
            : context_.rules().shared(index, lane, count, context_.shape_of_warp(active, w),
                                      array.base, array.words, kind == Kind::load);
    sum.requests += 1;
    sum.wavefronts += price.wavefronts;
    sum.conflicts += price.conflicts;
  }
  return sum;
}

void SharedMemory::note_read(const Array& array, const ActiveIndices& active,
                             const SourceLine& where) {
  const std::uint32_t now = epoch_ << epoch_shift;
  const std::uint32_t floor = task_floor_;
  if (active.shape == Shape::equal && active.count > 1) {
    std::uint32_t& shadow = array.shadow[active.index[0]];
    if (shadow < floor || shadow >= (now | written)) fail_read(array, active, where);
    shadow = now | read_many;
    return;
  }
  // A refused word stays as it is, for the message.
  const auto note = [now, floor]<class T>(T& s, const T& lane) {
    const T first = lane | now | read_once;
    const T own = lane | now | written;
    const T many = T{} + (now | read_many);
    const auto in_reading = s < (now | written);
    const auto refused = (s < floor) | ((s >= (now | written)) & (s != own));
    const T again = in_reading & (s != first) ? many : s;
    const T next = s < (now | read_once) ? first : again;
    s = refused ? s : next;
    return refused;
  };
  const bool legal = active.distinct ? for_distinct(array.shadow, active, note)
                                     : for_each(array.shadow, active, note);
  if (!legal) fail_read(array, active, where);
}

void SharedMemory::note_write(const Array& array, const ActiveIndices& active,
                              const SourceLine& where) {
  const std::uint32_t now = epoch_ << epoch_shift;
  const auto is_refused = [now]<class T>(const T& s, const T& lane) {
    return (s >= (now | read_once)) & (s != (lane | now | read_once)) &
           (s != (lane | now | written));
  };
  if (active.distinct) {
    const auto note = [now, is_refused]<class T>(T& s, const T& lane) {
      const auto refused = is_refused(s, lane);  // it stays as it is, for the message
      s = refused ? s : lane | now | written;
      return refused;
    };
    if (!for_distinct(array.shadow, active, note)) fail_write(array, active, where);
    return;
  }
  // Lanes of one write may meet in a word: none is marked before all are looked at.
  if (!for_each(array.shadow, active, is_refused)) fail_write(array, active, where);
  for_each(array.shadow, active, [now](std::uint32_t& s, std::uint32_t lane) {
    s = lane | now | written;
    return false;
  });
}

void SharedMemory::note_fetch(const Array& array, const ActiveIndices& active,
                              const SourceLine& where) {
  const std::uint32_t now = epoch_ << epoch_shift;
  const auto b = static_cast<std::uint32_t>(context_.spec().block_words);
  const auto lane_of = [&](std::int32_t i) { return static_cast<std::uint32_t>(active.lane[i]); };
  const auto fail = [&](std::int32_t i, std::string_view reason) {
    context_.fail(reason, active.lane[i], array.name, active.index[i], where);
  };
  for (std::int32_t i = 0; i < active.count; ++i) {
    std::uint32_t& shadow = array.shadow[active.index[i]];
    if (shadow < task_floor_) fail_read(array, active, where);
    const std::uint32_t lane = lane_of(i);
    if (shadow == now) fail(i, "fetch_add by two lanes at once: their order is not certain");
    if (shadow >= (now | fetched)) {
      const std::uint32_t before = shadow & ((1U << lane_bits) - 1);
      if (before / b != lane / b) {
        fail(i, "fetch_add by two warps and no sync() between: their order is not certain");
      }
    } else if (shadow >= (now | read_once) && shadow != (now | read_once | lane) &&
               shadow != (now | written | lane)) {
      fail_write(array, active, where);
    }
    shadow = now;  // by a lane of this instruction
  }
  for (std::int32_t i = 0; i < active.count; ++i) {
    array.shadow[active.index[i]] = now | fetched | lane_of(i);
  }
}

void SharedMemory::fail_read(const Array& array, const ActiveIndices& active,
                             const SourceLine& where) {
  const std::uint32_t now = epoch_ << epoch_shift;
  for (std::int32_t i = 0; i < active.count; ++i) {
    const std::uint32_t shadow = array.shadow[active.index[i]];
    if (shadow < task_floor_) {
      context_.fail("read of shared memory that this task has not written", active.lane[i],
                    array.name, active.index[i], where);
    }
    const std::uint32_t writer = shadow & ((1U << lane_bits) - 1);
    if (shadow >= (now | written) && writer != static_cast<std::uint32_t>(active.lane[i])) {
      context_.fail(
          fmt::format("reliance on lockstep: lane {} wrote this word of shared memory and no "
                      "sync() came since",
                      writer),
          active.lane[i], array.name, active.index[i], where);
    }
  }
  throw Error(ExitCode::internal, "a shared read was refused without a reason");
}

void SharedMemory::fail_write(const Array& array, const ActiveIndices& active,
                              const SourceLine& where) {
  const std::uint32_t now = epoch_ << epoch_shift;
  for (std::int32_t i = 0; i < active.count; ++i) {
    const std::uint32_t shadow = array.shadow[active.index[i]];
    const auto lane = static_cast<std::uint32_t>(active.lane[i]);
    if (shadow < (now | read_once) || shadow == (now | read_once | lane) ||
        shadow == (now | written | lane)) {
      continue;
    }
    const bool was_written = shadow >= (now | written);
    context_.fail(
        fmt::format("reliance on lockstep: another lane {} this word of shared memory and "
                    "no sync() came since",
                    was_written ? "wrote" : "read"),
        active.lane[i], array.name, active.index[i], where);
  }
  throw Error(ExitCode::internal, "a shared write was refused without a reason");
}

}  // namespace agpusim

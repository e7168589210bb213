#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "agpusim/model/agpu/lane_vector.hpp"
#include "agpusim/model/agpu/shared_memory.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/source_line.hpp"

// What the shadow words of shared memory are for: who touched an element since the last sync().
namespace agpusim {
namespace {

/// each(shadow word, lane) for all lanes of an access that no two lanes make to one word, a vector
/// of them at a time; whether it returned 0 for all.
template <class Each>
bool for_distinct(std::uint32_t* shadow, const ActiveIndices& active, const KnownIndices* known,
                  Each each) {
  SignedLaneVector refused{};
  if (known != nullptr) {  // all words from the lowest to the highest
    std::uint32_t* const first = shadow + active.low;
    const std::int32_t* const lane_at = known->lane_at.data();
    for (std::int32_t i = 0, n = static_cast<std::int32_t>(known->lane_at.size()); i < n;
         i += vector_lanes) {
      const auto lanes = load_lanes(lane_at + i);
      const auto touched = load_lanes<SignedLaneVector>(lane_at + i) >= 0;
      const LaneVector before = load_lanes(first + i);
      LaneVector words = before;
      refused |= each(words, lanes) & touched;
      store_lanes(touched ? words : before, first + i);
    }
    return !any_lane(refused);
  }
  const std::int32_t whole = active.count / vector_lanes * vector_lanes;
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
      const LaneVector index = load_lanes(active.index + i);
      LaneVector words = gather_lanes(shadow, index);
      refused |= each(words, load_lanes(active.lane + i));
      scatter_lanes(words, shadow, index);
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
  const bool legal = active.distinct ? for_distinct(array.shadow, active, known_, note)
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
    if (!for_distinct(array.shadow, active, known_, note)) fail_write(array, active, where);
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

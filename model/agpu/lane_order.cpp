#include "agpusim/model/agpu/lane_order.hpp"

#include <span>

#include <fmt/format.h>

#include "agpusim/model/agpu/lane_vector.hpp"

namespace agpusim {
namespace {

/// each(note, lane) for all lanes of an access that no two lanes make to one word, a vector
/// of them at a time; whether it returned 0 for all.
template <class Each>
bool for_distinct(std::uint32_t* notes, const ActiveIndices& active, const KnownIndices* known,
                  Each each) {
  SignedLaneVector refused{};
  if (known != nullptr) {  // all words from the lowest to the highest
    std::uint32_t* const first = notes + active.low;
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
    std::uint32_t* const first = notes + active.index[0];
    for (; i < whole; i += vector_lanes) {
      LaneVector words = load_lanes(first + i);
      refused |= each(words, load_lanes(active.lane + i));
      store_lanes(words, first + i);
    }
  } else {
    for (; i < whole; i += vector_lanes) {
      const LaneVector index = load_lanes(active.index + i);
      LaneVector words = gather_lanes(notes, index);
      refused |= each(words, load_lanes(active.lane + i));
      scatter_lanes(words, notes, index);
    }
  }
  for (; i < active.count; ++i) {
    legal &= !each(notes[active.index[i]], static_cast<std::uint32_t>(active.lane[i]));
  }
  return legal && !any_lane(refused);
}

/// Calls each(note, lane) lane after lane, where several may touch one word.
template <class Each>
bool for_each(std::uint32_t* notes, const ActiveIndices& active, Each each) {
  const std::int32_t* const index = active.index;
  const std::int32_t* const lane = active.lane;
  bool legal = true;
  for (std::int32_t i = 0, count = active.count; i < count; ++i) {
    legal &= !each(notes[index[i]], static_cast<std::uint32_t>(lane[i]));
  }
  return legal;
}

/// Notes that lanes store, several of them perhaps to one element.
void note_meeting(std::uint32_t* notes, const ActiveIndices& active, std::uint32_t one,
                  std::uint32_t many) {
  for_each(notes, active, [one](std::uint32_t& s, std::uint32_t lane) {
    s = one | lane;
    return false;
  });
  for_each(notes, active, [one, many](std::uint32_t& s, std::uint32_t lane) {
    s = s == (one | lane) ? s : many;
    return false;
  });
}

}  // namespace

LaneOrder::LaneOrder(LaneContext& context, std::int64_t elements, std::string_view memory,
                     bool must_be_written)
    : context_(context),
      name_(memory),
      must_be_written_(must_be_written),
      memory_((elements + vector_lanes) * std::int64_t{sizeof(std::uint32_t)}),
      copies_(context.lane_numbers()) {}

void LaneOrder::barrier() {
  forget_later();
  if (epoch_ < last_epoch) {
    ++epoch_;
    return;
  }
  // Renumber: what the current task has touched becomes epoch 1, everything else is forgotten.
  for (std::uint32_t& note : std::span(notes(), static_cast<std::size_t>(used_))) {
    if (note != 0) note = note >= floor_ ? 1U << epoch_shift : 0;
  }
  if (must_be_written_) floor_ = 1U << epoch_shift;
  epoch_ = 2;
}

bool LaneOrder::note_reads(std::uint32_t* notes, const ActiveIndices& active,
                           const KnownIndices* known) {
  if (!later_.empty()) [[unlikely]]
    note_later();
  const std::uint32_t base = now();
  const std::uint32_t floor = floor_;
  const std::uint32_t once = base | by_one(Touch::read);
  const std::uint32_t written = base | by_one(Touch::write);
  const std::uint32_t several = base | by_many(Touch::read);
  if (active.shape == Shape::equal && active.count > 1) {
    std::uint32_t& note = notes[active.index[0]];
    if (note < floor || note >= written) return false;
    note = several;
    return true;
  }
  const auto read = [=]<class T>(T& s, const T& lane) {
    const T first = lane | once;
    const T own = lane | written;
    const T many = T{} + several;
    const auto in_reading = s < written;
    const auto is_refused = (s < floor) | ((s >= written) & (s != own));
    const T again = (in_reading & (s != first)) ? many : s;
    const T next = s < once ? first : again;
    s = is_refused ? s : next;
    return is_refused;
  };
  return active.distinct ? for_distinct(notes, active, known, read) : for_each(notes, active, read);
}

bool LaneOrder::note_writes(std::uint32_t* notes, const ActiveIndices& active,
                            const KnownIndices* known) {
  if (!later_.empty()) [[unlikely]]
    note_later();
  const std::uint32_t base = now();
  const std::uint32_t once = base | by_one(Touch::read);
  const std::uint32_t written = base | by_one(Touch::write);
  const auto is_refused = [=]<class T>(const T& s, const T& lane) {
    return (s >= once) & (s != (lane | once)) & (s != (lane | written));
  };
  if (active.distinct) {
    return for_distinct(notes, active, known, [=]<class T>(T& s, const T& lane) {
      const auto is_not_legal = is_refused(s, lane);
      s = is_not_legal ? s : lane | written;
      return is_not_legal;
    });
  }
  // Lanes may meet in an element: none is noted before all are looked at.
  if (!for_each(notes, active, is_refused)) return false;
  note_meeting(notes, active, written, base | by_many(Touch::write));
  return true;
}

bool LaneOrder::note_atomics(std::uint32_t* notes, Touch touch, const ActiveIndices& active) {
  std::uint32_t oldest = ~std::uint32_t{0};
  std::uint32_t latest = 0;
  for (std::int32_t i = 0; i < active.count; ++i) {
    const std::uint32_t note = notes[active.index[i]];
    oldest = std::min(oldest, note);
    latest = std::max(latest, note);
  }
  const bool is_kind = later_.empty() || later_.back().touch == touch;
  if (oldest >= floor_ && latest < (now() | by_one(Touch::read)) && is_kind &&
      copies_.has_room(active.count)) {
    later_.push_back({touch, notes, copies_.copy(active)});
    return true;
  }
  note_later();
  return note_atomics_now(notes, touch, active);
}

bool LaneOrder::note_atomics_now(std::uint32_t* notes, Touch touch, const ActiveIndices& active) {
  const std::uint32_t floor = floor_;
  const std::uint32_t once = now() | by_one(touch);
  const std::uint32_t several = now() | by_many(touch);
  const std::uint32_t untouched = now() | by_one(Touch::read);  // and smaller notes
  return for_each(notes, active, [=](std::uint32_t& s, std::uint32_t lane) {
    const bool legal = (s >= floor) & ((s < untouched) | ((s >= once) & (s <= several)));
    const std::uint32_t next = s < untouched || s == (once | lane) ? once | lane : several;
    s = legal ? next : s;
    return !legal;
  });
}

void LaneOrder::note_later() {
  for (const Later& one : later_) {
    static_cast<void>(note_atomics_now(one.notes, one.touch, one.lanes));
  }
  forget_later();
}

std::uint32_t LaneOrder::after(std::uint32_t note, Touch touch, std::uint32_t lane) const {
  if (note == 0) return by_one(touch) | lane;
  const std::uint32_t state = (note >> lane_bits) - 1;
  const auto before = static_cast<Touch>(state / 2);
  const std::uint32_t who = note & ((1U << lane_bits) - 1);
  if (state % 2 == 0 && who == lane) {
    return before == touch ? note : by_one(Touch::write) | lane;
  }
  const auto b = static_cast<std::uint32_t>(context_.spec().block_words);
  const bool is_legal =
      before == touch && touch != Touch::write && (touch != Touch::fetch || who / b == lane / b);
  return is_legal ? by_many(touch) | (touch == Touch::fetch ? lane : 0) : refused;
}

void LaneOrder::note_each(const Array& array, Touch touch, const ActiveIndices& active,
                          const SourceLine& where) {
  note_later();
  const std::uint32_t base = now();
  const bool at_once = touch == Touch::write || touch == Touch::fetch;  // none is noted before all
  fetched_.resize(static_cast<std::size_t>(context_.width()));
  for (std::int32_t i = 0; i < active.count; ++i) {
    std::uint32_t& note = array.notes[active.index[i]];
    const auto fail = [&](const std::string& why) {
      context_.fail(why, active.lane[i], array.name, array.origin + active.index[i], where);
    };
    if (note < floor_ && touch != Touch::write) {
      fail("read of shared memory that this task has not written");
    }
    if (touch == Touch::fetch && note == base) {
      fail("fetch_add by two lanes at once: their order is not certain");
    }
    const std::uint32_t before = note > base ? note - base : 0;
    const std::uint32_t next = after(before, touch, static_cast<std::uint32_t>(active.lane[i]));
    if (next == refused) fail(reason(before, touch));
    if (!at_once) note = base | next;
    if (touch == Touch::fetch) {
      fetched_[static_cast<std::size_t>(i)] = base | next;
      note = base;  // by a lane of this instruction
    }
  }
  if (touch == Touch::write) {
    note_meeting(array.notes, active, base | by_one(touch), base | by_many(touch));
  }
  for (std::int32_t i = 0; touch == Touch::fetch && i < active.count; ++i) {
    array.notes[active.index[i]] = fetched_[static_cast<std::size_t>(i)];
  }
}

std::string LaneOrder::reason(std::uint32_t note, Touch touch) const {
  const std::uint32_t state = (note >> lane_bits) - 1;
  const auto before = static_cast<Touch>(state / 2);
  if (touch == Touch::fetch && before == Touch::fetch) {
    return "fetch_add by two warps and no sync() between: their order is not certain";
  }
  constexpr const char* verbs[] = {"read",
                                   "wrote",
                                   "added to",
                                   "took the maximum with",
                                   "took the minimum with",
                                   "added, with fetch_add, to"};
  const bool many = state % 2 == 1;
  const std::string who =
      many ? "several lanes" : fmt::format("lane {}", note & ((1U << lane_bits) - 1));
  const bool two_kinds = is_atomic(before) && is_atomic(touch);
  return fmt::format(
      "reliance on lockstep: {} {} this word of {} memory and no sync() came since{}", who,
      verbs[static_cast<std::size_t>(before)], name_,
      two_kinds ? "; atomics of two kinds need one between" : "");
}

}  // namespace agpusim

#include "agpusim/ptx/run/shared_shadow.hpp"

#include <algorithm>
#include <bit>

#include "agpusim/ptx/run/lanes.hpp"

namespace agpusim::ptx {

namespace {

constexpr std::uint32_t window_elements = 32;
constexpr int few_elements = 4;

/// All bits or none, as masks() of a vector gives them.
std::uint32_t masks(bool holds) { return holds ? ~0U : 0; }

}  // namespace

void SharedShadow::begin(std::uint32_t elements, std::uint32_t warps) {
  // A window of the widest accesses to the last element is loaded whole.
  constexpr std::uint32_t widest = 16;
  constexpr std::uint32_t room = widest * window_elements;
  warps_ = warps;
  if (writes_.size() < elements + room) {
    writes_.resize(elements + room, 0);
    reads_.resize(elements + room, 0);
  }
  if (has_copies_) {  // what the CTA before has not waited for
    std::replace(writes_.begin(), writes_.end(), pending, Note{0});
    std::replace(reads_.begin(), reads_.end(), pending, Note{0});
    has_copies_ = false;
  }
  advance();
  begun_ = time_;
  floor_ = time_ - 1;
  for (auto& row : known_) row.fill(floor_);
}

void SharedShadow::advance() {
  if (++time_ < last_time) return;
  // Times begin again: what was written stays so, in no order with what comes.
  for (Note& note : writes_) {
    if (note != pending) note = note >> time_shift >= begun_ ? (1U << time_shift | several) : 0;
  }
  for (Note& note : reads_) note = note == pending ? pending : 0;
  ++epoch_;
  time_ = 2;
  begun_ = 1;
  floor_ = 1;
  for (auto& row : known_) row.fill(1);
}

bool SharedShadow::is_known_of_several(std::uint32_t time, std::uint32_t warp) const {
  const auto& known = known_[warp];
  return std::all_of(known.begin(), known.begin() + warps_,
                     [&](std::uint32_t until) { return time <= until; });
}

void SharedShadow::Window::add(std::uint32_t wanted, std::uint32_t of_lane) {
  const auto count = static_cast<std::uint32_t>(std::popcount(touched));
  std::uint32_t i = wanted;
  if (!is_dense) {
    i = static_cast<std::uint32_t>(std::find(number.begin(), number.begin() + count, wanted) -
                                   number.begin());
  }
  twice |= touched & 1U << i;
  touched |= 1U << i;
  number[i] = wanted;
  lane[i] = of_lane;
}

template <class Next>
bool SharedShadow::replace(std::vector<Note>& notes, const Window& window, std::uint32_t first,
                           std::uint32_t scale, Next next) {
  const Note* writes = writes_.data() + first;
  const Note* reads = reads_.data() + first;
  // Vectors that begin elsewhere than those before would wait until these are stored.
  if (std::popcount(window.touched) <= few_elements) {
    Note noted[few_elements];
    std::size_t count = 0;
    for (std::uint32_t left = window.touched; left != 0; left &= left - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
      const std::uint32_t at = scale * window.number[i];
      std::uint32_t fine = 0;
      noted[count++] =
          next(masks((window.twice >> i & 1) != 0), window.lane[i], writes[at], reads[at], fine);
      if (fine == 0) return false;
    }
    count = 0;
    for_lanes(window.touched,
              [&](std::uint32_t i) { notes[first + scale * window.number[i]] = noted[count++]; });
    return true;
  }
  const bool in_place = window.is_dense && scale == 1;
  const Note* const old = &notes == &writes_ ? writes : reads;
  const auto load = [&](const Note* from, std::uint32_t i) {
    return in_place ? load_lanes(from + i)
                    : gather_lanes(from, scale * load_lanes(window.number.data() + i));
  };
  constexpr std::uint32_t of_vector = ~0U >> (32 - vector_lanes);
  const auto has = [&](std::uint32_t i) { return (window.touched >> i & of_vector) != 0; };
  alignas(64) Note noted[window_elements];
  LaneVector wrong{};
  LaneVector changed{};
  for (std::uint32_t i = 0; i < window_elements; i += vector_lanes) {
    if (!has(i)) continue;
    const LaneVector touched = masks_of(window.touched >> i);
    LaneVector fine{};
    const LaneVector note = next(masks_of(window.twice >> i), load_lanes(window.lane.data() + i),
                                 load(writes, i), load(reads, i), fine);
    const LaneVector before = load(old, i);
    wrong |= touched & ~fine;
    changed |= touched & (note ^ before);
    store_lanes((touched & note) | (~touched & before), noted + i);
  }
  if (any_lane(wrong)) return false;
  if (!any_lane(changed)) return true;
  if (in_place) {
    for (std::uint32_t i = 0; i < window_elements; i += vector_lanes) {
      if (has(i)) store_lanes(load_lanes(noted + i), notes.data() + first + i);
    }
  } else {
    for_lanes(window.touched,
              [&](std::uint32_t i) { notes[first + scale * window.number[i]] = noted[i]; });
  }
  return true;
}

bool SharedShadow::read(const Window& window, std::uint32_t first, std::uint32_t scale,
                        std::uint32_t warp) {
  // Mostly nobody has read them since the last barrier of the CTA, or several warps have.
  const Note of_several = note_of(several, false);
  const Note of_warp = note_of(several_of_warp + warp, false);
  const Note of_first = note_of(warp * 32, false);
  const Note old = (floor_ + 1) << time_shift;  // below it, before that barrier
  const Note begun = begun_ << time_shift;
  const bool done = replace(
      reads_, window, first, scale,
      [&]<class V>(const V& twice, const V& lane, const V& write, const V& read, V& fine) {
        const V stays = masks(read == of_several);
        fine = masks(write - begun < old - begun) & (masks(read < old) | stays);
        return (stays & read) | (~stays & twice & of_warp) | (~stays & ~twice & (lane + of_first));
      });
  return done || read_again(window, first, scale, warp);
}

bool SharedShadow::read_again(const Window& window, std::uint32_t first, std::uint32_t scale,
                              std::uint32_t warp) {
  const Note now = note_of(0, false);
  const std::uint32_t of_warp = several_of_warp + warp;
  const Note old = (floor_ + 1) << time_shift;
  const Note begun = begun_ << time_shift;
  // Then no note since the last barrier of the CTA comes before the access of another lane.
  const std::uint32_t unordered = time_ == floor_ + 1 ? ~0U : 0;
  return replace(
      reads_, window, first, scale,
      [&]<class V>(const V& twice, const V& lane, const V& write, const V& read, V& fine) {
        const V user = lane + 32 * warp;
        const V reader = read & user_mask;
        const V is_new = masks(read < old);
        const V mine = (is_new | masks(reader == user)) & ~twice;
        const V one_warp = is_new | masks(reader == of_warp) | masks(reader / 32 == warp);
        fine = masks(write >= begun) & masks(read != pending) &
               (masks(write < old) | (masks((write & user_mask) == user) & ~twice)) &
               (is_new | mine | unordered);
        return now | (mine & user) | (~mine & one_warp & of_warp) | (~mine & ~one_warp & several);
      });
}

bool SharedShadow::write(const Window& window, std::uint32_t first, std::uint32_t scale,
                         std::uint32_t warp) {
  const Note now = note_of(0, false);
  const Note old = (floor_ + 1) << time_shift;
  return replace(
      writes_, window, first, scale,
      [&]<class V>(const V& twice, const V& lane, const V& write, const V& read, V& fine) {
        const V user = lane + 32 * warp;
        const auto before = [&](const V& note) {
          return masks(note < old) | (~twice & masks((note & user_mask) == user));
        };
        fine = before(write) & before(read);
        return now | user;
      });
}

void SharedShadow::barrier() {
  floor_ = time_;
  advance();
}

void SharedShadow::barrier_of(std::uint32_t warps) {
  std::array<std::uint32_t, 32> joined{};
  for (std::uint32_t w = 0; w < warps_; ++w) {
    if ((warps >> w & 1) == 0) continue;
    for (std::uint32_t i = 0; i < warps_; ++i) joined[i] = std::max(joined[i], known_[w][i]);
  }
  for (std::uint32_t w = 0; w < warps_; ++w) {
    if ((warps >> w & 1) != 0) joined[w] = time_;
  }
  for (std::uint32_t w = 0; w < warps_; ++w) {
    if ((warps >> w & 1) != 0) known_[w] = joined;
  }
  advance();
}

void SharedShadow::begin_copy(const Copy& copy) {
  has_copies_ = true;
  const auto first = (copy.reads ? reads_ : writes_).begin() + copy.first;
  std::fill(first, first + copy.count, pending);
}

void SharedShadow::end_copy(const Copy& copy, std::uint32_t user) {
  const auto first = (copy.reads ? reads_ : writes_).begin() + copy.first;
  std::replace(first, first + copy.count, pending, note_of(user, false));
}

void SharedShadow::release(Clock& clock, std::uint32_t warp) {
  if (clock.epoch != epoch_) clock = {epoch_, {}};  // what it told comes before all
  for (std::uint32_t w = 0; w < warps_; ++w) {
    clock.until[w] = std::max(clock.until[w], known_[warp][w]);
  }
  clock.until[warp] = time_;
}

void SharedShadow::acquire(const Clock& clock, std::uint32_t warp) {
  if (clock.epoch != epoch_) return;
  std::uint32_t least = time_;  // up to then all warps know of all
  for (std::uint32_t w = 0; w < warps_; ++w) {
    known_[warp][w] = std::max(known_[warp][w], clock.until[w]);
  }
  for (std::uint32_t w = 0; w < warps_; ++w) {
    least = std::min(least, *std::min_element(known_[w].begin(), known_[w].begin() + warps_));
  }
  floor_ = std::max(floor_, std::min(least, time_ - 1));
}

void SharedShadow::end_copies(Clock& clock, const std::vector<Copy>& copies) {
  if (clock.epoch != epoch_) clock = {epoch_, {}};
  for (const Copy& copy : copies) {
    end_copy(copy, several_of_warp + copy.warp);
    clock.until[copy.warp] = time_;
  }
  advance();
}

void SharedShadow::warp_barrier(std::uint32_t warp) {
  known_[warp][warp] = time_;
  advance();
}

}  // namespace agpusim::ptx

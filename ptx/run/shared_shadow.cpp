#include "agpusim/ptx/run/shared_shadow.hpp"

#include <algorithm>
#include <bit>

#include "agpusim/ptx/run/lanes.hpp"

namespace agpusim::ptx {

namespace {

constexpr std::uint32_t window_elements = 32;
constexpr int few_elements = 4;

using ptx::masks;
/// All bits or none, as masks() of a vector gives them.
std::uint32_t masks(bool holds) { return holds ? ~0U : 0; }
bool any_lane(std::uint32_t value) { return value != 0; }
using agpusim::any_lane;

/// Whether it is the node of a warp, or one above it.
std::uint32_t is_above(std::uint32_t node, std::uint32_t warp) {
  return masks(node != 0 && node <= warp &&
               warp >> (std::countl_zero(node) - std::countl_zero(warp)) == node);
}
LaneVector is_above(const LaneVector& node, std::uint32_t warp) {
  return masks(node == warp) | masks(node == warp / 2) | masks(node == warp / 4) |
         masks(node == warp / 8) | masks(node == warp / 16) | masks(node == warp / 32);
}

/// The nodes that hold both.
template <class V>
V joined_nodes(V a, V b) {
  for (;;) {  // the larger of two nodes of a heap is not above the other
    const V above = masks(a > b);
    const V below = masks(a < b);
    if (!any_lane(above | below)) return a;
    a = (above & (a >> 1)) | (~above & a);
    b = (below & (b >> 1)) | (~below & b);
  }
}

/// Who accesses the elements of a window: whether several lanes do, the last lane, and their node
/// as Window has it.
template <class V>
struct Users {
  V twice;
  V lane;
  V part;
  V level;

  /// The node in a CTA, whose warp this is.
  [[nodiscard]] V node(std::uint32_t warp) const { return threads::of_warp(warp) * level + part; }
};

}  // namespace

void SharedShadow::begin(std::uint32_t elements) {
  // A window of the widest accesses to the last element is loaded whole.
  constexpr std::uint32_t widest = 16;
  constexpr std::uint32_t room = widest * window_elements;
  if (writes_.size() < elements + room) {
    writes_.resize(elements + room, 0);
    reads_.resize(elements + room, 0);
  }
  if (!has_copies_) return;
  // What the CTA before has not waited for.
  std::replace(writes_.begin(), writes_.end(), pending, std::uint32_t{0});
  std::replace(reads_.begin(), reads_.end(), pending, std::uint32_t{0});
  has_copies_ = false;
}

void SharedShadow::restart() {
  // What was written came before all; before the begin of a CTA, another one wrote it.
  const std::uint32_t written = Note::of(order_.floor(), order_.all(), Strength::weak).bits;
  for (std::uint32_t& note : writes_) {
    if (note != pending) note = note != 0 ? written : 0;
  }
  for (std::uint32_t& note : reads_) note = note == pending ? pending : 0;
}

void SharedShadow::Window::add(std::uint32_t wanted, std::uint32_t of_lane) {
  const auto count = static_cast<std::uint32_t>(std::popcount(touched));
  std::uint32_t i = wanted;
  if (!is_dense) {
    i = static_cast<std::uint32_t>(std::find(number.begin(), number.begin() + count, wanted) -
                                   number.begin());
  }
  std::uint32_t node = threads::first_warp + of_lane;  // in a tree of this warp
  if ((touched >> i & 1) != 0) {
    twice |= 1U << i;
    node = threads::joined(node, level[i] + part[i]);
  }
  touched |= 1U << i;
  level[i] = std::bit_floor(node);
  part[i] = node - level[i];
  number[i] = wanted;
  lane[i] = of_lane;
}

template <class Next>
bool SharedShadow::replace(std::vector<std::uint32_t>& notes, const Window& window,
                           std::uint32_t first, std::uint32_t scale, Next next) {
  const std::uint32_t* writes = writes_.data() + first;
  const std::uint32_t* reads = reads_.data() + first;
  // Vectors that begin elsewhere than those before would wait until these are stored.
  if (std::popcount(window.touched) <= few_elements) {
    std::uint32_t noted[few_elements];
    std::size_t count = 0;
    for (std::uint32_t left = window.touched; left != 0; left &= left - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
      const std::uint32_t at = scale * window.number[i];
      std::uint32_t fine = 0;
      noted[count++] = next(Users<std::uint32_t>{masks((window.twice >> i & 1) != 0),
                                                 window.lane[i], window.part[i], window.level[i]},
                            writes[at], reads[at], fine);
      if (fine == 0) return false;
    }
    count = 0;
    for_lanes(window.touched,
              [&](std::uint32_t i) { notes[first + scale * window.number[i]] = noted[count++]; });
    return true;
  }
  const bool in_place = window.is_dense && scale == 1;
  const std::uint32_t* const old = &notes == &writes_ ? writes : reads;
  const auto load = [&](const std::uint32_t* from, std::uint32_t i) {
    return in_place ? load_lanes(from + i)
                    : gather_lanes(from, scale * load_lanes(window.number.data() + i));
  };
  constexpr std::uint32_t of_vector = ~0U >> (32 - vector_lanes);
  const auto has = [&](std::uint32_t i) { return (window.touched >> i & of_vector) != 0; };
  alignas(64) std::uint32_t noted[window_elements];
  LaneVector wrong{};
  LaneVector changed{};
  for (std::uint32_t i = 0; i < window_elements; i += vector_lanes) {
    if (!has(i)) continue;
    const LaneVector touched = masks_of(window.touched >> i);
    LaneVector fine{};
    const LaneVector note = next(
        Users<LaneVector>{masks_of(window.twice >> i), load_lanes(window.lane.data() + i),
                          load_lanes(window.part.data() + i), load_lanes(window.level.data() + i)},
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

/// Notes that come before what the lanes of a warp do next, whichever lane it is.
struct SharedShadow::Before {
  std::uint32_t floor;  // notes below it come before all
  std::uint32_t own;    // notes of the warp below it come before what it does
  std::uint32_t warp;   // node

  /// `until`: time up to which the lanes of the warp know of each other.
  Before(const Order& order, std::uint32_t number, Time until)
      : floor((order.floor() + 1) << Note::time_shift),
        own((until + 1) << Note::time_shift),
        warp(threads::of_warp(number)) {}
  template <class V>
  [[nodiscard]] V operator()(const V& note) const {
    if (own <= floor) return masks(note < floor);
    const V node = note & Note::threads_mask;
    return masks(note < floor) |
           (masks(note < own) & (masks(node == warp) | masks((node >> 5) == warp)));
  }
};

/// What lanes of a warp make of the notes of elements that they access now, each of `users` one of
/// its own; `alone`: no other lane accesses it.
struct SharedShadow::Access {
  static constexpr std::uint32_t strengths = 3U << Note::strength_shift;
  static constexpr std::uint32_t times = ~((1U << Note::time_shift) - 1);

  std::uint32_t now;
  std::uint32_t begun;
  std::uint32_t unordered;     // no other note comes before the access of another lane
  std::uint32_t meets_strong;  // it races with weak ones only
  Before before;
  Before read_before;

  Access(const Order& order, std::uint32_t warp, Strength strength)
      : now(Note::of(order.time(warp), 0, strength).bits),
        begun(order.begun() << Note::time_shift),
        unordered(masks(order.is_simple())),
        meets_strong(masks(strength == Strength::strong)),
        before(order, warp, order.known(warp, warp)),
        read_before(order, warp, order.read_until(warp)) {}

  template <class V>
  [[nodiscard]] static V is_of(const V& note, const V& user, const V& alone) {
    return alone & masks((note & Note::threads_mask) == user);
  }
  /// Whether a weak write finds nothing.
  template <class V>
  [[nodiscard]] V may_write(const V& write, const V& read, const V& user, const V& alone) const {
    return (before(write) | is_of(write, user, alone)) &
           (read_before(read) | is_of(read, user, alone));
  }
  /// The note after a read, as Note::with() has it.
  template <class V>
  [[nodiscard]] V read(const V& write, const V& read, const V& user, const V& alone,
                       V& fine) const {
    const V is_new = read_before(read);
    const V is_same = is_of(read, user, alone);
    const V strong = meets_strong & masks((write & strengths) != 0) & masks(write != pending);
    fine = masks(write >= begun) & masks(read != pending) &
           (before(write) | is_of(write, user, alone) | strong) & (is_new | is_same | unordered);
    const V keeps_time = ~is_new & masks((read & times) > (now & times));
    const V keeps_strength = ~is_new & masks((read & strengths) < (now & strengths));
    const V differs = masks((read & times) != (now & times)) | masks((read & Note::mixed_bit) != 0);
    return (keeps_time & read & times) | (~keeps_time & (now & times)) |
           (keeps_strength & read & strengths) | (~keeps_strength & (now & strengths)) |
           (~is_new & ~is_same & differs & Note::mixed_bit) |
           joined_nodes(user, (is_new & user) | (~is_new & read & Note::threads_mask));
  }
};

bool SharedShadow::read(const Window& window, std::uint32_t first, std::uint32_t scale,
                        std::uint32_t warp) {
  // Mostly nobody has read them since the last barrier, or warps have of which this is one.
  const std::uint32_t now = Note::of(order_.time(warp), 0, Strength::weak).bits;
  const std::uint32_t mine = threads::of_warp(warp);
  const std::uint32_t begun = order_.begun() << Note::time_shift;
  const Before before(order_, warp, order_.known(warp, warp));
  const Before read_before(order_, warp, order_.read_until(warp));
  const bool done =
      replace(reads_, window, first, scale,
              [&]<class V>(const Users<V>& users, const V& write, const V& read, V& fine) {
                const V stays = is_above(read ^ now, mine);
                fine = masks(write >= begun) & before(write) & (read_before(read) | stays);
                return (stays & read) | (~stays & (now | users.node(warp)));
              });
  return done || read_again(window, first, scale, warp);
}

bool SharedShadow::read_again(const Window& window, std::uint32_t first, std::uint32_t scale,
                              std::uint32_t warp) {
  const Access access(order_, warp, Strength::weak);
  return replace(reads_, window, first, scale,
                 [&]<class V>(const Users<V>& users, const V& write, const V& read, V& fine) {
                   return access.read<V>(write, read, users.node(warp), ~users.twice, fine);
                 });
}

bool SharedShadow::write(const Window& window, std::uint32_t first, std::uint32_t scale,
                         std::uint32_t warp) {
  const Access access(order_, warp, Strength::weak);
  return replace(writes_, window, first, scale,
                 [&]<class V>(const Users<V>& users, const V& write, const V& read, V& fine) {
                   const V user = users.lane + threads::of(warp_lanes * warp);
                   fine = access.may_write<V>(write, read, user, ~users.twice);
                   return access.now | user;
                 });
}

/// Calls f(i, writes, reads, users) for each vector of the elements, from the i-th on; whether f
/// has returned all ones.
template <class F>
bool SharedShadow::all_of(const Scattered& elements, std::uint32_t warp, F f) const {
  LaneVector wrong{};
  for (std::uint32_t i = 0; i < window_elements; i += vector_lanes) {
    const LaneVector at = load_lanes(elements.number.data() + i);
    wrong |= ~f(i, gather_lanes(writes_.data(), at), gather_lanes(reads_.data(), at),
                load_lanes(elements.lane.data() + i) + threads::of(warp_lanes * warp));
  }
  return !any_lane(wrong);
}

bool SharedShadow::read(const Scattered& elements, std::uint32_t warp, Strength strength) {
  const Access access(order_, warp, strength);
  alignas(64) std::uint32_t noted[window_elements];
  const auto note = [&](std::uint32_t i, const auto& write, const auto& read, const auto& user) {
    LaneVector fine{};
    store_lanes(access.read(write, read, user, ~LaneVector{}, fine), noted + i);
    return fine;
  };
  if (!all_of(elements, warp, note)) return false;
  for (std::uint32_t i = 0; i < elements.count; ++i) reads_[elements.number[i]] = noted[i];
  for (std::uint32_t i = 0; i < elements.count; ++i) {  // where several lanes read one
    std::uint32_t& last = reads_[elements.number[i]];
    if (last != noted[i]) last = Note{last}.with({noted[i]}).bits;
  }
  return true;
}

bool SharedShadow::may_write(const Scattered& elements, std::uint32_t warp) const {
  const Access access(order_, warp, Strength::weak);
  return all_of(elements, warp,
                [&](std::uint32_t, const auto& write, const auto& read, const auto& user) {
                  return access.may_write(write, read, user, ~LaneVector{});
                });
}

void SharedShadow::begin_copy(const Copy& copy) {
  has_copies_ = true;
  const auto first = (copy.reads ? reads_ : writes_).begin() + copy.first;
  std::fill(first, first + copy.count, pending);
}

void SharedShadow::end_copy(const Copy& copy, std::uint32_t who) {
  const auto first = (copy.reads ? reads_ : writes_).begin() + copy.first;
  std::replace(first, first + copy.count, pending, note_of(who, Strength::weak));
}

}  // namespace agpusim::ptx

#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/model/loop.hpp"

// A table with linear probing (Knuth, TAOCP 3, 6.4, algorithm L): a key is in its home slot or in
// one of the neighbours behind it, with no empty slot between. Which slots are taken does not
// depend on the order in which the keys come (Peterson, IBM J. Res. Dev. 1(2), 1957), so that a
// batch in the order of homes h(0) <= h(1) <= ... needs no atomic operation: key i goes to i + max
// over j <= i of (h(j) - j), the first slot behind key i - 1, or its home.
namespace agpusim::hash_table {

inline constexpr std::uint32_t empty = 0;

/// The slots of a table. It does not wrap around: behind the homes there is room for every key, and
/// one empty slot.
struct Slots {
  std::int32_t homes;  ///< m

  [[nodiscard]] AGPUSIM_FN std::int64_t slots(std::int64_t keys) const { return homes + keys + 1; }
  /// The home of keys, one or one of each lane: the upper bits of a product, times m.
  template <class Key>
  [[nodiscard]] AGPUSIM_FN auto home(const Key& key) const {
    constexpr std::uint32_t golden = 0x9e3779b1U;
    const auto product = cast<std::uint64_t>(key * golden) * static_cast<std::uint64_t>(homes);
    return cast<std::int32_t>(product >> 32);
  }
};

/// out[i] = h(i) - i.
struct Displace {
  static constexpr const char* name = "displace";
  static constexpr bool oblivious = true;

  Cut cut;
  Slots table;

  template <class Mp, class Keys, class Out>
  AGPUSIM_FN void operator()(Mp& mp, Keys keys, Out out) const {
    const Segments segments = cut.segments(mp);
    const std::int64_t first = segments.first(mp.task());
    const Keys from = keys.from(first);
    const Out to = out.from(first);
    stream_lanes(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) { return from.read(i); },
        [&](const auto& i, const auto& key) {
          to.write(i, table.home(key) - (i + static_cast<std::int32_t>(first)));
        });
  }
};

/// slots[i + shift[i]] = keys[i].
struct Place {
  static constexpr const char* name = "place";

  Cut cut;

  template <class Mp, class Keys, class Shift, class SlotsView>
  AGPUSIM_FN void operator()(Mp& mp, Keys keys, Shift shift, SlotsView slots) const {
    const Segments segments = cut.segments(mp);
    const std::int64_t first = segments.first(mp.task());
    const Keys from = keys.from(first);
    const Shift shift_from = shift.from(first);
    const SlotsView to = slots.from(first);
    stream_lanes(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) {
          return LoadedPair{from.read(i), shift_from.read(i)};
        },
        [&](const auto& i, const auto& loaded) { to.write(i + loaded.second, loaded.first); });
  }
};

/// out[i] = the slot in which a search for wanted[i] ends: the key's, or, as -1 - slot, an empty
/// one. A lane for each key.
struct Find {
  static constexpr const char* name = "find";

  Cut cut;
  Slots table;

  template <class Mp, class Wanted, class SlotsView, class Out>
  AGPUSIM_FN void operator()(Mp& mp, Wanted wanted, SlotsView slots, Out out) const {
    const Segments segments = cut.segments(mp);
    const std::int64_t first = segments.first(mp.task());
    const Wanted from = wanted.from(first);
    const Out to = out.from(first);
    stream_lanes(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) { return from.read(i); },
        [&](const auto& i, const auto& key) {
          auto slot = table.home(key);
          auto there = slots.read(slot);
          mp.while_any([&] { return there != key && there != empty; },
                       [&] {
                         slot = slot + 1;
                         there = slots.read(slot);
                       });
          to.write(i, select(there == key, slot, -1 - slot));
        });
  }
};

}  // namespace agpusim::hash_table

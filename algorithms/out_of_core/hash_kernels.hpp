#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/fill.hpp"
#include "agpusim/algorithms/common/operators.hpp"
#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/algorithms/out_of_core/steps.hpp"
#include "agpusim/model/loop.hpp"

// A window of a table with linear probing, filled and searched on the device. The table is that of
// algorithms/hash_table, larger: hashes stand for their keys, in the order of their homes.
namespace agpusim::out_of_core {

/// A slot without a hash: no key has this one.
inline constexpr std::uint64_t empty_slot = 0;
/// Hashes that may lie behind the border of a window although their homes are before it, and slots
/// that a search may go on behind it. At a load of 1/2 clusters are shorter by far.
inline constexpr std::int64_t most_overflow = 1024;

/// The hash of a key, a whole number 0 <= key < 2^53, which is not checked: SplitMix64's finaliser
/// (mix64) of lanes, with an offset, so that no such key has the hash empty_slot. Different keys
/// have different hashes.
struct HashOfKey {
  using input_type = double;
  using output_type = std::uint64_t;

  template <class V>
  AGPUSIM_FN auto operator()(const V& key) const {
    const auto a = cast<std::uint64_t>(key) + std::uint64_t{0x9e3779b97f4a7c15};
    const auto b = (a ^ (a >> 30)) * std::uint64_t{0xbf58476d1ce4e5b9};
    const auto c = (b ^ (b >> 27)) * std::uint64_t{0x94d049bb133111eb};
    return c ^ (c >> 31);
  }
};

/// The home slots of hashes. They grow with the hash: a sort by hash is one by home.
struct Homes {
  std::int64_t count;

  template <class Hash>
  [[nodiscard]] AGPUSIM_FN auto home(const Hash& hash) const {
    constexpr double all_hashes = 18446744073709551616.0;  // 2^64
    const double slots_of_hash = static_cast<double>(count) / all_hashes;
    return min(cast<std::int64_t>(cast<double>(hash) * slots_of_hash), count - 1);
  }
};

/// Slots begin..begin+size-1 of a table.
struct HashWindow {
  std::int64_t begin;
  std::int64_t size;
};

/// out[i] = h(i) - i, where in[0] is hash `first` of all.
struct DisplaceHashes {
  static constexpr const char* name = "displace_hashes";
  static constexpr bool oblivious = true;

  Cut cut;
  Homes homes;
  std::int64_t first;

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out) const {
    const Segments segments = cut.segments(mp);
    const std::int64_t begin = segments.first(mp.task());
    const In from = in.from(begin);
    const Out to = out.from(begin);
    stream_lanes(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) { return from.read(i); },
        [&](const auto& i, const auto& hash) {
          to.write(i, homes.home(hash) - (cast<std::int64_t>(i) + (first + begin)));
        });
  }
};

/// Puts hash i of all into slot i + shift[i], where that is in the window. `is_planned`: into every
/// second slot, which is what it costs at a load of 1/2.
template <bool is_planned>
struct PlaceHashes {
  static constexpr const char* name = "place_hashes";
  static constexpr bool oblivious = is_planned;

  Cut cut;
  std::int64_t first;
  HashWindow window;

  template <class Mp, class In, class Shift, class Slots>
  AGPUSIM_FN void operator()(Mp& mp, In in, Shift shift, Slots slots) const {
    const Segments segments = cut.segments(mp);
    const std::int64_t begin = segments.first(mp.task());
    const In from = in.from(begin);
    const Shift shift_from = shift.from(begin);
    stream_lanes(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) {
          return LoadedPair{from.read(i), shift_from.read(i)};
        },
        [&](const auto& i, const auto& loaded) {
          const auto slot = cast<std::int64_t>(i) + (first + begin - window.begin) + loaded.second;
          if constexpr (is_planned) {
            const auto even = min(i * 2, static_cast<std::int32_t>(window.size - 1));
            mp.when(even >= 0, [&] { slots.write(even, loaded.first); });
          } else {
            mp.when(slot < window.size,
                    [&] { slots.write(cast<std::int32_t>(slot), loaded.first); });
          }
        });
  }
};

/// Puts those of the `count` hashes before hash `first` into the window that lie behind its begin:
/// they overflowed, so that all have the shift that is known of the last, carry[0]. Counts in
/// bad[0] where the hash before them may have, too. One task.
template <bool is_planned>
struct PlaceOverflow {
  static constexpr const char* name = "place_overflow";
  static constexpr bool oblivious = is_planned;

  std::int64_t count;
  std::int64_t first;
  HashWindow window;

  template <class Mp, class In, class Carry, class Slots, class Bad>
  AGPUSIM_FN void operator()(Mp& mp, In in, Carry carry, Slots slots, Bad bad) const {
    const auto zero = mp.varying(std::int32_t{0});
    const auto one = mp.varying(std::int32_t{1});
    const auto shift = carry.read(zero);
    stream_lanes(
        mp, static_cast<std::int32_t>(count), [&](const auto& i) { return in.read(i); },
        [&](const auto& i, const auto& hash) {
          if constexpr (is_planned) {
            mp.when(i < 0, [&] { slots.write(i, hash); });
          } else {
            const auto slot = cast<std::int64_t>(i) + (first - count - window.begin) + shift;
            mp.when(slot >= 0 && slot < window.size,
                    [&] { slots.write(cast<std::int32_t>(slot), hash); });
            if (count < first) {
              mp.when(i == 0 && slot > 0, [&] { bad.atomic_add(zero, one); });
            }
          }
        });
  }
};

/// out[i] = the slot of in[i], or -1 - the empty slot where the search for it ended. The window has
/// the homes of all of them; searches that leave it are counted in bad[0]. `is_planned`: of hashes
/// that are spread evenly, of which every second goes on after each look: at a load of 1/2 a
/// search, of keys that are there and others, looks at two slots.
template <bool is_planned>
struct FindHashes {
  static constexpr const char* name = "find_hashes";
  static constexpr bool oblivious = is_planned;
  static constexpr std::int32_t planned_looks = 8;

  Cut cut;
  Homes homes;
  HashWindow window;

  template <class Mp, class In, class Slots, class Out, class Bad>
  AGPUSIM_FN void operator()(Mp& mp, In in, Slots slots, Out out, Bad bad) const {
    const Segments segments = cut.segments(mp);
    const std::int64_t begin = segments.first(mp.task());
    const In from = in.from(begin);
    const Out to = out.from(begin);
    const auto last = static_cast<std::int32_t>(window.size - 1);
    const auto zero = mp.varying(std::int32_t{0});
    const auto one = mp.varying(std::int32_t{1});
    stream_lanes(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) { return from.read(i); },
        [&](const auto& i, const auto& hash) {
          if constexpr (is_planned) {
            const auto slot = min(i + static_cast<std::int32_t>(begin), last);
            auto there = slots.read(slot);
            for (std::int32_t look = 1; look < planned_looks; ++look) {
              mp.when(i % (1 << look) == 0, [&] { there = slots.read(min(slot + look, last)); });
            }
            to.write(i, cast<double>(slot) + static_cast<double>(window.begin));
          } else {
            auto slot = cast<std::int32_t>(homes.home(hash) - window.begin);
            auto there = slots.read(slot);
            mp.while_any([&] { return there != hash && there != empty_slot && slot < last; },
                         [&] {
                           slot = slot + 1;
                           there = slots.read(slot);
                         });
            mp.when(there != hash && there != empty_slot, [&] { bad.atomic_add(zero, one); });
            const auto place = cast<double>(slot) + static_cast<double>(window.begin);
            to.write(i, select(there == hash, place, -1.0 - place));
          }
        });
  }
};

/// An empty window, but for what overflows into it.
template <bool is_planned = false>
struct OpenWindowStep {
  static constexpr const char* name = "open_window";

  std::int64_t n;       ///< slots
  std::int64_t before;  ///< hashes in front of hash `first` that may have overflowed
  std::int64_t first;
  std::int64_t begin;  ///< slot

  template <class Device, class Hashes, class Carry, class Bad>
  void launch(Device& device, const Hashes& in, const Carry& carry, const Hashes& slots,
              const Bad& bad) const {
    const Cut cut = cut_of_chunk(device.spec(), n);
    device.launch(cut.host().tasks, Fill<std::uint64_t>{cut, empty_slot}, slots);
    device.launch(1, PlaceOverflow<is_planned>{before, first, {begin, n}}, in, carry, slots, bad);
  }
  [[nodiscard]] OpenWindowStep<true> planned() const { return {n, before, 0, 0}; }
};

/// Puts n >= 1 sorted hashes, from hash `first` of all on, into a window that has their homes;
/// carry[0] is the largest displacement before them, then that up to them.
template <bool is_planned = false>
struct InsertStep {
  using Max = operators::Max<std::int64_t>;
  static constexpr const char* name = "insert";

  std::int64_t n;
  std::int64_t first;
  Homes homes;
  HashWindow window;

  template <class Device, class Hashes, class Shifts>
  void launch(Device& device, const Hashes& in, const Shifts& shift, const Shifts& partials,
              const Shifts& carry, const Hashes& slots) const {
    const Cut cut = cut_of_chunk(device.spec(), n);
    const std::int64_t tasks = cut.host().tasks;
    device.launch(tasks, DisplaceHashes{cut, homes, first}, in, shift);
    ScanStep<Max>{n, scan::Kind::inclusive}.launch(device, shift, partials, carry, shift);
    device.launch(tasks, PlaceHashes<is_planned>{cut, first, window}, in, shift, slots);
  }
  [[nodiscard]] InsertStep<true> planned() const { return {n, 0, homes, {0, window.size}}; }
};

/// Searches a window for n >= 1 hashes: FindHashes.
template <bool is_planned = false>
struct FindStep {
  static constexpr const char* name = "find";

  std::int64_t n;
  Homes homes;
  HashWindow window;

  template <class Device, class Hashes, class Found, class Bad>
  void launch(Device& device, const Hashes& in, const Hashes& slots, const Found& out,
              const Bad& bad) const {
    const Cut cut = cut_of_chunk(device.spec(), n);
    device.launch(cut.host().tasks, FindHashes<is_planned>{cut, homes, window}, in, slots, out,
                  bad);
  }
  [[nodiscard]] FindStep<true> planned() const { return {n, homes, {0, window.size}}; }
};

}  // namespace agpusim::out_of_core

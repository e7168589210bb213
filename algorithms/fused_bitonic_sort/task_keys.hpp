#pragma once

#include <cstdint>
#include <limits>

#include "agpusim/algorithms/fused_bitonic_sort/tile_network.hpp"

namespace agpusim::fused_bitonic_sort {

/// A task's keys in global memory, read into and written from the registers of groups of 2^q. Keys
/// beyond the end are the largest of their type and are not written.
template <std::int32_t q, class Mp, class View>
class TaskKeys {
 public:
  using Key = typename View::value_type;
  using Index = typename Mp::template Lane<std::int32_t>;
  using Keys = Registers<typename Mp::template Lane<Key>, 1 << q>;

  /// Where the keys of V groups lie, relative to the view's origin: the part of the group plus that
  /// of the register.
  struct Places {
    Index lower;         ///< part of the group for the lower half of the registers
    Index upper;         ///< and for the upper half
    std::int32_t first;  ///< part of register 0
    Steps<q> steps;      ///< to the parts of the others
  };

  /// `rest` keys lie from the view's origin on to the end; `all`: those of the task are among them.
  AGPUSIM_FN TaskKeys(Mp& mp, const View& view, std::int32_t rest, bool all)
      : mp_(mp), view_(view), rest_(rest), all_(all) {}

  [[nodiscard]] AGPUSIM_FN Keys read(const Places& places) const {
    std::int32_t at = places.first;
    if (all_) {
      return make_registers<(1 << q)>([&](std::int32_t j) {
        if (j > 0) at ^= places.steps[lowest_bit(j)];
        return view_.from(at).read(of_group(places, j));
      });
    }
    return make_registers<(1 << q)>([&](std::int32_t j) {
      if (j > 0) at ^= places.steps[lowest_bit(j)];
      auto key = mp_.varying(largest);
      if (at < rest_) {
        const Index& group = of_group(places, j);
        mp_.when(group < rest_ - at, [&] { key = view_.from(at).read(group); });
      }
      return key;
    });
  }

  AGPUSIM_FN void write(const Places& places, const Keys& keys) const {
    if (all_) {
      for_registers(places, [&](std::int32_t j, std::int32_t at, const Index& group) {
        view_.from(at).write(group, keys[j]);
      });
    } else {
      for_registers(places, [&](std::int32_t j, std::int32_t at, const Index& group) {
        if (at >= rest_) return;
        mp_.when(group < rest_ - at, [&] { view_.from(at).write(group, keys[j]); });
      });
    }
  }

 private:
  static constexpr Key largest = std::numeric_limits<Key>::max();

  [[nodiscard]] AGPUSIM_FN static const Index& of_group(const Places& places, std::int32_t j) {
    return j < (1 << (q - 1)) ? places.lower : places.upper;
  }

  /// Calls f(j, part of register j, part of the group).
  template <class F>
  AGPUSIM_FN static void for_registers(const Places& places, F f) {
    std::int32_t at = places.first;
    AGPUSIM_UNROLL
    for (std::int32_t j = 0; j < (1 << q); ++j) {
      if (j > 0) at ^= places.steps[lowest_bit(j)];
      f(j, at, of_group(places, j));
    }
  }

  Mp& mp_;
  View view_;
  std::int32_t rest_;
  bool all_;
};

}  // namespace agpusim::fused_bitonic_sort

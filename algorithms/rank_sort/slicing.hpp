#pragma once

#include <cstdint>

#include "agpusim/algorithms/rank_sort/counting.hpp"
#include "agpusim/algorithms/rank_sort/load.hpp"
#include "agpusim/model/fn.hpp"

namespace agpusim::rank_sort {

/// Slices whose counts a lane adds up at a time.
inline constexpr std::int32_t slices_at_a_time = 8;

/// The lanes of a task form `slices` groups of P = V/slices. Lane e of each group owns the keys e,
/// P+e, 2P+e, ... of the task's; group g counts for them among the keys g, g+slices, ... of a tile.
struct Slicing {
  std::int32_t slices;
  std::int32_t lanes;     ///< P
  std::int32_t lg_lanes;  ///< lg P where P is a power of two (a shift is cheap on CUDA), else -1

  template <class Lane>
  [[nodiscard]] AGPUSIM_FN Lane slice_of(const Lane& lane) const {
    return lg_lanes < 0 ? lane / lanes : lane >> lg_lanes;
  }
  template <class Lane>
  [[nodiscard]] AGPUSIM_FN Lane slot_of(const Lane& lane) const {
    return lg_lanes < 0 ? lane % lanes : lane & (lanes - 1);
  }

  /// Counts in shared memory for `own` keys of every lane: those of all slices, and behind them
  /// those that remain when they have been added up once.
  [[nodiscard]] AGPUSIM_FN std::int32_t counts(std::int32_t own) const {
    return (slices + (slices + slices_at_a_time - 1) / slices_at_a_time) * lanes * own;
  }

  /// Adds up what the lanes of all slices have counted; the lanes of slice 0 then have the sums.
  /// All lanes call it.
  template <class Mp, class Count, std::int32_t own>
  AGPUSIM_FN void add_up(Mp& mp, Registers<Count, own>& sum) const {
    const auto buffer = mp.template shared<std::int32_t>(counts(own), "counts");
    const auto lane = mp.lane();
    std::int32_t part = 0;  // begin in the buffer: what lanes still read is not written
    for (std::int32_t left = slices; left > 1;) {
      const std::int32_t stride = left * lanes;
      for_first(mp, stride, mp.width(), lane, [&] {
        for (std::int32_t i = 0; i < own; ++i) {
          buffer.write(lane + (part + i * stride), sum[i]);
        }
      });
      mp.sync();
      // Slice g adds the slices g + sums, g + 2·sums, ...: neighbouring lanes, neighbouring words.
      const std::int32_t sums = (left + slices_at_a_time - 1) / slices_at_a_time;
      const auto add = [&](std::int32_t slice) {
        for (std::int32_t i = 0; i < own; ++i) {
          sum[i] = sum[i] + buffer.read(lane + (part + i * stride + slice * lanes));
        }
      };
      const auto add_exactly = [&]<std::int32_t slices_added>() {
        for (std::int32_t j = 1; j < slices_added; ++j) add(j * sums);
      };
      mp.when(lane < sums * lanes, [&] {
        if (left == 8 * sums) {
          add_exactly.template operator()<8>();
        } else if (left == 4 * sums) {
          add_exactly.template operator()<4>();
        } else if (left == 2 * sums) {
          add_exactly.template operator()<2>();
        } else {
          for (std::int32_t slice = sums; slice < left; slice += sums) {
            for_first(mp, (left - slice) * lanes, sums * lanes, lane, [&] { add(slice); });
          }
        }
      });
      left = sums;
      part = part == 0 ? slices * lanes * own : 0;
    }
  }
};

}  // namespace agpusim::rank_sort

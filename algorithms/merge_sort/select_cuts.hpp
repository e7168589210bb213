#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/shared_bytes.hpp"
#include "agpusim/algorithms/merge_sort/kernel.hpp"

namespace agpusim::multiway_merge_sort {

/// Cuts the runs of a group at the borders of its regions: selection among sorted runs, with a lane
/// per run that holds the interval of its cut. Each turn takes a probe out of every interval, makes
/// one of them the pivot and searches it in all intervals, which tells on which side of the border
/// it lies. Probes are guesses: each run's even share of the keys that remain to the left of the
/// border, and the pivot is their median by the intervals' lengths. In every fourth turn they are
/// the middles and the pivot is the one with the wanted rank if keys were spread evenly: then
/// either the keys that remain to the left or those to the right are at least halved. No cut is
/// farther from its interval's ends than all keys that remain on that side, where a search may end.
/// Equal keys are distinct by (run, position).
template <class Key>
struct SelectCuts {
  static constexpr const char* name = "select_cuts";

  Regions regions;     ///< 2^levels <= V
  std::int32_t width;  ///< V

  /// Borders of one task.
  [[nodiscard]] std::int64_t per_task() const { return width >> regions.groups.levels; }
  [[nodiscard]] std::int64_t shared_bytes() const {
    return shared_array_bytes<Key>(width) + shared_array_bytes<std::int32_t>(width) +
           shared_array_bytes<Key>(per_task()) + shared_array_bytes<std::int32_t>(per_task()) +
           shared_array_bytes<std::int32_t>(1);
  }

  template <class Mp, class In, class Cuts>
  AGPUSIM_FN void operator()(Mp& mp, In in, Cuts cuts) const {
    const Groups& groups = regions.groups;
    const auto lane = mp.lane();
    const std::int32_t leaves = std::int32_t{1} << groups.levels;
    const std::int32_t slots = mp.width() >> groups.levels;
    const auto probes = mp.template shared<Key>(mp.width(), "probes");
    const auto sums = mp.template shared<std::int32_t>(mp.width(), "sums");
    const auto pivots = mp.template shared<Key>(slots, "pivots");
    const auto owners = mp.template shared<std::int32_t>(slots, "owners");
    const auto last_turn = mp.template shared<std::int32_t>(1, "last_turn");
    const auto zero = mp.varying(0);

    const std::int64_t first = mp.task() * slots;
    const std::int64_t rest = (regions.borders() - first) << groups.levels;
    const std::int32_t lanes = rest < mp.width() ? static_cast<std::int32_t>(rest) : mp.width();
    const auto slot = lane >> groups.levels;
    const auto leaf = lane & (leaves - 1);
    const auto slot_begin = lane - leaf;
    const auto border = slot + static_cast<std::int32_t>(first);
    const auto of_group = static_cast<std::int32_t>(regions.per_group() - 1);
    const auto group = border / of_group;
    auto wanted = (border - group * of_group + 1) * regions.region;
    // The run's keys in the array; runs behind the last one are empty.
    const auto n = static_cast<std::int32_t>(groups.n);
    const auto begin = min(group * static_cast<std::int32_t>(groups.size()) + leaf * groups.run, n);
    auto low = begin;
    auto high = select(lane < lanes, min(begin + groups.run, n), begin);
    auto all = min(n - group * static_cast<std::int32_t>(groups.size()),
                   static_cast<std::int32_t>(groups.size()));
    auto probe = mp.varying(smallest_key<Key>);
    last_turn.write(zero, zero);
    for (std::int32_t turn = 1;; ++turn) {
      const bool halving = turn % 4 == 0;
      const auto size = high - low;
      const auto probed = low + (halving ? size >> 1 : min(wanted >> groups.levels, size - 1));
      mp.when(low < high, [&] { probe = in.read(probed); });
      mp.sync();
      probes.write(lane, probe);
      sums.write(lane, size);
      mp.sync();
      auto smaller = zero;
      for (std::int32_t other = 0; other < leaves; ++other) {
        const auto at = slot_begin + other;
        const auto key = probes.read(at);
        const auto open = sums.read(at);
        smaller = smaller + select(key < probe || (key == probe && leaf > other), open, zero);
      }
      const auto rank_of_pivot = halving ? wanted : all >> 1;
      const auto going = wanted > 0 && wanted < all;
      mp.when(going && smaller <= rank_of_pivot && rank_of_pivot < smaller + size, [&] {
        pivots.write(slot, probe);
        owners.write(slot, leaf);
        last_turn.write(zero, mp.varying(turn));
      });
      mp.sync();
      if (mp.uniform(last_turn.read(zero)) != turn) break;
      auto position = low;
      auto owner = zero;
      mp.when(going, [&] {
        const auto pivot = pivots.read(slot);
        owner = owners.read(slot);
        const auto before_pivot = [&](const auto& key) {
          return key < pivot || (key == pivot && leaf < owner);
        };
        const auto own = leaf == owner;
        const auto below = before_pivot(probe) && low < high;
        const auto least = max(low, high - (all - wanted));
        const auto most = min(high, low + wanted);
        auto above = select(own, probed, select(below, most, min(most, probed)));
        position = select(own, probed, select(below, max(least, probed + 1), least));
        mp.while_any([&] { return position < above; },
                     [&] {
                       const auto at = position + ((above - position) >> 1);
                       const auto before = before_pivot(in.read(at));
                       position = select(before, at + 1, position);
                       above = select(before, above, at);
                     });
      });
      sums.write(lane, position - low);
      mp.sync();
      auto rank = zero;
      for (std::int32_t other = 0; other < leaves; ++other) {
        rank = rank + sums.read(slot_begin + other);
      }
      const auto right = rank >= wanted;
      mp.when(going, [&] {
        const auto passed = select(leaf == owner, position + 1, position);
        high = select(right, position, high);
        low = select(right, low, passed);
        all = select(right, rank, all - (rank + 1));
        wanted = select(right, wanted, wanted - (rank + 1));
      });
    }
    mp.when(lane < lanes, [&] {
      const auto cut = select(wanted > 0, high, low);
      cuts.from(first << groups.levels).write(lane, cut - begin);
    });
  }
};

}  // namespace agpusim::multiway_merge_sort

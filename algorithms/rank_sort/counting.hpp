#pragma once

#include <cstdint>

#include "agpusim/model/agpu/operands.hpp"
#include "agpusim/model/fn.hpp"
#include "agpusim/model/registers.hpp"
#include "agpusim/model/scalar.hpp"
#include "agpusim/model/source_line.hpp"

// Counting how many keys come before a key in the order (key, index), in which no two are equal.
namespace agpusim::rank_sort {

/// `count` + 1 in the lanes where `condition` holds: an addition that carries a condition (R6), one
/// instruction that every warp issues. device.cuh has it for CUDA.
inline Varying<std::int32_t> add_where(const Varying<std::int32_t>& count,
                                       const Varying<bool>& condition,
                                       SourceLine where = SourceLine::current()) {
  return detail::lanewise<std::int32_t, std::int32_t, std::int32_t>(
      Op::add, count, condition, where, [](std::int32_t x, std::int32_t one) { return x + one; });
}

/// Where keys lie in the array as seen from the keys that a task counts for.
enum class Side { before, among, after };

/// Whether key `a` comes before `own`. Of equal keys the earlier one does; `earlier()` says whether
/// `a` is, and is asked where `side` does not say it.
template <Side side, class Key, class Earlier>
AGPUSIM_FN auto comes_first(const Key& a, const Key& own, Earlier earlier) {
  if constexpr (side == Side::before) {
    return a <= own;
  } else if constexpr (side == Side::after) {
    return a < own;
  } else {
    return select(earlier(), a <= own, a < own);
  }
}

/// Places of a tile.
struct Range {
  std::int32_t begin;
  std::int32_t end;  ///< the first behind
};

/// The places of a tile of `count` keys that hold a task's own keys, which are `own_count` and
/// begin `distance` places after the tile does (before it where negative).
AGPUSIM_FN Range own_range(std::int32_t count, std::int32_t distance, std::int32_t own_count) {
  return {max(0, min(count, distance)), max(0, min(count, distance + own_count))};
}

/// Reads `count` keys, `step` places apart from place `at` on, then calls `before` and uses them,
/// in order.
template <Side side, std::int32_t count, class Read, class Use, class Before>
AGPUSIM_FN void use_several(std::int32_t at, std::int32_t step, const Read& read, const Use& use,
                            const Before& before) {
  const auto key = read(at);
  const auto use_in_order = [&] {
    before();
    use.template operator()<side>(key, at);
  };
  if constexpr (count > 1) {
    use_several<side, count - 1>(at + step, step, read, use, use_in_order);
  } else {
    use_in_order();
  }
}

/// `use.operator()<side>(read(at), at)` in `rounds` rounds, at the places 0, step, 2·step, ...: of
/// `batch` rounds together all reads come before the first use, and `side` says where their places
/// lie as seen from the `own` ones. From the last round to the first: from 0 on, which is aligned,
/// CUDA's compiler would join the reads of neighbours, but a read is one load.
template <std::int32_t batch, class Read, class Use>
AGPUSIM_FN void use_rounds(std::int32_t rounds, std::int32_t step, const Range& own,
                           const Read& read, const Use& use) {
  std::int32_t round = rounds;
  const auto use_batch = [&]<Side side>() {
    round -= batch;
    use_several<side, batch>(round * step, step, read, use, [] {});
  };
  while (round >= batch && (round - batch) * step >= own.end) {
    use_batch.template operator()<Side::after>();
  }
  while (round >= batch && round * step > own.begin) {
    use_batch.template operator()<Side::among>();
  }
  while (round >= batch) use_batch.template operator()<Side::before>();
  while (round > 0) {
    --round;
    use_several<Side::among, 1>(round * step, step, read, use, [] {});
  }
}

/// Uses the places 0, 1, ..., count - 1, which are all on one side.
template <Side side, std::int32_t batch, class Read, class Use>
AGPUSIM_FN void use_all(std::int32_t count, const Read& read, const Use& use) {
  std::int32_t at = 0;
  for (; count - at >= batch; at += batch) use_several<side, batch>(at, 1, read, use, [] {});
  for (; at < count; ++at) use_several<side, 1>(at, 1, read, use, [] {});
}

/// Rounds whose reads are under way together while a lane counts for `own` keys.
AGPUSIM_FN constexpr std::int32_t rounds_in_flight(std::int32_t own) { return own <= 2 ? 8 : 4; }

/// Keys whose reads are under way together where one access reads several of them.
AGPUSIM_FN constexpr std::int32_t keys_in_flight(std::int32_t own) { return own <= 2 ? 16 : 8; }

/// Neighbouring keys of type Key that all lanes read with one access. Of 64-bit keys one: banks
/// serve it at once, and two with two passes (decision 0003).
template <class Key>
inline constexpr std::int32_t keys_of_access = sizeof(Key) == 4 ? 4 : 1;

/// `use.operator()<side>(key, at)` of the keys at the places 0, ..., count - 1 of `view`, which all
/// lanes read, keys_of_access at a time: of `batch` keys together all reads come before the first
/// use, and `side` says where their places lie as seen from the `own` ones. The last ones, less
/// than a batch, come from the last to the first: CUDA's compiler would join reads from an aligned
/// one on.
template <std::int32_t batch, class Mp, class View, class Use>
AGPUSIM_FN void use_neighbours(Mp& mp, const View& view, std::int32_t count, const Range& own,
                               const Use& use) {
  constexpr std::int32_t width = keys_of_access<typename View::value_type>;
  std::int32_t at = 0;
  const auto use_batch = [&]<Side side>() {
    const auto keys = make_registers<batch / width>(
        [&](std::int32_t i) { return view.template read_wide<width>(mp.varying(at + i * width)); });
    AGPUSIM_UNROLL for (std::int32_t i = 0; i < batch; ++i) {
      use.template operator()<side>(keys[i / width][i % width], at + i);
    }
    at += batch;
  };
  const std::int32_t last = count - batch;
  while (at <= last && at + batch <= own.begin) use_batch.template operator()<Side::before>();
  while (at <= last && at < own.end) use_batch.template operator()<Side::among>();
  while (at <= last) use_batch.template operator()<Side::after>();
  for (std::int32_t round = count; round > at;) {
    --round;
    use.template operator()<Side::among>(view.read(mp.varying(round)), round);
  }
}

}  // namespace agpusim::rank_sort

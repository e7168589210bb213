#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/algorithms/reduce/kernel.hpp"
#include "agpusim/algorithms/scan/kernel.hpp"
#include "agpusim/algorithms/segmented/headed.hpp"

// The phases of a segmented scan and of a segmented reduction: those of `scan`, on pairs. Here a
// task's part of the array is its piece; a segment is what begins at a head.
namespace agpusim::segmented {

/// folds[t], counts[t] = the pair of piece t.
template <class Operator>
struct FoldPieces {
  using Fold = reduce::OrderedSegmentReduce<Segmented<Operator>>;
  static constexpr const char* name = "fold_pieces";
  static constexpr bool oblivious = true;

  Cut cut;
  scan::LaneSerial method;

  [[nodiscard]] std::int64_t shared_bytes() const {
    return method.template shared_bytes<typename Segmented<Operator>::value_type>();
  }

  template <class Mp, class Values, class Heads, class Folds, class Counts>
  AGPUSIM_FN void operator()(Mp& mp, Values values, Heads heads, Folds folds, Counts counts) const {
    const Fold fold{cut, method.width, method.per_lane};
    fold(mp, HeadedView<Values, Heads>{values, heads}, PairView<Folds, Counts>{folds, counts});
  }
};

/// The exclusive scan of the pairs of the pieces, in place, by one task, from `before`.
template <class Operator, class Mp, class Folds, class Counts, class Pair>
AGPUSIM_FN Pair scan_pieces(Mp& mp, const scan::LaneSerial& method, std::int64_t count,
                            const Folds& folds, const Counts& counts, const Pair& before) {
  const PairView<Folds, Counts> pieces{folds, counts};
  return method.template scan<Segmented<Operator>>(mp, scan::Kind::exclusive, pieces, pieces, count,
                                                   before);
}

/// scan_pieces() from nothing. `out`: nothing, or where the last segment's fold goes, behind all.
template <class Operator>
struct ScanPieces {
  static constexpr const char* name = "scan_pieces";
  static constexpr bool oblivious = true;

  std::int64_t count;  ///< pieces
  scan::LaneSerial method;

  [[nodiscard]] std::int64_t shared_bytes() const {
    return method.template shared_bytes<typename Segmented<Operator>::value_type>();
  }

  template <class Mp, class Folds, class Counts, class... Out>
  AGPUSIM_FN void operator()(Mp& mp, Folds folds, Counts counts, Out... out) const {
    const auto total = scan_pieces<Operator>(mp, method, count, folds, counts,
                                             Segmented<Operator>::identity_of(mp));
    if constexpr (sizeof...(Out) > 0) {
      mp.when(mp.lane() == 0,
              [&] { (out.write(cast<std::int32_t>(total.heads - 1U), total.value), ...); });
    }
  }
};

/// Pairs of which only the value is kept.
template <class Values>
struct ValuesView {
  Values values;

  [[nodiscard]] AGPUSIM_FN ValuesView from(std::int64_t offset) const {
    return {values.from(offset)};
  }
};

template <class TileValues, class TileHeads, class Index, class Values>
AGPUSIM_FN void copy_element(const PairView<TileValues, TileHeads>& pairs, const Index& i,
                             const ValuesView<Values>& to) {
  to.values.write(i, pairs.values.read(i));
}

/// out[i] = the fold of its segment up to i, from what lies before each piece. Inclusive.
template <class Operator>
struct ScanWithin {
  static constexpr const char* name = "scan_within";
  static constexpr bool oblivious = true;

  Cut cut;
  scan::LaneSerial method;

  [[nodiscard]] std::int64_t shared_bytes() const {
    return method.template shared_bytes<typename Segmented<Operator>::value_type>();
  }

  template <class Mp, class Values, class Heads, class Folds, class Counts, class Out>
  AGPUSIM_FN void operator()(Mp& mp, Values values, Heads heads, Folds folds, Counts counts,
                             Out out) const {
    const scan::ScanSegments<Segmented<Operator>, scan::LaneSerial> scan{cut, method,
                                                                         scan::Kind::inclusive};
    scan(mp, HeadedView<Values, Heads>{values, heads}, PairView<Folds, Counts>{folds, counts},
         ValuesView<Out>{out});
  }
};

/// What plans take for data: every so many elements begin a segment.
inline constexpr std::int32_t planned_length = 16;

/// Takes what lies before each element: at a head that is the fold of the segment that ends there,
/// which goes to out[its number]. `planned`: the heads are not those of the array but evenly
/// spread.
template <bool planned, class Mp, class Heads, class Out>
struct EndedView {
  Mp* mp;
  Heads heads;
  Out out;

  [[nodiscard]] AGPUSIM_FN EndedView from(std::int64_t offset) const {
    if constexpr (planned) {
      return {mp, heads.from(offset), out.from(offset / planned_length)};
    } else {
      return {mp, heads.from(offset), out};
    }
  }
};

template <class TileValues, class TileHeads, class Index, bool planned, class Mp, class Heads,
          class Out>
AGPUSIM_FN void copy_element(const PairView<TileValues, TileHeads>& before, const Index& i,
                             const EndedView<planned, Mp, Heads, Out>& to) {
  const auto head = to.heads.read(i);
  const auto heads = before.heads.read(i);
  if constexpr (planned) {
    to.mp->when((i & (planned_length - 1)) == 0 && head == head && heads == heads,
                [&] { to.out.write(i / planned_length, before.values.read(i)); });
  } else {
    to.mp->when(head != 0U && heads != 0U,
                [&] { to.out.write(cast<std::int32_t>(heads - 1U), before.values.read(i)); });
  }
}

/// The fold of every segment that ends in front of a head, from what lies before each piece.
template <class Operator, bool planned = false>
struct FoldEnded {
  static constexpr const char* name = "fold_ended";
  static constexpr bool oblivious = planned;

  Cut cut;
  scan::LaneSerial method;

  [[nodiscard]] std::int64_t shared_bytes() const {
    return method.template shared_bytes<typename Segmented<Operator>::value_type>();
  }

  template <class Mp, class Values, class Heads, class Folds, class Counts, class Out>
  AGPUSIM_FN void operator()(Mp& mp, Values values, Heads heads, Folds folds, Counts counts,
                             Out out) const {
    const scan::ScanSegments<Segmented<Operator>, scan::LaneSerial> scan{cut, method,
                                                                         scan::Kind::exclusive};
    scan(mp, HeadedView<Values, Heads>{values, heads}, PairView<Folds, Counts>{folds, counts},
         EndedView<planned, Mp, Heads, Out>{&mp, heads, out});
  }
};

}  // namespace agpusim::segmented

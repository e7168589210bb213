#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/out_of_core/aliasing.hpp"
#include "agpusim/algorithms/out_of_core/chunk_turn.hpp"
#include "agpusim/algorithms/out_of_core/segmented_steps.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/transfer/chunks.hpp"
#include "agpusim/model/transfer/host_piece.hpp"
#include "agpusim/model/transfer/progress.hpp"
#include "agpusim/model/transfer/recorder.hpp"

// Segmented scan and reduction of an array whose segments begin at head flags (not 0), in one pass:
// of the segment that a chunk ends in, the fold so far stays on the device.
namespace agpusim::out_of_core {

/// The arrays on the device of a segmented primitive.
template <class T, class Streams>
struct SegmentedArrays {
  template <class Element>
  using Array = typename Streams::template Array<Element>;

  std::vector<Array<T>> values;
  std::vector<Array<std::uint32_t>> heads;
  std::vector<Array<T>> folds;
  std::vector<Array<std::uint32_t>> counts;
  std::vector<Array<T>> out;
  std::vector<Array<std::uint32_t>> found;  ///< segments of a chunk, the one it begins in included
  std::vector<Array<T>> carry;              ///< one: the fold of the open segment
  std::vector<Array<std::uint32_t>> open;   ///< one: 1 where there is one

  SegmentedArrays(Streams& streams, const Chunks& chunks) {
    for (std::int32_t s = 0; s < chunks.used_streams(); ++s) {
      const std::int64_t pieces = most_partials(streams.spec(), chunks.buffer());
      values.push_back(streams.template allocate<T>(chunks.buffer(), "values"));
      heads.push_back(streams.template allocate<std::uint32_t>(chunks.buffer(), "heads"));
      folds.push_back(streams.template allocate<T>(pieces, "folds"));
      counts.push_back(streams.template allocate<std::uint32_t>(pieces, "counts"));
      out.push_back(streams.template allocate<T>(chunks.buffer(), "out"));
      found.push_back(streams.template allocate<std::uint32_t>(1, "found"));
    }
    if (chunks.n == 0) return;
    carry.push_back(streams.template allocate<T>(1, "carry"));
    open.push_back(streams.template allocate<std::uint32_t>(1, "open"));
  }

  /// Copies a chunk in and runs `step` on it behind the chunk before, whose run `before` was.
  template <class Step>
  Event run(Streams& streams, const ChunkTurn& turn, HostPiece<const T> all_values,
            HostPiece<const std::uint32_t> all_heads, const Step& step, Event before) const {
    const auto [stream, s, first, length] = turn;
    streams.template copy_in<T>(stream, all_values.piece(first, length), values[s]);
    streams.template copy_in<std::uint32_t>(stream, all_heads.piece(first, length), heads[s]);
    if (before >= 0) streams.wait(stream, before);
    return streams.run(stream, step, values[s], heads[s], folds[s], counts[s], carry.front(),
                       open.front(), found[s], out[s]);
  }
};

/// out[i] = the fold of its segment up to i. Element 0 begins a segment whatever its flag.
template <class Operator, class Streams>
void segmented_scan(Streams& streams, HostPiece<const typename Operator::value_type> in,
                    HostPiece<const std::uint32_t> heads,
                    HostPiece<typename Operator::value_type> out, const Chunks& chunks,
                    const Control& control = {}) {
  using T = typename Operator::value_type;
  refuse_aliasing(in, "in", out, "out");
  refuse_aliasing(heads, "heads", out, "out");
  const SegmentedArrays<T, Streams> arrays(streams, chunks);
  if (chunks.n > 0) {
    streams.set(0, arrays.carry.front(), T{Operator::identity});
    streams.set(0, arrays.open.front(), std::uint32_t{0});
  }
  Event before = -1;
  for (std::int64_t j = 0; j < chunks.count(); ++j) {
    control.report(j, chunks.count());
    const ChunkTurn turn = turn_of(streams, chunks, j);
    before = arrays.run(streams, turn, in, heads, SegmentedScanStep<Operator>{turn.length}, before);
    streams.template copy_out<T>(turn.stream, arrays.out[turn.s],
                                 out.piece(turn.first, turn.length));
  }
  streams.finish();
  control.report(chunks.count(), chunks.count());
}

/// out[k] = the fold of segment k, for all segments, whose number is returned: `out` has room for
/// them. Element 0 must be a head; throws UsageError. How many segments a chunk ends is known when
/// its kernels have run: its result is asked for behind the work of the next one. Plans take every
/// 16th element for a head.
template <class Operator, class Streams>
std::int64_t segmented_reduce(Streams& streams, HostPiece<const typename Operator::value_type> in,
                              HostPiece<const std::uint32_t> heads,
                              HostPiece<typename Operator::value_type> out, const Chunks& chunks,
                              const Control& control = {}) {
  using T = typename Operator::value_type;
  if (chunks.n == 0) return 0;
  refuse_aliasing(in, "in", out, "out");
  refuse_aliasing(heads, "heads", out, "out");
  if (Streams::has_data && heads.data()[0] == 0) {
    throw UsageError(
        "segmented reduce: heads[0] = 0: element 0 begins the first segment; set its "
        "flag to 1");
  }
  const SegmentedArrays<T, Streams> arrays(streams, chunks);
  streams.set(0, arrays.carry.front(), T{Operator::identity});
  streams.set(0, arrays.open.front(), std::uint32_t{0});
  const HostPiece<std::uint32_t> found = streams.template scratch<std::uint32_t>(chunks.count());
  std::vector<Event> counted;
  std::int64_t ended = 0;
  const auto fetch = [&](std::int64_t j) {  // what chunk j ended
    const ChunkTurn turn = turn_of(streams, chunks, j);
    const std::vector<Event> known{counted[static_cast<std::size_t>(j)]};
    std::int64_t ends = 0;
    streams.host("count", 0, 0, known, [&] { ends = std::int64_t{found.data()[j]} - 1; });
    if constexpr (!Streams::has_data) {
      ends = (turn.first + turn.length - 1) / segmented::planned_length - ended;
    }
    if (ended + ends >= out.size()) {
      throw UsageError(
          fmt::format("segmented reduce: the output has room for {} segments, the "
                      "first {} elements begin {}; use a larger one",
                      out.size(), turn.first + turn.length, ended + ends + 1));
    }
    if (ends > 0) {
      streams.template copy_out<T>(turn.stream, arrays.out[turn.s], out.piece(ended, ends));
    }
    ended += ends;
  };
  Event before = -1;
  for (std::int64_t j = 0; j < chunks.count(); ++j) {
    control.report(j, chunks.count());
    // Where the next chunk needs the buffer that holds a result, this is fetched first.
    if (j > 0 && chunks.used_streams() == 1) fetch(j - 1);
    const ChunkTurn turn = turn_of(streams, chunks, j);
    before =
        arrays.run(streams, turn, in, heads, SegmentedReduceStep<Operator>{turn.length}, before);
    counted.push_back(streams.template copy_out<std::uint32_t>(turn.stream, arrays.found[turn.s],
                                                               found.piece(j, 1)));
    if (j > 0 && chunks.used_streams() > 1) fetch(j - 1);
  }
  fetch(chunks.count() - 1);
  streams.template copy_out<T>(chunks.stream(chunks.count() - 1), arrays.carry.front(),
                               out.piece(ended, 1));
  streams.finish();
  control.report(chunks.count(), chunks.count());
  return ended + 1;
}

}  // namespace agpusim::out_of_core

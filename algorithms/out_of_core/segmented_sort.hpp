#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "agpusim/algorithms/out_of_core/aliasing.hpp"
#include "agpusim/algorithms/out_of_core/chunk_turn.hpp"
#include "agpusim/algorithms/out_of_core/in_out_arrays.hpp"
#include "agpusim/algorithms/out_of_core/merge_runs.hpp"
#include "agpusim/algorithms/segmented/kernel.hpp"

namespace agpusim::out_of_core {

/// Elements begin..end-1.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// The segments that lie in several chunks, in order; element 0 begins a segment. Looks at the
/// flags from the borders of chunks to the nearest heads only.
template <class IsHead>
[[nodiscard]] std::vector<Range> crossing_segments(const Chunks& chunks, const IsHead& is_head) {
  std::vector<Range> crossing;
  std::int64_t known = 0;  // no head before here is looked for again
  for (std::int64_t j = 1; j < chunks.count(); ++j) {
    const std::int64_t border = chunks.first(j);
    if (border < known || is_head(border)) continue;
    Range segment{border - 1, border + 1};
    while (segment.begin > known && !is_head(segment.begin)) --segment.begin;
    while (segment.end < chunks.n && !is_head(segment.end)) ++segment.end;
    known = segment.end;
    crossing.push_back(segment);
  }
  return crossing;
}

/// Sorts every segment of `in` by operator< to `out`. A segment begins at a head flag that is not 0
/// and at element 0. Every chunk is sorted by segment on its way through the device; that finishes
/// the segments that lie in it. The parts of the others are sorted runs, in `scratch` (n elements
/// of host memory), of which the second pass of sort() makes whole ones: x elements of them cross
/// the link once more each way. Plans take every 16th element for a head.
template <class T, class Streams>
void segmented_sort(Streams& streams, HostPiece<const T> in, HostPiece<const std::uint32_t> heads,
                    HostPiece<T> out, HostPiece<T> scratch, const Chunks& chunks,
                    const Control& control = {}) {
  if (chunks.n == 0) return;
  refuse_aliasing(in, "in", out, "out");
  refuse_aliasing(in, "in", scratch, "scratch");
  refuse_aliasing(out, "out", scratch, "scratch");
  refuse_aliasing(heads, "heads", out, "out");
  refuse_aliasing(heads, "heads", scratch, "scratch");
  const auto is_head = [&](std::int64_t i) {
    return Streams::has_data ? heads.data()[i] != 0 : i % segmented::planned_length == 0;
  };
  const InOutArrays<T, T, Streams> arrays(streams, chunks);
  std::vector<typename Streams::template Array<std::uint32_t>> flags;
  for (std::int32_t s = 0; s < chunks.used_streams(); ++s) {
    flags.push_back(streams.template allocate<std::uint32_t>(chunks.buffer(), "heads"));
  }
  std::vector<RunMerge<T>> merges;
  const std::vector<Range> crossing = crossing_segments(chunks, is_head);
  for (const Range& segment : crossing) {
    merges.push_back({{}, out.piece(segment.begin, segment.end - segment.begin), {}});
  }
  const std::int64_t steps = chunks.count() + buckets_of(merges, chunks);
  std::vector<Event> sorted;
  std::size_t next = 0;  // the first of them that does not end before the chunk
  for (std::int64_t j = 0; j < chunks.count(); ++j) {
    control.report(j, steps);
    const auto [stream, s, first, length] = turn_of(streams, chunks, j);
    streams.template copy_in<T>(stream, in.piece(first, length), arrays.in[s]);
    streams.template copy_in<std::uint32_t>(stream, heads.piece(first, length), flags[s]);
    streams.run(stream, SegmentedSortStep<T>{length}, arrays.in[s], flags[s], arrays.out[s]);
    const std::int64_t end = first + length;
    for (std::int64_t from = first; from < end;) {
      const bool inside = next < crossing.size() && crossing[next].begin <= from;
      const std::int64_t to = next == crossing.size() ? end
                              : inside                ? std::min(crossing[next].end, end)
                                                      : std::min(crossing[next].begin, end);
      const HostPiece<T> piece = (inside ? scratch : out).piece(from, to - from);
      const Event copied = streams.template copy_out<T>(stream, arrays.out[s], piece, from - first);
      if (inside) {
        merges[next].runs.push_back(piece);
        sorted.push_back(copied);
        if (to == crossing[next].end) ++next;
      }
      from = to;
    }
  }
  if (!merges.empty()) merge_runs(streams, merges, chunks, arrays, sorted, control);
  streams.finish();
  control.report(steps, steps);
}

}  // namespace agpusim::out_of_core

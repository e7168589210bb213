#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "agpusim/algorithms/out_of_core/aliasing.hpp"
#include "agpusim/algorithms/out_of_core/chunk_turn.hpp"
#include "agpusim/algorithms/out_of_core/in_out_arrays.hpp"
#include "agpusim/algorithms/out_of_core/library_steps.hpp"
#include "agpusim/algorithms/out_of_core/merge_runs.hpp"
#include "agpusim/model/transfer/chunks.hpp"
#include "agpusim/model/transfer/host_piece.hpp"
#include "agpusim/model/transfer/progress.hpp"
#include "agpusim/model/transfer/recorder.hpp"

namespace agpusim::out_of_core {

namespace detail {

/// sort() through `arrays`; returns the copies out.
template <class T, class Streams>
std::vector<Event> sort_through(Streams& streams, const InOutArrays<T, T, Streams>& arrays,
                                HostPiece<const T> in, HostPiece<T> out, HostPiece<T> scratch,
                                const Chunks& chunks, const Control& control) {
  const std::int64_t count = chunks.count();
  const std::int64_t steps = count > 1 ? 2 * count : 1;
  const HostPiece<T> runs = count > 1 ? scratch : out;
  std::vector<Event> sorted;
  for (std::int64_t j = 0; j < count; ++j) {
    control.report(j, steps);
    const auto [stream, s, first, length] = turn_of(streams, chunks, j);
    streams.template copy_in<T>(stream, in.piece(first, length), arrays.in[s]);
    streams.run(stream, SortStep<T>{length}, arrays.in[s], arrays.out[s]);
    sorted.push_back(
        streams.template copy_out<T>(stream, arrays.out[s], runs.piece(first, length)));
  }
  if (count <= 1) return sorted;
  RunMerge<T> all{{}, out, {}};
  for (std::int64_t j = 0; j < count; ++j) {
    all.runs.push_back(runs.piece(chunks.first(j), chunks.length(j)));
  }
  std::vector<RunMerge<T>> merges{std::move(all)};
  return merge_runs(streams, merges, chunks, arrays, sorted, control);
}

}  // namespace detail

/// Sorts `in` to `out` by operator< in two passes. The first sorts every chunk on its way through
/// the device to `scratch` (n elements of host memory). Then the host cuts the sorted chunks into
/// buckets of exactly a chunk's size: the splitters are exact ranks, and equal keys are told apart
/// by their place, so that neither skew nor duplicates make a bucket larger. The second pass
/// gathers every bucket from its pieces of all chunks, sorts it and writes it out. One chunk needs
/// one pass.
template <class T, class Streams>
void sort(Streams& streams, HostPiece<const T> in, HostPiece<T> out, HostPiece<T> scratch,
          const Chunks& chunks, const Control& control = {}) {
  if (chunks.n == 0) return;
  refuse_aliasing(in, "in", out, "out");
  refuse_aliasing(in, "in", scratch, "scratch");
  refuse_aliasing(out, "out", scratch, "scratch");
  const InOutArrays<T, T, Streams> arrays(streams, chunks);
  detail::sort_through(streams, arrays, in, out, scratch, chunks, control);
  streams.finish();
  const std::int64_t steps = chunks.count() > 1 ? 2 * chunks.count() : 1;
  control.report(steps, steps);
}

}  // namespace agpusim::out_of_core

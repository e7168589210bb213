#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "agpusim/algorithms/out_of_core/aliasing.hpp"
#include "agpusim/algorithms/out_of_core/chunk_turn.hpp"
#include "agpusim/algorithms/out_of_core/cuts.hpp"
#include "agpusim/algorithms/out_of_core/in_out_arrays.hpp"
#include "agpusim/algorithms/out_of_core/library_steps.hpp"
#include "agpusim/model/transfer/chunks.hpp"
#include "agpusim/model/transfer/host_parallel.hpp"
#include "agpusim/model/transfer/host_piece.hpp"
#include "agpusim/model/transfer/progress.hpp"
#include "agpusim/model/transfer/recorder.hpp"

namespace agpusim::out_of_core {

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
  const std::int64_t count = chunks.count();
  const std::int64_t steps = count > 1 ? 2 * count : 1;
  const InOutArrays<T, T, Streams> arrays(streams, chunks);
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

  if (count > 1) {
    // cuts[b][j]: where bucket b begins in chunk j.
    std::vector<std::vector<std::int64_t>> cuts(static_cast<std::size_t>(count) + 1);
    streams.host("cuts", 0, 0, sorted, [&] {
      std::vector<std::span<const T>> pieces;
      for (std::int64_t j = 0; j < count; ++j) {
        pieces.emplace_back(runs.data() + chunks.first(j),
                            static_cast<std::size_t>(chunks.length(j)));
      }
      for_each_index(count + 1, [&](std::int64_t b) {
        const std::int64_t rank = std::min(chunks.n, b * chunks.size);
        cuts[static_cast<std::size_t>(b)] = cut_runs<T>(pieces, rank);
      });
    });
    if constexpr (!Streams::has_data) {  // evenly spread keys
      for (std::int64_t b = 0; b <= count; ++b) {
        const std::int64_t rank = std::min(chunks.n, b * chunks.size);
        const double share = static_cast<double>(rank) / static_cast<double>(chunks.n);
        for (std::int64_t j = 0; j < count; ++j) {
          cuts[static_cast<std::size_t>(b)].push_back(
              static_cast<std::int64_t>(static_cast<double>(chunks.length(j)) * share));
        }
      }
    }
    for (std::int64_t b = 0; b < count; ++b) {
      control.report(count + b, steps);
      const auto [stream, s, first, length] = turn_of(streams, chunks, b);
      std::int64_t filled = 0;
      for (std::int64_t j = 0; j < count; ++j) {
        const std::int64_t from = cuts[static_cast<std::size_t>(b)][static_cast<std::size_t>(j)];
        const std::int64_t to = cuts[static_cast<std::size_t>(b) + 1][static_cast<std::size_t>(j)];
        if (from == to) continue;
        streams.template copy_in<T>(stream, runs.piece(chunks.first(j) + from, to - from),
                                    arrays.in[s], filled);
        filled += to - from;
      }
      // filled == length where there are keys.
      streams.run(stream, SortStep<T>{length}, arrays.in[s], arrays.out[s]);
      streams.template copy_out<T>(stream, arrays.out[s], out.piece(first, length));
    }
  }
  streams.finish();
  control.report(steps, steps);
}

}  // namespace agpusim::out_of_core

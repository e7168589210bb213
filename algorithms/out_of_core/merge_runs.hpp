#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "agpusim/algorithms/out_of_core/cuts.hpp"
#include "agpusim/algorithms/out_of_core/in_out_arrays.hpp"
#include "agpusim/algorithms/out_of_core/library_steps.hpp"
#include "agpusim/model/transfer/chunks.hpp"
#include "agpusim/model/transfer/host_parallel.hpp"
#include "agpusim/model/transfer/host_piece.hpp"
#include "agpusim/model/transfer/progress.hpp"
#include "agpusim/model/transfer/recorder.hpp"

namespace agpusim::out_of_core {

/// Sorted runs in host memory, and where all of their elements go in order.
template <class T>
struct RunMerge {
  std::vector<HostPiece<T>> runs;
  HostPiece<T> out;
  std::vector<std::vector<std::int64_t>> cuts;  ///< [b][j]: where bucket b begins in run j
};

/// Buckets of a chunk's size of all merges.
template <class T>
[[nodiscard]] std::int64_t buckets_of(const std::vector<RunMerge<T>>& merges,
                                      const Chunks& chunks) {
  std::int64_t buckets = 0;
  for (const RunMerge<T>& merge : merges) {
    buckets += (merge.out.size() + chunks.size - 1) / chunks.size;
  }
  return buckets;
}

namespace detail {

/// The cuts of a merge into buckets of `size` elements: exact ranks, of evenly spread keys where
/// there are no data.
template <bool has_data, class T>
void find_cuts(RunMerge<T>& merge, std::int64_t size) {
  const std::int64_t n = merge.out.size();
  merge.cuts.resize(static_cast<std::size_t>((n + size - 1) / size) + 1);
  const auto rank = [&](std::int64_t b) { return std::min(n, b * size); };
  if constexpr (has_data) {
    std::vector<std::span<const T>> pieces;
    for (const HostPiece<T>& run : merge.runs) {
      pieces.emplace_back(run.data(), static_cast<std::size_t>(run.size()));
    }
    for_each_index(std::ssize(merge.cuts), [&](std::int64_t b) {
      merge.cuts[static_cast<std::size_t>(b)] = cut_runs<T>(pieces, rank(b));
    });
  } else {
    for (std::int64_t b = 0; b < std::ssize(merge.cuts); ++b) {
      const double share = static_cast<double>(rank(b)) / static_cast<double>(n);
      for (const HostPiece<T>& run : merge.runs) {
        merge.cuts[static_cast<std::size_t>(b)].push_back(
            static_cast<std::int64_t>(static_cast<double>(run.size()) * share));
      }
    }
  }
}

}  // namespace detail

/// The second pass of a sort, when the runs have `arrived`: the host cuts those of every merge into
/// buckets of exactly a chunk's size: the splitters are exact ranks, and equal keys are told apart
/// by their place, so that neither skew nor duplicates make a bucket larger. Every bucket is
/// gathered from its pieces of all runs, sorted and written out; returns the copies of the buckets.
template <class T, class Streams>
std::vector<Event> merge_runs(Streams& streams, std::vector<RunMerge<T>>& merges,
                              const Chunks& chunks, const InOutArrays<T, T, Streams>& arrays,
                              std::span<const Event> arrived, const Control& control) {
  const auto cut_all = [&] {
    for (RunMerge<T>& merge : merges) {
      detail::find_cuts<Streams::has_data>(merge, chunks.size);
    }
  };
  streams.host("cuts", 0, 0, arrived, cut_all);
  if constexpr (!Streams::has_data) cut_all();
  const std::int64_t steps = chunks.count() + buckets_of(merges, chunks);
  std::int64_t bucket = 0;  // number among the buckets of all merges
  std::vector<Event> written;
  for (const RunMerge<T>& merge : merges) {
    for (std::size_t b = 0; b + 1 < merge.cuts.size(); ++b, ++bucket) {
      control.report(chunks.count() + bucket, steps);
      streams.recorder().chunk(bucket);
      const auto stream = static_cast<std::int32_t>(bucket % chunks.used_streams());
      const auto s = static_cast<std::size_t>(stream);
      std::int64_t filled = 0;
      for (std::size_t j = 0; j < merge.runs.size(); ++j) {
        const std::int64_t from = merge.cuts[b][j];
        const std::int64_t count = merge.cuts[b + 1][j] - from;
        if (count == 0) continue;
        streams.template copy_in<T>(stream, merge.runs[j].piece(from, count), arrays.in[s], filled);
        filled += count;
      }
      // filled == length where there are keys.
      const std::int64_t first = static_cast<std::int64_t>(b) * chunks.size;
      const std::int64_t length = std::min(chunks.size, merge.out.size() - first);
      streams.run(stream, SortStep<T>{length}, arrays.in[s], arrays.out[s]);
      written.push_back(
          streams.template copy_out<T>(stream, arrays.out[s], merge.out.piece(first, length)));
    }
  }
  return written;
}

}  // namespace agpusim::out_of_core

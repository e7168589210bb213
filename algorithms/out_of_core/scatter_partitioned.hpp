#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "agpusim/algorithms/out_of_core/library_steps.hpp"
#include "agpusim/algorithms/out_of_core/scatter.hpp"

namespace agpusim::out_of_core {

/// Host memory that a partitioned scatter writes its pairs to: n of each.
template <class T>
struct PairScratch {
  HostPiece<std::int64_t> places;
  HostPiece<T> values;
};

/// Windows on the device at the same time.
inline constexpr std::int32_t windows_in_flight = 2;

/// The scatter in two passes for an output that does not fit the device (theory 3.14): the first
/// orders the pairs of every chunk by window of 2^shift places, the second fills one window after
/// the other from its pieces of all chunks.
template <class T, class Streams>
void scatter_partitioned(Streams& streams, HostPiece<const std::int64_t> index,
                         HostPiece<const T> in, HostPiece<T> out, PairScratch<T> scratch,
                         const Chunks& chunks, std::int32_t shift, const Control& control = {}) {
  if (chunks.n == 0) return;
  refuse_aliasing(in, "in", out, "out");
  refuse_aliasing(index, "index", out, "out");
  refuse_aliasing(in, "in", scratch.values, "scratch values");
  refuse_aliasing(index, "index", scratch.places, "scratch places");
  refuse_aliasing(out, "out", scratch.values, "scratch values");
  using Places = typename Streams::template Array<std::int64_t>;
  using Values = typename Streams::template Array<T>;
  const std::int64_t window = std::int64_t{1} << shift;
  const auto windows = static_cast<std::int32_t>((chunks.n + window - 1) >> shift);
  const std::int64_t steps = chunks.count() + windows;
  const std::int64_t row = windows + 1;  // counts of a chunk: of each window, and of no window
  const std::int32_t streams_used = chunks.used_streams();
  std::vector<Places> places;
  std::vector<Values> values;
  std::vector<Places> ordered_places;
  std::vector<Values> ordered_values;
  std::vector<Places> counts;
  for (std::int32_t s = 0; s < streams_used; ++s) {
    places.push_back(streams.template allocate<std::int64_t>(chunks.buffer(), "places"));
    values.push_back(streams.template allocate<T>(chunks.buffer(), "values"));
    ordered_places.push_back(
        streams.template allocate<std::int64_t>(chunks.buffer(), "ordered_places"));
    ordered_values.push_back(streams.template allocate<T>(chunks.buffer(), "ordered_values"));
    counts.push_back(streams.template allocate<std::int64_t>(row, "counts"));
  }
  std::vector<Values> targets;
  for (std::int32_t t = 0; t < std::min(windows, windows_in_flight); ++t) {
    targets.push_back(streams.template allocate<T>(std::min(window, chunks.n), "window"));
  }
  // Stays 0: the first pass looks at all places.
  const auto bad = streams.template allocate<std::int32_t>(1, "bad");
  streams.set(0, bad, std::int32_t{0});
  const HostPiece<std::int64_t> count_of =
      streams.template scratch<std::int64_t>(row * chunks.count());

  std::vector<Event> counted;
  for (std::int64_t j = 0; j < chunks.count(); ++j) {
    control.report(j, steps);
    const auto [stream, s, first, length] = turn_of(streams, chunks, j);
    streams.template copy_in<std::int64_t>(stream, index.piece(first, length), places[s]);
    streams.template copy_in<T>(stream, in.piece(first, length), values[s]);
    streams.run(stream, PartitionStep<T>{length, shift, windows, chunks.n}, places[s], values[s],
                ordered_places[s], ordered_values[s], counts[s]);
    streams.template copy_out<std::int64_t>(stream, ordered_places[s],
                                            scratch.places.piece(first, length));
    streams.template copy_out<T>(stream, ordered_values[s], scratch.values.piece(first, length));
    counted.push_back(
        streams.template copy_out<std::int64_t>(stream, counts[s], count_of.piece(j * row, row)));
  }

  // starts[j][w]: where the pairs of window w begin in chunk j.
  std::vector<std::vector<std::int64_t>> starts(static_cast<std::size_t>(chunks.count()));
  streams.host("starts", 0, 0, counted, [&] {
    for (std::int64_t j = 0; j < chunks.count(); ++j) {
      std::vector<std::int64_t>& start = starts[static_cast<std::size_t>(j)];
      start.resize(static_cast<std::size_t>(row));
      for (std::int32_t w = 0; w < windows; ++w) {
        const auto at = static_cast<std::size_t>(w);
        start[at + 1] = start[at] + count_of.data()[j * row + w];
      }
      check_places(index, count_of.data()[j * row + windows]);
    }
  });
  if constexpr (!Streams::has_data) {  // evenly spread places
    for (std::int64_t j = 0; j < chunks.count(); ++j) {
      for (std::int64_t w = 0; w < row; ++w) {
        starts[static_cast<std::size_t>(j)].push_back(chunks.length(j) * w / windows);
      }
    }
  }

  // While one window is filled, by the buffers of all streams in turn, another is copied out.
  std::vector<Event> emptied(targets.size(), -1);
  std::int64_t fills = 0;
  for (std::int32_t w = 0; w < windows; ++w) {
    control.report(chunks.count() + w, steps);
    streams.recorder().chunk(w);
    const auto t = static_cast<std::size_t>(w) % targets.size();
    const std::int64_t first = w * window;
    const std::int64_t size = std::min(window, chunks.n - first);
    std::vector<Event> scattered;
    std::int64_t filled = 0;
    const auto scatter_filled = [&] {
      if (filled == 0) return;
      const auto stream = static_cast<std::int32_t>(fills++ % streams_used);
      const auto s = static_cast<std::size_t>(stream);
      if (emptied[t] >= 0) streams.wait(stream, emptied[t]);
      scattered.push_back(streams.run(stream, ScatterStep<T>{filled, first, size, chunks.n},
                                      places[s], values[s], targets[t], bad));
      filled = 0;
    };
    for (std::int64_t j = 0; j < chunks.count(); ++j) {
      const std::vector<std::int64_t>& start = starts[static_cast<std::size_t>(j)];
      std::int64_t from = start[static_cast<std::size_t>(w)];
      const std::int64_t to = start[static_cast<std::size_t>(w) + 1];
      while (from < to) {
        if (filled == chunks.buffer()) scatter_filled();
        const auto stream = static_cast<std::int32_t>(fills % streams_used);
        const auto s = static_cast<std::size_t>(stream);
        const std::int64_t length = std::min(to - from, chunks.buffer() - filled);
        const std::int64_t at = chunks.first(j) + from;
        streams.template copy_in<std::int64_t>(stream, scratch.places.piece(at, length), places[s],
                                               filled);
        streams.template copy_in<T>(stream, scratch.values.piece(at, length), values[s], filled);
        filled += length;
        from += length;
      }
    }
    scatter_filled();
    const std::int32_t of_windows = streams_used;
    for (const Event event : scattered) streams.wait(of_windows, event);
    emptied[t] = streams.template copy_out<T>(of_windows, targets[t], out.piece(first, size));
  }
  streams.finish();
  control.report(steps, steps);
}

}  // namespace agpusim::out_of_core

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/out_of_core/aliasing.hpp"
#include "agpusim/algorithms/out_of_core/chunk_turn.hpp"
#include "agpusim/algorithms/out_of_core/steps.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/transfer/chunks.hpp"
#include "agpusim/model/transfer/host_parallel.hpp"
#include "agpusim/model/transfer/host_piece.hpp"
#include "agpusim/model/transfer/progress.hpp"
#include "agpusim/model/transfer/recorder.hpp"

// out[index[i]] = in[i] for a permutation `index` of 0..n-1 (seed 004, 3.4). A place outside is a
// UsageError that names it; the output then holds nothing of value.
namespace agpusim::out_of_core {

[[noreturn]] inline void refuse_place(HostPiece<const std::int64_t> index, std::int64_t i) {
  throw UsageError(fmt::format("scatter: index[{}] = {} is outside 0..{}; the output is incomplete",
                               i, index.data()[i], index.size() - 1));
}

/// Throws when `bad`, counted on the device, is not 0.
inline void check_places(HostPiece<const std::int64_t> index, std::int64_t bad) {
  if (bad == 0) return;
  const std::span<const std::int64_t> places(index.data(), static_cast<std::size_t>(index.size()));
  if (const auto first = first_outside(places, index.size())) refuse_place(index, *first);
}

/// The window of the output, and buffers for chunks of places and values.
template <class T, class Place, class Streams>
struct ScatterArrays {
  std::vector<typename Streams::template Array<Place>> places;
  std::vector<typename Streams::template Array<T>> values;
  std::vector<typename Streams::template Array<std::int32_t>> bad;
  typename Streams::template Array<T> window;

  ScatterArrays(Streams& streams, const Chunks& chunks, std::int64_t window_size)
      : window(streams.template allocate<T>(window_size, "window")) {
    for (std::int32_t s = 0; s < chunks.used_streams(); ++s) {
      places.push_back(streams.template allocate<Place>(chunks.buffer(), "places"));
      values.push_back(streams.template allocate<T>(chunks.buffer(), "values"));
      bad.push_back(streams.template allocate<std::int32_t>(1, "bad"));
      streams.set(s, bad.back(), std::int32_t{0});
    }
  }
};

/// The scatter of the seed: for every window of the output that fits the device, all places and
/// values pass through it: ceil(n / window) passes. With a window of n elements the output stays
/// on the device and one pass is enough.
template <class T, class Streams>
void scatter_windows(Streams& streams, HostPiece<const std::int64_t> index, HostPiece<const T> in,
                     HostPiece<T> out, const Chunks& chunks, std::int64_t window_size,
                     const Control& control = {}) {
  if (chunks.n == 0) return;
  refuse_aliasing(in, "in", out, "out");
  refuse_aliasing(index, "index", out, "out");
  ScatterArrays<T, std::int64_t, Streams> arrays(streams, chunks, window_size);
  const std::int64_t windows = (chunks.n + window_size - 1) / window_size;
  const std::int64_t steps = windows * 2 * chunks.count();
  const HostPiece<std::int32_t> bad = streams.template scratch<std::int32_t>(chunks.used_streams());
  std::int64_t done = 0;
  std::vector<Event> emptied;
  for (std::int64_t w = 0; w < windows; ++w) {
    const std::int64_t origin = w * window_size;
    const std::int64_t size = std::min(window_size, chunks.n - origin);
    std::vector<Event> filled;
    for (std::int64_t j = 0; j < chunks.count(); ++j) {
      control.report(done++, steps);
      const auto [stream, s, first, length] = turn_of(streams, chunks, j);
      streams.template copy_in<std::int64_t>(stream, index.piece(first, length), arrays.places[s]);
      streams.template copy_in<T>(stream, in.piece(first, length), arrays.values[s]);
      for (const Event event : emptied) streams.wait(stream, event);
      filled.push_back(streams.run(stream, ScatterStep<T>{length, origin, size, chunks.n},
                                   arrays.places[s], arrays.values[s], arrays.window,
                                   arrays.bad[s]));
    }
    std::vector<Event> counted;
    for (std::int32_t s = 0; s < chunks.used_streams(); ++s) {
      counted.push_back(streams.template copy_out<std::int32_t>(
          s, arrays.bad[static_cast<std::size_t>(s)], bad.piece(s, 1)));
    }
    streams.host("check", 0, 0, counted, [&] {
      for (std::int64_t s = 0; s < bad.size(); ++s) check_places(index, bad.data()[s]);
    });
    for (const Event event : filled) streams.wait(0, event);
    emptied = {streams.template copy_out<T>(0, arrays.window, out.piece(origin, size))};
    done += chunks.count();
  }
  streams.finish();
  control.report(steps, steps);
}

/// With the output resident and places of 32 bits, which the host makes on the way: 12 instead of
/// 16 bytes of an element of 8 bytes go to the device. n <= 2^31.
template <class T, class Streams>
void scatter_compact(Streams& streams, HostPiece<const std::int64_t> index, HostPiece<const T> in,
                     HostPiece<T> out, const Chunks& chunks, double compact_rate,
                     const Control& control = {}) {
  if (chunks.n > std::int64_t{1} << 31) {
    throw UsageError(fmt::format(
        "scatter: n = {} places do not fit 32 bits; use the scheme resident or partitioned",
        chunks.n));
  }
  if (chunks.n == 0) return;
  refuse_aliasing(in, "in", out, "out");
  refuse_aliasing(index, "index", out, "out");
  ScatterArrays<T, std::int32_t, Streams> arrays(streams, chunks, chunks.n);
  std::vector<HostPiece<std::int32_t>> compact;
  for (std::int32_t s = 0; s < chunks.used_streams(); ++s) {
    compact.push_back(streams.template scratch<std::int32_t>(chunks.buffer()));
  }
  std::vector<Event> sent(static_cast<std::size_t>(chunks.used_streams()), -1);
  std::vector<Event> filled;
  for (std::int64_t j = 0; j < chunks.count(); ++j) {
    control.report(j, chunks.count());
    const auto [stream, s, first, length] = turn_of(streams, chunks, j);
    const HostPiece<const std::int64_t> places = index.piece(first, length);
    const HostPiece<std::int32_t> small = compact[s].piece(0, length);
    // Values are under way while the host works.
    streams.template copy_in<T>(stream, in.piece(first, length), arrays.values[s]);
    std::vector<Event> free;
    if (sent[s] >= 0) free.push_back(sent[s]);
    streams.host("compact", places.bytes() + small.bytes(),
                 static_cast<double>(length) / compact_rate, free,
                 [&, first = first, length = length] {
                   const std::span from(places.data(), static_cast<std::size_t>(length));
                   const std::span to(small.data(), static_cast<std::size_t>(length));
                   const auto outside = compact_places(from, to, chunks.n);
                   if (outside) refuse_place(index, first + *outside);
                 });
    sent[s] = streams.template copy_in<std::int32_t>(stream, small, arrays.places[s]);
    filled.push_back(streams.run(stream, ScatterStep<T>{length, 0, chunks.n, chunks.n},
                                 arrays.places[s], arrays.values[s], arrays.window, arrays.bad[s]));
  }
  for (const Event event : filled) streams.wait(0, event);
  streams.template copy_out<T>(0, arrays.window, out);
  streams.finish();
  control.report(chunks.count(), chunks.count());
}

}  // namespace agpusim::out_of_core

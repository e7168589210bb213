#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
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

/// The two passes of scatter_partitioned().
template <class T, class Streams>
class PartitionedScatter {
 public:
  PartitionedScatter(Streams& streams, PairScratch<T> scratch, const Chunks& chunks,
                     std::int32_t shift, const Control& control)
      : streams_(streams),
        scratch_(scratch),
        chunks_(chunks),
        shift_(shift),
        windows_(static_cast<std::int32_t>((chunks.n + window() - 1) >> shift)),
        control_(control),
        bad_(streams.template allocate<std::int32_t>(1, "bad")),
        count_of_(streams.template scratch<std::int64_t>(row() * chunks.count())) {
    for (std::int32_t s = 0; s < chunks.used_streams(); ++s) {
      places_.push_back(streams.template allocate<std::int64_t>(chunks.buffer(), "places"));
      values_.push_back(streams.template allocate<T>(chunks.buffer(), "values"));
      ordered_places_.push_back(
          streams.template allocate<std::int64_t>(chunks.buffer(), "ordered_places"));
      ordered_values_.push_back(streams.template allocate<T>(chunks.buffer(), "ordered_values"));
      counts_.push_back(streams.template allocate<std::int64_t>(row(), "counts"));
    }
    for (std::int32_t t = 0; t < std::min(windows_, windows_in_flight); ++t) {
      targets_.push_back(streams.template allocate<T>(std::min(window(), chunks.n), "window"));
    }
    // Stays 0: the first pass looks at all places.
    streams.set(0, bad_, std::int32_t{0});
  }

  void run(HostPiece<const std::int64_t> index, HostPiece<const T> in, HostPiece<T> out) {
    find_starts(index, order_pairs(index, in));
    for (std::int32_t w = 0; w < windows_; ++w) fill_window(w, out);
  }

  /// Chunks and windows.
  [[nodiscard]] std::int64_t steps() const { return chunks_.count() + windows_; }

 private:
  using Places = typename Streams::template Array<std::int64_t>;
  using Values = typename Streams::template Array<T>;

  [[nodiscard]] std::int64_t window() const { return std::int64_t{1} << shift_; }
  /// Counts of a chunk: of each window, and of no window.
  [[nodiscard]] std::int64_t row() const { return windows_ + 1; }

  /// Pass 1: the pairs of every chunk, ordered by window, to the scratch. Returns the copies out of
  /// their counts.
  std::vector<Event> order_pairs(HostPiece<const std::int64_t> index, HostPiece<const T> in) {
    std::vector<Event> counted;
    for (std::int64_t j = 0; j < chunks_.count(); ++j) {
      control_.report(j, steps());
      const auto [stream, s, first, length] = turn_of(streams_, chunks_, j);
      streams_.template copy_in<std::int64_t>(stream, index.piece(first, length), places_[s]);
      streams_.template copy_in<T>(stream, in.piece(first, length), values_[s]);
      streams_.run(stream, PartitionStep<T>{length, shift_, windows_, chunks_.n}, places_[s],
                   values_[s], ordered_places_[s], ordered_values_[s], counts_[s]);
      streams_.template copy_out<std::int64_t>(stream, ordered_places_[s],
                                               scratch_.places.piece(first, length));
      streams_.template copy_out<T>(stream, ordered_values_[s],
                                    scratch_.values.piece(first, length));
      counted.push_back(streams_.template copy_out<std::int64_t>(
          stream, counts_[s], count_of_.piece(j * row(), row())));
    }
    return counted;
  }

  /// starts_[j][w]: where the pairs of window w begin in chunk j.
  void find_starts(HostPiece<const std::int64_t> index, std::span<const Event> counted) {
    starts_.resize(static_cast<std::size_t>(chunks_.count()));
    streams_.host("starts", 0, 0, counted, [&] {
      for (std::int64_t j = 0; j < chunks_.count(); ++j) {
        std::vector<std::int64_t>& start = starts_[static_cast<std::size_t>(j)];
        start.resize(static_cast<std::size_t>(row()));
        for (std::int32_t w = 0; w < windows_; ++w) {
          const auto at = static_cast<std::size_t>(w);
          start[at + 1] = start[at] + count_of_.data()[j * row() + w];
        }
        check_places(index, count_of_.data()[j * row() + windows_]);
      }
    });
    if constexpr (!Streams::has_data) {  // evenly spread places
      for (std::int64_t j = 0; j < chunks_.count(); ++j) {
        for (std::int64_t w = 0; w < row(); ++w) {
          starts_[static_cast<std::size_t>(j)].push_back(chunks_.length(j) * w / windows_);
        }
      }
    }
  }

  /// Pass 2: one window, from its pieces of all chunks, by the buffers of all streams in turn.
  /// While it is filled, another is copied out.
  void fill_window(std::int32_t w, HostPiece<T> out) {
    control_.report(chunks_.count() + w, steps());
    streams_.recorder().chunk(w);
    const auto t = static_cast<std::size_t>(w) % targets_.size();
    const std::int64_t first = w * window();
    const std::int64_t size = std::min(window(), chunks_.n - first);
    std::vector<Event> scattered;
    std::int64_t filled = 0;
    const auto scatter_filled = [&] {
      if (filled == 0) return;
      const std::int32_t stream = filling();
      const auto s = static_cast<std::size_t>(stream);
      if (emptied_[t] >= 0) streams_.wait(stream, emptied_[t]);
      scattered.push_back(streams_.run(stream, ScatterStep<T>{filled, first, size, chunks_.n},
                                       places_[s], values_[s], targets_[t], bad_));
      ++fills_;
      filled = 0;
    };
    for (std::int64_t j = 0; j < chunks_.count(); ++j) {
      const std::vector<std::int64_t>& start = starts_[static_cast<std::size_t>(j)];
      std::int64_t from = start[static_cast<std::size_t>(w)];
      const std::int64_t to = start[static_cast<std::size_t>(w) + 1];
      while (from < to) {
        if (filled == chunks_.buffer()) scatter_filled();
        const std::int64_t length = std::min(to - from, chunks_.buffer() - filled);
        copy_pairs_in(chunks_.first(j) + from, length, filled);
        filled += length;
        from += length;
      }
    }
    scatter_filled();
    const std::int32_t of_windows = chunks_.used_streams();
    for (const Event event : scattered) streams_.wait(of_windows, event);
    emptied_[t] = streams_.template copy_out<T>(of_windows, targets_[t], out.piece(first, size));
  }

  /// The stream whose buffers are being filled.
  [[nodiscard]] std::int32_t filling() const {
    return static_cast<std::int32_t>(fills_ % chunks_.used_streams());
  }

  void copy_pairs_in(std::int64_t from, std::int64_t length, std::int64_t to) {
    const std::int32_t stream = filling();
    const auto s = static_cast<std::size_t>(stream);
    streams_.template copy_in<std::int64_t>(stream, scratch_.places.piece(from, length), places_[s],
                                            to);
    streams_.template copy_in<T>(stream, scratch_.values.piece(from, length), values_[s], to);
  }

  Streams& streams_;
  PairScratch<T> scratch_;
  Chunks chunks_;
  std::int32_t shift_;
  std::int32_t windows_;
  const Control& control_;
  std::vector<Places> places_;
  std::vector<Values> values_;
  std::vector<Places> ordered_places_;
  std::vector<Values> ordered_values_;
  std::vector<Places> counts_;
  std::vector<Values> targets_;
  typename Streams::template Array<std::int32_t> bad_;
  HostPiece<std::int64_t> count_of_;
  std::vector<std::vector<std::int64_t>> starts_;
  std::vector<Event> emptied_ = std::vector<Event>(windows_in_flight, -1);  // one for each target
  std::int64_t fills_ = 0;
};

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
  refuse_aliasing(scratch.values, "scratch values", scratch.places, "scratch places");
  const auto refuse_scratch = [&](const auto& array, const char* name) {
    refuse_aliasing(array, name, scratch.values, "scratch values");
    refuse_aliasing(array, name, scratch.places, "scratch places");
  };
  refuse_scratch(in, "in");
  refuse_scratch(index, "index");
  refuse_scratch(out, "out");
  PartitionedScatter<T, Streams> scatter(streams, scratch, chunks, shift, control);
  scatter.run(index, in, out);
  streams.finish();
  control.report(scatter.steps(), scatter.steps());
}

}  // namespace agpusim::out_of_core

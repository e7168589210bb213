#pragma once

#include <cstdint>
#include <iterator>
#include <span>

#include "agpusim/model/transfer/host_piece.hpp"
#include "agpusim/model/transfer/progress.hpp"

namespace agpusim::out_of_core {

/// What a program has not written: no result of a task.
inline constexpr double untouched = -0.5;

/// The factor of transform_const.
inline constexpr double scale_factor = 3;

/// The arrays of a task in host memory, or, where it is only planned, their lengths.
struct Arrays {
  HostPiece<const double> in;
  HostPiece<const std::int64_t> places;  ///< targets of a scatter, a permutation; else empty
  HostPiece<double> out;  ///< n elements, of which a segmented reduction may write fewer, or one
  /// What a sort and a partitioned scatter write on the way, n elements; empty: memory of the
  /// streams.
  HostPiece<double> scratch = {};
  HostPiece<std::int64_t> scratch_places = {};
  /// Memory of the seed's sort, one_hot_buckets·n words, and of a hash table,
  /// HashScratch::words(n); empty: memory of the streams.
  HostPiece<std::int64_t> words = {};
  /// Flags of a segmented task, not 0 where a segment begins, as at element 0; else empty.
  HostPiece<const std::uint32_t> heads = {};
};

/// The arrays of a run that there is data for, each of n elements or, where a task has none, empty.
struct HostArrays {
  std::span<double> in;
  std::span<std::int64_t> places;
  std::span<std::uint32_t> heads;
  std::span<double> out;  ///< as many elements as the task has results
  std::span<double> scratch = {};
  std::span<std::int64_t> scratch_places = {};
  std::span<std::int64_t> words = {};
};

/// The arrays of a host run as a program takes them.
[[nodiscard]] inline Arrays arrays_of(const HostArrays& arrays) {
  const auto piece = []<class T>(std::span<T> array) {
    return HostPiece<T>(array.data(), std::ssize(array));
  };
  return {piece(arrays.in),      piece(arrays.places),         piece(arrays.out),
          piece(arrays.scratch), piece(arrays.scratch_places), piece(arrays.words),
          piece(arrays.heads)};
}

/// What a program takes into account besides arrays and chunks.
struct Settings {
  std::int64_t budget_bytes = 0;  ///< device memory
  double compact_rate = 0;        ///< places per second that the host makes 32 bits wide
  double host_rate = 0;           ///< bytes per second of the host's other steps, 0: no limit
  Control control = {};
  bool exclusive = false;  ///< whether a scan leaves an element out of its own sum
};

}  // namespace agpusim::out_of_core

#pragma once

#include <cstdint>

namespace agpusim::transfer {

/// Identical chunks that are copied in, computed on and copied out, on N streams in turn.
struct ChunkTimes {
  double in = 0;       ///< a
  double compute = 0;  ///< e
  double out = 0;      ///< d
};

/// Makespan of `chunks` chunks on `streams` streams with two copy engines (theory 6.2):
/// S + (c-1)·x when S <= N·x, else (floor((c-1)/N) + 1)·S + ((c-1) mod N)·x, with S = a+e+d and
/// x = max(a, e, d). No chunk takes no time.
[[nodiscard]] double makespan_two_engines(std::int64_t chunks, const ChunkTimes& times,
                                          std::int64_t streams);

/// Lower bound with one copy engine: max(c·(a+d), a + c·e + d) (theory 6.2), the first plus e where
/// nothing is copied in one direction, so that the first or last kernel overlaps no copy.
[[nodiscard]] double bound_one_engine(std::int64_t chunks, const ChunkTimes& times);

}  // namespace agpusim::transfer

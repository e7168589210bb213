#pragma once

#include <cstdint>

#include "agpusim/model/fn.hpp"

namespace agpusim::scan {

/// Which prefix element i receives.
enum class Kind : std::uint8_t {
  inclusive,  ///< the fold of elements 0..i
  exclusive,  ///< the fold of elements 0..i-1
};

/// `mine` of every lane becomes the fold of all lanes up to it (Kogge and Stone, IEEE Trans.
/// Computers C-22, 1973), by way of two halves of `sums`, which takes turns; returns the half that
/// holds the result. Ends without sync.
template <class Operator, class Mp, class Sums, class Value>
AGPUSIM_FN std::int32_t scan_lanes(Mp& mp, const Sums& sums, Value& mine) {
  const Operator combine;
  const auto lane = mp.lane();
  const std::int32_t width = mp.width();
  std::int32_t half = 0;
  sums.write(lane, mine);
  for (std::int32_t distance = 1; distance < width; distance *= 2) {
    mp.sync();
    mp.when(lane >= distance, [&] { mine = combine(sums.read(lane + (half - distance)), mine); });
    half = width - half;
    sums.write(lane + half, mine);
  }
  return half;
}

/// Calls `body` for lanes 0..count-1; for all of them without a comparison.
template <class Mp, class Body>
AGPUSIM_FN void for_first_lanes(Mp& mp, std::int32_t count, const Body& body) {
  if (count == mp.width()) {
    body();
  } else {
    mp.when(mp.lane() < count, [&] { body(); });
  }
}

}  // namespace agpusim::scan

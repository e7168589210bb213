#pragma once

#include <cstdint>

#include "agpusim/model/fn.hpp"
#include "agpusim/model/scalar.hpp"

namespace agpusim {

/// For every lane how many of the first `count` elements of `in` satisfy `before(element)`, where
/// those that do come first: a binary search of ⌈lg count⌉ + 1 rounds in all lanes, of a read, what
/// `before` costs, an addition and a selection each.
template <class Mp, class In, class Before>
AGPUSIM_FN auto count_before(Mp& mp, const In& in, std::int32_t count, Before before) {
  auto found = mp.varying(std::int32_t{0});
  for (std::int32_t left = count; left > 0;) {
    const std::int32_t step = left > 1 ? left / 2 : 1;
    found = select(before(in.from(step - 1).read(found)), found + step, found);
    left -= step;
  }
  return found;
}

}  // namespace agpusim

#pragma once

#include <limits>

namespace agpusim {

/// Keys that stand for "before all others" and "behind all others": equal keys need no order.
template <class Key>
inline constexpr Key smallest_key = std::numeric_limits<Key>::min();
template <class Key>
inline constexpr Key largest_key = std::numeric_limits<Key>::max();

}  // namespace agpusim

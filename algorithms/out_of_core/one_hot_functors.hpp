#pragma once

#include <cstdint>

#include "agpusim/model/fn.hpp"
#include "agpusim/model/scalar.hpp"

// What sort_one_hot() does to single elements on the device.
namespace agpusim::out_of_core {

/// Buckets of two pivots: below, equal to the lower, between, equal to the upper, above.
inline constexpr std::int64_t one_hot_buckets = 5;

/// The bucket of a key.
template <class T>
struct BucketOf {
  using input_type = T;
  using output_type = std::int64_t;

  T low;
  T high;

  template <class V>
  AGPUSIM_FN auto operator()(const V& x) const {
    return cast<std::int64_t>(x >= low) + cast<std::int64_t>(x > low) +
           cast<std::int64_t>(x >= high) + cast<std::int64_t>(x > high);
  }
};

struct MinusOne {
  using input_type = std::int64_t;
  using output_type = std::int64_t;

  template <class V>
  AGPUSIM_FN V operator()(const V& x) const {
    return x - std::int64_t{1};
  }
};

}  // namespace agpusim::out_of_core

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "agpusim/model/transfer/host_parallel.hpp"

namespace agpusim {

/// value(i) as a T for i in 0..n-1, on all cores of the host.
template <class T, class Value>
[[nodiscard]] std::vector<T> numbers_of(std::int64_t n, Value value) {
  std::vector<T> result(static_cast<std::size_t>(n));
  out_of_core::for_ranges(n, [out = result.data(), value](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) {
      out[i] = static_cast<T>(value(static_cast<std::size_t>(i)));
    }
  });
  return result;
}

}  // namespace agpusim

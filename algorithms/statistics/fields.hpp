#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "agpusim/model/scalar.hpp"

// A record is what is known of a part of the numbers: a fixed number of fields of one word type, so
// that an array of records is one array, field after field.
namespace agpusim::statistics {

/// The word of a record's field: holds a number of type T, an index below 2^53 and a sum.
template <class T>
using word_t = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;

/// One record per lane.
template <class Lane, std::int32_t count>
struct Fields {
  Lane at[static_cast<std::size_t>(count)];
};

/// `make(f)` for every field number f.
template <class Lane, class Make, std::int32_t... f>
[[nodiscard]] AGPUSIM_FN Fields<Lane, std::int32_t{sizeof...(f)}> make_fields(
    const Make& make, std::integer_sequence<std::int32_t, f...>) {
  return {{make(f)...}};
}

/// Conversion that is free where the types agree.
template <class To, class From, class Lane>
[[nodiscard]] AGPUSIM_FN auto widen(const Lane& value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else {
    return cast<To>(value);
  }
}

}  // namespace agpusim::statistics

#pragma once

#include <cstddef>

namespace agpusim::detail {

/// Stands for a value of any type, in an expression that is never evaluated.
struct AnyValue {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};

/// How many members an aggregate has. Code that names each of them asserts the number, so that it
/// does not compile while one is missing.
template <class Aggregate, class... Values>
consteval std::size_t member_count() {
  if constexpr (requires { Aggregate{Values{}..., AnyValue{}}; }) {
    return member_count<Aggregate, Values..., AnyValue>();
  } else {
    return sizeof...(Values);
  }
}

}  // namespace agpusim::detail

#pragma once

#include <cstddef>
#include <optional>

namespace agpusim::detail {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// Stands for a value of any type, in an expression that is never evaluated. An optional is made of
/// the value in it: both would be ambiguous.
struct AnyValue {
  template <class T>
  requires(!is_optional<T>) operator T() const;  // NOLINT(google-explicit-constructor)
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

#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "agpusim/model/pram/spec.hpp"
#include "agpusim/validation/io/member_count.hpp"

// Structs by their members: what is added to one is met without a change here.
namespace agpusim::test {

/// Ends a function with references to the members of `of`, if they are as many as names are given.
#define AGPUSIM_TIE(number, ...)     \
  if constexpr (count == (number)) { \
    auto& [__VA_ARGS__] = of;        \
    return std::tie(__VA_ARGS__);    \
  }

/// References to the members of a struct.
template <class T>
auto members(T& of) {
  constexpr std::size_t count = agpusim::detail::member_count<std::remove_const_t<T>>();
  static_assert(count >= 2 && count <= 19, "write this number of members below");
  AGPUSIM_TIE(2, a, b)
  AGPUSIM_TIE(3, a, b, c)
  AGPUSIM_TIE(4, a, b, c, d)
  AGPUSIM_TIE(5, a, b, c, d, e)
  AGPUSIM_TIE(6, a, b, c, d, e, f)
  AGPUSIM_TIE(7, a, b, c, d, e, f, g)
  AGPUSIM_TIE(8, a, b, c, d, e, f, g, h)
  AGPUSIM_TIE(9, a, b, c, d, e, f, g, h, i)
  AGPUSIM_TIE(10, a, b, c, d, e, f, g, h, i, j)
  AGPUSIM_TIE(11, a, b, c, d, e, f, g, h, i, j, k)
  AGPUSIM_TIE(12, a, b, c, d, e, f, g, h, i, j, k, l)
  AGPUSIM_TIE(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
  AGPUSIM_TIE(14, a, b, c, d, e, f, g, h, i, j, k, l, m, n)
  AGPUSIM_TIE(15, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
  AGPUSIM_TIE(16, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
  AGPUSIM_TIE(17, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
  AGPUSIM_TIE(18, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
  AGPUSIM_TIE(19, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s)
}

#undef AGPUSIM_TIE

template <class T>
concept Leaf = std::is_arithmetic_v<T> || std::is_enum_v<T> ||
    std::is_same_v<std::remove_const_t<T>, std::string>;

/// Calls `visit` for every number and text in a value, in order; before that `visit.grow`, where it
/// has that, for every list and optional.
template <class T, class Visit>
void for_each_leaf(T& value, Visit& visit) {
  if constexpr (Leaf<T>) {
    visit(value);
  } else if constexpr (agpusim::detail::is_optional<std::remove_const_t<T>>) {
    if constexpr (requires { visit.grow(value); }) visit.grow(value);
    if (value) for_each_leaf(*value, visit);
  } else if constexpr (requires { value.begin(); }) {
    if constexpr (requires { visit.grow(value); }) visit.grow(value);
    for (auto& element : value) for_each_leaf(element, visit);
  } else if constexpr (requires { value.second; }) {
    for_each_leaf(value.first, visit);
    for_each_leaf(value.second, visit);
  } else {
    std::apply([&](auto&... each) { (for_each_leaf(each, visit), ...); }, members(value));
  }
}

/// Gives each number and text a value that no other has; truths and enumerators another one than
/// they have. Lists get two elements.
class Filler {
 public:
  template <class T>
  void operator()(T& leaf) {
    if constexpr (std::is_const_v<T>) {  // the name of an element
    } else if constexpr (std::is_same_v<T, bool>) {
      leaf = !leaf;
    } else if constexpr (std::is_enum_v<T>) {
      leaf = static_cast<T>(leaf == T{} ? 1 : 0);
    } else if constexpr (std::is_arithmetic_v<T>) {
      leaf = static_cast<T>(++number_ + (std::is_floating_point_v<T> ? 0.5 : 0));
    } else {
      leaf = fmt::format("text {}", ++number_);
    }
  }

  void grow(std::optional<PramSpec>&) {}  // a run is on one machine

  template <class T>
  void grow(T& list) {
    if constexpr (requires { list.emplace(); }) {
      if constexpr (requires { list.value(); }) list.emplace();
    }
    if constexpr (requires { list.resize(2); }) list.resize(2);
    if constexpr (requires { typename T::mapped_type; }) {
      for (int i = 0; i < 2; ++i) list[fmt::format("name {}", ++number_)];
    }
  }

 private:
  int number_ = 100;
};

/// A T of which no two numbers or texts are equal.
template <class T>
T filled() {
  T value;
  Filler fill;
  for_each_leaf(value, fill);
  return value;
}

/// Every number and text in a value, in order.
template <class T>
std::vector<std::string> leaves(const T& value) {
  std::vector<std::string> all;
  const auto add = [&all](const auto& leaf) {
    if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(leaf)>>) {
      all.push_back(std::to_string(static_cast<int>(leaf)));
    } else {
      all.push_back(fmt::format("{}", leaf));
    }
  };
  for_each_leaf(value, add);
  return all;
}

/// Copies of a value each of which differs from it in one number or text alone, in each once.
template <class T>
std::vector<T> changed_copies(const T& value) {
  std::vector<T> copies;
  for (std::size_t i = 0; i < leaves(value).size(); ++i) {
    std::size_t left = i;
    const auto change = [&left](auto& leaf) {
      using U = std::remove_reference_t<decltype(leaf)>;
      if (left-- != 0) return;
      if constexpr (std::is_const_v<U>) {
      } else if constexpr (std::is_enum_v<U> || std::is_same_v<U, bool>) {
        leaf = static_cast<U>(leaf == U{} ? 1 : 0);
      } else if constexpr (std::is_arithmetic_v<U>) {
        ++leaf;
      } else {
        leaf += " changed";
      }
    };
    T copy = value;
    for_each_leaf(copy, change);
    if (leaves(copy) != leaves(value)) copies.push_back(std::move(copy));
  }
  return copies;
}

}  // namespace agpusim::test

#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace agpusim {

/// The bits of a number as an integer; those of every NaN are the same.
template <class T>
[[nodiscard]] std::uint64_t bits_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value == value ? std::bit_cast<std::uint64_t>(static_cast<double>(value))
                          : ~std::uint64_t{0};
  } else {
    return static_cast<std::uint64_t>(value);
  }
}

/// A sequence of numbers of any type.
struct Output {
  std::int64_t size = 0;
  std::function<std::uint64_t(std::int64_t)> bits = {};  ///< bits of the number at an index
  std::function<std::string(std::int64_t)> text = {};
};

template <class T>
[[nodiscard]] Output output_of(std::vector<T> values) {
  const auto kept = std::make_shared<const std::vector<T>>(std::move(values));
  const auto at = [kept](std::int64_t i) { return (*kept)[static_cast<std::size_t>(i)]; };
  const auto text = [at](std::int64_t i) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), at(i)).ptr;
    return std::string(digits.data(), end);
  };
  return {static_cast<std::int64_t>(kept->size()), [at](std::int64_t i) { return bits_of(at(i)); },
          text};
}

/// A number of a result that is not what it must be; "none" where one of the two has none there.
struct Difference {
  std::int64_t index = 0;
  std::string got;
  std::string expected;
};

struct Differences {
  std::int64_t count = 0;
  std::int64_t of = 0;            ///< numbers of the longer sequence
  std::vector<Difference> first;  ///< differences at the smallest indices, at most five

  /// "3 of 100 numbers differ: [7] is 1, must be 2; ..."; empty where nothing is known to differ.
  [[nodiscard]] std::string text() const;
};

/// "the result differs from that of the reference", and where.
[[nodiscard]] std::string wrong_result(const Differences& differences);

[[nodiscard]] Differences differences(const Output& got, const Output& expected);

}  // namespace agpusim

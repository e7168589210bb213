#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "agpusim/tests/cuda/vocabulary.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/seed.hpp"

namespace agpusim::test {

template <class T>
std::string type_name() {
  const std::string kind = std::is_floating_point_v<T> ? "float"
                           : std::is_signed_v<T>       ? "int"
                                                       : "uint";
  return kind + std::to_string(8 * sizeof(T));
}

/// a, b, c and d, n elements each, as Operations and Casts take them.
template <class T>
std::vector<T> table_inputs(std::int64_t n) {
  // A double that no float is near has no defined conversion.
  using Limits = std::numeric_limits<std::conditional_t<std::is_floating_point_v<T>, float, T>>;
  std::mt19937_64 random(test_seed());
  std::vector<T> values;
  for (std::int64_t i = 0; i < 4 * n; ++i) {
    const bool any_value = i >= 2 * n;
    if constexpr (std::is_floating_point_v<T>) {
      // Every integer type holds a without its fraction.
      const double part = static_cast<double>(random() >> 11) * 0x1p-53;
      values.push_back(static_cast<T>(i < n ? 127 * part : 1e4 * (part - 0.5)));
    } else {
      // The product of two a or b stays in the word.
      const int bits = any_value || std::is_unsigned_v<T> ? 0 : Limits::digits / 2 + 1;
      values.push_back(static_cast<T>(static_cast<T>(random()) >> bits));
    }
  }
  std::vector<T> special{T{0}, T{1}, Limits::max(), Limits::lowest(), static_cast<T>(-T{1})};
  if constexpr (std::is_floating_point_v<T>) {
    special.insert(special.end(), {-T{0}, Limits::infinity(), Limits::quiet_NaN(), Limits::min()});
  }
  // Every pair of special values in c and d.
  for (std::size_t i = 0; i < special.size() * special.size(); ++i) {
    values[static_cast<std::size_t>(2 * n) + i] = special[i / special.size()];
    values[static_cast<std::size_t>(3 * n) + i] = special[i % special.size()];
  }
  return values;
}

/// Equal bits, where NaN is NaN; or, where `digits` may differ, within that relative error.
inline bool agree(double a, double b, double error) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return (a == b && std::signbit(a) == std::signbit(b)) || std::abs(a - b) <= error * std::abs(b);
}

/// Where `table` on `device` differs from the table in plain C++; empty where it does nowhere.
template <class T, class Table, class Device>
std::string difference(Device& device, std::int32_t width, const Table& table, double error = 0) {
  const std::int64_t n = 4 * std::int64_t{width};
  const std::vector<T> in = table_inputs<T>(n);
  std::vector<std::vector<Row>> expected;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    const auto at = [&](std::size_t row) { return in[row * static_cast<std::size_t>(n) + i]; };
    std::vector<Row> rows(100);
    PlainRows plain{rows.data()};
    table(PlainCpp(), at(0), at(1), at(2), at(3), plain);
    rows.resize(static_cast<std::size_t>(plain.size));
    expected.push_back(rows);
  }
  std::int64_t reals = 0;
  for (const Row& row : expected[0]) reals += row.is_real ? 1 : 0;
  const auto rows = static_cast<std::int64_t>(expected[0].size());

  const auto in_array = device.template allocate<T>(4 * n, "in");
  const auto integer_array =
      device.template allocate<std::int64_t>((rows - reals) * n + 1, "integers");
  const auto real_array = device.template allocate<double>(reals * n + 1, "reals");
  device.template upload<T>(in_array, in);
  device.launch(n / width, TableKernel<Table>{table, n}, in_array, integer_array, real_array);
  const std::vector<std::int64_t> got_integers = device.download(integer_array);
  const std::vector<double> got_reals = device.download(real_array);

  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    std::size_t integer = i;
    std::size_t real = i;
    for (const Row& row : expected[i]) {
      std::size_t& at = row.is_real ? real : integer;
      const bool same =
          row.is_real ? agree(got_reals[at], row.real, error) : got_integers[at] == row.integer;
      if (!same) {
        std::ostringstream text;
        text << row.expression << " of " << type_name<T>() << " lanes, lane " << i << ": ";
        if (row.is_real) {
          text << got_reals[at] << ", in C++ " << row.real;
        } else {
          text << got_integers[at] << ", in C++ " << row.integer;
        }
        return text.str();
      }
      at += static_cast<std::size_t>(n);
    }
  }
  return "";
}

/// Lanes of type T beside uniform operands of type S.
template <class T, class S, class Device>
void check_operations(Device& device, std::int32_t width) {
  std::vector<S> uniforms{S{3}, S{100}};
  if constexpr (std::is_signed_v<S>) uniforms.insert(uniforms.end(), {S{-1}, S{-7}});
  if constexpr (std::is_floating_point_v<S>) uniforms.push_back(static_cast<S>(-0.7));
  for (const S u : uniforms) {
    INFO("uniform " << type_name<S>() << " " << +u << ", V = " << width);
    CHECK(difference<T>(device, width, Operations<T, S>{u}) == "");
  }
}

/// Every operator and function on every kind of operand.
template <class Device>
void check_vocabulary(Device& device, std::int32_t width) {
  using I8 = std::int8_t;
  using U8 = std::uint8_t;
  using I16 = std::int16_t;
  using U16 = std::uint16_t;
  using I32 = std::int32_t;
  using U32 = std::uint32_t;
  using I64 = std::int64_t;
  using U64 = std::uint64_t;
  const auto of = [&]<class T, class... S>(std::pair<T, std::tuple<S...>>) {
    (check_operations<T, S>(device, width), ...);
    CHECK(difference<T>(device, width, Casts<T>()) == "");
  };
  of(std::pair<I32, std::tuple<I32, I8, U16>>());
  of(std::pair<U32, std::tuple<U32, I32>>());
  of(std::pair<I64, std::tuple<I64, I32, U32>>());
  of(std::pair<U64, std::tuple<U64, I32, I64>>());
  of(std::pair<float, std::tuple<float, I32>>());
  of(std::pair<double, std::tuple<double, float, U64>>());
  of(std::pair<I8, std::tuple<I8>>());
  of(std::pair<U8, std::tuple<U8>>());
  of(std::pair<I16, std::tuple<I16>>());
  of(std::pair<U16, std::tuple<U16>>());
  for (const bool u : {false, true}) {
    CHECK(difference<I32>(device, width, Truths{u}) == "");
    CHECK(difference<double>(device, width, Truths{u}) == "");
  }
  CHECK(difference<float>(device, width, Elementary()) == "");
  CHECK(difference<double>(device, width, Trigonometry(), 0x1p-51) == "");
}

}  // namespace agpusim::test

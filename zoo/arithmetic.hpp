#pragma once

#include "common.hpp"

namespace zoo {

/// The sum of the decimal digits of each element.
struct DigitSum {
  static constexpr const char* name = "digit_sum";
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      auto x = in.read(i);
      auto sum = mp.varying(0u);
      mp.while_any([&] { return x > 0u; },
                   [&] {
                     sum = sum + x % 10u;
                     x = x / 10u;
                   });
      out.write(i, sum);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm digit_sum() {
  const auto program = each_lane<DigitSum>("sums");
  const auto reference = each_element([](std::uint32_t x) {
    std::uint32_t sum = 0;
    for (const char digit : std::to_string(x)) sum += static_cast<std::uint32_t>(digit - '0');
    return sum;
  });
  return row_of<std::uint32_t>("digit_sum", "sums of decimal digits", program, reference,
                               io_of("2n/b", 2));
}

/// Greatest common divisors by Euclid's algorithm. Remainders go through 64-bit floating-point
/// numbers: integers of lanes have no division by each other.
struct Gcd {
  static constexpr const char* name = "gcd";
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View x, View y, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      auto a = x.read(i);
      auto b = y.read(i);
      mp.while_any([&] { return b != 0u; },
                   [&] {
                     const auto quotient = agpusim::cast<std::uint32_t>(agpusim::cast<double>(a) /
                                                                        agpusim::cast<double>(b));
                     const auto rest = a - quotient * b;
                     a = b;
                     b = rest;
                   });
      out.write(i, a);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm gcd() {
  const auto program = [](auto& run) {
    const auto x = run.input();
    const auto y = run.upload(run.n(), "y", [n = run.n()] { return words(n); });
    const auto out = run.array(run.n(), "divisors");
    run.launch(run.tasks_of(run.width()), Gcd{length(run)}, x, y, out);
    run.result(out);
  };
  const auto reference = [](auto x) {
    const auto y = words(static_cast<std::int64_t>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::gcd(x[i], y[i]);
    return x;
  };
  return row_of<std::uint32_t>("gcd", "greatest common divisors", program, reference,
                               io_of("3n/b", 3));
}

/// A polynomial of degree 64 with the coefficients 1/(k + 1), by Horner's rule; of lanes or
/// scalars.
template <class V>
[[nodiscard]] AGPUSIM_FN V horner_of(const V& x, V sum) {
  for (std::int32_t k = 64; k >= 0; --k) {
    sum = agpusim::fma(sum, x, 1.0F / static_cast<float>(k + 1));
  }
  return sum;
}

struct Horner {
  static constexpr const char* name = "horner";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { out.write(i, horner_of(in.read(i), mp.varying(0.0F))); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm horner() {
  const auto program = each_lane<Horner>("out");
  const auto reference = each_element([](float x) { return horner_of(x, 0.0F); });
  auto row = row_of<float>("horner", "a polynomial of degree 64", program, reference);
  row.inputs = {"uniform"};  // powers of larger numbers overflow
  row.io = io_of("2n/b", 2);
  return row;
}

/// x to the power 65537 modulo the prime 2^31 - 1, by squares of 64 bits; of lanes or scalars.
template <class V>
[[nodiscard]] AGPUSIM_FN V power_of(const V& x) {
  V power = x % std::uint64_t{2147483647};
  const V base = power;
  for (std::int32_t k = 0; k < 16; ++k) power = power * power % std::uint64_t{2147483647};
  return power * base % std::uint64_t{2147483647};
}

struct ModularPower {
  static constexpr const char* name = "modular_power";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      const auto power = power_of(agpusim::cast<std::uint64_t>(in.read(i)));
      out.write(i, agpusim::cast<std::uint32_t>(power));
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm modular_power() {
  const auto program = each_lane<ModularPower>("powers");
  const auto reference = each_element(
      [](std::uint32_t x) { return static_cast<std::uint32_t>(power_of(std::uint64_t{x})); });
  return row_of<std::uint32_t>("modular_power", "powers modulo a prime", program, reference,
                               io_of("2n/b", 2));
}

}  // namespace zoo

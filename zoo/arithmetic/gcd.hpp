#pragma once

#include "../common.hpp"

namespace zoo {

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

}  // namespace zoo

// cuRAND: moments, and the largest distance of the distribution of many numbers from the wanted
// one.
#include <algorithm>
#include <functional>

#include "agpusim/tests/cudalibs/program/libraries.hpp"

namespace agpusim::test {
namespace {

constexpr std::size_t n = 100'000;
constexpr int xorwow = 101, philox = 161;

void* generator_of(unsigned long long seed, int type = xorwow) {
  void* generator = nullptr;
  EXPECT(curandCreateGenerator(&generator, type) == 0);
  EXPECT(curandSetPseudoRandomGeneratorSeed(generator, seed) == 0);
  return generator;
}

/// The numbers of a generator with a seed.
template <class T, class... P>
Values<T> numbers(int (*generate)(...), unsigned long long seed, std::size_t count,
                  P... parameters) {
  void* const generator = generator_of(seed);
  const Array<T> out{Values<T>(count)};
  // Parameters that are float are not passed to f(...) as such.
  const auto call = reinterpret_cast<int (*)(void*, T*, std::size_t, P...)>(generate);
  EXPECT(call(generator, out.get(), count, parameters...) == 0);
  EXPECT(curandDestroyGenerator(generator) == 0);
  return out.values();
}

/// Holds numbers to a distribution: the bounds are passed by 1 of 10^5 right generators.
template <class T>
void check(Values<T> values, double mean, double variance,
           const std::function<double(double)>& below_or_equal) {
  double sum = 0, squares = 0, distance = 0;
  for (const T each : values)
    sum += static_cast<double>(each), squares += (each - mean) * (each - mean);
  EXPECT(std::abs(sum / n - mean) < 4.5 * std::sqrt(variance / n));
  EXPECT(std::abs(squares / n / variance - 1) < 0.05);
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i < n; ++i) {
    if (i + 1 < n && values[i + 1] == values[i]) continue;
    distance = std::max(distance, std::abs(below_or_equal(static_cast<double>(values[i])) -
                                           static_cast<double>(i + 1) / n));
  }
  EXPECT(distance < 2.5 / std::sqrt(n));
}

double normal(double x) { return 0.5 * std::erfc(-x / std::sqrt(2)); }

}  // namespace

void check_random() {
  const auto identity = [](double x) { return x; };
  for (const unsigned long long seed : {1ULL, 12345678901234567ULL}) {
    check(numbers<float>(curandGenerateUniform, seed, n), 0.5, 1. / 12, identity);
    check(numbers<double>(curandGenerateUniformDouble, seed, n), 0.5, 1. / 12, identity);
    check(numbers<unsigned>(curandGenerate, seed, n), 0x1p31, 0x1p64 / 12,
          [](double x) { return x * 0x1p-32; });
    check(numbers<float>(curandGenerateNormal, seed, n, 3.F, 2.F), 3, 4,
          [](double x) { return normal((x - 3) / 2); });
    check(numbers<double>(curandGenerateNormalDouble, seed, n, -1., 5.), -1, 25,
          [](double x) { return normal((x + 1) / 5); });
    const double e = std::exp(0.25), spread = (e - 1) * e;
    check(numbers<float>(curandGenerateLogNormal, seed, n, 0.F, 0.5F), std::sqrt(e), spread,
          [](double x) { return normal(std::log(x) / 0.5); });
    check(numbers<double>(curandGenerateLogNormalDouble, seed, n, 0., 0.5), std::sqrt(e), spread,
          [](double x) { return normal(std::log(x) / 0.5); });
    for (const double lambda : {0.5, 7., 900.}) {
      check(numbers<unsigned>(curandGeneratePoisson, seed, n, lambda), lambda, lambda,
            [&](double most) {
              double sum = 0;
              for (double k = 0; k <= most; ++k)
                sum += std::exp(k * std::log(lambda) - lambda - std::lgamma(k + 1));
              return sum;
            });
    }
  }
  const Values<float> some = numbers<float>(curandGenerateUniform, 5, 1001);
  EXPECT(some == numbers<float>(curandGenerateUniform, 5, 1001) &&
         some != numbers<float>(curandGenerateUniform, 6, 1001));
  EXPECT(*std::min_element(some.begin(), some.end()) > 0 &&
         *std::max_element(some.begin(), some.end()) <= 1);
  void* const later = generator_of(5);
  const Array<float> out{Values<float>(500)};
  EXPECT(curandSetGeneratorOffset(later, 501ULL) == 0 &&
         curandGenerateUniform(later, out.get(), std::size_t{500}) == 0);
  EXPECT(std::equal(some.begin() + 501, some.end(), out.values().begin()));
  EXPECT(curandGenerateUniform(later, out.get(), std::size_t{501}) ==
         201);  // longer than the array
  const auto normals =
      reinterpret_cast<int (*)(void*, float*, std::size_t, float, float)>(curandGenerateNormal);
  EXPECT(normals(later, out.get(), 499, 0, 1) == 105);
  void* host = nullptr;
  Values<float> of_host(1001);
  EXPECT(curandCreateGeneratorHost(&host, philox) == 0 &&
         curandSetPseudoRandomGeneratorSeed(host, 5ULL) == 0);
  EXPECT(curandGenerateUniform(host, of_host.data(), of_host.size()) == 0 && of_host == some);
  EXPECT(curandCreateGenerator(&host, 7) == 103 && curandDestroyGenerator(nullptr) == 101);
}

}  // namespace agpusim::test

// cuRAND's functions of the host: numbers of the same distributions, but not the same numbers.
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>

#include "agpusim/cudalibs/library.hpp"

namespace agpusim::cudalibs {
namespace {

using Normal = std::normal_distribution<double>;
using LogNormal = std::lognormal_distribution<double>;
enum Status : std::uint8_t { type_error = 103, out_of_range = 104, length_not_multiple = 105 };

/// Makes numbers by SplitMix64, whose n-th one is known at once: a program may begin anywhere.
struct Generator {
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() {
    std::uint64_t z = seed + ++position * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  std::uint64_t seed = 0;
  std::uint64_t position = 0;  ///< numbers so far
  Stream* stream = nullptr;
  bool is_of_host = false;
  bool is_alive = true;
};

template <bool is_of_host>
int create_generator(Generator** generator, int type) {
  if (type >= 200 && type <= 204) return refuse("a quasi-random generator of cuRAND");
  if (type < 100 || type > 161) return type_error;
  const int status = create(generator);
  if (status == 0) (*generator)->is_of_host = is_of_host;
  return status;
}

/// The sequence begins anew.
int set_seed(Generator* generator, std::uint64_t seed) {
  Member<&Generator::position>::set(generator, 0);
  return Member<&Generator::seed>::set(generator, seed);
}

/// Fills memory of the device, or of the host, with what `next` makes.
template <class T, class Next>
int fill(Generator* generator, const std::string& function, T* out, std::size_t n,
         const Next& next) {
  if (!is_alive(generator)) return here.not_initialized;
  const auto write = [=] {
    Next state = next;
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<T>(state(*generator));
  };
  if (generator->is_of_host) write();
  return compute(function, generator->stream, false, [=](const Use& use) {
    if (generator->is_of_host) return;
    use({out, sizeof(T), n, sizeof(T), true});
    write();
  });
}

int bits(Generator* generator, std::uint32_t* out, std::size_t n) {
  return fill(generator, "curandGenerate", out, n, [](Generator& from) { return from() >> 32U; });
}

/// "curandGenerateUniformDouble"
template <class T>
std::string named(const char* numbers) {
  return std::string("curandGenerate") + numbers + (std::is_same_v<T, double> ? "Double" : "");
}

/// From 0, which is never drawn, to 1.
template <class T>
int uniform(Generator* generator, T* out, std::size_t n) {
  constexpr int digits = std::numeric_limits<T>::digits;
  return fill(generator, named<T>("Uniform"), out, n, [](Generator& from) {
    return std::ldexp(static_cast<T>((from() >> (64 - digits)) + 1), -digits);
  });
}

/// Normal or log-normal numbers, in pairs as cuRAND's.
template <class T, class Distribution>
int normal(Generator* generator, T* out, std::size_t n, T mean, T deviation) {
  const bool is_normal = std::is_same_v<Distribution, Normal>;
  if (n % 2 != 0) return length_not_multiple;
  return fill(generator, named<T>(is_normal ? "Normal" : "LogNormal"), out, n,
              Distribution(mean, deviation));
}

int poisson(Generator* generator, std::uint32_t* out, std::size_t n, double lambda) {
  if (!(lambda > 0) || lambda > 400'000) return out_of_range;
  return fill(generator, "curandGeneratePoisson", out, n,
              std::poisson_distribution<std::int64_t>(lambda));
}

}  // namespace

#define X AGPUSIM_EXPORT
#include "agpusim/cudalibs/functions/curand_computed.def"

}  // namespace agpusim::cudalibs

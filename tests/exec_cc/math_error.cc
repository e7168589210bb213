// Measures the functions of cudacc/include/agpusim_cc/math_*.h on the host. It fails where an error
// is above its bound, in units in the last place.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>

#include "agpusim/cudacc/include/agpusim_cc/math_circle.h"
#include "agpusim/cudacc/include/agpusim_cc/math_power.h"

namespace {

namespace m = agpusim_math;
using Long = long double;

bool failed = false;
std::mt19937_64 generator(1);

template <class T>
double units(T is, Long must) {
  if (is == T(must) || (is != is && must != must)) return 0;
  if (!std::isfinite(is) || !std::isfinite(T(must))) return 1e30;
  int exponent = 0;
  std::frexp(must, &exponent);
  const int last = std::max(exponent, std::numeric_limits<T>::min_exponent);
  return double(std::fabs(is - must) / std::ldexp(Long(1), last - std::numeric_limits<T>::digits));
}
/// Half of the numbers are spread evenly, half by their exponents.
template <class T>
T any(double low, double high) {
  std::uniform_real_distribution<> part(0, 1);
  const double even = low + (high - low) * part(generator);
  const double most = std::log2(std::max(std::fabs(low), std::fabs(high)));
  const double x = std::exp2(-40 + (most + 40) * part(generator)) * (generator() % 2 ? 1 : -1);
  return T(generator() % 2 == 0 || x < low || x > high ? even : x);
}
template <class T, class F, class G>
void measure(const char* name, F function, G reference, double low, double high, double low_2,
             double high_2, double bound) {
  double worst = 0;
  T x = 0, y = 0;
  for (int i = 0; i < 200000; ++i) {
    const T a = any<T>(low, high), b = any<T>(low_2, high_2);
    const double error = units<T>(function(a, b), reference(Long(a), Long(b)));
    if (error > worst) worst = error, x = a, y = b;
  }
  for (const T a : {T(0), T(1), T(-2), T(INFINITY), T(-INFINITY), T(NAN)}) {
    for (const T b : {T(2), T(-3), T(0.5), T(INFINITY), T(NAN)}) {
      const double error = units<T>(function(a, b), reference(Long(a), Long(b)));
      if (error > worst) worst = error, x = a, y = b;
    }
  }
  const bool is_above = worst > bound;
  std::printf("%s %s %.1f%s\n", sizeof(T) == 4 ? "float" : "double", name, worst,
              is_above ? " is above its bound" : "");
  if (is_above) std::printf("  at %.17g %.17g\n", double(x), double(y));
  failed |= is_above;
}
#define MEASURE_AS(T, call, reference, a, b, c, d, bound) \
  measure<T>(                                             \
      #call, [](T x, T y) { return (void)y, m::call; },   \
      [](Long x, Long y) -> Long { return (void)y, reference; }, a, b, c, d, bound);
#define TWO(call, a, b, c, d, bound)                    \
  MEASURE_AS(float, call, std::call, a, b, c, d, bound) \
  MEASURE_AS(double, call, std::call, a, b, c, d, bound)
#define ONE(call, a, b, bound) TWO(call, a, b, 1, 2, bound)

}  // namespace

int main() {
  ONE(exp(x), -745, 709.7, 1.5)
  ONE(exp2(x), -1074, 1023.9, 1.5)
  ONE(expm1(x), -50, 700, 3)
  ONE(log(x), 0, 1e30, 1)
  ONE(log2(x), 0, 1e30, 2)
  ONE(log10(x), 0, 1e30, 2)
  ONE(log1p(x), -0.9999999, 1e30, 2)
  ONE(sinh(x), -709, 709, 3)
  ONE(cosh(x), -709, 709, 3)
  ONE(tanh(x), -30, 30, 3)
  ONE(asinh(x), -1e30, 1e30, 3)
  ONE(acosh(x), 1, 1e30, 3)
  ONE(atanh(x), -0.9999999, 0.9999999, 3)
  ONE(sin(x), -1e18, 1e18, 3)
  ONE(cos(x), -1e18, 1e18, 3)
  ONE(tan(x), -1000, 1000, 3)
  ONE(asin(x), -1, 1, 3)
  ONE(acos(x), -1, 1, 3)
  ONE(atan(x), -1e10, 1e10, 2)
  ONE(cbrt(x), -1e30, 1e30, 1)
  ONE(erf(x), -10, 10, 3)
  ONE(erfc(x), -10, 26, 4.5)
  MEASURE_AS(float, tgamma(x), std::tgamma(x), 0.1, 30, 1, 2, 1)
  MEASURE_AS(double, tgamma(x), std::tgamma(x), 0.1, 30, 1, 2, 300)
  MEASURE_AS(float, lgamma(x), std::lgamma(x), 4, 1e6, 1, 2, 1)
  MEASURE_AS(double, lgamma(x), std::lgamma(x), 4, 1e6, 1, 2, 100)
  TWO(pow(x, y), 0, 1000, -100, 100, 2.5)
  TWO(atan2(x, y), -100, 100, -100, 100, 2)
  TWO(hypot(x, y), -1e30, 1e30, -1e30, 1e30, 1)
  TWO(fmod(x, y), -1e10, 1e10, -100, 100, 0)
  TWO(remainder(x, y), -1e10, 1e10, -100, 100, 0)
  return failed ? 1 : 0;
}

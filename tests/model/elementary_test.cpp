// exp, log and their like against double precision; vocabulary_check.hpp compares the machines.
#include "agpusim/model/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "agpusim/commands/help/help_vocabulary.hpp"
#include "agpusim/model/agpu/multiprocessor.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/kernels.hpp"
#include "agpusim/tests/support/seed.hpp"

namespace agpusim::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Checks every 1000th of the floats from `low` to `high` on average: their distance from the right
/// number in units of the last place. Results below the normal numbers are left out.
void check_error(float (*function)(float), double (*exact)(double), float low, float high,
                 double units) {
  std::mt19937_64 random(test_seed());
  const auto code = [](float x) {  // neighbours are neighbours
    const auto bits = bit_cast<std::int32_t>(x);
    return bits < 0 ? std::int64_t{std::numeric_limits<std::int32_t>::min()} - bits : bits;
  };
  const auto number = [](std::int64_t c) {
    return bit_cast<float>(static_cast<std::int32_t>(
        c < 0 ? std::int64_t{std::numeric_limits<std::int32_t>::min()} - c : c));
  };
  double worst = 0;
  float at = 0;
  for (std::int64_t c = code(low); c <= code(high);
       c += 1 + static_cast<std::int64_t>(random() % 2000)) {
    const float x = number(c);
    const double right = exact(x);
    if (std::abs(right) < std::numeric_limits<float>::min()) continue;
    const auto rounded = static_cast<float>(std::abs(right));
    const double unit = double{std::nextafter(rounded, infinity)} - rounded;
    const double error = std::abs(function(x) - right) / unit;
    if (error > worst) {
      worst = error;
      at = x;
    }
  }
  CAPTURE(at, function(at), exact(at), worst);
  CHECK(worst > 0);
  CHECK(worst <= units);
}

}  // namespace

TEST_CASE("exp, log, tanh, sin, cos and rsqrt are off by at most two units of the last place",
          "[model][elementary]") {
  check_error([](float x) { return exp(x); }, std::exp, -86.6F, 88.7F, 1);
  check_error([](float x) { return log(x); }, std::log, std::numeric_limits<float>::min(), 3.4e38F,
              1);
  check_error([](float x) { return tanh(x); }, std::tanh, -20, 20, 2);
  check_error([](float x) { return sin(x); }, std::sin, -30'000, 30'000, 2);
  check_error([](float x) { return cos(x); }, std::cos, -30'000, 30'000, 2);
  check_error([](float x) { return rsqrt(x); }, [](double x) { return 1 / std::sqrt(x); }, 1e-30F,
              1e30F, 2);
}

TEST_CASE("pow is off by 2^-23 times 1 + |y ln x|, relatively", "[model][elementary]") {
  std::mt19937_64 random(test_seed());
  std::uniform_real_distribution<float> exponent(-20, 20);
  for (int i = 0; i < 100'000; ++i) {
    const float x = std::exp2(exponent(random));
    const float y = exponent(random) / 5;
    const double right = std::pow(double{x}, double{y});
    CAPTURE(x, y);
    REQUIRE(std::abs(pow(x, y) - right) <= 0x1p-23 * (1 + std::abs(std::log(right))) * right);
  }
}

TEST_CASE("elementary functions have the values of C++ where there is no number",
          "[model][elementary]") {
  const float none = std::numeric_limits<float>::quiet_NaN();
  for (const auto& [got, right] : std::vector<std::pair<float, float>>{{exp(infinity), infinity},
                                                                       {exp(-infinity), 0},
                                                                       {exp(none), none},
                                                                       {exp(89.0F), infinity},
                                                                       {exp(0.0F), 1},
                                                                       {log(infinity), infinity},
                                                                       {log(0.0F), -infinity},
                                                                       {log(-0.0F), -infinity},
                                                                       {log(-1.0F), none},
                                                                       {log(none), none},
                                                                       {log(1.0F), 0},
                                                                       {tanh(infinity), 1},
                                                                       {tanh(-infinity), -1},
                                                                       {tanh(none), none},
                                                                       {pow(0.0F, 0.0F), 1},
                                                                       {pow(0.0F, 2.0F), 0},
                                                                       {pow(0.0F, -1.0F), infinity},
                                                                       {pow(-1.0F, 2.0F), none},
                                                                       {pow(none, 0.0F), 1},
                                                                       {sin(infinity), none},
                                                                       {cos(none), none},
                                                                       {rsqrt(0.0F), infinity},
                                                                       {sqrt(-1.0F), none}}) {
    CAPTURE(got, right);
    CHECK(((std::isnan(got) && std::isnan(right)) || got == right));
  }
}

TEST_CASE("an elementary function takes the time of its words", "[model][elementary]") {
  struct Row {
    const char* name;
    std::int64_t time;
    Varying<float> (*function)(const Varying<float>&);
  };
  using V = Varying<float>;
  const std::vector<Row> rows = {
      {"sqrt", 1, [](const V& x) { return sqrt(x); }},
      {"floor", 1, [](const V& x) { return floor(x); }},
      {"abs", 1, [](const V& x) { return abs(x); }},
      {"bit_cast", 0, [](const V& x) { return bit_cast<float>(bit_cast<std::int32_t>(x)); }},
      {"rsqrt", 2, [](const V& x) { return rsqrt(x); }},
      {"exp", 17, [](const V& x) { return exp(x); }},
      {"log", 27, [](const V& x) { return log(x); }},
      {"sin", 23, [](const V& x) { return sin(x); }},
      {"cos", 23, [](const V& x) { return cos(x); }},
      {"tanh", 34, [](const V& x) { return tanh(x); }},
      {"pow", 47, [](const V& x) { return pow(x, x); }}};
  const auto time = [&](const std::string& name) {
    return std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; })
        ->time;
  };
  const std::string text = vocabulary_text();
  CHECK_THAT(text,
             says(fmt::format("  {:<44}  {}, {}, {}, {} ", "exp(a), log(a), tanh(a), pow(a, b)",
                              time("exp"), time("log"), time("tanh"), time("pow")),
                  fmt::format("  {:<44}  {}, {}, {} ", "sin(a), cos(a), rsqrt(a)", time("sin"),
                              time("cos"), time("rsqrt"))));
  for (const Row& row : rows) {
    SimulatedDevice device(small_machine(32, 1, 1, 1024));
    device.launch(1, TestKernel{[&](auto& mp) { (void)row.function(mp.varying(1.5F)); }});
    CAPTURE(row.name);
    CHECK(device.report().time() == row.time);
  }
}

}  // namespace agpusim::test

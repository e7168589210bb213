#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/statistics/program.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/rows.hpp"
#include "agpusim/tests/support/seed.hpp"

// The rows `minmax` and `statistics`: extremes with indices, and moments, by definition.
namespace agpusim::statistics_test {
namespace {

using boost::multiprecision::cpp_rational;
using test::row;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class T>
const char* type_name() {
  if constexpr (std::is_integral_v<T>) return sizeof(T) == 4 ? "i32" : "i64";
  return sizeof(T) == 4 ? "f32" : "f64";
}

/// A machine of lanes and tasks: V lanes in warps of at most 32, segments of a row or more.
struct Shape {
  std::int32_t width = 32;
  std::int64_t tasks = 7;
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {{1, 1},  {1, 9},  {8, 5}, {32, 1},
                                         {32, 7}, {96, 2}, {96, 4}};
  return all;
}

RunConfig configure(const std::string& name, const std::string& variant, const std::string& type,
                    std::int64_t n, const std::string& input, const Shape& shape = {}) {
  RunConfig config{.variant = variant,
                   .type = type,
                   .n = n,
                   .input = input,
                   .spec = {.block_words = std::min(shape.width, 32), .width = shape.width}};
  config.spec.cores = 4 * config.spec.block_words;
  config.parameters["tasks"] = shape.tasks;
  config.parameters["rows"] = 1;
  return resolve(row(name), config);
}

template <class T>
RunConfig given(const std::string& name, const std::string& variant, const std::vector<T>& values,
                const Shape& shape = {}) {
  return configure(name, variant, type_name<T>(), static_cast<std::int64_t>(values.size()),
                   fmt::format("values:{}", fmt::join(values, ",")), shape);
}

/// What the program finds, with all checks on.
template <class T, class Moments, bool serial>
Summary<T> run(const RunConfig& config) {
  SimulatedDevice device(config.spec, {1, true, true, {}});
  return found_by<T>(device, config, [&](auto& run) {
    return statistics::summarise<Moments, serial>(run, config);
  });
}

template <class T>
Summary<T> summary_of(const RunConfig& config) {
  using namespace statistics;
  using Good =
      std::conditional_t<std::is_integral_v<T>, ExactMoments<T>,
                         ShiftedMoments<std::conditional_t<std::is_integral_v<T>, float, T>>>;
  if (config.algorithm == "minmax") {
    return config.variant == "one_lane" ? run<T, NoMoments<T>, true>(config)
                                        : run<T, NoMoments<T>, false>(config);
  }
  if constexpr (std::is_floating_point_v<T>) {
    if (config.variant == "textbook") return run<T, TextbookMoments<T>, false>(config);
  }
  return config.variant == "one_lane" ? run<T, Good, true>(config) : run<T, Good, false>(config);
}

/// Rows and variants that take numbers of type T.
template <class T>
std::vector<std::pair<std::string, std::string>> forms() {
  std::vector<std::pair<std::string, std::string>> result = {{"minmax", "one_pass"},
                                                             {"minmax", "one_lane"},
                                                             {"statistics", "one_pass"},
                                                             {"statistics", "one_lane"}};
  if (std::is_floating_point_v<T>) result.emplace_back("statistics", "textbook");
  return result;
}

/// The first of the smallest and of the largest numbers, none being NaN, are found.
template <class T>
void check_extremes(const RunConfig& config, const std::vector<T>& values) {
  const auto least = std::min_element(values.begin(), values.end());
  const auto most = std::max_element(values.begin(), values.end(), std::less<>());
  const Summary<T> found = summary_of<T>(config);
  CAPTURE(config.algorithm, config.variant, config.type, config.input.substr(0, 60), config.n,
          config.spec.width, config.parameters.at("tasks"));
  CHECK(found.min == *least);
  CHECK(found.argmin == least - values.begin());
  CHECK(found.max == *most);
  CHECK(found.argmax == most - values.begin());
  if constexpr (std::is_floating_point_v<T>) {
    CHECK(std::signbit(found.min) == std::signbit(*least));
    CHECK(std::signbit(found.max) == std::signbit(*most));
  }
  CHECK(row(config.algorithm).simulate(config, {1, true, true, {}}).correct);
}

struct Moments {
  cpp_rational mean;
  cpp_rational variance;
};

template <class T>
Moments exact_moments(const std::vector<T>& values) {
  cpp_rational sum = 0;
  cpp_rational squares = 0;
  for (const T value : values) {
    sum += cpp_rational(value);
    squares += cpp_rational(value) * cpp_rational(value);
  }
  const cpp_rational n = values.size();
  return {sum / n, squares / n - sum / n * (sum / n)};
}

/// |found - exact| <= relative·|exact|, in exact arithmetic.
bool near(double found, const cpp_rational& exact, double relative) {
  return abs(cpp_rational(found) - exact) <= cpp_rational(relative) * abs(exact);
}

template <class T>
void check_exact(const RunConfig& config) {
  const std::vector<T> values = numeric_input<T>(config);
  const Moments exact = exact_moments(values);
  const Summary<T> found = summary_of<T>(config);
  CAPTURE(config.variant, config.type, config.input.substr(0, 60), config.n, found.mean,
          found.variance);
  CHECK(near(found.mean, exact.mean, 0x1p-52));
  CHECK(near(found.variance, exact.variance, 0x1p-52));
  check_extremes(config, values);
}

template <class T>
void check_eight_records() {
  std::vector<T> records = {5, 3, 8, 2, 7, 1, 6, 4};
  for (std::int64_t turn = 0; turn < 8; ++turn) {
    for (const auto& [name, variant] : forms<T>()) {
      for (const Shape& shape : {Shape{1, 3}, Shape{2, 2}, Shape{32, 7}}) {
        const RunConfig config = given(name, variant, records, shape);
        const Summary<T> found = summary_of<T>(config);
        CAPTURE(name, variant, config.type, turn);
        CHECK(found.n == 8);
        CHECK(found.min == 1);
        CHECK(found.argmin == (5 + turn) % 8);
        CHECK(found.max == 8);
        CHECK(found.argmax == (2 + turn) % 8);
        if (name == "minmax") continue;
        CHECK(found.mean == 4.5);
        CHECK(std::abs(found.variance - 5.25) <= (std::is_integral_v<T> ? 0 : 1e-14));
        const auto values = row(name).simulate(config, {}).values;
        REQUIRE(values.size() == 6);
        CHECK(values[0].value == fmt::format("1 (element {})", (5 + turn) % 8));
        CHECK(values[4].name == "standard deviation");
        CHECK(std::abs(std::stod(values[4].value) - 2.2913) < 5e-5);
        CHECK(std::abs(std::stod(values[5].value) - 6) < 1e-13);  // sample variance: 8/7 · 5.25
      }
    }
    std::rotate(records.rbegin(), records.rbegin() + 1, records.rend());
  }
}

TEST_CASE("statistics: 8 records", "[algorithms][statistics][golden]") {
  check_eight_records<std::int32_t>();
  check_eight_records<std::int64_t>();
  check_eight_records<float>();
  check_eight_records<double>();
}

TEST_CASE("statistics: one number and two, none is refused", "[algorithms][statistics]") {
  for (const auto& [name, variant] : forms<double>()) {
    const Summary<double> one = summary_of<double>(given<double>(name, variant, {-2.5}));
    CHECK(one.min == -2.5);
    CHECK(one.max == -2.5);
    CHECK(one.argmin + one.argmax == 0);
    CHECK(one.variance == 0);
    const Summary<double> two = summary_of<double>(given<double>(name, variant, {4, -2}, {1, 2}));
    CHECK(two.argmin == 1);
    CHECK(two.argmax == 0);
    if (name == "statistics") {
      CHECK(one.mean == -2.5);
      CHECK(two.mean == 1);
      CHECK(two.variance == 9);
    }
    CHECK_THROWS_WITH(configure(name, variant, "f64", 0, "sorted"), says(name, "n = 0"));
    CHECK_THROWS_AS(exact_summary(std::vector<double>{}), UsageError);
  }
}

template <class T>
void check_ties(const Shape& shape) {
  for (const auto& [name, variant] : forms<T>()) {
    for (const char* input : {"equal", "few_distinct", "reversed"}) {
      for (const std::int64_t n : {3, 95, 700}) {
        const RunConfig config = configure(name, variant, type_name<T>(), n, input, shape);
        check_extremes(config, numeric_input<T>(config));
      }
    }
  }
}

TEST_CASE("statistics: the first of equal numbers counts", "[algorithms][statistics]") {
  for (const Shape& shape : shapes()) {
    check_ties<std::int32_t>(shape);
    check_ties<std::int64_t>(shape);
    check_ties<float>(shape);
    check_ties<double>(shape);
    // Pairs of equal extremes in one lane, in two lanes and in two tasks.
    const std::vector<std::size_t> places = {0, 1, 7, 31, 32, 64, 95, 96, 97, 200, 350, 699};
    for (const std::size_t first : places) {
      std::vector<float> values(700, 5.0F);
      for (const std::size_t other : places) {
        if (other < first) continue;
        values[first] = values[other] = 2;
        check_extremes(given("minmax", "one_pass", values, shape), values);
        values[first] = values[other] = 9;
        check_extremes(given("minmax", "one_pass", values, shape), values);
        values[first] = values[other] = 5;
      }
    }
  }
}

template <class T>
void check_nan(const std::vector<std::size_t>& places, const Shape& shape) {
  std::vector<T> values(700);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(i % 50);
  values[300] = -std::numeric_limits<T>::infinity();
  for (const std::size_t place : places) values[place] = std::numeric_limits<T>::quiet_NaN();
  for (const auto& [name, variant] : forms<T>()) {
    const RunConfig config = given(name, variant, values, shape);
    const Summary<T> found = summary_of<T>(config);
    CAPTURE(name, variant, config.type, shape.width, shape.tasks, places);
    CHECK(std::isnan(found.min));
    CHECK(std::isnan(found.max));
    CHECK(found.argmin == static_cast<std::int64_t>(places.front()));
    CHECK(found.argmax == static_cast<std::int64_t>(places.front()));
    if (name == "statistics") {
      CHECK(std::isnan(found.mean));
      CHECK(std::isnan(found.variance));
    }
    CHECK(row(name).simulate(config, {1, true, true, {}}).correct);
  }
}

TEST_CASE("statistics: the first NaN wins", "[algorithms][statistics]") {
  for (const Shape& shape : shapes()) {
    for (const std::vector<std::size_t>& places : std::vector<std::vector<std::size_t>>{
             {0}, {699}, {33}, {5, 600}, {301, 302, 303}, {0, 699}, {32, 33, 64}}) {
      check_nan<float>(places, shape);
      check_nan<double>(places, shape);
    }
  }
  std::vector<std::size_t> all(700);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  check_nan<float>(all, {32, 7});
  CHECK(summary_of<double>(given<double>("statistics", "one_pass", {nan})).argmin == 0);
}

TEST_CASE("statistics: infinities and zeros with a sign", "[algorithms][statistics]") {
  std::vector<double> last(700, 1.0);
  last.back() = infinity;
  const std::vector<std::vector<double>> inputs = {{infinity},
                                                   {-infinity},
                                                   {1, infinity, 3},
                                                   {-infinity, 1},
                                                   {0, infinity, -1},
                                                   last,
                                                   {infinity, -infinity},
                                                   {3, -infinity, infinity, 0},
                                                   std::vector<double>(700, infinity),
                                                   std::vector<double>(700, -infinity)};
  for (const Shape& shape : shapes()) {
    for (const std::vector<double>& values : inputs) {
      double sum = 0;
      for (const double value : values) sum += value;
      for (const auto& [name, variant] : forms<double>()) {
        const RunConfig config = given(name, variant, values, shape);
        check_extremes(config, values);
        check_extremes(
            given(name, variant, std::vector<float>(values.begin(), values.end()), shape),
            std::vector<float>(values.begin(), values.end()));
        if (name == "minmax") continue;
        const Summary<double> found = summary_of<double>(config);
        CHECK((std::isnan(sum) ? std::isnan(found.mean) : found.mean == sum));
        CHECK(std::isnan(found.variance));
      }
    }
    std::vector<double> zeros(700, 0.0);
    for (const std::size_t place : {std::size_t{0}, std::size_t{40}, std::size_t{699}}) {
      zeros[place] = -0.0;
      check_extremes(given("statistics", "one_pass", zeros, shape), zeros);
      for (double& zero : zeros) zero = -zero;
      check_extremes(given("statistics", "one_pass", zeros, shape), zeros);
    }
  }
}

template <class T>
void check_extreme_integers() {
  constexpr T least = std::numeric_limits<T>::min();
  constexpr T most = std::numeric_limits<T>::max();
  const std::uint64_t seed = test_seed();
  INFO("seed " << seed);
  std::vector<T> mixed;
  const std::vector<T> choice = {least, most, 0, -1, 1, least + 1, most - 1, T{1} << 30};
  for (std::uint64_t i = 0; i < 3000; ++i) mixed.push_back(choice[random_bits(seed, i) % 8]);
  const std::vector<std::vector<T>> inputs = {{least},
                                              {most},
                                              {least, most},
                                              {most, least, 0},
                                              {most, most - 1, most - 2},
                                              {least, least + 1, least, least + 2},
                                              std::vector<T>(3000, least),
                                              std::vector<T>(3000, most),
                                              mixed};
  for (const std::vector<T>& values : inputs) {
    for (const Shape& shape : {Shape{1, 1}, Shape{8, 5}, Shape{96, 7}}) {
      check_exact<T>(given("statistics", "one_pass", values, shape));
      check_exact<T>(given("statistics", "one_lane", values, shape));
    }
  }
}

TEST_CASE("statistics: integers are exact", "[algorithms][statistics]") {
  check_extreme_integers<std::int32_t>();
  check_extreme_integers<std::int64_t>();
  for (const char* input : {"uniform", "sorted", "normal"}) {
    check_exact<std::int32_t>(configure("statistics", "one_pass", "i32", 100'000, input));
    check_exact<std::int64_t>(configure("statistics", "one_pass", "i64", 100'000, input));
  }
}

TEST_CASE("statistics: at most 2^31 integers", "[algorithms][statistics]") {
  constexpr std::int64_t most = std::int64_t{1} << 31;
  for (const char* type : {"i32", "i64"}) {
    const RunConfig config = configure("statistics", "one_pass", type, most, "uniform");
    CHECK(test::derived(config).phases.size() == 2);
    CHECK_THROWS_WITH(configure("statistics", "one_pass", type, most + 1, "uniform"),
                      says("statistics", "2^31"));
    CHECK_NOTHROW(configure("minmax", "one_pass", type, most + 1, "uniform"));
    CHECK_THROWS_WITH(configure("statistics", "textbook", type, 100, "uniform"),
                      says("textbook", type));
  }
  CHECK_NOTHROW(configure("statistics", "one_pass", "f64", most + 1, "uniform"));
  CHECK_THROWS_WITH(configure("statistics", "one_lane", "f32", most, "uniform"),
                    says("one lane", "one_pass"));
}

TEST_CASE("statistics: records merge in several phases", "[algorithms][statistics]") {
  for (const Shape& shape : {Shape{1, 5000}, Shape{8, 2000}, Shape{3, 1500}}) {
    for (const std::int64_t n : {20'000, 19'999}) {
      RunConfig config = configure("statistics", "one_pass", "i64", n, "uniform", shape);
      CHECK(statistics::steps(config).size() == 3);
      check_exact<std::int64_t>(config);
      config = configure("statistics", "one_pass", "f64", n, "few_distinct", shape);
      check_extremes(config, numeric_input<double>(config));
      config = configure("minmax", "one_pass", "f32", n, "few_distinct", shape);
      check_extremes(config, numeric_input<float>(config));
    }
  }
}

TEST_CASE("statistics: derived counts of merges of many rows and phases",
          "[algorithms][statistics]") {
  for (const Shape& shape : {Shape{1, 5000}, Shape{8, 2000}, Shape{3, 1500}, Shape{8, 60},
                             Shape{32, 100}, Shape{96, 97}}) {
    for (const char* type : {"i32", "i64", "f32", "f64"}) {
      for (const std::int32_t word_bits : {24, 32, 64}) {
        RunConfig config = configure("statistics", "one_pass", type, 20'000, "uniform", shape);
        config.spec.word_bits = word_bits;
        CAPTURE(shape.width, shape.tasks, type, word_bits);
        test::checked_run(config);
      }
    }
  }
}

}  // namespace
}  // namespace agpusim::statistics_test

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/statistics/accuracy.hpp"
#include "agpusim/algorithms/statistics/program.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/rows.hpp"

// How right `statistics` is, how wrong the textbook formula, what counts as right, I/O of one pass.
namespace agpusim::statistics_accuracy_test {
namespace {

using statistics::VarianceError;
using test::row;

RunConfig configure(const std::string& name, const std::string& variant, const std::string& type,
                    std::int64_t n, const std::string& input) {
  return resolve(row(name), {.variant = variant, .type = type, .n = n, .input = input});
}

template <class T, class Moments, bool serial>
Summary<T> run(const RunConfig& config) {
  SimulatedDevice device(config.spec, {1, true, true, {}});
  return found_by<T>(device, config, [&](auto& run) {
    return statistics::summarise<Moments, serial>(run, config);
  });
}

struct MeanVariance {
  long double mean;
  long double variance;
};

/// By the definitions.
template <class T>
MeanVariance two_passes(const std::vector<T>& values) {
  const auto n = static_cast<long double>(values.size());
  long double mean = 0;
  for (const T x : values) mean += x / n;
  long double squares = 0;
  for (const T x : values) squares += (x - mean) * (x - mean);
  return {mean, squares / n};
}

double relative_error(const VarianceError& error) {
  return std::abs(error.variance - error.exact) / error.exact;
}

const std::vector<VarianceError>& errors(std::uint64_t seed) {
  static const std::vector<std::vector<VarianceError>> of_seed = {
      statistics::variance_errors(20'000, 1), statistics::variance_errors(20'000, 2)};
  return of_seed.at(seed - 1);
}

TEST_CASE("statistics: the table of errors is complete and its exact column true",
          "[algorithms][statistics][accuracy]") {
  std::vector<std::string> lines;
  for (const VarianceError& error : errors(2)) {
    lines.push_back(fmt::format("{} {} {}", error.type, error.variant, error.mean_over_sigma));
    CAPTURE(lines.back());
    CHECK(std::abs(error.exact - 1) < 0.05);  // sigma = 1, within five standard deviations
    RunConfig config = configure("statistics", "one_pass", error.type, 20'000, "normal");
    config.seed = 2;
    config.parameters["mean"] = error.mean_over_sigma;
    const MeanVariance exact = error.type == "f32" ? two_passes(numeric_input<float>(config))
                                                   : two_passes(numeric_input<double>(config));
    CHECK(std::abs(error.exact - exact.variance) <= 1e-13L * exact.variance);
    CHECK(std::abs(static_cast<double>(error.mean_over_sigma) - exact.mean) < 0.05L);
  }
  std::sort(lines.begin(), lines.end());
  CHECK(lines.size() == 28);
  CHECK(std::adjacent_find(lines.begin(), lines.end()) == lines.end());
  CHECK(std::count(lines.begin(), lines.end(), "f32 textbook 1000000") == 1);
  CHECK(std::count(lines.begin(), lines.end(), "f64 one_pass 1") == 1);
  CHECK_THROWS_AS(statistics::variance_errors(0, 1), UsageError);
}

TEST_CASE("statistics: the variance is right up to mean/sigma = 10^6, unlike the textbook's",
          "[algorithms][statistics][accuracy]") {
  bool negative = false;
  for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{2}}) {
    for (const VarianceError& error : errors(seed)) {
      CAPTURE(seed, error.type, error.variant, error.mean_over_sigma, error.variance, error.exact);
      if (error.variant == "one_pass") {
        CHECK(relative_error(error) <= (error.type == "f32" ? 1e-6 : 1e-11));
      } else if (error.type == "f32") {
        negative = negative || error.variance < 0;
        // Two floats near 10^8 differ by a multiple of 8, and so for larger means.
        if (error.mean_over_sigma >= 10'000) CHECK(relative_error(error) >= 1);
      } else if (error.mean_over_sigma == 1'000'000) {
        CHECK(relative_error(error) > 1e-6);
      }
    }
  }
  CHECK(negative);
}

template <class T>
void check_moments(const std::vector<T>& values, double bar) {
  const RunConfig config = configure(
      "statistics", "one_pass", std::is_same_v<T, float> ? "f32" : "f64",
      static_cast<std::int64_t>(values.size()), fmt::format("values:{}", fmt::join(values, ",")));
  const Summary<T> found = run<T, statistics::ShiftedMoments<T>, false>(config);
  const MeanVariance exact = two_passes(values);
  CAPTURE(config.type, found.variance, found.mean);
  CHECK(std::abs(found.variance - exact.variance) <= bar * exact.variance);
  CHECK(std::abs(found.mean - exact.mean) <= bar * std::sqrt(exact.variance));
  CHECK(row("statistics").simulate(config, {1, true, true, {}}).correct);
}

template <class T>
void check_outliers(double bar) {
  const RunConfig normal = configure("statistics", "one_pass",
                                     std::is_same_v<T, float> ? "f32" : "f64", 20'000, "normal");
  const std::vector<T> clean = numeric_input<T>(normal);
  for (const T outlier : {T{1e6}, T{-1e6}}) {
    for (const std::size_t place : {std::size_t{0}, clean.size() / 2, clean.size() - 1}) {
      std::vector<T> values = clean;
      values[place] = outlier;
      CAPTURE(place);
      check_moments(values, bar);
    }
  }
  std::vector<T> neighbours = clean;
  std::vector<T> halves = clean;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    if (i % 2 == 0) neighbours[i] += T{1e6};
    if (i < clean.size() / 2) halves[i] += T{1e6};
  }
  check_moments(neighbours, bar);
  check_moments(halves, bar);
}

TEST_CASE("statistics: an outlier of 10^6 sigma and two clusters cost no digits",
          "[algorithms][statistics][accuracy]") {
  check_outliers<float>(1e-6);
  check_outliers<double>(1e-11);
}

template <class T, class Moments>
void check_one_lane(const char* type) {
  for (const char* input : {"uniform", "sorted", "few_distinct", "normal"}) {
    for (const std::int64_t n : {1, 33, 10'000}) {
      RunConfig config = configure("statistics", "one_pass", type, n, input);
      config.parameters["mean"] = 1000;
      const Summary<T> many = run<T, Moments, false>(config);
      config.variant = "one_lane";
      const Summary<T> one = run<T, Moments, true>(config);
      CAPTURE(type, input, n);
      CHECK(one.min == many.min);
      CHECK(one.argmin == many.argmin);
      CHECK(one.max == many.max);
      CHECK(one.argmax == many.argmax);
      if (std::is_integral_v<T>) {
        CHECK(one.mean == many.mean);
        CHECK(one.variance == many.variance);
      } else {
        CHECK(std::abs(one.mean - many.mean) <= 1e-13 * many.mean);
        CHECK(std::abs(one.variance - many.variance) <= 1e-12 * many.variance);
      }
    }
  }
}

TEST_CASE("statistics: one lane finds what all find", "[algorithms][statistics]") {
  check_one_lane<std::int32_t, statistics::ExactMoments<std::int32_t>>("i32");
  check_one_lane<std::int64_t, statistics::ExactMoments<std::int64_t>>("i64");
  check_one_lane<float, statistics::ShiftedMoments<float>>("f32");
  check_one_lane<double, statistics::ShiftedMoments<double>>("f64");
}

TEST_CASE("statistics: wrong results have another checksum", "[algorithms][statistics]") {
  const RunConfig config = configure("statistics", "one_pass", "f64", 5000, "normal");
  const Summary<double> exact = exact_summary(numeric_input<double>(config));
  const std::uint64_t right = row("statistics").reference(config);
  const auto after = [&](auto change) {
    Summary<double> summary = exact;
    change(summary);
    return summary_checksum(
        summary, exact,
        statistics::tolerance(exact, {5000, 1}, statistics::ShiftedMoments<double>{}));
  };
  using S = Summary<double>;
  CHECK(after([](S&) {}) == right);
  CHECK(after([](S& s) { ++s.argmin; }) != right);
  CHECK(after([](S& s) { --s.argmax; }) != right);
  CHECK(after([](S& s) { std::swap(s.argmin, s.argmax); }) != right);
  CHECK(after([](S& s) { s.min = std::nextafter(s.min, -9); }) != right);
  CHECK(after([](S& s) { s.max = std::nextafter(s.max, 9); }) != right);
  for (const double sign : {1.0, -1.0}) {
    CHECK(after([&](S& s) { s.variance *= 1 + sign * 1e-9; }) != right);
    CHECK(after([&](S& s) { s.variance *= 1 + sign * 5e-12; }) == right);
    CHECK(after([&](S& s) { s.mean += sign * 1e-10; }) != right);
    CHECK(after([&](S& s) { s.mean += sign * 1e-13; }) == right);
  }
  CHECK(after([](S& s) { s.variance = -s.variance; }) != right);
  CHECK(after([](S& s) { s.variance = std::numeric_limits<double>::quiet_NaN(); }) != right);
}

TEST_CASE("statistics: blocks of one pass, counted by hand", "[algorithms][statistics][golden]") {
  // n = 2^14, b = V = 32, k = 16 tasks of 1024 numbers, words of 32 bits: n·s/b reads of numbers of
  // s words; floats' moments read every segment's first number besides, a block each. A record of F
  // fields of two words is F writes, for each of 16 tasks; all 16 values of one field are 32
  // aligned words, so one task reads F blocks and writes F.
  constexpr std::int64_t row_blocks = (1 << 14) / 32;
  const auto io = [](const char* name, const char* variant, const char* type) {
    RunConfig config{.variant = variant, .type = type, .n = 1 << 14, .spec = {.cores = 16 * 32}};
    return row(name).simulate(resolve(row(name), config), {1, true, true, {}}).report.total().io();
  };
  const auto records = [](std::int64_t fields) { return 16 * fields + fields + fields; };
  CHECK(io("minmax", "one_pass", "i32") == row_blocks + records(4));
  CHECK(io("minmax", "one_pass", "i64") == 2 * row_blocks + records(4));
  CHECK(io("minmax", "one_pass", "f32") == row_blocks + records(5));
  CHECK(io("minmax", "one_pass", "f64") == 2 * row_blocks + records(5));
  CHECK(io("statistics", "one_pass", "i32") == row_blocks + records(4 + 3));
  CHECK(io("statistics", "one_pass", "i64") == 2 * row_blocks + records(4 + 8));
  CHECK(io("statistics", "one_pass", "f32") == row_blocks + 16 + records(5 + 3));
  CHECK(io("statistics", "one_pass", "f64") == 2 * row_blocks + 16 + records(5 + 3));
  CHECK(io("statistics", "textbook", "f32") == row_blocks + records(5 + 2));
  // One lane reads number by number, a block each, and writes one record.
  CHECK(io("minmax", "one_lane", "i32") == (1 << 14) + 4);
  CHECK(io("statistics", "one_lane", "f64") == (1 << 14) + 1 + 8);
}

TEST_CASE("statistics: numbers whose squares leave their type are refused, infinities are not",
          "[algorithms][statistics]") {
  const auto refusal = [](const char* variant, const char* type, const char* values) {
    return resolve(row("statistics"), {.variant = variant, .type = type, .n = 2, .input = values});
  };
  CHECK_THROWS_WITH(refusal("one_pass", "f64", "values:1e200,-1e200"), says("overflow f64"));
  CHECK_THROWS_WITH(refusal("textbook", "f32", "values:1,1e20"),
                    says("x[1] = 1e+20 overflows f32"));
  CHECK_NOTHROW(refusal("one_pass", "f32", "values:1e30,-1e30"));
  CHECK_NOTHROW(refusal("one_pass", "f64", "values:inf,nan"));
}

TEST_CASE("statistics: beside an infinity no finite mean is right", "[algorithms][statistics]") {
  const Summary<double> exact =
      exact_summary(std::vector<double>{1, std::numeric_limits<double>::infinity()});
  Summary<double> wrong = exact;
  wrong.mean = 5;
  const SummaryTolerance any{1e300, 1e300};
  CHECK(summary_checksum(wrong, exact, any) != summary_checksum(exact, exact, any));
}

}  // namespace
}  // namespace agpusim::statistics_accuracy_test

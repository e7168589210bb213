#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/statistics/minmax_tournament/program.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/rows.hpp"

// The tournament of Nishimura and Toyonaga as repaired (theory 3.13), and that the printed program
// (figure 3.1) is wrong where the repaired one is right (theory 8: N1 to N4).
namespace agpusim::minmax_tournament_test {
namespace {

using Catch::Matchers::ContainsSubstring;

const Algorithm& row() { return test::row("minmax_tournament"); }

RunConfig configure(const std::string& variant, const std::string& type, std::int64_t n,
                    const std::string& input) {
  RunConfig config;
  config.variant = variant;
  config.type = type;
  config.n = n;
  config.input = input;
  return resolve(row(), config);
}

template <class T>
RunConfig given(const std::string& variant, const std::vector<T>& values) {
  return configure(variant, std::is_floating_point_v<T> ? "f32" : "i32",
                   static_cast<std::int64_t>(values.size()),
                   fmt::format("values:{}", fmt::join(values, ",")));
}

/// The repaired program's minimum and maximum of `values` are the right ones.
template <class T>
void check_extremes(const std::string& variant, const std::vector<T>& values) {
  SimulatedDevice device(AgpuSpec{}, {1, true, true, {}});
  tournament::MinMax<SimulatedDevice, T> program(device, given(variant, values));
  program.run();
  const auto extremes = program.extremes();
  CAPTURE(variant, values);
  REQUIRE(extremes.min == *std::min_element(values.begin(), values.end()));
  REQUIRE(extremes.max == *std::max_element(values.begin(), values.end()));
}

/// The printed rule for one element type and thread numbers from `first_thread` on, 1-based as its
/// text: v1 = data2[2i], v2 = data2[2i-1]. Without a guard, as printed; arrays of N + 1 elements.
struct Printed {
  static constexpr const char* name = "calMinMax";

  std::int32_t half;
  std::int32_t first_thread;

  template <class Mp, class View>
  void operator()(Mp& mp, View data, View data2) const {
    const auto i = mp.lane() + (first_thread + static_cast<std::int32_t>(mp.task()) * mp.width());
    const auto id = i * 2;
    const auto v1 = data2.read(id);
    const auto v2 = data2.read(id - 1);
    const auto low = i + half;
    mp.when(
        v1 > v2,
        [&] {
          data.write(i, v1);
          data.write(low, v2);
        },
        [&] {
          data.write(i, v2);
          data.write(low, v1);
        });
  }
};

/// Extremes that the printed kernel leaves for `values` after `rounds` rounds of N/2 threads,
/// numbered from `first_thread` on, in blocks of `width` threads.
std::pair<int, int> printed(const std::vector<int>& values, int rounds, int first_thread,
                            int width) {
  AgpuSpec spec;
  spec.block_words = 1;
  spec.width = width;
  SimulatedDevice device(spec, {1, true, true, {}});
  const auto n = static_cast<std::int32_t>(values.size());
  std::vector<int> one_based = {-1};
  one_based.insert(one_based.end(), values.begin(), values.end());
  const auto data = device.allocate<int>(n + 1, "data");
  const auto data2 = device.allocate<int>(n + 1, "data2");
  device.upload<int>(data, one_based);
  for (int round = 0; round < rounds; ++round) {
    const std::vector<int> copy = device.download(data);
    device.upload<int>(data2, copy);
    device.launch(ceil_div(n / 2, width), Printed{n / 2, first_thread}, data, data2);
  }
  const std::vector<int> result = device.download(data);
  return {result[static_cast<std::size_t>(n)], result[1]};
}

std::vector<int> iota(int n) {
  std::vector<int> values(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = i + 1;
  return values;
}

TEST_CASE("minmax_tournament: 8 records in 3 rounds", "[algorithms][tournament][golden]") {
  for (const std::string& variant : variant_names(row())) {
    const RunConfig config = given<int>(variant, {5, 3, 8, 2, 7, 1, 6, 4});
    const RunResult result = row().simulate(config, {1, true, true, {}});
    CAPTURE(variant);
    CHECK(result.correct);
    CHECK(result.report.phases.size() == (variant == "ping_pong" ? 3U : 6U));
    REQUIRE(result.values.size() == 2);
    CHECK(result.values[0].name == "minimum");
    CHECK(result.values[0].value == "1");
    CHECK(result.values[1].name == "maximum");
    CHECK(result.values[1].value == "8");
  }
}

TEST_CASE("minmax_tournament: one number meets its copy in one round", "[algorithms][tournament]") {
  for (const std::string& variant : variant_names(row())) {
    check_extremes<int>(variant, {-7});
    check_extremes<int>(variant, {2, -7});
    const RunResult one = row().simulate(given<int>(variant, {-7}), {1, true, true, {}});
    CHECK(one.report.phases.size() == (variant == "ping_pong" ? 1U : 2U));
    CHECK(tournament::rounds_of(given<int>(variant, {3, 4, 5})).count() == 2);
  }
}

TEST_CASE("minmax_tournament: every n from 1 to 300, and large ones", "[algorithms][tournament]") {
  std::vector<std::int64_t> sizes = {1000, 10000, 65537};
  for (std::int64_t n = 1; n <= 300; ++n) sizes.push_back(n);
  for (const std::string& variant : variant_names(row())) {
    for (const std::string& type : row().types) {
      for (const std::int64_t n : sizes) {
        RunConfig config = configure(variant, type, n, n % 2 == 0 ? "uniform" : "normal");
        config.seed = static_cast<std::uint64_t>(n);
        CAPTURE(variant, type, n);
        REQUIRE(row().simulate(config, {1, true, true, {}}).correct);
      }
    }
  }
}

TEST_CASE("minmax_tournament: minimum and maximum anywhere", "[algorithms][tournament]") {
  for (const std::string& variant : variant_names(row())) {
    for (std::size_t n = 2; n <= 17; ++n) {
      for (std::size_t low = 0; low < n; ++low) {
        for (std::size_t high = 0; high < n; ++high) {
          std::vector<int> values(n, 5);
          values[low] = -1000;
          if (high != low) values[high] = 1000;
          check_extremes(variant, values);
        }
      }
    }
  }
}

TEST_CASE("minmax_tournament: equal, reversed and negative numbers, limits, infinities and zeros",
          "[algorithms][tournament]") {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const std::string& variant : variant_names(row())) {
    check_extremes<int>(variant, {4, 4, 4, 4, 4});
    check_extremes<int>(variant, {6, 5, 4, 3, 2, 1});
    check_extremes<int>(variant, {-3, -1, -2, -9, -5, -4, -8});
    check_extremes<int>(variant,
                        {std::numeric_limits<int>::min(), 0, std::numeric_limits<int>::max()});
    check_extremes<float>(variant, {-0.5F, 0.25F, -2, 1.5F, -1});
    check_extremes<float>(variant, {1, infinity, 2, -infinity, 3});
    for (const char* const zeros : {"values:0,-0,0", "values:-0,0", "values:-0,0,-0,0"}) {
      const std::int64_t n = std::count(zeros, zeros + std::string(zeros).size(), ',') + 1;
      CHECK(row().simulate(configure(variant, "f32", n, zeros), {1, true, true, {}}).correct);
    }
  }
}

TEST_CASE("minmax_tournament: blocks per round", "[algorithms][tournament][golden]") {
  // Theory 3.13 for b = 32 and aligned halves: 6, 5 and 3 N/b.
  constexpr std::int64_t n = 1 << 14;
  constexpr std::int64_t round = n / 32;
  const auto measured = [](const std::string& variant, const std::string& input) {
    const RunConfig config = configure(variant, "i32", n, input);
    return test::checked_run(config).report.total().io();
  };
  CHECK(measured("copy", "uniform") == 14 * 6 * round);
  CHECK(measured("copy_select", "uniform") == 14 * 5 * round);
  CHECK(measured("ping_pong", "uniform") == 14 * 3 * round);
  // On ascending numbers every pair of every round takes one side.
  CHECK(measured("copy", "sorted") == 14 * 5 * round);
}

TEST_CASE("minmax_tournament refuses NaN, words that are no numbers and tasks that are too long",
          "[algorithms][tournament]") {
  for (const std::string& variant : variant_names(row())) {
    CHECK_THROWS_WITH(configure(variant, "f32", 3, "values:1,2,nan"),
                      ContainsSubstring("x[2] is NaN") && ContainsSubstring("minmax"));
    CHECK_NOTHROW(configure(variant, "f32", 3, "values:1,2,inf"));
    CHECK_THROWS_AS(configure(variant, "i32", 2, "values:1,x"), UsageError);
    CHECK_THROWS_AS(configure(variant, "i32", 2, "values:1,2147483648"), UsageError);
  }
  RunConfig config;
  config.type = "i32";
  config.n = 10;
  config.input = "sorted";
  config.parameters["rows"] = std::int64_t{1} << 40;
  CHECK_THROWS_WITH(resolve(row(), config), ContainsSubstring("rows"));
}

TEST_CASE("N1: the printed indices with thread numbers from 0 on read data2[-1]",
          "[algorithms][tournament][defects]") {
  CHECK_THROWS_AS(printed(iota(8), 3, 0, 4), RuleViolation);
  CHECK_THROWS_WITH(printed(iota(8), 3, 0, 4), ContainsSubstring("array data2, index -1"));
  CHECK(printed(iota(8), 3, 1, 4) == std::pair(1, 8));  // as meant
  check_extremes(row().variants.front().name, iota(8));
}

TEST_CASE("N2: without a guard the last block of threads leaves the arrays",
          "[algorithms][tournament][defects]") {
  CHECK_THROWS_WITH(printed(iota(10), 4, 1, 4), ContainsSubstring("out of bounds"));
  CHECK(printed(iota(10), 4, 1, 5) == std::pair(1, 10));  // blocks that fit
  for (const std::string& variant : variant_names(row())) check_extremes(variant, iota(10));
}

TEST_CASE("N3: rounds must be ceil(log2 N), not C's log(N)", "[algorithms][tournament][defects]") {
  for (int n = 4; n <= 64; n += 2) {
    const std::vector<int> values = iota(n);
    CAPTURE(n);
    const int log = static_cast<int>(std::log(n));
    const int ceil_log2 = static_cast<int>(std::ceil(std::log2(n)));
    CHECK(printed(values, log, 1, 1) != std::pair(1, n));
    CHECK(printed(values, ceil_log2, 1, 1) == std::pair(1, n));
    CHECK(tournament::rounds_of(given(row().variants.front().name, values)).count() == ceil_log2);
  }
}

TEST_CASE("N4: an odd last number takes part in no comparison",
          "[algorithms][tournament][defects]") {
  for (int n = 3; n <= 33; n += 2) {
    const std::vector<int> values = iota(n);
    CAPTURE(n);
    CHECK(printed(values, static_cast<int>(std::ceil(std::log2(n))), 1, 1) != std::pair(1, n));
    for (const std::string& variant : variant_names(row())) check_extremes(variant, values);
  }
}

}  // namespace
}  // namespace agpusim::minmax_tournament_test

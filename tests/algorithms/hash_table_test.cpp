#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "agpusim/algorithms/hash_table/keys.hpp"
#include "agpusim/tests/support/rows.hpp"

namespace agpusim {
namespace {

using Catch::Matchers::StartsWith;
using test::row;

RunConfig table_run(std::int64_t n, std::int64_t load, std::uint64_t seed) {
  return resolve(row("hash_table"), {.algorithm = "hash_table",
                                     .n = n,
                                     .input = "distinct",
                                     .seed = seed,
                                     .parameters = {{"load", load}}});
}

/// A table into which keys are inserted one after the other.
struct Sequential {
  std::vector<std::uint32_t> slots;
  std::int64_t probes = 0;

  Sequential(const hash_table::Slots& table, const std::vector<std::uint32_t>& keys)
      : slots(static_cast<std::size_t>(table.slots(std::ssize(keys)))) {
    for (const std::uint32_t key : keys) {
      auto slot = static_cast<std::size_t>(table.home(key));
      for (++probes; slots[slot] != 0; ++slot) ++probes;
      slots[slot] = key;
    }
  }
};

TEST_CASE("the batch takes as many probes as keys inserted in any order", "[algorithms]") {
  for (const std::int64_t n : {1, 31, 32, 1000, 4097}) {
    for (const std::int64_t load : {1, 30, 50, 90, 99}) {
      CAPTURE(n, load);
      const RunConfig config = table_run(n, load, 7);
      const RunResult result = row("hash_table").simulate(config, {});
      REQUIRE(result.correct);
      const hash_table::Slots table = hash_table::table_of(config);
      std::vector<std::uint32_t> keys = hash_table::wanted_of(config);
      keys.resize(static_cast<std::size_t>(n));
      for (int order = 0; order < 3; ++order) {
        const double each =
            static_cast<double>(Sequential(table, keys).probes) / static_cast<double>(n);
        CHECK_THAT(result.values.at(0).value, StartsWith(fmt::format("{:.4f} a key", each)));
        if (order == 0) std::sort(keys.begin(), keys.end());
        if (order == 1) std::reverse(keys.begin(), keys.end());
      }
    }
  }
}

TEST_CASE("searches take as many probes as Knuth expects", "[algorithms]") {
  for (const std::int64_t load : {10, 50, 75}) {
    double present = 0;
    double absent = 0;
    constexpr int seeds = 2;
    RunConfig config;
    for (int seed = 1; seed <= seeds; ++seed) {
      config = table_run(20'000, load, static_cast<std::uint64_t>(seed));
      const RunResult result = row("hash_table").simulate(config, {});
      REQUIRE(result.correct);
      present += std::strtod(result.values.at(0).value.c_str(), nullptr) / seeds;
      absent += std::strtod(result.values.at(1).value.c_str(), nullptr) / seeds;
    }
    const hash_table::Probes expected = hash_table::expected_probes(config);
    CAPTURE(load);
    // Long clusters, which decide the searches of full tables, are few.
    const double tolerance = load <= 50 ? 0.02 : 0.1;
    CHECK(present == Catch::Approx(expected.present).epsilon(tolerance));
    CHECK(absent == Catch::Approx(expected.absent).epsilon(tolerance));
  }
  const hash_table::Probes half = hash_table::expected_probes(table_run(20'000, 50, 1));
  CHECK(half.present == 1.5);
  CHECK(half.absent == 2.5);
}

TEST_CASE("a hash table refuses what does not fit", "[algorithms]") {
  CHECK_THROWS_WITH(table_run(10, 100, 1), says("load = 100: 1 to 99 percent"));
  CHECK_THROWS_WITH(table_run(std::int64_t{1} << 29, 50, 1), says("2^30 slots"));
  RunConfig config{.n = 100, .input = "distinct", .spec = {.shared_words = 64}};
  CHECK_THROWS_WITH(resolve(row("hash_table"), config), says("M = 64"));
}

}  // namespace
}  // namespace agpusim

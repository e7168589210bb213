#include <cstdint>

#include "agpusim/tests/support/rows.hpp"

namespace agpusim {
namespace {

using test::row;

RunConfig config_of(std::int64_t n, std::int64_t tile, const std::string& type = "u32") {
  return RunConfig{
      .algorithm = "fused_bitonic_sort", .type = type, .n = n, .parameters = {{"tile", tile}}};
}

std::vector<PhaseReport> phases_of(const RunConfig& config) {
  return test::derived(resolve(row(config.algorithm), config)).phases;
}

std::int64_t io(const std::vector<PhaseReport>& phases) {
  std::int64_t sum = 0;
  for (const PhaseReport& phase : phases) sum += phase.counts.io();
  return sum;
}

/// 1 + mu + the sum of ceil(i/t) over i = 1..mu, summed up: with mu = a·t + r there are t summands
/// 1, ..., t summands a and r summands a+1.
std::int64_t passes(std::int64_t mu, std::int64_t t) {
  const std::int64_t a = mu / t;
  const std::int64_t r = mu % t;
  return 1 + mu + t * a * (a + 1) / 2 + r * (a + 1);
}

TEST_CASE("fused bitonic passes: phases and I/O of powers of two", "[algorithms][golden]") {
  CHECK(passes(0, 8) == 1);
  CHECK(passes(7, 8) == 15);   // n = 2^20, S = 2^13
  CHECK(passes(15, 8) == 38);  // n = 2^28, S = 2^13
  CHECK(passes(15, 1) == 136);
  for (const std::string type : {"u32", "u64"}) {
    const std::int64_t words = type == "u32" ? 1 : 2;
    for (const std::int64_t tile : {1 << 9, 1 << 10, 1 << 12}) {
      for (std::int64_t mu = 0; mu <= 14; ++mu) {
        const std::int64_t n = tile << mu;
        for (const std::int64_t t : {1, 2, 3, 4}) {
          RunConfig config = config_of(n, tile, type);
          config.parameters["strides"] = t;
          const std::vector<PhaseReport> phases = phases_of(config);
          CAPTURE(type, tile, mu, t);
          REQUIRE(static_cast<std::int64_t>(phases.size()) == passes(mu, t));
          REQUIRE(io(phases) == 2 * n * words / 32 * passes(mu, t));
        }
      }
    }
  }
}

TEST_CASE("fused bitonic passes: t is lg(S/b) unless it is set", "[algorithms][golden]") {
  for (const auto& [tile, t] : {std::pair{512, 4}, std::pair{1024, 5}, std::pair{8192, 8}}) {
    for (std::int64_t mu = 0; mu <= 15; ++mu) {
      CAPTURE(tile, mu);
      CHECK(static_cast<std::int64_t>(
                phases_of(config_of(std::int64_t{tile} << mu, tile)).size()) == passes(mu, t));
    }
  }
}

TEST_CASE("one stride per pass costs the passes and I/O of bitonic_sort, more cost fewer",
          "[algorithms][golden]") {
  const std::int64_t tile = 1 << 10;
  for (std::int64_t mu = 0; mu <= 14; ++mu) {
    RunConfig one = config_of(tile << mu, tile);
    RunConfig other = one;
    one.parameters["strides"] = 1;
    other.algorithm = "bitonic_sort";
    CAPTURE(mu);
    CHECK(phases_of(one).size() == phases_of(other).size());
    CHECK(io(phases_of(one)) == io(phases_of(other)));
    CHECK(passes(mu, 1) == 1 + mu * (mu + 3) / 2);
    if (mu >= 2) CHECK(io(phases_of(config_of(tile << mu, tile))) < io(phases_of(other)));
  }
}

TEST_CASE("the strides of a merge are spread evenly over its passes", "[algorithms]") {
  // mu = 3, t = 2: the merges have 1, 2 and 2 + 1 strides.
  RunConfig config = config_of(8 * 512, 512);
  config.parameters["registers"] = 4;
  config.parameters["strides"] = 2;
  std::vector<std::string> kernels;
  for (const PhaseReport& phase : phases_of(config)) kernels.push_back(phase.kernel);
  CHECK(kernels == std::vector<std::string>{"tile_sort", "register_pass", "tile_merge",
                                            "register_pass", "tile_merge", "register_pass",
                                            "register_pass", "tile_merge"});
  // mu = 5, t = 4: the last merge has 3 + 2 strides, of which 2 fit into 4 registers.
  config = config_of(32 * 512, 512);
  config.parameters["registers"] = 4;
  kernels.clear();
  for (const PhaseReport& phase : phases_of(config)) kernels.push_back(phase.kernel);
  CHECK(kernels == std::vector<std::string>{"tile_sort", "register_pass", "tile_merge",
                                            "register_pass", "tile_merge", "tile_pass",
                                            "tile_merge", "tile_pass", "tile_merge", "tile_pass",
                                            "register_pass", "tile_merge"});
}

TEST_CASE("a tile of 512 keys in 16 registers: accesses of shared memory without conflicts",
          "[algorithms][golden]") {
  RunConfig config = config_of(512, 512);
  config.parameters["registers"] = 16;
  const Algorithm& algorithm = row(config.algorithm);
  const Counts counts = algorithm.simulate(resolve(algorithm, config), {}).report.total();
  // 4 bits are sorted in registers; merges of 5 to 8 bits take two sweeps, of 9 three, each 16
  // reads and writes of a warp; beside these the keys are written once and read once.
  CHECK(counts.shared_read.requests == 16 * (4 * 2 + 3 + 1));
  CHECK(counts.shared_write.requests == 16 * (4 * 2 + 3 + 1));
  CHECK(counts.wavefronts() == counts.shared_read.requests + counts.shared_write.requests);
  CHECK(counts.conflicts() == 0);
  CHECK(counts.io() == 32);
}

TEST_CASE("every n around the borders of tiles and blocks sorts, counted exactly", "[algorithms]") {
  for (const std::string type : {"u32", "u64"}) {
    for (const std::int64_t registers : {4, 8}) {
      for (const std::int64_t turns : {1, 2}) {
        for (const bool skip_empty : {true, false}) {
          const std::int64_t tile = 16 * registers * turns;
          for (const std::int64_t tiles : {0, 1, 2, 3, 4, 5, 8, 11, 17}) {
            for (const std::int64_t more : {-9, -1, 0, 1, 8, 17}) {
              RunConfig config = config_of(tiles * tile + more, tile, type);
              if (config.n < 0) continue;
              config.parameters["registers"] = registers;
              config.spec.block_words = 8;
              config.spec.width = 16;
              config.spec.cores = 8 * 7;
              config.spec.shared_words = 512;
              config.spec.skip_empty = skip_empty;
              const Algorithm& algorithm = row(config.algorithm);
              config = resolve(algorithm, config);
              CAPTURE(type, registers, tile, config.n, skip_empty);
              test::checked_run(config);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("fused_bitonic_sort refuses what cannot run and says what to change", "[algorithms]") {
  const auto resolved = [](const RunConfig& config) {
    return resolve(row(config.algorithm), config);
  };
  RunConfig config = config_of(1000, 1024);
  CHECK(resolved(config).parameters.at("strides") == 5);
  config.parameters["tile"] = 1000;
  CHECK_THROWS_WITH(resolved(config), says("tile = 1000: must be a power of two"));
  config = config_of(1000, 1 << 14);
  CHECK_THROWS_WITH(resolved(config), says("to 8192 keys, which fit into M = 14528 words"));
  config = config_of(1000, 1024, "u64");
  config.parameters["registers"] = 16;
  CHECK_THROWS_WITH(resolved(config), says("from 4 to 8 keys of u64"));
  config = config_of(1000, 1024);
  config.parameters["strides"] = 6;
  CHECK_THROWS_WITH(resolved(config), says("with more than 5 the rows of a tile would be shorter"));
  config = config_of(1000, 1024);
  config.spec.width = 96;
  CHECK_THROWS_WITH(resolved(config), says("powers of two; here b = 32, V = 96"));
  config = config_of(1000, 64);
  config.spec.shared_words = 100;
  CHECK_THROWS_WITH(resolved(config), says("need 128 words of shared memory, but M = 100"));
  CHECK_THROWS_WITH(resolved(config_of((std::int64_t{1} << 30) + 1, 1024)),
                    says("more than 2^30 keys; sort parts"));
}

}  // namespace
}  // namespace agpusim

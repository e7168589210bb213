#include "agpusim/algorithms/bitonic_sort/program.hpp"
#include "agpusim/algorithms/reduce/program.hpp"
#include "agpusim/tests/support/rows.hpp"

// Numbers derived outside this program: theory 7 and the check scripts that go with it.
namespace agpusim {
namespace {

using test::row;

RunConfig config_of(const std::string& name, std::int64_t n) {
  return RunConfig{.algorithm = name, .n = n};
}

TEST_CASE("bitonic passes: 1, 3, 15, 120, 78", "[algorithms][golden]") {
  const auto passes = [](std::int64_t n, std::int64_t tile) {
    RunConfig config = config_of("bitonic_sort", n);
    config.parameters["tile"] = tile;
    const RunReport report = test::derived(resolve(row("bitonic_sort"), config));
    CHECK(report.total().io() == 2 * n / 32 * static_cast<std::int64_t>(report.phases.size()));
    return report.phases.size();
  };
  CHECK(passes(1 << 10, 1 << 10) == 1);
  CHECK(passes(1 << 11, 1 << 10) == 3);
  CHECK(passes(1 << 14, 1 << 10) == 15);
  CHECK(passes(1 << 24, 1 << 10) == 120);
  CHECK(passes(1 << 24, 1 << 13) == 78);
}

TEST_CASE("reduce n = 2^24, b = 32, k = 128: Q = 524421", "[algorithms][golden]") {
  RunConfig config = config_of("reduce", 1 << 24);
  config.spec.cores = 128 * 32;
  CHECK(test::derived(resolve(row("reduce"), config)).total().io() == 524421);
}

TEST_CASE("bitonic stages of a tile of 1024 keys on b = 32", "[algorithms][golden]") {
  // 55 stages of 512 comparators = 16 warps; strides 1..16 have degree 2, 32..512 degree 1 (theory
  // L2): of the stages, 40 have half < 32 (for sizes 2..32: 15; for 64..1024: 5 each).
  RunConfig config = config_of("bitonic_sort", 1024);
  config.parameters["tile"] = 1024;
  const Counts counts =
      row("bitonic_sort").simulate(resolve(row("bitonic_sort"), config), {}).report.total();
  CHECK(counts.shared_read.requests == 2 * 55 * 16 + 32);
  CHECK(counts.shared_read.conflicts == 2 * 40 * 16);
  CHECK(counts.shared_write.conflicts == 2 * 40 * 16);
  CHECK(counts.io() == 64);
}

TEST_CASE("transposition of a 64 x 64 matrix, b = 32", "[algorithms][golden]") {
  const auto total = [](const char* variant) {
    RunConfig config = config_of("transpose", 4096);
    config.variant = variant;
    return row("transpose").simulate(resolve(row("transpose"), config), {}).report.total();
  };
  CHECK(total("padded").io() == 256);
  CHECK(total("padded").conflicts() == 0);
  CHECK(total("tiled").io() == 256);
  CHECK(total("tiled").conflicts() == 128 * 31);  // every column read meets one bank
  CHECK(total("naive").io() == 128 + 4096);       // every element a block of its own
  CHECK(total("naive").wavefronts() == 0);
}

TEST_CASE("comparators of a stage", "[algorithms][golden]") {
  for (std::int64_t length = 0; length < 70; ++length) {
    for (std::int64_t half = 1; half < 64; half *= 2) {
      std::int64_t pairs = 0;
      for (std::int64_t i = 0; i < length; ++i)
        pairs += (i & half) == 0 && i + half < length ? 1 : 0;
      CAPTURE(length, half);
      CHECK(bitonic_sort::comparators(length, half) == pairs);
    }
  }
}

TEST_CASE("a plan of reduction ends with one value and covers the input", "[algorithms][golden]") {
  for (const std::int64_t n : {1, 5, 31, 32, 33, 1000, 12345, 1 << 20}) {
    for (const std::int64_t width : {1, 7, 32, 256}) {
      for (const std::int64_t most : {1, 3, 500}) {
        for (const std::int64_t rows : {1, 4}) {
          const auto plan = reduce::steps(n, {width, most, rows});
          CHECK(plan.front().host().n == n);
          CHECK(plan.back().host().tasks == 1);
          for (const Cut& phase : plan) {
            const Segments& step = phase.host();
            CHECK(step.tasks * step.per_task >= step.n);
            CHECK((step.tasks - 1) * step.per_task < step.n);
            CHECK(step.tasks <= most);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace agpusim

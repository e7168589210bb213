#include <algorithm>
#include <cstdint>

#include "agpusim/tests/support/rows.hpp"

// What the methods of a scan cost, derived by hand (theory 3.8 and L1).
namespace agpusim::scan_test {
namespace {

const Algorithm& scan_row() { return test::row("scan"); }

RunConfig scan_of(const std::string& variant, std::int64_t n, std::int32_t width,
                  std::int64_t tasks) {
  return resolve(
      scan_row(),
      {.variant = variant,
       .n = n,
       .spec = {.cores = 32 * tasks, .block_words = 32, .shared_words = 1 << 15, .width = width},
       .parameters = {{"tasks", tasks}}});
}

RunResult simulate(const RunConfig& config) { return test::checked_run(config); }

TEST_CASE("Q of a scan is 3n/b + 2k + 2 ceil(k/b) and k for what lies before",
          "[algorithms][scan]") {
  const std::int64_t n = 1 << 14;
  const std::int64_t b = 32;
  for (const std::int64_t most : {8, 64}) {
    const auto rest = [&](const RunReport& report) {
      const std::int64_t k = report.phases.front().tasks;  // whole tiles may need fewer
      CHECK(k <= most);
      CHECK(k > most / 2);
      return report.total().io() - (2 * k + 2 * (k / b + (k % b != 0 ? 1 : 0)));
    };
    for (const char* variant :
         {"sum", "max", "affine", "kogge_stone", "blelloch", "blelloch_padded"}) {
      CAPTURE(variant, most);
      CHECK(rest(simulate(scan_of(variant, n, 32, most)).report) == 3 * n / b);
    }
    CHECK(rest(simulate(scan_of("scan_then_add", n, 32, most)).report) == 4 * n / b);
  }
}

/// Conflicts of one access by `active` lanes that are `stride` words apart, from word `start` on.
std::int64_t conflicts_of(std::int64_t active, std::int64_t start, std::int64_t stride) {
  std::int64_t conflicts = 0;
  for (std::int64_t warp = 0; warp < active; warp += 32) {
    std::vector<int> requests(32, 0);
    for (std::int64_t lane = warp; lane < std::min(active, warp + 32); ++lane) {
      ++requests[static_cast<std::size_t>((start + lane * stride) % 32)];
    }
    conflicts += *std::max_element(requests.begin(), requests.end()) - 1;
  }
  return conflicts;
}

/// Conflicts in Blelloch's tree over 2P elements: 3 accesses per level up, 4 down.
std::int64_t tree_conflicts(std::int64_t lanes) {
  std::int64_t conflicts = 0;
  for (std::int64_t pairs = lanes, distance = 1; pairs > 0; pairs /= 2, distance *= 2) {
    const std::int64_t left = conflicts_of(pairs, distance - 1, 2 * distance);
    const std::int64_t right = conflicts_of(pairs, 2 * distance - 1, 2 * distance);
    conflicts += (left + 2 * right) + 2 * (left + right);
  }
  return conflicts;
}

TEST_CASE("Blelloch's tree conflicts on the banks, the padded one does not", "[algorithms][scan]") {
  CHECK(tree_conflicts(32) == 35);  // degree 2 at five levels: 5 (3 + 4)
  for (const std::int32_t width : {32, 64, 512}) {
    const std::int64_t tiles = 4;
    const std::int64_t n = 2 * width * tiles;
    const auto segments = [&](const char* variant) {
      RunConfig config = scan_of(variant, n, width, 1);
      return simulate(config).report.phases.at(2).counts;
    };
    CAPTURE(width);
    CHECK(segments("blelloch").conflicts() == tiles * tree_conflicts(width));
    CHECK(segments("blelloch_padded").conflicts() == 0);
    CHECK(segments("kogge_stone").conflicts() == 0);
    CHECK(segments("sum").conflicts() == 0);
  }
}

TEST_CASE("64-bit trees conflict as the H200 counts it", "[algorithms][scan]") {
  RunConfig config = scan_of("blelloch", 4096, 32, 528);
  config.type = "u64";
  const Counts counts = simulate(config).report.phases.at(2).counts;
  // validation/data/h200/counters.jsonl: scan_segments, n = 4096, V = 32, u64
  CHECK(counts.shared_read.conflicts == 3072);
  CHECK(counts.shared_write.conflicts == 2304);
  CHECK(counts.shared_read.wavefronts == 5184);
  CHECK(counts.shared_write.wavefronts == 3968);
}

TEST_CASE("Kogge and Stone's scan costs lg V instructions per row, c neighbours a lane few",
          "[algorithms][scan]") {
  const auto instructions = [](const char* variant) {
    return simulate(scan_of(variant, 1 << 16, 512, 4)).report.phases.at(2).counts.instructions();
  };
  CHECK(instructions("kogge_stone") > 2 * instructions("sum"));
}

TEST_CASE("exclusive and inclusive scans by every method", "[algorithms][scan]") {
  for (const std::string& variant : variant_names(scan_row())) {
    for (const std::int64_t exclusive : {0, 1}) {
      for (const std::int64_t n : {0, 1, 2, 63, 64, 65, 777, 4096, 5003}) {
        for (const std::int32_t width : {32, 96}) {
          RunConfig config = scan_of(variant, n, width, 3);
          config.parameters["exclusive"] = exclusive;
          CAPTURE(variant, exclusive, n, width);
          simulate(resolve(scan_row(), config));
        }
      }
    }
  }
}

TEST_CASE("a scan begins with init, and a run without one is a run as before",
          "[algorithms][scan]") {
  for (const std::string& variant : variant_names(scan_row())) {
    for (const std::int64_t exclusive : {0, 1}) {
      RunConfig config = scan_of(variant, 777, 32, 3);
      config.parameters["exclusive"] = exclusive;
      const RunResult usual = simulate(resolve(scan_row(), config));
      config.parameters["init"] = 5;
      CAPTURE(variant, exclusive);
      const RunConfig begun = resolve(scan_row(), config);
      CHECK(begun.parameters.at("init") == 5);
      const RunResult result = simulate(begun);
      CHECK(result.report.phases == usual.report.phases);
      if (variant != "max") CHECK(result.checksum != usual.checksum);
      config.parameters["init"] = 0;
      CHECK_FALSE(resolve(scan_row(), config).parameters.contains("init"));
    }
  }
  RunConfig wide = scan_of("sum", 100, 32, 3);
  wide.parameters["init"] = std::int64_t{1} << 32;
  CHECK_THROWS_WITH(resolve(scan_row(), wide), says("does not fit"));
}

TEST_CASE("a scan whose tile does not fit M says what it needs", "[algorithms][scan]") {
  RunConfig config = scan_of("blelloch", 1000, 64, 2);
  config.spec.shared_words = 127;
  CHECK_THROWS_WITH(resolve(scan_row(), config),
                    says("needs 128 words of shared memory", "M = 127"));
}

}  // namespace
}  // namespace agpusim::scan_test

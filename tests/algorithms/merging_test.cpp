#include <cstdint>

#include "agpusim/tests/support/rows.hpp"

// Merging and searching of sorted arrays: costs by hand. That results are right for all sizes,
// machines and inputs is in sweep_test.cpp.
namespace agpusim {
namespace {

RunConfig run_of(const std::string& algorithm, const std::string& variant, std::int64_t n,
                 const std::string& input) {
  return resolve(test::row(algorithm), {.algorithm = algorithm,
                                        .variant = variant,
                                        .n = n,
                                        .input = input,
                                        .spec = {.cores = 32 * 8}});
}

TEST_CASE("a tile of the merge path is read once and written once", "[algorithms][merging]") {
  // 8 tiles of 32 lanes, 9 keys each. Of equal keys those of A come first: 4 tiles are A, 4 are B.
  const RunReport report =
      test::checked_run(run_of("merge_sorted", "merge_path", 8 * 288, "equal")).report;
  REQUIRE(report.phases.size() == 2);
  const PhaseReport& merge = report.phases.back();
  CHECK(merge.tasks == 8);
  CHECK(merge.counts.global_read.blocks == 8 * (288 / 32 + 2));  // and two cuts
  CHECK(merge.counts.global_write.blocks == 8 * 288 / 32);
  // Lane i writes words 9i, 9i + 1, ..., which fall into other banks for every lane.
  const RunReport sorted =
      test::checked_run(run_of("merge_sorted", "merge_path", 8 * 288, "sorted")).report;
  CHECK(sorted.phases.back().counts.shared_write.conflicts == 0);
}

TEST_CASE("a search probes one block in each of lg n + 1 rounds where all keys are equal",
          "[algorithms][merging]") {
  const Counts search =
      test::checked_run(run_of("sorted_search", "", 1024, "equal")).report.total();
  CHECK(search.global_read.blocks == 1024 / 32 * (1 + 11));
  CHECK(search.global_write.blocks == 1024 / 32);
  const Counts ranks =
      test::checked_run(run_of("merge_sorted", "ranks", 2048, "equal")).report.total();
  CHECK(ranks.global_read.blocks == 2048 / 32 * (1 + 11));
  CHECK(ranks.global_write.blocks == 2048 / 32);
}

TEST_CASE("cutting at diagonals moves fewer blocks than a search for every key",
          "[algorithms][merging]") {
  for (const char* const input : {"uniform", "sorted", "few_distinct"}) {
    const auto io = [&](const char* variant) {
      return test::checked_run(run_of("merge_sorted", variant, 1 << 15, input)).report.total().io();
    };
    CAPTURE(input);
    CHECK(io("merge_path") < io("ranks") / 2);
  }
}

TEST_CASE("a tile that does not fit is refused with the remedy", "[algorithms][merging]") {
  RunConfig config{.n = 1000, .spec = {.shared_words = 288}};
  CHECK_THROWS_WITH(resolve(test::row("merge_sorted"), config), says("289 words", "variant ranks"));
  config.spec.shared_words = 289;
  test::checked_run(resolve(test::row("merge_sorted"), config));
}

}  // namespace
}  // namespace agpusim

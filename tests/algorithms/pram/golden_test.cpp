#include "agpusim/algorithms/common/pram/integer_sorts.hpp"
#include "agpusim/algorithms/common/pram/maximum.hpp"
#include "agpusim/algorithms/common/pram/prefix_sums.hpp"
#include "agpusim/tests/support/rows.hpp"

// Values computed by hand, or by an independent program for the derivations in theory 3.2 and 3.3.
namespace agpusim {
namespace {

using Numbers = std::vector<std::int64_t>;

RunConfig config_of(std::int64_t n, const std::string& input = "",
                    std::map<std::string, std::int64_t> parameters = {}) {
  RunConfig config = run_on_pram();
  config.n = n;
  config.input = input;
  config.parameters = std::move(parameters);
  return config;
}

PramRunResult run(const std::string& algorithm, const std::string& variant, RunConfig config) {
  const Algorithm& row = test::all_rows().find_on_pram(algorithm);
  config.variant = variant;
  return row.pram->run(resolve(row, config, true), {1, false, 0});
}

PramRunResult run_values(const std::string& algorithm, const std::string& variant,
                         const std::string& values, std::int64_t n,
                         std::map<std::string, std::int64_t> parameters = {}) {
  return run(algorithm, variant, config_of(n, "values:" + values, std::move(parameters)));
}

/// The bill of prefix sums of m ones.
PramReport scan_report(const std::string& variant, std::int64_t m) {
  const PramRunResult result = run("scan", variant, config_of(m, "ones"));
  REQUIRE(result.correct);
  return result.report;
}

TEST_CASE("prefix sums on a Sum-CRCW PRAM cost what theory 3.2 derives", "[pram][golden]") {
  struct Row {
    std::int64_t m;
    std::int64_t dyadic;  // processors of the machine
    std::int64_t dyadic_work;
    std::int64_t dyadic_cells;
    std::int64_t nested;
    std::int64_t nested_work;  // and that of log_star
    std::int64_t nested_cells;
    std::int64_t log_star_steps;
    std::int64_t log_star;
    std::int64_t optimal_steps;
    std::int64_t optimal;
    std::int64_t optimal_work;
  };
  const std::vector<Row> rows = {
      {2, 4, 6, 7, 4, 10, 10, 5, 4, 8, 4, 16},
      {3, 6, 10, 11, 9, 22, 20, 9, 5, 10, 4, 18},
      {5, 15, 22, 20, 20, 47, 38, 13, 9, 12, 4, 22},
      {7, 21, 33, 27, 28, 68, 56, 13, 11, 16, 5, 39},
      {8, 32, 45, 31, 32, 78, 62, 13, 14, 16, 5, 41},
      {16, 80, 113, 63, 64, 168, 118, 13, 32, 20, 10, 96},
      {17, 85, 120, 70, 85, 202, 142, 17, 31, 22, 9, 86},
      {33, 198, 281, 135, 165, 401, 274, 17, 55, 22, 17, 164},
      {37, 222, 315, 150, 185, 453, 310, 17, 61, 22, 20, 183},
      {100, 700, 1019, 401, 500, 1249, 856, 17, 158, 26, 45, 525},
      {255, 2040, 3064, 1019, 1275, 3260, 2104, 17, 445, 26, 106, 1374},
      {257, 2313, 3340, 1034, 1285, 3256, 2057, 17, 485, 26, 103, 1385},
      {1000, 10000, 14938, 4000, 5000, 12906, 7800, 17, 2000, 26, 438, 5448},
      {1024, 11264, 16385, 4095, 5120, 13220, 7988, 17, 2048, 26, 448, 5576},
      {5000, 65000, 94809, 20004, 25000, 67357, 39234, 17, 9616, 26, 2386, 27410}};
  for (const Row& row : rows) {
    CAPTURE(row.m);
    const PramReport dyadic = scan_report("dyadic", row.m);
    CHECK(dyadic.time() == 2);
    CHECK(dyadic.processors() == row.dyadic);
    CHECK(dyadic.work() == row.dyadic_work);
    CHECK(dyadic.cells == row.dyadic_cells);
    const PramReport nested = scan_report("nested", row.m);
    CHECK(nested.time() == 4);
    CHECK(nested.processors() == row.nested);
    CHECK(nested.work() == row.nested_work);
    CHECK(nested.cells == row.nested_cells);
    const PramReport log_star = scan_report("log_star", row.m);
    CHECK(log_star.time() == row.log_star_steps);
    CHECK(log_star.processors() == row.log_star);
    CHECK(log_star.work() == row.nested_work);
    const PramReport optimal = scan_report("work_optimal", row.m);
    CHECK(optimal.time() == row.optimal_steps);
    CHECK(optimal.processors() == row.optimal);
    CHECK(optimal.work() == row.optimal_work);
  }
}

TEST_CASE("scans without concurrent writes cost what a count by hand gives", "[pram][golden]") {
  const PramReport doubling = scan_report("hillis_steele", 8);
  CHECK(doubling.time() == 3);
  CHECK(doubling.processors() == 7);
  CHECK(doubling.work() == 7 + 6 + 4);
  const PramReport eight = scan_report("blelloch", 8);
  CHECK(eight.time() == 3 + 2);
  CHECK(eight.processors() == 4);
  CHECK(eight.work() == 4 + 2 + 1 + 1 + 3);
  const PramReport seven = scan_report("blelloch", 7);
  CHECK(seven.time() == 2 + 2);
  CHECK(seven.work() == 3 + 1 + 1 + 3);
}

TEST_CASE("a scan begins with init", "[pram][golden]") {
  const Algorithm& row = test::all_rows().find_on_pram("scan");
  for (const Variant& variant : row.pram->variants) {
    CAPTURE(variant.name);
    for (const std::int64_t n : {0, 1, 2, 3, 7, 100}) {
      CAPTURE(n);
      RunConfig config = config_of(n, "ones", {{"init", -5}});
      const PramRunResult result = run("scan", variant.name, config);
      CHECK(result.correct);
      if (n > 0) CHECK(result.output.back() == n - 5);
      config.variant = variant.name;
      const PramForm form = row.pram->closed_form(resolve(row, config, true));
      CHECK(form.steps == result.report.time());
      CHECK(form.processors == result.report.processors());
      CHECK(form.work == result.report.work());
    }
  }
  const RunConfig config = config_of(8, "ones", {{"init", 1}});
  CHECK(run("scan", "dyadic", config).report.processors() == 8 * (3 + 1) + 8);
  CHECK(run("scan", "blelloch", config).report.time() == 3 + 2 + 1);
}

TEST_CASE("outputs of small inputs", "[pram][golden]") {
  for (const char* const variant :
       {"dyadic", "nested", "log_star", "work_optimal", "hillis_steele", "blelloch"}) {
    CAPTURE(variant);
    CHECK(run_values("scan", variant, "3,-1,4,1,-5,9,2", 7).output ==
          Numbers{3, 2, 6, 7, 2, 11, 13});
  }
  for (const char* const variant : {"sum_crcw", "tree"}) {
    CHECK(run_values("sum", variant, "3,-1,4,1,-5", 5).output == Numbers{2});
    CHECK(run_values("sum", variant, "", 0).output == Numbers{0});
  }
  for (const char* const variant : {"xor_crcw", "sum_crcw", "tree"}) {
    CHECK(run_values("parity", variant, "1,0,1,1,0", 5).output == Numbers{1});
    CHECK(run_values("parity", variant, "1,0,1,0,0", 5).output == Numbers{0});
    CHECK(run_values("parity", variant, "0", 1).output == Numbers{0});
    CHECK(run_values("parity", variant, "", 0).output == Numbers{0});
  }
  for (const char* const variant : {"max_crcw", "common_quadratic", "doubly_log", "tournament"}) {
    CHECK(run_values("maximum", variant, "-3,-1,-4,-1,-5", 5).output == Numbers{-1});
    CHECK(run_values("maximum", variant, "", 0).output == Numbers{});
  }
  for (const char* const variant : {"common", "combining", "tree"}) {
    CHECK(run_values("or", variant, "0,0,1", 3).output == Numbers{1});
    CHECK(run_values("or", variant, "0,0", 2).output == Numbers{0});
    CHECK(run_values("or", variant, "", 0).output == Numbers{0});
    CHECK(run_values("and", variant, "1,1,0", 3).output == Numbers{0});
    CHECK(run_values("and", variant, "1,1", 2).output == Numbers{1});
    CHECK(run_values("and", variant, "", 0).output == Numbers{1});
  }
  for (const char* const variant : {"ranks", "merge_path"}) {
    CHECK(run_values("merge_sorted", variant, "1,3,5,2,3", 5).output == Numbers{1, 2, 3, 3, 5});
    CHECK(run_values("merge_sorted", variant, "7,8,9,1,2,3", 6).output ==
          Numbers{1, 2, 3, 7, 8, 9});
  }
  for (const char* const variant : {"wyllie", "random_mate"}) {
    CHECK(run_values("list_ranking", variant, "2,-1,1", 3).output == Numbers{2, 0, 1});
    CHECK(run_values("list_ranking", variant, "1,2,3,4,5,6,-1", 7).output ==
          Numbers{6, 5, 4, 3, 2, 1, 0});
  }
  CHECK(
      run_values("histogram", "sum_crcw", "-2,0,0,-2,-2", 5, {{"min", -3}, {"range", 5}}).output ==
      Numbers{0, 3, 0, 2, 0});
  CHECK(run_values("rank_sort", "sum_crcw", "2,1,2,-7", 4, {{"min", -9}, {"range", 20}}).output ==
        Numbers{-7, 1, 2, 2});
}

TEST_CASE("H-P sort costs 7 steps on a Sum-CRCW PRAM", "[pram][golden]") {
  const PramRunResult result = run("hp_sort", "dyadic", config_of(1000, "", {{"range", 500}}));
  CHECK(result.correct);
  CHECK(result.report.time() == 7);
  CHECK(result.report.processors() == 11000);
  CHECK(result.report.work() == 25661);
  CHECK(result.report.cells == 7001);
  // The top level of the dyadic sums: the 512 first elements of B in one cell, the 256 of A.
  CHECK(result.report.contention() == 512);
  CHECK(result.report.qrqw_time() >= 512 + 256);
}

TEST_CASE("H-P sort with dyadic or nested sums reads one cell per processor and step",
          "[pram][golden]") {
  for (const char* const variant : {"dyadic", "nested"}) {
    RunConfig config = config_of(100);
    config.pram->reads_per_step = 1;
    CHECK(run("hp_sort", variant, config).correct);
  }
}

TEST_CASE("the sorts of seed 000 on the example of theory 7", "[pram][golden]") {
  const Numbers keys = {3, 3, 1, 1, 1, 7};
  for (const PrefixSums kind :
       {PrefixSums::dyadic, PrefixSums::nested, PrefixSums::log_star, PrefixSums::work_optimal}) {
    CAPTURE(to_string(kind));
    {
      Pram pram{PramSpec{}};
      const HpSort s = hp_sort(pram, pram.array(keys, "x"), {0, 8}, kind);
      CHECK(pram.values(s.a) == Numbers{0, 3, 0, 2, 0, 0, 0, 1});
      CHECK(pram.values(s.ap) == Numbers{0, 3, 3, 5, 5, 5, 5, 6});
      CHECK(pram.values(s.b) == Numbers{1, 0, 0, 2, 0, 4, 1});
      CHECK(pram.values(s.y) == Numbers{1, 1, 1, 3, 3, 7});
    }
    {
      Pram pram{PramSpec{}};
      const OneHpSort s = one_hp_sort(pram, pram.array(keys, "x"), {0, 8}, kind);
      CHECK(pram.values_or(s.y, -1) == Numbers{1, -1, -1, 3, -1, 7});
    }
    {
      Pram pram{PramSpec{}};
      const auto s = zero_compressed_hp_sort(pram, pram.array(keys, "x"), {0, 8}, kind);
      CHECK(pram.values(s.a01p) == Numbers{0, 1, 1, 2, 2, 2, 2, 3});
      CHECK(pram.values(s.c) == Numbers{3, 2, 1});
      CHECK(pram.values(s.ic) == Numbers{1, 3, 7});
      CHECK(pram.values(s.cp) == Numbers{3, 5, 6});
      CHECK(pram.values(s.b) == Numbers{1, 0, 0, 2, 0, 4});
      CHECK(pram.values(s.y) == Numbers{1, 1, 1, 3, 3, 7});
    }
  }
}

TEST_CASE("B of the 0-compressed sort carries the smallest key in its first cell",
          "[pram][golden]") {
  const Numbers keys = {-3, -5, -3, 2};
  Pram pram{PramSpec{}};
  const PramArray x = pram.array(keys, "x");
  const HpSort hp = hp_sort(pram, x, {-6, 10}, PrefixSums::dyadic);
  const auto compressed = zero_compressed_hp_sort(pram, x, {-6, 10}, PrefixSums::dyadic);
  CHECK(pram.values(hp.b) == Numbers{1, 2, 0, 5, 2});
  CHECK(pram.values(compressed.b) == Numbers{-5, 2, 0, 5});
}

TEST_CASE("1-H-P takes 5 and 0-compressed H-P 11 steps with dyadic sums", "[pram][golden]") {
  const PramRunResult one = run("one_hp_sort", "dyadic", config_of(100));
  CHECK(one.report.time() == 5);
  CHECK(one.report.processors() == 700);
  // The prefixes of 100 elements are composed of 319 intervals, the set bits of 1..100.
  CHECK(one.report.work() == 100 + 100 + 700 + 319 + 100);
  const PramRunResult compressed =
      run("zero_compressed_hp_sort", "dyadic", config_of(100, "", {{"range", 200}, {"values", 3}}));
  CHECK(compressed.report.time() == 11);
  CHECK(compressed.report.processors() == 200 * 8);
  CHECK(compressed.report.work() ==
        300 + 100 + 200 + (1600 + 735) + 400 + (3 * 2 + 4) + 5 + (700 + 319));
}

TEST_CASE("rank sort is stable", "[pram][golden]") {
  Pram pram{PramSpec{}};
  CHECK(pram.values(rank_sort(pram, pram.array(Numbers{2, 1, 2}, "x")).rank) == Numbers{1, 0, 2});
  CHECK(pram.values(rank_sort(pram, pram.array(Numbers{1, 5, 2, 4, 7}, "x")).rank) ==
        Numbers{0, 3, 1, 2, 4});
  CHECK(pram.values(rank_sort(pram, pram.array(Numbers{4, 4, 4, 4}, "x")).rank) ==
        Numbers{0, 1, 2, 3});
}

TEST_CASE("the maximum by growing groups takes O(log log n) rounds", "[pram][golden]") {
  // Candidates: 21 -> 7 -> 1; 1000 -> 334 -> 56 -> 2 -> 1.
  CHECK(maximum_by_growing_groups_form(1).steps == 0);
  CHECK(maximum_by_growing_groups_form(2).steps == 3);
  CHECK(maximum_by_growing_groups_form(3).steps == 3);
  CHECK(maximum_by_growing_groups_form(21).steps == 6);
  CHECK(maximum_by_growing_groups_form(1000).steps == 12);
  CHECK(maximum_by_growing_groups_form(1'000'000).steps == 15);
  for (std::int64_t n = 2; n <= 3000; ++n) {
    CAPTURE(n);
    REQUIRE(maximum_by_growing_groups_form(n).processors == n);
  }
}

TEST_CASE("matrices, lists and concurrent writes cost what a count by hand gives",
          "[pram][golden]") {
  const RunConfig two = config_of(2, "sorted");  // (0 1, 2 3) and (4 5, 6 7)
  for (const char* const variant : {"sum_crcw", "trees", "rows", "rotated"}) {
    CHECK(run("matrix_product", variant, two).output == Numbers{6, 7, 26, 31});
  }
  CHECK(run("matrix_product", "trees", two).report.work() == 8 + 4);
  const PramReport ranking = run("list_ranking", "wyllie", config_of(8)).report;
  CHECK(ranking.time() == 6);
  CHECK(ranking.work() == 8 + (7 + 6 + 4) + (7 + 6));
  const PramReport step = run("sum_step", "sorted", config_of(4)).report;
  CHECK(step.time() == 2 + 3 * 2 + 2 + 1);
  CHECK(step.work() == 4 * (2 + 3 * 2) + (3 + 2) + 4);
}

TEST_CASE("connected components of known graphs, sparse and dense, whoever wins a cell",
          "[pram][golden]") {
  const Algorithm& row = test::all_rows().find_on_pram("connected_components");
  const auto components = [&](RunConfig config, PramAccess access) {
    config.pram->access = access;
    config = resolve(row, config, false);
    const PramRunResult result = row.pram->run(config, {1, false, 0});
    const PramForm form = row.pram->closed_form(config);
    CAPTURE(config.n, config.input, config.parameters["edges"], config.seed, to_string(access));
    REQUIRE(result.correct);
    REQUIRE(result.report.time() == form.steps);
    REQUIRE(result.report.work() == form.work);
    return result.output;
  };
  for (const PramAccess access : row.pram->variants.front().machines) {
    RunConfig config = config_of(5, "pairs");
    CHECK(components(config, access) == Numbers{0, 0, 2, 2, 4});
    config.input = "loops";
    CHECK(components(config, access) == Numbers{0, 1, 2, 3, 4});
    config.input = "path";
    CHECK(components(config, access) == Numbers{0, 0, 0, 0, 0});
    config.input = "uniform";
    for (config.n = 1; config.n <= 24; ++config.n) {
      for (std::int64_t edges = 0; edges <= 2 * config.n; edges += 1 + config.n / 6) {
        config.parameters["edges"] = edges;
        ++config.seed;
        static_cast<void>(components(config, access));
      }
    }
  }
}

}  // namespace
}  // namespace agpusim

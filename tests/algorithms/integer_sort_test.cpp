#include "agpusim/algorithms/integer_sorts/integer_sort.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/algorithms/integer_sorts/zero_compressed_hp_sort/kernel.hpp"
#include "agpusim/algorithms/integer_sorts/zero_compressed_hp_sort/lemmas.hpp"
#include "agpusim/algorithms/scan/program.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/kernels.hpp"
#include "agpusim/tests/support/rows.hpp"

// The sorts by histogram and prefix sums (seed 000): golden arrays, edges, refusals, I/O.
namespace agpusim {
namespace {

using Keys = std::vector<std::int32_t>;

const std::vector<std::string> sorts = {"hp_sort", "zero_compressed_hp_sort", "run_head_hp_sort",
                                        "fused_hp_sort", "one_hp_sort"};

RunConfig with_keys(const std::string& algorithm, const std::string& keys, std::int64_t n,
                    std::int64_t min, std::int64_t range) {
  return resolve(test::row(algorithm), {.algorithm = algorithm,
                                        .type = "i32",
                                        .n = n,
                                        .input = "values:" + keys,
                                        .spec = small_machine(),
                                        .parameters = {{"min", min}, {"range", range}}});
}

RunResult run(const RunConfig& config) {
  return test::row(config.algorithm).simulate(config, {1, true, true, {}});
}

/// The input of theory 7 on a device: x, its histogram A and the prefix sums Ap.
struct WorkedExample {
  using Array = SimulatedDevice::Array<std::int32_t>;

  WorkedExample() {
    device.upload<std::int32_t>(x, Keys{3, 3, 1, 1, 1, 7});
    count({6, 0, 8}, x, a);
    prefix_sums(a, ap, 8);
  }
  template <class Program>
  void launch(const Program& program) {
    own_program<SimulatedDevice, std::int32_t>(device, {.spec = spec}, [&](auto& run) {
      program(run);
      run.result(x);
    })->run();
  }
  void count(const histogram::Bins& bins, const Array& keys, const Array& counts) {
    launch([&](auto& run) {
      histogram::launch(run, bins, histogram::Place::global, how, keys, counts);
    });
  }
  void prefix_sums(const Array& from, const Array& to, std::int64_t n,
                   scan::Kind kind = scan::Kind::inclusive) {
    launch([&](auto& run) {
      scan::launch<operators::Sum<std::int32_t>>(run, Cut(n, how), scan::LaneSerial{spec.width, 3},
                                                 from, to, kind, 0);
    });
  }

  AgpuSpec spec = [] {
    AgpuSpec s = small_machine();
    s.shared_words = 256;
    return s;
  }();
  Segmentation how{spec.width, 2, 1};
  SimulatedDevice device{spec};
  Array x = device.allocate<std::int32_t>(6, "x");
  Array a = device.allocate<std::int32_t>(8, "A");
  Array ap = device.allocate<std::int32_t>(8, "Ap");
};

TEST_CASE("the worked example of theory 7: A, Ap, B and y", "[algorithms][integer_sort]") {
  WorkedExample e;
  CHECK(e.device.download(e.a) == Keys{0, 3, 0, 2, 0, 0, 0, 1});
  CHECK(e.device.download(e.ap) == Keys{0, 3, 3, 5, 5, 5, 5, 6});
  const auto b = e.device.allocate<std::int32_t>(7, "B");
  const auto y = e.device.allocate<std::int32_t>(6, "y");
  e.count({8, 0, 7}, e.ap, b);
  CHECK(e.device.download(b) == Keys{1, 0, 0, 2, 0, 4, 1});
  e.prefix_sums(b, y, 6);
  CHECK(e.device.download(y) == Keys{1, 1, 1, 3, 3, 7});
}

TEST_CASE("the worked example of theory 7: C, iC and B of the 0-compressed sort",
          "[algorithms][integer_sort]") {
  using namespace zero_compressed_hp_sort;
  WorkedExample e;
  const auto a01 = e.device.allocate<std::int32_t>(8, "A01");
  const auto ranks = e.device.allocate<std::int32_t>(8, "A01p");
  const Cut values(8, e.how);
  e.device.launch(values.host().tasks, Binarize{values}, e.a, a01);
  e.prefix_sums(a01, ranks, 8);
  const auto c = e.device.allocate<std::int32_t>(3, "C");
  const auto ic = e.device.allocate<std::int32_t>(3, "iC");
  const auto cp = e.device.allocate<std::int32_t>(3, "Cp");
  e.device.launch(values.host().tasks, Compress{values, 0}, e.a, ranks, c, ic);
  CHECK(e.device.download(ranks).back() == 3);
  CHECK(e.device.download(c) == Keys{3, 2, 1});
  CHECK(e.device.download(ic) == Keys{1, 3, 7});
  e.prefix_sums(c, cp, 3, scan::Kind::exclusive);
  CHECK(e.device.download(cp) == Keys{0, 3, 5});
  const auto b = e.device.allocate<std::int32_t>(6, "B");
  e.device.upload<std::int32_t>(b, Keys(6, 0));
  const Cut occurring(6, e.how, 7);
  e.device.launch(occurring.most_tasks(), Expand{occurring}, cp, ic, b, ranks);
  CHECK(e.device.download(b) == Keys{1, 0, 0, 2, 0, 4});
}

TEST_CASE("the edges of n, minimum and range sort", "[algorithms][integer_sort]") {
  constexpr std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();
  for (const std::string& name : sorts) {
    CAPTURE(name);
    const RunResult empty = run(with_keys(name, "", 0, 0, 0));
    CHECK(empty.correct);
    CHECK(empty.report.phases.empty());
    CHECK(run(with_keys(name, "", 0, -5, 100)).correct);
    CHECK(run(with_keys(name, "-5", 1, -5, 1)).correct);
    CHECK(run(with_keys(name, "94", 1, -5, 100)).correct);
    CHECK(run(with_keys(name, "3,-1,2,-4,0", 5, -4, 8)).correct);
    CHECK(run(with_keys(name, "-2147483648,-2147483640", 2, lowest, 9)).correct);
    CHECK(run(with_keys(name, "2147483647,2147483640", 2, highest - 7, 8)).correct);
    if (name == "one_hp_sort") continue;
    CHECK(run(with_keys(name, "3,3,1,1,1,7", 6, 0, 8)).correct);
    CHECK(run(with_keys(name, "7,7,7,7,7,7,7,7,7,7", 10, 0, 8)).correct);
    CHECK(run(with_keys(name, "-8,-8,-8", 3, -8, 1)).correct);
  }
}

TEST_CASE("a key outside the range is refused by name, for the first of them",
          "[algorithms][integer_sort]") {
  for (const std::string& name : sorts) {
    CAPTURE(name);
    CHECK_THROWS_WITH(with_keys(name, "1,9,8", 3, 0, 8), says("x[1] = 9", "0 <= key < 8"));
    CHECK_THROWS_WITH(with_keys(name, "0,1,-1", 3, 0, 8), says("x[2] = -1"));
    CHECK_THROWS_WITH(with_keys(name, "0,one", 2, 0, 8), says("x[1] = 'one'"));
    CHECK_THROWS_WITH(with_keys(name, "0,1", 3, 0, 8), says("2 keys", "n = 3"));
    CHECK_THROWS_AS(with_keys(name, "", 1, 0, 0), UsageError);
  }
}

TEST_CASE("a range that keys or counts cannot have is refused", "[algorithms][integer_sort]") {
  const auto refuse = [](std::int64_t n, std::int64_t min, std::int64_t range,
                         std::int64_t values) {
    CHECK_THROWS_AS(generate_keys("uniform", {n, min, range, values}, 1), UsageError);
  };
  refuse(1, 0, 0, 0);
  refuse(1, 0, 10, 0);
  refuse(1, 0, 10, 11);
  refuse(1, 0, std::int64_t{1} << 31, 1);
  refuse(1, std::numeric_limits<std::int32_t>::max(), 2, 1);
  refuse(1, std::numeric_limits<std::int32_t>::min() - std::int64_t{1}, 2, 1);
  CHECK_THROWS_WITH(generate_keys("distinct", {11, 0, 10, 10}, 1), says("n = 11"));
  CHECK_THROWS_AS(generate_keys("gaussian", {1, 0, 10, 10}, 1), UsageError);
}

TEST_CASE("1-H-P reports the smallest repeated key instead of garbage",
          "[algorithms][integer_sort]") {
  const Algorithm& row = test::row("one_hp_sort");
  const auto refused = [&](const std::string& keys, std::int64_t n, std::int64_t min,
                           std::int64_t range, const std::string& key) {
    CHECK_THROWS_WITH(row.simulate(with_keys("one_hp_sort", keys, n, min, range), {}),
                      says("key " + key + " occurs more than once", "hp_sort"));
  };
  refused("3,3,1,1,1,7", 6, 0, 8, "1");
  refused("-3,5,-3", 3, -4, 10, "-3");
  refused("2147483647,2147483647", 2, 2147483640, 8, "2147483647");
  RunConfig config{
      .type = "i32", .n = 100, .input = "sorted", .parameters = {{"values", 50}, {"range", 200}}};
  CHECK_THROWS_WITH(resolve(row, config), says("distinct"));
}

TEST_CASE("the equivalent tail of 1-H-P goes through the keys", "[algorithms][integer_sort]") {
  const auto report = [](const std::string& variant, const std::string& input) {
    RunConfig config{.algorithm = "one_hp_sort",
                     .variant = variant,
                     .type = "i32",
                     .n = 4096,
                     .input = input,
                     .parameters = {{"range", 8192}}};
    return test::checked_run(resolve(test::row("one_hp_sort"), config)).report;
  };
  const auto tail = [&](const std::string& variant, const std::string& input) {
    return report(variant, input).phases.back().counts;
  };
  const std::int64_t b = 32;
  // In order: the keys, for 32 of them two blocks of Ap, and their places.
  const Counts sorted = tail("by_keys", "sorted");
  CHECK(sorted.global_read.blocks == 4096 / b + 8192 / b);
  CHECK(sorted.global_write.blocks == 4096 / b);
  CHECK(tail("global", "sorted").global_read.blocks > 2 * 8192 / b);
  // In random order nearly every key has a block of its own, twice.
  const Counts random = tail("by_keys", "distinct");
  CHECK(random.global_read.blocks > 4096 * 8 / 10);
  CHECK(random.global_write.blocks > 4096 * 8 / 10);
  CHECK(report("by_keys", "distinct").total().io() > report("global", "distinct").total().io());

  RunConfig config = with_keys("one_hp_sort", "3,1,1,7", 4, 0, 8);
  config.variant = "by_keys";
  CHECK_THROWS_WITH(resolve(test::row("one_hp_sort"), config), says("key 1 occurs more than once"));
}

TEST_CASE("a run of 0-compressed H-P says that lemmas 1 and 2 hold", "[algorithms][integer_sort]") {
  const Algorithm& row = test::row("zero_compressed_hp_sort");
  for (const std::string& input : row.inputs) {
    for (const std::int64_t range : {1000, 1013, 5000}) {
      RunConfig config{.algorithm = row.name,
                       .type = "i32",
                       .n = 1000,
                       .input = input,
                       .parameters = {{"range", range}, {"min", -77}}};
      const RunResult result = test::checked_run(resolve(row, config));
      CAPTURE(input, range);
      REQUIRE(result.values.size() == 2);
      CHECK(result.values[0].value.find("holds for len = ") == 0);
      CHECK(result.values[1].value == "holds for 1000 places");
    }
  }
  using namespace zero_compressed_hp_sort;
  // Keys 3, 1, 3 with min = 0: values 1 and 3 occur.
  const Arrays right = {{0, 1, 0, 2}, {0, 1, 1, 2}, {1, 2}, {1, 3}, {0, 1}, {1, 2, 0}, 0};
  CHECK(failure_of_lemma_1(right) == "");
  CHECK(failure_of_lemma_2(right) == "");
  Arrays wrong = right;
  wrong.ic[1] = 2;
  CHECK_THAT(failure_of_lemma_1(wrong), says("FAILS for v = 3"));
  CHECK_THAT(failure_of_lemma_2(wrong), says("FAILS for i = 1"));
  wrong = right;
  wrong.b[2] = 1;
  CHECK(failure_of_lemma_1(wrong) == "");
  CHECK_THAT(failure_of_lemma_2(wrong), says("FAILS for i = 2"));
}

TEST_CASE("kinds of keys are what their names say", "[algorithms][inputs]") {
  const KeyShape shape{5000, -70, 1000, 50};
  for (const std::string& kind : key_kinds()) {
    CAPTURE(kind);
    CHECK_FALSE(describe_keys(kind).empty());
    KeyShape fitting = shape;
    if (kind == "distinct") fitting.n = 900;
    const Keys keys = generate_keys(kind, fitting, 3);
    CHECK(keys == generate_keys(kind, fitting, 3));
    CHECK(*std::min_element(keys.begin(), keys.end()) >= -70);
    CHECK(*std::max_element(keys.begin(), keys.end()) < 930);
    Keys unique = keys;
    std::sort(unique.begin(), unique.end());
    unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
    if (kind == "distinct") CHECK(unique.size() == 900);
    if (kind == "equal") CHECK(unique.size() == 1);
    if (kind == "uniform" || kind == "sorted" || kind == "reversed") {
      CHECK(unique.size() == 50);
      for (std::size_t j = 0; j < unique.size(); ++j) {
        CHECK(unique[j] == -70 + static_cast<std::int32_t>(j) * 20);
      }
    }
    if (kind == "sorted") CHECK(std::is_sorted(keys.begin(), keys.end()));
    if (kind == "reversed") CHECK(std::is_sorted(keys.rbegin(), keys.rend()));
  }
  CHECK(generate_keys("distinct", {1, 7, 1, 1}, 1) == Keys{7});
  CHECK(generate_keys("uniform", {1000, 0, 1000, 1000}, 1) !=
        generate_keys("uniform", {1000, 0, 1000, 1000}, 2));
}

/// I/O of a run, without that of its tasks' partial sums.
std::int64_t io_without_partials(const RunReport& report) {
  std::int64_t io = 0;
  for (const PhaseReport& phase : report.phases) {
    if (phase.kernel == "scan_partials") continue;
    io += phase.counts.io();
    if (phase.kernel == "segment_reduce" || phase.kernel == "scan_segments") io -= phase.tasks;
  }
  return io;
}

TEST_CASE("I/O of the H-P family is that of theory 3.6", "[algorithms][integer_sort][io]") {
  // n and R multiples of b, V = b: no block is shared by two rows, so that the bounds of L4 on the
  // monotone scatters are all that is not exact.
  const std::int64_t b = 8;
  for (const std::int64_t n : {1024, 4096}) {
    for (const std::int64_t range : {512, 1024, 8192}) {
      for (const std::string name : {"hp_sort", "zero_compressed_hp_sort", "run_head_hp_sort"}) {
        RunConfig config{
            .type = "i32", .n = n, .spec = small_machine(), .parameters = {{"range", range}}};
        config = resolve(test::row(name), config);
        const RunResult result = run(config);
        const std::vector<PhaseReport>& phases = result.report.phases;
        CAPTURE(name, n, range);
        const std::int64_t d1 = phases[1].counts.global_atomic.blocks;
        REQUIRE(phases[1].kernel == "histogram_global");
        const std::vector<std::int32_t> bins = bins_of_keys(config);
        const auto distinct =
            static_cast<std::int64_t>(std::set<std::int32_t>(bins.begin(), bins.end()).size());
        const std::int64_t bound = name == "hp_sort" ? (6 * n + 6 * range) / b
                                   : name == "run_head_hp_sort"
                                       ? (6 * n + 8 * range) / b
                                       : (6 * n + 10 * range + 10 * distinct) / b;
        const std::int64_t exact_part = bound - (n + range) / b;
        const std::int64_t io = io_without_partials(result.report) - d1;
        // A few blocks at the borders of tasks and of `distinct` values are not shared out evenly.
        const std::int64_t border = 4 * phases[1].tasks + 8;
        CHECK(io <= bound + border);
        CHECK(io >= exact_part - border);
      }
    }
  }
}

TEST_CASE("lanes that no whole group of a block takes lose no key", "[algorithms][integer_sort]") {
  // An element of two words: groups of floor(b/2) lanes, which do not divide V where b is odd.
  for (const std::int32_t b : {1, 3, 5, 7, 8, 33}) {
    for (const std::int32_t warps : {1, 2, 3}) {
      for (const std::int64_t n : {1, 31, 64, 257, 1000}) {
        RunConfig config{.type = "i32", .n = n, .spec = small_machine(b, warps)};
        config.spec.word_bits = 16;
        config.spec.shared_words = 4096;
        CAPTURE(b, warps, n);
        CHECK(run(resolve(test::row("fused_hp_sort"), config)).correct);
      }
    }
  }
}

TEST_CASE("the fused H-P sort writes every key once and reads where runs end",
          "[algorithms][integer_sort][io]") {
  for (const std::int64_t range : {1, 8, 64}) {
    RunConfig config{
        .type = "i32", .n = 4096, .spec = small_machine(), .parameters = {{"range", range}}};
    config = resolve(test::row("fused_hp_sort"), config);
    const RunResult result = run(config);
    REQUIRE(result.correct);
    const PhaseReport& fill = result.report.phases.back();
    CAPTURE(range);
    REQUIRE(fill.kernel == "fill_runs");
    CHECK(fill.counts.global_write.blocks == config.n / config.spec.block_words);
    // Every group of b lanes searches its first run; then an end of a run costs 1 or 2 reads.
    const std::int64_t groups = fill.tasks * config.spec.width / config.spec.block_words;
    CHECK(fill.counts.global_read.blocks <= groups * 16 + 4 * range);
  }
}

TEST_CASE("blocks of a histogram's atomics are as many as theory 3.6 expects",
          "[algorithms][integer_sort][io]") {
  // (n/b)·B(1-(1-1/B)^b) for uniform keys, B = R/b; n/b independent warps spread by less than 1 %.
  for (const std::int64_t range : {64, 256, 4096}) {
    RunConfig config{
        .type = "i32", .n = 65536, .spec = small_machine(), .parameters = {{"range", range}}};
    config = resolve(test::row("histogram"), config);
    const double b = config.spec.block_words;
    const double blocks = static_cast<double>(range) / b;
    const double expected =
        static_cast<double>(config.n) / b * blocks * (1 - std::pow(1 - 1 / blocks, b));
    const RunResult result = run(config);
    const auto counted = static_cast<double>(result.report.phases[1].counts.global_atomic.blocks);
    CHECK(counted == Approx(expected).epsilon(0.01));
  }
}

TEST_CASE(
    "contention is the multiplicity of a key, and the gap of absent values in the second histogram",
    "[algorithms][integer_sort]") {
  const RunResult equal = run(with_keys("hp_sort", "5,5,5,5,5", 5, 0, 8));
  CHECK(equal.report.phases[1].contention == 5);
  CHECK(equal.report.phases[6].kernel == "histogram_global");
  CHECK(equal.report.phases[6].contention == 5);  // values 0..4 before the first key
  const RunResult gap = run(with_keys("hp_sort", "0,6,7", 3, 0, 8));
  CHECK(gap.report.phases[1].contention == 1);
  CHECK(gap.report.phases[6].contention == 6);  // 0 and the absent values 1..5 after it
}

}  // namespace
}  // namespace agpusim

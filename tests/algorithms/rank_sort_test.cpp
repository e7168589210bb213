#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "agpusim/algorithms/rank_sort/program.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/rows.hpp"

// Rank sort of seed 002 as repaired: ranks in the order (key, index), costs by hand (theory 3.9),
// and what becomes of equal keys in the seed's version (theory 8: E1, E4, E5).
namespace agpusim::rank_sort_test {
namespace {

using Keys = std::vector<std::uint32_t>;
using Ranks = std::vector<std::int32_t>;

const std::vector<std::string> stable_variants = {"registers", "tiled",    "rotated",
                                                  "global",    "in_place", "looped"};

const Algorithm& row() { return test::row("rank_sort"); }

/// b = 32, and 64 multiprocessors.
RunConfig sort_of(const std::string& variant, std::int64_t n, std::int32_t width = 32,
                  std::map<std::string, std::int64_t> parameters = {}) {
  return RunConfig{
      .variant = variant,
      .n = n,
      .input = "sorted",
      .spec = {.cores = 32 * 64, .block_words = 32, .shared_words = 1 << 14, .width = width},
      .parameters = std::move(parameters)};
}

RunReport simulate(RunConfig config) {
  config = resolve(row(), config);
  CAPTURE(config.variant, config.type, config.n, config.input, config.spec.to_string());
  CAPTURE(config.parameters.at("own"), config.parameters.at("slices"),
          config.parameters.at("tile"));
  return test::checked_run(config).report;
}

Counts counts_of(const RunConfig& config) { return simulate(config).total(); }

/// Keys that a kernel reads, and the places to which it moves them, by key: the keys alone do not
/// show which of two equal ones came first.
struct Recorder {
  using value_type = std::uint32_t;

  const Keys* keys;
  Ranks* ranks;
  rank_sort::Layout layout;
  std::vector<std::int32_t>* writes;  // writes of every task, so far
  bool neighbours = false;
  std::int64_t origin = 0;

  [[nodiscard]] Recorder from(std::int64_t offset) const {
    Recorder result = *this;
    result.origin += offset;
    return result;
  }
  [[nodiscard]] Varying<std::uint32_t> read(const Varying<std::int32_t>& index) const {
    Varying<std::uint32_t> result(index.context());
    for (std::int32_t lane = 0; lane < index.context().width(); ++lane) {
      if (index.context().mask().bytes[lane] == 0) continue;
      result.data()[lane] = keys->at(static_cast<std::size_t>(origin + index.data()[lane]));
    }
    return result;
  }
  /// The writes of a task follow each other in rows of P keys; a lane of looped writes neighbours.
  void write(const Varying<std::int32_t>& rank, const Varying<std::uint32_t>& key) const {
    const auto task = static_cast<std::size_t>(rank.context().task());
    const std::int64_t row = writes->at(task)++;
    const std::int64_t first = static_cast<std::int64_t>(task) * layout.per_task;
    for (std::int32_t lane = 0; lane < rank.context().width(); ++lane) {
      if (rank.context().mask().bytes[lane] == 0) continue;
      const std::int64_t place = neighbours ? lane * layout.own + row : row * layout.lanes + lane;
      const auto i = static_cast<std::size_t>(first + place);
      REQUIRE(key.data()[lane] == keys->at(i));
      REQUIRE(ranks->at(i) == -1);
      ranks->at(i) = rank.data()[lane];
    }
  }
};

/// K as `config` computes it for `keys` instead of its input.
Ranks ranks_of(RunConfig config, const Keys& keys) {
  config.n = static_cast<std::int64_t>(keys.size());
  config = resolve(row(), config);
  const rank_sort::Layout layout = rank_sort::layout(config);
  Ranks ranks(keys.size(), -1);
  std::vector<std::int32_t> writes(static_cast<std::size_t>(layout.tasks), 0);
  const Recorder recorder{&keys, &ranks, layout, &writes, config.variant == "looped"};
  SimulatedDevice device(config.spec, {1, false, true, {}});  // `recorder` counts writes: once
  rank_sort::launch<std::uint32_t>(device, config, recorder, recorder);
  return ranks;
}

TEST_CASE("ranks are those of seed 002, ties broken by index", "[algorithms][rank_sort]") {
  for (const std::string& variant : stable_variants) {
    CAPTURE(variant);
    CHECK(ranks_of(sort_of(variant, 0), {1, 5, 2, 4, 7}) == Ranks{0, 3, 1, 2, 4});
    CHECK(ranks_of(sort_of(variant, 0), {2, 1, 2}) == Ranks{1, 0, 2});
  }
  CHECK(ranks_of(sort_of("unique_keys", 0), {1, 5, 2, 4, 7}) == Ranks{0, 3, 1, 2, 4});
}

TEST_CASE("equal keys keep their order", "[algorithms][rank_sort]") {
  Keys keys(500);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = static_cast<std::uint32_t>(i * i % 7 == 3 ? ~0U : i * i % 7);
  }
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return keys[i] < keys[j]; });
  Ranks expected(keys.size());
  for (std::size_t i = 0; i < order.size(); ++i) expected[order[i]] = static_cast<std::int32_t>(i);
  for (const std::string& variant : stable_variants) {
    for (const std::int32_t width : {32, 96}) {
      CAPTURE(variant, width);
      CHECK(ranks_of(sort_of(variant, 0, width), keys) == expected);
    }
  }
  for (const std::int64_t own : {1, 2, 4, 8}) {
    for (const std::int64_t slices : {1, 2, 3, 12, 96}) {
      const RunConfig config =
          sort_of("registers", 0, 96, {{"own", own}, {"slices", slices}, {"tile", 2 * slices}});
      CAPTURE(own, slices);
      CHECK(ranks_of(config, keys) == expected);
    }
  }
}

TEST_CASE("a lane that sorts several keys in keeps the order of equal ones",
          "[algorithms][rank_sort]") {
  for (const std::int64_t own : {1, 3, 4, 7}) {
    RunConfig config = sort_of("looped", 0, 64, {{"own", own}});
    CAPTURE(own);
    CHECK(ranks_of(config, {2, 1, 2, 1, 1, 2, 7}) == Ranks{3, 0, 4, 1, 2, 5, 6});
  }
}

/// Runs the seed's version on `keys`, which need not be distinct, and returns what it leaves.
Keys sort_as_if_distinct(const Keys& keys, std::int32_t b) {
  SimulatedDevice device(AgpuSpec{.block_words = b, .width = b}, {1, true, true, {}});
  const auto n = static_cast<std::int32_t>(keys.size());
  const auto in = device.allocate<std::uint32_t>(n, "in");
  const auto out = device.allocate<std::uint32_t>(n, "out");
  device.upload<std::uint32_t>(in, keys);
  device.launch(ceil_div(n, b), rank_sort::RankUnique{n}, in, out);
  return device.download(out);
}

TEST_CASE("without the tie-break equal keys meet in one place and another stays unwritten",
          "[algorithms][rank_sort]") {
  CHECK(sort_as_if_distinct({3, 1, 2}, 32) == Keys{1, 2, 3});
  // K = {1, 0, 1}: two lanes of one task store the same value; nobody writes place 2.
  CHECK(sort_as_if_distinct({2, 1, 2}, 32) == Keys{1, 2, 0});
  // Two tasks that write one word are a race, whatever they write.
  CHECK_THROWS_WITH(sort_as_if_distinct({2, 1, 2}, 1), says("race", "array out, index 1"));
}

TEST_CASE("the version for distinct keys refuses an input with equal ones",
          "[algorithms][rank_sort]") {
  RunConfig config = sort_of("unique_keys", 100);
  for (const char* input : {"sorted", "reversed", "uniform"}) {
    config.input = input;
    simulate(config);
  }
  config.input = "equal";
  CHECK_THROWS_WITH(resolve(row(), config), says("keys 0 and 1", "use another variant"));
  for (const char* input : {"few_distinct", "zipf"}) {
    config.input = input;
    CHECK_THROWS_AS(resolve(row(), config), UsageError);
    config.n = 1;
    simulate(config);
    config.n = 100;
  }
}

TEST_CASE("Q of the versions of rank sort", "[algorithms][rank_sort]") {
  const std::int64_t b = 32;
  const std::int64_t n = 1024;
  const std::int64_t scatter = n / b;  // writing keys that are sorted already
  for (const std::int64_t width : {b, 4 * b}) {
    const auto io = [&](const std::string& variant) {
      return counts_of(sort_of(variant, n, static_cast<std::int32_t>(width))).io();
    };
    CAPTURE(width);
    CHECK(io("global") == n * n / b + n / b + scatter);
    CHECK(io("unique_keys") == n * n / b + n / b + scatter);
    CHECK(io("tiled") == n / b * (n / width) + n / b + scatter);
    CHECK(io("rotated") == n / b * (n / width) + n / b + scatter);
    CHECK(io("in_place") == n / b + scatter);
    for (const std::int64_t own : {1, 2, 4, 8}) {
      const auto lanes = static_cast<std::int32_t>(width);
      const RunConfig config = sort_of("registers", n, lanes, {{"own", own}, {"slices", 1}});
      CHECK(counts_of(config).io() == n / b * (n / width) / own + n / b + scatter);
    }
  }
  // Random places: every key may need a block of its own.
  RunConfig config = sort_of("tiled", n);
  config.input = "uniform";
  const std::int64_t written = counts_of(config).global_write.blocks;
  CHECK(written > n / 2);
  CHECK(written <= n);
}

TEST_CASE("T of the tiled version: two instructions a key and half a time unit to read it",
          "[algorithms][rank_sort]") {
  // 32 tasks of 32 keys on 64 multiprocessors. A task reads its keys, brings 32 rows of V keys to
  // shared memory (address, read, write), reads n keys, four with one access of two wavefronts,
  // compares and counts, breaks ties with its own 32 keys by 3 instructions each, writes a block.
  const std::int64_t b = 32;
  const std::int64_t n = 1024;
  CHECK(simulate(sort_of("tiled", n)).time() == 1 + 3 * (n / b) + 2 * n + n / 2 + 3 * b + 1);
  // Without shared memory the rows need not be brought there.
  CHECK(simulate(sort_of("global", n)).time() == 1 + 3 * n + 3 * b + 1);
  CHECK(simulate(sort_of("unique_keys", n)).time() == 1 + 3 * n + 1);
  // A key more per lane saves reading: 2r + 1/2 for r pairs of keys, half as many tasks.
  RunConfig config = sort_of("registers", n, 32, {{"own", 2}, {"slices", 1}});
  CHECK(simulate(config).time() == 2 + 3 * (n / b) + 4 * n + n / 2 + 3 * 2 * (2 * b) + 2);
}

TEST_CASE("strict banks serve a broadcast b times and neighbours once", "[algorithms][rank_sort]") {
  const std::int64_t b = 32;
  const std::int64_t n = 1024;
  for (const BankMode mode : {BankMode::merge, BankMode::strict}) {
    const auto reads = [&](const std::string& variant) {
      RunConfig config = sort_of(variant, n, 64);
      config.spec.bank_mode = mode;
      return counts_of(config).shared_read;
    };
    const std::int64_t keys = n * (n / b);  // reads of keys by n/b warps
    CHECK(reads("tiled").requests == keys / 4);
    // Four keys: two passes of half a warp, or for each lane four words in four banks.
    CHECK(reads("tiled").wavefronts == (mode == BankMode::strict ? b : 2) * keys / 4);
    CHECK(reads("rotated").wavefronts == keys);
    CHECK(reads("rotated").conflicts == 0);
  }
}

TEST_CASE("the seed's variants: their results and what they cost", "[algorithms][rank_sort]") {
  const std::int64_t b = 32;
  const std::int64_t n = 1024;
  const std::int64_t scatter = n / b;  // writing keys that are sorted already
  // A lane sorts c keys in, one after the other: c times the loop over all keys, the own ones read
  // and written with a stride of c.
  for (const std::int64_t c : {1, 3, 8}) {
    RunConfig config = sort_of("looped", n, 32, {{"own", c}});
    const RunReport report = simulate(config);
    CAPTURE(c);
    CHECK(report.phases.at(0).tasks == (n + b * c - 1) / (b * c));
    CHECK(report.total().global_read.blocks == report.phases.at(0).tasks * c * n + n / b * c);
    CHECK(report.time() == 1 + c * (2 + 2 * c + 3 * n) + 3 * c * b * c);
  }
  // One task for each of 64 multiprocessors, whatever n.
  for (const std::int64_t keys : {2048, 5000, 10'000}) {
    CHECK(simulate(sort_of("looped", keys)).phases.at(0).tasks <= 64);
  }
  // UPD1: beside UPD2's accesses, a lane's key again for each of n keys and, where a key of a warp
  // counts, a rank read and written: all before its own 32 keys, none behind, 31 of its own.
  const Counts ranks = counts_of(sort_of("in_place_array", n));
  const Counts registers = counts_of(sort_of("in_place", n));
  const std::int64_t pairs = b * (n / b) * (n / b - 1) / 2 + (b - 1) * (n / b);
  CHECK(ranks.shared_read.requests == registers.shared_read.requests + n * (n / b));
  CHECK(ranks.global_read.blocks == n / b + pairs + n / b);
  CHECK(ranks.global_write.blocks == n / b + pairs + scatter);
  // Descending order costs a subtraction for each key of a lane; a payload a read and a write.
  constexpr std::int64_t own = 4;
  const auto with = [&](const char* variant) {
    return simulate(sort_of(variant, n, 32, {{"own", own}, {"slices", 1}}));
  };
  const RunReport keys_alone = with("registers");
  CHECK(with("descending").time() == keys_alone.time() + own);
  CHECK(with("descending").total().io() == keys_alone.total().io());
  CHECK(with("payload").time() == keys_alone.time() + 2 * own);
  CHECK(with("payload").total().io() == keys_alone.total().io() + n / b + scatter);
}

TEST_CASE("slices fill a machine that one key for each lane leaves idle",
          "[algorithms][rank_sort]") {
  const auto time = [](std::int64_t slices) {
    RunConfig config = sort_of("registers", 1000);
    config.spec.cores = 32 * 1000;
    config.parameters = {{"own", 1}, {"slices", slices}};
    return simulate(config).time();
  };
  CHECK(time(1) > 2500);
  CHECK(time(8) < time(1) / 4);
  CHECK(time(32) < time(1) / 6);
}

TEST_CASE("the default shape fills a machine of few and of many cores", "[algorithms][rank_sort]") {
  for (const std::int64_t cores : {32, 1024, 16896}) {
    for (const std::int64_t n : {100, 1000, 10'000, 100'000}) {
      RunConfig config = sort_of("registers", n, 256);
      config.spec.cores = cores;
      config = resolve(row(), config);
      const rank_sort::Layout layout = rank_sort::layout(config);
      CAPTURE(cores, n, layout.own, layout.slices);
      const std::int64_t lanes = n * layout.slices / layout.own;
      const bool full = lanes >= 3 * cores;
      CHECK((full || (layout.own == 1 && layout.slices == 64)));
    }
  }
}

TEST_CASE("keys sort in every shape", "[algorithms][rank_sort]") {
  CHECK(simulate(sort_of("registers", 0)).phases.empty());
  for (const std::int64_t own : {1, 2, 4, 8}) {
    for (const std::int64_t slices : {1, 2, 6, 48, 96}) {
      for (const std::int64_t tile : {1, 3}) {
        RunConfig config = sort_of("registers", 333, 96);
        config.input = "few_distinct";
        config.parameters = {{"own", own}, {"slices", slices}, {"tile", tile * slices}};
        simulate(config);
      }
    }
  }
}

TEST_CASE("strings are compared word by word, as far as they agree", "[algorithms][rank_sort]") {
  const Algorithm& strings = test::row("string_rank_sort");
  const auto counts = [&](const char* input, std::int64_t words) {
    RunConfig config = sort_of("", 256);
    config.input = input;
    config.parameters = {{"words", words}};
    config = resolve(strings, config);
    CAPTURE(input, words);
    return test::checked_run(config).report.total();
  };
  // 8 warps read the first words of 256 strings, and all words of their own ones or where every
  // string is the same; each word that a lane owns is read with a stride of `words`.
  for (const std::int64_t words : {1, 2, 4, 8}) {
    const std::int64_t own = 8 * words * words;
    CHECK(counts("uniform", words).global_read.blocks == own + 8 * 256 + 256 * (words - 1));
    CHECK(counts("equal", words).global_read.blocks == own + 8 * 256 * words);
  }
  RunConfig config = sort_of("", 100, 32, {{"words", 3}});
  CHECK_THROWS_WITH(resolve(strings, config), says("words = 3", "1, 2, 4 or 8"));
}

TEST_CASE("shapes that cannot be are refused with the remedy", "[algorithms][rank_sort]") {
  const auto refused = [](RunConfig config, const std::string& reason, const std::string& remedy) {
    CHECK_THROWS_AS(resolve(row(), config), UsageError);
    CHECK_THROWS_WITH(resolve(row(), config), says(reason, remedy));
  };
  RunConfig config = sort_of("in_place", 101);
  config.spec.shared_words = 100;
  refused(config, "101 keys of 1 words do not fit into M = 100 words", "use another variant");
  config.n = 100;
  simulate(config);
  config.type = "u64";
  refused(config, "100 keys of 2 words", "a larger M");

  refused(sort_of("registers", 1000, 32, {{"own", 3}}), "own = 3", "1, 2, 4 or 8");
  refused(sort_of("registers", 1000, 32, {{"slices", 5}}), "slices = 5", "must divide V = 32");
  refused(sort_of("registers", 1000, 32, {{"slices", 4}, {"tile", 30}}), "tile = 30",
          "multiple of slices = 4");
  refused(sort_of("registers", 1000, 32, {{"slices", 1}, {"tile", 1 << 15}}),
          "do not fit into M = 16384 words", "smaller tile");

  refused(sort_of("tiled", 1000, 32, {{"own", 2}}), "one key for each lane",
          "use the variant registers");
  refused(sort_of("looped", 1000, 32, {{"own", 1001}}), "own = 1001", "at most n = 1000");
  refused(sort_of("looped", 1000, 32, {{"slices", 2}}), "has no slices",
          "use the variant registers");
  refused(sort_of("global", 1000, 32, {{"tile", 32}}), "has no tiles", "leave it out");
  refused(sort_of("rotated", 1000, 32, {{"tile", 33}}), "tile = 33", "multiple of b = 32");
  refused(sort_of("registers", (std::int64_t{1} << 30) + 1), "above 2^22", "use another sort");
}

}  // namespace
}  // namespace agpusim::rank_sort_test

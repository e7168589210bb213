#include <algorithm>

#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/merge_sort/double_heap.hpp"
#include "agpusim/algorithms/merge_sort/kernel.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/rows.hpp"

namespace agpusim {
namespace {

using namespace multiway_merge_sort;

RunConfig run_of(const std::string& variant, std::int64_t n) {
  return resolve(test::row("multiway_merge_sort"), {.variant = variant, .n = n});
}

/// One group of d = 2^levels sorted runs of h keys on AGPU(b, b), V = b, buffers of b words.
struct Merged {
  std::vector<std::uint32_t> keys;
  Counts counts;
  bool sorted = false;
};

template <class Kernel>
Merged merge_one_group(std::int32_t b, std::int32_t levels, std::int32_t h, std::uint64_t seed,
                       const Kernel& kernel) {
  AgpuSpec spec;
  spec.block_words = spec.width = b;
  spec.cores = b;
  const std::int64_t n = std::int64_t{h} << levels;
  std::vector<std::uint32_t> keys = generate<std::uint32_t>("uniform", n, seed);
  for (auto run = keys.begin(); run != keys.end(); run += h) std::sort(run, run + h);
  SimulatedDevice device(spec);
  const auto in = device.allocate<std::uint32_t>(n, "in");
  const auto out = device.allocate<std::uint32_t>(n, "out");
  device.upload<std::uint32_t>(in, keys);
  device.launch(1, kernel, in, out);
  Merged result{.keys = device.download(out), .counts = device.report().phases.front().counts};
  std::sort(keys.begin(), keys.end());
  result.sorted = result.keys == keys;
  return result;
}

Merged heap(std::int32_t b, std::int32_t levels, std::int32_t h) {
  const Groups groups{std::int64_t{h} << levels, h, levels};
  return merge_one_group(b, levels, h, 1, MergeGroups<std::uint32_t, 1>{groups, b});
}

Merged double_heap(std::int32_t b, std::int32_t levels, std::int32_t h, std::uint64_t seed,
                   std::int32_t fills) {
  const Groups groups{std::int64_t{h} << levels, h, levels};
  return merge_one_group(b, levels, h, seed, MergeGroupsDouble<std::uint32_t, 1>{groups, b, fills});
}

/// A sorted group of 64 blocks, each of them read and written once.
void check_merged(const Merged& merged, std::int64_t shared_writes) {
  CHECK(merged.sorted);
  CHECK(merged.counts.global_read.blocks == 64);
  CHECK(merged.counts.global_write.blocks == 64);
  CHECK(merged.counts.shared_write.requests == shared_writes);
}

}  // namespace

// Shared writes of a merge of two rows of V keys: two at each of lg V exchanges, two of the merged
// keys, one of the last key handed up. The others: last keys (2d), borders of runs (2 of d), next
// keys (one per block read), two per node's first buffer or its clearing.
TEST_CASE("the heap's reads, writes and merges are those of theory 7", "[algorithms][sorts]") {
  check_merged(heap(8, 3, 64), 2 + 2 + 64 + 2 * 7 + 9 * 196);
  check_merged(heap(4, 4, 16), 8 + 8 + 64 + 2 * 15 + 7 * 267);
}

TEST_CASE("with buffers of 2b the merges are those of theory 7", "[algorithms][sorts]") {
  check_merged(double_heap(8, 3, 64, 1, 2), 2 + 2 + 64 + 2 * 7 + 9 * 214);
  check_merged(double_heap(4, 4, 16, 1, 2), 8 + 8 + 64 + 2 * 15 + 7 * 308);
}

TEST_CASE("one Heapify per node, as printed in seed 001, does not sort", "[algorithms][sorts]") {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CHECK(double_heap(8, 3, 64, seed, 2).sorted);
    wrong += double_heap(8, 3, 64, seed, 1).sorted ? 0 : 1;
  }
  CHECK(wrong == 20);
}

TEST_CASE("Q of the rounds is (2n/b)(1 + ceil(log_d(n/tile)))", "[algorithms][sorts]") {
  struct Case {
    std::int64_t n;
    std::int64_t d;
    std::int64_t passes;
  };
  for (const Case& c : {Case{1 << 12, 2, 8}, Case{1 << 12, 16, 3}, Case{1 << 14, 16, 4},
                        Case{1 << 16, 8, 5}, Case{1 << 16, 64, 3}}) {
    for (const std::string variant : {"heap", "heap_2b"}) {
      RunConfig config{
          .variant = variant, .n = c.n, .parameters = {{"rows", 1}, {"d", c.d}, {"tile", 32}}};
      const Algorithm& row = test::row("multiway_merge_sort");
      config = resolve(row, config);
      CAPTURE(c.n, c.d, variant);
      CHECK(test::derived(config).total().io() == 2 * c.n / 32 * c.passes);
    }
  }
}

TEST_CASE("the cuts of regions keep the multiprocessors busy to the last round",
          "[algorithms][sorts]") {
  const Algorithm& row = test::row("multiway_merge_sort");
  const auto last_round = [&](const std::string& variant) {
    return row.simulate(run_of(variant, 1 << 18), {}).report.phases.back();
  };
  CHECK(last_round("heap").tasks == 1);
  const PhaseReport cut = last_round("selection");
  CHECK(cut.tasks == 64);
  CHECK(cut.time * 25 < last_round("heap").time);
}

TEST_CASE("the multiway merge sort refuses what it cannot run", "[algorithms][sorts]") {
  const Algorithm& row = test::row("multiway_merge_sort");
  const auto refusal = [&](const std::map<std::string, std::int64_t>& parameters, std::int64_t n) {
    return test::message_of<UsageError>(
        [&] { return resolve(row, {.n = n, .parameters = parameters}); });
  };
  CHECK(refusal({{"d", 1}}, 1000) == "d = 1: must be at least 2");
  CHECK_THAT(refusal({{"d", 1024}}, 1000), says("use a smaller d"));
  CHECK_THAT(refusal({{"d", 64}, {"rows", 1}}, 1000), says("a lane per run"));
  CHECK_THAT(refusal({{"tile", 100}}, 1000), says("power of two"));
  CHECK_THAT(refusal({{"rows", 3}}, 1000), says("1, 2 or 4"));
  CHECK_THAT(refusal({}, std::int64_t{1} << 32), says("2^29"));
  CHECK(refusal({{"d", 3}}, 0).empty());
}

TEST_CASE("defaults for any machine end in a run or a refusal", "[algorithms][sorts]") {
  const Algorithm& row = test::row("multiway_merge_sort");
  for (const std::string& variant : variant_names(row)) {
    for (const std::int32_t b : {1, 2, 3}) {
      for (const std::int32_t warps : {1, 3}) {
        for (const std::int64_t shared_words : {1, 20, 64}) {
          RunConfig config{
              .variant = variant,
              .n = 100,
              .spec = {
                  .cores = b, .block_words = b, .shared_words = shared_words, .width = b * warps}};
          CAPTURE(variant, b, warps, shared_words);
          std::int64_t d = 0;
          std::string refused;
          try {
            d = resolve(row, config).parameters.at("d");
          } catch (const UsageError& error) {
            refused = error.what();
          }
          CHECK((d >= 2 || !refused.empty()));
        }
      }
    }
  }
}

}  // namespace agpusim

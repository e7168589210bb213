#include "agpusim/papers/out_of_core/measured_task.hpp"

#include <algorithm>

#include "agpusim/algorithms/out_of_core/one_hot_functors.hpp"
#include "agpusim/commands/pipeline/host_baselines.hpp"
#include "agpusim/commands/pipeline/tasks.hpp"
#include "agpusim/commands/pipeline/workload.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/papers/out_of_core/experiment.hpp"
#include "agpusim/tests/algorithms/out_of_core/runs.hpp"

namespace agpusim::out_of_core {
namespace {

constexpr std::int64_t n = 200'003;

std::vector<double> numbers() {
  std::vector<double> values(n);
  fill_numbers(values, 7);
  return values;
}

TEST_CASE("the checks of results find one wrong element", "[out_of_core]") {
  const std::vector<double> in = numbers();
  CHECK(*std::max_element(in.begin(), in.end()) == 999);
  CHECK(*std::min_element(in.begin(), in.end()) == 0);
  std::vector<double> out(in.size());

  for (std::size_t i = 0; i < in.size(); ++i) out[i] = 3 * in[i];
  CHECK(check_scaled(in, out, 3).empty());
  out[123'456] += 1;
  CHECK_THAT(check_scaled(in, out, 3), says("element 123456"));

  std::fill(out.begin(), out.end(), 1.0);
  CHECK(check_ones(out).empty());
  out[77] = 1 + 1e-14;
  CHECK_THAT(check_ones(out), says("element 77"));
  out[77] = std::nan("");
  CHECK_THAT(check_ones(out), says("element 77"));

  double sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = sum += in[i];
  CHECK(check_sum(in, sum).empty());
  CHECK_FALSE(check_sum(in, sum + 1).empty());
  CHECK(check_prefixes(in, out).empty());
  out[0] += 1;
  CHECK_THAT(check_prefixes(in, out), says("element 0"));

  std::vector<std::int64_t> places(in.size());
  fill_places(places, 3);
  std::vector<std::int64_t> sorted = places;
  std::sort(sorted.begin(), sorted.end());
  for (std::int64_t i = 0; i < n; ++i) REQUIRE(sorted[static_cast<std::size_t>(i)] == i);
  for (std::int64_t i = 0; i < n; ++i) {
    out[static_cast<std::size_t>(places[static_cast<std::size_t>(i)])] = static_cast<double>(i);
  }
  CHECK(check_scattered(places, out).empty());
  std::swap(out[5], out[6]);
  CHECK_FALSE(check_scattered(places, out).empty());

  out = in;
  std::sort(out.begin(), out.end());
  CHECK(check_sorted(in, out).empty());
  out.back() += 1;
  CHECK_THAT(check_sorted(in, out), says("keys are not those"));
  out.back() -= 1;
  std::swap(out.front(), out.back());
  CHECK_THAT(check_sorted(in, out), says("element 1"));
}

/// Segments of 1 to 40 elements and one of more than 2^16.
std::vector<std::uint32_t> uneven_heads() {
  std::vector<std::uint32_t> heads(n);
  std::int64_t length = 1;
  for (std::int64_t i = 0; i < n; i += length) {
    heads[static_cast<std::size_t>(i)] = 1;
    length = i > 1000 && i < 70'000 ? 70'001 : i % 40 + 1;
  }
  return heads;
}

TEST_CASE("the checks of segmented results find one wrong element", "[out_of_core]") {
  std::vector<std::uint32_t> planned(33);
  fill_heads(planned);
  CHECK(std::count(planned.begin(), planned.end(), 1U) == 3);
  CHECK((planned[0] == 1 && planned[16] == 1 && planned[32] == 1));

  const std::vector<double> in = numbers();
  const std::vector<std::uint32_t> heads = uneven_heads();
  std::vector<double> sums;
  std::vector<double> prefixes = in;
  std::vector<double> sorted = in;
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (heads[i] != 0) {
      starts.push_back(i);
      sums.push_back(0);
    } else {
      prefixes[i] += prefixes[i - 1];
    }
    sums.back() += in[i];
  }
  for (std::size_t k = 0; k < starts.size(); ++k) {
    std::sort(sorted.data() + starts[k],
              sorted.data() + (k + 1 < starts.size() ? starts[k + 1] : sorted.size()));
  }

  CHECK(check_segmented_prefixes(in, heads, prefixes).empty());
  prefixes[123'456] += 1;
  CHECK_THAT(check_segmented_prefixes(in, heads, prefixes), says("element 123456"));

  CHECK(check_segmented_sums(in, heads, sums).empty());
  sums[sums.size() / 2] += 1;
  CHECK_THAT(check_segmented_sums(in, heads, sums),
             says("segment " + std::to_string(sums.size() / 2)));
  sums.pop_back();
  CHECK_THAT(check_segmented_sums(in, heads, sums), says("the output has"));

  CHECK(check_segments_sorted(in, heads, sorted).empty());
  const std::size_t last = starts.back();
  std::swap(sorted[last - 1], sorted[last]);  // keys of two segments
  CHECK_THAT(check_segments_sorted(in, heads, sorted), says("keys of the segment"));
  std::swap(sorted[last - 1], sorted[last]);
  const auto in_long =
      *std::lower_bound(starts.begin(), starts.end(), std::size_t{70'000}) - 70'001;
  std::swap(sorted[in_long], sorted[in_long + 35'000]);
  CHECK_THAT(check_segments_sorted(in, heads, sorted),
             says("element " + std::to_string(in_long + 1)));
}

TEST_CASE("the host's segmented loops are right wherever segments begin", "[out_of_core]") {
  const std::vector<double> in = numbers();
  const std::vector<std::uint32_t> heads = uneven_heads();
  const auto segments = static_cast<std::size_t>(std::count(heads.begin(), heads.end(), 1U));
  for (const HostCores cores : {HostCores::one, HostCores::all}) {
    CAPTURE(static_cast<int>(cores));
    std::vector<double> out(in.size());
    host_segmented_scan(cores, in, heads, out);
    CHECK(check_segmented_prefixes(in, heads, out).empty());
    out = in;
    host_segmented_sort(cores, heads, out);
    CHECK(check_segments_sorted(in, heads, out).empty());
    out.resize(segments);
    host_segmented_sum(cores, in, heads, out);
    CHECK(check_segmented_sums(in, heads, out).empty());
  }
}

TEST_CASE("the host's loops are right on one core and on all", "[out_of_core]") {
  std::vector<std::byte> memory(std::size_t{1} << 25U);
  MeasuredTask task(memory, nullptr);
  for (const Run& planned : planned_runs({.quick = true})) {
    if (!planned.on_host()) continue;
    Run run = planned;
    run.n = n;
    CAPTURE(run.task, run.scheme);
    RepeatRule rule{.repeats = 2};
    const RunRecord record = task.measure(run, rule);  // throws when the result is wrong
    CHECK(record.seconds.size() == 2);
    CHECK(record.timeline.operations.empty());
  }
  Run large{"sort", "host_one", 10'000'000, 0, 0, 0};
  CHECK_THROWS_WITH(task.measure(large, {}), says("bytes of host memory"));
  CHECK_THROWS_WITH(task.measure({"scan", "host_two", 10, 0, 0, 0}, {}), says("host_two"));
}

/// Runs the programs on the abstract machine, and may spoil the last result.
class SimulatedRuns : public DeviceRuns {
 public:
  explicit SimulatedRuns(bool wrong) : wrong_(wrong) {}
  std::span<std::byte> host_memory() override { return {}; }
  DeviceRun run(const Run& run, const HostArrays& arrays, bool, const Control&) override {
    SimulatedStreams streams(small_machine(), run.budget, clock_of);
    find_scheme(find_task(run.task), run.scheme)
        .on<SimulatedStreams>()(streams, arrays_of(arrays), {run.n, run.chunk, run.streams},
                                {.budget_bytes = run.budget, .compact_rate = 1});
    if (wrong_) arrays.out.back() += 1;
    return {0.5, {}};
  }

 private:
  bool wrong_;
};

TEST_CASE("every scheme of every task is measured and its result checked", "[out_of_core]") {
  std::vector<std::byte> memory(std::size_t{1} << 22U);
  for (const Task& of : tasks()) {
    for (const Scheme& scheme : of.schemes) {
      CAPTURE(of.name, scheme.name);
      const std::int64_t budget = of.name == "hash_table" ? 400'000 : 200'000;
      const Run run{of.name, scheme.name, 5003, budget, 1000, 3};
      SimulatedRuns right(false);
      CHECK(MeasuredTask(memory, &right).measure(run, {}).seconds == std::vector<double>(5, 0.5));
      SimulatedRuns wrong(true);
      MeasuredTask task(memory, &wrong);
      CHECK_THROWS_AS(task.measure(run, {}), Mismatch);
      CHECK_THROWS_WITH(task.measure(run, {}), says(of.name + " (" + scheme.name + ")"));
    }
  }
}

TEST_CASE("a run's host memory is its input, its results and what the scheme writes on the way",
          "[out_of_core]") {
  constexpr std::int64_t page = 4096;  // elements, so that arrays end where pages end
  struct Case {
    const char* task;
    const char* scheme;
    std::int64_t bytes_per_element;
    std::int64_t more = 0;
  };
  const std::vector<Case> cases = {{"reduce", "one_pass", 8, 4096},
                                   {"transform_reduce", "fused", 8, 4096},
                                   {"transform_reduce", "separate", 16, 4096},
                                   {"transform_scan", "fused", 16},
                                   {"transform_scan", "separate", 24},
                                   {"segmented_scan", "one_pass", 20},
                                   {"segmented_reduce", "one_pass", 12, page * 8 / 16 + 2048},
                                   {"segmented_sort", "by_chunk", 28},
                                   {"segmented_sort", "host_all", 20},
                                   {"scatter", "seed", 24},
                                   {"scatter", "partitioned", 40},
                                   {"sort", "exact_splitters", 24},
                                   {"sort", "seed", 32 + 8 * one_hot_buckets},
                                   {"sort", "host_one", 16},
                                   {"hash_table", "sorted", 16 + 36, 1024 * 8},
                                   {"hash_table", "host_all", 16 + 12, 1024 * 8}};
  for (const Case& each : cases) {
    CAPTURE(each.task, each.scheme);
    Run run{each.task, each.scheme, page, 1'000'000, 100, 3};
    if (run.scheme.starts_with("host_")) run.budget = 0;
    CHECK(host_bytes(run) == each.bytes_per_element * page + each.more + 4096);
  }
  CHECK(host_bytes({"sort", "seed", page, 1'000'000, page, 3}) == 16 * page + 4096);
  CHECK_THROWS_WITH(host_bytes({"sorting", "seed", page, 1'000'000, page, 3}), says("'sorting'"));
}

/// Looks whether the input is there and sorts it on the host.
class SortingDevice : public DeviceRuns {
 public:
  std::span<std::byte> host_memory() override { return {}; }
  DeviceRun run(const Run&, const HostArrays& arrays, bool, const Control&) override {
    CHECK(std::adjacent_find(arrays.in.begin(), arrays.in.end(), std::not_equal_to<>()) !=
          arrays.in.end());
    std::copy(arrays.in.begin(), arrays.in.end(), arrays.out.begin());
    std::sort(arrays.out.begin(), arrays.out.end());
    return {0.5, {}};
  }
};

TEST_CASE("runs on pageable memory have arrays of their own and the same input", "[out_of_core]") {
  constexpr auto pageable = transfer::HostMemory::pageable;
  SortingDevice device;
  MeasuredTask task({}, &device);
  const Run one{"sort", "exact_splitters", n, 1'000'000, 1000, 3, pageable};
  CHECK(task.measure(one, {}).seconds.size() == 5);
  // Needs more memory for the same input.
  CHECK(task.measure({"sort", "seed", n, 1'000'000, 1000, 3, pageable}, {}).seconds.size() == 5);
  CHECK_THROWS_WITH(task.measure({"sort", "exact_splitters", n, 1'000'000, 1000, 3}, {}),
                    says("bytes of host memory"));
}

TEST_CASE("the experiment has every task at every budget that holds it", "[out_of_core]") {
  constexpr std::int64_t seed_budget = 3'000'000'000;
  constexpr std::int64_t small_budget = 8'000'000'000;
  constexpr std::int64_t card_budget = 130'000'000'000;
  const std::vector<Run> runs = planned_runs({});
  CHECK(runs.size() == 169);
  const auto has = [&](const char* task, const char* scheme, std::int64_t size,
                       std::int64_t budget) {
    return std::find(runs.begin(), runs.end(), Run{task, scheme, size, budget, 0, 0}) != runs.end();
  };
  CHECK(has("scan", "one_pass", 4'000'000'000, seed_budget));
  CHECK(has("sort", "exact_splitters", 2'000'000'000, small_budget));
  CHECK(has("scatter", "resident", 1'000'000'000, card_budget));
  CHECK_FALSE(has("scatter", "resident", 1'000'000'000, small_budget));
  CHECK(has("scatter", "partitioned", 1'000'000'000, seed_budget));
  CHECK(has("sort", "host_one", 100'000'000, 0));
  CHECK(has("sort", "seed", 1'000'000'000, seed_budget));
  for (const Task& task : tasks()) {
    for (const Scheme& scheme : task.schemes) {
      CAPTURE(task.name, scheme.name);
      CHECK(has(task.name.c_str(), scheme.name.c_str(), 1'000'000'000, seed_budget) !=
            (scheme.name == "resident" || scheme.name == "compact"));  // need 8 GB of the device
      CHECK(has(task.name.c_str(), "host_one", 100'000'000, 0));
      CHECK(has(task.name.c_str(), "host_all", 1'000'000'000, 0));
    }
  }
  CHECK(std::find(runs.begin(), runs.end(),
                  Run{"scan", "one_pass", 1'000'000'000, seed_budget, 0, 0,
                      transfer::HostMemory::pageable}) != runs.end());
  CHECK(planned_runs({.n_max = 0}).empty());
}

}  // namespace
}  // namespace agpusim::out_of_core

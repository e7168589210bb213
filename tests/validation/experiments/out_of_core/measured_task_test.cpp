#include "agpusim/validation/experiments/out_of_core/measured_task.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/experiments/out_of_core/experiment.hpp"
#include "agpusim/validation/experiments/out_of_core/host_baselines.hpp"
#include "agpusim/validation/experiments/out_of_core/workload.hpp"
#include "agpusim/validation/pipeline/arrays.hpp"

namespace agpusim::out_of_core {
namespace {

using Catch::Matchers::ContainsSubstring;

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
  CHECK_THAT(check_scaled(in, out, 3), ContainsSubstring("element 123456"));

  std::fill(out.begin(), out.end(), 1.0);
  CHECK(check_ones(out).empty());
  out[77] = 1 + 1e-14;
  CHECK_THAT(check_ones(out), ContainsSubstring("element 77"));
  out[77] = std::nan("");
  CHECK_THAT(check_ones(out), ContainsSubstring("element 77"));

  double sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = sum += in[i];
  CHECK(check_sum(in, sum).empty());
  CHECK_FALSE(check_sum(in, sum + 1).empty());
  CHECK(check_prefixes(in, out).empty());
  out[0] += 1;
  CHECK_THAT(check_prefixes(in, out), ContainsSubstring("element 0"));

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
  CHECK_THAT(check_sorted(in, out), ContainsSubstring("keys are not those"));
  out.back() -= 1;
  std::swap(out.front(), out.back());
  CHECK_THAT(check_sorted(in, out), ContainsSubstring("element 1"));
}

TEST_CASE("the host's loops are right on one core and on all", "[out_of_core]") {
  std::vector<std::byte> memory(std::size_t{1} << 25U);
  MeasuredTask task(memory, nullptr);
  for (const Run& planned : planned_runs({.quick = true})) {
    if (!planned.on_host()) continue;
    Run run = planned;
    run.n = n;
    CAPTURE(run.task, run.scheme);
    RepeatRule rule;
    rule.repeats = 2;
    const RunRecord record = task.measure(run, rule);  // throws when the result is wrong
    CHECK(record.seconds.size() == 2);
    CHECK(record.timeline.operations.empty());
  }
  Run large{"sort", "host_one", 10'000'000, 0, 0, 0};
  CHECK_THROWS_WITH(task.measure(large, {}), ContainsSubstring("bytes of host memory"));
  CHECK_THROWS_WITH(task.measure({"scan", "host_two", 10, 0, 0, 0}, {}),
                    ContainsSubstring("host_two"));
}

/// Scales on the host, one element wrongly where it is told to.
class WrongDevice : public DeviceRuns {
 public:
  explicit WrongDevice(bool wrong) : wrong_(wrong) {}
  std::span<std::byte> host_memory() override { return {}; }
  DeviceRun run(const Run&, const HostArrays& arrays, bool, const Control&) override {
    host_scale(HostCores::one, arrays.in, arrays.out, scale_factor);
    if (wrong_) arrays.out.back() += 1;
    return {0.5, 0, {}};
  }

 private:
  bool wrong_;
};

TEST_CASE("a wrong result of the device is a Mismatch that names the run", "[out_of_core]") {
  std::vector<std::byte> memory(std::size_t{1} << 25U);
  const Run run{"transform_const", "one_pass", n, 1'000'000, 1000, 3};
  WrongDevice right(false);
  CHECK(MeasuredTask(memory, &right).measure(run, {}).seconds == std::vector<double>(5, 0.5));
  WrongDevice wrong(true);
  MeasuredTask task(memory, &wrong);
  CHECK_THROWS_AS(task.measure(run, {}), Mismatch);
  CHECK_THROWS_WITH(task.measure(run, {}), ContainsSubstring("transform_const (one_pass)") &&
                                               ContainsSubstring("element 200002"));
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
    return {0.5, 0, {}};
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
                    ContainsSubstring("bytes of host memory"));
}

TEST_CASE("the experiment has every task at every budget that holds it", "[out_of_core]") {
  constexpr std::int64_t seed_budget = 3'000'000'000;
  constexpr std::int64_t small_budget = 8'000'000'000;
  constexpr std::int64_t card_budget = 130'000'000'000;
  const std::vector<Run> runs = planned_runs({});
  CHECK(runs.size() == 115);  // as many as were measured
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
  CHECK(std::find(runs.begin(), runs.end(),
                  Run{"scan", "one_pass", 1'000'000'000, seed_budget, 0, 0,
                      transfer::HostMemory::pageable}) != runs.end());
  CHECK(planned_runs({.n_max = 0}).empty());
}

}  // namespace
}  // namespace agpusim::out_of_core

#include "agpusim/cli/measure_plan.hpp"

#include <algorithm>
#include <set>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/machines.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/rows.hpp"
#include "agpusim/validation/records/config_json.hpp"

using namespace agpusim;

namespace {

std::vector<std::string> keys(const Plan& plan) {
  std::vector<std::string> result;
  for (const RunConfig& config : plan.configs) result.push_back(config_to_json(config));
  return result;
}

bool has(const Plan& plan, const std::string& algorithm, const std::string& type, std::int64_t n,
         const std::string& input, std::int32_t width) {
  return std::any_of(plan.configs.begin(), plan.configs.end(), [&](const RunConfig& config) {
    return config.algorithm == algorithm && config.type == type && config.n == n &&
           config.input == input && config.spec.width == width;
  });
}

}  // namespace

TEST_CASE("the plan has every form of every algorithm, each run once, in a fixed order",
          "[cli][measure]") {
  const Registry& registry = test::all_rows();
  const PlanOptions options{{}, 1 << 10, 1 << 26};
  const Plan plan = timing_plan(registry, options);
  const std::vector<std::string> runs = keys(plan);
  CHECK(std::set<std::string>(runs.begin(), runs.end()).size() == runs.size());
  CHECK(runs == keys(timing_plan(registry, options)));
  for (const Algorithm& row : registry.on_agpu()) {
    for (const std::string& type : row.types) {
      CAPTURE(row.name, type);
      CHECK(has(plan, row.name, type, 1 << 10, row.inputs.front(), 32));
      CHECK(has(plan, row.name, type, 1 << 10, row.inputs.front(), 1024));
      const bool quadratic = row.name.ends_with("rank_sort");  // refuses so many keys
      CHECK(has(plan, row.name, type, 1 << 26, row.inputs.front(), 32) != quadratic);
      CHECK(has(plan, row.name, type, 1 << 26, row.inputs.front(), 1024) != quadratic);
      CHECK(has(plan, row.name, type, 3 * 512 + 5, row.inputs.front(), 32));
      for (const std::string& input : row.inputs) {
        CHECK(has(plan, row.name, type, 1 << 20, input, 32));
      }
    }
  }
  for (const RunConfig& config : plan.configs) {
    CHECK(resolve(registry.find(config.algorithm), config) == config);
    CHECK((config.n >= options.n_min && config.n <= options.n_max));
    const std::string& usual = registry.find(config.algorithm).inputs.front();
    CHECK((config.input == usual || config.n == 1 << 20));
  }
}

TEST_CASE("every algorithm is planned on all three machines, its settings are the usual ones",
          "[cli][measure]") {
  const Registry& registry = test::all_rows();
  const std::vector<std::string> names = {"h200", "h200-wide", "h200-full"};
  const PlanOptions options{{}, 1 << 14, 1 << 14};
  for (const Plan& plan : {timing_plan(registry, options), profile_plan(registry, options)}) {
    for (const Algorithm& row : registry.on_agpu()) {
      for (const std::string& type : row.types) {
        for (const std::string& name : names) {
          CAPTURE(row.name, type, name);
          CHECK(std::any_of(plan.configs.begin(), plan.configs.end(), [&](const auto& config) {
            return config.algorithm == row.name && config.type == type &&
                   config.spec == find_machine(name).spec;
          }));
        }
      }
    }
    for (RunConfig config : plan.configs) {
      CHECK(std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return config.spec == find_machine(name).spec;
      }));
      const RunConfig planned = config;
      config.parameters.clear();
      CHECK(resolve(registry.find(config.algorithm), config) == planned);
    }
  }
  const Plan sorts = timing_plan(registry, {{"bitonic_sort"}, 1 << 14, 1 << 14});
  CHECK_FALSE(sorts.configs.empty());
  for (const RunConfig& config : sorts.configs) CHECK(config.algorithm == "bitonic_sort");
}

TEST_CASE("the profile plan is small", "[cli][measure]") {
  const Plan plan = profile_plan(test::all_rows(), {});
  CHECK(plan.configs.size() > 50);
  for (const RunConfig& config : plan.configs) {
    CHECK(config.input == find_algorithm(config.algorithm).inputs.front());
    CHECK((config.n >= 1 << 12 && config.n <= 1 << 20));
  }
  CHECK(has(plan, "reduce", "u64", 1000003, "uniform", 32));
}

TEST_CASE("a peer is planned when it is named, for all types, inputs and sizes of its row",
          "[cli][measure]") {
  const Registry& registry = test::all_rows();
  for (const Algorithm& row : registry.on_agpu()) {
    for (const std::string& peer : row.peers) {
      CAPTURE(peer);
      const PlanOptions options{{peer}, 1 << 10, 1 << 26};
      const Plan plan = timing_plan(registry, options);
      const Plan of_row = timing_plan(registry, {{row.name}, 1 << 10, 1 << 26});
      for (const RunConfig& run : of_row.configs) {
        CHECK(has(plan, peer, run.type, run.n, run.input, AgpuSpec{}.width));
      }
      const std::vector<std::string> runs = keys(plan);
      CHECK(std::set<std::string>(runs.begin(), runs.end()).size() == runs.size());
      for (const RunConfig& run : plan.configs) {
        CHECK(run.algorithm == peer);
        CHECK(run.spec == AgpuSpec{});
        CHECK(run.variant.empty());
        CHECK(run.parameters.empty());
        CHECK((run.n >= options.n_min && run.n <= options.n_max));
      }
    }
  }
  for (const RunConfig& run : timing_plan(registry, {{}, 1 << 10, 1 << 10}).configs) {
    CHECK(registry.row_of_peer(run.algorithm) == nullptr);
  }
}

TEST_CASE("the reference of a peer is its row's run on the same elements", "[cli][measure]") {
  RunConfig run{.algorithm = "cub_radix_sort_keys", .type = "u64", .n = 1000, .input = "zipf"};
  const RunConfig reference = reference_run(test::all_rows(), run);
  CHECK(reference.algorithm == "bitonic_sort");
  CHECK(reference.type == "u64");
  CHECK(reference.n == 1000);
  CHECK(reference.input == "zipf");
  run.input = "normal";
  CHECK_THROWS_AS(reference_run(test::all_rows(), run), UsageError);
}

TEST_CASE("a plan can be cut down to variants, machines and inputs", "[cli][measure]") {
  const Registry& registry = test::all_rows();
  PlanOptions options{{"multiway_merge_sort"}, 1 << 10, 1 << 12};
  options.variants = {"selection"};
  options.machines = {"h200"};
  options.inputs = {"sorted", "equal"};
  const Plan plan = timing_plan(registry, options);
  CHECK(plan.configs.size() == 2 * 2 * 3);
  for (const RunConfig& config : plan.configs) {
    CHECK(config.variant == "selection");
    CHECK(config.spec.width == 32);
    CHECK((config.input == "sorted" || config.input == "equal"));
  }
  options.set = {{"d", 4}, {"rows", 2}};
  for (const RunConfig& config : timing_plan(registry, options).configs) {
    CHECK(config.parameters.at("d") == 4);
    CHECK(config.parameters.at("rows") == 2);
  }
  options.set = {{"none_such", 2}};
  CHECK_THROWS_WITH(timing_plan(registry, options), says("none_such"));
  options.set = {};
  options.variants = {"none_such"};
  CHECK_THROWS_WITH(timing_plan(registry, options), says("unknown variant 'none_such'"));
  options.variants = {};
  options.inputs = {"none_such"};
  CHECK_THROWS_WITH(timing_plan(registry, options), says("unknown input 'none_such'"));
}

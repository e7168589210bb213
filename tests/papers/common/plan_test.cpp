#include "agpusim/papers/common/plan.hpp"

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

namespace agpusim::contest {
namespace {

Plan plan_of(const std::string& text) {
  const test::TempFolder folder;
  test::put(folder / "plan.json", text);
  return load_plan(folder / "plan.json");
}

/// A plan of one panel with one more field.
std::string plan_with(const std::string& field) {
  return R"({"schema": 1, "seed": 7, "type": "u32", "input": "uniform", "reference": "twice",
             "title": "two", "n": [8, 1024], "quick_n_max": 8,
             "contestants": [{"label": "a", "algorithm": "twice", "machine": "m"},
                             {"label": "b", "algorithm": "cub_twice", "n_max": 100}],
             "panels": [{"name": "first", )" +
         field + "}]}";
}

std::vector<Event> events_with(const Plan& plan, const SizeChoice& choice = {}) {
  return events_of(plan, choice, test::fake_registry(),
                   [](const std::string&) { return AgpuSpec{}; });
}

TEST_CASE("a panel has the fields of its group unless it has its own", "[contest][plan]") {
  const Plan plan = plan_of(
      R"({"schema": 1, "seed": 7, "type": "u32", "input": "uniform", "reference": "twice",
          "title": "two", "n": [8], "contestants": [],
          "panels": [{"name": "a"},
                     {"input": "sorted", "panels": [{"name": "b"}, {"name": "c", "n": [9]}]}]})");
  REQUIRE(plan.size() == 3);
  CHECK(plan[0].input == "uniform");
  CHECK(plan[1].input == "sorted");
  CHECK(plan[1].sizes == std::vector<std::int64_t>{8});
  CHECK(plan[2].sizes == std::vector<std::int64_t>{9});
  CHECK(plan[2].seed == 7);
}

TEST_CASE("events have who takes part", "[contest][plan]") {
  const Plan plan = plan_of(plan_with(R"("writes": true)"));
  const auto events = events_with(plan);
  REQUIRE(events.size() == 2);
  CHECK(events[0].runs.size() == 2);
  CHECK(events[1].runs.size() == 1);  // b takes at most 100
  CHECK(events_with(plan, {.quick = true}).size() == 1);
  CHECK(events_with(plan, {.n_max = 7}).empty());
  const auto runs = runs_of(events, test::fake_registry());
  REQUIRE(runs.size() == 3);
  CHECK(runs[1].config.algorithm == "cub_twice");
  CHECK(runs[1].reference.algorithm == "twice");
}

TEST_CASE("range and len of keys follow from n, delta and sigma", "[contest][plan]") {
  const KeyRule keys{.delta = 10, .sigma = 50};
  CHECK(keys.at(1'000'000).range == 100'000);
  CHECK(keys.at(1'000'000).len == 2'000);
  CHECK(KeyRule{.delta = 0.25}.at(100).len == 400);
  CHECK(KeyRule{.sigma = 100, .range = 10}.at(100).len == 1);
  // Inputs with more values than the range has are left out.
  CHECK(events_with(plan_of(plan_with(R"("range": 10, "len": 11)"))).empty());
}

TEST_CASE("a damaged plan is refused by panel and field", "[contest][plan]") {
  CHECK_THROWS_AS(load_plan("/nowhere.json"), IoError);
  CHECK_THROWS_WITH(plan_of("{}"), says("plan.json: ", "schema"));
  CHECK_THROWS_WITH(plan_of(plan_with(R"("sigmas": 3)")),
                    says("panel 'first': field 'sigmas' is unknown"));
  CHECK_THROWS_WITH(plan_of(plan_with(R"("type": 3)")),
                    says("panel 'first': field 'type' is not a text"));
  CHECK_THROWS_WITH(plan_of(plan_with(R"("n": [9, 8])")), says("not ascending"));
  CHECK_THROWS_WITH(plan_of(plan_with(R"("contestants": [{"label": "a"}])")), says("algorithm"));
  CHECK_THROWS_AS(plan_of(plan_with(R"("n": 8)")), FileError);
}

}  // namespace
}  // namespace agpusim::contest

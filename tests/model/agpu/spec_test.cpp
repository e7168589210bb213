#include "agpusim/model/agpu/spec.hpp"

#include <algorithm>
#include <functional>

#include "agpusim/model/agpu/assignment.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/kernels.hpp"
#include "agpusim/tests/support/seed.hpp"

namespace agpusim {
namespace {

std::string refusal(const std::function<void(AgpuSpec&)>& change) {
  AgpuSpec spec;
  change(spec);
  return test::message_of<UsageError>([&] { validate(spec); });
}

TEST_CASE("a machine that cannot exist is refused by the name of the parameter", "[model][spec]") {
  CHECK(refusal([](AgpuSpec&) {}).empty());
  CHECK(refusal([](AgpuSpec& s) { s.block_words = 0; }).find("b = 0") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.block_words = 1025; }).find("b = 1025") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.cores = 0; }).find("p = 0") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.cores = -32; }).find("p = -32") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.cores = 100; }).find("p = 100 is not a multiple of b = 32") ==
        0);
  CHECK(refusal([](AgpuSpec& s) { s.shared_words = 31; }).find("M = 31 is smaller than b") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.word_bits = 7; }).find("w = 7") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.word_bits = 65; }).find("w = 65") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.width = 48; }).find("V = 48") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.width = 2048; }).find("V = 2048") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.next_fit_cap = -1; }).find("next-fit cap = -1") == 0);
}

TEST_CASE("an element of more than w bits takes several words", "[model][spec]") {
  AgpuSpec spec;
  CHECK(spec.words_per_element(4) == 1);
  CHECK(spec.words_per_element(8) == 2);
  spec.word_bits = 64;
  CHECK(spec.words_per_element(4) == 1);
  spec.word_bits = 24;
  CHECK(spec.words_per_element(4) == 2);
}

TEST_CASE("a sector is 32 bytes", "[model][spec]") {
  AgpuSpec spec;
  CHECK(spec.sector_words() == 8);
  spec.word_bits = 64;
  CHECK(spec.sector_words() == 4);
  spec.word_bits = 8;
  CHECK(spec.sector_words() == 32);
}

AgpuSpec machine(Assignment assignment, std::int64_t k, std::int64_t cap = 0) {
  AgpuSpec spec = small_machine(8, 1, k);
  spec.assignment = assignment;
  spec.next_fit_cap = cap;
  return spec;
}

const std::vector<TaskCost> six_tasks = {{9, 1}, {1, 1}, {1, 1}, {5, 5}, {1, 1}, {1, 1}};

TEST_CASE("static assignment runs task j on multiprocessor j mod k", "[model][assignment]") {
  const PhaseLoad load = TaskAssigner(machine(Assignment::static_cyclic, 3)).assign(six_tasks);
  CHECK(load.time == 9 + 5);
  CHECK(load.io_max == 6);
}

TEST_CASE("list assignment gives the next task to the first idle multiprocessor",
          "[model][assignment]") {
  const PhaseLoad load = TaskAssigner(machine(Assignment::list, 3)).assign(six_tasks);
  CHECK(load.time == 9);
  CHECK(load.io_max == 6);  // 1, then 5, on one multiprocessor
}

TEST_CASE("next-fit opens the next multiprocessor at the cap", "[model][assignment]") {
  CHECK(TaskAssigner(machine(Assignment::next_fit, 3, 11)).assign(six_tasks).time == 11);
  CHECK(TaskAssigner(machine(Assignment::next_fit, 3)).assign(six_tasks).time <= 12);  // 2·18/3
  CHECK_THROWS_AS(TaskAssigner(machine(Assignment::next_fit, 2, 8)).assign(six_tasks),
                  RuleViolation);
  // The cap is 8/3, up to 3: the first two tasks share.
  CHECK(TaskAssigner(machine(Assignment::next_fit, 3))
            .assign(std::vector<TaskCost>{{1}, {2}, {1}})
            .time == 3);
}

TEST_CASE("list assignment of millions of equal tasks is that of rounds", "[model][assignment]") {
  constexpr std::int64_t rounds = (std::int64_t{1} << 20) + 1;
  const std::vector<TaskRun> runs = {{4 * rounds, {{3, 2}}}};
  const PhaseLoad load = TaskAssigner(machine(Assignment::list, 4)).assign(runs);
  CHECK(load.time == 3 * rounds);
  CHECK(load.io_max == 2 * rounds);
}

TEST_CASE("T_tot is the largest total of one multiprocessor", "[model][assignment]") {
  TaskAssigner assigner(machine(Assignment::static_cyclic, 2));
  const std::vector<TaskCost> first = {{10, 0}, {1, 0}};
  const std::vector<TaskCost> second = {{1, 0}, {10, 0}};
  CHECK(assigner.assign(first).time + assigner.assign(second).time == 20);
  CHECK(assigner.total_max() == 11);
}

TEST_CASE("list assignment keeps Graham's bound", "[model][assignment][property]") {
  Random random(test_seed());
  INFO("AGPUSIM_TEST_SEED=" << test_seed());
  for (int repeat = 0; repeat < 200; ++repeat) {
    const auto k = static_cast<std::int64_t>(1 + random() % 9);
    std::vector<TaskCost> costs(1 + random() % 50);
    for (TaskCost& cost : costs) cost.time = static_cast<std::int64_t>(1 + random() % 100);
    std::int64_t sum = 0;
    std::int64_t longest = 0;
    for (const TaskCost& cost : costs) {
      sum += cost.time;
      longest = std::max(longest, cost.time);
    }
    const std::int64_t time = TaskAssigner(machine(Assignment::list, k)).assign(costs).time;
    REQUIRE(time * k <= sum + (k - 1) * longest);
    REQUIRE(time * k >= sum);
  }
}

}  // namespace
}  // namespace agpusim

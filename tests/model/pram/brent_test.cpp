#include "agpusim/model/pram/brent.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/pram.hpp"
#include "agpusim/tests/support/seed.hpp"

namespace agpusim {
namespace {

using I64 = std::int64_t;

/// One processor of a random program: it reads cells and writes a value that depends on them.
struct Plan {
  std::vector<I64> reads;
  I64 target = -1;
  bool accumulate = false;
  I64 constant = 0;
};

std::vector<Plan> random_step(Random& random, PramAccess access, I64 cells, I64 processors) {
  std::vector<I64> free_to_read(static_cast<std::size_t>(cells));
  std::iota(free_to_read.begin(), free_to_read.end(), 0);
  std::shuffle(free_to_read.begin(), free_to_read.end(), random);
  std::vector<I64> free_to_write = free_to_read;
  std::shuffle(free_to_write.begin(), free_to_write.end(), random);
  const bool accumulate = access == PramAccess::sum && below(random, 3) == 0;
  const bool exclusive_write = access == PramAccess::erew || access == PramAccess::crew;
  std::vector<Plan> step(static_cast<std::size_t>(processors));
  for (Plan& plan : step) {
    for (I64 r = below(random, 3); r > 0; --r) {
      if (access != PramAccess::erew) {
        plan.reads.push_back(below(random, cells));
      } else if (!free_to_read.empty()) {
        plan.reads.push_back(free_to_read.back());
        free_to_read.pop_back();
      }
    }
    plan.accumulate = accumulate;
    plan.constant = below(random, 21) - 10;
    if (below(random, 4) == 0) continue;
    if (!exclusive_write) {
      plan.target = below(random, cells);
    } else if (!free_to_write.empty()) {
      plan.target = free_to_write.back();
      free_to_write.pop_back();
    }
  }
  return step;
}

void run_step(Pram& pram, const PramArray& cells, PramAccess access,
              const std::vector<Plan>& step) {
  pram.step("random", static_cast<I64>(step.size()), [&](PramProcessor& p) {
    const Plan& plan = step[static_cast<std::size_t>(p.id())];
    I64 value = plan.constant;
    for (const I64 cell : plan.reads) value += p.read(cells, cell) % 1000;
    if (plan.target < 0) return;
    if (access == PramAccess::common) value = plan.target * 7 % 5;
    if (plan.accumulate) {
      p.accumulate(cells, plan.target, value);
    } else {
      p.write(cells, plan.target, value);
    }
  });
}

/// Whether groups of `p` processors, one after the other, would meet in a cell.
bool groups_meet(const std::vector<Plan>& step, I64 p) {
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i].target < 0) continue;
    for (std::size_t j = 0; j < step.size(); ++j) {
      const I64 a = static_cast<I64>(i) / p;
      const I64 b = static_cast<I64>(j) / p;
      if (a == b) continue;
      if (step[j].target == step[i].target) return true;
      if (a < b && std::count(step[j].reads.begin(), step[j].reads.end(), step[i].target) > 0) {
        return true;
      }
    }
  }
  return false;
}

constexpr PramAccess every_rule[] = {
    PramAccess::erew,     PramAccess::crew,   PramAccess::common, PramAccess::arbitrary,
    PramAccess::priority, PramAccess::sum,    PramAccess::max,    PramAccess::min,
    PramAccess::bit_or,   PramAccess::bit_xor};

TEST_CASE("a schedule ends with the memory of the recorded run, under every rule",
          "[model][pram][brent][property]") {
  Random random(test_seed());
  INFO("AGPUSIM_TEST_SEED=" << test_seed());
  for (const PramAccess access : every_rule) {
    CAPTURE(to_string(access));
    I64 conflict_free = 0;
    I64 naive_wrong = 0;
    std::set<BrentWrites> used;
    for (int repeat = 0; repeat < 320; ++repeat) {
      CAPTURE(repeat);
      // Few cells make conflicts, many leave some steps without.
      const I64 size = 1 + below(random, repeat % 2 == 0 ? 12 : 400);
      // Words of 8 bits elect in several levels on 9 processors and more.
      const std::int32_t word_bits = access == PramAccess::bit_xor ? 5 : 64;
      Pram pram = test::recording(access, word_bits);
      std::vector<I64> input(static_cast<std::size_t>(size));
      for (I64& value : input) value = below(random, 16) - 8;
      const PramArray cells = pram.array(input, "cells");
      std::vector<std::vector<Plan>> program;
      for (I64 t = below(random, 4); t >= 0; --t) {
        program.push_back(random_step(random, access, size, 1 + below(random, 40)));
        if (access == PramAccess::bit_xor) {
          for (Plan& plan : program.back()) {
            plan.reads.clear();  // what is written fits 5 bits
          }
        }
        run_step(pram, cells, access, program.back());
      }
      const std::vector<I64> wanted = pram.values(cells);
      for (const I64 p : {I64{1}, 2 + below(random, I64{12}), I64{40}}) {
        CAPTURE(p);
        for (const SumSplit split : {SumSplit::accumulate, SumSplit::replace}) {
          const BrentSchedule schedule = schedule_on(pram.trace(), p, split);
          REQUIRE(schedule.memory == wanted);
          REQUIRE(schedule.written == std::vector<bool>(wanted.size(), true));
          REQUIRE(schedule.bound() == pram.report().brent_time(p));
          REQUIRE(schedule.steps.size() == program.size());
          for (std::size_t t = 0; t < program.size(); ++t) {
            const BrentStep& step = schedule.steps[t];
            used.insert(step.writes);
            REQUIRE(step.groups == (static_cast<I64>(program[t].size()) + p - 1) / p);
            REQUIRE(step.steps >= step.groups);
            REQUIRE(step.steps <= (access == PramAccess::bit_xor ? 6 : 5) * step.groups);
            if (!groups_meet(program[t], p)) {
              ++conflict_free;
              REQUIRE(step.steps == step.groups);
              REQUIRE_FALSE(step.buffered);
            }
          }
          if (p == 40) REQUIRE(schedule.time() == pram.report().time());
          naive_wrong += schedule.naive_wrong_cells > 0 ? 1 : 0;
        }
      }
    }
    CHECK(conflict_free > 300);
    const auto uses = [&](BrentWrites writes) { return used.count(writes) > 0; };
    CHECK(uses(BrentWrites::direct));
    CHECK(uses(BrentWrites::descending) == (access == PramAccess::priority));
    CHECK(uses(BrentWrites::winner) == (access == PramAccess::arbitrary));
    CHECK(uses(BrentWrites::accumulate) == (access == PramAccess::sum));
    CHECK(uses(BrentWrites::clear_accumulate) == (access == PramAccess::sum));
    CHECK(uses(BrentWrites::clear_fold) ==
          (access == PramAccess::max || access == PramAccess::min || access == PramAccess::bit_or));
    CHECK(uses(BrentWrites::clear_elect_fold) ==
          (access == PramAccess::sum || access == PramAccess::bit_xor));
    // Where writers agree, or any of them may win, naive groups end with the right memory.
    const bool last_may_win = access == PramAccess::erew || access == PramAccess::crew ||
                              access == PramAccess::common || access == PramAccess::arbitrary;
    CHECK((naive_wrong == 0) == last_may_win);
  }
}

/// Seed 000's histogram: clear the bins, then processor i writes 1 to its bin.
Pram histogram(const std::vector<I64>& keys, I64 range, SumReading reading = SumReading::values) {
  PramSpec spec{.sum = reading};
  Pram pram(spec, PramOptions{.record_trace = true});
  const PramArray x = pram.array(keys, "x");
  const PramArray bins = pram.array(std::vector<I64>(static_cast<std::size_t>(range)), "bins");
  pram.step("count", static_cast<I64>(keys.size()),
            [&](PramProcessor& p) { p.write(bins, p.read(x, p.id()), 1); });
  return pram;
}

TEST_CASE("naive groups lose counts of a histogram on replacing Sum, the schedules do not",
          "[model][pram][brent][property]") {  // theory 2.5
  Random random(test_seed());
  INFO("AGPUSIM_TEST_SEED=" << test_seed());
  int naive_wrong = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    const I64 n = 1 + below(random, 60);
    const I64 range = 1 + below(random, 12);
    const I64 p = 1 + below(random, 20);
    CAPTURE(n, range, p);
    std::vector<I64> keys(static_cast<std::size_t>(n));
    for (I64& key : keys) key = below(random, range);
    std::vector<I64> wanted = keys;
    for (I64 v = 0; v < range; ++v) wanted.push_back(std::count(keys.begin(), keys.end(), v));
    const auto reading = repeat % 2 == 0 ? SumReading::values : SumReading::count;
    const Pram pram = histogram(keys, range, reading);
    const I64 groups = (n + p - 1) / p;
    bool crossing = false;
    for (I64 i = 0; i < n; ++i) {
      for (I64 j = 0; j < i; ++j) {
        crossing =
            crossing || (keys[static_cast<std::size_t>(i)] == keys[static_cast<std::size_t>(j)] &&
                         i / p != j / p);
      }
    }
    const BrentSchedule fast = schedule_on(pram.trace(), p);
    REQUIRE(fast.memory == wanted);
    REQUIRE(fast.time() == (crossing ? 2 : 1) * groups);
    REQUIRE(fast.auxiliary_cells == 0);
    const BrentSchedule literal = schedule_on(pram.trace(), p, SumSplit::replace);
    REQUIRE(literal.memory == wanted);
    // P <= w = 64: one level elects; one processor alone need not.
    REQUIRE(literal.time() == (!crossing ? 1 : p == 1 ? 2 : 3) * groups);
    REQUIRE(literal.naive_wrong_cells == fast.naive_wrong_cells);
    REQUIRE((fast.naive_wrong_cells > 0) == crossing);
    naive_wrong += fast.naive_wrong_cells > 0 ? 1 : 0;
  }
  CHECK(naive_wrong > 200);
}

TEST_CASE("a group that reads what an earlier one writes costs a pass of reads",
          "[model][pram][brent]") {
  // Rotation in place by one: each cell is read by the processor to its right.
  const auto rotate = [](I64 by) {
    Pram pram = test::recording(PramAccess::erew);
    const PramArray a = pram.array(std::vector<I64>{10, 11, 12, 13, 14, 15, 16, 17}, "a");
    pram.step("rotate", 8,
              [&](PramProcessor& p) { p.write(a, (p.id() + by + 8) % 8, p.read(a, p.id())); });
    return pram;
  };
  const BrentSchedule right = schedule_on(rotate(1).trace(), 4);
  CHECK(right.memory == std::vector<I64>{17, 10, 11, 12, 13, 14, 15, 16});
  REQUIRE(right.steps.size() == 1);
  CHECK(right.steps[0].buffered);
  CHECK(right.steps[0].writes == BrentWrites::direct);
  CHECK(right.time() == 4);
  CHECK(right.bound() == 2);
  CHECK(right.naive_wrong_reads == 1);  // cell 4, written by processor 3 of the first group
  // To the left the first group writes cell 7, which processor 7 of the second one reads.
  CHECK(schedule_on(rotate(-1).trace(), 4).steps[0].buffered);
  // By 8 everybody writes its own cell.
  const BrentSchedule own = schedule_on(rotate(8).trace(), 4);
  CHECK_FALSE(own.steps[0].buffered);
  CHECK(own.time() == 2);
  // All at once: nothing to split.
  CHECK(schedule_on(rotate(1).trace(), 8).time() == 1);
  CHECK(schedule_on(rotate(1).trace(), 8).steps[0].writes == BrentWrites::whole);
  CHECK(schedule_on(rotate(1).trace(), I64{1} << 62).time() == 1);
  CHECK(schedule_on(rotate(1).trace(), 1).time() == 16);
}

TEST_CASE("priority: groups run from the last to the first", "[model][pram][brent]") {
  Pram pram = test::recording(PramAccess::priority);
  const PramArray a = pram.array(std::vector<I64>{0, 0}, "a");
  pram.step("race", 6, [&](PramProcessor& p) { p.write(a, p.id() % 2, 100 + p.id()); });
  const BrentSchedule schedule = schedule_on(pram.trace(), 2);
  CHECK(schedule.memory == std::vector<I64>{100, 101});
  CHECK(schedule.steps[0].writes == BrentWrites::descending);
  CHECK(schedule.time() == 3);
  CHECK(schedule.naive_wrong_cells == 2);
}

TEST_CASE("xor elects in log_w P levels", "[model][pram][brent]") {
  // 12 processors write one cell on P = 9 and w = 3: two levels of masks, 3 + 1 cells.
  Pram pram = test::recording(PramAccess::bit_xor, 3);
  const PramArray a = pram.array(std::vector<I64>{3}, "a");
  pram.step("xor", 12, [&](PramProcessor& p) { p.write(a, 0, p.id() % 4); });
  const BrentSchedule schedule = schedule_on(pram.trace(), 9);
  CHECK(schedule.memory == std::vector<I64>{0});  // 0^1^2^3, three times
  CHECK(schedule.steps[0].writes == BrentWrites::clear_elect_fold);
  CHECK(schedule.time() == 2 * (2 + 2));
  CHECK(schedule.auxiliary_cells == 4);
}

TEST_CASE("old content does not leak into a replacing step, and stays under accumulate",
          "[model][pram][brent]") {
  for (const PramAccess access : {PramAccess::max, PramAccess::bit_or, PramAccess::sum}) {
    Pram pram = test::recording(access);
    const PramArray a = pram.array(std::vector<I64>{1 << 20, 1 << 20}, "a");
    pram.step("only the last group writes cell 1", 6,
              [&](PramProcessor& p) { p.write(a, p.id() / 5, 1); });
    const I64 first = access == PramAccess::sum ? 5 : 1;
    for (const SumSplit split : {SumSplit::accumulate, SumSplit::replace}) {
      CHECK(schedule_on(pram.trace(), 2, split).memory == std::vector<I64>{first, 1});
    }
  }
  Pram pram = test::recording(PramAccess::sum);
  const PramArray a = pram.array(std::vector<I64>{100}, "a");
  pram.step("accumulate", 6, [&](PramProcessor& p) { p.accumulate(a, 0, p.id()); });
  const BrentSchedule schedule = schedule_on(pram.trace(), 2);
  CHECK(schedule.memory == std::vector<I64>{115});
  CHECK(schedule.steps[0].writes == BrentWrites::accumulate);
  CHECK(schedule.time() == 3);
  CHECK(schedule.naive_wrong_cells == 0);
}

TEST_CASE("a schedule refuses what it cannot do", "[model][pram][brent]") {
  CHECK_THROWS_AS(schedule_on(PramTrace{}, 0), UsageError);
  CHECK(schedule_on(PramTrace{}, 3).time() == 0);
  // The sum fits 8 bits, what the first group leaves does not.
  Pram pram = test::recording(PramAccess::sum, 8);
  const PramArray a = pram.array(1, "a");
  pram.step("overflow", 4, [&](PramProcessor& p) { p.write(a, 0, p.id() < 2 ? 100 : -100); });
  CHECK(pram.values(a) == std::vector<I64>{0});
  CHECK_THROWS_WITH(schedule_on(pram.trace(), 2), says("use a larger w"));
  CHECK(schedule_on(pram.trace(), 4).memory == std::vector<I64>{0});
  // A read that no schedule can repeat is found.
  PramTrace damaged = histogram({0, 1}, 2).trace();
  damaged.steps[0].reads[1].value = 0;
  CHECK_THROWS_AS(schedule_on(damaged, 1), Error);
}

}  // namespace
}  // namespace agpusim

// What the PRAM costs: processor-steps per second of one core and of all cores, with all rules
// checked and everything counted, beside a plain loop that does the same to a vector.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "agpusim/bench/benches.hpp"
#include "agpusim/model/pram/machine.hpp"

namespace agpusim::bench {
namespace {

using Cells = std::vector<std::int64_t>;

constexpr std::int64_t n = std::int64_t{4} << 20;  // processors of a step
constexpr std::int64_t bins = std::int64_t{1} << 20;
constexpr int dyadic_levels = 16;
constexpr std::int64_t dyadic = n / dyadic_levels;  // elements of the prefix sums

/// A machine, its arrays, and the same arrays without a machine.
struct Setting {
  explicit Setting(const PramSpec& spec, int threads)
      : machine(spec, PramOptions{threads, false, 0}), plain_x(n), plain_y(n) {
    for (std::int64_t i = 0; i < n; ++i) {
      plain_x[static_cast<std::size_t>(i)] = i * 2654435761 % bins;
    }
    x = machine.array(plain_x, "x");
    y = machine.array(plain_y, "y");
  }
  Pram machine;
  PramArray x;
  PramArray y;
  Cells plain_x;
  Cells plain_y;
};

struct Pattern {
  std::string name;
  PramAccess access;
  std::function<void(Setting&)> step;
  std::function<void(Cells& x, Cells& y)> plain;
};

/// A step in which processor i does `write(i, read, put)`, and the loop that does the same, where
/// put(y, index, value) of the loop is `merge`.
template <class Body, class Merge>
Pattern pattern(std::string name, PramAccess access, Body body, Merge merge) {
  return {std::move(name), access,
          [body](Setting& s) {
            const PramArray x = s.x;
            const PramArray y = s.y;
            s.machine.step("bench", n, [=](PramProcessor& self) {
              body(
                  self.id(), [&](std::int64_t i) { return self.read(x, i); },
                  [&](std::int64_t i, std::int64_t value) { self.write(y, i, value); });
            });
          },
          [body, merge](Cells& x, Cells& y) {
            std::int64_t* const from = x.data();
            std::int64_t* const to = y.data();
            for (std::int64_t p = 0; p < n; ++p) {
              body(
                  p, [&](std::int64_t i) { return from[i]; },
                  [&](std::int64_t i, std::int64_t value) { merge(to[i], value); });
            }
          }};
}

std::vector<Pattern> patterns() {
  const auto set = [](std::int64_t& cell, std::int64_t value) { cell = value; };
  const auto add = [](std::int64_t& cell, std::int64_t value) { cell += value; };
  const auto copy = [](std::int64_t i, auto read, auto write) { write(i, read(i)); };
  const auto reverse = [](std::int64_t i, auto read, auto write) { write(n - 1 - i, read(i)); };
  const auto race = [](std::int64_t i, auto read, auto write) { write(i / 4, read(i)); };
  const auto anywhere = [](std::int64_t i) { return (i * 2654435761 >> 7) & (n - 1); };
  const auto scatter = [anywhere](std::int64_t i, auto read, auto write) {
    write(anywhere(i), read(i));
  };
  return {
      pattern(
          "clear", PramAccess::sum, [](std::int64_t i, auto, auto write) { write(i, 0); }, set),
      pattern("copy", PramAccess::sum, copy, set),
      pattern("copy", PramAccess::erew, copy, set),
      pattern("reverse", PramAccess::erew, reverse, set),
      pattern(
          "x[i]+x[i^1]", PramAccess::sum,
          [](std::int64_t i, auto read, auto write) { write(i, read(i) + read(i ^ 1)); }, set),
      pattern(
          "tree_sum", PramAccess::crew,
          [](std::int64_t i, auto read, auto write) {
            if (2 * i + 1 < n) write(i, read(2 * i) + read(2 * i + 1));
          },
          set),
      pattern(
          "permute", PramAccess::crew,
          [](std::int64_t i, auto read, auto write) { write(i ^ 0x5a5a5, read(i)); }, set),
      pattern(
          "gather", PramAccess::crew,
          [anywhere](std::int64_t i, auto read, auto write) { write(i, read(anywhere(i))); }, set),
      pattern("scatter", PramAccess::priority, scatter, set),
      pattern("scatter", PramAccess::arbitrary, scatter, set),
      pattern("fours_race", PramAccess::priority, race, set),
      pattern("fours_race", PramAccess::arbitrary, race, set),
      pattern("fours_race", PramAccess::max, race,
              [](std::int64_t& cell, std::int64_t value) { cell = std::max(cell, value); }),
      pattern(
          "sum_to_one", PramAccess::sum,
          [](std::int64_t i, auto read, auto write) { write(0, read(i)); }, add),
      pattern(
          "histogram", PramAccess::sum,
          [](std::int64_t i, auto read, auto write) { write(read(i), 1); }, add),
      pattern(
          "prefix_up", PramAccess::sum,
          [](std::int64_t p, auto read, auto write) {
            const std::int64_t level = p / dyadic;
            const std::int64_t i = p % dyadic;
            write(level * dyadic + (i >> level), read(i));
          },
          add),
      pattern(
          "prefix_down", PramAccess::sum,
          [](std::int64_t p, auto read, auto write) {
            const std::int64_t level = p / dyadic;
            const std::int64_t end = p % dyadic + 1;
            if ((end >> level & 1) != 0) {
              write(end - 1, read(level * dyadic + (end >> level) - 1));
            }
          },
          add),
  };
}

constexpr int rounds = 3;

void rate(benchmark::State& state) {
  state.counters["steps"] =
      benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsIterationInvariantRate);
}

void add_machine(const std::string& name, const Pattern& pattern, int threads) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [pattern, threads](benchmark::State& state) {
                                 PramSpec spec;
                                 spec.access = pattern.access;
                                 Setting setting(spec, threads);
                                 pattern.step(setting);  // to warm up
                                 for ([[maybe_unused]] auto turn : state) pattern.step(setting);
                                 rate(state);
                               })
      ->Unit(benchmark::kMillisecond)
      ->Iterations(rounds)
      ->MeasureProcessCPUTime()
      ->UseRealTime();
}

void add_loop(const std::string& name, const Pattern& pattern) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [pattern](benchmark::State& state) {
                                 Setting setting(PramSpec{}, 1);
                                 for ([[maybe_unused]] auto turn : state) {
                                   pattern.plain(setting.plain_x, setting.plain_y);
                                   benchmark::ClobberMemory();
                                 }
                                 rate(state);
                               })
      ->Unit(benchmark::kMillisecond)
      ->Iterations(rounds);
}

}  // namespace

void add_pram_steps() {
  for (const Pattern& pattern : patterns()) {
    const std::string name = fmt::format("pram/{}/{}", pattern.name, to_string(pattern.access));
    add_machine(name + "/one_core", pattern, 1);
    add_machine(name + "/all_cores", pattern, 0);
    add_loop(name + "/plain_loop", pattern);
  }
}

}  // namespace agpusim::bench

// What the PRAM costs: processor-steps per second of one core and of all cores, with all rules
// checked and everything counted, beside a plain loop that does the same to a vector. Usage:
// agpusim_pram_bench [ROUNDS]
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "agpusim/model/pram/machine.hpp"
#include "agpusim/validation/predict/stats.hpp"

namespace {

using namespace agpusim;

using Cells = std::vector<std::int64_t>;

constexpr std::int64_t n = std::int64_t{10} << 20;  // processors of a step
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
          "tree sum", PramAccess::crew,
          [](std::int64_t i, auto read, auto write) {
            if (2 * i + 1 < n) write(i, read(2 * i) + read(2 * i + 1));
          },
          set),
      pattern(
          "permute", PramAccess::crew,
          [](std::int64_t i, auto read, auto write) { write(i ^ 0x5a5a5, read(i)); }, set),
      pattern("fours race", PramAccess::priority, race, set),
      pattern("fours race", PramAccess::arbitrary, race, set),
      pattern("fours race", PramAccess::max, race,
              [](std::int64_t& cell, std::int64_t value) { cell = std::max(cell, value); }),
      pattern(
          "sum to one", PramAccess::sum,
          [](std::int64_t i, auto read, auto write) { write(0, read(i)); }, add),
      pattern(
          "histogram", PramAccess::sum,
          [](std::int64_t i, auto read, auto write) { write(read(i), 1); }, add),
      pattern(
          "prefix up", PramAccess::sum,
          [](std::int64_t p, auto read, auto write) {
            const std::int64_t level = p / dyadic;
            const std::int64_t i = p % dyadic;
            write(level * dyadic + (i >> level), read(i));
          },
          add),
      pattern(
          "prefix down", PramAccess::sum,
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

template <class F>
double seconds(F run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
  fmt::print(
      "steps of {} processors, w = 64, median of {} rounds after one to warm up; M/s = 10^6 "
      "processor-steps per second\n\n{:12} {:10} {:>14} {:>14} {:>20}\n",
      n, rounds, "step", "PRAM", "1 core", "all cores", "plain loop, 1 core");
  for (const Pattern& each : patterns()) {
    PramSpec spec;
    spec.access = each.access;
    Setting one(spec, 1);
    Setting all(spec, 0);
    std::vector<double> one_core;
    std::vector<double> all_cores;
    std::vector<double> plain;
    for (int round = 0; round <= rounds; ++round) {
      const double times[] = {seconds([&] { each.step(one); }), seconds([&] { each.step(all); }),
                              seconds([&] { each.plain(one.plain_x, one.plain_y); })};
      if (round == 0) continue;
      one_core.push_back(times[0]);
      all_cores.push_back(times[1]);
      plain.push_back(times[2]);
    }
    const auto rate = [](std::vector<double>& sample) {
      return 1e-6 * static_cast<double>(n) / median(sample);
    };
    fmt::print("{:12} {:10} {:10.0f} M/s {:10.0f} M/s {:16.0f} M/s\n", each.name,
               to_string(each.access), rate(one_core), rate(all_cores), rate(plain));
  }
}

#include <limits>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/pram_reference.hpp"
#include "agpusim/tests/support/seed.hpp"

using namespace agpusim;

namespace {

constexpr std::int64_t chunk = detail::chunk_processors;

/// Draws programs that keep most rules most of the time.
class ScriptMaker {
 public:
  explicit ScriptMaker(std::uint64_t seed) : random_(seed) {}

  Script make(bool large) {
    Script script{.spec = {.access = static_cast<PramAccess>(below(10)),
                           .sum = below(4) == 0 ? SumReading::count : SumReading::values,
                           .word_bits = pick<std::int32_t>({8, 32, 62, 64, 64}),
                           .reads_per_step = pick<std::int32_t>({1, 2, 2, 5}),
                           .seed = random_()},
                  .cells = large ? pick<std::int64_t>({1, 5, 1000, 65535, 65536, 65537, 200000})
                                 : pick<std::int64_t>({1, 2, 5, 40, 100})};
    const std::int64_t defined = below(2) == 0 ? script.cells : below(script.cells + 1);
    for (std::int64_t i = 0; i < defined; ++i) script.content.push_back(value(script.spec));
    const std::int64_t steps = 1 + below(large ? 3 : 6);
    for (std::int64_t t = 0; t < steps; ++t) script.steps.push_back(make_step(script, large));
    return script;
  }

 private:
  std::int64_t below(std::int64_t bound) { return agpusim::below(random_, bound); }
  template <class T>
  T pick(std::initializer_list<T> choices) {
    return choices.begin()[below(static_cast<std::int64_t>(choices.size()))];
  }

  std::int64_t value(const PramSpec& spec) {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max() >> (64 - spec.word_bits);
    const std::int64_t kind = below(12);
    return kind == 0 ? most - below(3) : kind == 1 ? -most - 1 + below(3) : below(7) - 2;
  }

  /// A pattern of cells over the processors.
  struct Pattern {
    int kind;
    std::int64_t offset;
    std::int64_t cells;
    std::vector<std::int64_t> drawn;  // by processor, where the kind is `segments`
  };
  static constexpr int segments = 100;

  /// Runs of cells in steps of 1, 0, -1 or 2, of about the shortest length that the engine knows.
  Pattern segmented(std::int64_t processors, std::int64_t cells, bool exclusive) {
    Pattern p{segments, 0, cells, {}};
    std::int64_t next = 0;
    while (static_cast<std::int64_t>(p.drawn.size()) < processors) {
      const std::int64_t length = pick<std::int64_t>({1, 100, 255, 256, 257, 1000, 5000});
      const std::int64_t step = exclusive ? 1 : pick<std::int64_t>({1, 1, 0, -1, 2});
      std::int64_t at = exclusive ? next : below(std::min<std::int64_t>(cells, 3000));
      for (std::int64_t i = 0; i < length; ++i, at += step) {
        p.drawn.push_back(((at % cells) + cells) % cells);
      }
      next += length + below(2);
    }
    return p;
  }
  Pattern pattern(std::int64_t processors, std::int64_t cells, bool exclusive) {
    const bool fits = processors <= cells;
    const int kind = exclusive && fits ? pick({0, 0, 1, 2}) : static_cast<int>(below(7));
    if (processors > 1000 && below(2) == 0) {
      return segmented(processors, cells, exclusive && below(3) != 0);
    }
    return {kind, below(cells), cells, {}};
  }
  std::int64_t cell(const Pattern& p, std::int64_t i) {
    if (p.kind == segments) return p.drawn[static_cast<std::size_t>(i)];
    const std::int64_t cells[] = {
        i + p.offset,                            // one cell each, in order
        p.cells - 1 - (i + p.offset) % p.cells,  // one cell each, backwards
        (i ^ 1) < p.cells ? i ^ 1 : i,           // one cell each where a neighbour exists
        p.offset,                                // one cell for all
        i >> 1,                                  // groups of processors
        i >> 5};                                 // larger groups
    return p.kind < 6 ? cells[p.kind] % p.cells : below(p.cells);
  }

  ScriptedStep make_step(const Script& script, bool large) {
    const PramSpec& spec = script.spec;
    const std::int64_t processors =
        large ? pick<std::int64_t>({1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk + 5})
              : pick<std::int64_t>({0, 1, 2, 3, 10, 60});
    ScriptedStep step(static_cast<std::size_t>(processors));
    const bool erew = spec.access == PramAccess::erew;
    const auto reads = static_cast<std::size_t>(below(spec.reads_per_step + 1));
    std::vector<Pattern> from;
    for (std::size_t k = 0; k < (erew ? std::min<std::size_t>(reads, 1) : reads); ++k) {
      from.push_back(pattern(processors, script.cells, erew));
    }
    const bool exclusive = erew || spec.access == PramAccess::crew;
    const Pattern to = pattern(processors, script.cells, exclusive);
    const std::int64_t every = pick<std::int64_t>({1, 1, 2, 3});
    const bool writes = below(5) != 0;
    const bool adds = spec.word_bits <= 32 && below(2) == 0;
    const int accumulate = spec.access == PramAccess::sum ? static_cast<int>(below(6)) : 0;
    const std::int64_t common = value(spec);
    const bool one_value = below(3) == 0;
    const bool agree = one_value || (spec.access == PramAccess::common && below(3) != 0);
    for (std::int64_t i = 0; i < processors; ++i) {
      ScriptedProcessor& self = step[static_cast<std::size_t>(i)];
      if (i % every == 0 || below(8) == 0) {
        for (const Pattern& p : from) self.reads.push_back(cell(p, i));
      }
      self.writes = writes && i % every == 0;
      self.index = cell(to, i);
      self.value = agree ? common : value(spec);
      self.adds_reads = adds && !agree;
      self.accumulate = accumulate == 1 || (accumulate == 2 && self.index % 2 == 0) ||
                        (accumulate == 3 && below(200) == 0);
    }
    if (processors > 0 && below(12) == 0) break_rule(script, step);
    return step;
  }

  void break_rule(const Script& script, ScriptedStep& step) {
    ScriptedProcessor& self =
        step[static_cast<std::size_t>(below(static_cast<std::int64_t>(step.size())))];
    const std::int64_t rule = below(4);
    if (rule == 0) self.reads = {pick<std::int64_t>({-1, script.cells, script.cells + 100})};
    if (rule == 1) self.reads.assign(static_cast<std::size_t>(script.spec.reads_per_step + 1), 0);
    if (rule >= 2) self.writes = true;
    if (rule == 2) self.index = pick<std::int64_t>({-1, script.cells});
    if (rule == 3) self.accumulate = true;
  }

  std::mt19937_64 random_;
};

/// Runs `script` on 1, 2 and 5 threads beside the reference. Returns whether it ran to its end.
bool agrees_with_reference(const Script& script) {
  ReferencePram reference(script);
  std::vector<Pram> machines;
  std::vector<PramArray> arrays;
  for (const int threads : {1, 2, 5}) {
    machines.emplace_back(script.spec, PramOptions{threads, false, 0});
    Pram& machine = machines.back();
    const auto defined = static_cast<std::int64_t>(script.content.size());
    PramArray x = machine.array(script.cells, "x");
    // Input of a part of an array: one processor per cell writes it.
    if (defined == script.cells) {
      machine = Pram(script.spec, PramOptions{threads, false, 0});
      x = machine.array(script.content, "x");
    } else if (script.spec.access == PramAccess::sum && script.spec.sum == SumReading::count) {
      return true;  // such a machine cannot write a value
    } else {
      machine.step("input", defined, [&](PramProcessor& self) {
        self.write(x, self.id(), script.content[static_cast<std::size_t>(self.id())]);
      });
    }
    arrays.push_back(x);
  }
  const std::size_t input_steps = machines[0].report().steps.size();
  for (const ScriptedStep& step : script.steps) {
    const std::vector<std::string> expected = reference.run(step);
    std::string error;
    for (std::size_t m = 0; m < machines.size(); ++m) {
      std::string message;
      try {
        run_scripted(machines[m], arrays[m], "scripted", step);
      } catch (const RuleViolation& violation) {
        message = violation.what();
      }
      if (m == 0) error = message;
      CHECK(message == error);
    }
    CHECK(error.empty() == expected.empty());
    if (!error.empty() || !expected.empty()) {
      const auto number = machines[0].report().steps.size() + 1;
      CHECK_THAT(error, says("step " + std::to_string(number) + " (scripted)"));
      for (const std::string& part : expected) CHECK_THAT(error, says(part));
      CHECK(machines[0].report().steps.size() == input_steps + reference.steps().size());
      return false;
    }
    constexpr std::int64_t nobody = -99;
    const std::vector<std::int64_t> content = machines[0].values_or(arrays[0], nobody);
    for (std::size_t m = 1; m < machines.size(); ++m) {
      CHECK((machines[m].values_or(arrays[m], nobody) == content));
    }
    for (const auto& [cell, candidates] : reference.candidates()) {
      const std::int64_t winner = content[static_cast<std::size_t>(cell)];
      CHECK(candidates.count(winner) == 1);
      reference.choose(cell, winner);
    }
    std::vector<std::int64_t> wanted(static_cast<std::size_t>(script.cells), nobody);
    for (const auto& [cell, value] : reference.memory()) {
      wanted[static_cast<std::size_t>(cell)] = value;
    }
    CHECK((content == wanted));
  }
  for (const Pram& machine : machines) {
    CHECK(machine.report().cells == static_cast<std::int64_t>(reference.memory().size()));
    const std::vector<PramStep>& steps = machine.report().steps;
    REQUIRE(steps.size() == input_steps + reference.steps().size());
    for (std::size_t t = 0; t < reference.steps().size(); ++t) {
      PramStep wanted = reference.steps()[t];
      wanted.name = "scripted";
      const PramStep& got = steps[input_steps + t];
      CHECK(got == wanted);
    }
  }
  return true;
}

void check_scripts(int scripts, bool large) {
  int complete = 0;
  for (int i = 0; i < scripts; ++i) {
    const std::uint64_t seed = test_seed() * 1000003 + static_cast<std::uint64_t>(i);
    const Script script = ScriptMaker(seed).make(large);
    INFO("script of seed " << seed << " on " << script.spec.to_string());
    complete += agrees_with_reference(script) ? 1 : 0;
  }
  // Both legal and illegal programs were among them.
  CHECK(complete > scripts / 5);
  CHECK(complete < scripts - scripts / 20);
}

}  // namespace

TEST_CASE("small random PRAM programs do what the slow reference does", "[pram]") {
  check_scripts(3000, false);
}

TEST_CASE("random PRAM programs of several chunks do what the slow reference does", "[pram]") {
  check_scripts(400, true);
}

TEST_CASE("a program of three steps has the bill of theory 2.1", "[pram]") {
  // Sum of 0..9 by pairs: clear, add pairs, add all.
  Pram machine(PramSpec{});
  std::vector<std::int64_t> input(10);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::int64_t>(i);
  const PramArray x = machine.array(input, "x");
  const PramArray pairs = machine.array(5, "pairs");
  const PramArray total = machine.array(1, "total");
  machine.step("pairs", 10, [=](PramProcessor& self) {
    self.write(pairs, self.id() / 2, self.read(x, self.id()));
  });
  machine.step("nothing", 0, [](PramProcessor&) { throw UsageError("nobody is to run"); });
  machine.step("total", 5,
               [=](PramProcessor& self) { self.write(total, 0, self.read(pairs, self.id())); });
  CHECK(machine.values(pairs) == std::vector<std::int64_t>{1, 5, 9, 13, 17});
  CHECK(machine.values(total) == std::vector<std::int64_t>{45});
  const PramReport& report = machine.report();
  REQUIRE(report.steps.size() == 2);
  CHECK(report.steps[0] == PramStep{"pairs", 10, 10, 10, 10, 1, 2});
  CHECK(report.steps[1] == PramStep{"total", 5, 5, 5, 5, 1, 5});
  CHECK(report.cells == 16);
  CHECK(report.time() == 2);
  CHECK(report.processors() == 10);
  CHECK(report.work() == 15);
  CHECK(report.processor_time() == 20);
  CHECK(report.contention() == 5);
  CHECK(report.qrqw_time() == 2 + 5);
  CHECK(report.brent_time(1) == 15);
  CHECK(report.brent_time(4) == 3 + 2);
  CHECK(report.brent_time(100) == 2);
  CHECK_THROWS_AS(report.brent_time(0), UsageError);
}

TEST_CASE("a step without accesses counts, and has contention 0 but costs 1 on QRQW", "[pram]") {
  Pram machine(PramSpec{});
  std::vector<std::int64_t> ids(3);
  machine.step("registers", 3, [&](PramProcessor& self) {
    self.compute();
    ids[static_cast<std::size_t>(self.id())] = self.id();
  });
  CHECK(ids == std::vector<std::int64_t>{0, 1, 2});
  CHECK(machine.report().steps[0] == PramStep{"registers", 3, 3, 0, 0, 0, 0});
  CHECK(machine.report().contention() == 0);
  CHECK(machine.report().qrqw_time() == 1);
}

TEST_CASE("work is the processors that do something, not those that idle", "[pram]") {
  // Processor 0 reads, 1 writes, 2 does both, 3 computes, 4 computes and reads; 5..9 idle.
  for (const bool record : {false, true}) {
    Pram machine(PramSpec{}, PramOptions{1, record, 0});
    const PramArray x = machine.array(std::vector<std::int64_t>(3, 7), "x");
    const PramArray y = machine.array(4, "y");
    machine.step("some", 10, [=](PramProcessor& self) {
      const std::int64_t id = self.id();
      if (id == 3 || id == 4) self.compute();
      if (id == 0 || id == 2 || id == 4) (void)self.read(x, 1);
      if (id == 1 || id == 2) self.write(y, id, id);
    });
    CHECK(machine.report().steps[0] == PramStep{"some", 10, 5, 3, 2, 3, 1});
    CHECK(machine.report().processors() == 10);
    CHECK(machine.report().work() == 5);
    CHECK(machine.report().processor_time() == 10);
    CHECK(machine.report().brent_time(4) == 3);
    CHECK(machine.report().cells == 3 + 2);
    if (record) CHECK(machine.trace().steps[0].computing == std::vector<std::int64_t>{3});
  }
}

TEST_CASE("reads see the memory before the step", "[pram]") {
  // All processors of a large step rotate an array by one, in place.
  const std::int64_t n = 5 * chunk + 3;
  std::vector<std::int64_t> input(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::int64_t>(i);
  Pram machine(PramSpec{.access = PramAccess::erew}, PramOptions{5, false, 0});
  const PramArray x = machine.array(input, "x");
  machine.step("rotate", n, [=](PramProcessor& self) {
    self.write(x, (self.id() + 1) % n, self.read(x, self.id()));
  });
  const std::vector<std::int64_t> got = machine.values(x);
  for (std::size_t i = 0; i < input.size(); ++i) {
    REQUIRE(got[(i + 1) % input.size()] == input[i]);
  }
}

TEST_CASE("accesses far apart in a large memory", "[pram]") {
  // Every chunk reaches over all of 2^21+5 cells; most cells stay undefined.
  constexpr std::int64_t cells = (std::int64_t{1} << 21) + 5;
  constexpr std::int64_t n = 3 * chunk + 17;
  const auto far = [](std::int64_t i) { return i * 999983 % cells; };
  for (const int threads : {1, 5}) {
    Pram machine(PramSpec{}, PramOptions{threads, false, 0});
    const PramArray first = machine.array(3, "first");
    const PramArray x = machine.array(cells, "x");
    const PramArray y = machine.array(n, "y");
    machine.step("scatter", n,
                 [=](PramProcessor& self) { self.write(x, far(self.id()), self.id()); });
    machine.step("gather", n, [=](PramProcessor& self) {
      self.write(y, self.id(), self.read(x, far(self.id())) + self.read(x, far(0)));
    });
    machine.step("one", n, [=](PramProcessor& self) { self.write(first, 1, self.id() % 2); });
    const std::vector<std::int64_t> got = machine.values(y);
    for (std::int64_t i = 0; i < n; ++i) REQUIRE(got[static_cast<std::size_t>(i)] == i);
    const std::vector<std::int64_t> memory = machine.values_or(x, -1);
    std::vector<std::int64_t> wanted(cells, -1);
    for (std::int64_t i = 0; i < n; ++i) wanted[static_cast<std::size_t>(far(i))] = i;
    CHECK((memory == wanted));
    CHECK(machine.values_or(first, -1) == std::vector<std::int64_t>{-1, n / 2, -1});
    CHECK(machine.report().steps[0] == PramStep{"scatter", n, n, 0, n, 0, 1});
    CHECK(machine.report().steps[1] == PramStep{"gather", n, n, 2 * n, n, n, 1});
    CHECK(machine.report().steps[2] == PramStep{"one", n, n, 0, n, 0, n});
  }
}

TEST_CASE("the trace holds every access and the memory before the first step", "[pram]") {
  Pram machine(PramSpec{}, PramOptions{2, true, 0});
  const std::vector<std::int64_t> input{10, 20, 30};
  const PramArray x = machine.array(input, "x");
  const PramArray y = machine.array(2, "y");
  machine.step("first", 2, [=](PramProcessor& self) {
    const std::int64_t own = self.read(x, self.id());
    const std::int64_t again = self.read(x, self.id());
    self.write(y, self.id(), own + again + self.id());
  });
  const PramArray z = machine.array(std::vector<std::int64_t>{7}, "z");
  machine.step("second", 3, [=](PramProcessor& self) {
    if (self.id() != 1) self.accumulate(z, 0, self.id());
  });
  const PramTrace& trace = machine.trace();
  REQUIRE(trace.arrays.size() == 3);
  CHECK(trace.arrays[1].name == "y");
  CHECK(trace.arrays[1].first == 3);
  CHECK(trace.arrays[1].size == 2);
  CHECK(trace.arrays[2].first == 5);
  CHECK(trace.initial == std::vector<std::int64_t>{10, 20, 30, 0, 0, 7});
  CHECK(trace.initially_written == std::vector<bool>{true, true, true, false, false, true});
  REQUIRE(trace.steps.size() == 2);
  const auto row = [](const PramAccessRecord& r) {
    return std::vector<std::int64_t>{r.processor, r.cell, r.value, r.accumulate ? 1 : 0};
  };
  const auto rows = [&](const std::vector<PramAccessRecord>& records) {
    std::vector<std::vector<std::int64_t>> result;
    for (const PramAccessRecord& record : records) result.push_back(row(record));
    return result;
  };
  using Rows = std::vector<std::vector<std::int64_t>>;
  CHECK(rows(trace.steps[0].reads) ==
        Rows{{0, 0, 10, 0}, {0, 0, 10, 0}, {1, 1, 20, 0}, {1, 1, 20, 0}});
  CHECK(rows(trace.steps[0].writes) == Rows{{0, 3, 20, 0}, {1, 4, 41, 0}});
  CHECK(trace.steps[1].name == "second");
  CHECK(trace.steps[1].processors == 3);
  CHECK(trace.steps[1].reads.empty());
  CHECK(rows(trace.steps[1].writes) == Rows{{0, 5, 0, 1}, {2, 5, 2, 1}});
  CHECK(machine.values(z) == std::vector<std::int64_t>{9});
  // A processor that reads a cell twice read twice, and is one reader of it.
  CHECK(machine.report().steps[0].reads == 4);
  CHECK(machine.report().steps[0].read_contention == 1);
}

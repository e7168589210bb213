#include <limits>
#include <stdexcept>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/pram.hpp"

using namespace agpusim;

namespace {

/// x = {0, 0, 0, 0}; processor i writes values[i] to x[cells[i]] (a negative cell: does nothing).
std::vector<std::int64_t> write_all(const PramSpec& spec, const std::vector<std::int64_t>& cells,
                                    const std::vector<std::int64_t>& values) {
  Pram machine(spec);
  const PramArray x = machine.array(std::vector<std::int64_t>(4, 0), "x");
  machine.step("conflict", static_cast<std::int64_t>(cells.size()), [&](PramProcessor& self) {
    const auto i = static_cast<std::size_t>(self.id());
    if (cells[i] >= 0) self.write(x, cells[i], values[i]);
  });
  return machine.values(x);
}

using Cells = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("EREW: two readers, or two writers, of a cell are an error", "[pram]") {
  const PramSpec spec = test::machine_of(PramAccess::erew);
  CHECK(write_all(spec, {3, 2, 1, 0}, {5, 6, 7, 8}) == Cells{8, 7, 6, 5});
  test::check_violation({"step 1 (conflict)", "processors 0 and 5 ", "write x[0]", "EREW"}, [&] {
    write_all(spec, {0, 3, 1, 3, 3, 0}, {1, 1, 1, 1, 1, 1});
  });
  Pram machine(spec);
  const PramArray x = machine.array(std::vector<std::int64_t>{1, 2, 3}, "x");
  // A reader and a writer: the read comes first.
  machine.step("shift", 2,
               [=](PramProcessor& self) { self.write(x, self.id() + 1, self.read(x, self.id())); });
  CHECK(machine.values(x) == Cells{1, 1, 2});
  // One processor may read a cell twice.
  machine.step("twice", 3, [=](PramProcessor& self) {
    self.write(x, self.id(), self.read(x, self.id()) + self.read(x, self.id()));
  });
  CHECK(machine.values(x) == Cells{2, 2, 4});
  test::check_violation({"step 3 (gather)", "processors 3 and 4 ", "read x[2]", "EREW"}, [&] {
    machine.step("gather", 6, [=](PramProcessor& self) {
      if (self.id() >= 2) (void)self.read(x, self.id() == 2 ? 1 : 2);
    });
  });
}

TEST_CASE("CREW: many readers, one writer", "[pram]") {
  const PramSpec spec = test::machine_of(PramAccess::crew);
  test::check_violation({"processors 1 and 2 ", "write x[2]", "CREW"}, [&] {
    write_all(spec, {-1, 2, 2}, {1, 1, 1});
  });
  Pram machine(spec);
  const PramArray x = machine.array(std::vector<std::int64_t>{4}, "x");
  const PramArray y = machine.array(5, "y");
  machine.step("broadcast", 5,
               [=](PramProcessor& self) { self.write(y, self.id(), self.read(x, 0)); });
  CHECK(machine.values(y) == Cells(5, 4));
  CHECK(machine.report().steps[0].read_contention == 5);
}

TEST_CASE("Common: writers of a cell agree", "[pram]") {
  const PramSpec spec = test::machine_of(PramAccess::common);
  CHECK(write_all(spec, {1, 1, 2, 1}, {6, 6, 9, 6}) == Cells{0, 6, 9, 0});
  test::check_violation({"processor 0 writes 6", "processor 2 writes -7", "x[1]", "Common"}, [&] {
    write_all(spec, {1, 1, 1, 1}, {6, 6, -7, 8});
  });
}

TEST_CASE("Priority: the processor with the smallest number wins", "[pram]") {
  CHECK(write_all(test::machine_of(PramAccess::priority), {-1, 2, 0, 2, 0}, {1, 2, 3, 4, 5}) ==
        Cells{3, 0, 2, 0});
}

TEST_CASE("Arbitrary: the winner is drawn from the seed, evenly", "[pram]") {
  PramSpec spec = test::machine_of(PramAccess::arbitrary);
  const std::int64_t cells = 3000;
  const auto winners = [&](std::uint64_t seed, int threads) {
    spec.seed = seed;
    Pram machine(spec, PramOptions{threads, false, 0});
    const PramArray x = machine.array(cells, "x");
    for (int step = 0; step < 2; ++step) {
      machine.step("race", 3 * cells, [=](PramProcessor& self) {
        self.write(x, self.id() % cells, self.id() / cells);
      });
    }
    return machine.values(x);
  };
  const Cells first = winners(1, 1);
  CHECK((winners(1, 5) == first));
  CHECK((winners(2, 1) != first));
  std::vector<std::int64_t> wins(3);
  for (const std::int64_t winner : first) ++wins.at(static_cast<std::size_t>(winner));
  // 1000 expected, with a standard deviation of 26.
  for (const std::int64_t count : wins) {
    CHECK(count > 850);
    CHECK(count < 1150);
  }
}

TEST_CASE("combining machines: max, min, or, xor over the values written", "[pram]") {
  const Cells to{1, 1, 1, 3};
  const Cells values{-5, 6, 3, -1};
  CHECK(write_all(test::machine_of(PramAccess::max), to, values) == Cells{0, 6, 0, -1});
  CHECK(write_all(test::machine_of(PramAccess::min), to, values) == Cells{0, -5, 0, -1});
  CHECK(write_all(test::machine_of(PramAccess::bit_or), to, {9, 4, 1, 2}) == Cells{0, 13, 0, 2});
  CHECK(write_all(test::machine_of(PramAccess::bit_xor), to, {9, 4, 1, 2}) == Cells{0, 12, 0, 2});
}

TEST_CASE("Sum: the cell receives the sum, or the number of its writers", "[pram]") {
  PramSpec spec = test::machine_of(PramAccess::sum);
  CHECK(write_all(spec, {1, 1, 3, 1}, {5, -7, 9, 4}) == Cells{0, 2, 0, 9});
  spec.sum = SumReading::count;
  CHECK(write_all(spec, {1, 1, 3, 1}, {5, -7, 9, 4}) == Cells{0, 3, 0, 1});
}

TEST_CASE("accumulate adds to the old content", "[pram]") {
  for (const SumReading reading : {SumReading::values, SumReading::count}) {
    PramSpec spec = test::machine_of(PramAccess::sum);
    spec.sum = reading;
    Pram machine(spec);
    const PramArray x = machine.array(Cells{100, 200}, "x");
    machine.step("add", 3, [=](PramProcessor& self) { self.accumulate(x, 1, 10 * self.id()); });
    CHECK(machine.values(x) == Cells{100, reading == SumReading::values ? 230 : 203});
    // Other cells may be written in the same step.
    machine.step("both", 2, [=](PramProcessor& self) {
      if (self.id() == 0) self.write(x, 0, 1);
      if (self.id() == 1) self.accumulate(x, 1, 1);
    });
    CHECK(machine.values(x) == Cells{1, reading == SumReading::values ? 231 : 204});
    test::check_violation(
        {"step 3 (mixed)", "processor 2 accumulates to x[1]", "processor 1 writes"}, [&] {
          machine.step("mixed", 4, [=](PramProcessor& self) {
            if (self.id() == 1 || self.id() == 3) self.write(x, 1, 1);
            if (self.id() == 2) self.accumulate(x, 1, 1);
          });
        });
  }
  Pram machine(test::machine_of(PramAccess::sum));
  const PramArray x = machine.array(2, "x");
  test::check_violation({"step 1 (blind)", "processor 0", "x[1]", "nobody wrote"}, [&] {
    machine.step("blind", 1, [=](PramProcessor& self) { self.accumulate(x, 1, 1); });
  });
  Pram priority(test::machine_of(PramAccess::priority));
  const PramArray y = priority.array(Cells{1}, "y");
  test::check_violation({"step 1 (wrong)", "processor 0", "y[0]", "Sum-CRCW"}, [&] {
    priority.step("wrong", 1, [=](PramProcessor& self) { self.accumulate(y, 0, 1); });
  });
}

TEST_CASE("word overflow is judged on the final sum", "[pram]") {
  const PramSpec spec = test::machine_of(PramAccess::sum, 8);
  CHECK(write_all(spec, {0, 0, 0, 0}, {100, 27, -128, -127}) == Cells{-128, 0, 0, 0});
  CHECK(write_all(spec, {0, 0, 0}, {127, 127, -127}) == Cells{127, 0, 0, 0});
  test::check_violation({"word overflow", "3 writers of x[2]", "128", "w = 8"}, [&] {
    write_all(spec, {2, 2, 2}, {100, 27, 1});
  });
  test::check_violation({"word overflow", "processor 0", "x[2]", "128"},
                        [&] { write_all(spec, {2}, {128}); });
  test::check_violation({"word overflow", "-129"}, [&] { write_all(spec, {2}, {-129}); });
  test::check_violation({"word overflow", "input[1]", "200", "w = 8"}, [&] {
    Pram machine(spec);
    (void)machine.array(Cells{0, 200}, "input");
  });
  test::check_violation({"word overflow", "x[0]", "w = 8"}, [&] {
    Pram machine(spec);
    const PramArray x = machine.array(Cells{100}, "x");
    machine.step("add", 2, [=](PramProcessor& self) { self.accumulate(x, 0, 14); });
  });
  PramSpec count = spec;
  count.sum = SumReading::count;
  CHECK(write_all(count, Cells(127, 3), Cells(127, 0)) == Cells{0, 0, 0, 127});
  test::check_violation({"word overflow", "128 writers of x[3]"},
                        [&] { write_all(count, Cells(128, 3), Cells(128, 0)); });
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const PramSpec wide = test::machine_of(PramAccess::sum, 64);
  CHECK(write_all(wide, {0, 0, 0, 0}, {most, most, -most, -most}) == Cells{0, 0, 0, 0});
  CHECK(write_all(wide, {0, 0, 0}, {-most, -most, most}) == Cells{-most, 0, 0, 0});
  test::check_violation({"word overflow", "2 writers of x[0]", "9223372036854775808"}, [&] {
    write_all(wide, {0, 0}, {most, 1});
  });
}

TEST_CASE("rules hold in long runs of processors on consecutive cells", "[pram]") {
  constexpr std::int64_t n = 1000;
  {
    Pram machine(PramSpec{});
    const PramArray x = machine.array(Cells(n, 7), "x");
    machine.step("add", n, [=](PramProcessor& self) { self.accumulate(x, self.id(), self.id()); });
    Cells wanted(n);
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = 7 + static_cast<std::int64_t>(i);
    CHECK((machine.values(x) == wanted));
  }
  {
    // Processors 0..999 read x[500..1499], processors 1000..1999 read x[0..999].
    Pram machine(test::machine_of(PramAccess::erew));
    const PramArray x = machine.array(Cells(2 * n, 0), "x");
    test::check_violation({"processors 0 and 1500 ", "read x[500]"}, [&] {
      machine.step("overlap", 2 * n, [=](PramProcessor& self) {
        (void)self.read(x, self.id() < n ? self.id() + n / 2 : self.id() - n);
      });
    });
  }
  for (const std::int64_t size : {2 * n, 8 * n}) {
    // A part is written again and again; the rest stays undefined.
    Pram machine(PramSpec{});
    const PramArray x = machine.array(size, "x");
    for (std::int64_t round = 0; round < size / n; ++round) {
      machine.step("part", n, [=](PramProcessor& self) { self.write(x, self.id(), 1); });
    }
    CHECK_THROWS_WITH(machine.values(x), says("x[1000]"));
    test::check_violation({"processor 0 reads x[1000]", "nobody wrote"}, [&] {
      machine.step("read", 1, [=](PramProcessor& self) { (void)self.read(x, n); });
    });
  }
}

TEST_CASE("a machine goes on after a step that failed", "[pram]") {
  for (const std::size_t size : {3U, 10000U}) {
    Pram machine(PramSpec{});
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const PramArray x = machine.array(Cells(size, 2), "x");
    const PramArray y = machine.array(3, "y");
    for (const std::int64_t writers : {3, 700}) {
      const auto overflow = [=](PramProcessor& self) {
        (void)self.read(x, self.id() % 3);
        self.write(y, 0, most);
      };
      CHECK_THROWS_AS(machine.step("overflow", writers, overflow), RuleViolation);
    }
    machine.step("sum", 6, [=](PramProcessor& self) {
      self.write(y, self.id() % 3, self.read(x, self.id() % 3));
    });
    CHECK(machine.values(y) == Cells{4, 4, 4});
    CHECK(machine.report().steps == std::vector<PramStep>{{"sum", 6, 6, 6, 6, 2, 2}});
  }
}

TEST_CASE("what one processor does wrong is named, of several the smallest", "[pram]") {
  Pram machine(PramSpec{.reads_per_step = 1}, PramOptions{5, false, 0});
  const PramArray x = machine.array(Cells{1, 2, 3}, "x");
  const PramArray y = machine.array(3, "y");
  const std::int64_t many = 4 * detail::chunk_processors;
  const auto wrong = [&](std::int64_t processors, const std::vector<std::string>& parts,
                         auto body) {
    test::check_violation(parts, [&] { machine.step("wrong", processors, body); });
  };
  wrong(many, {"step 1 (wrong)", "out of bounds", "processor 3 reads x[3]", "3 cells"},
        [=](PramProcessor& self) { (void)self.read(x, self.id()); });
  wrong(2, {"out of bounds", "processor 0 writes x[-1]"},
        [=](PramProcessor& self) { self.write(x, -1, 0); });
  wrong(many, {"processor " + std::to_string(many / 2) + " reads x[1]", "read number 2"},
        [=](PramProcessor& self) {
          (void)self.read(x, 0);
          if (self.id() >= many / 2) (void)self.read(x, 1);
        });
  wrong(3, {"processor 2 reads y[1]", "nobody wrote"}, [=](PramProcessor& self) {
    if (self.id() == 2) (void)self.read(y, 1);
  });
  wrong(3, {"processor 1 writes x[1]", "second write"}, [=](PramProcessor& self) {
    self.write(x, 0, 1);
    if (self.id() == 1) self.write(x, 1, 1);
  });
  // An exception of the program itself comes out as it is.
  CHECK_THROWS_WITH(machine.step("throws", many,
                                 [=](PramProcessor& self) {
                                   if (self.id() % 100 == 99) {
                                     throw std::logic_error(std::to_string(self.id()));
                                   }
                                   self.write(x, 0, 1);
                                 }),
                    "99");
  // None of these steps happened.
  CHECK(machine.values(x) == Cells{1, 2, 3});
  CHECK(machine.report().steps.empty());
  CHECK_THROWS_WITH(machine.values(y), says("y[0]"));
  CHECK(machine.values_or(y, -1) == Cells(3, -1));
}

TEST_CASE("handles of no array, or of another machine, are refused", "[pram]") {
  Pram machine(PramSpec{});
  Pram other(PramSpec{});
  const PramArray theirs = other.array(Cells{1, 2}, "theirs");
  const PramArray none;
  CHECK(none.size() == 0);
  CHECK(machine.values(none).empty());
  CHECK_THROWS_AS(machine.step("wrong", 1, [=](PramProcessor& self) { self.write(theirs, 0, 1); }),
                  UsageError);
  CHECK_THROWS_AS(machine.step("wrong", 1, [=](PramProcessor& self) { (void)self.read(none, 0); }),
                  UsageError);
  CHECK_THROWS_AS(machine.values(theirs), UsageError);
}

TEST_CASE("a processor makes neither arrays nor steps", "[pram]") {
  Pram machine(PramSpec{});
  CHECK_THROWS_WITH(
      machine.step("outer", 1, [&](PramProcessor&) { (void)machine.array(1, "inner"); }),
      says("array inner"));
  CHECK_THROWS_WITH(
      machine.step("outer", 1,
                   [&](PramProcessor&) { machine.step("inner", 1, [](PramProcessor&) {}); }),
      says("inner"));
  // The machine is as good as before.
  const PramArray x = machine.array(1, "x");
  machine.step("write", 1, [=](PramProcessor& self) { self.write(x, 0, 5); });
  CHECK(machine.values(x) == Cells{5});
  CHECK_THROWS_AS(Pram(PramSpec{}, PramOptions{-1, false, 0}), UsageError);
  CHECK_THROWS_AS(Pram(PramSpec{}, PramOptions{1, false, -1}), UsageError);
}

TEST_CASE("a step needs the processors and the memory for its log", "[pram]") {
  PramSpec spec{.max_processors = 100};
  Pram machine(spec, PramOptions{1, false, 1 << 20});
  const auto body = [](PramProcessor&) { throw std::logic_error("nobody is to run"); };
  CHECK_THROWS_AS(machine.step("negative", -1, body), UsageError);
  CHECK_THROWS_WITH(machine.step("wide", 101, body),
                    says("step 1 (wide)", "101 processors", "100", "max_processors"));
  CHECK_THROWS_AS(machine.array(-1, "x"), UsageError);
  // 2^17 cells of 8 bytes and a bit each do not fit into 2^20 bytes.
  CHECK_THROWS_WITH(machine.array(1 << 17, "x"),
                    says("array x", "131072", "GiB", "memory_limit_bytes"));
  CHECK(machine.report().cells == 0);
  spec.max_processors = 0;
  Pram unlimited(spec, PramOptions{1, false, 1 << 20});
  CHECK_THROWS_WITH(unlimited.step("wide", 1'000'000, body),
                    says("step 1 (wide)", "1000000 processors", "GiB"));
  CHECK_THROWS_AS(unlimited.step("endless", std::int64_t{1} << 40, body), UsageError);
  CHECK_THROWS_AS(unlimited.array(std::numeric_limits<std::int64_t>::max(), "x"), UsageError);
  CHECK(unlimited.report().steps.empty());
}

TEST_CASE("a PRAM's description is validated and named", "[pram]") {
  PramSpec spec;
  CHECK(spec.to_string() == "Sum-CRCW PRAM");
  CHECK_NOTHROW(validate(spec));
  const auto broken = [](auto change) {
    PramSpec changed;
    change(changed);
    CHECK_THROWS_AS(validate(changed), UsageError);
    CHECK_THROWS_AS(Pram(changed), UsageError);
  };
  broken([](PramSpec& s) { s.word_bits = 1; });
  broken([](PramSpec& s) { s.word_bits = 65; });
  broken([](PramSpec& s) { s.reads_per_step = 0; });
  broken([](PramSpec& s) { s.reads_per_step = 17; });
  broken([](PramSpec& s) { s.max_processors = -1; });
  spec.access = PramAccess::erew;
  spec.word_bits = 32;
  CHECK(spec.to_string() == "EREW PRAM, w=32");
  const std::vector<std::string> names{"erew", "crew", "common", "arbitrary", "priority",
                                       "sum",  "max",  "min",    "or",        "xor"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    CHECK(parse_pram_access(names[i]) == static_cast<PramAccess>(i));
    CHECK(to_string(static_cast<PramAccess>(i)) == names[i]);
  }
  CHECK_THROWS_WITH(parse_pram_access("crcw"), says("crcw", "erew, crew, common"));
}

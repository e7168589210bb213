#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/pram.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

// Errors of a PRAM name the source line, and what to do about it.
namespace agpusim {
namespace {

using Cells = std::vector<std::int64_t>;

/// What a message says about a line of this file.
std::string line(int number) { return "(at error_lines_test.cpp:" + std::to_string(number) + ")"; }

TEST_CASE("an error of one processor names the line that made it", "[pram][line]") {
  PramSpec spec = test::machine_of(PramAccess::sum, 8);
  Pram machine(spec);
  const PramArray x = machine.array(Cells{1, 2, 3}, "x");
  const PramArray y = machine.array(3, "y");
  const auto check = [&](int number, auto body) {
    test::check_violation({line(number)}, [&] { machine.step("wrong", 2, body); });
  };
  check(__LINE__, [=](PramProcessor& self) { (void)self.read(x, 3); });
  check(__LINE__ + 2, [=](PramProcessor& self) {
    (void)self.read(x, 0);
    self.write(y, 0, 128);
  });
  check(__LINE__ + 3, [=](PramProcessor& self) {
    self.write(y, self.id(), 1);
    if (self.id() == 1) {
      self.write(y, 2, 1);
    }
  });
  check(__LINE__, [=](PramProcessor& self) { self.accumulate(y, 0, 1); });
  test::check_violation({line(__LINE__)}, [&] { (void)machine.values(y); });
  test::check_violation({line(__LINE__)}, [&] { (void)machine.array(Cells{128}, "z"); });
  CHECK_THROWS_WITH(machine.array(-1, "z"), says(line(__LINE__)));
}

TEST_CASE("an error of several processors names their lines", "[pram][line]") {
  Pram machine(test::machine_of(PramAccess::erew), PramOptions{2, false, 0});
  const PramArray x = machine.array(Cells(40, -1), "x");
  const std::int64_t many = 2 * detail::chunk_processors;
  const auto check = [&](Pram& on, const std::vector<int>& numbers, auto body) {
    const std::string message =
        test::message_of<RuleViolation>([&] { on.step("conflict", many, body); });
    std::vector<std::string> lines;
    for (const int number : numbers) lines.push_back(line(number));
    CHECK_THAT(message, test::Says(lines));
    std::size_t named = 0;
    for (std::size_t at = 0; (at = message.find("(at ", at)) != std::string::npos; ++at) ++named;
    CHECK(named == numbers.size());
  };
  // Processors 3 and 8200 read x[5], one as its second read.
  check(machine, {__LINE__ + 3, __LINE__ + 5}, [=](PramProcessor& self) {
    if (self.id() == 3) {
      (void)self.read(x, 4);
      (void)self.read(x, 5);
    } else if (self.id() == 8200) {
      (void)self.read(x, 5);
    }
  });
  check(machine, {__LINE__ + 2}, [=](PramProcessor& self) {
    if (self.id() % 8200 != 7) return;
    self.write(x, 5, self.read(x, self.id() % 30));
  });
  for (const std::int64_t value : {-1, -2, 0}) {  // whatever is written
    Pram common(test::machine_of(PramAccess::common));
    const PramArray y = common.array(Cells(3, 0), "y");
    check(common, {__LINE__ + 2, __LINE__ + 4}, [=](PramProcessor& self) {
      if (self.id() == 0) {
        self.write(y, 1, value);
      } else if (self.id() == many - 1) {
        self.write(y, 1, value + 1);
      }
    });
  }
  Pram sum(test::machine_of(PramAccess::sum, 8));
  const PramArray z = sum.array(Cells(3, 100), "z");
  check(sum, {__LINE__ + 1}, [=](PramProcessor& self) {
    if (self.id() < 2) self.accumulate(z, 1, 14);
  });
  check(sum, {__LINE__ + 1, __LINE__ + 2}, [=](PramProcessor& self) {
    if (self.id() == 0) self.accumulate(z, 1, 1);
    if (self.id() == 9) self.write(z, 1, 1);
  });
  // A processor that does something else when it runs again: the line of the step.
  std::vector<int> runs(static_cast<std::size_t>(many));
  const int number = __LINE__ + 2;
  test::check_violation({"processors 0 and 1 ", line(number)}, [&] {
    machine.step("once", 2, [&](PramProcessor& self) {
      if (++runs[static_cast<std::size_t>(self.id())] == 1) self.write(x, 0, 1);
    });
  });
}

TEST_CASE("pointer jumping needs three reads in a step, which the error says how to get",
          "[pram][line]") {
  // Distance to the end of the list 0 -> 1 -> ... -> 7; the last element points at itself.
  const auto distances = [](std::int32_t reads) {
    PramSpec spec = test::machine_of(PramAccess::crew);
    spec.reads_per_step = reads;
    Pram machine(spec);
    const PramArray next = machine.array(Cells{1, 2, 3, 4, 5, 6, 7, 7}, "next");
    const PramArray distance = machine.array(Cells{1, 1, 1, 1, 1, 1, 1, 0}, "distance");
    for (int round = 0; round < 3; ++round) {
      machine.step("add", 8, [=](PramProcessor& self) {
        const std::int64_t i = self.id();
        const std::int64_t successor = self.read(next, i);
        const std::int64_t own = self.read(distance, i);
        self.write(distance, i, own + self.read(distance, successor));
      });
      machine.step("jump", 8, [=](PramProcessor& self) {
        self.write(next, self.id(), self.read(next, self.read(next, self.id())));
      });
    }
    return machine.values(distance);
  };
  CHECK(distances(3) == Cells{7, 6, 5, 4, 3, 2, 1, 0});
  test::check_violation({"step 1 (add)", "processor 0 reads distance[1] as its read number 3",
                         "the machine allows 2 in a step", "PramSpec::reads_per_step",
                         "--reads-per-step", "(at error_lines_test.cpp:"},
                        [&] { (void)distances(2); });
}

}  // namespace
}  // namespace agpusim

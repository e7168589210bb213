// What an observer is told, and what each source line costs.
#include <numeric>

#include "agpusim/model/agpu/trigonometry.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/source_line.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/kernels.hpp"

namespace agpusim {
namespace {

constexpr std::uint32_t current_line(const SourceLine& where = SourceLine::current()) {
  return where.line();
}

/// The costs by line of `tasks` tasks of `body` on an array of 64 elements i.
template <class T = std::int32_t, class Body>
std::vector<LineCost> lines_of(Body body, const AgpuSpec& spec = small_machine(),
                               std::int64_t tasks = 1) {
  SimulatedDevice device(spec, SimulationOptions{.by_line = true});
  const auto array = device.allocate<T>(64, "array");
  std::vector<T> values(64);
  std::iota(values.begin(), values.end(), T{0});
  device.upload<T>(array, values);
  device.launch(tasks, TestKernel{body}, array);
  const RunReport report = device.report();
  Counts sum;
  for (const LineCost& line : report.lines) sum += line.counts;
  CHECK(sum == report.total());
  return report.lines;
}

Counts at_line(const std::vector<LineCost>& lines, std::uint32_t number) {
  for (const LineCost& line : lines) {
    if (line.line == number) return line.counts;
  }
  return {};
}

}  // namespace

TEST_CASE("a line is charged what its instructions cost", "[model][observer]") {
  std::uint32_t first = 0;
  const auto lines = lines_of([&](auto& mp, auto array) {
    const auto lane = mp.lane();
    const auto tile = mp.template shared<std::int32_t>(64);
    first = current_line();
    const auto x = array.read(lane * 2);
    tile.write(lane * 8, x);
    mp.when(lane < 3, [&] { tile.write(lane * 8, lane); });
  });
  REQUIRE(lines.size() == 3);
  const Counts read = at_line(lines, first + 1);
  CHECK(read.alu == 1);
  CHECK(read.global_read == GlobalCounts{1, 2, 2});  // 16 words in two blocks of 8, 32 bytes each
  CHECK(read.rounds == 0);
  const Counts write = at_line(lines, first + 2);
  CHECK(write.alu == 1);
  CHECK(write.shared_write == SharedCounts{1, 8, 7});  // 8 lanes in one bank
  CHECK(write.rounds == 1);                            // waits for the read
  const Counts when = at_line(lines, first + 3);
  CHECK(when.alu == 2);
  CHECK(when.shared_write == SharedCounts{1, 3, 2});
  CHECK(when.active_lanes == 8 + 3 + 3);
  CHECK(when.lane_slots == 3 * 8);
  for (const LineCost& line : lines) {
    CHECK(line.kernel == "test_kernel");
    CHECK(line.file == "tests/model/agpu/observer_test.cpp");
  }
  CHECK(lines[0].counts.time() >= lines[1].counts.time());
  CHECK(lines[1].counts.time() >= lines[2].counts.time());
}

TEST_CASE("every operator knows its line", "[model][observer]") {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  const auto lines = lines_of([&](auto& mp, auto) {
    const auto i = mp.lane();
    const auto f = mp.varying(1.5F);
    const auto t = mp.varying(true);
    const auto d = mp.varying(0.5);
    first = current_line() + 1;
    (void)(i + i);
    (void)(i - 1);
    (void)(2 * i);
    (void)(i / 3);
    (void)(i / -1);
    (void)(f / f);
    (void)(1.0F / f);
    (void)(i % 3);
    (void)(i % -1);
    (void)(i & i);
    (void)(i | 1);
    (void)(1 ^ i);
    (void)(i << 1U);
    (void)(i >> i);
    (void)(std::uint64_t{1} << i);
    (void)(i < i);
    (void)(i <= 1);
    (void)(1 > i);
    (void)(i >= 1);
    (void)(i == 1);
    (void)(i != i);
    (void)(t && t);
    (void)(t || false);
    (void)!t;
    (void)min(i, 1);
    (void)max(i, i);
    (void)select(t, i, 1);
    (void)fma(f, 2.0F, f);
    (void)cast<float>(i);
    (void)sin(d);
    (void)cos(d);
    last = current_line() - 1;
  });
  REQUIRE(lines.size() == last - first + 1);
  for (std::uint32_t line = first; line <= last; ++line) {
    CAPTURE(line - first);
    CHECK(at_line(lines, line).alu == (line < last - 1 ? 1 : trigonometric_instructions));
  }
}

TEST_CASE("an operator of several lines is where its own sign is", "[model][observer]") {
  std::uint32_t first = 0;
  const auto lines = lines_of([&](auto& mp, auto array) {
    const auto i = mp.lane();
    first = current_line();
    // clang-format off
    array.write(i
                  + 1,
                i
                  * 2);
    // clang-format on
  });
  CHECK(at_line(lines, first + 3).alu == 1);
  CHECK(at_line(lines, first + 5).alu == 1);
}

TEST_CASE("waiting for a read is charged to the line that needs it", "[model][observer]") {
  std::uint32_t first = 0;
  const auto lines = lines_of([&](auto& mp, auto array) {
    const auto i = mp.lane();
    const auto condition = array.read(i) < 4;
    const auto next = array.read(i);
    first = current_line();
    (void)mp.uniform(next - next);
    const auto flag = mp.varying(true);
    auto loaded = array.read(i);
    mp.when(flag, [&] { loaded = array.read(i + 8); });
    mp.when(condition && flag, [&] { (void)(loaded + 1); });
  });
  CHECK(at_line(lines, first + 1).rounds == 1);
  CHECK(at_line(lines, first + 4).rounds == 0);
  CHECK(at_line(lines, first + 5).rounds == 1);
}

TEST_CASE("costs by line do not depend on the host threads", "[model][observer]") {
  std::vector<std::vector<LineCost>> results;
  for (const int threads : {1, 4}) {
    SimulatedDevice device(small_machine(), SimulationOptions{.threads = threads, .by_line = true});
    const auto array = device.allocate<std::int32_t>(8000, "array");
    for (int phase = 0; phase < 2; ++phase) {
      device.launch(1000, TestKernel{[](auto& mp, auto view) {
                      const auto i = mp.lane();
                      view.from(mp.task() * 8).write(i, i + static_cast<int>(mp.task()));
                    }},
                    array);
    }
    results.push_back(device.report().lines);
  }
  REQUIRE(results[0].size() == 1);
  REQUIRE(results[1].size() == 1);
  CHECK(results[0][0].counts == results[1][0].counts);
  CHECK(results[0][0].counts.alu == 2000);
}

namespace {

/// Writes down what it is told.
class Scribe : public Observer {
 public:
  void begin_phase(std::string_view kernel, std::int64_t tasks) override {
    said.push_back(std::string(kernel) + " of " + std::to_string(tasks));
  }
  void begin_task(std::int64_t task) override { said.push_back("task " + std::to_string(task)); }
  void instruction(const Instruction& instruction) override {
    static const char* const kinds[] = {"alu", "read", "write", "atomic", "control", "sync"};
    std::string text = kinds[static_cast<int>(instruction.kind)];
    if (instruction.array != nullptr) {
      const AccessedArray& array = *instruction.array;
      text += " " + std::string(array.name) + (array.shared ? " shared" : " global");
      for (std::int32_t i = 0; i < instruction.indices->count; ++i) {
        const std::int64_t element = instruction.origin + instruction.indices->index[i];
        text += " " + std::to_string(array.first + element * array.words) + "(" +
                array.elements.text(element) + ")";
      }
    }
    text += ":";
    for (std::int32_t lane = 0; lane < 2 && instruction.values.data() != nullptr; ++lane) {
      if (instruction.mask.bytes[lane] != 0) text += " " + instruction.values.text(lane);
    }
    said.push_back(text + " costs " + std::to_string(instruction.cost.time()));
  }
  void violation(const SourceLine& where, const std::string& message) override {
    said.push_back("line " + std::to_string(where.line()) + ": " + message);
  }
  void end_phase(const PhaseReport& phase, std::span<const std::int64_t> multiprocessors) override {
    std::string text = "T = " + std::to_string(phase.time) + " on";
    for (const std::int64_t x : multiprocessors) text += " " + std::to_string(x);
    said.push_back(text);
  }
  std::vector<std::string> said;
};

}  // namespace

TEST_CASE("an observer is told every instruction in order", "[model][observer]") {
  Scribe scribe;
  SimulatedDevice device(small_machine(2), SimulationOptions{.observer = &scribe});
  const auto doubles = device.allocate<double>(4, "doubles");
  device.upload<double>(doubles, std::vector<double>{0.5, 1.5, 2.5, 3.5});
  device.launch(2, TestKernel{[](auto& mp, auto view) {
                  const auto pad = mp.template shared<std::int32_t>(1, "pad");
                  const auto tile = mp.template shared<std::int32_t>(2, "tile");
                  const auto x = view.from(mp.task() * 2).read(mp.lane());
                  tile.write(mp.lane(), mp.lane());
                  mp.when(x > 1.0, [&] { tile.atomic_add(mp.lane(), mp.lane()); });
                  (void)pad;
                }},
                doubles);
  CHECK(scribe.said == std::vector<std::string>{
                           "test_kernel of 2",
                           "task 0",
                           "read doubles global 0(0.5) 2(1.5): 0.5 1.5 costs 2",
                           "write tile shared 1(0) 2(0): 0 1 costs 1",
                           "alu: 0 1 costs 1",
                           "control: costs 0",
                           "atomic tile shared 2(1): 1 costs 1",
                           "task 1",
                           "read doubles global 4(2.5) 6(3.5): 2.5 3.5 costs 2",
                           "write tile shared 1(0) 2(2): 0 1 costs 1",
                           "alu: 1 1 costs 1",
                           "control: costs 0",
                           "atomic tile shared 1(0) 2(1): 0 1 costs 1",
                           "T = 5 on 0 1",
                       });
}

TEST_CASE("an observer is told what breaks a rule, and where", "[model][observer]") {
  Scribe scribe;
  SimulatedDevice device(small_machine(2), SimulationOptions{.observer = &scribe});
  std::uint32_t line = 0;
  const auto body = [&](auto& mp) {
    line = current_line() + 1;
    (void)(mp.lane() + 2147483647);
  };
  try {
    device.launch(1, TestKernel{body});
    FAIL("no violation");
  } catch (const RuleViolation& violation) {
    const std::string text = violation.what();
    CHECK(text ==
          "word overflow: a signed result does not fit its type (kernel test_kernel, task "
          "0, lane 1, at observer_test.cpp:" +
              std::to_string(line) + ")");
    REQUIRE(!scribe.said.empty());
    CHECK(scribe.said.back() == "line " + std::to_string(line) + ": " + text);
  }
}

}  // namespace agpusim

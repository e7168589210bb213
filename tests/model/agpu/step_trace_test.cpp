// What a recorded run keeps, and what it leaves out.
#include "agpusim/model/agpu/step_trace.hpp"

#include <numeric>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/kernels.hpp"

namespace agpusim {
namespace {

/// Two phases of two tasks on b = 4: turns rows around, then counts the even elements.
StepTrace record(TraceLimits limits, Assignment assignment = Assignment::static_cyclic) {
  AgpuSpec spec = small_machine(4, 1, 2);
  spec.assignment = assignment;
  StepRecorder recorder(spec, limits);
  SimulatedDevice device(spec, SimulationOptions{.observer = &recorder});
  const auto keys = device.allocate<std::int32_t>(8, "keys");
  std::vector<std::int32_t> values(8);
  std::iota(values.begin(), values.end(), 10);
  device.upload<std::int32_t>(keys, values);
  const auto count = device.allocate<std::int32_t>(1, "count");
  device.launch(2, TestKernel{[](auto& mp, auto view) {
                  const auto row = view.from(mp.task() * 4);
                  const auto before = row.read(mp.lane());
                  mp.sync();
                  row.write(3 - mp.lane(), before);
                }},
                keys);
  device.launch(2, TestKernel{[](auto& mp, auto view, auto sum) {
                  const auto key = view.from(mp.task() * 4).read(mp.lane());
                  mp.when(key % 2 == 0, [&] { sum.atomic_add(mp.varying(0), mp.varying(1)); });
                }},
                keys, count);
  return recorder.trace();
}

}  // namespace

TEST_CASE("a trace has arrays, values, elements and costs of every instruction",
          "[model][observer]") {
  const StepTrace trace = record({});
  REQUIRE(trace.arrays.size() == 2);
  CHECK(trace.arrays[0].name == "keys");
  CHECK(trace.arrays[0].initial ==
        std::vector<std::string>{"10", "11", "12", "13", "14", "15", "16", "17"});
  CHECK(trace.arrays[1].initial == std::vector<std::string>{"0"});
  // per task: read, sync, 3 - lane, write; read, %, ==, when, atomic
  REQUIRE(trace.instructions.size() == 2 * 4 + 2 * 5);
  CHECK(trace.seen == 18);
  const TracedInstruction& write = trace.instructions[7];
  CHECK(write.kind == InstructionKind::write);
  CHECK(write.task == 1);
  CHECK(write.elements == std::vector<std::int64_t>{7, 6, 5, 4});
  CHECK(write.values == "14 15 16 17");
  CHECK(write.mask == "1111");
  CHECK(write.cost.io() == 1);
  CHECK(write.cost.rounds == 1);
  const TracedInstruction& atomic = trace.instructions[17];
  CHECK(atomic.kind == InstructionKind::atomic);
  CHECK(atomic.mask == "0101");  // the row is 17 16 15 14
  CHECK(atomic.values == "1 1");
  CHECK(atomic.after == "4 4");
  CHECK(atomic.cost.serialised == 1);
  CHECK(trace.phases[1].multiprocessors == std::vector<std::int64_t>{0, 1});
  CHECK(trace.phases[1].time > 0);
  CHECK(trace.places[static_cast<std::size_t>(atomic.place)].file ==
        "tests/model/agpu/step_trace_test.cpp");
}

TEST_CASE("a trace keeps what was asked for, and counts the rest", "[model][observer]") {
  CHECK(record({.instructions = 7}).instructions.size() == 7);
  CHECK(record({.instructions = 7}).seen == 18);
  const StepTrace one = record({.phase = 1, .task = 0});
  REQUIRE(one.instructions.size() == 5);
  CHECK(one.instructions[0].phase == 1);
  CHECK(one.arrays[0].initial[0] == "13");  // as the phase before left it
  const StepTrace accesses = record({.accesses_only = true});
  CHECK(accesses.instructions.size() == 2 * 3 + 2 * 2);
}

TEST_CASE("a trace says where tasks ran", "[model][observer]") {
  CHECK(record({}, Assignment::list).phases[0].multiprocessors == std::vector<std::int64_t>{0, 1});
  CHECK(record({}, Assignment::next_fit).phases[0].multiprocessors ==
        std::vector<std::int64_t>{0, 0});
}

}  // namespace agpusim

#include "agpusim/validation/predict/predict.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

using agpusim::PhaseReport;
using agpusim::predict;
using agpusim::Prediction;
using agpusim::test::fake_config;
using agpusim::test::fake_device;
using Catch::Approx;

namespace {

// Of the fake device: 10 multiprocessors at 1 cycle/ns; 8 cycles per instruction of a chain; 500 ns
// of memory and 200 ns of L2 latency; 3 us for the first launch and 2 us for each further one.
// Expectations are worked out by hand, in nanoseconds unless they say otherwise.

Prediction prediction_of(const std::vector<PhaseReport>& phases) {
  return predict(fake_config(32), phases, fake_device());
}

/// Predicted nanoseconds of the work of one phase, without its launch.
double work(const PhaseReport& phase, const agpusim::RunConfig& config = fake_config(32)) {
  return 1e6 * predict(config, {phase}, fake_device()).milliseconds - 3000;
}

/// Predicted nanoseconds of one limit.
double part(const Prediction& prediction, const std::string& limit) {
  return 1e6 * prediction.parts.at(limit);
}

PhaseReport tasks(std::int64_t count) {
  PhaseReport phase;
  phase.tasks = count;
  return phase;
}

/// One task that moves so many sectors with one request each way.
PhaseReport transfer(std::int64_t read_sectors, std::int64_t written_sectors) {
  PhaseReport phase = tasks(1);
  phase.counts.global_read = {1, 1, read_sectors};
  phase.counts.global_write = {1, 1, written_sectors};
  return phase;
}

}  // namespace

TEST_CASE("a phase without instructions costs its launch and one way to the L2 cache",
          "[validation][predict]") {
  const Prediction single = prediction_of({tasks(1)});
  CHECK(single.milliseconds == Approx(3.2e-3));
  CHECK(part(single, "launch") == Approx(3000));
  CHECK(part(single, "latency") == Approx(200));
  CHECK(single.limit == "launch");
  const Prediction triple = prediction_of({tasks(1), tasks(1), tasks(1)});
  CHECK(triple.milliseconds == Approx(7.6e-3));  // 3 + 2 * 2 + 3 * 0.2 us
}

TEST_CASE("each resource has its rate", "[validation][predict]") {
  // Ten tasks keep all multiprocessors busy. Each case takes 1 ms, and 200 ns of latency.
  const auto check_millisecond = [](const PhaseReport& phase, const std::string& limit) {
    INFO(limit);
    const Prediction prediction = prediction_of({phase});
    CHECK(prediction.limit == limit);
    CHECK(part(prediction, limit) == Approx(1e6));
    CHECK(work(phase) == Approx(1e6 + 200));
  };
  PhaseReport phase = tasks(10);
  phase.counts.alu = 20'000'000;  // 20 per ns
  check_millisecond(phase, "issue");
  phase = tasks(10);
  phase.counts.idle = 40'000'000;  // 40 per ns
  check_millisecond(phase, "issue");
  phase = tasks(10);
  phase.counts.shared_read = {5'000'000, 5'000'000, 0};  // 10 wavefronts per ns
  phase.counts.shared_write = {2'500'000, 5'000'000, 2'500'000};
  check_millisecond(phase, "shared");
  check_millisecond(transfer(0, 37'500'000), "bandwidth");  // 32 bytes each, 1200 bytes/ns
  phase = tasks(10);
  phase.counts.global_read.blocks = 5'000'000;  // 5 per ns
  check_millisecond(phase, "bandwidth");
  phase.counts.global_write.blocks = 4'000'000;  // 4 per ns, at the same time
  check_millisecond(phase, "bandwidth");
  phase.counts.global_read.blocks = 1;
  check_millisecond(phase, "bandwidth");
}

TEST_CASE("atomics take the rate of their footprint, and one word serialises",
          "[validation][predict]") {
  const auto atomics = [](std::int64_t requests, std::int64_t sectors, std::int64_t footprint) {
    PhaseReport phase = tasks(10);
    phase.counts.global_atomic = {requests, 1, sectors};
    phase.contention = 1;
    phase.atomic_blocks = footprint / 128;
    return phase;
  };
  const auto time = [](const PhaseReport& phase) {
    return part(prediction_of({phase}), "atomics");
  };
  CHECK(time(atomics(2'000, 64'000, 1 << 20)) == Approx(1000));  // 64 per ns
  CHECK(time(atomics(2'000, 64'000, 1 << 26)) == Approx(4000));  // 16 per ns
  CHECK(time(atomics(2'000, 64'000, 1LL << 40)) == Approx(4000));
  // Halfway between 2^25 and 2^26 bytes on a logarithmic scale: sqrt(64 * 16) per ns.
  CHECK(time(atomics(2'000, 64'000, 47'453'133)) == Approx(2000).epsilon(1e-4));
  CHECK(time(atomics(2'000, 4'000, 128)) == Approx(1000));  // 4 per ns, in one block
  PhaseReport phase = atomics(2'000, 4'000, 1 << 20);
  phase.counts.serialised = 6'000;  // 4 lanes on a word on average: 16000 operations
  CHECK(time(phase) == Approx(250));
  phase.counts.serialised = 2'000'000;  // never more than the lanes there are: 64000
  CHECK(time(phase) == Approx(1000));
  phase.contention = 5'000;  // 1 per ns
  CHECK(time(phase) == Approx(5000));
  CHECK(prediction_of({tasks(1)}).parts.count("atomics") == 0);
}

TEST_CASE("arithmetic and all instructions have rates of their own", "[validation][predict]") {
  PhaseReport phase = tasks(10);
  phase.counts.alu = 20'000;  // 1000 at 20 per ns
  phase.counts.idle = 20'000;
  CHECK(part(prediction_of({phase}), "issue") == Approx(1000));  // 40000 at 40 per ns
  phase.counts.idle = 60'000;
  CHECK(part(prediction_of({phase}), "issue") == Approx(2000));  // 80000 at 40 per ns
}

TEST_CASE("the busiest multiprocessor sets the time", "[validation][predict]") {
  const auto issue = [](std::int64_t count) {
    PhaseReport phase = tasks(count);
    phase.counts.alu = 20'000 * count;  // 10000 ns on a multiprocessor that issues 2 per ns
    return part(prediction_of({phase}), "issue");
  };
  CHECK(issue(1) == Approx(1e4));
  CHECK(issue(10) == Approx(1e4));
  CHECK(issue(11) == Approx(2e4));
  PhaseReport phase = tasks(11);
  phase.counts.shared_read = {11'000, 11'000, 0};  // 1000 ns at 1 per ns
  CHECK(part(prediction_of({phase}), "shared") == Approx(2000));
}

TEST_CASE("the slowest resource hides the others and the parts add up", "[validation][predict]") {
  PhaseReport phase = tasks(10);
  phase.counts.alu = 20'000'000;                           // 1 ms
  phase.counts.shared_read = {20'000'000, 20'000'000, 0};  // 2 ms
  const Prediction prediction = prediction_of({phase});
  CHECK(prediction.milliseconds == Approx(2.0032));
  CHECK(prediction.limit == "shared");
  CHECK(prediction.parts.at("launch") + prediction.parts.at("shared") +
            prediction.parts.at("latency") ==
        Approx(prediction.milliseconds));
  CHECK(prediction.parts.count("issue") == 0);
  CHECK(prediction.parts.count("bandwidth") == 0);
}

TEST_CASE("reads and writes pair up as a copy", "[validation][predict]") {
  // 2 x 0.5 GB copied at 1000 bytes/ns, 0.85 GB more read at 1100 or written at 1200.
  CHECK(part(prediction_of({transfer(42'187'500, 15'625'000)}), "bandwidth") ==
        Approx(1e6 + 0.85e9 / 1100));
  CHECK(part(prediction_of({transfer(15'625'000, 42'187'500)}), "bandwidth") ==
        Approx(1e6 + 0.85e9 / 1200));
}

TEST_CASE("later phases of a small working set read the L2 cache", "[validation][predict]") {
  PhaseReport phase = transfer((1 << 20) / 32, 0);
  const Prediction small = prediction_of({phase, phase});
  CHECK(part(small, "bandwidth") == Approx((1 << 20) / 1100.0 + (1 << 20) / 4000.0));
  ++phase.counts.global_read.sectors;
  const Prediction large = prediction_of({phase, phase});
  CHECK(part(large, "bandwidth") == Approx(2 * ((1 << 20) + 32) / 1100.0));
}

TEST_CASE("a lone warp waits for each instruction, bank and block", "[validation][predict]") {
  PhaseReport phase = tasks(1);
  phase.max_task_time = 1000;
  phase.counts.alu = 1000;
  Prediction prediction = prediction_of({phase});
  CHECK(part(prediction, "latency") == Approx(8200));  // 1000 x 8 cycles, then 200
  CHECK(part(prediction, "issue") == Approx(500));     // all on one multiprocessor: 2 per ns
  CHECK(prediction.limit == "latency");
  // 200 instructions in 400 time units: 200 x 8 cycles, and 200 cycles for the further banks.
  phase = tasks(1);
  phase.max_task_time = 400;
  phase.counts.alu = 100;
  phase.counts.shared_read = {100, 300, 200};
  prediction = prediction_of({phase});
  CHECK(part(prediction, "latency") == Approx(1600 + 200 + 200));
  CHECK(part(prediction, "shared") == Approx(300));
  // 1 instruction of 32 blocks.
  phase = tasks(1);
  phase.max_task_time = 32;
  phase.counts.global_write = {1, 32, 32};
  prediction = prediction_of({phase});
  CHECK(part(prediction, "latency") == Approx(8 + 31 + 200));
  CHECK(part(prediction, "bandwidth") == Approx(8));  // 32 blocks at 4 per ns
}

TEST_CASE("a task waits for every round of its reads", "[validation][predict]") {
  PhaseReport phase = tasks(1);
  phase.counts.global_read = {1, 1, 4};
  phase.max_task_time = 1;
  phase.counts.rounds = 1;
  CHECK(part(prediction_of({phase}), "latency") == Approx(8 + 500 + 200));
  phase.counts.rounds = 3;
  CHECK(part(prediction_of({phase}), "latency") == Approx(8 + 1500 + 200));
  // The second phase finds its words in the L2 cache.
  CHECK(part(prediction_of({phase, phase}), "latency") == Approx(2 * 208 + 1500 + 600));
  // Rounds are of all tasks: 15 of 10 tasks are one and a half of each.
  phase = tasks(10);
  phase.counts.global_read = {15, 15, 60};
  phase.counts.rounds = 15;
  CHECK(part(prediction_of({phase}), "latency") == Approx(750 + 200));
  // Each of two turns of the slots waits: 641 tasks in 640 slots.
  phase = tasks(641);
  phase.counts.global_read = {641, 641, 641};
  phase.counts.rounds = 641;
  CHECK(part(prediction_of({phase}), "latency") == Approx(2 * 500 + 200));
}

TEST_CASE("a working set beyond the L2 cache waits for memory in every phase",
          "[validation][predict]") {
  PhaseReport phase = transfer((1 << 20) / 32 + 1, 0);
  phase.counts.rounds = 100;  // 50000, more than the transfer of 954
  CHECK(part(prediction_of({phase, phase}), "latency") == Approx(2 * (50000 + 200)));
  --phase.counts.global_read.sectors;
  CHECK(part(prediction_of({phase, phase}), "latency") == Approx(50000 + 20000 + 2 * 200));
}

TEST_CASE("tasks of one multiprocessor overlap chain and throughput", "[validation][predict]") {
  // Chain of each turn 8000, then 200; a task issues for 500 on its multiprocessor.
  const auto prediction_with = [](std::int64_t count) {
    PhaseReport phase = tasks(count);
    phase.counts.alu = 1000 * count;
    phase.max_task_time = 1000;
    return prediction_of({phase});
  };
  Prediction prediction = prediction_with(40);  // 4 each: the chain is longer, 1/4 of 2000 is added
  CHECK(part(prediction, "latency") == Approx(8200));
  CHECK(part(prediction, "issue") == Approx(500));
  CHECK(prediction.limit == "latency");
  prediction = prediction_with(640);  // 64 each: issuing takes 32000, 1/64 of the chain is added
  CHECK(part(prediction, "latency") == Approx(128.125));
  CHECK(part(prediction, "issue") == Approx(32000));
  CHECK(prediction.limit == "issue");
  prediction = prediction_with(6400);  // 64 resident at a time, ten turns
  CHECK(part(prediction, "latency") == Approx(80200 / 64.0));
  CHECK(part(prediction, "issue") == Approx(320000));
}

TEST_CASE("tasks beyond the resident slots wait for their turn", "[validation][predict]") {
  // One task of 1000 time units among tasks of one instruction.
  const auto latency = [](std::int64_t count, std::int64_t shared_words) {
    PhaseReport phase = tasks(count);
    phase.counts.alu = count;
    phase.max_task_time = 1000;
    phase.shared_words = shared_words;
    return part(prediction_of({phase}), "latency");
  };
  CHECK(latency(640, 0) == Approx(8200));  // 10 multiprocessors with 64 warps each
  CHECK(latency(641, 0) == Approx(16200));
  CHECK(latency(30, 14528) == Approx(8200));  // three tasks of 58112 bytes fit into 200000
  CHECK(latency(31, 14528) == Approx(16200));
}

TEST_CASE("a task of several warps is a CTA of its own", "[validation][predict]") {
  auto config = fake_config(32);
  config.spec.width = 1024;
  const auto phase_of = [](std::int64_t count) {
    PhaseReport phase = tasks(count);
    phase.counts.alu = count;
    phase.max_task_time = 32000;  // 1000 of each of its 32 warps
    return phase;
  };
  // Two tasks of 32 warps fit on a multiprocessor. Issuing: 1/2 per task, half or less of it seen.
  CHECK(work(phase_of(10), config) == Approx(8200 + 0.5));
  CHECK(work(phase_of(20), config) == Approx(8200 + 0.5));
  CHECK(work(phase_of(21), config) == Approx(16200 + 0.75));
}

TEST_CASE("transfers hide the chain of each warp, other work that of each task",
          "[validation][predict]") {
  auto config = fake_config(32);
  config.spec.width = 1024;
  PhaseReport phase = tasks(20);  // 2 on each multiprocessor, of 32 warps each
  phase.max_task_time = 32000;
  phase.counts.alu = 20;
  phase.counts.idle = 799'980;  // with alu 20000 at 40 per ns
  CHECK(work(phase, config) == Approx(20000 + 8200 / 2.0));
  phase.counts.idle = 0;
  phase.counts.global_write.sectors = 750'000;  // 20000 at 1200 bytes/ns
  CHECK(work(phase, config) == Approx(20000 + 8200 / 64.0));
}

TEST_CASE("a prediction needs phases and every constant", "[validation][predict][bad_input]") {
  CHECK_THROWS_AS(predict(fake_config(32), {}, fake_device()), std::invalid_argument);
  PhaseReport phase = transfer(1, 1);
  phase.counts.global_atomic = {1, 1, 1};
  const std::string atomic_rate = "atomic_rate_";
  for (const auto& constant : fake_device().constants) {
    if (constant.name.starts_with(atomic_rate)) {  // asked for where the footprint is near
      phase.atomic_blocks = std::stoll(constant.name.substr(atomic_rate.size())) / 128;
    }
    auto device = fake_device();
    std::erase_if(device.constants, [&](const auto& entry) { return entry.name == constant.name; });
    const std::string message = agpusim::test::message_of<agpusim::FileError>([&] {
      static_cast<void>(predict(fake_config(32), {phase, phase}, device));
    });
    CHECK_THAT(message, Catch::Matchers::ContainsSubstring("'" + constant.name + "' is missing"));
  }
}

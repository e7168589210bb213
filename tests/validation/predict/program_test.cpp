#include "agpusim/model/agpu/instruction_prices.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/validation/predict/residency.hpp"

using namespace agpusim;
using agpusim::test::fake_device;

// Kernels of programs, on the fake device of predict_test.cpp.
namespace {

AgpuSpec wide_spec() {
  AgpuSpec spec = test::fake_config(32).spec;
  spec.width = 64;
  return spec;
}

PhaseReport ctas(std::int64_t count) {
  return PhaseReport{.tasks = count, .execution = {.counted = true}};
}

PhaseTerms terms_alone(const PhaseReport& phase) {
  const DeviceFile device = fake_device();
  return terms_of(test::fake_config(32).spec, {phase}, device, FittedConstants::of(device)).front();
}

}  // namespace

TEST_CASE("a kernel alone is timed without the way from event to event", "[validation][predict]") {
  DeviceFile device = fake_device();
  device.set({"kernel_start", 2, "us", "test", "", "2026-11-20"});
  device.set({"cta_start", 5, "ns", "test", "", "2026-11-20"});
  const auto nanoseconds = [&](std::int64_t count, TimedBy timed_by) {
    return 1e6 * predict(wide_spec(), {ctas(count)}, device, timed_by).milliseconds;
  };
  CHECK(nanoseconds(1000, TimedBy::kernel) == Approx(2000 + 5 * 1000));  // CTAs one by one
  CHECK(nanoseconds(1000, TimedBy::events) == Approx(3500 + 5 * 1000));
  CHECK(1e6 * predict(wide_spec(), {ctas(10)}, fake_device(), TimedBy::kernel).milliseconds ==
        Approx(3500));  // a device that does not say it
}

TEST_CASE("simulated caches say what comes from where", "[validation][predict]") {
  PhaseReport phase = ctas(10);
  Execution& total = phase.execution.total;
  total.misses = total.read_sectors[0] = phase.execution.array_sectors[0] = 100'000;
  total.written_sectors[1] = phase.execution.array_sectors[1] = 50'000;
  PhaseExecution& execution = phase.execution;
  const double cold = terms_alone(phase).bandwidth;
  execution.has_caches = 1;
  execution.l2_read = 100'000;
  execution.memory_read = 100'000;
  execution.memory_written = 50'000;
  CHECK(terms_alone(phase).bandwidth == Approx(cold));
  execution.memory_read = execution.memory_written = 0;  // all of it is in L2
  const double l2_bandwidth = fake_device().value("l2_bandwidth");
  CHECK(terms_alone(phase).bandwidth == Approx(32 * (100'000 + 1.7 * 50'000) / l2_bandwidth));
  // Half of what a CTA alone would miss, others have brought into L1.
  execution.l2_read = 50'000;
  CHECK(terms_alone(phase).chain.latency == Approx(0.5 * 200 + 0.5 * hit_latency));
  // Reads that L1 serves take its passes, and the code its cycles.
  execution.l1_passes = 12'000;
  execution.code = 100;
  CHECK(terms_alone(phase).shared == Approx(1200));
  CHECK(terms_alone(phase).code == Approx(3.7 * 100));
  // A warp is a CTA.
  CHECK(terms_alone(phase).chain.turns == 1);
}

TEST_CASE("slow units take four cycles a turn", "[validation][predict]") {
  PhaseReport phase = ctas(1);
  phase.execution.total.operations[static_cast<std::size_t>(Op::add)] = 1000;
  phase.execution.special_turns = 500;
  CHECK(terms_alone(phase).issue == Approx(2000));
}

TEST_CASE("contended compare and swap has no time but a reason", "[validation][predict]") {
  PhaseReport phase = ctas(10);
  phase.counts.global_atomic = {100, 100, 100};
  phase.execution.swaps = 100;
  RunConfig config;
  config = test::fake_config(32);
  CHECK(predict_run(config, {phase}, fake_device()).prediction);
  phase.contention = 3200;
  const PredictedRun refused = predict_run(config, {phase}, fake_device());
  CHECK_FALSE(refused.prediction);
  CHECK_THAT(refused.why_not, says("compare and swap"));
}

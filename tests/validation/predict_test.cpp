#include "agpusim/validation/predict.hpp"

#include <stdexcept>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/validation/fake_algorithm.hpp"
#include "agpusim/tests/validation/temp_folder.hpp"

using agpusim::PhaseForm;
using agpusim::predict;
using agpusim::test::fake_config;
using agpusim::test::fake_device;
using Catch::Approx;

namespace {

/// Predicted microseconds of the work of one phase, without its launch (3 us).
double work_us(const PhaseForm& phase) {
  return 1e3 * predict(fake_config(32), {phase}, fake_device()).milliseconds - 3;
}

PhaseForm one_task() {
  PhaseForm phase;
  phase.tasks = 1;
  return phase;
}

}  // namespace

TEST_CASE("an empty phase costs its launch", "[validation][predict]") {
  const auto single = predict(fake_config(32), {one_task()}, fake_device());
  CHECK(single.milliseconds == Approx(3e-3));
  CHECK(single.limit == "launch");
  const auto triple = predict(fake_config(32), {one_task(), one_task(), one_task()}, fake_device());
  CHECK(triple.milliseconds == Approx(3e-3 + 2 * 2e-3));
}

TEST_CASE("each resource has its rate", "[validation][predict]") {
  PhaseForm phase = one_task();
  phase.counts.alu = 40'000'000;  // 40 per ns
  CHECK(work_us(phase) == Approx(1000));
  CHECK(predict(fake_config(32), {phase}, fake_device()).limit == "issue");
  phase = one_task();
  phase.counts.shared_read.wavefronts = 10'000'000;  // 10 per ns
  CHECK(work_us(phase) == Approx(1000));
  CHECK(predict(fake_config(32), {phase}, fake_device()).limit == "shared");
  phase = one_task();
  phase.counts.global_write.sectors = 37'500'000;  // 32 bytes each, 1200 bytes/ns
  CHECK(work_us(phase) == Approx(1000));
  CHECK(predict(fake_config(32), {phase}, fake_device()).limit == "bandwidth");
  phase = one_task();
  phase.max_task_time = 125'000;  // 8 ns each
  CHECK(work_us(phase) == Approx(1000));
  CHECK(predict(fake_config(32), {phase}, fake_device()).limit == "latency");
}

TEST_CASE("the slowest resource hides the others and the parts add up", "[validation][predict]") {
  PhaseForm phase = one_task();
  phase.counts.alu = 40'000'000;
  phase.counts.shared_read.wavefronts = 20'000'000;
  const auto prediction = predict(fake_config(32), {phase}, fake_device());
  CHECK(prediction.milliseconds == Approx(2.003));
  CHECK(prediction.limit == "shared");
  CHECK(prediction.parts.at("launch") + prediction.parts.at("shared") ==
        Approx(prediction.milliseconds));
  CHECK(prediction.parts.count("issue") == 0);
}

TEST_CASE("reads and writes pair up as a copy", "[validation][predict]") {
  PhaseForm phase = one_task();
  phase.counts.global_read.sectors = 42'187'500;  // 2 x 0.5 GB copied, 0.85 GB more read
  phase.counts.global_write.sectors = 15'625'000;
  CHECK(work_us(phase) == Approx(1000 + 0.85e9 / 1100 * 1e-3).epsilon(1e-3));
}

TEST_CASE("later phases of a small working set read the L2 cache", "[validation][predict]") {
  PhaseForm phase = one_task();
  phase.counts.global_read.sectors = (1 << 20) / 32;
  const auto small = predict(fake_config(32), {phase, phase}, fake_device());
  CHECK(small.parts.at("bandwidth") == Approx(((1 << 20) / 1100.0 + (1 << 20) / 4000.0) * 1e-6));
  ++phase.counts.global_read.sectors;
  const auto large = predict(fake_config(32), {phase, phase}, fake_device());
  CHECK(large.parts.at("bandwidth") == Approx(2 * ((1 << 20) + 32) / 1100.0 * 1e-6));
}

TEST_CASE("tasks beyond the resident slots wait for their turn", "[validation][predict]") {
  PhaseForm phase = one_task();
  phase.max_task_time = 1000;  // 8 us
  phase.tasks = 640;           // 10 multiprocessors with 64 warps each
  CHECK(work_us(phase) == Approx(8));
  phase.tasks = 641;
  CHECK(work_us(phase) == Approx(16));
  phase.tasks = 30;
  phase.shared_words = 14528;  // three tasks of 58112 bytes fit into 200000
  CHECK(work_us(phase) == Approx(8));
  phase.tasks = 31;
  CHECK(work_us(phase) == Approx(16));
}

TEST_CASE("a task of several warps is a CTA of its own", "[validation][predict]") {
  auto config = fake_config(32);
  config.spec.width = 1024;
  PhaseForm phase = one_task();
  phase.max_task_time = 1000;
  phase.tasks = 20;
  CHECK(predict(config, {phase}, fake_device()).milliseconds == Approx(0.003 + 0.008));
  phase.tasks = 21;
  CHECK(predict(config, {phase}, fake_device()).milliseconds == Approx(0.003 + 0.016));
}

TEST_CASE("a task waits for memory when it reads", "[validation][predict]") {
  PhaseForm phase = one_task();
  phase.counts.global_read.requests = 1;
  CHECK(work_us(phase) == Approx(0.5));
}

TEST_CASE("a prediction needs phases and constants", "[validation][predict][bad_input]") {
  CHECK_THROWS_AS(predict(fake_config(32), {}, fake_device()), std::invalid_argument);
  auto device = fake_device();
  device.constants.pop_back();
  const std::string message = agpusim::test::message_of<agpusim::FileError>(
      [&] { static_cast<void>(predict(fake_config(32), {one_task()}, device)); });
  CHECK_THAT(message, Catch::Matchers::ContainsSubstring("'max_ctas' is missing"));
}

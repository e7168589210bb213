#include "agpusim/commands/pipeline/to_report.hpp"

#include "agpusim/tests/commands/pipeline/requests.hpp"
#include "agpusim/tests/support/catch.hpp"

using namespace agpusim;
using namespace agpusim::out_of_core;
using namespace agpusim::transfer;

namespace {

/// A chunk of 1,000 numbers: 8 us in, 2 us, 6 us out.
Plan small_plan() {
  Plan plan{
      .task = "transform_const",
      .scheme = "one_pass",
      .budget_bytes = 3'000'000,
      .spec = small_machine(),
      .link = {.in = {1e-6, 1e9}, .out = {1e-6, 2e9}, .both = 2.5e9, .copy_engines = 1},
      .chunks = {1000, 2048, 1},
      .trials = {{1024, 17e-6, ""}, {2048, 16e-6, ""}, {4096, std::nullopt, "it does not fit"}}};
  plan.pipeline.add({Engine::copy_in, 1, "in", 0, 8000, 0, HostMemory::pinned});
  plan.pipeline.add({Engine::compute, 1, "map", 0, 0, 2e-6, HostMemory::pinned});
  plan.pipeline.add({Engine::copy_out, 1, "out", 0, 8000, 0, HostMemory::pinned});
  plan.schedule = schedule_of_intervals(plan.pipeline, {{0, 8e-6}, {8e-6, 10e-6}, {10e-6, 16e-6}});
  plan.bound = {12e-6, "the copy engine"};
  plan.steps = {{"map", 1, 1000, 1, 40, 500, 2250, 2e-6}};
  plan.device_bytes = 16000;
  return plan;
}

std::string text_of(const Plan& plan) { return report::to_text(to_report(plan)); }

}  // namespace

TEST_CASE("a simulated plan says whether its result is right", "[out_of_core]") {
  Plan plan = small_plan();
  plan.correct = true;
  CHECK_THAT(text_of(plan), says("equals  that of a plain loop", "counted by the simulation"));
  plan.correct = false;
  CHECK_THAT(text_of(plan), says("DIFFERS FROM  that of a plain loop"));
}

#include "agpusim/commands/pipeline/to_report.hpp"

#include "agpusim/commands/pipeline/gantt.hpp"
#include "agpusim/model/error.hpp"
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

namespace {

/// Two chunks on two streams; every copy takes a second, a kernel a quarter.
struct Example {
  Pipeline pipeline;
  Schedule schedule;

  Example() {
    std::vector<Interval> intervals;
    for (std::int32_t j = 0; j < 2; ++j) {
      pipeline.add({Engine::copy_in, j + 1, "in", j, 2000, 0, HostMemory::pinned});
      pipeline.add({Engine::compute, j + 1, "a<b", j, 0, 0.25, HostMemory::pinned});
      pipeline.add({Engine::copy_out, j + 1, "out", j, 2000, 0, HostMemory::pinned});
      const double begin = j;
      intervals.push_back({begin, begin + 1});
      intervals.push_back({begin + 1, begin + 1.25});
      intervals.push_back({begin + 2, begin + 3});
    }
    schedule = schedule_of_intervals(pipeline, intervals);
  }
};

std::int64_t count(const std::string& text, const std::string& part) {
  std::int64_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a chart for a terminal has a row per engine", "[out_of_core]") {
  const Example example;
  CHECK(gantt_text(example.pipeline, example.schedule, 48) ==
        "copy in   111111111111222222222222........................  50.0 %\n"
        "compute   ............111.........222.....................  12.5 %\n"
        "copy out  ........................111111111111222222222222  50.0 %\n"
        "host      ................................................   0.0 %\n"
        "          |           |           |           |          |\n"
        "          0           1           2           3          4 s\n");
  // Columns of a fifth of a second: a kernel fills one and a quarter of the next.
  CHECK_THAT(gantt_text(example.pipeline, example.schedule, 20),
             says("compute   .....1-...2-........  12.5 %\n"));
}

TEST_CASE("a chart says what it cannot show", "[out_of_core]") {
  const Example example;
  CHECK_THROWS_AS(gantt_text(example.pipeline, example.schedule, 19), UsageError);
  CHECK(gantt_text({}, {}, 20) == "no operation takes time\n");
  CHECK_THAT(gantt_svg({}, {}, 400), says("</svg>"));
}

TEST_CASE("a drawn chart has a bar and a tooltip per operation", "[out_of_core]") {
  const Example example;
  const std::string svg = gantt_svg(example.pipeline, example.schedule, 548);
  CHECK(count(svg, "<rect ") == 6);
  CHECK_THAT(svg, says("<title>in, stream 2, chunk 1, 2.000 kB, 1.000 s to 2.000 s",
                       "<title>a&lt;b, stream 1, chunk 0, 1.000 s to 1.250 s"));
  // 400 pixels for 4 seconds.
  CHECK_THAT(svg, says("<rect x=\"184.00\" y=\"5\" width=\"100.00\" height=\"24\" "
                       "fill=\"var(--c1, #c2410c)\""));
}

TEST_CASE("a drawn chart of many operations merges neighbours", "[out_of_core]") {
  Pipeline pipeline;
  std::vector<Interval> intervals;
  for (std::int32_t i = 0; i < 9000; ++i) {
    pipeline.add({Engine::copy_in, 1, "in", i, 10, 0, HostMemory::pinned});
    intervals.push_back({i * 1.0, i + 0.5});
  }
  const std::string svg = gantt_svg(pipeline, schedule_of_intervals(pipeline, intervals), 548);
  CHECK(count(svg, "<rect ") == 500);  // 18 operations each, busy in 9 s of 17.5 s
  CHECK_THAT(svg, says("<title>18 operations, 180 B, ", "busy 51.4 %", "fill-opacity=\"0.51\""));
}

#include "agpusim/commands/pipeline/gantt.hpp"

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"

using namespace agpusim;
using namespace agpusim::out_of_core;
using namespace agpusim::transfer;

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

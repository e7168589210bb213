#include "agpusim/commands/pram/pram_speed_up.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/pram/brent.hpp"

namespace agpusim {
namespace {

using report::Format;
using report::Value;

struct OnProcessors {
  std::int64_t processors = 0;  ///< P
  std::int64_t steps = 0;       ///< T_P
  double speed_up = 0;

  [[nodiscard]] double efficiency() const { return speed_up / static_cast<double>(processors); }
};

}  // namespace

report::Section speed_up(const PramTrace& trace, const PramReport& counts,
                         std::vector<std::int64_t> processors, double least) {
  Progress progress;
  const std::int64_t alone = schedule_on(trace, 1).time();
  if (alone == 0) throw UsageError("a run without a step has no speed-up: choose a larger --n");
  const auto on = [&](std::int64_t number) {
    progress.show(fmt::format("scheduling on {} processors", number));
    const std::int64_t steps = schedule_on(trace, number).time();
    return OnProcessors{number, steps, static_cast<double>(alone) / static_cast<double>(steps)};
  };
  std::int64_t largest = counts.processors();
  // No schedule is below Brent's bound: an efficiency that it excludes needs none.
  const auto excluded = [&](std::int64_t number) {
    const auto processor_time = static_cast<double>(number * counts.brent_time(number));
    return static_cast<double>(alone) < least * processor_time;
  };
  while (least > 0 && (excluded(largest) || on(largest).efficiency() < least)) --largest;
  if (least > 0) processors.push_back(largest);
  std::vector<OnProcessors> runs;
  for (const std::int64_t number : std::set(processors.begin(), processors.end())) {
    runs.push_back(on(number));
  }
  report::Section section;
  section.key = "speed_up";
  section.heading = "Speed-up T_1 / T_P and efficiency T_1 / (P T_P) on P processors\n";
  section.facts = {
      {{"T_1", "T_1", Format::integer}, alone, "steps of the schedule on one processor"}};
  if (least > 0) {
    section.facts.push_back({{"least_efficiency", ""}, least});
    section.facts.push_back({{"largest_processors", "largest P", Format::integer},
                             largest,
                             fmt::format("with an efficiency of {:g} % or more", 100 * least)});
  }
  section.tables = {report::table<OnProcessors>(
      "runs",
      {{{"processors", "P", Format::integer}, &OnProcessors::processors},
       {{"steps", "T_P", Format::integer}, &OnProcessors::steps},
       {{"speed_up", "speed-up", Format::decimal}, &OnProcessors::speed_up},
       {{"efficiency", "efficiency", Format::percent}, &OnProcessors::efficiency}},
      runs)};
  section.tables[0].csv = true;
  if (std::ranges::any_of(runs, [](const OnProcessors& run) { return run.efficiency() > 1; })) {
    section.remarks = {
        "Efficiencies above 100 %: few processors pay for what many hold at once (words that a "
        "step reads before it writes them, cells to clear), and a program for one would not."};
  }
  agpusim::detail::PlotPanel panel{"Speed-up", "P", "T_1 / T_P", {{"speed-up", 0}, {"P", 1}}};
  for (const OnProcessors& run : runs) {
    const auto x = static_cast<double>(run.processors);
    panel.series[0].line.push_back({x, run.speed_up});
    panel.series[1].line.push_back({x, x});
  }
  section.plots = {{"speed-up", "Speed-up on P processors", 1, {panel}}};
  return section;
}

}  // namespace agpusim

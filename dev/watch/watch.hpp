#pragma once

#include <fstream>

#include "agpusim/commands/exercise/answer.hpp"
#include "agpusim/commands/exercise/trials.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/steps/report.hpp"

// Answers to an exercise as a page to step through, all on one run of its judge.
namespace agpusim::exercise {

inline void run(SteppedRun& run, const KernelCase& asked, const Launch& launch) {
  StepRecorder recorder(asked.spec, {});
  SimulatedDevice device(asked.spec, {.threads = 1, .observer = &recorder});
  run.machine = asked.spec.to_string();
  const auto in = device.allocate<std::uint32_t>(static_cast<std::int64_t>(asked.in.size()), "in");
  const auto out = device.allocate<std::uint32_t>(asked.out, "out");
  device.upload<std::uint32_t>(in, asked.in);
  try {
    launch(device, in, out);
    run.report = device.report();
  } catch (const RuleViolation& violation) {
    run.violation = violation.what();
  }
  run.agpu = recorder.trace();
}

inline void run(SteppedRun& run, const PramCase& asked, const Solve& solve) {
  Pram pram(asked.spec, {.threads = 1, .record_trace = true, .trace = &run.pram.emplace()});
  run.machine = asked.spec.to_string();
  try {
    const PramArray in = pram.array(asked.in, "in");
    solve(pram, in, pram.array(asked.out, "out"));
  } catch (const RuleViolation& violation) {
    run.violation = violation.what();
  }
}

/// `answers` are names with Launch or Solve, the solution first.
template <class Case, class Judge, class Run>
void write_page(const std::string& name, const Judge& judge,
                const std::vector<std::pair<std::string, Run>>& answers) {
  const auto solution = [&](const std::string& asked) {
    return reply_to(asked, answers[0].second);
  };
  const Trials trials = draw_trials(judge, solution, 1);
  const Trial<Case>* shown = nullptr;  // with the most words of input that fit a screen
  for (const Trial<Case>& trial : std::get<std::vector<Trial<Case>>>(trials)) {
    const std::size_t words = trial.asked.in.size();
    if (shown == nullptr || (words <= 20 && words > shown->asked.in.size())) shown = &trial;
  }
  std::vector<SteppedRun> runs;
  for (const auto& [answer, program] : answers) {
    runs.push_back({.title = name + ": " + answer + ", " + shown->what, .variant = answer});
    runs.back().n = static_cast<std::int64_t>(shown->asked.in.size());
    run(runs.back(), shown->asked, program);
  }
  std::ofstream(name + ".html") << step_page(runs);
}

}  // namespace agpusim::exercise

#include "agpusim/ptx/worker.hpp"

#include <utility>

namespace agpusim::ptx {

Worker::Worker(const LaunchPlan& launch)
    : plan(launch),
      rules(launch.spec),
      visits(launch.program.blocks.size()),
      costs(launch.program.sources.size()),
      last(launch.program.sources.size()) {}

void Worker::find(Rule rule, const Warp& warp, const Instruction& instruction, std::uint32_t lane,
                  std::string text) {
  Finding finding;
  finding.rule = rule;
  finding.statement = instruction.statement;
  finding.place = plan.program.place(instruction.statement);
  finding.opcode = plan.program.sources[instruction.statement].opcode;
  finding.cta = static_cast<std::uint64_t>(warp.cta.index());
  finding.warp = warp.number;
  finding.lane = lane;
  finding.times = 1;
  finding.text = std::move(text);
  findings.add(std::move(finding));
}

void Worker::take_turn() {
  constexpr std::int64_t often = 1 << 14;
  if (++turns % often != 0) return;
  if (plan.options.most_turns > 0 && turns > plan.options.most_turns) throw GivenUp{};
  if (plan.options.interrupted && plan.options.interrupted()) throw GivenUp{};
}

}  // namespace agpusim::ptx

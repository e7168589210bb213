#include "agpusim/ptx/run/worker.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "agpusim/ptx/lower/control.hpp"

namespace agpusim::ptx {

Worker::Worker(const LaunchPlan& launch)
    : plan(launch),
      rules(launch.spec),
      visits(launch.program.blocks.size()),
      costs(launch.program.sources.size()),
      last(launch.program.sources.size()),
      shared_requests(launch.program.sources.size()) {}

void Worker::find(Rule rule, const Warp& warp, const Instruction& instruction, std::uint32_t lane,
                  std::string text) {
  findings.add(finding(rule, warp, instruction, lane, std::move(text)));
}

Finding Worker::finding(Rule rule, const Warp& warp, const Instruction& instruction,
                        std::uint32_t lane, std::string text) const {
  Finding result;
  result.rule = rule;
  result.statement = instruction.statement;
  result.opcode = plan.program.sources[instruction.statement].opcode;
  result.cta = static_cast<std::uint64_t>(warp.cta.index());
  result.warp = warp.number;
  result.lane = lane;
  result.times = 1;
  result.text = std::move(text);
  return result;
}

bool Worker::take_turn(Warp& warp, const Instruction& instruction) {
  constexpr std::int64_t share = 1 << 12;
  if (warp.loop != &instruction) {
    warp.loop = &instruction;
    warp.cta.in_loops = {};
  }
  if (++turns % share != 0) return false;
  if (plan.options.most_turns > 0 && turns > plan.options.most_turns) {
    find(Rule::deadlock, warp, instruction,
         static_cast<std::uint32_t>(std::countr_zero(warp.group)),
         fmt::format("{} turns of loops and no CTA has ended: the launch is given up", turns));
    throw Stopped{};
  }
  return true;
}

void Worker::share(std::shared_ptr<SharedRequest>& request) {
  constexpr std::size_t most = 64;
  for (const auto& other : known_requests) {
    if (!request->is_like(*other)) continue;
    request = other;
    return;
  }
  if (known_requests.size() < most) known_requests.push_back(request);
}

TaskBill Worker::bill_of(const Cta& cta) {
  TaskBill bill{cta.counts, (plan.shared_bytes + 3) / 4};
  if (cta.chain == nullptr) return bill;
  bill.execution = cta.chain->executed();
  bill.live_values = plan.program.live_words;
  rounds += cta.chain->rounds();
  passes += cta.chain->passes();
  ++samples;
  sampled_time += cta.counts.time();
  return bill;
}

/// Calls f(instruction, source, visits of its block) for each that is arithmetic.
template <class F>
void Worker::each_arithmetic(F f) const {
  const Program& program = plan.program;
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    const Block& block = program.blocks[b];
    for (std::uint32_t i = block.begin + 1; i < block.end; ++i) {
      const Instruction& instruction = program.code[i];
      const Source& source = program.sources[instruction.statement];
      if (source.bill == Bill::arithmetic) f(instruction, source, visits[b]);
    }
  }
}

Execution Worker::whole_execution(std::int64_t& special_turns) const {
  Execution result = execution;
  each_arithmetic([&](const Instruction&, const Source& source, const Visits& visit) {
    if (source.special != nullptr) {
      special_turns += std::llround(static_cast<double>(visit.warps) * source.special->turns);
      return;
    }
    if (source.machine == 0) return;  // part of another one: no pipe takes it
    const auto kind = static_cast<std::size_t>(source.op) + (source.wide ? op_kinds : 0);
    result.operations[kind] += visit.warps;
  });
  return result;
}

void Worker::add_costs(std::vector<StatementCost>& by_statement) const {
  for (std::size_t s = 0; s < costs.size(); ++s) by_statement[s] += costs[s];
  each_arithmetic([&](const Instruction& instruction, const Source&, const Visits& visit) {
    if (instruction.execute == &guarded) return;
    Counts& of = by_statement[instruction.statement];
    of.alu += visit.warps;
    of.active_lanes += visit.lanes;
  });
}

// The bill has times and misses of a sample of the CTAs: they are scaled.
void add_execution(const std::vector<std::unique_ptr<Worker>>& workers,
                   const std::array<std::int64_t, traffic_places>& sectors, PhaseReport& phase) {
  PhaseExecution& execution = phase.execution;
  const Execution sample = execution.total;
  execution.total = {};
  std::int64_t samples = 0;
  std::int64_t rounds = 0;
  std::int64_t passes = 0;
  std::int64_t sampled_time = 0;
  for (const std::unique_ptr<Worker>& worker : workers) {
    execution.total += worker->whole_execution(execution.special_turns);
    samples += worker->samples;
    rounds += worker->rounds;
    passes += worker->passes;
    sampled_time += worker->sampled_time;
  }
  if (samples == 0) return;
  // CTAs of a program may differ much: its sample is scaled by their times.
  const bool by_time = workers.front()->plan.wave > 0 && sampled_time > 0;
  const double times = static_cast<double>(phase.counts.time()) / static_cast<double>(sampled_time);
  const auto scaled = [&](std::int64_t value) {
    return by_time ? static_cast<std::int64_t>(times * static_cast<double>(value))
                   : value * phase.tasks / samples;
  };
  execution.counted = true;
  execution.array_sectors = sectors;
  execution.total.misses = scaled(sample.misses);
  execution.total.missed_reads = scaled(sample.missed_reads);
  execution.total.missed_lines = scaled(sample.missed_lines);
  execution.total.syncs = scaled(sample.syncs);
  for (std::size_t i = 0; i < lone_latencies.size(); ++i) {
    execution.total.lone[i] = scaled(sample.lone[i]);
  }
  execution.l1_passes = scaled(passes);
  phase.counts.rounds = scaled(rounds);
}

std::int64_t barriers_of(const Program& program, const std::vector<std::int64_t>& visits) {
  std::int64_t barriers = 0;
  for (std::size_t b = 0; b < visits.size(); ++b) {
    for (std::uint32_t i = program.blocks[b].begin + 1; i < program.blocks[b].end; ++i) {
      const std::string_view opcode = program.sources[program.code[i].statement].opcode;
      if (opcode.starts_with("bar") && !opcode.starts_with("bar.warp")) barriers += visits[b];
    }
  }
  return barriers;
}

std::vector<PricedLine> lines_of(const Program& program,
                                 const std::vector<StatementCost>& by_statement,
                                 std::int32_t block_words) {
  struct Line {
    StatementCost counts;
    std::uint32_t statement = 0;  // one of them
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Line> by_line;
  for (std::uint32_t s = 0; s < by_statement.size(); ++s) {
    const Source& source = program.sources[s];
    Line& line = by_line[{source.site, source.site == 0 ? source.line : 0}];
    line.counts += by_statement[s];
    line.statement = s;
  }
  std::vector<PricedLine> lines;
  for (auto& [at, line] : by_line) {
    StatementCost& counts = line.counts;
    counts.lane_slots = counts.instructions() * block_words;
    if (counts.time() == 0 && counts.unpriced == UnpricedAccesses{}) continue;
    const auto [place, called_at] = program.where(line.statement);
    lines.push_back({{program.kernel, place.file, place.line, counts},
                     counts.useful_bytes,
                     counts.unpriced,
                     counts.shape,
                     called_at});
  }
  std::stable_sort(lines.begin(), lines.end(), [](const LineCost& a, const LineCost& b) {
    return a.counts.time() > b.counts.time();
  });
  return lines;
}

}  // namespace agpusim::ptx

#include "agpusim/ptx/run/device.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/ptx/lower/callees.hpp"
#include "agpusim/ptx/run/resident.hpp"
#include "agpusim/ptx/run/worker.hpp"
#include "agpusim/ptx/text/kernel_name.hpp"

namespace agpusim::ptx {
namespace {

constexpr std::int64_t rounds_in_vain = 1 << 12;  // rounds of all CTAs that make a deadlock
constexpr std::int32_t most_shares = 16;          // shares that a CTA takes before it is a wait

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds first_told{100};  // after its begin a launch is told, and then
constexpr std::chrono::seconds between_told{1};
constexpr std::chrono::seconds longest_round{1};  // beyond that the process was stopped

/// The CTAs of a launch, which host threads take in the order of their numbers.
class Run {
 public:
  Run(const LaunchPlan& plan, PhaseBill& bill, int threads, const Launch& launch, Caches* caches)
      : plan_(plan), bill_(bill), launch_(launch), caches_(caches) {
    for (int t = 0; t < threads; ++t) {
      workers.push_back(std::make_unique<Worker>(plan));
      workers.back()->concurrent = threads > 1;
      workers.back()->tells_at = tells_at_;
    }
    for (const auto& worker : workers) {
      for (const auto& other : workers) {
        if (other != worker) worker->others.push_back(other.get());
      }
    }
  }

  /// The CTAs of the window at hand.
  void execute() {
    next_ = bill_.window_begin();
    std::vector<std::thread> others;
    for (std::size_t t = 1; t < workers.size(); ++t) {
      others.emplace_back([this, t] { work(*workers[t]); });
    }
    work(*workers[0]);
    for (std::thread& other : others) other.join();
    if (error_) std::rethrow_exception(error_);
  }
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  /// CTAs that a multiprocessor holds at once, and a host thread too.
  [[nodiscard]] std::size_t resident() const {
    if (plan_.grid_barrier != 0) return plan_.grid.count();
    const Multiprocessor each{.shared_bytes = 4 * plan_.spec.shared_words, .reserved_bytes = 0};
    const std::int64_t ctas = each.resident(plan_.warps, 0, plan_.shared_bytes).ctas;
    return static_cast<std::size_t>(std::max<std::int64_t>(1, ctas));
  }

  void work(Worker& worker) {
    try {
      run_ctas(worker);
    } catch (const Stopped&) {
      stopped_ = true;
    } catch (...) {
      const std::lock_guard guard(mutex_);
      if (!error_) error_ = std::current_exception();
      stopped_ = true;
    }
  }

  void run_ctas(Worker& worker) {
    std::vector<std::unique_ptr<Cta>> free;
    std::vector<std::unique_ptr<Cta>> running;
    const std::size_t of_multiprocessor = resident();
    const std::size_t of_grid =
        of_multiprocessor * static_cast<std::size_t>(plan_.spec.multiprocessors());
    const std::int64_t end = bill_.window_end();
    std::int64_t seen = 0;
    std::int64_t vain = 0;
    bool moved = true;
    worker.looked_at = Clock::now();
    for (;;) {
      if (stopped_) return;
      // A CTA that only waits lets the next one begin: where all wait, as many as a grid holds.
      const std::size_t most = moved ? of_multiprocessor : of_grid;
      for (std::size_t more = moved ? 1 : running.size();
           more > 0 && running.size() < most && next_ < end; --more) {
        const std::int64_t index = next_++;
        if (index >= end) break;
        if (free.empty()) free.push_back(std::make_unique<Cta>(worker, plan_));
        running.push_back(std::move(free.back()));
        free.pop_back();
        running.back()->begin(plan_.first + index);
      }
      if (running.empty()) return;
      moved = false;
      for (std::unique_ptr<Cta>& cta : running) {
        std::int32_t shares = 0;
        do {
          cta->run_round();
          look_at_clock(*cta);
          moved = moved || cta->has_moved();
          if (cta->had_share()) ++shares;
        } while (!cta->ended() && cta->has_moved() && shares < most_shares);
        if (!cta->ended()) continue;
        moved = true;
        finish(*cta);
        free.push_back(std::move(cta));
      }
      std::erase(running, nullptr);
      if (moved) progress_.fetch_add(1);
      const std::int64_t now = progress_.load();
      vain = now == seen ? vain + 1 : 0;
      seen = now;
      if (vain > rounds_in_vain && (running.size() >= of_grid || next_ >= end)) {
        running.front()->find_deadlock();
      }
      if (!moved && workers.size() > 1) std::this_thread::yield();
    }
  }

  /// After a round: is a loop of the CTA endless, and is the launch to be told?
  void look_at_clock(Cta& cta) {
    const double limit = plan_.options.loop_seconds;
    if (limit == 0 && !launch_.progress) return;
    Worker& worker = cta.worker;
    const auto now = Clock::now();
    if (cta.has_moved()) {
      cta.in_loops += std::min<std::chrono::nanoseconds>(now - worker.looked_at, longest_round);
    }
    worker.looked_at = now;
    if (limit > 0 && cta.in_loops > std::chrono::duration<double>(limit)) cta.find_endless_loop();
    if (launch_.progress && now >= worker.tells_at) tell(worker, now);
  }

  /// Each thread leaves what it has found; one of them tells it all.
  void tell(Worker& worker, Clock::time_point now) {
    worker.tells_at = now + between_told;
    const std::lock_guard guard(mutex_);
    found_[&worker] = worker.findings;
    worker.races.settle(found_[&worker], plan_.program);
    if (now < tells_at_) return;
    tells_at_ = now + between_told;
    Findings all;
    for (const auto& [of, findings] : found_) all.merge(findings);
    launch_.progress(ended_, all.told(plan_.program, [](std::uint32_t) { return false; }));
  }

  void finish(Cta& cta) {
    ++ended_;
    bill_.add(cta.worker.sums, cta.index() - plan_.first, cta.worker.bill_of(cta));
    cta.worker.turns = 0;
    if (caches_ != nullptr) trace(cta.index() - plan_.first, cta.lines.take());
    if (cta.output.empty()) return;
    const std::lock_guard guard(mutex_);
    outputs.emplace(cta.index(), std::move(cta.output));
    cta.output.clear();
  }

  /// What a CTA has used goes through the caches when all of its wave, and the waves before, have
  /// ended.
  void trace(std::int64_t index, std::vector<LineTrace::Use> uses) {
    const std::int64_t size = caches_->wave();
    const std::lock_guard guard(mutex_);
    Wave& wave = waves_[index / size];
    if (wave.ctas.empty()) {
      wave.left = std::min(size, plan_.tasks - index / size * size);
      wave.ctas.resize(static_cast<std::size_t>(wave.left));
    }
    wave.ctas[static_cast<std::size_t>(index % size)] = std::move(uses);
    --wave.left;
    while (!waves_.empty() && waves_.begin()->first == next_wave_ &&
           waves_.begin()->second.left == 0) {
      caches_->run(waves_.begin()->second.ctas);
      waves_.erase(waves_.begin());
      ++next_wave_;
    }
  }

  struct Wave {
    std::vector<std::vector<LineTrace::Use>> ctas;
    std::int64_t left = 0;  // CTAs that have not ended
  };

  const LaunchPlan& plan_;
  PhaseBill& bill_;
  const Launch& launch_;
  Caches* const caches_;
  std::map<std::int64_t, Wave> waves_;
  std::int64_t next_wave_ = 0;
  Clock::time_point tells_at_ = Clock::now() + first_told;
  std::map<const Worker*, Findings> found_;  // when they were last asked
  std::atomic<std::int64_t> ended_ = 0;      // CTAs
  std::atomic<std::int64_t> next_ = 0;
  std::atomic<std::int64_t> progress_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::exception_ptr error_;

 public:
  std::vector<std::unique_ptr<Worker>> workers;
  std::map<std::int64_t, std::string> outputs;  ///< text that each CTA printed, where it has any
};

/// Gives the variables of a module, which are 0, their first values.
void initialise(const Module& module, const Addresses& addresses) {
  for (const Variable& variable : module.variables()) {
    const auto found = addresses.find(variable.name);
    if (found == addresses.end()) continue;
    auto* const at = reinterpret_cast<std::byte*>(found->second);
    std::copy(variable.initial.begin(), variable.initial.end(), at);
    for (const Relocation& relocation : variable.relocations) {
      const auto target = addresses.find(relocation.symbol);
      const std::uint64_t base =
          target != addresses.end() ? target->second : function_address(module, relocation.symbol);
      if (base == 0) continue;
      const std::uint64_t value = base + static_cast<std::uint64_t>(relocation.addend);
      std::memcpy(at + relocation.offset, &value, relocation.bytes);
    }
  }
}

}  // namespace

std::uint32_t registers_of(const Program& program, const MachineCode& machine,
                           std::uint32_t warps) {
  if (machine.registers > 0) return machine.registers;
  constexpr std::uint32_t fewest = 16;
  constexpr std::uint32_t of_multiprocessor = 65536;
  const std::uint32_t bound = program.module->function(program.kernel)->max_threads;
  const std::uint32_t threads = bound > 0 ? bound : warps * warp_lanes;
  return std::clamp(program.live_words, fewest, of_multiprocessor / threads);
}

Device::Device(const AgpuSpec& spec, Options options)
    : spec_(spec), options_(std::move(options)), memory_(spec, options_.unwritten), bill_(spec) {
  validate(spec_);
  if (spec_.word_bits != 32) {
    throw UsageError(fmt::format("PTX has words of 32 bits, and w = {}", spec_.word_bits));
  }
  if (spec_.block_words > 32 || 32 % spec_.block_words != 0) {
    throw UsageError(
        fmt::format("a warp of 32 lanes is billed in groups of b lanes: b = {} does not divide 32",
                    spec_.block_words));
  }
  report_.spec = spec_;
  if (options_.caches.multiprocessors > 0) caches_.emplace(options_.caches);
}

void Device::load(const std::shared_ptr<const Module>& module) {
  const auto [entry, is_new] = variables_.try_emplace(module);
  if (!is_new) return;
  auto& addresses = entry->second;
  for (const Variable& variable : module->variables()) {
    if (variable.space != Space::global && variable.space != Space::constant) continue;
    const Address address =
        memory_.allocate(variable.bytes, variable_name(variable.name), variable.is_managed);
    addresses.emplace(variable.name, address);
    memory_.mark_written(address, variable.bytes);
    memory_.find(address)->constant = variable.space == Space::constant;
  }
  initialise(*module, addresses);
}

void Device::reset() {
  for (const auto& [module, addresses] : variables_) {
    for (const auto& [name, address] : addresses) {
      std::memset(reinterpret_cast<void*>(address), 0, memory_.find(address)->bytes);
    }
    initialise(*module, addresses);
  }
}

Address Device::address_of(const std::shared_ptr<const Module>& module, std::string_view variable) {
  load(module);
  const auto& addresses = variables_.at(module);
  const auto found = addresses.find(variable);
  if (found == addresses.end()) {
    throw UsageError(fmt::format("{} has no variable {}", module->name(), variable));
  }
  return found->second;
}

Address Device::grid_barrier() {
  constexpr std::size_t bytes = 32;  // its size and the barrier, of cooperative groups
  if (grid_barrier_ == 0) {
    grid_barrier_ = memory_.allocate(bytes, "the barrier of the grid");
    memory_.mark_written(grid_barrier_, bytes);
  }
  std::memset(reinterpret_cast<void*>(grid_barrier_), 0, bytes);
  return grid_barrier_;
}

void Device::require_possible(const Launch& launch, std::uint32_t shared_bytes) const {
  const Program& program = *launch.program;
  const auto fail = [&](const std::string& what) {
    throw UsageError(fmt::format("kernel {}: {}", readable_name(program.kernel), what));
  };
  if (launch.grid.count() == 0 || launch.block.count() == 0) fail("a grid or block of 0");
  if (launch.grid.x > std::numeric_limits<std::int32_t>::max() || launch.grid.y > 65535 ||
      launch.grid.z > 65535) {
    fail(fmt::format("a grid of {}x{}x{}: at most 2147483647x65535x65535", launch.grid.x,
                     launch.grid.y, launch.grid.z));
  }
  if (launch.block.count() > program.max_threads || launch.block.z > 64) {
    fail(fmt::format("a block of {} threads, and at most {} are possible", launch.block.count(),
                     program.max_threads));
  }
  if (!program.required_threads.empty()) {
    std::vector<std::uint32_t> given{launch.block.x, launch.block.y, launch.block.z};
    std::vector<std::uint32_t> required = program.required_threads;
    required.resize(3, 1);
    if (given != required) {
      fail(fmt::format("it needs a block of {}x{}x{}", required[0], required[1], required[2]));
    }
  }
  const std::int64_t most = 4 * spec_.shared_words;
  if (shared_bytes > most) {
    fail(fmt::format("{} bytes of shared memory, and M = {} words are {} bytes", shared_bytes,
                     spec_.shared_words, most));
  }
  if (launch.parameters.size() != program.parameter_bytes) {
    fail(fmt::format("{} bytes of parameters, and it takes {}", launch.parameters.size(),
                     program.parameter_bytes));
  }
}

int Device::threads_for(const Program& program, std::int64_t tasks) const {
  constexpr std::int64_t least_work =
      1 << 14;  // instructions of warps, of which a thread is worth it
  static const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (program.is_ordered) return 1;
  const auto most = static_cast<int>(
      std::min<std::int64_t>(tasks, options_.threads > 0 ? options_.threads : cores));
  const auto known = work_.find(&program);
  if (options_.threads > 0 || known == work_.end()) return most;
  return static_cast<int>(std::min<std::int64_t>(most, 1 + known->second * tasks / least_work));
}

/// Reads of what nobody writes race with nothing.
void Device::find_targets(const LaunchPlan& plan) {
  const Targets& targets = plan.program.targets;
  if (targets.all) return memory_.may_write_all();
  for (const std::uint32_t offset : targets.parameters) {
    Address address = 0;
    if (offset + sizeof(address) > plan.parameters.size()) continue;
    std::memcpy(&address, plan.parameters.data() + offset, sizeof(address));
    memory_.may_write(address);
  }
  const auto& symbols = plan.program.symbols;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if (std::binary_search(targets.symbols.begin(), targets.symbols.end(), symbols[i])) {
      memory_.may_write(plan.symbols[i]);
    }
  }
}

LaunchReport Device::launch(const Launch& launch) {
  const Program& program = *launch.program;
  const std::uint32_t shared_bytes = program.shared_bytes + launch.dynamic_shared;
  require_possible(launch, shared_bytes);
  load(program.module);
  LaunchPlan plan{program, spec_, options_, memory_, launch.grid, launch.block};
  plan.threads = static_cast<std::uint32_t>(launch.block.count());
  plan.warps = (plan.threads + warp_lanes - 1) / warp_lanes;
  plan.shared_bytes = shared_bytes;
  plan.dynamic_shared = launch.dynamic_shared;
  plan.parameters = launch.parameters;
  plan.recorder = launch.recorder;
  if (launch.cooperative) plan.grid_barrier = grid_barrier();
  for (const std::string& symbol : program.symbols) {
    plan.symbols.push_back(variables_.at(program.module).at(symbol));
  }
  const auto ctas = static_cast<std::int64_t>(launch.grid.count());
  const std::int64_t tasks = plan.tasks = launch.only ? 1 : ctas;
  plan.first = launch.only.value_or(0);
  const int threads = threads_for(program, tasks);
  memory_.begin_launch(ctas, program.smallest_global, options_.races && !program.is_ordered,
                       threads > 1);
  find_targets(plan);
  bill_.begin(launch.name.empty() ? program.kernel : launch.name, tasks);
  const std::uint32_t registers = registers_of(program, launch.machine, plan.warps);
  if (caches_) {
    caches_->begin_launch(shared_bytes, plan.warps, registers);
    plan.wave = caches_->wave();
  }
  Run run(plan, bill_, threads, launch, caches());
  while (bill_.next_window() && !run.stopped()) run.execute();

  LaunchReport report;
  report.grid = launch.grid;
  report.block = launch.block;
  const bool has_machine = launch.machine.registers > 0;
  report.machine = {registers, has_machine ? launch.machine.local_bytes : program.local_bytes};
  report.complete = !run.stopped();
  for (const std::unique_ptr<Worker>& worker : run.workers) bill_.merge(worker->sums);
  report.phase = bill_.end();
  PhaseReport& phase = report.phase;
  phase.width = static_cast<std::int32_t>(plan.warps * warp_lanes);
  std::vector<std::int64_t> visits(program.blocks.size());
  std::vector<StatementCost> by_statement(program.sources.size());
  Findings findings;
  Races races;
  for (const std::unique_ptr<Worker>& worker : run.workers) {
    report.polls += worker->polls;
    findings.merge(worker->findings);
    races.merge(worker->races);
    worker->add_costs(by_statement);
    for (std::size_t b = 0; b < visits.size(); ++b) visits[b] += worker->visits[b].warps;
  }
  double machine_instructions = 0;
  double code = 0;
  for (std::size_t b = 0; b < visits.size(); ++b) {
    report.instructions += visits[b] * program.blocks[b].instructions;
    machine_instructions += static_cast<double>(visits[b]) * program.blocks[b].machine;
    if (visits[b] > 0) code += program.blocks[b].machine;
  }
  report.barriers = barriers_of(program, visits);
  work_[&program] = report.instructions / tasks;
  phase.instructions = static_cast<std::int64_t>(machine_instructions);
  if (options_.execution) {
    add_execution(run.workers, memory_.sectors(), phase);
    phase.registers = registers;
  }
  for (const StatementCost& cost : by_statement) phase.unpriced += cost.unpriced;
  if (caches_) {
    caches_->add_to(phase.execution);
    phase.execution.code = static_cast<std::int64_t>(code);
    for (std::size_t s = 0; s < by_statement.size(); ++s) {
      if (program.sources[s].opcode.find(".cas.") == std::string_view::npos) continue;
      phase.execution.swaps += by_statement[s].global_atomic.requests;
    }
  } else {
    phase.execution.l1_passes = 0;
  }
  const Memory::Meetings meetings = memory_.meetings();
  phase.contention = meetings.contention;
  phase.atomic_blocks = meetings.blocks;
  races.settle(findings, program);
  report.findings = findings.told(program, [&](std::uint32_t statement) {
    return by_statement[statement].active_lanes % (tasks * plan.threads) != 0;
  });
  for (const auto& [cta, output] : run.outputs) report.output += output;
  report.lines = lines_of(program, by_statement, spec_.block_words);
  if (report.complete && options_.keeps_phases) report_.phases.push_back(phase);
  report_.global_words_peak = memory_.words_peak();
  return report;
}

RunReport Device::report() const {
  RunReport result = report_;
  result.time_total_max = bill_.total_max();
  return result;
}

}  // namespace agpusim::ptx

#include "agpusim/model/agpu/device.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <unordered_map>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "agpusim/model/agpu/assignment.hpp"
#include "agpusim/model/concepts.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/host_memory.hpp"

namespace agpusim {

static_assert(Multiprocessor<SimulatedMp> && Device<SimulatedDevice>);
static_assert(ViewOfShared<SharedView<std::int64_t>, SimulatedMp>);
static_assert(ViewOfGlobal<GlobalView<std::uint64_t>, SimulatedMp>);

constexpr std::int64_t window_tasks = std::int64_t{1} << 20;  // that are known one by one at a time

/// What one host thread needs to run tasks; reused from phase to phase.
struct SimulatedDevice::Worker {
  Worker(const AgpuSpec& spec, const SimulationOptions& options)
      : context(spec, options.checks && !options.derive, options.pricing, options.derive),
        shared(context),
        global(context, 0) {}

  LaneContext context;
  SharedMemory shared;
  GlobalAccess global;
  Counts counts;
  std::int64_t shared_words = 0;
};

struct SimulatedDevice::Machine {
  Machine(const AgpuSpec& spec, const SimulationOptions& options)
      : parallelism(tbb::global_control::max_allowed_parallelism,
                    static_cast<std::size_t>(
                        std::max(options.threads, tbb::this_task_arena::max_concurrency()))),
        arena(options.threads > 0 ? options.threads : tbb::task_arena::automatic),
        workers([spec, options] { return std::make_unique<Worker>(spec, options); }),
        assigner(spec) {}

  tbb::global_control parallelism;  // lets a request for more threads than cores be granted
  tbb::task_arena arena;
  tbb::enumerable_thread_specific<std::unique_ptr<Worker>> workers;
  TaskAssigner assigner;
  std::vector<TaskCost> costs;  // of the tasks at hand
};

SimulatedDevice::SimulatedDevice(const AgpuSpec& spec, SimulationOptions options)
    : spec_(spec), options_(std::move(options)), held_(std::make_shared<Held>()) {
  validate(spec_);
  report_.spec = spec_;
  machine_ = std::make_unique<Machine>(spec_, options_);
}

SimulatedDevice::~SimulatedDevice() = default;

void SimulatedDevice::require_host_bytes(const GlobalStorage& storage, std::int64_t words,
                                         std::int64_t bytes) {
  if (host_bytes_ == 0) host_bytes_ = available_memory_bytes();
  if (bytes <= host_bytes_) return;
  constexpr double gibibyte = 1 << 30;
  throw UsageError(fmt::format(
      "array {} brings global memory to {} words, whose simulation takes at least {:.1f} GiB of "
      "memory, and this machine has {:.1f} GiB left: choose a smaller input or smaller parameters",
      storage.name(), words, static_cast<double>(bytes) / gibibyte,
      static_cast<double>(host_bytes_) / gibibyte));
}

std::shared_ptr<GlobalStorage> SimulatedDevice::allocate_storage(std::int64_t size,
                                                                 std::int32_t element_bytes,
                                                                 std::string name) {
  const std::int32_t element_words = spec_.words_per_element(element_bytes);
  if (size < 0 || size > std::numeric_limits<std::int64_t>::max() / 64) {
    throw UsageError(fmt::format("array {} of {} elements cannot be allocated", name, size));
  }
  const std::int64_t alive = held_->words + size * element_words;
  if (!options_.derive && spec_.word_bits < 63 && alive > std::int64_t{1} << spec_.word_bits) {
    throw RuleViolation(fmt::format(
        "word overflow: array {} brings global memory to {} words, whose addresses need "
        "more than w = {} bits; use a larger w",
        name, alive, spec_.word_bits));
  }
  auto storage = std::make_unique<GlobalStorage>(std::move(name), size, element_bytes, spec_,
                                                 options_.checks && !options_.derive,
                                                 machine_->arena.max_concurrency() > 1);
  const std::int64_t bytes = held_->host_bytes + storage->host_bytes();
  constexpr std::int64_t much = 1 << 28;
  if (!options_.derive && bytes > much) require_host_bytes(*storage, alive, bytes);
  *held_ = {alive, bytes};
  report_.global_words_peak = std::max(report_.global_words_peak, alive);
  return {storage.release(), [held = held_](GlobalStorage* gone) {
            held->words -= gone->words();
            held->host_bytes -= gone->host_bytes();
            delete gone;
          }};
}

void SimulatedDevice::copy_in(GlobalStorage& storage, const void* from, std::size_t size,
                              std::size_t element_bytes) {
  if (static_cast<std::int64_t>(size) != storage.size()) {
    throw UsageError(fmt::format("upload of {} elements into array {} of {}", size, storage.name(),
                                 storage.size()));
  }
  if (!options_.derive) {
    storage.make_ready();
    std::copy_n(static_cast<const std::byte*>(from), size * element_bytes, storage.bytes());
  }
  report_.host_words_in += storage.words();
}

void SimulatedDevice::copy_out(GlobalStorage& storage, void* to, std::size_t size,
                               std::size_t element_bytes) {
  storage.make_ready();
  std::copy_n(storage.bytes(), size * element_bytes, static_cast<std::byte*>(to));
  report_.host_words_out += storage.words();
}

void SimulatedDevice::run_phase(std::string_view name, std::int64_t tasks,
                                const std::function<void(SimulatedMp&)>& task) {
  if (tasks == 0) return;
  ++phase_;
  for (std::unique_ptr<Worker>& worker : machine_->workers) {
    worker->counts = {};
    worker->shared_words = 0;
    worker->global.begin_phase(phase_);
  }
  PhaseReport phase;
  phase.kernel = name;
  phase.tasks = tasks;
  std::vector<TaskCost>& costs = machine_->costs;
  std::int64_t window_begin = 0;
  std::mutex progress_mutex;
  SimulationProgress progress{static_cast<std::int64_t>(report_.phases.size()), 0, tasks};
  std::mutex error_mutex;
  std::int64_t error_task = std::numeric_limits<std::int64_t>::max();
  std::exception_ptr error;

  const auto run_tasks = [&](const tbb::blocked_range<std::int64_t>& range) {
    Worker& worker = *machine_->workers.local();
    worker.global.begin_phase(phase_);
    SimulatedMp mp(worker.context, worker.shared, worker.global);
    for (std::int64_t j = range.begin(); j < range.end(); ++j) {
      worker.context.begin_task(name, j);
      worker.shared.begin_task();
      try {
        task(mp);
      } catch (...) {
        const std::lock_guard guard(error_mutex);
        if (j < error_task) {
          error_task = j;
          error = std::current_exception();
        }
        return;
      }
      Counts& counts = worker.context.counts;
      counts.lane_slots = counts.instructions() * spec_.block_words;
      costs[static_cast<std::size_t>(j - window_begin)] = {counts.time(), counts.io()};
      worker.counts += counts;
      worker.shared_words = std::max(worker.shared_words, worker.shared.words_used());
    }
    if (!options_.progress) return;
    const std::lock_guard guard(progress_mutex);
    progress.tasks_done += static_cast<std::int64_t>(range.size());
    options_.progress(progress);
  };
  machine_->assigner.begin_phase(tasks);
  const auto grain = static_cast<std::size_t>(std::clamp<std::int64_t>(tasks / 64, 1, 256));
  for (; window_begin < tasks; window_begin += window_tasks) {
    const std::int64_t window_end = std::min(tasks, window_begin + window_tasks);
    costs.resize(static_cast<std::size_t>(window_end - window_begin));
    machine_->arena.execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::int64_t>(window_begin, window_end, grain),
                        run_tasks);
    });
    if (error) std::rethrow_exception(error);
    for (const TaskCost& cost : costs) {
      phase.max_task_time = std::max(phase.max_task_time, cost.time);
    }
    machine_->assigner.place(costs);
  }

  for (const std::unique_ptr<Worker>& worker : machine_->workers) {
    phase.counts += worker->counts;
    phase.shared_words = std::max(phase.shared_words, worker->shared_words);
    const AtomicMeetings& meetings = worker->global.meetings();
    phase.contention = std::max(phase.contention, meetings.contention);
    phase.atomic_blocks += meetings.blocks;
  }
  const PhaseLoad load = machine_->assigner.end_phase();
  phase.time = load.time;
  phase.io_max = load.io_max;
  report_.phases.push_back(std::move(phase));
}

void SimulatedDevice::derive_phase(std::string_view name, std::int64_t tasks,
                                   const std::function<void(SimulatedMp&)>& task,
                                   const KernelCost& cost) {
  if (!cost.oblivious) throw DependsOnData(name);
  if (tasks == 0) return;
  Worker& worker = *machine_->workers.local();
  worker.global.begin_phase(++phase_);
  SimulatedMp mp(worker.context, worker.shared, worker.global);
  PhaseReport phase;
  phase.kernel = name;
  phase.tasks = tasks;
  std::unordered_map<std::int64_t, Counts> known;  // by task
  const auto counts_of = [&](std::int64_t j) -> const Counts& {
    const auto [entry, is_new] = known.try_emplace(j);
    if (is_new) {
      worker.context.begin_task(name, j);
      worker.shared.begin_task();
      task(mp);
      entry->second = worker.context.counts;
      entry->second.lane_slots = entry->second.instructions() * spec_.block_words;
      phase.max_task_time = std::max(phase.max_task_time, entry->second.time());
      phase.shared_words = std::max(phase.shared_words, worker.shared.words_used());
    }
    return entry->second;
  };
  std::vector<TaskRun> runs;
  for (const TaskExamples& examples : examples_of(cost, tasks, spec_)) {
    TaskRun run{examples.count, {}};
    const auto period = static_cast<std::int64_t>(examples.examples.size());
    for (std::int64_t i = 0; i < period; ++i) {
      const Counts& counts = counts_of(examples.examples[static_cast<std::size_t>(i)]);
      phase.counts += counts * ((examples.count - i + period - 1) / period);
      run.costs.push_back({counts.time(), counts.io()});
    }
    runs.push_back(std::move(run));
  }
  const PhaseLoad load = machine_->assigner.assign(runs);
  phase.time = load.time;
  phase.io_max = load.io_max;
  report_.phases.push_back(std::move(phase));
}

RunReport SimulatedDevice::report() const {
  RunReport result = report_;
  result.time_total_max = machine_->assigner.total_max();
  return result;
}

}  // namespace agpusim

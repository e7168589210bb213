#include "agpusim/model/agpu/device.hpp"

#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "agpusim/model/agpu/concepts.hpp"
#include "agpusim/model/agpu/line_costs.hpp"
#include "agpusim/model/agpu/phase_bill.hpp"
#include "agpusim/model/agpu/thread_check.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/host_memory.hpp"

namespace agpusim {

static_assert(Multiprocessor<SimulatedMp> && Device<SimulatedDevice>);
static_assert(ViewOfShared<SharedView<std::int64_t>, SimulatedMp>);
static_assert(ViewOfGlobal<GlobalView<std::uint64_t>, SimulatedMp>);

/// What arrays hold that are small, so that a race of several host threads is named as that of one;
/// nothing of larger ones.
static std::vector<std::vector<std::byte>> contents_of(const std::vector<GlobalStorage*>& arrays) {
  constexpr std::int64_t small = 1 << 20;
  std::int64_t all = 0;
  std::vector<std::vector<std::byte>> result;
  for (GlobalStorage* const array : arrays) {
    const std::int64_t bytes = array->size() * array->element_bytes();
    if ((all += bytes) > small) return {};
    result.emplace_back(array->bytes(), array->bytes() + bytes);
  }
  return result;
}

/// Lets memory hold other words while a task runs again.
class OtherWords {
 public:
  OtherWords(const std::set<GlobalStorage*>& arrays, const SharedMemory& shared) {
    for (GlobalStorage* const array : arrays) {
      if (array->bytes() == nullptr) continue;
      add({array->bytes(), static_cast<std::size_t>(array->size() * array->element_bytes())});
    }
    add(shared.bytes());
  }
  ~OtherWords() {
    for (const auto& [memory, kept] : memories_)
      std::copy(kept.begin(), kept.end(), memory.begin());
  }
  OtherWords(const OtherWords&) = delete;
  OtherWords& operator=(const OtherWords&) = delete;

 private:
  void add(std::span<std::byte> memory) {
    memories_.emplace_back(memory, std::vector(memory.begin(), memory.end()));
    for (std::byte& byte : memory)
      byte = static_cast<std::byte>((random_ = random_ * 69069 + 1) >> 24);
  }
  std::vector<std::pair<std::span<std::byte>, std::vector<std::byte>>> memories_;
  std::uint32_t random_ = 1;
};

/// What one host thread needs to run tasks; reused from phase to phase.
struct alignas(host_lines) SimulatedDevice::Worker {
  Worker(const AgpuSpec& spec, const SimulationOptions& options, std::size_t number)
      : context(spec, options.checks && !options.derive, options.pricing, options.derive,
                options.execution, options.by_line ? &lines : options.observer),
        shared(context),
        global(context, number, [this] { run_again(); }),
        thread(number),
        isolates(options.isolates) {}

  LineCosts lines;
  LaneContext context;
  SharedMemory shared;
  GlobalAccess global;
  TaskSums sums;
  ThreadCheck threads;
  std::size_t thread;
  bool isolates;
  const std::function<void(SimulatedMp&)>* kernel = nullptr;  // what the phase runs
  std::unique_ptr<Worker> again;                              // runs tasks again
  std::vector<std::uint8_t> all_lanes;

  /// The tasks of a kernel begin, of whose accesses this was kept before.
  void begin_phase(const std::function<void(SimulatedMp&)>& task, GlobalOrder::Keeps keeps) {
    kernel = &task;
    sums = {};
    global.begin_phase(keeps);
  }
  /// Runs the task `number` of the kernel.
  void run(std::string_view name, std::int64_t number) {
    context.begin_task(name, number);
    shared.begin_task();
    if (isolates) std::ranges::fill(shared.bytes(), std::byte{1});
    global.begin_task();
    SimulatedMp mp(context, shared, global);
    (*kernel)(mp);
  }
  /// Runs the task at hand again, beside itself and as far as it has come, for its GlobalOrder.
  void run_again();
  /// Costs of the task that has just run.
  [[nodiscard]] TaskBill bill() const {
    TaskBill task{context.counts, shared.words_used()};
    if (const LoneTask* const lone = context.lone()) {
      task.execution = lone->executed();
      task.live_values = lone->live_values();
    }
    return task;
  }
};

void SimulatedDevice::Worker::run_again() {
  if (again == nullptr) {
    SimulationOptions options;
    options.checks = options.pricing = false;
    again = std::make_unique<Worker>(context.spec(), options, thread);
    all_lanes.resize(static_cast<std::size_t>(context.padded()));
    std::fill_n(all_lanes.begin(), context.width(), std::uint8_t{1});
  }
  again->begin_phase(*kernel, GlobalOrder::Keeps::nothing);
  again->context.replay(all_lanes.data());
  again->global.tell(&global.order());
  try {
    again->run(context.kernel(), context.task());
  } catch (const GlobalOrder::CameAgain&) {
    return;
  } catch (const RuleViolation&) {  // the values that a race has left broke a rule
  }
  context.fail("a task that runs again does not do the same", 0, {});
}

struct SimulatedDevice::Machine {
  Machine(const AgpuSpec& spec, const SimulationOptions& options)
      : parallelism(tbb::global_control::max_allowed_parallelism,
                    static_cast<std::size_t>(
                        std::max(options.threads, tbb::this_task_arena::max_concurrency()))),
        arena(options.threads > 0 ? options.threads : tbb::task_arena::automatic),
        workers(static_cast<std::size_t>(arena.max_concurrency())),
        bill(spec) {}

  Worker& worker(std::size_t thread, const AgpuSpec& spec, const SimulationOptions& options) {
    std::unique_ptr<Worker>& worker = workers[thread];
    if (worker == nullptr) {
      worker = std::make_unique<Worker>(spec, options, thread);
      worker->begin_phase(*task, keeps);
    }
    return *worker;
  }
  void begin_phase(const std::function<void(SimulatedMp&)>& phase_task, GlobalOrder::Keeps kept) {
    task = &phase_task;
    keeps = kept;
    for (const std::unique_ptr<Worker>& worker : workers) {
      if (worker != nullptr) worker->begin_phase(phase_task, kept);
    }
  }

  tbb::global_control parallelism;  // lets a request for more threads than cores be granted
  tbb::task_arena arena;
  std::vector<std::unique_ptr<Worker>> workers;  // one for each thread of the arena that has worked
  PhaseBill bill;
  // All there are; shared with these, as Held.
  std::shared_ptr<std::set<GlobalStorage*>> arrays = std::make_shared<std::set<GlobalStorage*>>();
  struct Kernel {
    int phases = 0;
    GlobalOrder::Keeps keeps = GlobalOrder::Keeps::nothing;
  };
  std::unordered_map<std::type_index, Kernel> kernels;
  const std::function<void(SimulatedMp&)>* task = nullptr;  // what the phase at hand runs
  GlobalOrder::Keeps keeps = GlobalOrder::Keeps::nothing;   // what its tasks keep
};

SimulatedDevice::SimulatedDevice(const AgpuSpec& spec, SimulationOptions options)
    : spec_(spec), options_(std::move(options)), held_(std::make_shared<Held>()) {
  if (options_.derive) options_.execution = true;  // it costs little there
  validate(spec_);
  if (options_.observer != nullptr) {
    if (options_.by_line) {
      throw UsageError("an observer and costs by line do not go together: run it twice");
    }
    options_.threads = 1;
  }
  report_.spec = spec_;
  machine_ = std::make_unique<Machine>(spec_, options_);
}

SimulatedDevice::SimulatedDevice(const AgpuSpec& spec, CompiledKernels& kernels)
    : spec_(spec), compiled_(&kernels) {}

SimulatedDevice::~SimulatedDevice() = default;

void SimulatedDevice::require_host_bytes(GlobalStorage& storage, std::int64_t words) {
  constexpr std::int64_t much = 1 << 28;
  const auto bytes = [&] { return held_->host_bytes + storage.host_bytes(); };
  if (options_.derive || bytes() <= much) return;
  if (host_bytes_ == 0) host_bytes_ = available_memory_bytes();
  while (bytes() > host_bytes_ && storage.save_host_bytes()) {
  }
  if (bytes() <= host_bytes_) return;
  constexpr double gibibyte = 1 << 30;
  throw UsageError(fmt::format(
      "array {} brings global memory to {} words, whose simulation takes at least {:.1f} GiB of "
      "memory, and this machine has {:.1f} GiB left: choose a smaller input or smaller parameters",
      storage.name(), words, static_cast<double>(bytes()) / gibibyte,
      static_cast<double>(host_bytes_) / gibibyte));
}

std::shared_ptr<GlobalStorage> SimulatedDevice::allocate_storage(std::int64_t size,
                                                                 std::int32_t element_bytes,
                                                                 std::string name) {
  if (size < 0 || size > std::numeric_limits<std::int64_t>::max() / 64) {
    throw UsageError(fmt::format("array {} of {} elements cannot be allocated", name, size));
  }
  if (!std::in_range<std::size_t>(size)) {
    throw UsageError(fmt::format(
        "array {} of {} elements: here there are fewer than 2^{}; choose a smaller input", name,
        size, std::numeric_limits<std::size_t>::digits));
  }
  const std::int64_t alive = held_->words + spec_.element_size(element_bytes).words_of(size);
  if (!options_.derive) require_addresses(spec_, alive, "array " + name);
  auto storage = std::make_unique<GlobalStorage>(
      std::move(name), size, element_bytes, spec_, options_.checks && !options_.derive,
      machine_->workers.size(), arrays_++ % traffic_places);
  require_host_bytes(*storage, alive);
  held_->words = alive;
  held_->host_bytes += storage->host_bytes();
  constexpr std::int64_t sector_bytes = 32;
  const std::int64_t sectors = (size * element_bytes + sector_bytes - 1) / sector_bytes;
  held_->sectors[storage->place()] += sectors;
  report_.global_words_peak = std::max(report_.global_words_peak, alive);
  machine_->arrays->insert(storage.get());
  return {storage.release(),
          [held = held_, sectors, arrays = machine_->arrays](GlobalStorage* gone) {
            arrays->erase(gone);
            held->sectors[gone->place()] -= sectors;
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
                                const std::function<void(SimulatedMp&)>& task,
                                std::vector<GlobalStorage*> arrays, std::type_index kernel) {
  std::sort(arrays.begin(), arrays.end());
  arrays.erase(std::unique(arrays.begin(), arrays.end()), arrays.end());
  for (GlobalStorage* const array : arrays) array->begin_phase(tasks);
  if (tasks == 0) return;
  if (options_.observer != nullptr) options_.observer->begin_phase(name, tasks);
  Machine::Kernel& known = machine_->kernels[kernel];
  machine_->begin_phase(task, known.keeps);
  PhaseBill& bill = machine_->bill;
  std::mutex progress_mutex;
  SimulationProgress progress{static_cast<std::int64_t>(report_.phases.size()), 0, tasks};
  std::mutex error_mutex;
  TaskError error;  // what the first task that failed met
  GlobalAccess::Race race;

  // Many tasks are long and alike: two of them, and of these the first accesses.
  constexpr int checked_phases = 4;
  constexpr std::int64_t few_tasks = 16;
  const bool checks_threads = options_.checks && ++known.phases <= checked_phases;
  constexpr std::size_t any_lanes = std::numeric_limits<std::size_t>::max();
  const std::size_t checked_lanes = std::size_t{1} << (tasks <= few_tasks ? 13 : 10);

  const bool watched = options_.observer != nullptr;
  std::vector<std::vector<std::byte>> before;
  if (options_.checks && !watched && machine_->workers.size() > 1) before = contents_of(arrays);
  const auto run_task = [&](Worker& worker, std::int64_t j) {
    const bool is_checked = checks_threads && (j == 0 || j + 1 == tasks);
    const bool isolates = watched && options_.isolates;
    if (is_checked || isolates) {
      worker.threads.begin(worker.context, isolates ? any_lanes : checked_lanes);
    }
    worker.run(name, j);
    worker.threads.end();
    bill.add(worker.sums, j, worker.bill());
    const auto again = [&] { worker.run(name, j); };
    std::optional<OtherWords> others;
    if (isolates) {
      others.emplace(*machine_->arrays, worker.shared);
      worker.threads.compare_all(worker.context, again);
    }
    if (is_checked) worker.threads.compare(worker.context, again, isolates);
  };
  const auto run_tasks = [&](const tbb::blocked_range<std::int64_t>& range) {
    const int thread = watched ? 0 : tbb::this_task_arena::current_thread_index();
    Worker& worker = machine_->worker(static_cast<std::size_t>(thread), spec_, options_);
    for (std::int64_t j = range.begin(); j < range.end(); ++j) {
      try {
        run_task(worker, j);
      } catch (...) {
        worker.threads.end();
        const std::lock_guard guard(error_mutex);
        if (worker.global.race().array != nullptr && machine_->workers.size() > 1) {
          race = worker.global.race();
        } else if (j < error.task) {
          error = {j, std::current_exception()};
        }
        return;
      }
    }
    if (!options_.progress) return;
    const std::lock_guard guard(progress_mutex);
    progress.tasks_done += static_cast<std::int64_t>(range.size());
    options_.progress(progress);
  };
  AtomicMeetings atomics;
  const auto end_arrays = [&] {
    for (const GlobalStorage* const array : arrays) {
      if (race.array != nullptr) return;
      const std::int64_t element = array->race_of_threads();
      if (element != RaceDetector::nobody) race = {array, element};
      if (error.error) continue;
      const AtomicMeetings met = array->meetings();
      atomics.contention = std::max(atomics.contention, met.contention);
      atomics.blocks += met.blocks;
    }
  };
  std::vector<std::int64_t> placed;
  bill.begin(name, tasks, no_execution(), watched ? &placed : nullptr);
  const auto grain = static_cast<std::size_t>(std::clamp<std::int64_t>(tasks / 64, 1, 256));
  while (bill.next_window()) {
    const tbb::blocked_range<std::int64_t> window(bill.window_begin(), bill.window_end(), grain);
    const bool is_last = window.end() == tasks;
    if (watched) {
      run_tasks(window);  // in order
      if (is_last) end_arrays();
    } else {
      machine_->arena.execute([&] {
        tbb::parallel_for(window, run_tasks);
        if (is_last || error.error) end_arrays();
      });
    }
    // What a task met may come from a race that no thread saw.
    if (race.array != nullptr) fail_race(name, tasks, task, arrays, race, error, before);
    if (error.error) std::rethrow_exception(error.error);
  }

  for (const std::unique_ptr<Worker>& worker : machine_->workers) {
    if (worker == nullptr) continue;
    bill.merge(worker->sums);
    known.keeps = std::max(known.keeps, worker->global.order().keeps());
  }
  PhaseReport phase = bill.end();
  phase.contention = atomics.contention;
  phase.atomic_blocks = atomics.blocks;
  if (watched) options_.observer->end_phase(phase, placed);
  report_.phases.push_back(std::move(phase));
}

void SimulatedDevice::fail_race(std::string_view name, std::int64_t tasks,
                                const std::function<void(SimulatedMp&)>& task,
                                const std::vector<GlobalStorage*>& arrays,
                                const GlobalAccess::Race& race, const TaskError& other,
                                const std::vector<std::vector<std::byte>>& before) {
  for (GlobalStorage* const array : arrays) array->begin_phase(tasks);
  for (std::size_t i = 0; i < before.size(); ++i) {
    std::copy(before[i].begin(), before[i].end(), arrays[i]->bytes());
  }
  machine_->begin_phase(task, GlobalOrder::Keeps::nothing);
  Worker& worker = machine_->worker(0, spec_, options_);
  std::int64_t j = 0;
  try {
    for (; j < tasks && j <= other.task; ++j) worker.run(name, j);
  } catch (...) {
    if (!before.empty() || j == other.task || worker.global.race().array != nullptr) throw;
  }
  // With what the phase has left in memory, the tasks take another way.
  throw RuleViolation(fmt::format(
      "race: several tasks use a word of global memory in the same phase, and one of them writes; "
      "let the host wait between them (kernel {}, array {}, index {})",
      name, race.array->name(), race.element));
}

void SimulatedDevice::derive_phase(std::string_view name, std::int64_t tasks,
                                   const std::function<void(SimulatedMp&)>& task,
                                   const KernelCost& cost, std::int32_t parts) {
  if (!cost.oblivious) throw DependsOnData(name);
  if (tasks == 0) return;
  machine_->begin_phase(task, GlobalOrder::Keeps::nothing);
  Worker& worker = machine_->worker(0, spec_, options_);
  worker.context.parts = parts;
  PhaseBill& bill = machine_->bill;
  bill.begin(name, tasks, no_execution());
  std::unordered_map<std::int64_t, TaskBill> known;  // by task
  const auto bill_of = [&](std::int64_t j, std::int64_t) -> const TaskBill& {
    const auto [entry, is_new] = known.try_emplace(j);
    if (is_new) {
      worker.run(name, j);
      entry->second = worker.bill();
    }
    return entry->second;
  };
  const std::vector<TaskRun> runs =
      worker.sums.add_all(examples_of(cost, tasks, spec_, parts), bill_of);
  bill.merge(worker.sums);
  report_.phases.push_back(bill.end(runs));
}

PhaseExecution SimulatedDevice::no_execution() const {
  PhaseExecution execution;
  execution.counted = options_.execution;
  if (options_.execution) execution.array_sectors = held_->sectors;
  return execution;
}

RunReport SimulatedDevice::report() const {
  if (compiled_ != nullptr) return compiled_->report();
  RunReport result = report_;
  result.time_total_max = machine_->bill.total_max();
  if (options_.by_line) {
    LineCosts sum;
    for (const std::unique_ptr<Worker>& worker : machine_->workers) {
      if (worker != nullptr) sum += worker->lines;
    }
    result.lines = sum.lines();
  }
  return result;
}

}  // namespace agpusim

#include <algorithm>
#include <cmath>
#include <string>

#include "agpusim/cuda/warps_of_cta.hpp"
#include "agpusim/model/agpu/instruction_prices.hpp"
#include "agpusim/validation/predict/predict.hpp"
#include "agpusim/validation/predict/residency.hpp"

namespace agpusim {
namespace {

constexpr double sector_bytes = 32;
constexpr double warp_lanes = 32;
// The L2 cache takes writes of 16 to 32 MiB at 0.57 to 0.59 of the rate of reads (H200, one kernel
// that reads or writes an array again and again; docs/reference/prediction.md).
constexpr double l2_passes_of_write = 1.7;

// SASS instructions that the vocabulary's words take beside their arithmetic, from the instruction
// counters of the measured kernels.
constexpr double view_instructions = 5.5;
constexpr double global_instructions = 2;
constexpr double shared_instructions = 1.3;
constexpr double round_instructions = 2;
// Scalar instructions of a warp whose kernel reads its arrays as they are: the median of the zoo's.
// The bundled ones compute views from 64-bit segments; theirs are a constant of the device.
constexpr double plain_prologue = 13;

// A multiprocessor takes a block of reads a cycle and a block of writes every second one: between 1
// and 4, which one that only writes takes, this predicts the analysis best.
constexpr double block_writes = 2;

// Cycles for which a warp alone waits for each instruction and its constants when it meets them
// first, by the stalls that a profiler counted in 79 kernels of 2^12 elements (1.60 and 0.51); of
// longer kernels, most is loops.
constexpr double code_cycles = 2.1;
constexpr double most_code = 700;
// Programs run one kernel after another: these are cycles that their kernels below 15 us wait
// (H100).
constexpr double code_cycles_of_kernel = 3.7;

/// How tasks lie on a multiprocessor.
struct Residency {
  double warps = 1;          ///< warps of a task
  double tasks_per_cta = 1;  ///< several only of one warp each
  double resident = 1;       ///< tasks of a multiprocessor at once at most
  double ctas = 1;           ///< CTAs of the phase
  double busiest = 1;        ///< tasks of the busiest multiprocessor
};

Residency residency_of(const AgpuSpec& spec, const PhaseReport& phase, const DeviceFile& device) {
  Residency result;
  result.warps = warps_of_task(spec, phase);
  const double tasks = static_cast<double>(phase.tasks);
  const double multiprocessors = device.value("multiprocessors");
  const double spread = std::ceil(tasks / multiprocessors);
  const ptx::Multiprocessor multiprocessor = multiprocessor_of(device);
  const std::int64_t task_bytes = phase.shared_words * spec.word_bits / 8;
  const auto registers = static_cast<std::int64_t>(registers_of_warp(phase, device) / warp_lanes);
  // Tasks of bundled algorithms that are a warp share CTAs; else a task is a CTA.
  const int most = result.warps > 1 || phase.execution.has_caches != 0 ? 1 : max_warps_per_cta;
  result.resident = 0;
  for (int per_cta = 1; per_cta <= std::min<double>(most, std::max(spread, 1.0)); ++per_cta) {
    const auto warps = per_cta * static_cast<std::int64_t>(result.warps);
    const auto ctas =
        static_cast<double>(multiprocessor.resident(warps, registers, per_cta * task_bytes).ctas);
    if (per_cta * ctas < result.resident) continue;
    result.resident = per_cta * ctas;
    result.tasks_per_cta = per_cta;
  }
  result.resident = std::max(result.resident, 1.0);
  result.ctas = std::ceil(tasks / result.tasks_per_cta);
  result.busiest = std::min(tasks, std::ceil(result.ctas / multiprocessors) * result.tasks_per_cta);
  return result;
}

/// Bytes of global memory that a phase reads, writes and touches at least: no array more than once.
struct Footprint {
  double read = 0;
  double touched = 0;
};

Footprint footprint_of(const PhaseReport& phase) {
  Footprint result;
  const PhaseExecution& execution = phase.execution;
  for (std::size_t i = 0; i < traffic_places; ++i) {
    const auto size = static_cast<double>(execution.array_sectors[i]);
    const auto read = static_cast<double>(execution.total.read_sectors[i]);
    const auto written = static_cast<double>(execution.total.written_sectors[i]);
    result.read += sector_bytes * std::min(read, size);
    result.touched += sector_bytes * std::min(std::max(read, written), size);
  }
  return result;
}

/// The part of `bytes` that the L2 cache serves: all of it up to its capacity, none a fifth above.
double share_of_l2(double bytes, const DeviceFile& device) {
  const double capacity = device.value("l2_bytes");
  return std::clamp((1.2 * capacity - bytes) / (0.2 * capacity), 0.0, 1.0);
}

/// Lane operations per nanosecond of atomics at random words of `bytes` of memory: between two
/// calibrated footprints a power law.
double atomic_rate(double bytes, const DeviceFile& device) {
  const auto rate = [&](std::int64_t footprint) {
    return device.value("atomic_rate_" + std::to_string(footprint));
  };
  const auto above =
      std::find_if(atomic_footprints.begin(), atomic_footprints.end(),
                   [&](std::int64_t footprint) { return static_cast<double>(footprint) >= bytes; });
  if (above == atomic_footprints.begin()) return rate(atomic_footprints.front());
  if (above == atomic_footprints.end()) return rate(atomic_footprints.back());
  const auto low = static_cast<double>(*(above - 1));
  const double share = std::log(bytes / low) / std::log(static_cast<double>(*above) / low);
  return std::pow(rate(*(above - 1)), 1 - share) * std::pow(rate(*above), share);
}

/// Nanoseconds of the atomic operations. The L2 cache serves the lanes of a request that meet in
/// one sector together, unless they meet on one word; operations on one word follow each other.
/// Both are calibrated: the first with random words, each in a sector of its own. Words in few
/// blocks meet in few slices of the cache, however many of a block's words there are.
double atomic_time(const AgpuSpec& spec, const PhaseReport& phase, const DeviceFile& device) {
  const GlobalCounts& atomics = phase.counts.global_atomic;
  if (atomics.requests == 0) return 0;
  const auto requests = static_cast<double>(atomics.requests);
  const auto sectors = static_cast<double>(atomics.sectors);
  const double footprint =
      static_cast<double>(phase.atomic_blocks) * spec.block_words * spec.word_bits / 8;
  const double multiplicity = 1 + static_cast<double>(phase.counts.serialised) / requests;
  const double operations = std::min(sectors * multiplicity, warp_lanes * requests);
  return std::max(operations / atomic_rate(footprint, device),
                  static_cast<double>(phase.contention) /
                      atomic_rate(static_cast<double>(atomic_footprints.front()), device));
}

/// Warp instructions of a phase.
struct Instructions {
  double all = 0;       ///< with the prologue
  double prologue = 0;  ///< scalar ones of a warp
};

Instructions instructions_of(const AgpuSpec& spec, const PhaseReport& phase,
                             const DeviceFile& device) {
  const auto executed = static_cast<double>(phase.instructions);
  const double warps = warps_of(spec, phase);
  const double counted = counted_instructions(spec, phase);
  const bool has_views = phase.execution.total.views > 0 || !phase.execution.counted;
  const double of_views = device.value("prologue_instructions");
  const double usual = has_views ? of_views : std::min(plain_prologue, of_views);
  if (executed <= 0) return {counted + usual * warps, usual};
  return {executed, std::clamp((executed - counted) / warps, 0.0, 3 * usual)};
}

/// Nanoseconds until the code of phase `i` has been fetched, unless a phase before ran it.
double code_time(const AgpuSpec& spec, const std::vector<PhaseReport>& phases, std::size_t i,
                 double clock) {
  const PhaseReport& phase = phases[i];
  // The code of a kernel of a program is known.
  if (phase.execution.has_caches != 0) {
    return code_cycles_of_kernel * static_cast<double>(phase.execution.code) / clock;
  }
  const auto here = phases.begin() + static_cast<std::ptrdiff_t>(i);
  const auto runs_it = [&](const PhaseReport& other) { return other.kernel == phase.kernel; };
  if (std::any_of(phases.begin(), here, runs_it)) return 0;
  const double of_warp = counted_instructions(spec, phase) / warps_of(spec, phase);
  return code_cycles * std::min(of_warp, most_code) / clock;
}

// Cycles of a scheduler for an address of a warp's read of constant memory beyond the first: a
// multiprocessor serves one in 2 cycles (H200, tables of 1 and 2 KB; docs/reference/prediction.md).
constexpr double constant_turn = 8;

/// Cycles of a phase's instructions on all schedulers, one after the other.
double issue_cycles(const PhaseReport& phase, const Instructions& instructions,
                    const DeviceFile& device) {
  const auto on_f64 =
      phase.execution.total.operations[op_kinds + static_cast<std::size_t>(Op::floating)];
  const double by_f64 =
      device.has("f64_cycles") ? device.value("f64_cycles") * static_cast<double>(on_f64) : 0;
  double arithmetic = 0;
  double multiplication = 0;
  for (std::size_t i = 0; i < instruction_prices.size(); ++i) {
    const auto count = static_cast<double>(phase.execution.total.operations[i]);
    arithmetic += count * instruction_prices[i].arithmetic;
    multiplication += count * instruction_prices[i].multiplication;
  }
  const double special = 4 * static_cast<double>(phase.execution.special_turns);
  // A pipe takes an instruction every second cycle; either of two adds.
  return std::max({instructions.all, 2 * arithmetic, 2 * multiplication, special, by_f64}) +
         constant_turn * static_cast<double>(phase.unpriced.constant_turns);
}

/// What the phase moves to and from memory.
struct Traffic {
  double device_share = 0;  ///< part of the sectors read that come from device memory
  double nanoseconds = 0;
};

/// Nanoseconds that a kernel waits for memory of the host: it gets 0.93 of the rate of copies
/// (H200).
double link_time(const PhaseExecution& execution, const DeviceFile& device) {
  constexpr double of_copies = 0.93;
  const double in = sector_bytes * static_cast<double>(execution.link_read);
  const double out = sector_bytes * static_cast<double>(execution.link_written);
  if (in + out == 0 || !device.has("link_in")) return 0;
  return std::max({in / device.value("link_in"), out / device.value("link_out"),
                   (in + out) / device.value("link_both")}) /
         of_copies;
}

/// Warps that write scattered words one after another do so more slowly than the warps of a task
/// together, where the L2 cache does not hold what they write until their sectors are whole.
Traffic traffic_of(const PhaseReport& phase, bool first, bool one_warp, double working_set,
                   const DeviceFile& device) {
  const Execution& total = phase.execution.total;
  const PhaseExecution& execution = phase.execution;
  const bool has_caches = execution.has_caches != 0;
  const Footprint footprint = footprint_of(phase);
  const double in_l2 = share_of_l2(working_set, device);
  const std::int64_t misses = has_caches ? execution.l2_read : total.misses;
  // The cache is flushed before a sample, so that what the first phase reads comes from memory.
  const double missed = has_caches
                            ? sector_bytes * static_cast<double>(misses)
                            : std::max(sector_bytes * static_cast<double>(misses), footprint.read);
  const double read =
      has_caches ? sector_bytes * static_cast<double>(execution.memory_read)
                 : (first ? 1 : 1 - in_l2) * footprint.read +
                       (missed - footprint.read) * (1 - share_of_l2(footprint.read, device));
  double written_sectors = 0;
  for (const std::int64_t sectors : total.written_sectors) {
    written_sectors += static_cast<double>(sectors);
  }
  const double stored = sector_bytes * written_sectors;
  const double written = has_caches ? sector_bytes * static_cast<double>(execution.memory_written)
                                    : stored * (1 - in_l2);
  // 1 GB/s = 1 byte/ns. Reads paired with writes run at the speed of a copy. Writes that the L2
  // cache keeps hold up what comes from memory, which passes it as well.
  const double paired = std::min(read, written);
  const double by_memory = 2 * paired / device.value("bandwidth_copy") +
                           (read - paired) / device.value("bandwidth_read") +
                           (written - paired) / device.value("bandwidth_write") +
                           std::max(0.0, stored - written) / device.value("l2_bandwidth");
  const double by_l2 = (missed + l2_passes_of_write * stored) / device.value("l2_bandwidth");
  const double slowly = one_warp ? 1 - in_l2 : 0;
  // Atomic operations are written as well, and have a term of their own.
  const auto scattered_writes = static_cast<double>(
      std::max<std::int64_t>(0, total.scattered_writes - phase.counts.global_atomic.sectors));
  // The rate is one of sectors that the L1 cache does not serve.
  const auto scattered_reads = static_cast<double>(std::min(total.scattered_reads, misses));
  const double by_block =
      std::max(scattered_reads / device.value("block_read_rate"),
               scattered_writes * (slowly / device.value("warp_write_rate") +
                                   (1 - slowly) / device.value("block_write_rate")));
  return {missed > 0 ? read / missed : 0,
          std::max({by_memory, by_l2, by_block, link_time(execution, device)})};
}

/// The lone time at a latency between those it was counted for, in cycles.
double at_latency(const Moments& lone, double latency) {
  std::size_t i = 0;
  while (i + 2 < lone.size() && lone_latencies[i + 1] < latency) ++i;
  const auto cycles = [&](std::size_t j) { return static_cast<double>(lone[j]) / lone_units; };
  const double slope = (cycles(i + 1) - cycles(i)) / (lone_latencies[i + 1] - lone_latencies[i]);
  return cycles(i) + slope * (latency - lone_latencies[i]);
}

TaskChain chain_of(const PhaseReport& phase, const Residency& on, double device_share,
                   double prologue, const DeviceFile& device) {
  const Execution& total = phase.execution.total;
  TaskChain chain{total.lone, phase.execution.longest, static_cast<double>(phase.tasks)};
  if (phase.execution.has_caches != 0 && phase.counts.time() > 0) {
    // The longest of all, not of those whose time alone was counted.
    const double times =
        static_cast<double>(phase.max_task_time) / static_cast<double>(phase.counts.time());
    for (std::size_t i = 0; i < chain.lone.size(); ++i) {
      chain.longest[i] = std::max(
          chain.longest[i], static_cast<std::int64_t>(times * static_cast<double>(chain.lone[i])));
    }
  }
  chain.turns = std::ceil(on.busiest / on.resident);
  chain.clock = device.value("clock") * 1e-3;
  const double waits = std::max(static_cast<double>(phase.counts.rounds) * on.warps, 1e-9);
  chain.doublings = std::log2(std::max(1.0, static_cast<double>(total.missed_lines) / waits));
  chain.latency = chain.clock * (device_share * device.value("memory_latency") +
                                 (1 - device_share) * device.value("l2_latency"));
  if (phase.execution.has_caches != 0 && total.misses > 0) {
    // Part of what a CTA alone would miss, others have brought into L1.
    const double missed = std::min(
        1.0, static_cast<double>(phase.execution.l2_read) / static_cast<double>(total.misses));
    chain.latency = missed * chain.latency + (1 - missed) * hit_latency;
  }
  chain.prologue = prologue;
  chain.least_prologue_cycles =
      on.tasks_per_cta * on.warps / device.value("schedulers_per_multiprocessor");
  return chain;
}

/// What can be said of the execution of a phase that was not counted: its instructions are 32-bit
/// additions that wait for each other and for every round of reads.
PhaseReport with_execution(PhaseReport phase) {
  if (phase.execution.counted) return phase;
  Execution& total = phase.execution.total;
  const Counts& counts = phase.counts;
  total.operations[static_cast<std::size_t>(Op::add)] = counts.alu + counts.idle;
  total.misses = counts.global_read.sectors;
  total.missed_lines = counts.global_read.blocks;
  total.read_sectors[0] = counts.global_read.sectors;
  total.written_sectors[1] = counts.global_write.sectors + counts.global_atomic.sectors;
  phase.execution.array_sectors[0] = total.read_sectors[0];
  phase.execution.array_sectors[1] = total.written_sectors[1];
  const auto scattered = [](const GlobalCounts& c) {
    return c.sectors == c.blocks && c.sectors >= 2 * c.requests ? c.sectors : 0;
  };
  total.scattered_reads = scattered(counts.global_read);
  total.scattered_writes = scattered(counts.global_write);
  const std::int64_t latency = price_of(Op::add, false).latency;
  const std::int64_t tasks = std::max<std::int64_t>(phase.tasks, 1);
  for (std::size_t i = 0; i < total.lone.size(); ++i) {
    const std::int64_t waits = lone_units * lone_latencies[i] * counts.rounds;
    total.lone[i] = lone_units * latency * counts.instructions() + waits;
    phase.execution.longest[i] =
        lone_units * latency * phase.max_task_time + (waits + tasks - 1) / tasks;
  }
  return phase;
}

}  // namespace

double TaskChain::nanoseconds(const FittedConstants& fitted) const {
  const double with_lines = latency + fitted.line_latency * doublings;
  const double mean = at_latency(lone, with_lines) / tasks;
  const double before = prologue * std::max(fitted.prologue_cycles, least_prologue_cycles);
  return ((turns - 1) * (mean + before) + at_latency(longest, with_lines)) / clock;
}

double warps_of_task(const AgpuSpec& spec, const PhaseReport& phase) {
  return std::ceil((phase.width > 0 ? phase.width : spec.width) / warp_lanes);
}

double warps_of(const AgpuSpec& spec, const PhaseReport& phase) {
  return static_cast<double>(phase.tasks) * warps_of_task(spec, phase);
}

double registers_of_warp(const PhaseReport& phase, const DeviceFile& device) {
  // Beside the lane values: addresses, loop counters, what a task knows of itself.
  constexpr double scalar_registers = 20;
  const double live = static_cast<double>(phase.execution.live_values) + scalar_registers;
  const double of_lane = phase.registers > 0 ? static_cast<double>(phase.registers) : live;
  return warp_lanes * std::min(device.value("registers_per_thread"), std::ceil(of_lane / 8) * 8);
}

double counted_instructions(const AgpuSpec& spec, const PhaseReport& phase) {
  const Execution& total = phase.execution.total;
  double instructions = 0;
  for (std::size_t i = 0; i < instruction_prices.size(); ++i) {
    instructions += static_cast<double>(total.operations[i]) * instruction_prices[i].instructions;
  }
  const Counts& counts = phase.counts;
  const auto global = static_cast<double>(counts.requests());
  const auto shared = static_cast<double>(
      counts.shared_read.requests + counts.shared_write.requests + counts.shared_atomic.requests);
  return instructions + view_instructions * static_cast<double>(total.views) +
         global_instructions * global + shared_instructions * shared +
         static_cast<double>(total.guards) +
         round_instructions * static_cast<double>(total.rounds) +
         (1 + stage_instructions) * static_cast<double>(total.syncs) * warps_of_task(spec, phase);
}

std::vector<PhaseTerms> terms_of(const AgpuSpec& spec, const std::vector<PhaseReport>& phases,
                                 const DeviceFile& device, const FittedConstants& fitted) {
  std::vector<PhaseReport> counted;
  double working_set = 0;
  for (const PhaseReport& phase : phases) {
    counted.push_back(with_execution(phase));
    working_set = std::max(working_set, footprint_of(counted.back()).touched);
  }
  const double clock = device.value("clock") * 1e-3;  // cycles/ns
  const double schedulers = device.value("schedulers_per_multiprocessor");
  std::vector<PhaseTerms> result;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const PhaseReport& phase = counted[i];
    const Residency on = residency_of(spec, phase, device);
    const double share = on.busiest / static_cast<double>(phase.tasks);
    const double used = std::clamp(on.busiest * on.warps, 1.0, schedulers);
    const Counts& counts = phase.counts;
    const bool has_caches = phase.execution.has_caches != 0;
    const std::int64_t of_reads =
        has_caches ? phase.execution.l1_passes : counts.global_read.blocks;
    const double passes =
        static_cast<double>(counts.wavefronts() + of_reads + counts.global_atomic.requests +
                            phase.unpriced.local_lines) +
        (has_caches ? 1 : block_writes) * static_cast<double>(counts.global_write.blocks);
    const Traffic traffic = traffic_of(phase, i == 0, on.warps == 1, working_set, device);
    PhaseTerms terms;
    const Instructions instructions = instructions_of(spec, phase, device);
    terms.issue = issue_cycles(phase, instructions, device) * share / used / clock;
    terms.shared = passes * share / clock;
    terms.bandwidth = traffic.nanoseconds;
    terms.atomics = atomic_time(spec, phase, device);
    if (device.has("cta_start")) terms.dispatch = on.ctas * device.value("cta_start");
    terms.chain = chain_of(phase, on, traffic.device_share, instructions.prologue, device);
    terms.latency = terms.chain.nanoseconds(fitted);
    terms.fill = counts.rounds > 0 ? terms.chain.latency / clock : 0;
    terms.code = code_time(spec, counted, i, clock);
    terms.tasks = std::min(on.busiest, on.resident);
    terms.warps = terms.tasks * on.warps;
    terms.issuing = std::min(schedulers, terms.warps);
    terms.filled = std::min(1.0, on.ctas / device.value("multiprocessors"));
    result.push_back(terms);
  }
  return result;
}

std::vector<PhaseTerms> refitted(std::vector<PhaseTerms> phases, const FittedConstants& fitted) {
  for (PhaseTerms& terms : phases) terms.latency = terms.chain.nanoseconds(fitted);
  return phases;
}

}  // namespace agpusim

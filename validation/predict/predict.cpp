#include "agpusim/validation/predict/predict.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace agpusim {
namespace {

constexpr double sector_bytes = 32;
constexpr double warp_lanes = 32;
constexpr int max_warps_per_cta = 8;         // how the CUDA half packs one-warp tasks
constexpr double reserved_cta_bytes = 1024;  // shared memory the CUDA runtime keeps of each CTA

/// Tasks that one multiprocessor of the device holds at once.
double resident_tasks(const RunConfig& config, const PhaseReport& phase, const DeviceFile& device) {
  const double warps = std::ceil(config.spec.width / warp_lanes);
  const double task_bytes = static_cast<double>(phase.shared_words) * config.spec.word_bits / 8;
  const double shared_bytes = device.value("shared_bytes_per_multiprocessor");
  double best = 1;
  for (int per_cta = 1; per_cta <= (warps > 1 ? 1 : max_warps_per_cta); ++per_cta) {
    const double by_shared = shared_bytes / (per_cta * task_bytes + reserved_cta_bytes);
    const double by_warps = device.value("warps_per_multiprocessor") / (per_cta * warps);
    const double ctas = std::floor(std::min({by_shared, by_warps, device.value("max_ctas")}));
    best = std::max(best, per_cta * ctas);
  }
  return best;
}

/// Bytes of the blocks that atomic operations touch.
double atomic_footprint(const RunConfig& config, const PhaseReport& phase) {
  return static_cast<double>(phase.atomic_blocks) * config.spec.block_words *
         config.spec.word_bits / 8;
}

/// Bytes that the largest phase touches in one direction: exact for a program that works in place
/// and reads nothing twice within a phase.
double working_set_bytes(const RunConfig& config, const std::vector<PhaseReport>& phases) {
  double bytes = 0;
  for (const PhaseReport& phase : phases) {
    const double read = sector_bytes * static_cast<double>(phase.counts.global_read.sectors);
    const double written = sector_bytes * static_cast<double>(phase.counts.global_write.sectors);
    bytes = std::max({bytes, read, written + atomic_footprint(config, phase)});
  }
  return bytes;
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
double atomic_time(const RunConfig& config, const PhaseReport& phase, const DeviceFile& device) {
  const GlobalCounts& atomics = phase.counts.global_atomic;
  const auto requests = static_cast<double>(atomics.requests);
  const auto sectors = static_cast<double>(atomics.sectors);
  const double multiplicity = 1 + static_cast<double>(phase.counts.serialised) / requests;
  const double operations = std::min(sectors * multiplicity, warp_lanes * requests);
  return std::max(operations / atomic_rate(atomic_footprint(config, phase), device),
                  static_cast<double>(phase.contention) /
                      atomic_rate(static_cast<double>(atomic_footprints.front()), device));
}

/// Nanoseconds of moving the sectors that are read and written; 1 GB/s = 1 byte/ns.
double transfer_time(const PhaseReport& phase, bool in_l2, const DeviceFile& device) {
  const double read = sector_bytes * static_cast<double>(phase.counts.global_read.sectors);
  const double written = sector_bytes * static_cast<double>(phase.counts.global_write.sectors);
  if (in_l2) return (read + written) / device.value("l2_bandwidth");
  // Reads paired with writes run at the speed of a copy, the rest at that of its direction.
  const double paired = std::min(read, written);
  return 2 * paired / device.value("bandwidth_copy") +
         (read - paired) / device.value("bandwidth_read") +
         (written - paired) / device.value("bandwidth_write");
}

/// Tasks on the busiest multiprocessor when they are spread evenly.
double busiest_tasks(const PhaseReport& phase, const DeviceFile& device) {
  return std::ceil(static_cast<double>(phase.tasks) / device.value("multiprocessors"));
}

/// Nanoseconds that the busiest multiprocessor takes for `amount` of all tasks, the whole device
/// doing `rate` of them per nanosecond.
double busiest_time(const PhaseReport& phase, std::int64_t amount, double rate,
                    const DeviceFile& device) {
  const double per_task = static_cast<double>(amount) / static_cast<double>(phase.tasks);
  return busiest_tasks(phase, device) * per_task * device.value("multiprocessors") / rate;
}

/// Nanoseconds to issue the instructions: arithmetic runs at the integer rate.
double issue_time(const PhaseReport& phase, const DeviceFile& device) {
  return std::max(
      busiest_time(phase, phase.counts.alu, device.value("int_rate"), device),
      busiest_time(phase, phase.counts.instructions(), device.value("issue_rate"), device));
}

/// Nanoseconds of accesses that spread over many blocks: the device serves few lanes of such a
/// request at a time. Neighbouring tasks complete each other's blocks in the L2 cache.
double scatter_time(const PhaseReport& phase, const DeviceFile& device) {
  return std::max(
      static_cast<double>(phase.counts.global_read.blocks) / device.value("block_read_rate"),
      static_cast<double>(phase.counts.global_write.blocks) / device.value("block_write_rate"));
}

/// Nanoseconds of the longest chain: tasks run one after the other in each resident slot. A warp
/// issues each instruction when the one before is done, loses a cycle for every further bank or
/// block of an access, and waits for every round of its global reads.
double chain_time(const RunConfig& config, const PhaseReport& phase, bool in_l2,
                  const DeviceFile& device) {
  const double slots = device.value("multiprocessors") * resident_tasks(config, phase, device);
  const double tasks = static_cast<double>(phase.tasks);
  const double charged = static_cast<double>(std::max<std::int64_t>(phase.counts.time(), 1));
  const double share = static_cast<double>(phase.counts.instructions()) / charged;
  const double time = static_cast<double>(phase.max_task_time) / config.spec.warps();
  const double cycles = time * (share * device.value("alu_latency") + (1 - share));
  const double rounds = static_cast<double>(phase.counts.rounds) / tasks;
  return std::ceil(tasks / slots) *
             (cycles / (device.value("clock") * 1e-3) +
              rounds * device.value(in_l2 ? "l2_latency" : "memory_latency")) +
         device.value("l2_latency");
}

}  // namespace

Prediction predict(const RunConfig& config, const std::vector<PhaseReport>& phases,
                   const DeviceFile& device) {
  if (phases.empty()) throw std::invalid_argument("prediction of a program without phases");
  // What the first phase reads comes from memory (the cache is flushed before each sample); later
  // phases find it in the L2 cache when all of it fits.
  const bool fits_l2 = working_set_bytes(config, phases) <= device.value("l2_bytes");
  Prediction prediction;
  const auto charge = [&](const std::string& limit, double nanoseconds) {
    prediction.parts[limit] += nanoseconds * 1e-6;
    prediction.milliseconds += nanoseconds * 1e-6;
  };
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const PhaseReport& phase = phases[i];
    const bool first = i == 0;
    const bool in_l2 = fits_l2 && !first;
    // Launches do not overlap with the work of the phase before.
    charge("launch", 1e3 * device.value(first ? "launch_latency" : "launch"));
    // The slowest throughput hides the others.
    std::map<std::string, double> throughput = {
        {"bandwidth", std::max(transfer_time(phase, in_l2, device), scatter_time(phase, device))},
        {"issue", issue_time(phase, device)},
        {"shared",
         busiest_time(phase, phase.counts.wavefronts(), device.value("shared_rate"), device)}};
    if (phase.counts.global_atomic.requests > 0) {
      throughput["atomics"] = atomic_time(config, phase, device);
    }
    const auto slowest =
        std::max_element(throughput.begin(), throughput.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    // While one task waits the others work: of r tasks on a multiprocessor each adds 1/r of the
    // shorter of the two times to the longer. Transfers go on while single warps of a task wait.
    const double chain = chain_time(config, phase, in_l2, device);
    const double tasks =
        std::min(resident_tasks(config, phase, device), busiest_tasks(phase, device));
    const bool in_memory = slowest->first == "bandwidth" || slowest->first == "atomics";
    const double together = in_memory ? tasks * config.spec.warps() : tasks;
    charge("latency", chain > slowest->second ? chain : chain / together);
    charge(slowest->first, chain > slowest->second ? slowest->second / together : slowest->second);
  }
  const auto largest =
      std::max_element(prediction.parts.begin(), prediction.parts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  prediction.limit = largest->first;
  return prediction;
}

}  // namespace agpusim

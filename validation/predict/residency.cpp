#include "agpusim/validation/predict/residency.hpp"

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/predict/interval.hpp"

namespace agpusim {

std::string why_not_resident(const RunConfig& config, const std::vector<PhaseReport>& phases,
                             const DeviceFile& device) {
  if (phases.empty()) return "it launches nothing";
  const auto limit = static_cast<std::int64_t>(device.value("shared_bytes_per_multiprocessor"));
  const auto reserved_bytes =
      static_cast<std::int64_t>(device.value("reserved_shared_bytes_per_cta"));
  for (const PhaseReport& phase : phases) {
    const std::int64_t bytes = phase.shared_words * config.spec.word_bits / 8 + reserved_bytes;
    if (bytes > limit) {
      return fmt::format(
          "a task of {} needs {} bytes of shared memory, a multiprocessor of {} has {}",
          phase.kernel, detail::integer_text(bytes), device.name, detail::integer_text(limit));
    }
    if (phase.registers == 0) continue;  // what lane values take may be spilled
    const auto registers = static_cast<std::int64_t>(warps_of_task(config.spec, phase) *
                                                     registers_of_warp(phase, device));
    const auto most = static_cast<std::int64_t>(device.value("registers_per_multiprocessor"));
    if (registers > most) {
      return fmt::format("a task of {} needs {} registers, a multiprocessor of {} has {}",
                         phase.kernel, detail::integer_text(registers), device.name,
                         detail::integer_text(most));
    }
  }
  return {};
}

/// Why phases have no time on any device; empty where they have.
static std::string why_not_timed(const std::vector<PhaseReport>& phases) {
  constexpr std::int64_t many = 1 << 10;  // operations on one word
  for (const PhaseReport& phase : phases) {
    if (phase.contention < many) continue;
    if (2 * phase.execution.swaps < phase.counts.global_atomic.requests + 1) continue;
    return fmt::format(
        "{} lanes compare and swap one word: how often they try again on a GPU is not simulated",
        detail::integer_text(phase.contention));
  }
  return {};
}

ptx::Multiprocessor multiprocessor_of(const DeviceFile& device) {
  const auto value = [&](const char* name) {
    return static_cast<std::int64_t>(device.value(name));
  };
  return {value("max_ctas"), value("warps_per_multiprocessor"),
          value("registers_per_multiprocessor"), value("shared_bytes_per_multiprocessor"),
          value("reserved_shared_bytes_per_cta")};
}

ptx::Resident resident_of(const AgpuSpec& spec, const PhaseReport& phase,
                          const DeviceFile& device) {
  return multiprocessor_of(device).resident(static_cast<std::int64_t>(warps_of_task(spec, phase)),
                                            phase.registers,
                                            phase.shared_words * spec.word_bits / 8);
}

ptx::CacheSizes caches_of(const DeviceFile& device) {
  const char* const needed[] = {"multiprocessors", "l2_bytes", "shared_bytes_per_multiprocessor"};
  for (const char* const name : needed) {
    if (!device.has(name)) return {};
  }
  // Beside its shared memory, L1 has 28 KiB (H100, H200). The L2 cache serves from the other one of
  // its halves what it holds there: at its full rate it has a seventh less room.
  constexpr std::int64_t more_bytes = 28 << 10;
  const auto shared = static_cast<std::int64_t>(device.value("shared_bytes_per_multiprocessor"));
  return {static_cast<std::int64_t>(device.value("multiprocessors")), shared + more_bytes, shared,
          static_cast<std::int64_t>(0.86 * device.value("l2_bytes"))};
}

PredictedRun predict_run(const RunConfig& config, const std::vector<PhaseReport>& phases,
                         const DeviceFile& device, PredictedFrom from) {
  PredictedRun predicted;
  predicted.compiled = from == PredictedFrom::kernels || from == PredictedFrom::programs;
  try {
    predicted.why_not = why_not_resident(config, phases, device);
    if (predicted.why_not.empty()) predicted.why_not = why_not_timed(phases);
    if (!predicted.why_not.empty()) return predicted;
    predicted.prediction =
        predict(config.spec, phases, device,
                from == PredictedFrom::programs ? TimedBy::kernel : TimedBy::events);
    predicted.uncertain = why_uncertain(device);
    if (predicted.uncertain.empty()) add_interval(*predicted.prediction, from);
    predicted.device = device.name;
  } catch (const FileError& error) {
    // A device that is known from data sheets only lacks constants of the prediction.
    predicted.why_not = error.what();
  }
  return predicted;
}

}  // namespace agpusim

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

PredictedRun predict_run(const RunConfig& config, const std::vector<PhaseReport>& phases,
                         const DeviceFile& device, PredictedFrom from) {
  PredictedRun predicted;
  predicted.compiled = from == PredictedFrom::kernels;
  try {
    predicted.why_not = why_not_resident(config, phases, device);
    if (!predicted.why_not.empty()) return predicted;
    predicted.prediction = predict(config.spec, phases, device);
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

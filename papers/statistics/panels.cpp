#include <algorithm>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/papers/statistics/experiment.hpp"

namespace agpusim::statistics_experiment {
namespace {

using contest::Event;
using contest::PlannedRun;

double bytes_of(const Event& event) {
  return static_cast<double>(event.n) * element_bytes(event.panel.type);
}

}  // namespace

PanelBandwidth bandwidth_of(const contest::Contest& contest, const DeviceFile& device) {
  PanelBandwidth result{device.value("bandwidth_read"), "the device file",
                        device.value("bandwidth_copy")};
  for (const auto& [event, run] : contest::lines_of(contest.events)) {
    if (event->panel.writes || !run->measured) continue;
    const double rate = bytes_of(*event) * 1e-3 / (run->measured->ms * 1e3);
    if (rate <= result.read) continue;
    result.read = rate;
    result.reader =
        fmt::format("{}, {}, n = {}", run->contestant.label, event->panel.title, event->n);
  }
  return result;
}

double floor_us(const Event& event, const PanelBandwidth& bandwidth) {
  // 1 GB/s = 1000 bytes/us
  if (!event.panel.writes) return bytes_of(event) * 1e-3 / bandwidth.read;
  return 2 * bytes_of(event) * 1e-3 / bandwidth.copy;
}

std::optional<double> library_ms(const Event& event) {
  const auto& all = event.panel.contestants;
  const auto library = std::find_if(
      all.begin(), all.end(), [](const contest::Contestant& one) { return one.is_program(); });
  for (const PlannedRun& run : event.runs) {
    if (library != all.end() && run.contestant.label == library->label && run.measured) {
      return run.measured->ms;
    }
  }
  return std::nullopt;
}

}  // namespace agpusim::statistics_experiment

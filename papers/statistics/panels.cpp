#include "agpusim/papers/statistics/panels.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"

namespace agpusim::statistics_experiment {
namespace {

using contest::Event;
using contest::Panel;
using contest::PlannedRun;

double bytes_of(const Panel& panel, std::int64_t n) {
  return static_cast<double>(n) * element_bytes(panel.type);
}

/// Microseconds that the traffic of a panel takes.
double floor_us(const Panel& panel, std::int64_t n, const PanelBandwidth& bandwidth) {
  // 1 GB/s = 1000 bytes/us
  if (!panel.writes) return bytes_of(panel, n) * 1e-3 / bandwidth.read;
  return 2 * bytes_of(panel, n) * 1e-3 / bandwidth.copy;
}

/// Milliseconds of the first program of a panel.
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

/// The device's bandwidths; that of reading at least what a program of the panels reached.
PanelBandwidth bandwidth_of(const std::vector<Event>& events, const DeviceFile& device) {
  PanelBandwidth result{device.value("bandwidth_read"), "the device file",
                        device.value("bandwidth_copy")};
  for (const Event& event : events) {
    if (event.panel.writes) continue;
    for (const PlannedRun& run : event.runs) {
      if (!run.measured) continue;
      const double rate = bytes_of(event.panel, event.n) * 1e-3 / (run.measured->ms * 1e3);
      if (rate <= result.read) continue;
      result.read = rate;
      result.reader =
          fmt::format("{}, {}, n = {}", run.contestant.label, event.panel.title, event.n);
    }
  }
  return result;
}

PanelRow row_of(const Event& event, const PanelBandwidth& bandwidth) {
  PanelRow row{event.n, floor_us(event.panel, event.n, bandwidth), {}};
  const std::optional<double> library = library_ms(event);
  for (const PlannedRun& run : event.runs) {
    PanelEntry entry{run, {}, {}};
    if (run.measured) {
      entry.floor_share = row.floor_us / (run.measured->ms * 1e3);
      if (library) entry.over_library = run.measured->ms / *library;
    }
    row.entries.push_back(std::move(entry));
  }
  return row;
}

}  // namespace

Panels compare_panels(const contest::Plan& plan, const Registry& registry,
                      const contest::ContestOptions& options) {
  const contest::Contest contest = contest::hold(plan, registry, options);
  Panels result;
  result.environment = contest.environment;
  result.unmeasured = contest.unmeasured;
  result.foreign = contest.foreign;
  result.bandwidth = bandwidth_of(contest.events, options.device);
  for (const Panel& panel : plan) {
    if (contest::has_reference(panel, registry)) result.panels.push_back({panel, {}});
  }
  for (const Event& event : contest.events) {
    const auto panel =
        std::find_if(result.panels.begin(), result.panels.end(),
                     [&](const PanelResult& one) { return one.panel.name == event.panel.name; });
    panel->rows.push_back(row_of(event, result.bandwidth));
  }
  return result;
}

}  // namespace agpusim::statistics_experiment

#include "agpusim/validation/experiments/statistics/comparison.hpp"

#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/counts/counts.hpp"
#include "agpusim/validation/predict/predict.hpp"
#include "agpusim/validation/predict/stats.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/measurement.hpp"

namespace agpusim::statistics_experiment {
namespace {

double bytes_of(const Panel& panel, std::int64_t n) {
  return static_cast<double>(n) * element_bytes(panel.type);
}

/// Microseconds that the traffic of a panel takes.
double floor_us(const Panel& panel, std::int64_t n, const PanelBandwidth& bandwidth) {
  // 1 GB/s = 1000 bytes/us
  if (panel.traffic == Traffic::read) return bytes_of(panel, n) * 1e-3 / bandwidth.read;
  return 2 * bytes_of(panel, n) * 1e-3 / bandwidth.copy;
}

/// The results of a panel at one n that one row says to be right are equal.
class ResultCheck {
 public:
  ResultCheck(const Panel& panel, std::int64_t n) : panel_(panel), n_(n) {}

  void add(const Contestant& contestant, const TimingRecord& record) {
    const auto [known, first] =
        seen_.try_emplace(panel_.reference_of(contestant), contestant.label, &record);
    if (first || record.checksum == known->second.second->checksum) return;
    const auto& [other_label, other] = known->second;
    throw Mismatch(fmt::format(
        "{}, n = {}: the results of {} ({}) and {} ({}) differ: checksums {:016x} and {:016x}",
        panel_.title, n_, other_label, other->origin, contestant.label, record.origin,
        other->checksum, record.checksum));
  }

 private:
  const Panel& panel_;
  std::int64_t n_;
  std::map<std::string, std::pair<std::string, const TimingRecord*>> seen_;  // by reference row
};

void set_measured(PanelEntry& entry, const TimingRecord& record, double floor) {
  const Measurement measured = measurement_of(record);
  entry.measured_us = measured.ms * 1e3;
  entry.measured_low_us = measured.low_ms * 1e3;
  entry.measured_high_us = measured.high_ms * 1e3;
  entry.samples = measured.samples;
  entry.floor_share = floor / *entry.measured_us;
}

/// Times of everyone over that of the panel's library.
void compare_with_library(const Panel& panel, std::vector<PanelEntry>& entries) {
  const Contestant* const library = panel.library();
  if (library == nullptr) return;
  std::optional<double> time;
  for (const PanelEntry& entry : entries) {
    if (entry.contestant.label == library->label) time = entry.measured_us;
  }
  if (!time) return;
  for (PanelEntry& entry : entries) {
    if (entry.measured_us) entry.over_library = *entry.measured_us / *time;
  }
}

/// The device's bandwidths; that of reading at least what a program of the panels reached.
PanelBandwidth bandwidth_of(const std::vector<Panel>& panels, const Registry& registry,
                            const ComparisonOptions& options, const RecordsByRun& records) {
  PanelBandwidth result{options.device.value("bandwidth_read"), "the device file",
                        options.device.value("bandwidth_copy")};
  for (const Panel& panel : panels) {
    if (panel.traffic != Traffic::read || !has_reference(panel, registry)) continue;
    for (const std::int64_t n : panel_sizes(options.sizes)) {
      for (const Contestant& contestant : panel.contestants) {
        const auto config = run_of(panel, contestant, n, registry, options.machine);
        if (!config) continue;
        const auto record = records.find(config_to_json(*config));
        if (record == records.end()) continue;
        const double rate =
            bytes_of(panel, n) * 1e-3 / median(record->second->samples.microseconds);
        if (rate <= result.read) continue;
        result.read = rate;
        result.reader = fmt::format("{}, {}, n = {}", contestant.label, panel.title, n);
      }
    }
  }
  return result;
}

}  // namespace

Comparison compare_panels(const std::vector<Panel>& panels, const Registry& registry,
                          const ComparisonOptions& options) {
  Comparison comparison;
  comparison.environment = only_environment(options.records);
  const auto records = latest_by_run(options.records);
  const std::vector<std::int64_t> sizes = panel_sizes(options.sizes);
  comparison.bandwidth = bandwidth_of(panels, registry, options, records);
  std::set<std::string> planned;
  std::set<std::string> found;
  double done = 0;
  for (const Panel& panel : panels) {
    if (!has_reference(panel, registry)) continue;
    PanelResult result;
    result.panel = panel;
    for (const std::int64_t n : sizes) {
      PanelRow row;
      row.n = n;
      row.floor_us = floor_us(panel, n, comparison.bandwidth);
      ResultCheck check(panel, n);
      for (const Contestant& contestant : panel.contestants) {
        const auto config = run_of(panel, contestant, n, registry, options.machine);
        if (!config) continue;
        PanelEntry entry;
        entry.contestant = contestant;
        const std::string key = config_to_json(*config);
        planned.insert(key);
        if (const auto record = records.find(key); record != records.end()) {
          found.insert(key);
          check.add(contestant, *record->second);
          set_measured(entry, *record->second, row.floor_us);
        }
        if (!contestant.is_library()) {
          CountOptions counting;
          counting.stored = &bundled_counts();
          const Prediction prediction =
              predict(config->spec,
                      count(registry.find(config->algorithm), *config, counting).report.phases,
                      options.device);
          entry.predicted_us = prediction.milliseconds * 1e3;
          entry.limit = prediction.limit;
        }
        row.entries.push_back(std::move(entry));
      }
      compare_with_library(panel, row.entries);
      if (!row.entries.empty()) result.rows.push_back(std::move(row));
      done += 1 / static_cast<double>(sizes.size() * panels.size());
      if (options.progress) options.progress(done);
    }
    comparison.panels.push_back(std::move(result));
  }
  comparison.unmeasured = static_cast<std::int64_t>(planned.size() - found.size());
  comparison.foreign = static_cast<std::int64_t>(records.size() - found.size());
  return comparison;
}

}  // namespace agpusim::statistics_experiment

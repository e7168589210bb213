#include "agpusim/validation/records/measurement.hpp"

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/stats.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/latest.hpp"

namespace agpusim {

Measurement measurement_of(const std::vector<double>& samples, const std::string& date) {
  const Spread spread = low_high(samples);
  return {median(samples) * 1e-3, spread.low * 1e-3, spread.high * 1e-3,
          static_cast<std::int64_t>(samples.size()), date};
}

Measurement measurement_of(const TimingRecord& record) {
  return measurement_of(record.samples.microseconds, record.date);
}

RecordsByRun latest_by_run(const std::vector<TimingRecord>& records, const std::string& device) {
  RecordsByRun latest;
  for (const TimingRecord& record : records) {
    if (!device.empty() && record.environment.device != device) continue;
    keep_latest(latest[config_to_json(record.config)], record);
  }
  return latest;
}

const Environment& only_environment(const std::vector<TimingRecord>& records) {
  if (records.empty()) {
    throw UsageError("the experiment has no records: measure it with --measure FILE.jsonl");
  }
  for (const TimingRecord& record : records) {
    if (record.environment.device != records.front().environment.device) {
      throw UsageError(fmt::format("{}: the records are of {} and {}; name files of one device",
                                   record.origin, records.front().environment.device,
                                   record.environment.device));
    }
  }
  return records.front().environment;
}

}  // namespace agpusim

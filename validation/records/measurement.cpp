#include "agpusim/validation/records/measurement.hpp"

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/predict/stats.hpp"
#include "agpusim/validation/records/config_json.hpp"

namespace agpusim {

Measurement measurement_of(const TimingRecord& record) {
  const std::vector<double>& samples = record.samples.microseconds;
  const Spread spread = low_high(samples);
  return {median(samples) * 1e-3, spread.low * 1e-3, spread.high * 1e-3,
          static_cast<std::int64_t>(samples.size()), record.date};
}

RecordsByRun latest_by_run(const std::vector<TimingRecord>& records) {
  RecordsByRun latest;
  for (const TimingRecord& record : records) {
    const TimingRecord*& known = latest[config_to_json(record.config)];
    if (known == nullptr || known->date <= record.date) known = &record;
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

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "agpusim/model/run/run.hpp"
#include "agpusim/model/transfer/pipeline.hpp"
#include "agpusim/model/transfer/schedule.hpp"
#include "agpusim/validation/records/environment.hpp"

namespace agpusim::out_of_core {

/// One task of the experiment, on the device or on the host.
struct Run {
  std::string task;    ///< a name in tasks(): "transform_const", ...
  std::string scheme;  ///< its scheme; "host_one" and "host_all": on one or all cores of the host
  std::int64_t n = 0;  ///< elements of 64 bits
  std::int64_t budget = 0;   ///< bytes of device memory; 0 on the host
  std::int64_t chunk = 0;    ///< elements; 0 on the host
  std::int32_t streams = 0;  ///< 0 on the host
  transfer::HostMemory memory = transfer::HostMemory::pinned;  ///< memory of the host's arrays

  [[nodiscard]] bool on_host() const { return budget == 0; }
  /// The scheme, and the host's memory where it is not pinned.
  [[nodiscard]] std::string scheme_text() const {
    return scheme + (memory == transfer::HostMemory::pageable ? ", pageable" : "");
  }
  friend bool operator==(const Run&, const Run&) = default;
};

/// The run as plans and results have it: chunk and streams, which the model chooses, are left out.
[[nodiscard]] RunConfig config_of(const Run& run);
/// The other way round; chunk and streams are left open (0).
[[nodiscard]] Run run_of(const RunConfig& config);

/// What a device did and when; `before` of the operations is not stored.
struct Timeline {
  std::vector<transfer::Operation> operations;
  std::vector<transfer::Interval> intervals;
};

/// One measured run with all its samples.
struct RunRecord {
  Environment environment;
  std::int32_t host_cores = 0;
  std::string date;  ///< ISO 8601, UTC
  Run run;
  std::vector<double> seconds;  ///< seconds of every repeat, transfers included, allocation not
  std::string stop;             ///< "repeats", or "max_seconds" when there are fewer
  Timeline timeline;            ///< events around every operation of one more run; may be empty
};

/// The samples of a record.
[[nodiscard]] std::vector<double> microseconds(const RunRecord& record);

/// One sealed JSON line without the newline.
[[nodiscard]] std::string to_line(const RunRecord& record);

/// Reads a JSON Lines file of these. Throws IoError, FileError as read_records does.
[[nodiscard]] std::vector<RunRecord> read_run_records(const std::filesystem::path& path);

}  // namespace agpusim::out_of_core

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "agpusim/model/run/run.hpp"
#include "agpusim/validation/records/environment.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim {

/// One launch in a profiler's table.
struct NcuLaunch {
  std::string kernel;  ///< as the profiler spells it
  std::map<std::string, std::int64_t>
      metrics;              ///< the counts; times, bytes and ratios are left out
  std::int64_t line = 0;    ///< of the file, from 1
  std::string device = {};  ///< its name, or its number, or empty where the table has none
};

/// Reads what `ncu --csv --page raw` prints, messages of the profiler and of the program included,
/// in launch order. Throws IoError when the file cannot be read; FileError that names file and line
/// for a file without the table or of another page, a row of another width or of a process that the
/// profiler was not connected to, a count in a scaled or unknown unit, or one that is not a whole
/// number from 0.
[[nodiscard]] std::vector<NcuLaunch> read_ncu_csv(const std::filesystem::path& path);

/// One run that was made under the profiler.
struct PlanRecord {
  Environment environment;
  std::string date;  ///< ISO 8601, UTC
  RunConfig config;
  std::uint64_t checksum = 0;        ///< of the output on the device
  std::vector<std::string> kernels;  ///< of the phases, in launch order
  std::string origin = {};           ///< "file:line" it was read from; not stored
};

/// One sealed JSON line without the newline; `origin` is left out.
[[nodiscard]] std::string to_line(const PlanRecord& record);

/// Reads a JSON Lines file of runs in their order. Throws as read_records does.
[[nodiscard]] std::vector<PlanRecord> read_plan(const std::filesystem::path& path);

/// Assigns the launches of a profile to the phases of the runs, in order. Throws what the readers
/// throw; FileError that names file and line when the number of launches, a kernel or a device's
/// name differs.
[[nodiscard]] std::vector<CounterRecord> import_counters(const std::filesystem::path& plan,
                                                         const std::filesystem::path& csv);

}  // namespace agpusim

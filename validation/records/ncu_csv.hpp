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

/// The profiler's count of warp instructions.
inline constexpr const char* executed_metric = "smsp__inst_executed.sum";

/// One launch in a profiler's table.
struct NcuLaunch {
  std::string kernel;  ///< as the profiler spells it
  std::map<std::string, std::int64_t>
      metrics;                   ///< the counts; times, bytes and ratios are left out
  std::int64_t line = 0;         ///< line of the file, from 1
  std::string device = {};       ///< its name, or its number, or empty where the table has none
  std::string process = {};      ///< its number, or empty where the table has none
  std::string unconnected = {};  ///< says so of a process that the profiler was not connected to
};

/// Reads what `ncu --csv --page raw` prints, messages of the profiler and of the program included,
/// in launch order. Throws IoError when the file cannot be read; FileError that names file and line
/// for a file without the table or of another page, a row of another width, a count in a scaled or
/// unknown unit, or one that is not a whole number from 0.
[[nodiscard]] std::vector<NcuLaunch> read_ncu_csv(const std::filesystem::path& path);

/// One run that was made under the profiler.
struct PlanRecord {
  Environment environment;
  std::string date;  ///< ISO 8601, UTC
  RunConfig config;
  std::uint64_t checksum = 0;        ///< digest of the output on the device
  std::vector<std::string> kernels;  ///< kernels of the phases, in launch order
  std::int64_t process = 0;          ///< process that ran it; 0: not known (before version 1.1)
  std::string origin = {};           ///< "file:line" it was read from; not stored
};

/// One sealed JSON line without the newline; `origin` is left out.
[[nodiscard]] std::string to_line(const PlanRecord& record);

/// Reads a JSON Lines file of runs in their order. Throws as read_records does.
[[nodiscard]] std::vector<PlanRecord> read_plan(const std::filesystem::path& path);

/// What a profile has of a plan.
struct ImportedCounters {
  std::vector<CounterRecord> records;
  std::int64_t left_out = 0;       ///< launches of other programs and processes
  std::vector<std::string> notes;  ///< what was left out, and what could not be compared
};

/// Assigns the launches of a profile to the phases of the runs, in order. Leaves out those of other
/// programs and processes. Throws what the readers throw; FileError that names file and line when
/// the number of launches, a kernel or a device's name differs.
[[nodiscard]] ImportedCounters import_counters(const std::filesystem::path& plan,
                                               const std::filesystem::path& csv);

}  // namespace agpusim

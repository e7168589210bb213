#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "agpusim/model/run/run.hpp"
#include "agpusim/validation/io/json_lines.hpp"
#include "agpusim/validation/records/environment.hpp"

namespace agpusim {

/// One measured run with all its samples.
struct TimingRecord {
  Environment environment;
  std::string date;  ///< ISO 8601, UTC
  RunConfig config;
  std::uint64_t checksum = 0;  ///< digest of the output on the device
  Samples samples;
  std::string origin = {};  ///< "file:line" it was read from; not stored
};

/// The hardware counters of one launch.
struct CounterRecord {
  Environment environment;
  std::string date;  ///< ISO 8601, UTC
  RunConfig config;
  std::uint64_t checksum = 0;                   ///< digest of the output on the device
  std::int64_t launch = 0;                      ///< index of the phase
  std::string kernel;                           ///< name of the phase's kernel
  std::map<std::string, std::int64_t> metrics;  ///< by the profiler's name
  std::string origin = {};                      ///< "file:line" it was read from; not stored
};

/// The records of one or more files.
struct RecordFile {
  std::vector<TimingRecord> timings;
  std::vector<CounterRecord> counters;
};

/// One sealed JSON line without the newline; `origin` is left out.
[[nodiscard]] std::string to_line(const TimingRecord& record);
[[nodiscard]] std::string to_line(const CounterRecord& record);

/// The date of a record made now: ISO 8601, UTC.
[[nodiscard]] std::string utc_now();
/// Its day.
[[nodiscard]] std::string utc_today();

/// Where a record was read from, as "folder/file:line".
[[nodiscard]] std::string short_origin(const std::filesystem::path& origin);

/// Reads the wanted lines of a JSON Lines file. Throws IoError when it cannot be read; FileError
/// that names file and line for one that is truncated, edited, of another schema or without a
/// needed field, unless `damaged` is to be told.
[[nodiscard]] RecordFile read_records(const std::filesystem::path& path,
                                      const detail::DamagedLine& damaged = {},
                                      const detail::WantedLine& wanted = {});

/// Reads every *.jsonl file below a folder, in sorted order. Throws as read_records does.
[[nodiscard]] RecordFile read_all_records(const std::filesystem::path& folder,
                                          const detail::DamagedLine& damaged = {},
                                          const detail::WantedLine& wanted = {});

/// The records of files and of folders, in this order. Throws as read_records does.
[[nodiscard]] RecordFile read_all_records(const std::vector<std::filesystem::path>& paths,
                                          const detail::DamagedLine& damaged = {},
                                          const detail::WantedLine& wanted = {});

/// The records of files and of folders; without any, those of these algorithms that agpusim
/// carries. Throws as read_records does.
[[nodiscard]] RecordFile records_of(const std::vector<std::filesystem::path>& paths,
                                    const std::vector<std::string>& algorithms);

/// The bytes of a file before the part of a record that a killed process left at its end; `record`
/// begins as it does. Throws FileError when another text ends within a line.
[[nodiscard]] std::uintmax_t end_of_whole_lines(const std::filesystem::path& path,
                                                std::string_view record);

/// Adds lines to the end of a file, which is created when there is none; all of them or none.
/// Half a record at the end is removed. Throws IoError that names the path, and as
/// end_of_whole_lines does. Returns why the file system gave no lock
/// against other processes; empty: it gave one.
std::string append_records(const std::filesystem::path& path,
                           const std::vector<std::string>& lines);

}  // namespace agpusim

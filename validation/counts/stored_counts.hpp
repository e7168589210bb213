#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

/// A simulated run that is kept, or one whose counts take long to derive: what it cost, and the
/// digest of what produced it.
struct CountRecord {
  RunConfig config;
  RunReport report;
  std::optional<std::uint64_t> checksum;  ///< digest of the result; derived counts have none
  std::uint64_t fingerprint = 0;          ///< fingerprint_of(config) when it was made
};

/// The records of count files, by run.
class StoredCounts {
 public:
  StoredCounts() = default;
  /// Finds also what `beneath`, which must outlive it, has of other runs.
  explicit StoredCounts(const StoredCounts* beneath) : beneath_(beneath) {}
  /// Reads FOLDER/ALGORITHM.jsonl.xz and .jsonl when a run of ALGORITHM is first looked for, which
  /// then throws what `read` does.
  [[nodiscard]] static StoredCounts of_folder(std::filesystem::path folder);
  /// Reads a JSON Lines file of CountRecords, or every *.jsonl file of a folder. Throws IoError,
  /// FileError.
  void read(const std::filesystem::path& path);
  /// In the place of one of the same run.
  void add(CountRecord record);
  /// Null when there is none of this run.
  [[nodiscard]] const CountRecord* find(const RunConfig& config) const;
  /// The largest run of fewer elements that is otherwise the same, parameters that have their
  /// default value in `config` at that of its size. Null when there is none.
  [[nodiscard]] const CountRecord* find_smaller(const Algorithm& algorithm,
                                                const RunConfig& config) const;
  /// Without those beneath.
  [[nodiscard]] const std::unordered_map<std::string, CountRecord>& all() const { return records_; }

 private:
  struct Folder {
    std::filesystem::path path;
    std::mutex mutex;                      // guards `read` and records_
    std::unordered_set<std::string> read;  // names of algorithms
  };
  /// Reads what the folder has of an algorithm, once. Records may be looked at while it is held.
  [[nodiscard]] std::unique_lock<std::mutex> with(const std::string& algorithm) const;

  const StoredCounts* beneath_ = nullptr;
  std::unique_ptr<Folder> folder_;                                // null: nothing is read later
  mutable std::unordered_map<std::string, CountRecord> records_;  // by config_to_json
};

/// One sealed JSON line without the newline.
[[nodiscard]] std::string to_line(const CountRecord& record);
/// The inverse. Throws JsonError.
[[nodiscard]] CountRecord count_record(const std::string& line);

/// A digest of what the program, the kernels and the machine do: of every count, the execution and
/// the result of the same run with at most 1000 elements and small parameters, simulated. It
/// changes when a count of the small run does.
[[nodiscard]] std::uint64_t fingerprint_of(const Algorithm& algorithm, const RunConfig& config);

/// fingerprint_of, each small run simulated once.
class Fingerprints {
 public:
  [[nodiscard]] std::uint64_t operator()(const Algorithm& algorithm, const RunConfig& config);

 private:
  std::unordered_map<std::string, std::uint64_t> known_;  // by small run
};

/// The counts that agpusim carries.
[[nodiscard]] const StoredCounts& bundled_counts();

}  // namespace agpusim

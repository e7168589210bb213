#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agpusim/commands/sweep/row_file.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/rows/run.hpp"

namespace agpusim {

/// The file of a sweep's rows: those that it had, and those that are counted now, which are added
/// every second, or more seldom where that would take more than a twentieth of the time.
class RowKeeper {
 public:
  /// Reads the file. An empty path: nothing is kept.
  RowKeeper(std::filesystem::path path, sweep::Whole whole);

  [[nodiscard]] const KeptRows& rows() const { return rows_; }

  void add(const Row& row);
  /// Where the file cannot be written, its lines wait for the next time.
  void save();
  /// Why lines still wait.
  [[nodiscard]] const std::optional<IoError>& failure() const { return failure_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::filesystem::path path_;
  sweep::Whole whole_;
  KeptRows rows_;
  std::set<std::string> kept_keys_;  ///< and programs of rows that it has of this sweep
  std::vector<std::string> lines_;   ///< lines that the file does not have yet
  std::optional<IoError> failure_;
  Clock::time_point saved_ = Clock::now();
  Clock::duration pause_ = std::chrono::seconds(1);
};

}  // namespace agpusim

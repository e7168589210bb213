#pragma once

#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "agpusim/validation/sweep/point_file.hpp"
#include "agpusim/validation/sweep/sweep.hpp"

namespace agpusim {

/// The file of a sweep's points: those that it had, and those that are counted now, which are added
/// every second, or more seldom where that would take more than a twentieth of the time.
class PointKeeper {
 public:
  /// Reads the file. An empty path: nothing is kept.
  PointKeeper(std::filesystem::path path, sweep::Whole whole);

  [[nodiscard]] const sweep::KnownPoints& known() const { return known_; }

  void add(const sweep::Point& point);
  void save();

 private:
  using Clock = std::chrono::steady_clock;

  std::filesystem::path path_;
  sweep::Whole whole_;
  sweep::KnownPoints known_;
  std::set<std::string> kept_keys_;  ///< and programs of points that it has of this sweep
  std::vector<std::string> lines_;   ///< that the file does not have yet
  Clock::time_point saved_ = Clock::now();
  Clock::duration pause_ = std::chrono::seconds(1);
};

}  // namespace agpusim

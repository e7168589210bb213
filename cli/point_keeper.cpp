#include "agpusim/cli/point_keeper.hpp"

#include <algorithm>
#include <utility>

#include "agpusim/validation/records/record.hpp"

namespace agpusim {

PointKeeper::PointKeeper(std::filesystem::path path, sweep::Whole whole)
    : path_(std::move(path)), whole_(std::move(whole)) {
  if (path_.empty() || !std::filesystem::exists(path_) || std::filesystem::file_size(path_) == 0) {
    return;
  }
  for (sweep::KeptPoint& kept : sweep::read_points(path_)) {
    std::string key = kept.point.key;
    if (kept.whole == whole_) kept_keys_.insert(kept.point.program + key);
    known_.insert_or_assign(std::move(key), std::move(kept.point));
  }
  saved_ = Clock::now();
}

void PointKeeper::add(const sweep::Point& point) {
  if (path_.empty() || kept_keys_.contains(point.program + point.key)) return;
  lines_.push_back(sweep::to_line(point, whole_));
  if (Clock::now() - saved_ > pause_) save();
}

void PointKeeper::save() {
  constexpr int share = 20;
  const auto begin = Clock::now();
  if (!lines_.empty()) append_records(path_, lines_);
  lines_.clear();
  saved_ = Clock::now();
  pause_ = std::max<Clock::duration>(std::chrono::seconds(1), share * (saved_ - begin));
}

}  // namespace agpusim

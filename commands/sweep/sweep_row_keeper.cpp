#include "agpusim/commands/sweep/sweep_row_keeper.hpp"

#include <algorithm>
#include <utility>

#include "agpusim/validation/records/record.hpp"

namespace agpusim {

RowKeeper::RowKeeper(std::filesystem::path path, sweep::Whole whole)
    : path_(std::move(path)), whole_(std::move(whole)) {
  if (path_.empty() || !std::filesystem::exists(path_) || std::filesystem::file_size(path_) == 0) {
    return;
  }
  for (sweep::KeptRow& kept : sweep::read_rows(path_)) {
    if (kept.whole == whole_) kept_keys_.insert(kept.row.run.program + kept.row.key);
    std::string key = kept_key(kept.row.key);
    rows_.emplace(std::move(key), std::move(kept.row));
  }
  saved_ = Clock::now();
}

void RowKeeper::add(const Row& row) {
  if (path_.empty() || kept_keys_.contains(row.run.program + row.key)) return;
  lines_.push_back(sweep::to_line(row, whole_));
  if (Clock::now() - saved_ > pause_) save();
}

void RowKeeper::save() {
  constexpr int share = 20;
  const auto begin = Clock::now();
  if (!lines_.empty()) append_records(path_, lines_);
  lines_.clear();
  saved_ = Clock::now();
  pause_ = std::max<Clock::duration>(std::chrono::seconds(1), share * (saved_ - begin));
}

}  // namespace agpusim

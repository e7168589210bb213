#include "agpusim/commands/sweep/sweep_row_keeper.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim {

RowKeeper::RowKeeper(std::filesystem::path path, sweep::Whole whole)
    : path_(std::move(path)), whole_(std::move(whole)) {
  if (path_.empty() || !std::filesystem::exists(path_) || std::filesystem::file_size(path_) == 0) {
    return;
  }
  const auto keep = [this](sweep::KeptRow kept) {
    if (kept.whole == whole_) kept_keys_.insert(kept.row.run.program + kept.row.key);
    std::string key = kept_key(kept.row.key);
    rows_.emplace(std::move(key), std::move(kept.row));
  };
  sweep::for_each_row(path_, keep, [this](const std::string& origin) {
    static_cast<void>(end_of_whole_lines(path_, R"({"algorithm":)"));
    message(origin + ": a line was cut off: it is removed and its point counted again");
  });
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
  try {
    if (!lines_.empty()) add_records(path_, lines_);
    lines_.clear();
    failure_.reset();
  } catch (const IoError& error) {
    if (!failure_) message(fmt::format("agpusim: {}; counting goes on", error.what()));
    failure_ = error;
  }
  saved_ = Clock::now();
  pause_ = std::max<Clock::duration>(std::chrono::seconds(1), share * (saved_ - begin));
}

}  // namespace agpusim

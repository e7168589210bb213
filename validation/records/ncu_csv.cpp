#include "agpusim/validation/records/ncu_csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/report/atomic_file.hpp"

namespace agpusim {
namespace {

using Cells = std::vector<std::string>;

/// The cells of one CSV line (RFC 4180); none when a quote is not closed.
std::optional<Cells> split(std::string_view line) {
  Cells cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  if (quoted) return std::nullopt;
  return cells;
}

std::optional<std::size_t> column(const Cells& header, std::string_view name) {
  const auto it = std::find(header.begin(), header.end(), name);
  if (it == header.end()) return std::nullopt;
  return static_cast<std::size_t>(it - header.begin());
}

/// Units of times, rates and sizes, which the profiler scales and rounds: not counts.
bool is_count(std::string_view metric, std::string_view unit) {
  constexpr std::array<std::string_view, 5> measures = {"byte", "second", "cycle", "%", "/"};
  constexpr std::array<std::string_view, 6> short_measures = {"s", "ms", "us", "ns", "hz", "Ghz"};
  return metric.ends_with(".sum") &&
         std::none_of(measures.begin(), measures.end(),
                      [&](auto part) { return unit.find(part) != std::string_view::npos; }) &&
         std::find(short_measures.begin(), short_measures.end(), unit) == short_measures.end();
}

/// A whole number with or without thousands separators.
std::optional<std::int64_t> whole_number(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ','), text.end());
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Reads the tables of one file, line by line.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : path_(path) {}

  std::vector<NcuLaunch> read() {
    const std::string content = read_file(path_);
    for (std::size_t begin = 0; begin < content.size();) {
      const std::size_t end = std::min(content.find('\n', begin), content.size());
      std::string_view line = std::string_view(content).substr(begin, end - begin);
      if (line.ends_with('\r')) line.remove_suffix(1);
      ++line_;
      take(line);
      begin = end + 1;
    }
    if (header_.empty()) {
      throw FileError(
          fmt::format("{}: no table of Nsight Compute (a line with \"ID\" and \"Kernel "
                      "Name\"); run ncu with --csv --page raw",
                      path_.string()));
    }
    return std::move(launches_);
  }

 private:
  void take(std::string_view line) {
    if (line.empty() || line.starts_with("==")) return;
    const bool is_header = line.starts_with("\"ID\",");
    if (header_.empty() && !is_header) return;
    const std::optional<Cells> cells = split(line);
    if (!cells) fail("a quote is not closed");
    if (is_header) {
      header_ = *cells;
      units_.clear();
      kernel_ = column(header_, "Kernel Name");
      if (!kernel_) fail("the table has no column \"Kernel Name\"");
      return;
    }
    if (cells->size() != header_.size()) {
      fail(fmt::format("{} cells in a table of {} columns", cells->size(), header_.size()));
    }
    if (units_.empty()) {
      if (!cells->front().empty()) fail("the row of units is missing");
      units_ = *cells;
      return;
    }
    launches_.push_back(launch(*cells));
  }

  NcuLaunch launch(const Cells& cells) const {
    NcuLaunch launch{cells[*kernel_], {}, line_};
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!is_count(header_[i], units_[i]) || cells[i].empty() || cells[i] == "n/a") continue;
      const auto value = whole_number(cells[i]);
      if (!value) fail(fmt::format("'{}' of {} is not a whole number", cells[i], header_[i]));
      launch.metrics[header_[i]] = *value;
    }
    return launch;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(fmt::format("{}:{}: {}; profile again", path_.string(), line_, what));
  }

  const std::filesystem::path& path_;
  std::int64_t line_ = 0;
  Cells header_;
  Cells units_;
  std::optional<std::size_t> kernel_;
  std::vector<NcuLaunch> launches_;
};

}  // namespace

std::vector<NcuLaunch> read_ncu_csv(const std::filesystem::path& path) {
  return Reader(path).read();
}

}  // namespace agpusim

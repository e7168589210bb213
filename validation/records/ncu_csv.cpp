#include "agpusim/validation/records/ncu_csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

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

/// A name of a metric, as in "smsp__inst_executed.sum".
bool is_metric(std::string_view name) { return name.find("__") != std::string_view::npos; }

std::optional<std::size_t> column(const Cells& header, std::string_view name) {
  const auto it = std::find(header.begin(), header.end(), name);
  if (it == header.end()) return std::nullopt;
  return static_cast<std::size_t>(it - header.begin());
}

/// Units of times, rates and sizes: not counts.
bool is_measure(std::string_view unit) {
  constexpr std::array<std::string_view, 5> parts = {"byte", "second", "cycle", "%", "/"};
  constexpr std::array<std::string_view, 9> whole = {"s",  "ms",  "us",  "ns", "hz",
                                                     "Hz", "Khz", "Mhz", "Ghz"};
  return std::any_of(parts.begin(), parts.end(),
                     [&](auto part) { return unit.find(part) != std::string_view::npos; }) ||
         std::find(whole.begin(), whole.end(), unit) != whole.end();
}

/// Units in which a number is how often something happened.
bool is_count(std::string_view unit) {
  constexpr std::array<std::string_view, 13> units = {
      "",      "inst", "sector", "request",  "wavefront", "warp",    "thread",
      "block", "tag",  "line",   "register", "access",    "conflict"};
  return std::find(units.begin(), units.end(), unit) != units.end();
}

/// "Ksector": the profiler has divided and rounded the count.
bool is_scaled_count(std::string_view unit) {
  return unit.size() > 1 && std::string_view("KMGT").find(unit.front()) != std::string_view::npos &&
         is_count(unit.substr(1));
}

/// A whole number with or without separators of thousands.
std::optional<std::int64_t> whole_number(std::string text) {
  for (std::size_t at = text.rfind(','), digits_end = text.size(); at != std::string::npos;
       digits_end = at, at = text.rfind(',')) {
    if (digits_end - at != 4) return std::nullopt;
    text.erase(at, 1);
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// A process that the profiler names in "==PROF== Connected to process 7 (agpusim)".
struct Process {
  std::string id;
  std::string text;  // with the program
};

std::optional<Process> connected(std::string_view line) {
  constexpr std::string_view before = "==PROF== Connected to process ";
  if (!line.starts_with(before)) return std::nullopt;
  line.remove_prefix(before.size());
  return Process{std::string(line.substr(0, line.find(' '))), std::string(line)};
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
    if (auto process = connected(line)) {
      // After launches another run of the profiler begins.
      if (launches_.size() != launches_before_) processes_.clear();
      launches_before_ = launches_.size();
      processes_.push_back(*std::move(process));
      return;
    }
    if (line.empty() || line.starts_with("==")) return;
    const bool is_header = line.starts_with("\"ID\",");
    if (header_.empty() && !is_header) return;
    const std::optional<Cells> cells = split(line);
    if (!cells) fail("a quote is not closed");
    if (is_header) {
      header_ = *cells;
      units_.clear();
      kernel_ = column(header_, "Kernel Name");
      process_ = column(header_, "Process ID");
      device_ = column(header_, "device__attribute_display_name");
      if (!device_) device_ = column(header_, "Device");
      if (!kernel_) fail("the table has no column \"Kernel Name\"");
      if (std::none_of(header_.begin(), header_.end(), is_metric)) {
        throw FileError(
            fmt::format("{}:{}: the table has no columns of metrics; run ncu with --csv --page raw",
                        path_.string(), line_));
      }
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
    if (device_) launch.device = cells[*device_];
    if (process_) {
      launch.process = cells[*process_];
      launch.unconnected = unconnected(launch.process);
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string& metric = header_[i];
      const std::string& unit = units_[i];
      if (!metric.ends_with(".sum") || is_measure(unit) || cells[i].empty() || cells[i] == "n/a") {
        continue;
      }
      if (is_scaled_count(unit)) {
        fail(fmt::format("'{}' of {} is in {}, which is rounded; run ncu with --print-units base",
                         cells[i], metric, unit));
      }
      if (!is_count(unit)) {
        fail(fmt::format("'{}' of {} is in '{}', which is no known unit of a count", cells[i],
                         metric, unit));
      }
      const auto value = whole_number(cells[i]);
      if (!value) fail(fmt::format("'{}' of {} is not a whole number", cells[i], metric));
      if (*value < 0) fail(fmt::format("'{}' of {} is negative", cells[i], metric));
      launch.metrics[metric] = *value;
    }
    return launch;
  }

  [[nodiscard]] std::string unconnected(const std::string& id) const {
    if (processes_.empty() || std::any_of(processes_.begin(), processes_.end(),
                                          [&](const Process& known) { return known.id == id; })) {
      return "";
    }
    std::vector<std::string> known;
    for (const Process& process : processes_) known.push_back(process.text);
    return fmt::format("the launch is of process {}, the profiler was connected to process {}", id,
                       fmt::join(known, ", "));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(fmt::format("{}:{}: {}; profile again", path_.string(), line_, what));
  }

  const std::filesystem::path& path_;
  std::int64_t line_ = 0;
  Cells header_;
  Cells units_;
  std::optional<std::size_t> kernel_;
  std::optional<std::size_t> process_;
  std::optional<std::size_t> device_;
  std::vector<Process> processes_;   // processes of the profiler's run that is read
  std::size_t launches_before_ = 0;  // launches of earlier runs
  std::vector<NcuLaunch> launches_;
};

}  // namespace

std::vector<NcuLaunch> read_ncu_csv(const std::filesystem::path& path) {
  return Reader(path).read();
}

}  // namespace agpusim

#include "agpusim/validation/exec/sheet_rows.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "agpusim/validation/io/text_table.hpp"

namespace agpusim::exec {
namespace {

struct Group {
  KernelRow row;
  double longest = -1;  ///< milliseconds of the launch that the limit is of
};

void add(Group& group, const LaunchRecord& launch) {
  KernelRow& row = group.row;
  const auto times = static_cast<std::int64_t>(launch.numbers.size());
  row.launches += times;
  if (row.grid != launch.grid) row.grid.reset();
  if (row.block != launch.block) row.block.reset();
  if (launch.skipped) {
    row.skipped += times;
    return;
  }
  // What stopped a launch is told before what has no time, and that before the longest.
  using Limits = std::numeric_limits<double>;
  const std::optional<Prediction>& time = launch.predicted.prediction;
  const double longest = !launch.complete ? Limits::infinity()
                         : !time          ? Limits::max()
                                          : time->milliseconds;
  if (longest > group.longest) row.limit = launch.limit();
  group.longest = std::max(longest, group.longest);
  if (!launch.complete) {
    row.stopped += times;
    return;
  }
  row.time += launch.phase.time * times;
  row.barriers += launch.barriers * times;
  row.counts += launch.phase.counts * times;
  for (const ptx::PricedLine& line : launch.lines) row.useful_bytes += line.useful_bytes * times;
  if (!time) row.predicted.reset();
  if (!row.predicted) return;
  for (double Prediction::*const part :
       {&Prediction::milliseconds, &Prediction::low, &Prediction::high}) {
    *row.predicted.*part += *time.*part * static_cast<double>(times);
  }
}

bool is_same(const LaunchRecord& a, const LaunchRecord& b, bool by_launch) {
  return a.kernel == b.kernel &&
         (!by_launch || (a.grid == b.grid && a.block == b.block && a.skipped == b.skipped &&
                         a.complete == b.complete && a.phase.counts == b.phase.counts));
}

}  // namespace

std::vector<KernelRow> kernel_rows(const ProgramReport& program, bool by_launch) {
  std::vector<Group> groups;
  for (const LaunchRecord& launch : program.launches) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& one) {
      return is_same(*one.row.first, launch, by_launch);
    });
    if (group == groups.end()) {
      group = groups.insert(groups.end(), {{&launch, launch.grid, launch.block}});
    }
    add(*group, launch);
  }
  std::vector<KernelRow> rows;
  for (Group& group : groups) {
    if (group.row.launches == group.row.skipped + group.row.stopped) group.row.predicted.reset();
    rows.push_back(std::move(group.row));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.time > b.time; });
  return rows;
}

std::string dim_text(const ptx::Dim3& dim) {
  std::string text = detail::integer_text(dim.x);
  if (dim.y * dim.z > 1) text += fmt::format("x{}", dim.y);
  if (dim.z > 1) text += fmt::format("x{}", dim.z);
  return text;
}

std::string command_text(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    std::string escaped;
    for (const char c : word) {
      const auto byte = static_cast<unsigned char>(c);
      escaped += byte < ' ' || byte == 0x7f ? fmt::format("\\x{:02x}", byte)
                 : c == '\'' || c == '\\'   ? fmt::format("\\{}", c)
                                            : std::string{c};
    }
    const bool blank = word.empty() || word.find_first_of(" \";") != std::string::npos;
    const char* const begin = escaped != word ? "$'" : blank ? "'" : "";
    text += fmt::format("{}{}{}{}", text.empty() ? "" : " ", begin, escaped, *begin ? "'" : "");
  }
  return text;
}

std::string signal_of(std::int64_t exit_code) {
  const std::int64_t signal = exit_code - 128;
  return signal > 0 && signal < SIGRTMIN ? strsignal(static_cast<int>(signal)) : "";
}

std::string shortest_path(const std::string& file, const std::vector<std::string>& all) {
  std::filesystem::path shown = std::filesystem::path(file).filename();
  std::filesystem::path folder = std::filesystem::path(file).parent_path();
  const auto is_shared = [&] {
    const std::string end = "/" + shown.string();
    return std::any_of(all.begin(), all.end(), [&](const std::string& other) {
      return other != file && ("/" + other).ends_with(end);
    });
  };
  while (folder.has_filename() && is_shared()) {
    shown = folder.filename() / shown;
    folder = folder.parent_path();
  }
  return shown.string();
}

}  // namespace agpusim::exec

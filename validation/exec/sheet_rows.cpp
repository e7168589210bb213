#include "agpusim/validation/exec/sheet_rows.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "agpusim/validation/io/text_table.hpp"

namespace agpusim::exec {
namespace {

void add_launches(KernelRow& row, const Launches& launches) {
  const auto times = static_cast<std::int64_t>(launches.numbers.size());
  const LaunchRecord& launch = launches.launch;
  row.launches += times;
  if (launch.skipped) row.skipped += times;
  if (!launch.skipped && !launch.complete) {
    row.stopped += times;
    row.limit = launch.limit;
  }
  if (row.grid != launch.grid) row.grid.reset();
  if (row.block != launch.block) row.block.reset();
  if (!launches.has_costs()) return;
  row.time += launch.phase.time * times;
  row.counts += launch.phase.counts * times;
  row.useful_bytes += launches.useful_bytes * times;
}

/// The times of launches that have costs; what stopped one stays the limit.
void add_time(KernelRow& row, const Launches& launches, double& longest) {
  const LaunchRecord& launch = launches.launch;
  if (!launch.milliseconds) {
    row.milliseconds.reset();
    if (row.stopped == 0) row.limit = launch.limit;
    longest = std::numeric_limits<double>::infinity();  // what is unknown stays so
    return;
  }
  if (*launch.milliseconds > longest && row.stopped == 0) row.limit = launch.limit;
  longest = std::max(longest, *launch.milliseconds);
  const auto times = static_cast<double>(launches.numbers.size());
  if (row.milliseconds) *row.milliseconds += *launch.milliseconds * times;
  row.low += launch.low * times;
  row.high += launch.high * times;
}

bool is_same(const LaunchRecord& a, const LaunchRecord& b, bool by_launch) {
  return a.kernel == b.kernel &&
         (!by_launch || (a.grid == b.grid && a.block == b.block && a.skipped == b.skipped &&
                         a.complete == b.complete && a.phase.counts == b.phase.counts));
}

}  // namespace

std::vector<KernelRow> kernel_rows(const ProgramReport& program, bool by_launch) {
  struct Group {
    const LaunchRecord* first;
    KernelRow row;
    double longest = -1;
  };
  std::vector<Group> groups;
  for (const Launches& launches : program.launches) {
    const LaunchRecord& launch = launches.launch;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& one) {
      return is_same(*one.first, launch, by_launch);
    });
    if (group == groups.end()) {
      KernelRow row;
      row.kernel = launch.kernel;
      row.name = launch.phase.kernel;
      row.grid = launch.grid;
      row.block = launch.block;
      row.milliseconds = 0;
      group = groups.insert(groups.end(), {&launch, std::move(row)});
    }
    add_launches(group->row, launches);
    if (launches.has_costs()) add_time(group->row, launches, group->longest);
  }
  std::vector<KernelRow> rows;
  for (Group& group : groups) {
    if (group.longest < 0) group.row.milliseconds.reset();
    rows.push_back(std::move(group.row));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.time > b.time; });
  return rows;
}

std::string dim_text(const std::array<std::uint32_t, 3>& dim) {
  std::string text = detail::integer_text(dim[0]);
  if (dim[1] * dim[2] > 1) text += fmt::format("x{}", dim[1]);
  if (dim[2] > 1) text += fmt::format("x{}", dim[2]);
  return text;
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

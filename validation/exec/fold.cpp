#include "agpusim/validation/exec/fold.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "agpusim/ptx/kernel_name.hpp"
#include "agpusim/validation/io/json.hpp"

namespace agpusim::exec {
namespace {

/// Takes the records of a report one by one.
class Folder {
 public:
  void operator()(ProgramStart start) { report_.processes.push_back(std::move(start)); }
  void operator()(LaunchRecord launch) {
    const std::int64_t number = ++of_kernel_[launch.kernel];
    // What may differ between equal launches is left out of their name.
    LaunchRecord same = launch;
    same.pid = same.index = 0;
    const auto [known, is_new] = known_.try_emplace(to_line(same), report_.launches.size());
    if (is_new) {
      std::int64_t useful_bytes = 0;
      for (const ptx::PricedLine& line : launch.lines) useful_bytes += line.useful_bytes;
      // Without -lineinfo lines are those of a PTX text that nobody sees.
      std::erase_if(launch.lines, [](const LineCost& line) { return line.file.empty(); });
      const std::string name = ptx::readable_name(launch.kernel);
      launch.phase.kernel = name;
      for (LineCost& line : launch.lines) line.kernel = name;
      report_.launches.push_back({std::move(launch), {}, useful_bytes});
    }
    report_.launches[known->second].numbers.push_back(number);
  }
  void operator()(const Copies& copies) {
    report_.copies.h2d_bytes += copies.h2d_bytes;
    report_.copies.d2h_bytes += copies.d2h_bytes;
    report_.copies.d2d_bytes += copies.d2d_bytes;
    report_.copies.count += copies.count;
  }
  void operator()(const UnsupportedCall& call) { ++report_.unsupported[call.function]; }
  void operator()(const RefusedKernel& refused) {
    report_.refused[ptx::readable_name(refused.kernel)] = refused.message;
  }
  void operator()(const ProgramEnd& /*end*/) {}
  void damaged() { ++report_.damaged; }

  [[nodiscard]] ProgramReport take() { return std::move(report_); }

 private:
  ProgramReport report_;
  std::map<std::string, std::size_t> known_;       // of report_.launches, by their text
  std::map<std::string, std::int64_t> of_kernel_;  // launches, by mangled name
};

/// How many of them are wanted and have costs.
std::int64_t times_of(const Launches& launches, const Wanted& wanted) {
  if (!launches.has_costs()) return 0;
  return std::count_if(launches.numbers.begin(), launches.numbers.end(),
                       [&](std::int64_t number) { return wanted(launches, number); });
}

}  // namespace

ProgramReport read_report(std::istream& lines) {
  Folder folder;
  for (std::string line; std::getline(lines, line);) {
    try {
      Record record = record_of(line);
      std::visit([&](auto& one) { folder(std::move(one)); }, record);
    } catch (const detail::JsonError&) {
      folder.damaged();
    }
  }
  return folder.take();
}

std::vector<ptx::PricedLine> lines_of(const ProgramReport& program, const Wanted& wanted,
                                      const SummedOver& over) {
  const auto called = [](const ptx::PricedLine& line) {
    return ptx::called_text({{line.file, line.line}, line.called_at});
  };
  std::vector<ptx::PricedLine> lines;
  std::map<std::string, std::size_t> places;
  for (const Launches& launches : program.launches) {
    const std::int64_t times = times_of(launches, wanted);
    if (times == 0) continue;
    for (const ptx::PricedLine& line : launches.launch.lines) {
      std::string key =
          fmt::format("{} {}:{}", over.kernels ? "" : line.kernel, line.file, line.line);
      for (const ptx::FileLine& by : line.called_at) {
        if (!over.callers) key += fmt::format(" {}:{}", by.file, by.line);
      }
      const auto [place, is_new] = places.try_emplace(std::move(key), lines.size());
      if (is_new) {
        lines.push_back(line);
        lines.back().counts = {};
        lines.back().useful_bytes = 0;
      }
      ptx::PricedLine& sum = lines[place->second];
      sum.counts += line.counts * times;
      sum.useful_bytes += line.useful_bytes * times;
      if (called(sum) != called(line)) sum.called_at.clear();
    }
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.counts.time() > b.counts.time(); });
  return lines;
}

RunReport cost_of(const ProgramReport& program, const AgpuSpec& spec, const Wanted& wanted) {
  RunReport report;
  report.spec = spec;
  for (const Launches& launches : program.launches) {
    report.phases.insert(report.phases.end(), static_cast<std::size_t>(times_of(launches, wanted)),
                         launches.launch.phase);
  }
  const std::vector<ptx::PricedLine> lines = lines_of(program, wanted, {.callers = true});
  report.lines.assign(lines.begin(), lines.end());
  return report;
}

}  // namespace agpusim::exec

#include "agpusim/validation/exec/fold.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "agpusim/ptx/text/kernel_name.hpp"
#include "agpusim/validation/io/json.hpp"

namespace agpusim::exec {
namespace {

/// What equal launches have in common.
auto facts(const LaunchRecord& launch) {
  return std::tie(launch.grid, launch.block, launch.dynamic_shared, launch.runs, launch.skipped,
                  launch.complete, launch.predicted.prediction, launch.predicted.why_not,
                  launch.phase, launch.findings, launch.lines);
}

/// What tells most launches apart that differ.
auto key_of(const LaunchRecord& launch) {
  const Counts& counts = launch.phase.counts;
  return std::tuple(launch.kernel, launch.grid.count(), launch.dynamic_shared, launch.phase.time,
                    counts.sectors(), counts.conflicts(), counts.active_lanes);
}

/// Takes the records of a report one by one.
class Folder {
 public:
  explicit Folder(bool is_cut) { report_.is_cut = is_cut; }

  void operator()(ProgramStart start) {
    settle(processes_[start.pid]);  // it goes on as another program
    report_.processes.push_back(std::move(start));
  }
  void operator()(LaunchRecord launch) {
    auto& running = processes_[launch.pid].running;
    running.reset();
    if (launch.runs) {
      running = std::move(launch);
    } else {
      add(std::move(launch));
    }
  }
  void operator()(const Copies& copies) { processes_[copies.pid].copies = copies; }
  void operator()(LibraryCalls calls) {
    processes_[calls.pid].computed.insert_or_assign(calls.function, std::move(calls));
  }
  void operator()(FailedCall call) {
    processes_[call.pid].failed.insert_or_assign(call.index, std::move(call));
  }
  void operator()(const UnsupportedCall& call) { ++report_.unsupported[call.function]; }
  void operator()(const RefusedKernel& refused) {
    report_.refused[ptx::readable_name(refused.kernel)] = refused.message;
  }
  void operator()(ProgramFinding found) { report_.findings.push_back(std::move(found)); }
  void operator()(SteppedCta stepped) {
    for (TracedPhase& phase : stepped.trace.phases) phase.kernel = ptx::readable_name(phase.kernel);
    report_.steps.push_back(std::move(stepped));
  }
  void operator()(const ProgramEnd& /*end*/) {}
  void damaged() { ++report_.damaged; }

  [[nodiscard]] ProgramReport take() {
    for (auto& [pid, process] : processes_) settle(process);
    return std::move(report_);
  }

 private:
  /// What a process has told last counts.
  struct Process {
    std::optional<LaunchRecord> running;
    Copies copies;
    std::map<std::string, LibraryCalls> computed;  // by function
    std::map<std::int64_t, FailedCall> failed;     // by their index
  };

  void add(LaunchRecord launch) {
    const std::int64_t number = ++of_kernel_[launch.kernel];
    name_kernel(launch);
    const auto key = key_of(launch);
    const auto [begin, end] = known_.equal_range(key);
    auto known = std::find_if(begin, end, [&](const auto& one) {
      return facts(report_.launches[one.second]) == facts(launch);
    });
    if (known == end) {
      known = known_.emplace(key, report_.launches.size());
      report_.launches.push_back(std::move(launch));
    }
    report_.launches[known->second].numbers.push_back(number);
  }

  void add(FailedCall call) {
    call.kernel = ptx::readable_name(call.kernel);
    const auto name = [](const FailedCall& one) {
      return std::tie(one.function, one.kernel, one.error, one.reason);
    };
    const auto known = std::find_if(report_.failed.begin(), report_.failed.end(),
                                    [&](const FailedCall& one) { return name(one) == name(call); });
    if (known == report_.failed.end()) return report_.failed.push_back(std::move(call));
    known->times += call.times;
    known->looked += call.looked;
  }

  /// A process has ended: what it told is added to the report.
  void settle(Process& process) {
    report_.copies.h2d_bytes += process.copies.h2d_bytes;
    report_.copies.d2h_bytes += process.copies.d2h_bytes;
    report_.copies.d2d_bytes += process.copies.d2d_bytes;
    report_.copies.count += process.copies.count;
    for (const auto& [function, calls] : process.computed) {
      const auto [known, is_new] = report_.computed.try_emplace(function, calls);
      if (!is_new) known->second.calls += calls.calls;
    }
    for (auto& [index, call] : process.failed) add(std::move(call));
    if (process.running) {
      LaunchRecord& launch = *process.running;
      launch.complete = false;
      launch.runs = !report_.is_cut;
      launch.predicted.why_not = launch.runs ? fmt::format("not ended: {} of {} CTAs",
                                                           launch.ended_ctas, launch.grid.count())
                                             : "the report does not tell its end";
      add(std::move(launch));
    }
    process = {};
  }

  ProgramReport report_;
  std::map<std::int64_t, Process> processes_;               // by their number
  std::multimap<decltype(key_of({})), std::size_t> known_;  // places in report_.launches
  std::map<std::string, std::int64_t> of_kernel_;           // launches, by mangled name
};

/// How many of them are wanted and have costs.
std::int64_t times_of(const LaunchRecord& launch, const Wanted& wanted) {
  if (!launch.has_costs()) return 0;
  return std::count_if(launch.numbers.begin(), launch.numbers.end(),
                       [&](std::int64_t number) { return wanted(launch, number); });
}

}  // namespace

void name_kernel(LaunchRecord& launch) {
  launch.phase.kernel = ptx::readable_name(launch.kernel);
  for (LineCost& line : launch.lines) line.kernel = launch.phase.kernel;
}

bool ProgramReport::is_complete() const {
  return refused.empty() && unsupported.empty() && damaged == 0 && !is_cut &&
         std::all_of(failed.begin(), failed.end(), std::mem_fn(&FailedCall::is_known)) &&
         std::all_of(launches.begin(), launches.end(), std::mem_fn(&LaunchRecord::has_costs));
}

ProgramReport read_report(const std::filesystem::path& file) {
  std::ifstream lines(file);
  std::error_code none;
  return read_report(lines,
                     std::filesystem::status(file, none).permissions() == mode_of_cut_report);
}

ProgramReport read_report(std::istream& lines, bool is_cut) {
  Folder folder(is_cut);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;  // before it one was cut
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
  for (const LaunchRecord& launch : program.launches) {
    const std::int64_t times = times_of(launch, wanted);
    if (times == 0) continue;
    for (const ptx::PricedLine& line : launch.lines) {
      // Without -lineinfo lines are those of a PTX text that nobody sees.
      if (line.file.empty()) continue;
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
        lines.back().unpriced = {};
      }
      ptx::PricedLine& sum = lines[place->second];
      sum.counts += line.counts * times;
      sum.useful_bytes += line.useful_bytes * times;
      sum.unpriced += line.unpriced * times;
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
  for (const LaunchRecord& launch : program.launches) {
    report.phases.insert(report.phases.end(), static_cast<std::size_t>(times_of(launch, wanted)),
                         launch.phase);
  }
  const std::vector<ptx::PricedLine> lines = lines_of(program, wanted, {.callers = true});
  report.lines.assign(lines.begin(), lines.end());
  return report;
}

}  // namespace agpusim::exec

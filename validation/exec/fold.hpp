#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <istream>
#include <map>
#include <string>
#include <vector>

#include "agpusim/validation/exec/launch_record.hpp"

namespace agpusim::exec {

/// Gives the phase of a launch and its lines the readable name of the kernel.
void name_kernel(LaunchRecord& launch);

/// Whether a launch is asked for, by its number among those that equal it.
using Wanted = std::function<bool(const LaunchRecord&, std::int64_t)>;
inline bool every_launch(const LaunchRecord& /*launch*/, std::int64_t /*number*/) { return true; }

/// All that a program and its children have reported.
struct ProgramReport {
  /// Launches that are equal in everything (grid, block, costs by line, findings) are one; those of
  /// which no end is told have not completed. Phases and lines have the readable name.
  std::vector<LaunchRecord> launches;
  std::vector<ProgramStart> processes;
  std::vector<FailedCall> failed;  ///< equal ones of all processes are one
  std::vector<ProgramFinding> findings;
  std::vector<SteppedCta> steps;                    ///< with the readable name
  Copies copies;                                    ///< sums over all processes
  std::map<std::string, LibraryCalls> computed;     ///< sums over all processes, by function
  std::map<std::string, std::int64_t> unsupported;  ///< calls of each function
  std::map<std::string, std::string> refused;       ///< why, by readable name of the kernel
  std::int64_t damaged = 0;                         ///< lines that cannot be read
  bool is_cut = false;                              ///< lines could not be written

  /// Whether all that was asked for was run to its end, but for calls that failed as on a GPU and
  /// the program knows it.
  [[nodiscard]] bool is_complete() const;
};

/// Reads the lines of a report. A line that is cut or no record is counted as damaged. `is_cut`:
/// lines are missing.
[[nodiscard]] ProgramReport read_report(std::istream& lines, bool is_cut = false);
/// Reads the report in a file, which tells whether it is cut.
[[nodiscard]] ProgramReport read_report(const std::filesystem::path& file);

/// The cost of the wanted launches that have costs, a phase for each. Its lines are those of
/// lines_of(), summed over callers; T_tot is not known and 0.
[[nodiscard]] RunReport cost_of(const ProgramReport& program, const AgpuSpec& spec,
                                const Wanted& wanted = every_launch);
/// What does not tell lines apart: the kernel that is made of a template, and who called them.
struct SummedOver {
  bool kernels = false;
  bool callers = false;
};
/// The sums over these launches for each line, by descending time. Callers stay where all have the
/// same.
[[nodiscard]] std::vector<ptx::PricedLine> lines_of(const ProgramReport& program,
                                                    const Wanted& wanted = every_launch,
                                                    const SummedOver& over = {});

}  // namespace agpusim::exec

#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "agpusim/ptx/run/launch.hpp"

/// What a CUDA program under `agpusim exec` reports, a JSON line for each fact.
namespace agpusim::exec {

/// The file to which every process of the program appends lines, each with one write().
inline constexpr const char* report_variable = "AGPUSIM_EXEC";
/// Its mode once a line could not be written: a full disk has room for that.
inline constexpr auto mode_of_cut_report = std::filesystem::perms::owner_all;

/// The first call of CUDA in a process.
struct ProgramStart {
  std::int64_t pid = 0;
  std::string program;  ///< absolute path
  std::string library;  ///< major version of the CUDA runtime, "13"
};

/// A launch that has begun: told at its begin and now and then, until its LaunchRecord is there.
struct RunningLaunch {
  std::int64_t pid = 0;
  std::int64_t index = 0;  ///< number among the launches of this process, from 0 on
  std::string kernel;      ///< mangled
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::int64_t dynamic_shared = 0;          ///< bytes of a CTA
  std::int64_t ended_ctas = 0;              ///< so far
  std::vector<ptx::Finding> findings = {};  ///< without their statements

  [[nodiscard]] std::int64_t ctas() const { return std::int64_t{grid[0]} * grid[1] * grid[2]; }
};

/// A launch that is over.
struct LaunchRecord : RunningLaunch {
  bool skipped = false;  ///< not run: by --only or --first
  bool complete = true;  ///< false: `limit` says what has stopped it
  /// Predicted, of this launch alone; none: `limit` says why.
  std::optional<double> milliseconds;
  double low = 0;     ///< milliseconds; the interval of the prediction
  double high = 0;    ///< milliseconds
  std::string limit;  ///< the part with most time
  PhaseReport phase;
  std::vector<ptx::PricedLine> lines = {};  ///< without their kernel, which is this one
};

/// All copies of a process so far.
struct Copies {
  std::int64_t pid = 0;
  std::int64_t h2d_bytes = 0;
  std::int64_t d2h_bytes = 0;
  std::int64_t d2d_bytes = 0;
  std::int64_t count = 0;
};

/// A function that was called and is not supported.
struct UnsupportedCall {
  std::int64_t pid = 0;
  std::string function;
};

/// A kernel that the engine does not run.
struct RefusedKernel {
  std::int64_t pid = 0;
  std::string kernel;   ///< mangled
  std::string message;  ///< instruction, file and line
};

/// Equal calls of the CUDA runtime that returned an error, so far.
struct FailedCall {
  std::int64_t pid = 0;
  std::int64_t index = 0;  ///< number among the different failed calls of this process, from 0 on
  std::string function;    ///< "cudaMemcpy"
  std::string kernel;      ///< mangled; empty: it is about none
  std::string error;       ///< "cudaErrorInvalidValue"
  std::string reason;      ///< "404 bytes; allocation 1 has 400 from there on"
  std::int64_t times = 0;
  std::int64_t looked = 0;    ///< how many of these calls' errors the program has read or named
  bool of_simulator = false;  ///< a GPU may have done it

  /// Whether the program knows of each, and a GPU would have told it the same.
  [[nodiscard]] bool is_known() const { return looked >= times && !of_simulator; }
};

/// A defect of the program's host half.
struct ProgramFinding {
  std::int64_t pid = 0;
  std::string kernel;  ///< mangled; empty: it is about none
  ptx::Finding finding;
};

/// The end of a process that ended by itself.
struct ProgramEnd {
  std::int64_t pid = 0;
  bool completed = true;
};

using Record = std::variant<ProgramStart, RunningLaunch, LaunchRecord, Copies, UnsupportedCall,
                            RefusedKernel, FailedCall, ProgramFinding, ProgramEnd>;

/// One line of JSON with its newline.
[[nodiscard]] std::string to_line(const Record& record);
/// The inverse; the newline may be missing. Throws detail::JsonError.
[[nodiscard]] Record record_of(std::string_view line);

}  // namespace agpusim::exec

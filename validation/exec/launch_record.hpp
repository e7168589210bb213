#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "agpusim/model/agpu/step_trace.hpp"
#include "agpusim/ptx/run/launch.hpp"
#include "agpusim/validation/predict/residency.hpp"

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

/// A launch: told when it begins, now and then while it runs, and when it is over. JSON leaves out
/// statements of findings, kernels of lines, and what was printed.
struct LaunchRecord : ptx::LaunchReport {
  std::int64_t pid = 0;
  std::int64_t index = 0;           ///< number among the launches of this process, from 0 on
  std::string kernel;               ///< mangled
  std::int64_t dynamic_shared = 0;  ///< bytes of a CTA
  bool runs = false;                ///< it is not over
  std::int64_t ended_ctas = 0;      ///< so far, where it runs
  bool skipped = false;             ///< not run: by --only or --first
  PredictedRun predicted;           ///< for this launch alone, or what has stopped it

  /// Whether it ran to its end, so that it has costs.
  [[nodiscard]] bool has_costs() const { return !skipped && complete; }
  /// The part of the predicted time with most of it, or why there is no time.
  [[nodiscard]] const std::string& limit() const {
    return predicted.prediction ? predicted.prediction->limit : predicted.why_not;
  }

  /// Equal launches, by number in their kernel, from 1 on: read_report() keeps the first of them.
  std::vector<std::int64_t> numbers = {};
};

/// All copies of a process so far.
struct Copies {
  std::int64_t pid = 0;
  std::int64_t h2d_bytes = 0;
  std::int64_t d2h_bytes = 0;
  std::int64_t d2d_bytes = 0;
  std::int64_t count = 0;
};

/// Calls of one function of a library so far, which computed on the host and have no counts.
struct LibraryCalls {
  std::int64_t pid = 0;
  std::string library;   ///< "cuBLAS"
  std::string function;  ///< "cublasSgemm"
  std::int64_t calls = 0;
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

/// What one CTA of a launch has done.
struct SteppedCta {
  std::int64_t pid = 0;
  StepTrace trace;  ///< with one phase; JSON leaves out the machine
};

/// The end of a process that ended by itself.
struct ProgramEnd {
  std::int64_t pid = 0;
  bool completed = true;
};

using Record = std::variant<ProgramStart, LaunchRecord, Copies, LibraryCalls, UnsupportedCall,
                            RefusedKernel, FailedCall, ProgramFinding, SteppedCta, ProgramEnd>;

/// One line of JSON with its newline.
[[nodiscard]] std::string to_line(const Record& record);
/// The inverse; the newline may be missing. Throws detail::JsonError.
[[nodiscard]] Record record_of(std::string_view line);

}  // namespace agpusim::exec

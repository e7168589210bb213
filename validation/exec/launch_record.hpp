#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "agpusim/ptx/launch.hpp"

/// What a CUDA program under `agpusim exec` reports, a JSON line for each fact.
namespace agpusim::exec {

/// The file to which every process of the program appends lines, each with one write().
inline constexpr const char* report_variable = "AGPUSIM_EXEC";

/// The first call of CUDA in a process.
struct ProgramStart {
  std::int64_t pid = 0;
  std::string program;  ///< absolute path
  std::string library;  ///< major version of the CUDA runtime, "13"
};

struct LaunchRecord {
  std::int64_t pid = 0;
  std::int64_t index = 0;  ///< of the launches of this process, from 0 on
  std::string kernel;      ///< mangled
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::int64_t dynamic_shared = 0;  ///< bytes of a CTA
  bool skipped = false;             ///< not run: by --only or --first
  bool complete = true;             ///< false where a finding has stopped it
  /// Predicted, of this launch alone; none: `limit` says why.
  std::optional<double> milliseconds;
  double low = 0;     ///< milliseconds; the interval of the prediction
  double high = 0;    ///< milliseconds
  std::string limit;  ///< the part with most time
  PhaseReport phase;
  std::vector<ptx::PricedLine> lines = {};  ///< without their kernel, which is this one
  std::vector<ptx::Finding> findings = {};  ///< without their statements
};

/// All copies of a process, at its end.
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

/// The end of a process that ended by itself.
struct ProgramEnd {
  std::int64_t pid = 0;
  bool completed = true;
};

using Record =
    std::variant<ProgramStart, LaunchRecord, Copies, UnsupportedCall, RefusedKernel, ProgramEnd>;

/// One line of JSON with its newline.
[[nodiscard]] std::string to_line(const Record& record);
/// The inverse; the newline may be missing. Throws detail::JsonError.
[[nodiscard]] Record record_of(std::string_view line);

}  // namespace agpusim::exec

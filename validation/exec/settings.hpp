#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace agpusim::exec {

/// The environment variable that holds the settings.
inline constexpr const char* settings_variable = "AGPUSIM_EXEC_OPTIONS";

/// How the runtime library runs a program.
struct Settings {
  std::string machine = "h200";  ///< name of the machine in the device file
  std::string device_file;       ///< absolute path
  /// Kinds of findings that are checked. Bounds are always kept: nothing can run beyond them.
  std::vector<std::string> checks = {"races", "init", "bounds", "sync"};
  std::string only;          ///< the kernel that is run, mangled or as in the source; empty: all
  std::int64_t first = 0;    ///< launches of each kernel that are run; 0: all
  double loop_seconds = 60;  ///< ptx::Options::loop_seconds
  bool host_time = false;    ///< events measure the wall clock, else the predicted time
  std::string step;          ///< the kernel of which a CTA is recorded; empty: none
  std::int64_t step_launch = 1;  ///< its launch, from 1 on
  std::int64_t step_cta = 0;
};

/// One JSON object.
[[nodiscard]] std::string to_json(const Settings& settings);
/// The inverse. Throws detail::JsonError.
[[nodiscard]] Settings settings_of(std::string_view json);

}  // namespace agpusim::exec

#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/cudart/abi.hpp"
#include "agpusim/validation/exec/launch_record.hpp"

namespace agpusim::cudart {

/// Appends what a process does to the file of the parent. A child of fork() begins anew.
class Reporter {
 public:
  /// `path`: empty: nothing is reported.
  explicit Reporter(std::string path);

  /// A launch that begins, or goes on: what runs for 10 seconds is said on stderr too. Gives it its
  /// process and index, as launch() does.
  void runs(exec::LaunchRecord launch, bool begins);
  void launch(exec::LaunchRecord record);
  void stepped(exec::SteppedCta stepped);
  void refused(const std::string& kernel, const std::string& message);
  /// The first call of a function that is not supported, on stderr too.
  void unsupported(const char* function);
  void copied(CopyKind direction, std::size_t bytes);
  /// A function of a library has computed on the host.
  void computed(const char* library, const std::string& function);
  /// A call fails; nothing where the same call was refused, or is unsupported.
  void failed(exec::FailedCall call);
  /// A defect of the host half; each text once.
  void found(exec::ProgramFinding found);
  /// The program has read this error, or asked for its text.
  void looked_at(std::string_view error);
  /// The process ends by itself.
  void end();

  std::mutex mutex;  ///< held around fork(), so that the child can go on

 private:
  using Clock = std::chrono::steady_clock;

  void begin();
  void write(const exec::Record& record);
  /// Tells copies, calls of libraries and failed calls: after many of them those of a while at once, unless `now`.
  void tell_counted(bool now);

  std::string path_;
  std::int64_t pid_ = 0;  // process that has begun
  std::int64_t index_ = 0;
  exec::Copies copies_;
  std::vector<exec::FailedCall> failed_;
  std::map<std::string, exec::LibraryCalls> computed_;  // by function
  std::set<std::string> untold_functions_;
  std::set<std::size_t> untold_;  // indices in `failed_`
  std::int64_t counted_ = 0;      // copies and failed calls
  bool has_copied_ = false;       // since they were told
  Clock::time_point told_;
  Clock::time_point said_ = Clock::now();  // what runs
  bool was_told_ = false;                  // why the call at hand fails
  bool is_cut_ = false;                    // a line could not be written
  std::set<std::string> texts_;            // said
};

}  // namespace agpusim::cudart

#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <vector>

// Programs that nobody trusts: compilers of foreign answers, and these.
namespace agpusim::exercise {

/// What a program may take; of memory and files in bytes.
struct Limits {
  int seconds = 20;  ///< seconds of elapsed time
  int processor_seconds = 10;
  std::int64_t memory = std::int64_t{4} << 30;
  std::int64_t file = 0;  ///< bytes of a file that it writes
  int open_files = 32;
  bool forbids = false;  ///< network, processes and changes of files, as forbid_calls() does
  std::int64_t reply = std::int64_t{1} << 28;  ///< bytes of one reply
};

/// A folder that goes with the object, or with this process however that ends; a process of its own
/// sees to it, and to the end of all programs that run here.
class Workplace {
 public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }
  /// A process group begins or ends.
  void note(pid_t group, bool runs);

 private:
  std::filesystem::path path_;
  int to_keeper_ = -1;
  pid_t keeper_ = -1;
  std::mutex mutex_;
};

/// A program with limits, in a process group that is killed at the end of the object.
class Process {
 public:
  using Stop = std::function<bool()>;  ///< whether Ctrl-C was pressed

  /// Its descriptors 3 and 4 are pipes; or what it prints goes to the file `log`.
  Process(const std::vector<std::string>& command, const Limits& limits, Workplace& workplace,
          const Stop& stop, const std::string& log = "");
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Sends a request and waits for its reply, each with its length before it; throws Stopped.
  [[nodiscard]] std::string ask(const std::string& request);
  /// The exit code once it has ended, or 128 and the signal; throws Stopped after its time.
  int wait();

 private:
  [[noreturn]] void fail_ended();
  void check_time() const;

  Limits limits_;
  Workplace& workplace_;
  Stop stop_;
  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  int status_ = -1;
  std::chrono::steady_clock::time_point end_;
};

/// Thrown where `stop` says that Ctrl-C was pressed.
struct StoppedByUser {};

/// From here on this process, and what it becomes, has no network, starts no processes and changes
/// no files (seccomp); false where the system cannot do this.
bool forbid_calls();
[[nodiscard]] bool can_forbid_calls();

/// What stands before a command to take the network and the files from it; empty where bubblewrap
/// is not installed or does not work.
[[nodiscard]] const std::vector<std::string>& sandbox();

}  // namespace agpusim::exercise

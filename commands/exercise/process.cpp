#include "agpusim/commands/exercise/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <set>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "agpusim/commands/exercise/grade.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

namespace agpusim::exercise {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int poll_ms = 50;  // how soon Ctrl-C is seen

struct Note {
  pid_t group;
  int runs;
};

/// Waits until this process's parent is gone or is done, and cleans up behind it.
[[noreturn]] void keep(int from, const fs::path& folder) {
  setsid();
  for (const int number : {SIGTERM, SIGHUP, SIGINT, SIGPIPE}) std::signal(number, SIG_IGN);
  std::set<pid_t> groups;
  Note note{};
  while (true) {
    const ssize_t size = read(from, &note, sizeof(note));
    if (size < 0 && errno == EINTR) continue;
    if (size != sizeof(note)) break;
    if (note.runs != 0) {
      groups.insert(note.group);
    } else {
      groups.erase(note.group);
    }
  }
  for (const pid_t group : groups) kill(-group, SIGKILL);
  if (!groups.empty()) usleep(100000);  // until they write no more
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  _exit(0);
}

void limit(decltype(RLIMIT_CPU) resource, std::int64_t value) {
  const auto most = static_cast<rlim_t>(value);
  const rlimit both{most, most};
  setrlimit(resource, &both);
}

/// In the new process, before it becomes the program: nothing here allocates.
[[noreturn]] void become(char* const* command, char* const* environment, const Limits& limits,
                         int in, int out, int log, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, 0);
  dup2(log >= 0 ? log : nothing, 1);
  dup2(log >= 0 ? log : nothing, 2);
  if (in >= 0) {
    // Above 4 first: 3 and 4 may be the other's.
    const int high_in = fcntl(in, F_DUPFD, 10);
    const int high_out = fcntl(out, F_DUPFD, 10);
    dup2(high_in, 3);
    dup2(high_out, 4);
  }
  for (int other = in >= 0 ? 5 : 3; other < 256; ++other) close(other);
  limit(RLIMIT_CPU, limits.processor_seconds);
  limit(RLIMIT_AS, limits.memory);
  limit(RLIMIT_FSIZE, limits.file);
  limit(RLIMIT_NOFILE, limits.open_files);
  limit(RLIMIT_CORE, 0);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) std::signal(number, SIG_DFL);
  if (limits.forbids) forbid_calls();
  execvpe(command[0], command, environment);
  _exit(127);
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

/// A compiler needs what the user set; an answer knows nothing of it.
std::vector<std::string> environment_of(bool compiles) {
  std::vector<std::string> result = {"LC_ALL=C"};
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text = *each;
    if (text.starts_with("LC_ALL=") || text.starts_with("TMPDIR=")) continue;
    if (compiles || text.starts_with("PATH=") || text.starts_with("LD_LIBRARY_PATH=")) {
      result.emplace_back(text);
    }
  }
  return result;
}

}  // namespace

Workplace::Workplace() : path_(make_private_folder("agpusim-grade")) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0 || (keeper_ = fork()) < 0) {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    throw IoError("cannot start a process: end others, or raise the limit (ulimit -u)");
  }
  if (keeper_ == 0) {
    close(ends[1]);
    keep(ends[0], path_);
  }
  close(ends[0]);
  to_keeper_ = ends[1];
}

Workplace::~Workplace() {
  close(to_keeper_);
  while (waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Workplace::note(pid_t group, bool runs) {
  const std::lock_guard guard(mutex_);
  const Note note{group, runs ? 1 : 0};
  static_cast<void>(write(to_keeper_, &note, sizeof(note)) == sizeof(note));
}

Process::Process(const std::vector<std::string>& command, const Limits& limits,
                 Workplace& workplace, const Stop& stop, const std::string& log)
    : limits_(limits),
      workplace_(workplace),
      stop_(stop),
      end_(Clock::now() + std::chrono::seconds(limits.seconds)) {
  std::array<int, 2> in{-1, -1};
  std::array<int, 2> out{-1, -1};
  int file = -1;
  if (log.empty()) {
    if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) {
      throw IoError("cannot make a pipe: close files, or raise the limit (ulimit -n)");
    }
  } else {
    file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  }
  std::vector<std::string> texts = environment_of(!log.empty());
  texts.push_back("TMPDIR=" + (workplace_ / "").string());
  const std::vector<char*> arguments = pointers(command);
  const std::vector<char*> environment = pointers(texts);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    become(arguments.data(), environment.data(), limits_, in[0], out[1], file, parent);
  }
  for (const int mine : {in[0], out[1], file}) {
    if (mine >= 0) close(mine);
  }
  to_ = in[1];
  from_ = out[0];
  if (pid_ < 0) throw IoError("cannot start a process: end others, or raise the limit (ulimit -u)");
  setpgid(pid_, pid_);
  workplace_.note(pid_, true);
  for (const int mine : {to_, from_}) {
    if (mine >= 0) fcntl(mine, F_SETFL, O_NONBLOCK);
  }
}

Process::~Process() {
  for (const int mine : {to_, from_}) {
    if (mine >= 0) close(mine);
  }
  kill(-pid_, SIGKILL);
  while (status_ < 0 && waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
  workplace_.note(pid_, false);
}

void Process::check_time() const {
  if (stop_ && stop_()) throw StoppedByUser{};
  if (Clock::now() > end_) {
    throw Stopped(fmt::format("it was stopped after {} s", limits_.seconds));
  }
}

int Process::wait() {
  while (status_ < 0) {
    const pid_t ended = waitpid(pid_, &status_, WNOHANG);
    if (ended == pid_) break;
    status_ = -1;
    check_time();
    usleep(2000);
  }
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
}

void Process::fail_ended() {
  const int code = wait();
  if (code == 128 + SIGXCPU || code == 128 + SIGKILL) {
    throw Stopped(fmt::format("it was stopped: more than {} s of processor time, or {} GiB",
                              limits_.processor_seconds, limits_.memory >> 30));
  }
  throw Stopped(fmt::format("it ended before it handed over its run (code {})", code));
}

std::string Process::ask(const std::string& request) {
  std::string sends(sizeof(std::uint64_t), '\0');
  const std::uint64_t length = request.size();
  std::memcpy(sends.data(), &length, sizeof(length));
  sends += request;
  std::size_t sent = 0;
  std::string got;
  std::uint64_t wanted = sizeof(std::uint64_t);
  bool knows_length = false;
  std::array<char, 1 << 16> buffer{};
  while (got.size() < wanted || !knows_length) {
    if (!knows_length && got.size() >= wanted) {
      std::memcpy(&wanted, got.data(), sizeof(wanted));
      if (wanted > static_cast<std::uint64_t>(limits_.reply)) {
        throw Stopped(fmt::format("it hands over more than {} MiB", limits_.reply >> 20));
      }
      wanted += sizeof(std::uint64_t);
      knows_length = true;
      continue;
    }
    std::array<pollfd, 2> both{pollfd{from_, POLLIN, 0}, pollfd{to_, POLLOUT, 0}};
    poll(both.data(), sent < sends.size() ? 2 : 1, poll_ms);
    check_time();
    if (sent < sends.size() && both[1].revents != 0) {
      const ssize_t size = write(to_, sends.data() + sent, sends.size() - sent);
      if (size > 0) sent += static_cast<std::size_t>(size);
      if (size < 0 && errno != EAGAIN && errno != EINTR) fail_ended();
    }
    if (both[0].revents == 0) continue;
    const ssize_t size = read(from_, buffer.data(), buffer.size());
    if (size == 0) fail_ended();
    if (size > 0) got.append(buffer.data(), static_cast<std::size_t>(size));
  }
  if (got.size() != wanted || sent != sends.size()) {
    throw Stopped("what the answer handed over does not end where it should");
  }
  return got.substr(sizeof(std::uint64_t));
}

bool can_forbid_calls() {
  static const bool can = [] {
    const pid_t child = fork();
    if (child == 0) _exit(forbid_calls() ? 0 : 1);
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && status == 0;
  }();
  return can;
}

const std::vector<std::string>& sandbox() {
  static const std::vector<std::string> command = [] {
    std::vector<std::string> words = {"bwrap",
                                      "--unshare-all",
                                      "--die-with-parent",
                                      "--ro-bind",
                                      "/",
                                      "/",
                                      "--tmpfs",
                                      "/tmp",
                                      "--proc",
                                      "/proc",
                                      "--dev",
                                      "/dev",
                                      "--chdir",
                                      "/"};
    std::string line;
    for (const std::string& word : words) line += word + ' ';
    const int status = std::system((line + "true > /dev/null 2>&1").c_str());
    return status == 0 ? words : std::vector<std::string>{};
  }();
  return command;
}

}  // namespace agpusim::exercise

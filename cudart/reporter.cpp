#include "agpusim/cudart/reporter.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <link.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "agpusim/ptx/text/kernel_name.hpp"
#include "agpusim/validation/exec/nvidia_libraries.hpp"

namespace agpusim::cudart {
namespace {

/// Launches that begin, and other calls: of more than that, only such as are slow or late are told.
constexpr std::int64_t told_at_once = 1000;

/// Appends text to a file, without the signal of a file that is as large as it may be.
bool append(const std::string& path, const std::string& text) {
  sigset_t too_large;
  sigset_t before;
  sigemptyset(&too_large);
  sigaddset(&too_large, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &too_large, &before);
  // Opened for each line: the program may close all descriptors.
  const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  const bool done =
      file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (file >= 0) close(file);
  constexpr timespec no_time{};
  if (!done && sigismember(&before, SIGXFSZ) == 0) sigtimedwait(&too_large, nullptr, &no_time);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return done;
}

/// NVIDIA's driver, or a library in whose place we have one, which the program has loaded by its
/// path; empty: none.
std::string other_driver() {
  std::string found;
  const auto look = [](dl_phdr_info* library, std::size_t, void* result) {
    const std::filesystem::path path = library->dlpi_name;
    const std::string name = path.filename().string();
    const auto is = [&](std::string_view own) {
      return name.starts_with(own.substr(0, own.rfind('.')));
    };
    const auto& own_libraries = exec::own_libraries;
    if (!is("libcuda.so.1") && std::none_of(own_libraries.begin(), own_libraries.end(), is)) {
      return 0;
    }
    Dl_info own{};
    dladdr(reinterpret_cast<void*>(&other_driver), &own);
    const auto folder = std::filesystem::path(own.dli_fname).parent_path();
    std::error_code ignored;
    if (std::filesystem::equivalent(path.parent_path(), folder, ignored)) return 0;
    *static_cast<std::string*>(result) = path.string();
    return 1;
  };
  dl_iterate_phdr(look, &found);
  return found;
}

}  // namespace

Reporter::Reporter(std::string path) : path_(std::move(path)) { begin(); }

void Reporter::begin() {
  if (pid_ == getpid()) return;
  pid_ = getpid();
  index_ = counted_ = 0;
  copies_ = {};
  copies_.pid = pid_;
  failed_.clear();
  computed_.clear();
  untold_functions_.clear();
  untold_.clear();
  texts_.clear();
  std::error_code ignored;
  write(exec::ProgramStart{pid_, std::filesystem::read_symlink("/proc/self/exe", ignored), "13"});
}

void Reporter::write(const exec::Record& record) {
  if (path_.empty()) return;
  const std::string line = exec::to_line(record);
  // A line that was cut ends first.
  if (append(path_, is_cut_ ? "\n" + line : line) || std::exchange(is_cut_, true)) return;
  std::error_code ignored;
  std::filesystem::permissions(path_, exec::mode_of_cut_report, ignored);
  fmt::print(stderr, "agpusim: {} cannot be written: what the sheet says is not all\n", path_);
}

void Reporter::tell_counted(bool now) {
  constexpr std::chrono::milliseconds between{100};
  if (!now && ++counted_ > told_at_once && Clock::now() - told_ < between) return;
  told_ = Clock::now();
  if (std::exchange(has_copied_, false)) write(copies_);
  for (const std::string& each : std::exchange(untold_functions_, {})) write(computed_[each]);
  for (const std::size_t each : std::exchange(untold_, {})) write(failed_[each]);
}

void Reporter::runs(exec::LaunchRecord launch, bool begins) {
  constexpr std::chrono::seconds between{10};
  const std::lock_guard guard(mutex);
  begin();
  if (Clock::now() - said_ > between) {
    said_ = Clock::now();
    fmt::print(stderr, "agpusim: kernel {}, launch {}: {} of {} CTAs\n",
               ptx::readable_name(launch.kernel), index_ + 1, launch.ended_ctas,
               launch.grid.count());
  }
  if (begins && index_ >= told_at_once) return;
  tell_counted(true);
  launch.runs = true;
  launch.pid = pid_;
  launch.index = index_;
  write(std::move(launch));
}

void Reporter::launch(exec::LaunchRecord record) {
  const std::lock_guard guard(mutex);
  begin();
  record.pid = pid_;
  record.index = index_++;
  write(std::move(record));
}

void Reporter::stepped(exec::SteppedCta stepped) {
  const std::lock_guard guard(mutex);
  stepped.pid = pid_;
  write(std::move(stepped));
}

void Reporter::refused(const std::string& kernel, const std::string& message) {
  const std::lock_guard guard(mutex);
  begin();
  was_told_ = true;
  if (!texts_.insert(kernel + message).second) return;
  fmt::print(stderr, "agpusim: kernel {} is not run: {}\n", ptx::readable_name(kernel), message);
  write(exec::RefusedKernel{pid_, kernel, message});
}

void Reporter::unsupported(const char* function) {
  const std::lock_guard guard(mutex);
  begin();
  was_told_ = true;
  if (!texts_.insert(function).second) return;
  fmt::print(stderr, "agpusim: {} is not supported\n", function);
  write(exec::UnsupportedCall{pid_, function});
}

void Reporter::copied(CopyKind direction, std::size_t bytes) {
  const std::lock_guard guard(mutex);
  begin();
  const auto count = static_cast<std::int64_t>(bytes);
  if (direction == CopyKind::h2d) copies_.h2d_bytes += count;
  if (direction == CopyKind::d2h) copies_.d2h_bytes += count;
  if (direction == CopyKind::d2d) copies_.d2d_bytes += count;
  ++copies_.count;
  has_copied_ = true;
  tell_counted(false);
}

void Reporter::computed(const char* library, const std::string& function) {
  const std::lock_guard guard(mutex);
  begin();
  const auto [known, is_new] =
      computed_.try_emplace(function, exec::LibraryCalls{pid_, library, function});
  ++known->second.calls;
  untold_functions_.insert(function);
  tell_counted(false);
}

void Reporter::failed(exec::FailedCall call) {
  constexpr std::size_t most = 100;  // beyond that, reasons are not told apart
  const std::lock_guard guard(mutex);
  begin();
  if (std::exchange(was_told_, false)) return;
  auto known = std::find_if(failed_.begin(), failed_.end(), [&](const exec::FailedCall& one) {
    return one.function == call.function && one.kernel == call.kernel && one.error == call.error &&
           (one.reason == call.reason || failed_.size() > most);
  });
  if (known == failed_.end()) {
    call.pid = pid_;
    call.index = static_cast<std::int64_t>(failed_.size());
    if (call.of_simulator) fmt::print(stderr, "agpusim: {}: {}\n", call.function, call.reason);
    known = failed_.insert(known, std::move(call));
  }
  ++known->times;
  untold_.insert(static_cast<std::size_t>(known->index));
  tell_counted(false);
}

void Reporter::found(exec::ProgramFinding found) {
  const std::lock_guard guard(mutex);
  begin();
  if (!texts_.insert(found.kernel + found.finding.text).second) return;
  tell_counted(true);
  found.pid = pid_;
  write(std::move(found));
}

void Reporter::looked_at(std::string_view error) {
  const std::lock_guard guard(mutex);
  if (pid_ != getpid()) return;
  for (exec::FailedCall& call : failed_) {
    if (call.error != error || call.looked == call.times) continue;
    call.looked = call.times;
    untold_.insert(static_cast<std::size_t>(call.index));
  }
  tell_counted(false);
}

void Reporter::end() {
  if (pid_ != getpid()) return;  // a child that made no call
  if (const std::string driver = other_driver(); !driver.empty()) {
    failed(
        {.function = "cuInit",
         .kernel = "",
         .error = "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
         .reason = fmt::format("the program has loaded {}, whose launches nobody counts", driver),
         .of_simulator = true});
  }
  const std::lock_guard guard(mutex);
  tell_counted(true);
  write(exec::ProgramEnd{pid_, true});
}

}  // namespace agpusim::cudart

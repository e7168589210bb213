#include "agpusim/cudart/reporter.hpp"

#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "agpusim/ptx/kernel_name.hpp"

namespace agpusim::cudart {

Reporter::Reporter(std::string path) : path_(std::move(path)) { begin(); }

void Reporter::begin() {
  if (pid_ == getpid()) return;
  pid_ = getpid();
  index_ = 0;
  copies_ = {};
  copies_.pid = pid_;
  said_.clear();
  std::error_code ignored;
  write(exec::ProgramStart{pid_, std::filesystem::read_symlink("/proc/self/exe", ignored), "13"});
}

void Reporter::write(const exec::Record& record) const {
  if (path_.empty()) return;
  // Opened for each line: the program may close all descriptors.
  const int file = open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  const std::string line = exec::to_line(record);
  if (file < 0 || ::write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    fmt::print(stderr, "agpusim: {} cannot be written\n", path_);
  }
  if (file >= 0) close(file);
}

void Reporter::launch(exec::LaunchRecord record) {
  begin();
  record.pid = pid_;
  record.index = index_++;
  write(std::move(record));
}

void Reporter::refused(const std::string& kernel, const std::string& message) {
  begin();
  if (!said_.insert(kernel + message).second) return;
  fmt::print(stderr, "agpusim: kernel {} is not run: {}\n", ptx::readable_name(kernel),
             message);
  write(exec::RefusedKernel{pid_, kernel, message});
}

void Reporter::unsupported(const char* function) {
  begin();
  if (!said_.insert(function).second) return;
  fmt::print(stderr, "agpusim: {} is not supported\n", function);
  write(exec::UnsupportedCall{pid_, function});
}

void Reporter::copied(CopyKind direction, std::size_t bytes) {
  begin();
  const auto count = static_cast<std::int64_t>(bytes);
  if (direction == CopyKind::h2d) copies_.h2d_bytes += count;
  if (direction == CopyKind::d2h) copies_.d2h_bytes += count;
  if (direction == CopyKind::d2d) copies_.d2d_bytes += count;
  ++copies_.count;
}

void Reporter::end() {
  if (pid_ != getpid()) return;  // a child that made no call
  if (copies_.count > 0) write(copies_);
  write(exec::ProgramEnd{pid_, true});
}

}  // namespace agpusim::cudart

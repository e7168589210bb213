#include "agpusim/cli/terminal.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

constexpr std::chrono::milliseconds refresh_interval{100};

void write_status(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) {
    return;
  }
  if (errno == EPIPE) {
    throw OutputClosed{};
  }
  throw IoError(std::string("cannot write to standard output: ") + std::strerror(errno));
}

void message(const std::string& line) { write_status(line + "\n"); }

Progress::Progress() : terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (shown_) write_status("\r\033[K");
}

void Progress::show(const std::string& status) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now < next_) return;
  next_ = now + refresh_interval;
  shown_ = true;
  write_status("\r\033[K" + status);
}

}  // namespace agpusim

#include "agpusim/cli/terminal.hpp"

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

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

detail::TextPage output_page(std::size_t otherwise) {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  winsize size{};
  if (is_terminal) ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
  std::size_t width = size.ws_col;
  const std::string asked = variable("COLUMNS");
  std::from_chars(asked.data(), asked.data() + asked.size(), width);
  return {width > 0 ? width : otherwise,
          is_terminal && variable("NO_COLOR").empty() && variable("TERM") != "dumb"};
}

void message(const std::string& line) { write_status(line + "\n"); }

std::string duration_text(double seconds) {
  constexpr double minute = 60;
  constexpr double hour = 60 * minute;
  constexpr double day = 24 * hour;
  if (seconds < 2 * minute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * hour) return fmt::format("{:.0f} min", seconds / minute);
  if (seconds < 2 * day) return fmt::format("{:.1f} h", seconds / hour);
  return fmt::format("{:.0f} days", seconds / day);
}

Progress::Progress(std::chrono::milliseconds interval)
    : terminal_(isatty(STDERR_FILENO) == 1), interval_(interval) {
  if (!terminal_) lines_ = std::thread([this] { write_lines(); });
}

Progress::~Progress() {
  if (shown_) write_status("\r\033[K");
  if (!lines_.joinable()) return;
  {
    const std::lock_guard guard(mutex_);
    ended_ = true;
  }
  end_.notify_one();
  lines_.join();
}

void Progress::write_lines() {
  std::unique_lock lock(mutex_);
  while (!end_.wait_for(lock, interval_, [this] { return ended_; })) {
    if (status_.empty()) continue;
    const std::chrono::duration<double> spent = Clock::now() - start_;
    message(fmt::format("agpusim: {} ({} so far)", status_, duration_text(spent.count())));
  }
}

void Progress::show(const std::string& status) {
  if (!terminal_) {
    const std::lock_guard guard(mutex_);
    status_ = status;
    return;
  }
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + refresh_interval;
  shown_ = true;
  write_status("\r\033[K" + status);
}

}  // namespace agpusim

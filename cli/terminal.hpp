#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "agpusim/validation/io/text_table.hpp"

namespace agpusim {

/// Thrown when the reader of standard output went away (`agpusim list | head -1`): not an error.
struct OutputClosed {};

/// Writes a result to standard output and flushes it. Throws OutputClosed when nobody reads it any
/// more and IoError when it cannot be written (a full disk).
void print(const std::string& text);

/// Standard output as a page of the width that COLUMNS or the terminal says; colours on a terminal
/// without NO_COLOR that is not dumb.
[[nodiscard]] detail::TextPage output_page(std::size_t otherwise);

/// Writes one line to standard error; a closed standard error is ignored.
void message(const std::string& line);

/// A length of time for a reader, for example "40 s", "36 min", "3.5 h", "12 days".
[[nodiscard]] std::string duration_text(double seconds);

/// What is being done, on standard error. On a terminal a line that overwrites itself, at most ten
/// times a second, and that the destructor removes; elsewhere a line of its own per `interval`,
/// with the time since the beginning.
class Progress {
 public:
  explicit Progress(std::chrono::milliseconds interval = std::chrono::seconds(10));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& status);

 private:
  using Clock = std::chrono::steady_clock;

  void write_lines();

  bool terminal_;
  bool shown_ = false;
  Clock::time_point next_;

  Clock::time_point start_ = Clock::now();
  std::chrono::milliseconds interval_;
  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  std::string status_;
  std::thread lines_;
};

}  // namespace agpusim

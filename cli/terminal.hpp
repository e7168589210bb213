#pragma once

#include <chrono>
#include <string>

namespace agpusim {

/// Thrown when the reader of standard output went away (`agpusim list | head -1`): not an error.
struct OutputClosed {};

/// Writes a result to standard output and flushes it. Throws OutputClosed when nobody reads it any
/// more and IoError when it cannot be written (a full disk).
void print(const std::string& text);

/// Writes one line to standard error; a closed standard error is ignored.
void message(const std::string& line);

/// A status line on standard error that overwrites itself, shown on terminals only and at most ten
/// times a second; removed by the destructor.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& status);

 private:
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace agpusim

#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "agpusim/validation/sweep/counter.hpp"
#include "agpusim/validation/sweep/sweep.hpp"

namespace agpusim::sweep {

/// Counts runs on a thread of its own, one after another as they were added: the thread that adds
/// them is free to talk with other processes.
class CountingThread {
 public:
  CountingThread(const std::vector<Run>& runs, const Options& options);
  /// Waits for the run that is being counted.
  ~CountingThread();
  CountingThread(const CountingThread&) = delete;
  CountingThread& operator=(const CountingThread&) = delete;

  /// `known` as of Counter.
  void add(std::size_t run, KnownPoints known);

  struct Counted {
    std::size_t run = 0;
    Point point = {};
    std::exception_ptr error = {};  ///< instead of the point
  };
  /// The next run that is counted, waiting for it at most so long.
  [[nodiscard]] std::optional<Counted> take(std::chrono::microseconds wait);

  /// Runs that were added and not taken.
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  void count();

  const std::vector<Run>& runs_;
  Counter counter_;
  std::size_t size_ = 0;
  std::mutex mutex_;
  std::condition_variable added_;
  std::condition_variable done_;
  bool ended_ = false;
  std::deque<std::pair<std::size_t, KnownPoints>> waiting_;
  std::deque<Counted> counted_;
  std::thread thread_;
};

}  // namespace agpusim::sweep

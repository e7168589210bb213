#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "agpusim/validation/ranks/work.hpp"

namespace agpusim::ranks {

/// Does tasks on a thread of its own, one after another as they were added: the thread that adds
/// them is free to talk with other processes.
class Worker {
 public:
  explicit Worker(const Work& work);
  /// Waits for the task at hand.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void add(std::size_t task, std::string known);

  struct Done {
    std::size_t task = 0;
    std::string result = {};
    std::exception_ptr error = {};  ///< instead of the result
  };
  /// The next task that is done, waiting for it at most so long.
  [[nodiscard]] std::optional<Done> take(std::chrono::microseconds wait);

  /// Tasks that were added and not taken.
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  void work();

  const Work& work_;
  std::size_t size_ = 0;
  std::mutex mutex_;
  std::condition_variable added_;
  std::condition_variable done_;
  bool ended_ = false;
  std::deque<std::pair<std::size_t, std::string>> waiting_;
  std::deque<Done> results_;
  std::thread thread_;
};

}  // namespace agpusim::ranks

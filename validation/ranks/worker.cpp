#include "agpusim/validation/ranks/worker.hpp"

namespace agpusim::ranks {

Worker::Worker(const Work& work) : work_(work), thread_([this] { this->work(); }) {}

Worker::~Worker() {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  added_.notify_one();
  thread_.join();
}

void Worker::add(std::size_t task, std::string known) {
  ++size_;
  {
    const std::scoped_lock lock(mutex_);
    waiting_.emplace_back(task, std::move(known));
  }
  added_.notify_one();
}

std::optional<Worker::Done> Worker::take(std::chrono::microseconds wait) {
  std::unique_lock lock(mutex_);
  if (!done_.wait_for(lock, wait, [&] { return !results_.empty(); })) return std::nullopt;
  Done done = std::move(results_.front());
  results_.pop_front();
  --size_;
  return done;
}

void Worker::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    added_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
    if (ended_) return;
    const auto [task, known] = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    Done done{task};
    try {
      done.result = work_.run(task, known);
    } catch (...) {
      done.error = std::current_exception();
    }
    lock.lock();
    results_.push_back(std::move(done));
    done_.notify_one();
  }
}

}  // namespace agpusim::ranks

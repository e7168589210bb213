#include "agpusim/validation/sweep/counting_thread.hpp"

namespace agpusim::sweep {

CountingThread::CountingThread(const std::vector<Run>& runs, const Options& options)
    : runs_(runs), counter_(options), thread_([this] { count(); }) {}

CountingThread::~CountingThread() {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  added_.notify_one();
  thread_.join();
}

void CountingThread::add(std::size_t run, KnownPoints known) {
  ++size_;
  {
    const std::scoped_lock lock(mutex_);
    waiting_.emplace_back(run, std::move(known));
  }
  added_.notify_one();
}

std::optional<CountingThread::Counted> CountingThread::take(std::chrono::microseconds wait) {
  std::unique_lock lock(mutex_);
  if (!done_.wait_for(lock, wait, [&] { return !counted_.empty(); })) return std::nullopt;
  Counted counted = std::move(counted_.front());
  counted_.pop_front();
  --size_;
  return counted;
}

void CountingThread::count() {
  std::unique_lock lock(mutex_);
  for (;;) {
    added_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
    if (ended_) return;
    const auto [run, known] = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    Counted counted{run};
    try {
      counted.point = counter_(runs_[run], &known);
    } catch (...) {
      counted.error = std::current_exception();
    }
    lock.lock();
    counted_.push_back(std::move(counted));
    done_.notify_one();
  }
}

}  // namespace agpusim::sweep

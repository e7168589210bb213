#include "agpusim/cudart/host_queue.hpp"

#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

namespace agpusim::cudart {
namespace {

thread_local bool is_in_host_function = false;

/// Where the program ends without a wait: what it has asked for is done, so that all runs are
/// equal, but for functions that wait for what never comes.
void end_of_program(int /*exit_code*/, void* /*unused*/) {
  Runtime* const runtime = Runtime::get();
  if (runtime != nullptr && !is_in_host_function) HostQueue::get().wait_at_end(*runtime);
}

}  // namespace

bool is_permitted() { return !is_in_host_function; }

HostQueue& HostQueue::get() {
  static HostQueue* const queue = new HostQueue;
  return *queue;
}

HostQueue::Ticket HostQueue::add(Runtime& runtime, Work work, bool of_host) {
  if (added_ == 0) {
    std::thread([&] { run(runtime); }).detach();
    on_exit(end_of_program, nullptr);
  }
  items_.push_back({std::move(work), of_host});
  changed_.notify_all();
  return ++added_;
}

void HostQueue::wait(Runtime& runtime, Ticket ticket) {
  std::unique_lock lock(runtime.mutex, std::adopt_lock);
  changed_.wait(lock, [&] { return is_done(ticket); });
  lock.release();
  const Status failure = std::exchange(failure_, Status::success);
  if (runtime.fault != Status::success) throw runtime.fault.load();
  if (failure != Status::success) throw failure;
}

void HostQueue::wait_at_end(Runtime& runtime) {
  constexpr std::chrono::seconds most(2);
  std::unique_lock lock(runtime.mutex);
  changed_.wait_for(lock, most, [&] { return is_done(added_); });
}

void HostQueue::run(Runtime& runtime) {
  for (std::unique_lock lock(runtime.mutex);; changed_.notify_all()) {
    changed_.wait(lock, [&] { return !items_.empty(); });
    const Item item = std::move(items_.front());
    items_.pop_front();
    if (item.of_host) {
      lock.unlock();
      is_in_host_function = true;
      item.work();
      is_in_host_function = false;
      lock.lock();
    } else {
      Status status = runtime.fault;
      try {
        if (status == Status::success) status = item.work();
      } catch (const Status thrown) {
        status = thrown;
      } catch (const Failure& failure) {
        status = failure.status;
      } catch (const std::exception& failure) {
        status = failure_of(failure).status;
      }
      if (status != Status::success) failure_ = status;
    }
    ++done_;
  }
}

}  // namespace agpusim::cudart

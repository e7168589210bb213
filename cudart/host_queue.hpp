#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>

#include "agpusim/cudart/api.hpp"

namespace agpusim::cudart {

/// Something that a stream does.
using Work = std::function<Status()>;

/// Functions of the host, and the work that comes after them in their streams, in the order in
/// which they were asked for: on one thread, made when it is first needed. Runtime::mutex protects
/// it.
class HostQueue {
 public:
  /// A number for each work that it was given, from 1; they are done in this order.
  using Ticket = std::uint64_t;

  static HostQueue& get();

  /// `of_host`: other threads may call meanwhile.
  Ticket add(Runtime& runtime, Work work, bool of_host);
  [[nodiscard]] Ticket last() const { return added_; }
  [[nodiscard]] bool is_done(Ticket ticket) const { return ticket <= done_; }
  /// Lets other threads call until then. Throws the Status of work that has failed.
  void wait(Runtime& runtime, Ticket ticket);
  /// For two seconds at most.
  void wait_at_end(Runtime& runtime);

 private:
  struct Item {
    Work work;
    bool of_host = false;
  };
  [[noreturn]] void run(Runtime& runtime);

  std::deque<Item> items_;
  Ticket added_ = 0;
  Ticket done_ = 0;
  Status failure_ = Status::success;  // since wait() has last thrown it
  std::condition_variable changed_;
};

}  // namespace agpusim::cudart

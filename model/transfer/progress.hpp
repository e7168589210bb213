#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <stdexcept>

namespace agpusim::out_of_core {

/// The caller asked a primitive to stop. Its input is as it was; its output holds nothing of value.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled: the input is as it was, the output is incomplete") {}
};

/// How a primitive tells how far it is, and is told to stop. Both are looked at between chunks.
struct Control {
  std::function<void(std::int64_t done, std::int64_t of)>
      progress;  ///< chunks of all passes, or parts of them
  const std::atomic<bool>* cancel = nullptr;

  /// Throws Cancelled when it is to stop.
  void report(std::int64_t done, std::int64_t of) const {
    if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) throw Cancelled();
    if (progress) progress(done, of);
  }
};

}  // namespace agpusim::out_of_core

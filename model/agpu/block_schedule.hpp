#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "agpusim/model/agpu/execution.hpp"

namespace agpusim {

/// Makes each moment the later one of both.
inline void take(Moments& moments, const Moments& others) {
  for (std::size_t i = 0; i < moments.size(); ++i) moments[i] = std::max(moments[i], others[i]);
}

/// When the instructions of a block issue, whose order the compiler chooses: each when what it
/// needs has arrived, and one at a time. Instructions that wait for the latest arrival keep their
/// order; those that are ready before it fill the time until then.
class BlockSchedule {
 public:
  /// When the first instruction can issue.
  [[nodiscard]] const Moments& begin() const { return begin_; }
  /// Issues an instruction that is ready at `ready` and keeps the way busy for `slots`.
  [[nodiscard]] Moments issue(Moments ready, std::int64_t slots) {
    slots_ += slots;
    for (std::size_t i = 0; i < ready.size(); ++i) {
      if (ready[i] < wait_[i]) continue;
      if (ready[i] > busy_[i]) wait_[i] = busy_[i] = ready[i];
      ready[i] = busy_[i];
      busy_[i] += slots;
    }
    return ready;
  }
  /// Issues what needs nothing: before the first wait in its place, else while others wait.
  void spend(std::int64_t slots) { static_cast<void>(issue(begin_, slots)); }
  /// When all instructions have issued.
  [[nodiscard]] Moments end() const {
    Moments result = busy_;
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = std::max(result[i], begin_[i] + slots_);
    }
    return result;
  }
  /// The next block begins at `moment`.
  void restart(const Moments& moment) {
    begin_ = wait_ = busy_ = moment;
    slots_ = 0;
  }

 private:
  Moments begin_{};
  Moments wait_{};  // the latest arrival that was waited for
  Moments busy_{};  // until when what follows it keeps the way busy
  std::int64_t slots_ = 0;
};

}  // namespace agpusim

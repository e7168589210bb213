#pragma once

#include <cstdint>
#include <optional>

#include "agpusim/algorithms/segments.hpp"
#include "agpusim/model/cost/bill.hpp"

namespace agpusim {

/// The segments of a phase for its closed form: those of the host, or, with a length that the
/// device reads (a 32-bit integer), those that its tasks cut.
class SegmentsOnDevice {
 public:
  SegmentsOnDevice(const AgpuSpec& spec, const Cut& of, std::optional<std::int64_t> device_length)
      : segments_(device_length ? cut(*device_length, of.how()) : of.host()),
        tasks_(device_length ? of.most_tasks() : of.host().tasks),
        length_words_(device_length ? spec.words_per_element(4) : 0) {}

  [[nodiscard]] std::int64_t tasks() const { return tasks_; }
  [[nodiscard]] std::int64_t first(std::int64_t task) const { return segments_.first(task); }
  [[nodiscard]] std::int64_t length(std::int64_t task) const { return segments_.length(task); }
  /// What a task pays to learn its segment.
  void charge_cut(Bill& bill) const {
    if (length_words_ == 0) return;
    bill.global_broadcast(0, length_words_);
    bill.rounds(1);
  }

 private:
  Segments segments_;
  std::int64_t tasks_;
  std::int64_t length_words_;
};

}  // namespace agpusim

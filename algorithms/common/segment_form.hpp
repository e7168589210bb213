#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "agpusim/algorithms/common/indexed_form.hpp"
#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/model/cost/bill.hpp"

namespace agpusim {

/// The segments of a phase for its closed form: those of the host, or, with a length that the
/// device reads (a 32-bit integer), those that its tasks cut.
class SegmentsOnDevice {
 public:
  SegmentsOnDevice(const AgpuSpec& spec, const Cut& of, std::optional<std::int64_t> device_length)
      : segments_(device_length ? cut(*device_length, of.how()) : of.host()),
        tasks_(device_length ? of.most_tasks() : of.host().tasks),
        length_words_(device_length ? spec.words_per_element(4) : 0),
        length_at_(of.length_at() * length_words_) {}

  [[nodiscard]] std::int64_t tasks() const { return tasks_; }
  [[nodiscard]] std::int64_t first(std::int64_t task) const { return segments_.first(task); }
  [[nodiscard]] std::int64_t length(std::int64_t task) const { return segments_.length(task); }
  /// Segments that hold elements, which tasks 0, 1, ... take.
  [[nodiscard]] std::int64_t used() const { return segments_.n > 0 ? segments_.tasks : 0; }
  /// What a task pays to learn its segment.
  void charge_cut(Bill& bill) const {
    if (length_words_ == 0) return;
    bill.global_broadcast(length_at_, length_words_);
    bill.rounds(1);
  }

 private:
  Segments segments_;
  std::int64_t tasks_;
  std::int64_t length_words_;
  std::int64_t length_at_;
};

/// What read_previous costs a task with `length` elements from element `first` on.
inline void charge_previous(Bill& bill, const AgpuSpec& spec, std::int64_t first,
                            std::int64_t length, std::int64_t words) {
  if (first > 0) {
    bill.global_rows(&Counts::global_read, length, (first - 1) * words, words);
    return;
  }
  std::vector<std::int32_t> places(static_cast<std::size_t>(length));
  std::iota(places.begin(), places.end(), -1);  // element 0 has none before it
  const IndexedAccess access(spec, words);
  bill.alu_rows(1, length);  // i >= 1
  access.alu(bill, 1, places);
  access.global(bill, &Counts::global_read, places);
}

}  // namespace agpusim

#pragma once

#include <cstdint>
#include <optional>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/model/cost/bill.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::reduce {

/// What one task of SegmentReduce or OrderedSegmentReduce costs.
class TaskCost {
 public:
  /// `words` per element, `operator_alu` instructions of one application; `per_lane` is c of the
  /// ordered kernel, 0 for the commutative one.
  TaskCost(const AgpuSpec& spec, std::int64_t words, std::int64_t operator_alu,
           std::int64_t per_lane);

  /// Reducing `length` elements from element `first` on and writing partial result `task`.
  [[nodiscard]] Counts operator()(std::int64_t length, std::int64_t first, std::int64_t task) const;
  /// The phase that reduces every segment; `device_length` where the device reads the length.
  [[nodiscard]] PhaseForm phase(const Cut& cut,
                                std::optional<std::int64_t> device_length = {}) const;
  [[nodiscard]] const char* kernel() const;
  [[nodiscard]] std::int64_t shared_words() const { return spec_.width * words_ * (per_lane_ + 1); }

 private:
  void commutative(Bill& bill, std::int64_t length, std::int64_t first) const;
  void ordered(Bill& bill, std::int64_t length, std::int64_t first) const;
  void commutative_tree(Bill& bill) const;
  void ordered_tree(Bill& bill) const;
  void fold(Bill& bill, std::int64_t count) const;
  [[nodiscard]] std::int64_t warps_of_multiples(std::int64_t active, std::int64_t step) const;
  void tree_access(Bill& bill, std::int64_t active, std::int64_t step) const;

  AgpuSpec spec_;
  std::int64_t words_;
  std::int64_t operator_alu_;
  std::int64_t per_lane_;
  Counts tree_;  ///< of the lanes' tree: at the end of a task; ordered: of each tile
};

}  // namespace agpusim::reduce

#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/algorithms/statistics/extremes.hpp"
#include "agpusim/model/cost/bill.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::statistics {

/// What the closed form must know of a type and a policy: instructions and record sizes.
struct PolicyCost {
  std::int64_t number_bytes;
  std::int32_t lane_fields;  ///< of a lane's record within a task
  std::int32_t fields;       ///< of a task's record
  std::int64_t first_alu;    ///< once per task, by the lanes of the first row
  std::int64_t absorb_alu;   ///< per number
  std::int64_t store_alu;    ///< from a lane's state to its record
  std::int64_t fold_alu;     ///< combines two lanes' records
  std::int64_t finish_alu;   ///< from lane 0's record to the task's
  std::int64_t merge_alu;    ///< combines two tasks' records
  bool reads_shift;          ///< every lane reads the segment's first number besides
};

template <class T, class Moments>
[[nodiscard]] constexpr PolicyCost policy_cost() {
  using Parts = Extremes<T>;
  return {sizeof(T),
          Parts::fields + Moments::sums,
          Parts::fields + Moments::fields,
          Moments::first_alu,
          Parts::absorb_alu + Moments::absorb_alu,
          Parts::store_alu + Moments::store_alu,
          Parts::combine_alu + Moments::add_alu,
          Moments::finish_alu,
          Parts::combine_alu + Moments::merge_alu,
          Moments::reads_shift};
}

/// The closed form of Program's phases.
class SummaryCost {
 public:
  SummaryCost(const AgpuSpec& spec, const PolicyCost& policy);

  [[nodiscard]] std::vector<PhaseForm> phases(const std::vector<Cut>& steps) const;
  /// By lane 0 of one task.
  [[nodiscard]] PhaseForm serial(std::int64_t n) const;
  /// Words of shared memory that a task needs.
  [[nodiscard]] std::int64_t shared_words(std::int32_t fields) const;

 private:
  [[nodiscard]] Counts segment(std::int64_t length, std::int64_t first, std::int64_t task,
                               std::int64_t tasks) const;
  [[nodiscard]] Counts merge(std::int64_t length, std::int64_t first, std::int64_t records,
                             std::int64_t task, std::int64_t tasks) const;
  void fold(Bill& bill, std::int64_t lanes, std::int32_t fields, std::int64_t combine_alu) const;
  void write_record(Bill& bill, std::int64_t task, std::int64_t tasks) const;

  AgpuSpec spec_;
  PolicyCost policy_;
  std::int64_t words_;        // of a number
  std::int64_t field_words_;  // of a record's field
};

}  // namespace agpusim::statistics

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/algorithms/scan/method_cost.hpp"
#include "agpusim/model/cost/bill.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::scan {

/// The closed form of the three phases of a scan (theory 3.8: Q = 3n/b + 2k + 2⌈k/b⌉, and k more
/// for the tasks' reads of what lies before them; scan-then-add: n/b more).
class ScanCost {
 public:
  /// `words` per element, `operator_alu` instructions of one application, c = `per_lane`.
  ScanCost(const AgpuSpec& spec, std::int64_t words, std::int64_t operator_alu, bool commutative,
           std::int64_t per_lane);
  /// With the methods of the partial results and of the segments; a commutative operator.
  ScanCost(const AgpuSpec& spec, std::int64_t words, std::int64_t operator_alu, MethodCost partials,
           MethodCost segments);

  /// Appends the phases; `device_length` where the device reads the length. Nothing for n = 0.
  void append(std::vector<PhaseForm>& forms, const Cut& cut,
              std::optional<std::int64_t> device_length = {}) const;
  /// The phases of scan-then-add.
  void append_then_add(std::vector<PhaseForm>& forms, const Cut& cut) const;

 private:
  [[nodiscard]] PhaseForm scan_partials(std::int64_t tasks) const;
  static void segment(Bill& bill, const MethodCost& method, std::int64_t length,
                      std::int64_t first);

  AgpuSpec spec_;
  std::int64_t words_;
  std::int64_t operator_alu_;
  std::int64_t ordered_per_lane_;  // c of the ordered reduction, 0: the commutative one
  MethodCost partials_;
  MethodCost segments_;
};

}  // namespace agpusim::scan

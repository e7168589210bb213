#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/segments.hpp"
#include "agpusim/model/cost/bill.hpp"

namespace agpusim::scan {

/// The closed form of the three phases of a scan (theory 3.8: Q = 3n/b + 2k + 2⌈k/b⌉, and k more
/// for the tasks' reads of what lies before them).
class ScanCost {
 public:
  /// `words` per element, `operator_alu` instructions of one application, c = `per_lane`.
  ScanCost(const AgpuSpec& spec, std::int64_t words, std::int64_t operator_alu, bool commutative,
           std::int64_t per_lane);

  /// Appends the phases; `device_length` where the device reads the length. Nothing for n = 0.
  void append(std::vector<PhaseForm>& forms, const Cut& cut,
              std::optional<std::int64_t> device_length = {}) const;

 private:
  void segment(Bill& bill, std::int64_t length, std::int64_t first) const;
  void tile(Bill& bill, std::int64_t count, std::int64_t first) const;
  void lanes(Bill& bill) const;
  void neighbours(Bill& bill, std::int64_t count, bool rewrite) const;

  AgpuSpec spec_;
  std::int64_t words_;
  std::int64_t operator_alu_;
  bool commutative_;
  std::int64_t per_lane_;
  Counts lanes_;  ///< of the scan over the lanes' sums, for each tile
};

}  // namespace agpusim::scan

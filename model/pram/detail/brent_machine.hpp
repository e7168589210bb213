#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "agpusim/model/pram/trace.hpp"

namespace agpusim::detail {

/// A PRAM of P processors that a schedule drives access by access. It refuses what the machine
/// forbids with Error(internal): a schedule that asks for it is wrong.
class BrentMachine {
 public:
  BrentMachine(const PramTrace& trace, std::int64_t processors);

  /// What `cell` held before this step.
  std::int64_t load(std::int64_t processor, std::int64_t cell);
  /// Takes effect at the end of the step.
  void store(std::int64_t processor, std::int64_t cell, std::int64_t value,
             bool accumulate = false);
  /// Ends the step.
  void commit();

  [[nodiscard]] const PramSpec& spec() const { return spec_; }
  [[nodiscard]] std::int64_t processors() const { return processors_; }
  [[nodiscard]] std::int64_t steps() const { return steps_; }
  /// The defined cells; those of the recorded run come first, auxiliary ones behind them.
  [[nodiscard]] const std::unordered_map<std::int64_t, std::int64_t>& memory() const {
    return memory_;
  }

 private:
  PramSpec spec_;
  std::int64_t processors_;
  std::int64_t steps_ = 0;
  std::unordered_map<std::int64_t, std::int64_t> memory_;
  // the current step:
  std::unordered_map<std::int64_t, std::int32_t> loads_;    // processor -> cells read
  std::unordered_map<std::int64_t, std::int64_t> readers_;  // cell -> first processor
  std::vector<PramAccessRecord> stores_;
};

}  // namespace agpusim::detail

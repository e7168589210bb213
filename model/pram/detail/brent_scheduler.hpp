#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "agpusim/model/pram/brent.hpp"

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

/// Carries out recorded steps on a machine of P processors: processor v mod P acts for v, as one
/// of group v / P.
class BrentScheduler {
 public:
  BrentScheduler(const PramTrace& trace, std::int64_t processors, SumSplit split);

  /// `effective` are the writes of `step` that took effect.
  BrentStep run(const PramStepTrace& step, const std::vector<PramAccessRecord>& effective);

  [[nodiscard]] const BrentMachine& machine() const { return machine_; }
  [[nodiscard]] std::int64_t auxiliary_cells() const { return auxiliary_; }

 private:
  [[nodiscard]] std::int64_t word() const { return machine_.spec().word_bits; }
  [[nodiscard]] std::int64_t group_of(const PramAccessRecord& access) const {
    return access.processor / machine_.processors();
  }
  /// The processor that stands in for the virtual one.
  [[nodiscard]] std::int64_t actor(const PramAccessRecord& access) const {
    return access.processor % machine_.processors();
  }
  [[nodiscard]] std::span<const PramAccessRecord> group(
      const std::vector<PramAccessRecord>& accesses, std::int64_t g) const;

  [[nodiscard]] BrentWrites method(const std::vector<PramAccessRecord>& recorded) const;
  [[nodiscard]] bool needs_buffer(const std::vector<PramAccessRecord>& reads,
                                  const std::vector<PramAccessRecord>& writes,
                                  bool descending) const;
  void read(std::span<const PramAccessRecord> reads);
  void fold(std::span<const PramAccessRecord> writes);
  void elect_and_fold(std::span<const PramAccessRecord> writes);
  std::int64_t mask_cell(std::int64_t cell, std::int64_t level, std::int64_t node);

  BrentMachine machine_;
  std::int64_t cells_;  // memory of the recorded run
  SumSplit split_;
  std::int64_t levels_ = 0;  // ⌈log_w P⌉
  std::int64_t auxiliary_ = 0;
  std::map<std::array<std::int64_t, 3>, std::int64_t> masks_;  // cell, level, node -> its cell
};

}  // namespace agpusim::detail

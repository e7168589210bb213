#pragma once

#include "agpusim/model/pram/machine.hpp"
#include "agpusim/tests/support/rows.hpp"

namespace agpusim::test {

inline PramSpec machine_of(PramAccess access, std::int32_t word_bits = 64) {
  return PramSpec{.access = access, .word_bits = word_bits};
}

/// A machine of one host thread that keeps the trace of its steps.
inline Pram recording(PramAccess access, std::int32_t word_bits = 64) {
  return Pram(machine_of(access, word_bits), PramOptions{.threads = 1, .record_trace = true});
}

/// `f` breaks a rule, and the message has each of these parts.
template <class F>
void check_violation(const std::vector<std::string>& parts, F f) {
  CHECK_THAT(message_of<RuleViolation>(f), Says(parts));
}

/// Calls `check` for every variant of every row on a PRAM, with a run of it to fill in.
template <class Check>
void for_each_pram_variant(Check check) {
  for (const Algorithm& row : all_rows().on_pram()) {
    for (const Variant& variant : row.pram->variants) {
      RunConfig config = run_on_pram();
      config.variant = variant.name;
      CAPTURE(row.name, variant.name);
      check(row, variant, config);
    }
  }
}

}  // namespace agpusim::test

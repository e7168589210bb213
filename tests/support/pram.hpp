#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/model/pram/machine.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim::test {

inline PramSpec machine_of(PramAccess access, std::int32_t word_bits = 64) {
  PramSpec spec;
  spec.access = access;
  spec.word_bits = word_bits;
  return spec;
}

/// A machine of one host thread that keeps the trace of its steps.
inline Pram recording(PramAccess access, std::int32_t word_bits = 64) {
  PramOptions options;
  options.threads = 1;
  options.record_trace = true;
  return Pram(machine_of(access, word_bits), options);
}

inline void check_message(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    CHECK_THAT(message, Catch::Matchers::ContainsSubstring(part));
  }
}

}  // namespace agpusim::test

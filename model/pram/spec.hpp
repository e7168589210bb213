#pragma once

#include <cstdint>
#include <string>

namespace agpusim {

/// Which processors may access one cell in one step, and what a cell holds after several of them
/// wrote it (theory 2.2).
enum class PramAccess {
  erew,       ///< one reader, one writer; more is an error
  crew,       ///< many readers, one writer
  common,     ///< CRCW: all writers of a cell write the same value, else an error
  arbitrary,  ///< CRCW: one writer wins, drawn at random from PramSpec::seed
  priority,   ///< CRCW: the processor with the smallest number wins
  sum,        ///< combining CRCW: the sum of the values (presumably Eisenstat's)
  max,        ///< combining CRCW: the largest value
  min,        ///< combining CRCW: the smallest value
  bit_or,     ///< combining CRCW: bitwise or
  bit_xor,    ///< combining CRCW: bitwise exclusive or
};

/// What a cell of a Sum-CRCW PRAM receives (theory 2.3).
enum class SumReading {
  values,  ///< the sum of the values written
  count,   ///< the number of processors that wrote, as seed 000 literally says
};

/// A parallel random access machine: synchronous processors over one memory of signed words. An
/// immutable description; it holds no state.
struct PramSpec {
  PramAccess access = PramAccess::sum;
  SumReading sum = SumReading::values;
  std::int32_t word_bits = 64;      ///< w, of a signed word: 2..64
  std::int32_t reads_per_step = 2;  ///< cells a processor may read in one step (P1 says 1)
  std::int64_t max_processors = 0;  ///< largest step that is accepted; 0 = any
  std::uint64_t seed = 1;           ///< draws the winners of `arbitrary`

  friend bool operator==(const PramSpec&, const PramSpec&) = default;

  /// For example "Sum-CRCW PRAM" or "EREW PRAM, w=32".
  [[nodiscard]] std::string to_string() const;
};

/// Throws UsageError that names the parameter: word_bits outside 2..64, reads_per_step outside
/// 1..16, max_processors negative.
void validate(const PramSpec& spec);

/// "erew", "crew", "common", "arbitrary", "priority", "sum", "max", "min", "or", "xor".
[[nodiscard]] const char* to_string(PramAccess access);

/// For example "values".
[[nodiscard]] const char* to_string(SumReading reading);
/// The inverse; throws UsageError that lists the known names.
[[nodiscard]] PramAccess parse_pram_access(const std::string& name);

}  // namespace agpusim

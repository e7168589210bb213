#include "agpusim/model/pram/spec.hpp"

#include <array>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

struct Name {
  PramAccess access;
  const char* key;    // on the command line and in files
  const char* title;  // in a sentence
};

constexpr std::array<Name, 10> names{{
    {PramAccess::erew, "erew", "EREW"},
    {PramAccess::crew, "crew", "CREW"},
    {PramAccess::common, "common", "Common-CRCW"},
    {PramAccess::arbitrary, "arbitrary", "Arbitrary-CRCW"},
    {PramAccess::priority, "priority", "Priority-CRCW"},
    {PramAccess::sum, "sum", "Sum-CRCW"},
    {PramAccess::max, "max", "Max-CRCW"},
    {PramAccess::min, "min", "Min-CRCW"},
    {PramAccess::bit_or, "or", "Or-CRCW"},
    {PramAccess::bit_xor, "xor", "Xor-CRCW"},
}};

}  // namespace

std::string PramSpec::to_string() const {
  std::string text = "unknown";
  for (const Name& name : names) {
    if (name.access == access) text = name.title;
  }
  text += " PRAM";
  if (access == PramAccess::sum && sum == SumReading::count) text += " (number of writers)";
  if (word_bits != 64) text += fmt::format(", w={}", word_bits);
  return text;
}

void validate(const PramSpec& spec) {
  if (spec.word_bits < 2 || spec.word_bits > 64) {
    throw UsageError(fmt::format("w = {}: a signed word has 2 to 64 bits", spec.word_bits));
  }
  if (spec.reads_per_step < 1 || spec.reads_per_step > 16) {
    throw UsageError(fmt::format("reads_per_step = {}: a processor reads 1 to 16 cells in a step",
                                 spec.reads_per_step));
  }
  if (spec.max_processors < 0) {
    throw UsageError(fmt::format("max_processors = {}: must not be negative; 0 accepts any step",
                                 spec.max_processors));
  }
}

const char* to_string(SumReading reading) {
  return reading == SumReading::values ? "values" : "count";
}

const char* to_string(PramAccess access) {
  for (const Name& name : names) {
    if (name.access == access) return name.key;
  }
  return "unknown";
}

PramAccess parse_pram_access(const std::string& name) {
  std::string known;
  for (const Name& row : names) {
    if (name == row.key) return row.access;
    known += known.empty() ? row.key : fmt::format(", {}", row.key);
  }
  throw UsageError(fmt::format("no PRAM called \"{}\"; known: {}", name, known));
}

}  // namespace agpusim

#include "agpusim/model/agpu/spec.hpp"

#include <array>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {

std::string AgpuSpec::to_string() const {
  return fmt::format("AGPU(p={}, b={}, M={}, w={}), V={}", cores, block_words, shared_words,
                     word_bits, width);
}

void validate(const AgpuSpec& spec) {
  if (spec.block_words < 1 || spec.block_words > max_width) {
    throw UsageError(
        fmt::format("b = {}: the block size must be in 1..{} words", spec.block_words, max_width));
  }
  if (spec.cores < 1 || spec.cores > (std::int64_t{1} << 40)) {
    throw UsageError(fmt::format("p = {}: the number of cores must be in 1..2^40", spec.cores));
  }
  if (spec.cores % spec.block_words != 0) {
    throw UsageError(fmt::format(
        "p = {} is not a multiple of b = {}: every multiprocessor has b cores; try p = {}",
        spec.cores, spec.block_words,
        (spec.cores / spec.block_words + 1) * std::int64_t{spec.block_words}));
  }
  if (spec.shared_words < spec.block_words) {
    throw UsageError(
        fmt::format("M = {} is smaller than b = {}: shared memory holds a block at least",
                    spec.shared_words, spec.block_words));
  }
  if (spec.shared_words > (std::int64_t{1} << 30)) {
    throw UsageError(fmt::format(
        "M = {}: shared memory of one multiprocessor is at most 2^30 words", spec.shared_words));
  }
  if (spec.word_bits < 8 || spec.word_bits > 64) {
    throw UsageError(fmt::format("w = {}: a word has 8 to 64 bits", spec.word_bits));
  }
  if (spec.width < spec.block_words || spec.width > max_width ||
      spec.width % spec.block_words != 0) {
    throw UsageError(
        fmt::format("V = {}: the lanes of a task must be a multiple of b = {} up to {}", spec.width,
                    spec.block_words, max_width));
  }
  if (spec.next_fit_cap < 0) {
    throw UsageError(fmt::format("next-fit cap = {}: must not be negative", spec.next_fit_cap));
  }
}

void require_addresses(const AgpuSpec& spec, std::int64_t words, std::string_view what) {
  if (spec.word_bits >= 63 || words <= std::int64_t{1} << spec.word_bits) return;
  throw RuleViolation(fmt::format(
      "word overflow: {} brings global memory to {} words, whose addresses need more than w = {} "
      "bits; use a larger w",
      what, words, spec.word_bits));
}

const char* to_string(BankMode mode) { return mode == BankMode::merge ? "merge" : "strict"; }

const char* to_string(Assignment assignment) {
  constexpr std::array names = {"static", "list", "next-fit"};
  return names.at(static_cast<std::size_t>(assignment));
}

}  // namespace agpusim

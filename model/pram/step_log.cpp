#include "agpusim/model/pram/step_log.hpp"

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim::detail {
namespace {

void require_cell(const PramChunk& chunk, const PramCells& array, std::int64_t index,
                  std::int64_t processor, const char* verb) {
  if (array.machine == nullptr) {
    throw UsageError(
        fmt::format("{}: processor {} {} an array that was never made; call "
                    "Pram::array first",
                    chunk.step, processor, verb));
  }
  if (array.machine != chunk.machine) {
    throw UsageError(fmt::format("{}: processor {} {} {}[{}], an array of another machine",
                                 chunk.step, processor, verb, array.name, index));
  }
  if (index < 0 || index >= array.size) {
    throw RuleViolation(
        fmt::format("{}: out of bounds: processor {} {} {}[{}], and {} has {} cells", chunk.step,
                    processor, verb, array.name, index, array.name, array.size));
  }
}

void require_one_write(const PramChunk& chunk, const PramCells& array, std::int64_t index,
                       std::int64_t processor, bool wrote) {
  if (wrote) {
    throw RuleViolation(fmt::format(
        "{}: processor {} writes {}[{}] as its second write; a processor writes one cell in a step",
        chunk.step, processor, array.name, index));
  }
}

[[noreturn]] void fail_word(const PramChunk& chunk, const PramCells& array, std::int64_t index,
                            std::int64_t processor, std::int64_t value) {
  throw RuleViolation(
      fmt::format("{}: word overflow: processor {} writes {} to {}[{}], more than a signed word of "
                  "w bits holds; use a larger w",
                  chunk.step, processor, value, array.name, index));
}

}  // namespace

const PramCells no_pram_cells;

void fail_pram_read(const PramChunk& chunk, const PramCells& array, std::int64_t index,
                    std::int64_t processor, std::int32_t reads) {
  require_cell(chunk, array, index, processor, "reads");
  if (reads == chunk.reads_allowed) {
    throw RuleViolation(
        fmt::format("{}: processor {} reads {}[{}] as its read number {}; the machine allows {} "
                    "per step (PramSpec::reads_per_step)",
                    chunk.step, processor, array.name, index, reads + 1, reads));
  }
  throw RuleViolation(
      fmt::format("{}: processor {} reads {}[{}], a cell nobody wrote; give the array its content "
                  "or clear it in an earlier step",
                  chunk.step, processor, array.name, index));
}

void fail_pram_write(const PramChunk& chunk, const PramCells& array, std::int64_t index,
                     std::int64_t processor, std::int64_t value, bool wrote) {
  require_cell(chunk, array, index, processor, "writes");
  require_one_write(chunk, array, index, processor, wrote);
  fail_word(chunk, array, index, processor, value);
}

void fail_pram_accumulate(const PramChunk& chunk, const PramCells& array, std::int64_t index,
                          std::int64_t processor, std::int64_t value, bool wrote) {
  require_cell(chunk, array, index, processor, "accumulates to");
  if (!chunk.accumulates) {
    throw RuleViolation(
        fmt::format("{}: processor {} accumulates to {}[{}], which only a Sum-CRCW PRAM can do",
                    chunk.step, processor, array.name, index));
  }
  require_one_write(chunk, array, index, processor, wrote);
  if (static_cast<std::uint64_t>(value) + chunk.word_bias > chunk.word_mask) {
    fail_word(chunk, array, index, processor, value);
  }
  throw RuleViolation(
      fmt::format("{}: processor {} accumulates to {}[{}], a cell nobody wrote; clear it in an "
                  "earlier step",
                  chunk.step, processor, array.name, index));
}

}  // namespace agpusim::detail

#include "agpusim/model/pram/step_log.hpp"

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim::detail {
namespace {

void require_cell(const PramChunk& chunk, const PramCells& array, std::int64_t index,
                  std::int64_t processor, const char* verb, SourceLine where) {
  if (array.machine == nullptr) {
    throw UsageError(
        fmt::format("{}: processor {} {} an array that was never made; call Pram::array first{}",
                    chunk.step, processor, verb, at(where)));
  }
  if (array.machine != chunk.machine) {
    throw UsageError(fmt::format("{}: processor {} {} {}[{}], an array of another machine{}",
                                 chunk.step, processor, verb, array.name, index, at(where)));
  }
  if (index < 0 || index >= array.size) {
    throw RuleViolation(
        fmt::format("{}: out of bounds: processor {} {} {}[{}], and {} has {} cells{}", chunk.step,
                    processor, verb, array.name, index, array.name, array.size, at(where)));
  }
}

/// The value does not fit a word, else it is a second write.
[[noreturn]] void fail_value(const PramChunk& chunk, const PramCells& array, std::int64_t index,
                             std::int64_t processor, std::int64_t value, SourceLine where) {
  if (static_cast<std::uint64_t>(value) + chunk.word_bias > chunk.word_mask) {
    throw RuleViolation(
        fmt::format("{}: word overflow: processor {} writes {} to {}[{}], more than a signed word "
                    "of w bits holds; use a larger w (PramSpec::word_bits, --w){}",
                    chunk.step, processor, value, array.name, index, at(where)));
  }
  throw RuleViolation(
      fmt::format("{}: processor {} writes {}[{}] as its second write; a processor writes one cell "
                  "in a step, let another one or a later step write the second{}",
                  chunk.step, processor, array.name, index, at(where)));
}

/// Tells a search that it has found its access, if this is the one.
void note_site(const PramChunk& chunk, const PramCells& array, std::int64_t index,
               SourceLine where) {
  if (chunk.search == nullptr || array.machine != chunk.machine) return;
  if (array.first + index == chunk.search->cell) chunk.search->found = where;
}

}  // namespace

const PramCells no_pram_cells;

std::string at(SourceLine where) {
  const std::string_view file = where.file_name();
  return fmt::format(" (at {}:{})", file.substr(file.rfind('/') + 1), where.line());
}

void fail_pram_read(const PramChunk& chunk, const PramCells& array, std::int64_t index,
                    std::int64_t processor, std::int32_t reads, SourceLine where) {
  note_site(chunk, array, index, where);
  require_cell(chunk, array, index, processor, "reads", where);
  if (reads == chunk.reads_allowed) {
    throw RuleViolation(
        fmt::format("{}: processor {} reads {}[{}] as its read number {}, and the machine allows "
                    "{} in a step; allow more, up to 16 (PramSpec::reads_per_step, "
                    "--reads-per-step), or read the rest in another step{}",
                    chunk.step, processor, array.name, index, reads + 1, reads, at(where)));
  }
  throw RuleViolation(
      fmt::format("{}: processor {} reads {}[{}], a cell nobody wrote; give the array its content "
                  "or clear it in an earlier step{}",
                  chunk.step, processor, array.name, index, at(where)));
}

void fail_pram_write(const PramChunk& chunk, const PramCells& array, std::int64_t index,
                     std::int64_t processor, std::int64_t value, SourceLine where) {
  note_site(chunk, array, index, where);
  require_cell(chunk, array, index, processor, "writes", where);
  fail_value(chunk, array, index, processor, value, where);
}

void fail_pram_accumulate(const PramChunk& chunk, const PramCells& array, std::int64_t index,
                          std::int64_t processor, std::int64_t value, SourceLine where) {
  note_site(chunk, array, index, where);
  require_cell(chunk, array, index, processor, "accumulates to", where);
  if (!chunk.accumulates) {
    throw RuleViolation(
        fmt::format("{}: processor {} accumulates to {}[{}], which only a Sum-CRCW PRAM can do "
                    "(PramSpec::access, --model sum){}",
                    chunk.step, processor, array.name, index, at(where)));
  }
  if (test_bit(chunk.written, array.first + index)) {
    fail_value(chunk, array, index, processor, value, where);
  }
  throw RuleViolation(fmt::format(
      "{}: processor {} accumulates to {}[{}], a cell nobody wrote; clear it in an earlier step{}",
      chunk.step, processor, array.name, index, at(where)));
}

}  // namespace agpusim::detail

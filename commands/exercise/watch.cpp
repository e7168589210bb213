#include "agpusim/commands/exercise/watch.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "agpusim/model/source_text.hpp"

// What the linker says of the program's static and global variables that are no constants.
extern "C" {
extern char __data_start[] __attribute__((weak));
extern char _end[] __attribute__((weak));
}

namespace agpusim::exercise {
namespace {

// An answer with more is refused: it would take much time to look at.
constexpr std::size_t most_words = std::size_t{1} << 16;
constexpr std::size_t most_static_bytes = std::size_t{1} << 24;
// The simulator's own variables change at their first use only.
constexpr int changes_of_an_answer = 3;

struct Watch {
  std::uint64_t* top = nullptr;  // where the answer begins on the stack
  std::uint64_t* low = nullptr;  // lowest word of the step at hand
  std::vector<std::uint64_t> before, merged;
  std::vector<std::int64_t> owner;  // the processor that changed a word
  std::string step, found;
  std::vector<char> statics;
  std::vector<std::int64_t> cells;  // cells as the processors see them
  std::ptrdiff_t reads = 0;         // reads of the chunk at hand
};
thread_local Watch watch;

/// A container that grows has a new address; the old one is gone.
bool is_address(std::uint64_t word) { return word >> 40 != 0 && word >> 47 == 0; }

std::size_t static_bytes() {
  const auto begin = reinterpret_cast<std::uintptr_t>(__data_start);
  const auto end = reinterpret_cast<std::uintptr_t>(_end);
  return begin == 0 || end < begin ? 0 : end - begin;
}

}  // namespace

WatchedStep::WatchedStep(void* frame, std::string_view name, SourceLine where) {
  auto* const low = static_cast<std::uint64_t*>(frame);
  if (watch.top == nullptr || low >= watch.top) return;
  const auto words = static_cast<std::size_t>(watch.top - low);
  watch.step = fmt::format("step {} at {}", name, place_text(where.file_name(), where.line()));
  if (words > most_words) {
    watch.found =
        fmt::format("{}: C++ variables take more than {} KiB: write to arrays of the PRAM",
                    watch.step, most_words * sizeof(std::uint64_t) >> 10);
    return;
  }
  watch.low = low;
  watch.before.assign(low, watch.top);
  watch.merged = watch.before;
  watch.owner.assign(words, -1);
}

WatchedStep::~WatchedStep() {
  if (watch.low == nullptr) return;
  for (std::size_t i = 0; i < watch.owner.size(); ++i) {
    if (watch.owner[i] >= 0) watch.low[i] = watch.merged[i];
  }
  watch.low = nullptr;
}

void WatchedStep::end_body(std::int64_t processor) {
  if (watch.low == nullptr) return;
  if (std::memcmp(watch.low, watch.before.data(), watch.before.size() * sizeof(std::uint64_t)) ==
      0) {
    return;
  }
  for (std::size_t i = 0; i < watch.before.size(); ++i) {
    const std::uint64_t now = watch.low[i];
    if (now == watch.before[i]) continue;
    if (watch.owner[i] >= 0 && watch.owner[i] != processor && watch.found.empty()) {
      watch.found = fmt::format(
          "{}: processors {} and {} change one C++ variable, which is no memory of the PRAM: give "
          "each a variable of its own, or write to an array",
          watch.step, watch.owner[i], processor);
    }
    watch.owner[i] = processor;
    watch.merged[i] = now;
    if (is_address(now)) {
      watch.before[i] = now;
    } else {
      watch.low[i] = watch.before[i];
    }
  }
}

HiddenCells::HiddenCells(const detail::PramChunk& chunk) : chunk_(chunk) {
  auto* const memory = const_cast<std::int64_t*>(chunk.memory);
  watch.cells.assign(memory, memory + chunk.cells);
  watch.reads = 0;
  std::uint64_t other = 1;
  for (std::int64_t i = 0; i < chunk.cells; ++i) {
    other = other * 6364136223846793005U + 1442695040888963407U;
    memory[i] = static_cast<std::int64_t>(other >> 40);
  }
}

HiddenCells::~HiddenCells() {
  std::ranges::copy(watch.cells, const_cast<std::int64_t*>(chunk_.memory));
  if (watch.reads != chunk_.read_count && watch.found.empty()) {
    watch.found = watch.step + ": processors read cells without p.read()";
  }
}

std::int64_t HiddenCells::read(std::int64_t cell) {
  ++watch.reads;
  return watch.cells.at(static_cast<std::size_t>(cell));
}

WatchedRun::WatchedRun() {
  watch.top = reinterpret_cast<std::uint64_t*>(reinterpret_cast<std::uintptr_t>(this) & ~7ULL);
  watch.found.clear();
  const std::size_t size = static_bytes();
  if (size > most_static_bytes) {
    watch.found =
        fmt::format("static and global variables take more than {} MiB: use memory of the machine",
                    most_static_bytes >> 20);
  }
  watch.statics.assign(__data_start, __data_start + std::min(size, most_static_bytes));
}

WatchedRun::~WatchedRun() { watch.top = nullptr; }

std::string WatchedRun::found() {
  static int changes = 0;
  const std::size_t size = watch.statics.size();
  if (watch.found.empty() && std::memcmp(watch.statics.data(), __data_start, size) != 0 &&
      ++changes >= changes_of_an_answer) {
    watch.found =
        "a static or global variable changes while the answer runs: it is no memory of the "
        "machine; use variables of the function, or shared and global memory";
  }
  return watch.found;
}

}  // namespace agpusim::exercise

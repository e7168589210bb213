#include "agpusim/model/pram/detail/brent_machine.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/pram/detail/replay_step.hpp"

namespace agpusim::detail {
namespace {

[[noreturn]] void fail(const char* rule, std::int64_t processor, std::int64_t cell) {
  throw Error(ExitCode::internal,
              fmt::format("Brent schedule: {} (processor {}, cell {})", rule, processor, cell));
}

}  // namespace

BrentMachine::BrentMachine(const PramTrace& trace, std::int64_t processors)
    : spec_(trace.spec), processors_(processors) {
  for (std::size_t cell = 0; cell < trace.initial.size(); ++cell) {
    if (trace.initially_written[cell]) {
      memory_.emplace(static_cast<std::int64_t>(cell), trace.initial[cell]);
    }
  }
  spec_.sum = SumReading::values;
}

std::int64_t BrentMachine::load(std::int64_t processor, std::int64_t cell) {
  if (processor < 0 || processor >= processors_) fail("no such processor", processor, cell);
  if (++loads_[processor] > spec_.reads_per_step) fail("too many reads", processor, cell);
  if (readers_.try_emplace(cell, processor).first->second != processor &&
      spec_.access == PramAccess::erew) {
    fail("a concurrent read", processor, cell);
  }
  const auto found = memory_.find(cell);
  if (found == memory_.end()) fail("a read of a cell nobody wrote", processor, cell);
  return found->second;
}

void BrentMachine::store(std::int64_t processor, std::int64_t cell, std::int64_t value,
                         bool accumulate) {
  if (processor < 0 || processor >= processors_) fail("no such processor", processor, cell);
  stores_.push_back({processor, cell, value, accumulate});
}

void BrentMachine::commit() {
  std::sort(stores_.begin(), stores_.end(),
            [](const PramAccessRecord& a, const PramAccessRecord& b) {
              return a.processor < b.processor;
            });
  for (std::size_t i = 1; i < stores_.size(); ++i) {
    if (stores_[i].processor == stores_[i - 1].processor) {
      fail("two writes", stores_[i].processor, stores_[i].cell);
    }
  }
  const std::vector<PramAccessRecord> sorted = by_cell(std::move(stores_));
  for_each_cell(sorted, [this](std::span<const PramAccessRecord> writers) {
    std::int64_t& cell = memory_[writers[0].cell];  // 0 while nobody wrote it
    cell = written(spec_, writers, cell);
  });
  stores_.clear();
  loads_.clear();
  readers_.clear();
  ++steps_;
}

}  // namespace agpusim::detail

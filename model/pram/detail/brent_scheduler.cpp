#include "agpusim/model/pram/detail/brent_scheduler.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/pram/detail/replay_step.hpp"

namespace agpusim::detail {
namespace {

using Records = std::vector<PramAccessRecord>;

/// The value that any number of processors may write without effect on what is combined with it.
std::int64_t neutral(const PramSpec& spec) {
  const std::int64_t least = std::numeric_limits<std::int64_t>::min() >> (64 - spec.word_bits);
  if (spec.access == PramAccess::max) return least;
  return spec.access == PramAccess::min ? ~least : 0;
}

std::int64_t combine(const PramSpec& spec, std::int64_t value, std::int64_t partial) {
  PramSpec rule = spec;
  rule.word_bits = 64;  // BrentMachine checks what is stored
  const PramAccessRecord both[] = {{0, 0, value}, {1, 0, partial}};
  return written(rule, both, 0);
}

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

BrentScheduler::BrentScheduler(const PramTrace& trace, std::int64_t processors, SumSplit split)
    : machine_(trace, processors),
      cells_(static_cast<std::int64_t>(trace.initial.size())),
      split_(split) {
  for (std::int64_t reach = 1; reach < processors; ++levels_) {
    reach = reach > processors / word() ? processors : reach * word();
  }
}

std::span<const PramAccessRecord> BrentScheduler::group(const Records& accesses,
                                                        std::int64_t g) const {
  const std::int64_t p = machine_.processors();
  return of_processors(accesses, g * p, g * p + p);
}

BrentWrites BrentScheduler::method(const Records& recorded) const {
  bool crossing = false;
  bool replaced = false;  // a crossing cell has a plain writer
  const Records sorted = by_cell(recorded);
  for_each_cell(sorted, [&](std::span<const PramAccessRecord> writers) {
    if (group_of(writers.front()) == group_of(writers.back())) return;
    crossing = true;
    for (const PramAccessRecord& write : writers) replaced = replaced || !write.accumulate;
  });
  if (!crossing) return BrentWrites::direct;
  switch (machine_.spec().access) {
    case PramAccess::erew:
    case PramAccess::crew:
    case PramAccess::common:
      break;
    case PramAccess::arbitrary:
      return BrentWrites::winner;
    case PramAccess::priority:
      return BrentWrites::descending;
    case PramAccess::sum:
      if (!replaced) return BrentWrites::accumulate;
      return split_ == SumSplit::accumulate ? BrentWrites::clear_accumulate
                                            : BrentWrites::clear_elect_fold;
    case PramAccess::max:
    case PramAccess::min:
    case PramAccess::bit_or:
      return BrentWrites::clear_fold;
    case PramAccess::bit_xor:
      return BrentWrites::clear_elect_fold;
  }
  return BrentWrites::direct;
}

bool BrentScheduler::needs_buffer(const Records& reads, const Records& writes,
                                  bool descending) const {
  const auto turn = [&](const PramAccessRecord& access) {
    return descending ? -group_of(access) : group_of(access);
  };
  std::unordered_map<std::int64_t, std::int64_t> first_write;  // cell -> turn
  for (const PramAccessRecord& write : writes) {
    const auto [entry, fresh] = first_write.try_emplace(write.cell, turn(write));
    if (!fresh) entry->second = std::min(entry->second, turn(write));
  }
  return std::any_of(reads.begin(), reads.end(), [&](const PramAccessRecord& read) {
    const auto found = first_write.find(read.cell);
    return found != first_write.end() && found->second < turn(read);
  });
}

void BrentScheduler::read(std::span<const PramAccessRecord> reads) {
  for (const PramAccessRecord& read : reads) {
    const std::int64_t value = machine_.load(actor(read), read.cell);
    if (value != read.value) {
      throw Error(ExitCode::internal,
                  fmt::format("Brent schedule: processor {} reads {} from cell {}, recorded was {}",
                              read.processor, value, read.cell, read.value));
    }
  }
}

void BrentScheduler::fold(std::span<const PramAccessRecord> writes) {
  for (const PramAccessRecord& write : writes) {
    const std::int64_t partial = machine_.load(actor(write), write.cell);
    machine_.store(actor(write), write.cell, combine(machine_.spec(), write.value, partial));
  }
  machine_.commit();
}

void BrentScheduler::elect_and_fold(std::span<const PramAccessRecord> writes) {
  if (levels_ == 0) return fold(writes);  // P = 1: the only writer
  struct Writer {
    std::int64_t number;  // what is left of its number on this level
    std::int64_t partial;
    bool standing;
  };
  std::vector<Writer> state;
  for (const PramAccessRecord& write : writes) {
    state.push_back({actor(write), machine_.load(actor(write), write.cell), true});
  }
  for (std::int64_t level = 0; level < levels_; ++level) {
    for (std::size_t i = 0; i < writes.size(); ++i) {
      if (!state[i].standing) continue;
      const auto bit = std::uint64_t{1} << (state[i].number % word());
      // The highest bit of a word of w bits is its sign.
      const auto sign = std::uint64_t{1} << (word() - 1);
      machine_.store(actor(writes[i]), mask_cell(writes[i].cell, level, state[i].number / word()),
                     static_cast<std::int64_t>((bit ^ sign) - sign));
    }
    machine_.commit();
    for (std::size_t i = 0; i < writes.size(); ++i) {
      if (!state[i].standing) continue;
      const auto mask = static_cast<std::uint64_t>(machine_.load(
          actor(writes[i]), mask_cell(writes[i].cell, level, state[i].number / word())));
      state[i].standing = std::countr_zero(mask) == state[i].number % word();
      state[i].number /= word();
    }
  }
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const std::int64_t value = state[i].standing
                                   ? combine(machine_.spec(), writes[i].value, state[i].partial)
                                   : writes[i].value;
    machine_.store(actor(writes[i]), writes[i].cell, value);
  }
  machine_.commit();
}

std::int64_t BrentScheduler::mask_cell(std::int64_t cell, std::int64_t level, std::int64_t node) {
  const auto [entry, fresh] = masks_.try_emplace({cell, level, node}, cells_ + auxiliary_);
  if (fresh) ++auxiliary_;
  return entry->second;
}

BrentStep BrentScheduler::run(const PramStepTrace& step, const Records& effective) {
  BrentStep result;
  result.name = step.name;
  result.processors = step.processors;
  const std::int64_t p = machine_.processors();
  result.groups = step.processors / p + (step.processors % p != 0 ? 1 : 0);
  if (result.groups > 1) result.writes = method(step.writes);
  const bool descending = result.writes == BrentWrites::descending;
  const Records& writes = machine_.spec().access == PramAccess::priority ? step.writes : effective;
  result.buffered = needs_buffer(step.reads, writes, descending);

  const std::int64_t before = machine_.steps();
  const auto each_group = [&](auto body) {
    for (std::int64_t i = 0; i < result.groups; ++i) body(descending ? result.groups - 1 - i : i);
  };
  if (result.buffered) {
    each_group([&](std::int64_t g) {
      read(group(step.reads, g));
      machine_.commit();
    });
  }
  const bool clears = result.writes == BrentWrites::clear_accumulate ||
                      result.writes == BrentWrites::clear_fold ||
                      result.writes == BrentWrites::clear_elect_fold;
  each_group([&](std::int64_t g) {
    if (!result.buffered) read(group(step.reads, g));
    for (const PramAccessRecord& write : group(writes, g)) {
      if (!clears) {
        machine_.store(actor(write), write.cell, write.value, write.accumulate);
      } else if (!write.accumulate) {
        machine_.store(actor(write), write.cell, neutral(machine_.spec()));
      }
    }
    machine_.commit();
  });
  if (clears) {
    each_group([&](std::int64_t g) {
      const std::span<const PramAccessRecord> mine = group(writes, g);
      if (result.writes == BrentWrites::clear_fold) return fold(mine);
      if (result.writes == BrentWrites::clear_elect_fold) return elect_and_fold(mine);
      for (const PramAccessRecord& write : mine) {
        machine_.store(actor(write), write.cell, write.value, true);
      }
      machine_.commit();
    });
  }
  result.steps = machine_.steps() - before;
  return result;
}

}  // namespace agpusim::detail

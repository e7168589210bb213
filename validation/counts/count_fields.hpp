#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "agpusim/model/agpu/counts.hpp"
#include "agpusim/model/agpu/execution.hpp"

// The numbers of a phase with the names that reports and messages use, in the order of a line of
// stored counts. A member of a member is a path to it.
namespace agpusim::detail {

/// A number of a Counts.
struct CountField {
  std::string_view name;
  std::int64_t Counts::*member = nullptr;
  GlobalCounts Counts::*global = nullptr;
  std::int64_t GlobalCounts::*of_global = nullptr;
  SharedCounts Counts::*shared = nullptr;
  std::int64_t SharedCounts::*of_shared = nullptr;

  constexpr CountField(std::string_view called, std::int64_t Counts::*number)
      : name(called), member(number) {}
  constexpr CountField(std::string_view called, GlobalCounts Counts::*accesses,
                       std::int64_t GlobalCounts::*number)
      : name(called), global(accesses), of_global(number) {}
  constexpr CountField(std::string_view called, SharedCounts Counts::*accesses,
                       std::int64_t SharedCounts::*number)
      : name(called), shared(accesses), of_shared(number) {}

  /// The number, const where `counts` is.
  template <class C>
  constexpr auto& of(C& counts) const {
    if (global != nullptr) return counts.*global.*of_global;
    if (shared != nullptr) return counts.*shared.*of_shared;
    return counts.*member;
  }
};

inline constexpr auto count_fields = std::to_array<CountField>({
    {"alu", &Counts::alu},
    {"idle", &Counts::idle},
    {"global_read.requests", &Counts::global_read, &GlobalCounts::requests},
    {"global_read.blocks", &Counts::global_read, &GlobalCounts::blocks},
    {"global_read.sectors", &Counts::global_read, &GlobalCounts::sectors},
    {"global_write.requests", &Counts::global_write, &GlobalCounts::requests},
    {"global_write.blocks", &Counts::global_write, &GlobalCounts::blocks},
    {"global_write.sectors", &Counts::global_write, &GlobalCounts::sectors},
    {"global_atomic.requests", &Counts::global_atomic, &GlobalCounts::requests},
    {"global_atomic.blocks", &Counts::global_atomic, &GlobalCounts::blocks},
    {"global_atomic.sectors", &Counts::global_atomic, &GlobalCounts::sectors},
    {"shared_read.requests", &Counts::shared_read, &SharedCounts::requests},
    {"shared_read.wavefronts", &Counts::shared_read, &SharedCounts::wavefronts},
    {"shared_read.conflicts", &Counts::shared_read, &SharedCounts::conflicts},
    {"shared_write.requests", &Counts::shared_write, &SharedCounts::requests},
    {"shared_write.wavefronts", &Counts::shared_write, &SharedCounts::wavefronts},
    {"shared_write.conflicts", &Counts::shared_write, &SharedCounts::conflicts},
    {"shared_atomic.requests", &Counts::shared_atomic, &SharedCounts::requests},
    {"shared_atomic.wavefronts", &Counts::shared_atomic, &SharedCounts::wavefronts},
    {"shared_atomic.conflicts", &Counts::shared_atomic, &SharedCounts::conflicts},
    {"rounds", &Counts::rounds},
    {"serialised", &Counts::serialised},
    {"active_lanes", &Counts::active_lanes},
    {"lane_slots", &Counts::lane_slots},
});

// As many different numbers as there are in the struct are all of them.
static_assert(sizeof(Counts) == count_fields.size() * sizeof(std::int64_t));
static_assert([] {
  Counts counts;
  std::int64_t number = 0;
  for (const CountField& field : count_fields) field.of(counts) = ++number;
  number = 0;
  return std::all_of(count_fields.begin(), count_fields.end(),
                     [&](const CountField& field) { return field.of(counts) == ++number; });
}());

/// A member of Execution or PhaseExecution: a number, or an array of numbers.
template <class Member>
struct ExecutionField {
  const char* name;
  Member member;
  /// How far derived counts may be off, by what a cache holds (docs/reference/prediction.md).
  std::int64_t slack = 0;
};
template <class Member>  // clang 14 deduces no aggregate
ExecutionField(const char*, Member, std::int64_t = 0)->ExecutionField<Member>;
inline constexpr std::int64_t few_reads = 32;
inline constexpr std::int64_t few_reads_time = few_reads * lone_latencies.front() * lone_units;

inline constexpr std::tuple total_fields{
    ExecutionField{"operations", &Execution::operations},
    ExecutionField{"views", &Execution::views},
    ExecutionField{"guards", &Execution::guards},
    ExecutionField{"rounds of loops", &Execution::rounds},
    ExecutionField{"syncs", &Execution::syncs},
    ExecutionField{"misses", &Execution::misses, few_reads},
    ExecutionField{"missed reads", &Execution::missed_reads, few_reads},
    ExecutionField{"missed lines", &Execution::missed_lines, few_reads},
    ExecutionField{"scattered reads", &Execution::scattered_reads},
    ExecutionField{"scattered writes", &Execution::scattered_writes},
    ExecutionField{"time of lone tasks in 1/20 cycles", &Execution::lone, few_reads_time},
    ExecutionField{"sectors read", &Execution::read_sectors},
    ExecutionField{"sectors written", &Execution::written_sectors}};

// `counted` is whether there are numbers.
inline constexpr std::tuple phase_fields{
    ExecutionField{"time of the longest lone task in 1/20 cycles", &PhaseExecution::longest,
                   few_reads_time},
    ExecutionField{"live values", &PhaseExecution::live_values},
    ExecutionField{"sectors of arrays", &PhaseExecution::array_sectors},
    ExecutionField{"turns of special functions", &PhaseExecution::special_turns},
    ExecutionField{"machine instructions of the code", &PhaseExecution::code},
    ExecutionField{"passes of L1", &PhaseExecution::l1_passes},
    ExecutionField{"requests that compare and swap", &PhaseExecution::swaps},
    ExecutionField{"has caches", &PhaseExecution::has_caches},
    ExecutionField{"sectors read from L2", &PhaseExecution::l2_read},
    ExecutionField{"sectors read from memory", &PhaseExecution::memory_read},
    ExecutionField{"sectors written to memory", &PhaseExecution::memory_written},
    ExecutionField{"sectors read over the link", &PhaseExecution::link_read},
    ExecutionField{"sectors written over the link", &PhaseExecution::link_written}};

/// Calls `visit(field, number)` for every number of `execution`.
template <class E, class Visit>
constexpr void for_each_number(E& execution, Visit visit) {
  const auto numbers_of = [&](const auto& field, auto& value) {
    if constexpr (requires { value.begin(); }) {
      for (auto& number : value) visit(field, number);
    } else {
      visit(field, value);
    }
  };
  std::apply([&](const auto&... field) { (numbers_of(field, execution.total.*field.member), ...); },
             total_fields);
  std::apply([&](const auto&... field) { (numbers_of(field, execution.*field.member), ...); },
             phase_fields);
}

inline constexpr std::size_t execution_words = [] {
  PhaseExecution execution;
  std::size_t words = 0;
  for_each_number(execution, [&](const auto&, std::int64_t&) { ++words; });
  return words;
}();

static_assert(execution_words * sizeof(std::int64_t) ==
              sizeof(PhaseExecution) - offsetof(PhaseExecution, total));
static_assert([] {
  PhaseExecution execution;
  std::int64_t number = 0;
  for_each_number(execution, [&](const auto&, std::int64_t& word) { word = ++number; });
  number = 0;
  bool all = true;
  for_each_number(execution,
                  [&](const auto&, std::int64_t& word) { all = all && word == ++number; });
  return all;
}());

}  // namespace agpusim::detail

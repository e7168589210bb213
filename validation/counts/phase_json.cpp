#include "agpusim/validation/counts/phase_json.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>

#include <fmt/format.h>

namespace agpusim::detail {
namespace {

// The order of a line. Every member of a struct, a member of a member as a path to it.

/// Where a number of a Counts is.
struct CountPlace {
  std::int64_t Counts::*member = nullptr;
  GlobalCounts Counts::*global = nullptr;
  std::int64_t GlobalCounts::*of_global = nullptr;
  SharedCounts Counts::*shared = nullptr;
  std::int64_t SharedCounts::*of_shared = nullptr;

  constexpr CountPlace(std::int64_t Counts::*number) : member(number) {}
  constexpr CountPlace(GlobalCounts Counts::*accesses, std::int64_t GlobalCounts::*number)
      : global(accesses), of_global(number) {}
  constexpr CountPlace(SharedCounts Counts::*accesses, std::int64_t SharedCounts::*number)
      : shared(accesses), of_shared(number) {}

  /// The number, const where `counts` is.
  template <class C>
  constexpr auto& of(C& counts) const {
    if (global != nullptr) return counts.*global.*of_global;
    if (shared != nullptr) return counts.*shared.*of_shared;
    return counts.*member;
  }
};

constexpr auto count_places = std::to_array<CountPlace>({
    {&Counts::alu},
    {&Counts::idle},
    {&Counts::global_read, &GlobalCounts::requests},
    {&Counts::global_read, &GlobalCounts::blocks},
    {&Counts::global_read, &GlobalCounts::sectors},
    {&Counts::global_write, &GlobalCounts::requests},
    {&Counts::global_write, &GlobalCounts::blocks},
    {&Counts::global_write, &GlobalCounts::sectors},
    {&Counts::global_atomic, &GlobalCounts::requests},
    {&Counts::global_atomic, &GlobalCounts::blocks},
    {&Counts::global_atomic, &GlobalCounts::sectors},
    {&Counts::shared_read, &SharedCounts::requests},
    {&Counts::shared_read, &SharedCounts::wavefronts},
    {&Counts::shared_read, &SharedCounts::conflicts},
    {&Counts::shared_write, &SharedCounts::requests},
    {&Counts::shared_write, &SharedCounts::wavefronts},
    {&Counts::shared_write, &SharedCounts::conflicts},
    {&Counts::shared_atomic, &SharedCounts::requests},
    {&Counts::shared_atomic, &SharedCounts::wavefronts},
    {&Counts::shared_atomic, &SharedCounts::conflicts},
    {&Counts::rounds},
    {&Counts::serialised},
    {&Counts::active_lanes},
    {&Counts::lane_slots},
});

using CountArray = std::array<std::int64_t, count_places.size()>;

// As many different numbers as there are in the struct are all of them.
static_assert(sizeof(Counts) == sizeof(CountArray));
static_assert([] {
  Counts counts;
  std::int64_t number = 0;
  for (const CountPlace& place : count_places) place.of(counts) = ++number;
  number = 0;
  return std::all_of(count_places.begin(), count_places.end(),
                     [&](const CountPlace& place) { return place.of(counts) == ++number; });
}());

std::int64_t number(const Json& value) {
  if (!value.is_number_integer()) throw JsonError("a count is not an integer");
  return value.get<std::int64_t>();
}

constexpr std::tuple execution_members{
    &Execution::operations,       &Execution::views,        &Execution::guards,
    &Execution::rounds,           &Execution::syncs,        &Execution::misses,
    &Execution::missed_reads,     &Execution::missed_lines, &Execution::scattered_reads,
    &Execution::scattered_writes, &Execution::lone,         &Execution::read_sectors,
    &Execution::written_sectors};

// `counted` is whether there are numbers.
constexpr std::tuple phase_execution_members{&PhaseExecution::longest, &PhaseExecution::live_values,
                                             &PhaseExecution::array_sectors};

/// Calls `visit` for every number of `execution`, in the order of a line.
template <class E, class Visit>
constexpr void for_each_number(E& execution, Visit visit) {
  const auto numbers_of = [&](auto& value) {
    if constexpr (requires { value.begin(); }) {
      for (auto& number : value) visit(number);
    } else {
      visit(value);
    }
  };
  std::apply([&](auto... member) { (numbers_of(execution.total.*member), ...); },
             execution_members);
  std::apply([&](auto... member) { (numbers_of(execution.*member), ...); },
             phase_execution_members);
}

constexpr std::size_t execution_words = [] {
  PhaseExecution execution;
  std::size_t words = 0;
  for_each_number(execution, [&](std::int64_t&) { ++words; });
  return words;
}();

static_assert(execution_words * sizeof(std::int64_t) ==
              sizeof(PhaseExecution) - offsetof(PhaseExecution, total));
static_assert([] {
  PhaseExecution execution;
  std::int64_t number = 0;
  for_each_number(execution, [&](std::int64_t& word) { word = ++number; });
  number = 0;
  bool all = true;
  for_each_number(execution, [&](std::int64_t& word) { all = all && word == ++number; });
  return all;
}());

using ExecutionWords = std::array<std::int64_t, execution_words>;

ExecutionWords words_of(const PhaseExecution& execution) {
  ExecutionWords words{};
  auto out = words.begin();
  for_each_number(execution, [&](std::int64_t number) { *out++ = number; });
  return words;
}

PhaseExecution execution_of(const ExecutionWords& words) {
  PhaseExecution execution;
  execution.counted = true;
  auto in = words.begin();
  for_each_number(execution, [&](std::int64_t& number) { number = *in++; });
  return execution;
}

/// Place and value of every number but zero.
Json encode_execution(const PhaseExecution& execution) {
  Json json = Json::array();
  const ExecutionWords words = words_of(execution);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == 0) continue;
    json.push_back(i);
    json.push_back(words[i]);
  }
  return json;
}

PhaseExecution decode_execution(const Json& json) {
  ExecutionWords words{};
  if (!json.is_array() || json.size() % 2 != 0) throw JsonError("an execution is no list");
  for (std::size_t i = 0; i < json.size(); i += 2) {
    const auto place = json[i].get<std::size_t>();
    if (place >= words.size()) throw JsonError("an execution has too many numbers");
    words[place] = json[i + 1].get<std::int64_t>();
  }
  return execution_of(words);
}

}  // namespace

Json encode_list(const Counts& counts) {
  CountArray words{};
  std::transform(count_places.begin(), count_places.end(), words.begin(),
                 [&](const CountPlace& place) { return place.of(counts); });
  return words;
}

Counts decode_counts(const Json& json) {
  if (!json.is_array() || json.size() != count_places.size()) {
    throw JsonError(fmt::format("counts are not a list of {} numbers", count_places.size()));
  }
  Counts counts;
  for (std::size_t i = 0; i < json.size(); ++i) count_places[i].of(counts) = number(json[i]);
  return counts;
}

Json encode(const PhaseReport& phase) {
  Json json =
      Json::array({phase.kernel, phase.tasks, phase.shared_words, phase.time, phase.max_task_time,
                   phase.io_max, phase.contention, phase.atomic_blocks, encode_list(phase.counts)});
  const bool compiled = phase.width != 0 || phase.registers != 0 || phase.instructions != 0;
  if (phase.execution.counted || compiled) {
    json.push_back(phase.execution.counted ? encode_execution(phase.execution) : Json());
  }
  if (compiled) {
    Json numbers = Json::array({phase.width, phase.registers, phase.instructions});
    const UnpricedAccesses& u = phase.unpriced;
    if (u != UnpricedAccesses{}) {
      for (const std::int64_t n : {u.constant_turns, u.local_requests, u.local_lines}) {
        numbers.push_back(n);
      }
    }
    json.push_back(std::move(numbers));
  }
  return json;
}

PhaseReport decode_phase(const Json& json) {
  constexpr std::size_t execution = 9;  // and what is known of compiled code; they may be absent
  if (!json.is_array() || json.size() < execution || json.size() > execution + 2 ||
      !json[0].is_string() || (json.size() > execution + 1 && json[execution + 1].size() % 3 != 0)) {
    throw JsonError("a phase is not a list of kernel, seven numbers, the counts and the execution");
  }
  PhaseReport phase;
  phase.kernel = json[0].get<std::string>();
  std::size_t i = 0;
  for (std::int64_t* const member :
       {&phase.tasks, &phase.shared_words, &phase.time, &phase.max_task_time, &phase.io_max,
        &phase.contention, &phase.atomic_blocks}) {
    *member = number(json[++i]);
  }
  phase.counts = decode_counts(json[8]);
  if (json.size() > execution && !json[execution].is_null()) {
    phase.execution = decode_execution(json[execution]);
  }
  if (json.size() > execution + 1) {
    const Json& compiled = json[execution + 1];
    phase.width = static_cast<std::int32_t>(number(compiled[0]));
    phase.registers = number(compiled[1]);
    phase.instructions = number(compiled[2]);
    if (compiled.size() > 3) {
      phase.unpriced = {number(compiled[3]), number(compiled.at(4)), number(compiled.at(5))};
    }
  }
  return phase;
}

}  // namespace agpusim::detail

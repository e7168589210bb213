#include "agpusim/validation/counts/phase_json.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "agpusim/validation/counts/count_fields.hpp"

namespace agpusim::detail {
namespace {

std::int64_t number(const Json& value) {
  if (!value.is_number_integer()) throw JsonError("a count is not an integer");
  return value.get<std::int64_t>();
}

using ExecutionWords = std::array<std::int64_t, execution_words>;

ExecutionWords words_of(const PhaseExecution& execution) {
  ExecutionWords words{};
  auto out = words.begin();
  for_each_number(execution, [&](const auto&, std::int64_t number) { *out++ = number; });
  return words;
}

PhaseExecution execution_of(const ExecutionWords& words) {
  PhaseExecution execution;
  execution.counted = true;
  auto in = words.begin();
  for_each_number(execution, [&](const auto&, std::int64_t& number) { number = *in++; });
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
  std::array<std::int64_t, count_fields.size()> words{};
  std::transform(count_fields.begin(), count_fields.end(), words.begin(),
                 [&](const CountField& field) { return field.of(counts); });
  return words;
}

Counts decode_counts(const Json& json) {
  if (!json.is_array() || json.size() != count_fields.size()) {
    throw JsonError(fmt::format("counts are not a list of {} numbers", count_fields.size()));
  }
  Counts counts;
  for (std::size_t i = 0; i < json.size(); ++i) count_fields[i].of(counts) = number(json[i]);
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
      !json[0].is_string() ||
      (json.size() > execution + 1 && json[execution + 1].size() % 3 != 0)) {
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

#include <algorithm>
#include <map>

#include "agpusim/model/agpu/instruction_prices.hpp"
#include "agpusim/ptx/lower/control.hpp"
#include "agpusim/ptx/lower/program.hpp"

namespace agpusim::ptx {
namespace {

constexpr std::int32_t collective_latency = 23;  // cycles, as a read of shared memory

/// Whether it is a division or root whose special cases a function treats.
bool may_call(const Source& source) {
  if (source.op == Op::divide) return source.wide;
  return source.op == Op::floating_divide && source.opcode.find(".r") != std::string_view::npos;
}

void price(Issue& issue, const Instruction& instruction, const Source& source) {
  using namespace issue_slots;
  if (is_jump(instruction)) {
    if (instruction.guard != no_place) issue.slots = guard_slots;
  } else if (source.bill == Bill::arithmetic) {
    const std::int64_t one = source.op == Op::add ? add_slots : slots;
    issue.slots = static_cast<std::int32_t>(static_cast<double>(one) * source.machine);
    issue.ends_block = may_call(source);
    if (source.special != nullptr) {
      const double busy = 4 * source.special->turns * static_cast<double>(lone_units);
      issue.slots = std::max(issue.slots, static_cast<std::int32_t>(busy));
      issue.latency = source.special->latency;
      return;
    }
    issue.latency = source.is_collective  ? collective_latency
                    : source.machine == 0 ? 0
                                          : price_of(source.op, source.wide).latency;
  }
}

}  // namespace

void Program::mark_issues() {
  const auto is_written = [](const Instruction& instruction, std::size_t p) {
    return (instruction.writes >> p & 1) != 0;
  };
  std::map<Place, std::uint32_t> numbers;  // by place / 4: a predicate's bit 0 is no part of it
  for (const Instruction& instruction : code) {
    for (std::size_t p = 0; p < instruction.place.size(); ++p) {
      const Place place = instruction.place[p];
      if (!is_written(instruction, p) || place >= row_bytes) continue;
      if (numbers.try_emplace(place / 4, written_registers).second) ++written_registers;
    }
  }
  issues.reserve(code.size());
  for (const Instruction& instruction : code) {
    Issue& issue = issues.emplace_back();
    issue.begins_block = instruction.execute == &enter || instruction.execute == &enter_together;
    if (issue.begins_block) continue;
    price(issue, instruction, sources[instruction.statement]);
    const auto read = [&](Place place) {
      const auto found = numbers.find(place / 4);
      if (found != numbers.end()) issue.reads[issue.read_count++] = found->second;
    };
    read(instruction.guard);
    for (std::size_t p = 0; p < instruction.place.size(); ++p) {
      const Place place = instruction.place[p];
      if (!is_written(instruction, p)) {
        read(place);
      } else if (place < row_bytes) {
        issue.writes[issue.write_count++] = numbers.at(place / 4);
      }
    }
  }
}

}  // namespace agpusim::ptx

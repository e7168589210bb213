#include "agpusim/model/agpu/step_trace.hpp"

#include "agpusim/model/agpu/lane_context.hpp"

namespace agpusim {
namespace {

constexpr std::int64_t most_initial = 1 << 14;  // elements of a larger array show once accessed

}  // namespace

StepRecorder::StepRecorder(const AgpuSpec& spec, TraceLimits limits) : limits_(limits) {
  trace_.spec = spec;
}

void StepRecorder::begin_phase(std::string_view kernel, std::int64_t tasks) {
  trace_.phases.push_back({std::string(kernel), tasks, 0});
}

void StepRecorder::begin_task(std::int64_t task) {
  finish_atomic();
  task_ = task;
}

bool StepRecorder::wanted(const Instruction& instruction) const {
  const auto phase = static_cast<std::int64_t>(trace_.phases.size()) - 1;
  return static_cast<std::int64_t>(trace_.instructions.size()) < limits_.instructions &&
         limits_.phase.value_or(phase) == phase && limits_.task.value_or(task_) == task_ &&
         (!limits_.accesses_only || instruction.array != nullptr ||
          instruction.kind == InstructionKind::sync);
}

void StepRecorder::instruction(const Instruction& instruction) {
  finish_atomic();
  ++trace_.seen;
  if (!wanted(instruction)) return;
  TracedInstruction traced;
  traced.kind = instruction.kind;
  traced.place = place_of(instruction.where);
  traced.phase = static_cast<std::int32_t>(trace_.phases.size()) - 1;
  traced.task = task_;
  traced.cost = instruction.cost;
  for (std::int32_t lane = 0; lane < trace_.spec.width; ++lane) {
    const bool active = instruction.mask.bytes[lane] != 0;
    traced.mask += active ? '1' : '0';
    if (!active || instruction.values.data() == nullptr) continue;
    if (!traced.values.empty()) traced.values += ' ';
    traced.values += instruction.values.text(lane);
  }
  if (instruction.array != nullptr) {
    traced.array = array_of(*instruction.array);
    for (std::int32_t i = 0; i < instruction.indices->count; ++i) {
      traced.elements.push_back(instruction.origin + instruction.indices->index[i]);
    }
    atomic_ = instruction.kind == InstructionKind::atomic;
    atomic_cells_ = instruction.array->elements;
  }
  trace_.instructions.push_back(std::move(traced));
}

void StepRecorder::finish_atomic() {
  if (!atomic_) return;
  atomic_ = false;
  TracedInstruction& last = trace_.instructions.back();
  for (const std::int64_t element : last.elements) {
    if (!last.after.empty()) last.after += ' ';
    last.after += atomic_cells_.text(element);
  }
}

void StepRecorder::violation(const SourceLine& where, const std::string& message) {
  finish_atomic();
  trace_.violation = message;
  trace_.violation_place = place_of(where);
}

void StepRecorder::end_phase(const PhaseReport& phase,
                             std::span<const std::int64_t> multiprocessors) {
  finish_atomic();
  trace_.phases.back().time = phase.time;
  trace_.phases.back().multiprocessors.assign(multiprocessors.begin(), multiprocessors.end());
}

std::int32_t StepRecorder::place_of(const SourceLine& where) {
  const auto [entry, is_new] = places_.try_emplace({where.file_name(), where.line()},
                                                   static_cast<std::int32_t>(places_.size()));
  if (is_new) trace_.places.push_back({where.file_name(), where.line()});
  return entry->second;
}

std::int32_t StepRecorder::array_of(const AccessedArray& array) {
  const auto [entry, is_new] =
      arrays_.try_emplace({array.elements.data(), std::string(array.name), array.size, array.first},
                          static_cast<std::int32_t>(arrays_.size()));
  if (!is_new) return entry->second;
  TracedArray traced{
      std::string(array.name), array.shared, array.words, array.first, array.size, {}};
  const bool shown = !array.shared && array.size <= most_initial;
  for (std::int64_t i = 0; i < (shown ? array.size : 0); ++i) {
    traced.initial.push_back(array.elements.text(i));
  }
  trace_.arrays.push_back(std::move(traced));
  return entry->second;
}

}  // namespace agpusim

#include <sstream>

#include "agpusim/model/source_text.hpp"
#include "agpusim/validation/steps/report.hpp"
#include "agpusim/validation/steps/state.hpp"

namespace agpusim {
namespace {

using report::Column;
using report::Format;
using report::Section;
using report::Value;

/// A lane value or an element's: a number where it is one.
Value number_of(const std::string& word) {
  Value value = Value::parse(word, nullptr, false);
  return value.is_number() ? value : Value(word);
}

Value values_of(const std::string& text) {
  Value list = Value::array();
  std::istringstream words(text);
  for (std::string word; words >> word;) list.push_back(number_of(word));
  return list;
}

Value lanes_of(const std::string& mask) {
  Value list = Value::array();
  for (std::size_t lane = 0; lane < mask.size(); ++lane) {
    if (mask[lane] == '1') list.push_back(lane);
  }
  return list;
}

/// A count of the cost of an instruction.
Column<TracedInstruction> cost_column(const char* key, std::int64_t (*get)(const Counts&)) {
  return {{key, ""}, [get](const TracedInstruction& now) { return get(now.cost); }};
}

void add_steps(Section& section, const StepTrace& trace) {
  section.facts.push_back({{"multiprocessors", ""}, trace.spec.multiprocessors()});
  section.facts.push_back({{"instructions", ""}, trace.seen});
  const std::vector<Column<TracedArray>> of_array = {
      {{"name", ""}, [](const TracedArray& array) { return array.name; }},
      {{"shared", ""}, [](const TracedArray& array) { return array.shared; }},
      {{"size", ""}, [](const TracedArray& array) { return array.size; }},
      {{"words", ""}, [](const TracedArray& array) { return array.words; }},
      {{"first_word", ""}, [](const TracedArray& array) { return array.first; }},
      {{"initial", ""},
       [](const TracedArray& array) {
         Value list = Value::array();
         for (const std::string& word : array.initial) list.push_back(number_of(word));
         return list;
       }},
  };
  section.tables.push_back(report::table("arrays", of_array, trace.arrays));
  const std::vector<Column<TracedPhase>> of_phase = {
      {{"kernel", ""}, [](const TracedPhase& phase) { return phase.kernel; }},
      {{"tasks", ""}, [](const TracedPhase& phase) { return phase.tasks; }},
      {{"T", ""}, [](const TracedPhase& phase) { return phase.time; }},
      {{"multiprocessor_of_task", ""},
       [](const TracedPhase& phase) { return Value(phase.multiprocessors); }},
  };
  section.tables.push_back(report::table("phases", of_phase, trace.phases));
  const auto place = [&](const TracedInstruction& now) -> const SourcePlace& {
    return trace.places[static_cast<std::size_t>(now.place)];
  };
  const std::vector<Column<TracedInstruction>> of_step = {
      {{"step", ""},
       [&](const TracedInstruction& now) { return &now - trace.instructions.data(); }},
      {{"phase", ""}, [](const TracedInstruction& now) { return now.phase; }},
      {{"task", ""}, [](const TracedInstruction& now) { return now.task; }},
      {{"instruction", ""},
       [&](const TracedInstruction& now) { return detail::instruction_text(trace, now); }},
      {{"array", ""},
       [&](const TracedInstruction& now) {
         return now.array < 0 ? Value()
                              : Value(trace.arrays[static_cast<std::size_t>(now.array)].name);
       }},
      {{"lanes", ""}, [](const TracedInstruction& now) { return lanes_of(now.mask); }},
      {{"elements", ""}, [](const TracedInstruction& now) { return Value(now.elements); }},
      {{"values", ""}, [](const TracedInstruction& now) { return values_of(now.values); }},
      {{"values_after", ""}, [](const TracedInstruction& now) { return values_of(now.after); }},
      cost_column("T", [](const Counts& cost) { return cost.time(); }),
      cost_column("Q", [](const Counts& cost) { return cost.io(); }),
      cost_column("sectors", [](const Counts& cost) { return cost.sectors(); }),
      cost_column("wavefronts", [](const Counts& cost) { return cost.wavefronts(); }),
      cost_column("conflicts", [](const Counts& cost) { return cost.conflicts(); }),
      cost_column("serialised", [](const Counts& cost) { return cost.serialised; }),
      cost_column("rounds", [](const Counts& cost) { return cost.rounds; }),
      cost_column("warp_instructions", [](const Counts& cost) { return cost.instructions(); }),
      {{"file", ""}, [=](const TracedInstruction& now) { return file_text(place(now).file); }},
      {{"line", ""}, [=](const TracedInstruction& now) { return place(now).line; }},
  };
  section.tables.push_back(report::table("steps", of_step, trace.instructions));
  section.tables.back().csv = true;
}

/// What a processor does in a step of a PRAM.
struct Act {
  std::int64_t step;
  std::int64_t processor;
  const char* kind;
  const PramAccessRecord* access;  ///< null: it computes only
};

void add_acts(std::vector<Act>& acts, const PramStepTrace& step, std::int64_t number) {
  for (const PramAccessRecord& read : step.reads) {
    acts.push_back({number, read.processor, "read", &read});
  }
  for (const PramAccessRecord& write : step.writes) {
    acts.push_back({number, write.processor, write.accumulate ? "accumulate" : "write", &write});
  }
  for (const std::int64_t processor : step.computing) {
    acts.push_back({number, processor, "compute", nullptr});
  }
}

void add_steps(Section& section, const PramTrace& trace) {
  std::vector<const PramStepTrace*> steps;
  for (const PramStepTrace& step : trace.steps) steps.push_back(&step);
  if (trace.broken) steps.push_back(&*trace.broken);
  std::vector<Act> acts;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    add_acts(acts, *steps[i], static_cast<std::int64_t>(i) + 1);
  }
  std::int64_t number = 0;
  const std::vector<Column<const PramStepTrace*>> of_step = {
      {{"step", ""}, [&](const PramStepTrace*) { return ++number; }},
      {{"name", ""}, [](const PramStepTrace* step) { return step->name; }},
      {{"processors", ""}, [](const PramStepTrace* step) { return step->processors; }},
      {{"file", ""}, [](const PramStepTrace* step) { return file_text(step->where.file_name()); }},
      {{"line", ""}, [](const PramStepTrace* step) { return step->where.line(); }},
  };
  section.tables.push_back(report::table("steps", of_step, steps));
  const std::vector<Column<Act>> of_act = {
      {{"step", ""}, [](const Act& act) { return act.step; }},
      {{"processor", ""}, [](const Act& act) { return act.processor; }},
      {{"kind", ""}, [](const Act& act) { return act.kind; }},
      {{"cell", ""},
       [&](const Act& act) {
         return act.access == nullptr ? Value() : Value(detail::cell_name(trace, act.access->cell));
       }},
      {{"value", ""},
       [](const Act& act) { return act.access == nullptr ? Value() : Value(act.access->value); }},
  };
  section.tables.push_back(report::table("acts", of_act, acts));
  section.tables.back().csv = true;
}

}  // namespace

report::Report step_report(const std::vector<SteppedRun>& runs) {
  report::Report result;
  result.title = "Steps";
  for (const SteppedRun& run : runs) {
    Section section;
    section.key = "runs";
    section.list = true;
    section.facts = {{{"title", ""}, run.title, "", "title"},
                     {{"machine", ""}, run.machine},
                     {{"n", ""}, run.n},
                     {{"variant", ""}, run.variant},
                     {{"violation", ""}, run.violation}};
    if (run.agpu) {
      add_steps(section, *run.agpu);
    } else {
      add_steps(section, *run.pram);
    }
    result.body.sections.push_back(std::move(section));
  }
  return result;
}

}  // namespace agpusim

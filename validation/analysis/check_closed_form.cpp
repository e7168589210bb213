#include "agpusim/validation/analysis/check_closed_form.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/validation/report/count_fields.hpp"

namespace agpusim {
namespace {

void compare_phase(std::size_t index, const PhaseReport& phase, const PhaseForm& form,
                   std::vector<std::string>& differences) {
  const auto differ = [&](std::string_view what, const auto& simulated, const auto& expected) {
    differences.push_back(
        fmt::format("phase {} ({}): {} is {} in the simulation, {} in the closed form", index,
                    phase.kernel, what, simulated, expected));
  };
  if (phase.kernel != form.kernel) differ("the kernel", phase.kernel, form.kernel);
  const auto equal = [&](std::string_view what, std::int64_t simulated, std::int64_t expected) {
    if (simulated != expected) differ(what, simulated, expected);
  };
  equal("tasks", phase.tasks, form.tasks);
  equal("shared words", phase.shared_words, form.shared_words);
  equal("contention", phase.contention, form.contention);
  equal("atomic blocks", phase.atomic_blocks, form.atomic_blocks);
  for (const detail::CountField& field : detail::count_fields) {
    equal(field.name, field.get(phase.counts), field.get(form.counts));
  }
  if (form.time) {
    equal("time", phase.time, *form.time);
    equal("time of the longest task", phase.max_task_time, form.max_task_time);
  } else if (phase.max_task_time > form.max_task_time) {
    differ("time of the longest task", phase.max_task_time,
           fmt::format("at most {}", form.max_task_time));
  }
}

}  // namespace

std::vector<std::string> compare_with_closed_form(const RunReport& report,
                                                  const std::vector<PhaseForm>& forms) {
  std::vector<std::string> differences;
  if (report.phases.size() != forms.size()) {
    differences.push_back(fmt::format("{} phases in the simulation, {} in the closed form",
                                      report.phases.size(), forms.size()));
  }
  for (std::size_t i = 0; i < std::min(report.phases.size(), forms.size()); ++i) {
    compare_phase(i, report.phases[i], forms[i], differences);
  }
  return differences;
}

std::vector<PhaseForm> forms_of(const RunReport& report) {
  std::vector<PhaseForm> forms;
  forms.reserve(report.phases.size());
  for (const PhaseReport& phase : report.phases) {
    forms.push_back({phase.kernel, phase.tasks, phase.shared_words, phase.counts, phase.time,
                     phase.max_task_time, phase.contention, phase.atomic_blocks});
  }
  return forms;
}

}  // namespace agpusim

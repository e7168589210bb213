#include "agpusim/validation/counts/compare_reports.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "agpusim/validation/counts/count_fields.hpp"

namespace agpusim {

std::vector<std::string> compare_reports(const RunReport& simulated, const RunReport& other,
                                         const std::string& what) {
  std::vector<std::string> differences;
  const auto differ = [&](const std::string& place, std::string_view field, const auto& a,
                          const auto& b) {
    if (a == b) return;
    differences.push_back(fmt::format("{}{} {} simulated, {} {}", place, field, a, b, what));
  };
  differ("", "phases:", simulated.phases.size(), other.phases.size());
  for (std::size_t i = 0; i < std::min(simulated.phases.size(), other.phases.size()); ++i) {
    const PhaseReport& a = simulated.phases[i];
    const PhaseReport& b = other.phases[i];
    const std::string place = fmt::format("phase {} ({}): ", i, a.kernel);
    differ(place, "kernel", a.kernel, b.kernel);
    differ(place, "tasks", a.tasks, b.tasks);
    differ(place, "width", a.width, b.width);
    differ(place, "registers", a.registers, b.registers);
    differ(place, "instructions executed", a.instructions, b.instructions);
    differ(place, "shared words", a.shared_words, b.shared_words);
    differ(place, "contention", a.contention, b.contention);
    differ(place, "atomic blocks", a.atomic_blocks, b.atomic_blocks);
    for (const detail::CountField& field : detail::count_fields) {
      differ(place, field.name, field.get(a.counts), field.get(b.counts));
    }
    differ(place, "T", a.time, b.time);
    differ(place, "longest task", a.max_task_time, b.max_task_time);
    differ(place, "Q_max", a.io_max, b.io_max);
    if (a.execution.counted && b.execution.counted && a.execution != b.execution) {
      differences.push_back(place + "the execution is not that of " + what + " counts");
    }
  }
  differ("", "T_tot", simulated.time_total_max, other.time_total_max);
  return differences;
}

}  // namespace agpusim

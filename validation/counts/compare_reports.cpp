#include "agpusim/validation/counts/compare_reports.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "agpusim/validation/counts/count_fields.hpp"

namespace agpusim {
namespace {

constexpr const char* alone = "of a prediction alone, ";
constexpr const char* others_equal = "; T, Q, sectors and all other counts are equal";

std::string first_of(const std::vector<std::string>& all) {
  return all.front() + (all.size() == 1 ? "" : fmt::format(" (and {} more)", all.size() - 1));
}

}  // namespace

std::string CountDifferences::fault() const {
  if (wrong.empty()) return {};
  const bool equal = std::all_of(wrong.begin(), wrong.end(), [](const std::string& one) {
    return one.find(alone) != std::string::npos;
  });
  return first_of(wrong) + (equal ? others_equal : "");
}

std::string CountDifferences::remark() const {
  if (near.empty() || !wrong.empty()) return {};
  return first_of(near) + others_equal + ", and where tasks differ, a task_class() mends this";
}

CountDifferences compare_reports(const RunReport& simulated, const RunReport& other,
                                 const std::string& what) {
  CountDifferences differences;
  const auto differ = [&](std::vector<std::string>& to, const std::string& place,
                          std::string_view field, const auto& a, const auto& b) {
    to.push_back(fmt::format("{}{} {} simulated, {} {}", place, field, a, b, what));
  };
  const auto equal = [&](const std::string& place, std::string_view field, const auto& a,
                         const auto& b) {
    if (a != b) differ(differences.wrong, place, field, a, b);
  };
  const auto executions = [&](const std::string& place, const PhaseExecution& a,
                              const PhaseExecution& b) {
    if (!a.counted || !b.counted) return;
    const AgpuSpec& spec = simulated.spec;
    const bool whole_lines = std::int64_t{spec.block_words} * spec.word_bits % (128 * 8) == 0;
    std::array<std::int64_t, detail::execution_words> of_a{};
    auto out = of_a.begin();
    detail::for_each_number(a, [&](const auto&, std::int64_t number) { *out++ = number; });
    auto next = of_a.cbegin();
    detail::for_each_number(b, [&](const auto& field, std::int64_t number) {
      const std::int64_t mine = *next++;
      if (mine == number) return;
      const std::int64_t most = std::max(field.slack, std::max(mine, number) / 10);
      const bool near = field.slack > 0 && (!whole_lines || std::abs(mine - number) <= most);
      differ(near ? differences.near : differences.wrong, place + alone, field.name, mine, number);
    });
  };
  equal("", "phases:", simulated.phases.size(), other.phases.size());
  for (std::size_t i = 0; i < std::min(simulated.phases.size(), other.phases.size()); ++i) {
    const PhaseReport& a = simulated.phases[i];
    const PhaseReport& b = other.phases[i];
    const std::string place = fmt::format("phase {} ({}): ", i, a.kernel);
    equal(place, "kernel", a.kernel, b.kernel);
    equal(place, "tasks", a.tasks, b.tasks);
    equal(place, "width", a.width, b.width);
    equal(place, "registers", a.registers, b.registers);
    equal(place, "instructions executed", a.instructions, b.instructions);
    equal(place, "turns of constant memory", a.unpriced.constant_turns, b.unpriced.constant_turns);
    equal(place, "requests to local memory", a.unpriced.local_requests, b.unpriced.local_requests);
    equal(place, "lines of local memory", a.unpriced.local_lines, b.unpriced.local_lines);
    equal(place, "shared words", a.shared_words, b.shared_words);
    equal(place, "contention", a.contention, b.contention);
    equal(place, "atomic blocks", a.atomic_blocks, b.atomic_blocks);
    for (const detail::CountField& field : detail::count_fields) {
      equal(place, field.name, field.of(a.counts), field.of(b.counts));
    }
    equal(place, "T", a.time, b.time);
    equal(place, "longest task", a.max_task_time, b.max_task_time);
    equal(place, "Q_max", a.io_max, b.io_max);
    executions(place, a.execution, b.execution);
  }
  equal("", "T_tot", simulated.time_total_max, other.time_total_max);
  return differences;
}

}  // namespace agpusim

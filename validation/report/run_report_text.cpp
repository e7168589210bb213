#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "agpusim/validation/counts/compare_reports.hpp"
#include "agpusim/validation/report/line_table.hpp"
#include "agpusim/validation/report/run_report.hpp"
#include "agpusim/validation/report/text_table.hpp"

namespace agpusim {
namespace {

using detail::integer_text;
using detail::line;

/// More phases than this are summed by kernel.
constexpr std::size_t max_phase_lines = 20;

/// More differences than this are only counted.
constexpr std::size_t max_differences = 10;

std::string heading(const RunConfig& config, const Algorithm& algorithm) {
  std::string text = config.algorithm;
  if (!config.variant.empty()) text += " (" + config.variant + ")";
  text += fmt::format(", n = {}, {}, input {}, seed {}", integer_text(config.n), config.type,
                      config.input, config.seed);
  for (const auto& [name, value] : config.parameters) text += fmt::format(", {} = {}", name, value);
  return fmt::format("{}\n{}\n{}\n\n", text, config.spec.to_string(), algorithm.summary);
}

std::string cost_lines(const RunReport& report) {
  const Counts total = report.total();
  std::string text;
  text += line("T", report.time(), "time units: the slowest multiprocessor of each phase, summed");
  text += line("T_tot", report.time_total_max, "time units of the busiest multiprocessor");
  text += line("Q", total.io(), "global blocks of b words moved");
  text += line("Q_max", report.io_max(), "of them by one multiprocessor, per phase, summed");
  text += line("Φ", static_cast<std::int64_t>(report.phases.size()), "phases (launches)");
  text += line("instructions", total.instructions(), "issued by groups of b lanes");
  text +=
      line("global requests",
           total.global_read.requests + total.global_write.requests + total.global_atomic.requests,
           "of groups of b lanes");
  text += line("read rounds", total.rounds, "waits of tasks for global reads; latency, not in T");
  text += line("global sectors", total.sectors(), "of 32 bytes");
  text += line("shared wavefronts", total.wavefronts(), "time units of shared memory");
  text += line("shared conflicts", total.conflicts(), "of them due to bank conflicts");
  if (total.global_atomic.requests + total.shared_atomic.requests > 0) {
    text += line("atomic requests", total.global_atomic.requests + total.shared_atomic.requests,
                 "extension X1, not part of AGPU");
    text += line("serialised", total.serialised, "time units lost to atomics on one word (X1)");
    text += line("contention", report.contention(), "most atomics on one word in a phase (X1)");
  }
  if (total.lane_slots > 0) {
    text += line("active lanes",
                 detail::percent_text(static_cast<double>(total.active_lanes) /
                                      static_cast<double>(total.lane_slots)),
                 "of the lanes of all instructions; the rest is divergence");
  }
  text += line("global memory", report.global_bits(), "bits at most at once");
  text += line("shared memory", report.shared_bits(), "bits of one multiprocessor at most");
  text += line("host words", report.host_words_in, "copied to the device; free on AGPU");
  text += line("", report.host_words_out, "copied back; free on AGPU");
  return text;
}

/// How the derived counts and the formulas compare with the simulation.
std::string expectations(const Algorithm& algorithm, const RunConfig& config,
                         const RunReport& report, const std::optional<RunReport>& derived) {
  std::string text = "derived      no: the cost of a kernel depends on the data\n";
  if (derived) {
    const auto differences = compare_reports(report, *derived, "derived");
    text = fmt::format("derived      {}\n",
                       differences.empty() ? "equal in every count of every phase" : "DIFFERENT");
    for (std::size_t i = 0; i < std::min(differences.size(), max_differences); ++i) {
      text += "             " + differences[i] + "\n";
    }
    if (differences.size() > max_differences) {
      text += fmt::format("             and {} more\n", differences.size() - max_differences);
    }
  }
  for (const Formula& formula : algorithm.formulas) {
    const auto value = formula.value(config);
    if (!value) continue;
    text += fmt::format("formula      {} = {}: {}\n", formula.text, integer_text(*value),
                        *value == formula.count(report) ? "equal" : "DIFFERENT");
  }
  return text;
}

std::string comparison(const Algorithm& algorithm, const RunConfig& config, const RunResult& result,
                       const std::optional<RunReport>& derived, const LowerBound& bound) {
  std::string text = fmt::format(
      "\nresult       {}, checksum {:016x}\n",
      result.correct ? "equals the reference" : "DIFFERS from the reference", result.checksum);
  for (const NamedValue& number : result.values) {
    text += fmt::format("             {} {}\n", number.name, number.value);
  }
  text += expectations(algorithm, config, result.report, derived);
  text += fmt::format("bound        T = {}\n             Q = {} [{}]\n",
                      time_bound(algorithm, config).text, io_bound(algorithm, config).text,
                      algorithm.source);
  if (bound.time == 0 && bound.io == 0) return text + "lower bound  " + bound.source + "\n";
  text += fmt::format("lower bound  T >= {}, Q >= {} [{}]\n", integer_text(bound.time),
                      integer_text(bound.io), bound.source);
  const auto ratio = [](std::int64_t count, std::int64_t lower) {
    return lower > 0
               ? fmt::format("{:.3f}", static_cast<double>(count) / static_cast<double>(lower))
               : std::string("-");
  };
  return text + fmt::format("optimality   T / bound = {}, Q / bound = {}\n",
                            ratio(result.report.time(), bound.time),
                            ratio(result.report.total().io(), bound.io));
}

/// One line of the table of phases: a phase, or all phases of a kernel.
struct PhaseLine {
  std::string label;
  std::string kernel;
  std::int64_t phases = 0;
  std::int64_t tasks = 0;
  std::int64_t time = 0;
  Counts counts;
};

std::vector<PhaseLine> phase_lines(const RunReport& report) {
  const bool by_kernel = report.phases.size() > max_phase_lines;
  std::vector<PhaseLine> lines;
  for (std::size_t i = 0; i < report.phases.size(); ++i) {
    const PhaseReport& phase = report.phases[i];
    auto it = lines.end();
    if (by_kernel) {
      it = std::find_if(lines.begin(), lines.end(),
                        [&](const PhaseLine& entry) { return entry.kernel == phase.kernel; });
    }
    if (it == lines.end()) {
      lines.push_back({fmt::format("{}", i), phase.kernel, 0, 0, 0, {}});
      it = lines.end() - 1;
    }
    ++it->phases;
    it->tasks += phase.tasks;
    it->time += phase.time;
    it->counts += phase.counts;
  }
  if (by_kernel) {
    for (PhaseLine& entry : lines) entry.label = fmt::format("{} phases", entry.phases);
  }
  return lines;
}

std::string phase_table(const RunReport& report) {
  std::vector<std::vector<std::string>> rows;
  for (const PhaseLine& entry : phase_lines(report)) {
    const Counts& counts = entry.counts;
    rows.push_back({entry.label, entry.kernel, integer_text(entry.tasks), integer_text(entry.time),
                    integer_text(counts.io()), integer_text(counts.instructions()),
                    integer_text(counts.sectors()), integer_text(counts.wavefronts()),
                    integer_text(counts.conflicts())});
  }
  return "\n" + detail::text_table({"phase", "kernel", "tasks", "T", "Q", "instructions", "sectors",
                                    "wavefronts", "conflicts"},
                                   rows, 2);
}

}  // namespace

std::string cost_sheet_text(const Algorithm& algorithm, const RunConfig& config,
                            const RunResult& result, const std::optional<RunReport>& derived,
                            const LowerBound& bound) {
  return heading(config, algorithm) + cost_lines(result.report) +
         comparison(algorithm, config, result, derived, bound) + phase_table(result.report) +
         (result.report.lines.empty() ? "" : detail::line_table(result.report));
}

}  // namespace agpusim

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/report/pram_measures.hpp"
#include "agpusim/validation/report/pram_report.hpp"
#include "agpusim/validation/report/text_table.hpp"

namespace agpusim {
namespace {

using detail::integer_text;
using detail::line;

/// A table of more steps than this shows the first and the last ones.
constexpr std::size_t max_step_lines = 40;

/// So many values of the output are shown.
constexpr std::size_t max_shown_values = 12;

std::int64_t requests_of(const Counts& counts) {
  return counts.global_read.requests + counts.global_write.requests + counts.global_atomic.requests;
}

/// 1 when every group of b lanes accesses one block; needs a request.
double blocks_per_request(const Counts& counts) {
  return static_cast<double>(counts.io()) / static_cast<double>(requests_of(counts));
}

std::string heading(const PramSheet& sheet) {
  const PramRunConfig& config = sheet.config;
  std::string text = config.algorithm;
  if (!config.variant.empty()) text += " (" + config.variant + ")";
  text +=
      fmt::format(", n = {}, input {}, seed {}", integer_text(config.n), config.input, config.seed);
  for (const auto& [name, value] : config.parameters) text += fmt::format(", {} = {}", name, value);
  const std::int32_t reads = config.machine.reads_per_step;
  return fmt::format("{}\n{}, {} {} per step\n{}\n\n", text, config.machine.to_string(), reads,
                     reads == 1 ? "read" : "reads", sheet.summary);
}

std::string cost_lines(const PramReport& report) {
  std::string text;
  for (const detail::PramMeasure& measure : detail::pram_measures) {
    text += line(measure.title, measure.value(report), measure.meaning);
  }
  return text;
}

std::string values_text(const std::vector<std::int64_t>& output) {
  if (output.empty()) return "no values";
  const std::size_t shown = std::min(output.size(), max_shown_values);
  std::string text = fmt::format("{}", fmt::join(std::span(output).first(shown), " "));
  if (shown < output.size()) {
    text += fmt::format(" ... ({} values)", integer_text(static_cast<std::int64_t>(output.size())));
  }
  return text;
}

std::string comparison(const PramSheet& sheet) {
  const auto differences = compare_with_closed_form(sheet.result.report, sheet.form);
  return fmt::format("\nresult       {}: {}\nclosed form  {}\nbound        {} [{}]\n",
                     sheet.result.correct ? "equals the reference" : "DIFFERS from the reference",
                     values_text(sheet.result.output),
                     differences.empty()
                         ? "equal in steps, processors and work"
                         : fmt::format("DIFFERENT: {}", fmt::join(differences, "; ")),
                     sheet.variant.bound.text, sheet.variant.source);
}

/// A table with one row per step, its middle left out when it is long. The first two columns are
/// the step's number, from 1 as in the machine's messages, and its name.
std::string steps_table(const std::vector<std::string>& header,
                        std::vector<std::vector<std::string>> rows) {
  if (rows.size() > max_step_lines) {
    const std::size_t half = max_step_lines / 2;
    const std::size_t left_out = rows.size() - 2 * half;
    std::vector<std::string> gap(header.size());
    gap[0] = "...";
    gap[1] = fmt::format("({} steps)", left_out);
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(half);
    rows.erase(first, first + static_cast<std::ptrdiff_t>(left_out));
    rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(half), gap);
  }
  return "\n" + detail::text_table(header, rows, 2);
}

std::string pram_table(const PramReport& report) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < report.steps.size(); ++i) {
    const PramStep& step = report.steps[i];
    rows.push_back({fmt::format("{}", i + 1), step.name, integer_text(step.processors),
                    integer_text(step.active), integer_text(step.reads), integer_text(step.writes),
                    integer_text(step.read_contention), integer_text(step.write_contention)});
  }
  return steps_table(
      {"step", "name", "processors", "active", "reads", "writes", "readers/cell", "writers/cell"},
      std::move(rows));
}

std::string schedule_text(const PramSheet& sheet) {
  const BrentSchedule& schedule = *sheet.schedule;
  std::string text =
      fmt::format("\nOn P = {} processors (Brent)\n\n", integer_text(schedule.processors));
  text += line("steps", schedule.time(), "of a schedule in which every step is legal");
  text += line("Brent's bound", schedule.bound(), "the sum over steps of ⌈processors/P⌉");
  if (sheet.schedule_without_accumulate) {
    const BrentSchedule& plain = *sheet.schedule_without_accumulate;
    text += line("without accumulate", plain.time(), "steps where a sum can only replace");
    text += line("", plain.auxiliary_cells, "cells of masks for that");
  }
  if (schedule.auxiliary_cells > 0) {
    text += line("mask cells", schedule.auxiliary_cells, "in addition to the algorithm's");
  }
  text += line("naive: wrong cells", schedule.naive_wrong_cells,
               "at the end, if groups of P simply ran one after the other");
  text += line("naive: wrong reads", schedule.naive_wrong_reads, "that would see another value");
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    const BrentStep& step = schedule.steps[i];
    rows.push_back({fmt::format("{}", i + 1), step.name, integer_text(step.processors),
                    integer_text(step.groups), integer_text(step.steps),
                    step.buffered ? "yes" : "no", to_string(step.writes)});
  }
  return text + steps_table({"step", "name", "processors", "groups", "steps", "buffered", "writes"},
                            std::move(rows));
}

std::string work_span_text(const WorkSpan& work_span) {
  std::string text = "\nWork and span (a value connects its writers with its readers)\n\n";
  text += line("work", work_span.work, "operations: active processors, summed over the steps");
  text += line("span", work_span.span, "operations on the critical path below");
  text += line("parallelism", detail::decimal_text(work_span.parallelism()), "work / span");
  std::vector<std::vector<std::string>> rows;
  for (const PramOperation& operation : work_span.critical_path) {
    rows.push_back({fmt::format("{}", operation.number + 1), operation.step,
                    integer_text(operation.processor)});
  }
  return text + steps_table({"step", "name", "processor"}, std::move(rows));
}

std::string agpu_text(const RunReport& agpu, const PramReport& pram) {
  const Counts total = agpu.total();
  std::string text = fmt::format("\nOn {}: every step is a phase\n\n", agpu.spec.to_string());
  text +=
      line("T", agpu.time(),
           fmt::format("time units; {} on the PRAM, 1 for each step", integer_text(pram.time())));
  text += line("Q", total.io(), "global blocks of b words moved");
  text += line("global sectors", total.sectors(), "of 32 bytes");
  text += line("atomic requests", total.global_atomic.requests, "concurrent writes (extension X1)");
  text += line("serialised", total.serialised, "time units lost to atomics on one word (X1)");
  text += line("contention K", agpu.contention(), "most atomics on one word in a phase (X1)");
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < agpu.phases.size(); ++i) {
    const PhaseReport& phase = agpu.phases[i];
    const Counts& counts = phase.counts;
    const std::int64_t requests = requests_of(counts);
    rows.push_back({fmt::format("{}", i + 1), phase.kernel,
                    integer_text(pram.steps.at(i).processors), integer_text(phase.time),
                    integer_text(counts.io()),
                    requests == 0 ? "-" : fmt::format("{:.2f}", blocks_per_request(counts)),
                    integer_text(counts.sectors()), integer_text(counts.global_atomic.requests),
                    integer_text(counts.serialised), integer_text(phase.contention)});
  }
  return text +
         steps_table({"step", "name", "processors", "T", "Q", "blocks/request", "sectors",
                      "atomics", "serialised", "K"},
                     std::move(rows)) +
         "\n" + costliest_step_text(agpu) + "\n";
}

}  // namespace

std::string costliest_step_text(const RunReport& agpu) {
  // Atomics on one word come one after the other on every machine, in T or not.
  const auto cost = [](const PhaseReport& phase) { return std::max(phase.time, phase.contention); };
  const auto most = std::max_element(
      agpu.phases.begin(), agpu.phases.end(),
      [&](const PhaseReport& a, const PhaseReport& b) { return cost(a) < cost(b); });
  if (most == agpu.phases.end()) return {};
  const Counts& counts = most->counts;
  const std::int64_t further_blocks = counts.io() - requests_of(counts);
  std::string why;
  if (most->contention > most->time) {
    why = fmt::format("contention: K = {} atomics on one word come one after the other",
                      integer_text(most->contention));
  } else if (counts.serialised > std::max(further_blocks, counts.instructions())) {
    why = fmt::format(
        "contention: {} of the {} time units of its tasks wait for atomics on one "
        "word, K = {}",
        integer_text(counts.serialised), integer_text(counts.time()),
        integer_text(most->contention));
  } else if (further_blocks > counts.instructions()) {
    why = fmt::format(
        "uncoalesced: {:.1f} blocks per request, where neighbouring processors on "
        "neighbouring cells need 1",
        blocks_per_request(counts));
  } else {
    why = fmt::format("size: {} instructions of b lanes, {:.1f} blocks per request",
                      integer_text(counts.instructions()), blocks_per_request(counts));
  }
  return fmt::format("Most expensive: step {} ({}), T = {} of {}; {}.",
                     most - agpu.phases.begin() + 1, most->kernel, integer_text(most->time),
                     integer_text(agpu.time()), why);
}

std::vector<std::string> compare_with_closed_form(const PramReport& report, const PramForm& form) {
  std::vector<std::string> differences;
  const auto compare = [&](const char* what, std::int64_t counted, std::int64_t expected) {
    if (counted == expected) return;
    differences.push_back(
        fmt::format("{}: {}, closed form {}", what, integer_text(counted), integer_text(expected)));
  };
  compare("steps", report.time(), form.steps);
  compare("processors", report.processors(), form.processors);
  compare("work", report.work(), form.work);
  return differences;
}

void require_equal(const std::string& run, const PramReport& report, bool correct,
                   const PramForm& form) {
  if (!correct) {
    throw Mismatch(fmt::format("{}: the result differs from that of the reference", run));
  }
  const std::vector<std::string> differences = compare_with_closed_form(report, form);
  if (!differences.empty()) throw Mismatch(fmt::format("{}: {}", run, differences.front()));
}

std::string pram_sheet_text(const PramSheet& sheet) {
  std::string text = heading(sheet) + cost_lines(sheet.result.report) + comparison(sheet) +
                     pram_table(sheet.result.report);
  if (sheet.schedule) text += schedule_text(sheet);
  if (sheet.work_span) text += work_span_text(*sheet.work_span);
  if (sheet.agpu) text += agpu_text(*sheet.agpu, sheet.result.report);
  return text;
}

}  // namespace agpusim

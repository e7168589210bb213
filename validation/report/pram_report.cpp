#include "agpusim/validation/report/pram_report.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/records/run_json.hpp"
#include "agpusim/validation/report/pram_json.hpp"
#include "agpusim/validation/report/pram_measures.hpp"

namespace agpusim {
namespace {

using detail::integer_text;
using report::Column;
using report::Format;
using report::Section;
using report::Table;
using report::Value;

/// A table of more steps than this shows the first and the last ones.
constexpr std::size_t max_step_lines = 40;

/// So many values of the output are shown.
constexpr std::size_t max_shown_values = 12;

/// 1 when every group of b lanes accesses one block; needs a request.
double blocks_per_request(const Counts& counts) {
  return static_cast<double>(counts.io()) / static_cast<double>(counts.requests());
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

void add(Section& section, const char* key, const char* title, std::int64_t value,
         const std::string& meaning, bool card = false) {
  section.facts.push_back({{key, title, Format::integer}, value, meaning, {}, card ? title : ""});
}

template <class Row, class T>
Column<Row> number(const char* key, const char* title, T Row::*member, bool bar = false) {
  return {{key, title, Format::integer, bar},
          [member](const Row& row) { return Value(row.*member); }};
}

/// A table with a row per step, which is numbered from 1 as in the machine's messages.
template <class Row>
Table steps_table(const char* key, std::string Row::*name, std::vector<Column<Row>> columns,
                  const std::vector<Row>& rows) {
  std::int64_t step = 0;
  columns.insert(
      columns.begin(),
      {Column<Row>{{"", "step"}, [&](const Row&) { return Value(std::to_string(++step)); }},
       Column<Row>{{"name", "name"}, [name](const Row& row) { return Value(row.*name); }}});
  Table table = report::table(key, columns, rows);
  table.most = max_step_lines;
  table.what = "steps";
  return table;
}

Section head_section(const PramSheet& sheet) {
  const std::int32_t reads = sheet.config.pram->reads_per_step;
  Section section;
  section.facts = {{{"config", ""}, detail::encode_on_pram(sheet.config)}};
  section.sentences = {fmt::format("{}, {} {} per step", sheet.config.pram->to_string(), reads,
                                   reads == 1 ? "read" : "reads"),
                       sheet.summary};
  return section;
}

Section cost_section(const PramReport& report) {
  Section section;
  for (const detail::PramMeasure& measure : detail::pram_measures) {
    add(section, measure.key, measure.title, measure.value(report), measure.meaning, true);
  }
  section.facts.push_back({{"meaning", ""}, detail::encode_meanings()});
  return section;
}

/// The steps that do most of the work, those of one name together.
report::Answer widest_steps(const PramReport& report) {
  constexpr std::size_t most_parts = 6;
  std::map<std::string, std::int64_t> work;
  for (const PramStep& step : report.steps) work[step.name] += step.active;
  std::vector<std::pair<std::string, std::int64_t>> parts(work.begin(), work.end());
  if (parts.empty()) return {};
  std::sort(parts.begin(), parts.end(),
            [](const auto& a, const auto& b) { return a.second > b.second; });
  report::Answer answer{fmt::format("{} steps do {} operations; most, {}, are in: {}.",
                                    integer_text(report.time()), integer_text(report.work()),
                                    integer_text(parts.front().second), parts.front().first)};
  double others = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto part = static_cast<double>(parts[i].second);
    if (i < most_parts) {
      answer.parts.emplace_back(parts[i].first, part);
    } else {
      others += part;
    }
  }
  answer.parts.emplace_back("other steps", others);
  return answer;
}

Section comparison_section(const PramSheet& sheet) {
  const auto differences = compare_with_closed_form(sheet.result.report, sheet.form);
  Value form = nullptr;
  if (sheet.form.stated) {
    form = detail::encode(sheet.form);
    form["equal"] = differences.empty();
    form["differences"] = differences;
  }
  const std::string& bound = sheet.variant.on_pram.text;
  Section section;
  section.facts = {
      {{"correct", ""}, sheet.result.correct},
      {{"wrong", ""}, detail::encode(sheet.result.differences)},
      {{"output", ""}, sheet.result.output},
      {{"", "result"},
       fmt::format("{}: {}",
                   sheet.result.correct ? "equals the reference" : "DIFFERS from the reference",
                   values_text(sheet.result.output))},
      {{"", sheet.result.correct ? "" : " "}, sheet.result.differences.text()},
      {{"closed_form", ""}, form},
      {{"", "closed form"},
       !sheet.form.stated    ? "none is stated"
       : differences.empty() ? "equal in steps, processors and work"
                             : fmt::format("DIFFERENT: {}", fmt::join(differences, "; "))},
      {{"bound", ""}, {{"text", bound}, {"source", sheet.variant.source}}},
      {{"", "bound"}, fmt::format("{} [{}]", bound, sheet.variant.source)}};
  return section;
}

Section steps_section(const PramReport& report) {
  using S = PramStep;
  Section section;
  const std::span<const S> shown(report.steps.data(),
                                 std::min(report.steps.size(), detail::most_bars));
  const char* const x = shown.size() < report.steps.size() ? "step, of the first ones" : "step";
  section.plots = {{"steps",
                    "Steps",
                    3,
                    {detail::bars<S>("Active processors", x, "processors", 1, shown,
                                     {{"active", [](const S& step) { return step.active; }}}),
                     detail::bars<S>("Accesses", x, "cells", 1, shown,
                                     {{"reads", [](const S& step) { return step.reads; }},
                                      {"writes", [](const S& step) { return step.writes; }}}),
                     detail::bars<S>("Contention", x, "readers or writers of one cell", 1, shown,
                                     {{"most", [](const S& step) {
                                         return std::max(step.read_contention,
                                                         step.write_contention);
                                       }}})}}};
  section.tables = {
      steps_table("step_reports", &S::name,
                  {number("processors", "processors", &S::processors),
                   number("active", "active", &S::active, true),
                   number("reads", "reads", &S::reads), number("writes", "writes", &S::writes),
                   number("read_contention", "readers/cell", &S::read_contention),
                   number("write_contention", "writers/cell", &S::write_contention)},
                  report.steps)};
  section.tables[0].csv = true;
  return section;
}

Table schedule_table(const BrentSchedule& schedule) {
  using S = BrentStep;
  return steps_table(
      "step_schedules", &S::name,
      {number("processors", "processors", &S::processors),
       number("groups", "groups", &S::groups),
       number("steps", "steps", &S::steps),
       {{"buffered", "buffered"}, [](const S& step) { return Value(step.buffered); }},
       {{"writes", "writes"}, [](const S& step) { return Value(to_string(step.writes)); }}},
      schedule.steps);
}

Section schedule_section(const PramSheet& sheet) {
  const BrentSchedule& schedule = *sheet.schedule;
  const auto& plain = sheet.schedule_without_accumulate;
  Section section;
  section.key = "schedule";
  section.heading =
      fmt::format("On P = {} processors (Brent)\n", integer_text(schedule.processors));
  add(section, "processors", "", schedule.processors, "");
  add(section, "steps", "steps", schedule.time(), "of a schedule in which every step is legal");
  add(section, "brent_bound", "Brent's bound", schedule.bound(),
      "the sum over steps of ⌈processors/P⌉");
  if (plain) {
    add(section, "", "without accumulate", plain->time(), "steps where a sum can only replace");
    add(section, "", " ", plain->auxiliary_cells, "cells of masks for that");
  }
  add(section, "auxiliary_cells", schedule.auxiliary_cells > 0 ? "mask cells" : "",
      schedule.auxiliary_cells, "in addition to the algorithm's");
  add(section, "naive_wrong_cells", "naive: wrong cells", schedule.naive_wrong_cells,
      "at the end, if groups of P simply ran one after the other");
  add(section, "naive_wrong_reads", "naive: wrong reads", schedule.naive_wrong_reads,
      "that would see another value");
  section.tables = {schedule_table(schedule)};
  return section;
}

/// The schedule of programs without accumulating sums.
Section plain_schedule_section(const BrentSchedule& schedule) {
  Section section;
  section.key = "schedule_without_accumulate";
  add(section, "processors", "", schedule.processors, "");
  add(section, "steps", "", schedule.time(), "");
  add(section, "brent_bound", "", schedule.bound(), "");
  add(section, "auxiliary_cells", "", schedule.auxiliary_cells, "");
  add(section, "naive_wrong_cells", "", schedule.naive_wrong_cells, "");
  add(section, "naive_wrong_reads", "", schedule.naive_wrong_reads, "");
  section.tables = {schedule_table(schedule)};
  section.tables[0].for_reader = false;
  return section;
}

Section work_span_section(const WorkSpan& work_span) {
  using O = PramOperation;
  static const std::vector<Column<O>> columns = {
      {{"", "step"}, [](const O& o) { return Value(std::to_string(o.number + 1)); }},
      {{"step", ""}, [](const O& o) { return Value(o.number); }},
      {{"name", "name"}, [](const O& o) { return Value(o.step); }},
      number("processor", "processor", &O::processor)};
  Section section;
  section.key = "work_span";
  section.heading = "Work and span (a value connects its writers with its readers)\n";
  add(section, "work", "work", work_span.work,
      "operations: active processors, summed over the steps");
  add(section, "span", "span", work_span.span, "operations on the critical path below");
  section.facts.push_back(
      {{"parallelism", "parallelism", Format::decimal}, work_span.parallelism(), "work / span"});
  section.facts.push_back({{"widths", ""}, work_span.widths});
  section.tables = {report::table("critical_path", columns, work_span.critical_path)};
  section.tables[0].most = max_step_lines;
  section.tables[0].what = "steps";
  return section;
}

Section agpu_section(const RunReport& agpu, const PramReport& pram) {
  struct Priced {
    const PhaseReport& phase;
    std::string name;
    std::int64_t processors;
  };
  using P = Priced;
  const auto count = [](const char* key, const char* title, auto get, bool bar = false) {
    return Column<P>{{key, title, Format::integer, bar},
                     [get](const P& priced) { return Value(get(priced.phase)); }};
  };
  std::vector<Priced> steps;
  for (std::size_t i = 0; i < agpu.phases.size(); ++i) {
    steps.push_back({agpu.phases[i], agpu.phases[i].kernel, pram.steps.at(i).processors});
  }
  const Counts total = agpu.total();
  const std::string costliest = costliest_step_text(agpu);
  Section section;
  section.key = "on_agpu";
  section.heading = fmt::format("On {}: every step is a phase\n", agpu.spec.to_string());
  add(section, "T", "T", agpu.time(),
      fmt::format("time units; {} on the PRAM, 1 for each step", integer_text(pram.time())));
  add(section, "Q", "Q", total.io(), "global blocks of b words moved");
  add(section, "sectors", "global sectors", total.sectors(), "of 32 bytes");
  add(section, "atomic_requests", "atomic requests", total.global_atomic.requests,
      "concurrent writes (extension X1)");
  add(section, "serialised", "serialised", total.serialised,
      "time units lost to atomics on one word (X1)");
  add(section, "contention", "contention K", agpu.contention(),
      "most atomics on one word in a phase (X1)");
  section.facts.push_back({{"machine", ""}, detail::encode(agpu.spec)});
  section.facts.push_back({{"costliest", ""}, costliest});
  section.tables = {steps_table(
      "phases", &P::name,
      {number("processors", "processors", &P::processors),
       count("tasks", "", [](const PhaseReport& phase) { return phase.tasks; }),
       count(
           "T", "T", [](const PhaseReport& phase) { return phase.time; }, true),
       count("Q", "Q", [](const PhaseReport& phase) { return phase.counts.io(); }),
       {{"", "blocks/request", Format::two_digits},
        [](const P& priced) {
          const Counts& counts = priced.phase.counts;
          return counts.requests() == 0 ? Value(nullptr) : Value(blocks_per_request(counts));
        }},
       count("sectors", "sectors", [](const PhaseReport& phase) { return phase.counts.sectors(); }),
       count("", "atomics",
             [](const PhaseReport& phase) { return phase.counts.global_atomic.requests; }),
       count("", "serialised", [](const PhaseReport& phase) { return phase.counts.serialised; }),
       count("contention", "K", [](const PhaseReport& phase) { return phase.contention; }),
       {{"counts", ""}, [](const P& priced) { return detail::encode(priced.phase.counts); }}},
      steps)};
  section.remarks = {"\n" + costliest};
  return section;
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
  const std::int64_t further_blocks = counts.io() - counts.requests();
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
  if (!form.stated) return differences;
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

void require_equal(const std::string& run, const PramReport& report, const Differences& wrong,
                   const PramForm& form) {
  if (wrong.count > 0) throw Mismatch(fmt::format("{}: {}", run, wrong_result(wrong)));
  const std::vector<std::string> differences = compare_with_closed_form(report, form);
  if (!differences.empty()) throw Mismatch(fmt::format("{}: {}", run, differences.front()));
}

report::Report to_report(const PramSheet& sheet) {
  const RunConfig& config = sheet.config;
  report::Report report;
  report.title = config.algorithm;
  if (!config.variant.empty()) report.title += " (" + config.variant + ")";
  report.title +=
      fmt::format(", n = {}, input {}, seed {}", integer_text(config.n), config.input, config.seed);
  for (const auto& [name, value] : config.parameters) {
    report.title += fmt::format(", {} = {}", name, value);
  }
  report.answer = widest_steps(sheet.result.report);
  auto& sections = report.body.sections;
  sections = {head_section(sheet), cost_section(sheet.result.report), comparison_section(sheet),
              steps_section(sheet.result.report)};
  if (sheet.schedule) sections.push_back(schedule_section(sheet));
  if (sheet.schedule_without_accumulate) {
    sections.push_back(plain_schedule_section(*sheet.schedule_without_accumulate));
  }
  if (sheet.work_span) sections.push_back(work_span_section(*sheet.work_span));
  if (sheet.agpu) sections.push_back(agpu_section(*sheet.agpu, sheet.result.report));
  return report;
}

}  // namespace agpusim

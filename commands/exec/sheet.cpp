#include "agpusim/commands/exec/sheet.hpp"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/host_memory.hpp"
#include "agpusim/model/source_text.hpp"
#include "agpusim/validation/exec/findings.hpp"
#include "agpusim/validation/exec/sheet_rows.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/io/units.hpp"
#include "agpusim/validation/predict/interval.hpp"
#include "agpusim/validation/records/run_json.hpp"
#include "agpusim/validation/report/pram_json.hpp"
#include "agpusim/validation/report/run_report.hpp"

namespace agpusim::exec {
namespace {

using detail::counted;
using detail::integer_text;
using ptx::PricedLine;
using report::Column;
using report::Format;
using report::Section;
using report::Table;
using report::Value;

// Rows that keep a sheet at 80 lines, conditions not counted.
constexpr std::size_t most_kernel_rows = 10;
constexpr std::size_t most_line_rows = 10;
constexpr std::size_t most_finding_rows = 5;
constexpr std::size_t most_changes = 4;  // kernels, and as many lines
constexpr std::size_t most_refusals = 3;
constexpr std::size_t most_failed_calls = 3;
constexpr std::size_t most_name = 30;  // characters of a kernel's name

std::size_t most_of(const Sheet& sheet, std::size_t rows) {
  return sheet.by_line ? std::numeric_limits<std::size_t>::max() : rows;
}

/// ", and 3 more"
std::string and_more(std::size_t count) {
  return count == 0 ? "" : fmt::format(", and {} more", count);
}

template <class Row>
Column<Row> count_column(const char* key, const char* title, std::int64_t (*get)(const Counts&),
                         int rank = 0) {
  return {{.key = key, .title = title, .format = Format::integer, .rank = rank},
          [get](const Row& row) { return Value(get(row.counts)); }};
}

template <class Row>
std::vector<Column<Row>> cost_columns() {
  return {
      count_column<Row>(
          "requests", "requests", [](const Counts& c) { return c.requests(); }, 6),
      count_column<Row>("sectors", "sectors", [](const Counts& c) { return c.sectors(); }),
      {{.key = "efficiency", .title = "efficiency", .format = Format::percent, .rank = 1},
       [](const Row& row) {
         constexpr std::int64_t sector_bytes = 32;
         return report::ratio(row.useful_bytes, sector_bytes * row.counts.sectors());
       }},
      count_column<Row>(
          "wavefronts", "wavefronts", [](const Counts& c) { return c.wavefronts(); }, 4),
      count_column<Row>("conflicts", "conflicts", [](const Counts& c) { return c.conflicts(); }),
      {{"active_lane_share", "lanes", Format::percent},
       [](const Row& row) {
         return report::ratio(row.counts.active_lanes, row.counts.lane_slots);
       }},
      {{"Q", ""}, [](const Row& row) { return Value(row.counts.io()); }},
      {{"counts", ""}, [](const Row& row) { return Value(detail::encode(row.counts)); }}};
}

Table kernel_table(const std::string& key, const std::vector<KernelRow>& rows) {
  using R = KernelRow;
  const auto dim = [](const std::optional<ptx::Dim3>& d) {
    return d ? Value::array({d->x, d->y, d->z}) : Value();
  };
  std::vector<Column<R>> columns = {
      {{"", "kernel"}, [](const R& row) { return Value(short_name(row.first->phase.kernel)); }},
      {{"name", ""}, [](const R& row) { return Value(row.first->phase.kernel); }},
      {{"kernel", ""}, [](const R& row) { return Value(row.first->kernel); }},
      {{.key = "launches", .title = "launches", .format = Format::integer, .rank = 2},
       [](const R& row) { return Value(row.launches); }},
      {{"index", ""}, [](const R& row) { return Value(row.first->index); }},
      {{"skipped", ""}, [](const R& row) { return Value(row.skipped); }},
      {{"stopped", ""}, [](const R& row) { return Value(row.stopped); }},
      {{.key = "", .title = "grid x block", .format = Format::right, .rank = 5},
       [](const R& row) {
         const auto text = [](const auto& d) { return d ? dim_text(*d) : "several"; };
         return Value(fmt::format("{} x {}", text(row.grid), text(row.block)));
       }},
      {{"grid", ""}, [&](const R& row) { return dim(row.grid); }},
      {{"block", ""}, [&](const R& row) { return dim(row.block); }},
      {{.key = "registers", .title = "registers", .format = Format::integer, .rank = 7},
       [](const R& row) { return Value(row.first->machine.registers); }},
      {{.key = "local_bytes", .title = "local", .format = Format::integer, .rank = 8},
       [](const R& row) { return Value(row.first->machine.local_bytes); }},
      {{"barriers", ""}, [](const R& row) { return Value(row.barriers); }},
      {{"atomics", ""},
       [](const R& row) {
         return Value(row.counts.global_atomic.requests + row.counts.shared_atomic.requests);
       }},
      {{"T", "T", Format::integer}, [](const R& row) { return Value(row.time); }}};
  for (auto& column : cost_columns<R>()) columns.push_back(std::move(column));
  const auto predicted = [](double Prediction::*part) {
    return [=](const R& row) { return row.predicted ? Value(*row.predicted.*part) : Value(); };
  };
  const std::vector<Column<R>> times = {
      {{"predicted_ms", "predicted ms", Format::decimal}, predicted(&Prediction::milliseconds)},
      {{.key = "", .title = "90 % interval", .format = Format::right, .rank = 3},
       [](const R& row) {
         return row.predicted && row.predicted->low < row.predicted->high
                    ? Value(range_text(row.predicted->low, row.predicted->high))
                    : Value();
       }},
      {{"low_ms", ""}, predicted(&Prediction::low)},
      {{"high_ms", ""}, predicted(&Prediction::high)},
      {{"limit", "limit"}, [](const R& row) {
         return row.launches == row.skipped ? Value("skipped") : Value(row.limit);
       }}};
  columns.insert(columns.end(), times.begin(), times.end());
  return report::table(key, columns, rows);
}

Section kernels(const Sheet& sheet, const std::vector<KernelRow>& rows) {
  Table by_kernel = kernel_table("kernels", rows);
  Table by_launch = kernel_table("launches", kernel_rows(sheet.program, true));
  const bool detailed = sheet.by_line || by_launch.rows.size() <= most_kernel_rows;
  (detailed ? by_kernel : by_launch).for_reader = false;
  Section section;
  add_table(section, std::move(by_kernel), most_of(sheet, most_kernel_rows), "kernels");
  section.tables.push_back(std::move(by_launch));
  if (!sheet.program.launches.empty()) {
    section.remarks.emplace_back(
        "Requests and sectors are a GPU's; so are wavefronts and conflicts where ptxas does not "
        "merge accesses. T and lanes are of PTX.");
  }
  return section;
}

/// What a line takes of memory that AGPU has no price for, with the remedy; "" where it is nothing.
std::string unpriced_text(const PricedLine& line, const std::string& place) {
  const UnpricedAccesses& u = line.unpriced;
  std::string text;
  if (u.constant_turns > 0) {
    text = fmt::format(
        "{}: lanes read constant memory at different addresses, {} beyond the first of a warp: "
        "each "
        "takes a turn; shared memory reads them at once",
        place, integer_text(u.constant_turns));
  }
  if (u.local_requests > 0) {
    text += fmt::format(
        "{}{}: {} accesses to local memory, {} lines of 128 bytes: registers hold an array whose "
        "indices the compiler knows",
        text.empty() ? "" : "\n", place, integer_text(u.local_requests),
        integer_text(u.local_lines));
  }
  return text;
}

Section lines(const Sheet& sheet, const RunReport& cost, SourceText& sources) {
  using L = PricedLine;
  const std::vector<L> all = lines_of(sheet.program);
  const Counts total = cost.total();
  std::vector<std::string> files;
  for (const L& line : all) files.push_back(line.file);
  std::vector<Column<L>> columns = {
      {{"", "costliest lines"},
       [&](const L& line) {
         return Value(fmt::format(
             "{}:{}{}", shortest_path(line.file, files), line.line,
             ptx::called_text({{line.file, line.line}, line.called_at}, sheet.by_line)));
       }},
      {{"name", ""}, [](const L& line) { return Value(line.kernel); }},
      {{"file", ""}, [](const L& line) { return Value(line.file); }},
      {{"line", ""}, [](const L& line) { return Value(line.line); }},
      {{"called_at", ""}, [](const L& line) { return lines_value(line.called_at); }},
      {{"T", ""}, [](const L& line) { return Value(line.counts.time()); }},
      {{"", "of T", Format::percent, true},
       [&](const L& line) { return report::ratio(line.counts.time(), total.time()); }}};
  for (auto& column : cost_columns<L>()) columns.push_back(std::move(column));
  columns.push_back(
      {{"constant_turns", ""}, [](const L& line) { return Value(line.unpriced.constant_turns); }});
  columns.push_back(
      {{"local_requests", ""}, [](const L& line) { return Value(line.unpriced.local_requests); }});
  columns.push_back(
      {{"local_lines", ""}, [](const L& line) { return Value(line.unpriced.local_lines); }});
  columns.push_back({{"text", "text", Format::code},
                     [&](const L& line) { return Value(sources.line(line.file, line.line)); }});
  Section section;
  if (all.empty() && !cost.phases.empty()) {
    section.sentences = {"Build with -lineinfo to see the cost of each source line."};
  }
  section.tables = {report::table("lines", columns, all)};
  section.tables[0].for_reader = false;
  const SummedOver over{.kernels = true, .callers = !sheet.by_line};
  const std::vector<L> shown = lines_of(sheet.program, every_launch, over);
  add_table(section, report::table("", columns, shown), most_of(sheet, most_line_rows), "lines");
  for (std::size_t i = 0; i < std::min(shown.size(), most_of(sheet, most_line_rows)); ++i) {
    const std::string place =
        fmt::format("{}:{}", shortest_path(shown[i].file, files), shown[i].line);
    const std::string text = unpriced_text(shown[i], place);
    if (!text.empty()) section.remarks.push_back(text);
  }
  return section;
}

/// A table where the program does not know of all, else a sentence.
Section failed_calls(const Sheet& sheet) {
  using F = FailedCall;
  const std::vector<F>& calls = sheet.program.failed;
  const std::vector<Column<F>> columns = {
      {{"function", "failed calls"}, [](const F& f) { return Value(f.function); }},
      {{"", "kernel"},
       [](const F& f) { return f.kernel.empty() ? Value() : Value(short_name(f.kernel)); }},
      {{"name", ""}, [](const F& f) { return f.kernel.empty() ? Value() : Value(f.kernel); }},
      {{"error", "error"}, [](const F& f) { return Value(f.error); }},
      {{"times", "times", Format::integer}, [](const F& f) { return Value(f.times); }},
      {{"looked", "looked at", Format::integer}, [](const F& f) { return Value(f.looked); }},
      {{"of_simulator", ""}, [](const F& f) { return Value(f.of_simulator); }},
      {{"reason", "why"}, [](const F& f) { return Value(f.reason); }}};
  Section section;
  Table table = report::table("failed_calls", columns, calls);
  table.without_empty_columns = true;
  if (std::all_of(calls.begin(), calls.end(), [](const F& f) { return f.is_known(); })) {
    table.for_reader = false;
    if (!calls.empty()) {
      section.sentences = {fmt::format("the program knows of failed calls: {} returned {} ({}){}",
                                       calls[0].function, calls[0].error, calls[0].reason,
                                       and_more(calls.size() - 1))};
    }
  }
  add_table(section, std::move(table), most_of(sheet, most_failed_calls), "failed calls");
  return section;
}

/// What libraries have computed.
Section not_counted(const ProgramReport& program) {
  using Calls = LibraryCalls;
  std::vector<Calls> all;
  for (const auto& [function, calls] : program.computed) all.push_back(calls);
  const std::vector<Column<Calls>> columns = {
      {{"library", "not counted"}, [](const Calls& one) { return Value(one.library); }},
      {{"function", "function"}, [](const Calls& one) { return Value(one.function); }},
      {{"calls", "calls", Format::integer}, [](const Calls& one) { return Value(one.calls); }}};
  Section section;
  section.tables = {report::table("library_calls", columns, all)};
  if (!all.empty()) {
    section.remarks.emplace_back("These ran on the host: no count and no predicted time has them.");
  }
  return section;
}

/// What the program asked for and did not get.
Section refusals(const ProgramReport& program, std::size_t most) {
  Section section;
  if (program.is_cut) {
    section.sentences.emplace_back(
        "lines of the program's report could not be written: launches and copies are missing here "
        "(TMPDIR names the folder that it is in)");
  }
  Value functions = Value::object();
  for (const auto& [name, calls] : program.unsupported) {
    functions[name] = calls;
    section.sentences.push_back(
        fmt::format("not supported: {}, called {}", name, counted(calls, "time")));
  }
  Value refused = Value::object();
  for (const auto& [name, why] : program.refused) {
    refused[name] = why;
    section.sentences.push_back(fmt::format("not run: {}: {}", short_name(name), why));
  }
  if (program.damaged > 0) {
    section.sentences.push_back(
        fmt::format("{} of the program's report cannot be read: their launches are missing above",
                    counted(program.damaged, "line")));
  }
  if (section.sentences.size() > most) {
    const std::size_t more = section.sentences.size() - most;
    section.sentences.resize(most);
    section.sentences.push_back(fmt::format("and {} more: --by-line", more));
  }
  section.facts = {{{"unsupported", ""}, functions},
                   {{"refused", ""}, refused},
                   {{"damaged_lines", ""}, program.damaged},
                   {{"report_is_cut", ""}, program.is_cut}};
  return section;
}

Section conditions(const std::vector<Checked>& all) {
  Section section;
  const std::vector<Column<Checked>> columns = {
      {{"condition", ""}, [](const Checked& one) { return Value(one.condition.text); }},
      {{"holds", ""}, [](const Checked& one) { return Value(!one.failure); }},
      {{"why", ""},
       [](const Checked& one) { return one.failure ? Value(one.failure->text) : Value(); }}};
  section.tables = {report::table("conditions", columns, all)};
  section.tables[0].for_reader = false;
  for (const Checked& one : all) {
    section.sentences.push_back(one.failure ? one.failure->text : "holds: " + one.condition.text);
  }
  return section;
}

/// The time of all launches that came to their end; none where one of them has none.
std::optional<Prediction> predicted(const std::vector<KernelRow>& rows, const RunReport& cost) {
  if (cost.phases.empty()) return std::nullopt;
  Prediction all;
  for (const KernelRow& row : rows) {
    if (!row.predicted && row.launches != row.skipped + row.stopped) return std::nullopt;
    const Prediction one = row.predicted.value_or(Prediction{});
    all.low += one.low;
    all.milliseconds += one.milliseconds;
    all.high += one.high;
  }
  return all;
}

/// What was run, and what all of it takes.
Section heading(const Sheet& sheet, const std::optional<Prediction>& time) {
  const ProgramReport& program = sheet.program;
  Section section;
  if (time || program.copies.count > 0) {
    const std::string predicted =
        time
            ? fmt::format("{} ms ({}) on {}, predicted; ", detail::decimal_text(time->milliseconds),
                          range_text(time->low, time->high), sheet.device)
            : "";
    section.sentences.push_back(fmt::format("{}copies: {} in, {} out", predicted,
                                            detail::bytes_text(program.copies.h2d_bytes),
                                            detail::bytes_text(program.copies.d2h_bytes)));
  }
  const std::string signal = signal_of(sheet.exit_code);
  if (sheet.exit_code != 0) {
    section.sentences.push_back(fmt::format("The program ended with exit code {}{}.",
                                            sheet.exit_code,
                                            signal.empty() ? "" : fmt::format(" ({})", signal)));
    if (sheet.exit_code == 128 + SIGKILL) {
      section.sentences.push_back(
          fmt::format("A system without memory ends programs so: {} are left for the program's own "
                      "and for what "
                      "it uses of the device's. Choose a smaller input, or ask for more memory.",
                      detail::bytes_text(available_memory_bytes())));
    }
  }
  for (const LaunchRecord& launch : program.launches) {
    if (!launch.runs) continue;
    section.sentences.push_back(fmt::format(
        "kernel {} {}: {} of {} CTAs had ended", launch.phase.kernel,
        signal.empty() ? "did not end" : "was stopped by a signal", integer_text(launch.ended_ctas),
        integer_text(static_cast<std::int64_t>(launch.grid.count()))));
  }
  section.facts = {{{"program", ""}, sheet.command},
                   {{"exit_code", ""}, sheet.exit_code},
                   {{"processes", ""}, program.processes.size()},
                   {{"machine", ""}, detail::encode(sheet.spec)},
                   {{"device", ""}, sheet.device},
                   {{"predicted_ms", ""}, time ? Value(time->milliseconds) : Value()},
                   {{"copies", ""},
                    {{"count", program.copies.count},
                     {"h2d_bytes", program.copies.h2d_bytes},
                     {"d2h_bytes", program.copies.d2h_bytes},
                     {"d2d_bytes", program.copies.d2d_bytes}}}};
  return section;
}

/// "./reduce: 2 kernels, 3 launches, results computed in full; 0 findings".
std::string title_of(const Sheet& sheet, const std::vector<KernelRow>& rows,
                     const std::vector<FindingRow>& found, SourceText& sources) {
  const auto defects = std::count_if(found.begin(), found.end(), [&](const FindingRow& row) {
    return is_defect(row.finding, sources, sheet.strict);
  });
  const auto others = static_cast<std::int64_t>(found.size()) - defects;
  std::int64_t launches = 0;
  std::int64_t skipped = 0;
  for (const KernelRow& row : rows) {
    launches += row.launches;
    skipped += row.skipped;
  }
  std::string results =
      skipped > 0
          ? fmt::format("{} of them skipped: results are not computed", integer_text(skipped))
      : !signal_of(sheet.exit_code).empty() ? "ended by a signal: what came after is missing"
      : !sheet.program.is_complete()        ? "results are not complete"
      : !sheet.program.failed.empty()       ? "results computed, but for calls that failed"
                                            : "results computed in full";
  return fmt::format("{}: {}, {}, {}; {}{}", command_text(sheet.command),
                     counted(static_cast<std::int64_t>(rows.size()), "kernel"),
                     counted(launches, "launch", "es"), results, counted(defects, "finding"),
                     others == 0 ? "" : ", " + counted(others, "note"));
}

/// What pages show first.
std::vector<report::Fact> cards(const Sheet& sheet, const std::optional<Prediction>& time,
                                const RunReport& cost, std::size_t findings) {
  std::vector<report::Fact> facts = cost_cards(cost);
  if (time && time->milliseconds > 0) {
    facts.push_back({{"", "", Format::decimal},
                     time->milliseconds,
                     "",
                     "",
                     "predicted, ms",
                     fmt::format("{}; on {}", range_text(time->low, time->high), sheet.device)});
  }
  facts.push_back({{.key = "", .title = "", .alarm = findings > 0},
                   findings,
                   "",
                   "",
                   "findings",
                   "races, memory, barriers"});
  return facts;
}

}  // namespace

report::Report to_report(const Sheet& sheet) {
  const RunReport cost = cost_of(sheet.program, sheet.spec);
  const std::vector<KernelRow> rows = kernel_rows(sheet.program, false);
  const std::vector<FindingRow> found = finding_rows(sheet.program);
  SourceText sources;
  report::Report report;
  report.title = title_of(sheet, rows, found, sources);
  report.answer = costliest_line(cost);
  report.answer.in_text = true;
  report.width = report::sheet_width;
  report.all_columns = sheet.by_line;
  const std::optional<Prediction> time = predicted(rows, cost);
  report.body.facts = cards(sheet, time, cost, found.size());
  report.body.sections = {heading(sheet, time),
                          findings_section(found, sources, most_of(sheet, most_finding_rows),
                                           sheet.by_line, sheet.strict),
                          refusals(sheet.program, most_of(sheet, most_refusals)),
                          failed_calls(sheet),
                          not_counted(sheet.program),
                          kernels(sheet, rows),
                          lines(sheet, cost, sources),
                          sheet.why.value_or(Section{}),
                          conditions(sheet.conditions)};
  if (sheet.against) {
    report.body.sections.push_back(
        comparison_section(*sheet.against, most_of(sheet, most_changes)));
  }
  return report;
}

}  // namespace agpusim::exec

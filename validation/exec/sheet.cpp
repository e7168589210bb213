#include "agpusim/validation/exec/sheet.hpp"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/model/source_text.hpp"
#include "agpusim/validation/exec/findings.hpp"
#include "agpusim/validation/exec/sheet_rows.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/io/units.hpp"
#include "agpusim/validation/predict/interval.hpp"
#include "agpusim/validation/records/run_json.hpp"
#include "agpusim/validation/report/pram_json.hpp"

namespace agpusim::exec {
namespace {

using detail::integer_text;
using ptx::PricedLine;
using report::Column;
using report::Format;
using report::Section;
using report::Table;
using report::Value;
using Dim = std::array<std::uint32_t, 3>;

// Of a sheet of 60 lines, conditions not counted.
constexpr std::size_t most_kernel_rows = 10;
constexpr std::size_t most_line_rows = 10;
constexpr std::size_t most_finding_rows = 5;
constexpr std::size_t most_changes = 4;  // of kernels, and of lines
constexpr std::size_t most_refusals = 3;

std::size_t most_of(const Sheet& sheet, std::size_t rows) {
  return sheet.by_line ? std::numeric_limits<std::size_t>::max() : rows;
}

std::string counted(std::int64_t count, const std::string& thing, const char* plural = "s") {
  return fmt::format("{} {}{}", integer_text(count), thing, count == 1 ? "" : plural);
}

Value share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? Value() : Value(static_cast<double>(part) / static_cast<double>(whole));
}

template <class Row>
Column<Row> count_column(const char* key, const char* title, std::int64_t (*get)(const Counts&)) {
  return {{key, title, Format::integer}, [get](const Row& row) { return Value(get(row.counts)); }};
}

template <class Row>
std::vector<Column<Row>> cost_columns() {
  return {
      count_column<Row>("requests", "requests", [](const Counts& c) { return c.requests(); }),
      count_column<Row>("sectors", "sectors", [](const Counts& c) { return c.sectors(); }),
      {{"efficiency", "efficiency", Format::percent},
       [](const Row& row) {
         constexpr std::int64_t sector_bytes = 32;
         return share(row.useful_bytes, sector_bytes * row.counts.sectors());
       }},
      count_column<Row>("wavefronts", "wavefronts", [](const Counts& c) { return c.wavefronts(); }),
      count_column<Row>("conflicts", "conflicts", [](const Counts& c) { return c.conflicts(); }),
      {{"active_lane_share", "lanes", Format::percent},
       [](const Row& row) { return share(row.counts.active_lanes, row.counts.lane_slots); }},
      {{"Q", ""}, [](const Row& row) { return Value(row.counts.io()); }},
      {{"counts", ""}, [](const Row& row) { return Value(detail::encode(row.counts)); }}};
}

/// "0.01234 (0.01 to 0.015)".
Value time_text(const KernelRow& row) {
  if (!row.milliseconds) return {};
  std::string text = detail::decimal_text(*row.milliseconds);
  if (row.low < *row.milliseconds || row.high > *row.milliseconds) {
    text += fmt::format(" ({})", range_text(row.low, row.high));
  }
  return text;
}

Table kernel_table(const std::string& key, const std::vector<KernelRow>& rows) {
  using R = KernelRow;
  const auto dim = [](const std::optional<Dim>& d) { return d ? Value(*d) : Value(); };
  std::vector<Column<R>> columns = {
      {{"", "kernel"}, [](const R& row) { return Value(short_name(row.name)); }},
      {{"name", ""}, [](const R& row) { return Value(row.name); }},
      {{"kernel", ""}, [](const R& row) { return Value(row.kernel); }},
      {{"launches", "launches", Format::integer}, [](const R& row) { return Value(row.launches); }},
      {{"skipped", ""}, [](const R& row) { return Value(row.skipped); }},
      {{"stopped", ""}, [](const R& row) { return Value(row.stopped); }},
      {{"", "grid x block", Format::right},
       [](const R& row) {
         const auto text = [](const std::optional<Dim>& d) { return d ? dim_text(*d) : "several"; };
         return Value(fmt::format("{} x {}", text(row.grid), text(row.block)));
       }},
      {{"grid", ""}, [&](const R& row) { return dim(row.grid); }},
      {{"block", ""}, [&](const R& row) { return dim(row.block); }},
      {{"T", "T", Format::integer}, [](const R& row) { return Value(row.time); }}};
  for (auto& column : cost_columns<R>()) columns.push_back(std::move(column));
  const std::vector<Column<R>> times = {
      {{"", "predicted ms", Format::right}, time_text},
      {{"predicted_ms", ""}, [](const R& row) { return report::value_or_null(row.milliseconds); }},
      {{"low_ms", ""}, [](const R& row) { return row.milliseconds ? Value(row.low) : Value(); }},
      {{"high_ms", ""}, [](const R& row) { return row.milliseconds ? Value(row.high) : Value(); }},
      {{"limit", "limit"}, [](const R& row) {
         return row.launches == row.skipped   ? Value("skipped")
                : row.launches == row.stopped ? Value("stopped by a finding")
                                              : Value(row.limit);
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

Section lines(const Sheet& sheet, const RunReport& cost, SourceText& sources) {
  using L = PricedLine;
  const std::vector<L> all = lines_of(sheet.program);
  const Counts total = cost.total();
  std::vector<std::string> files;
  for (const L& line : all) files.push_back(line.file);
  std::vector<Column<L>> columns = {
      {{"", "dearest lines"},
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
       [&](const L& line) { return share(line.counts.time(), total.time()); }}};
  for (auto& column : cost_columns<L>()) columns.push_back(std::move(column));
  columns.push_back({{"text", "text", Format::code},
                     [&](const L& line) { return Value(sources.line(line.file, line.line)); }});
  Section section;
  if (all.empty() && !cost.phases.empty()) {
    section.sentences = {"Build with -lineinfo to see the cost of each source line."};
  }
  section.tables = {report::table("lines", columns, all)};
  section.tables[0].for_reader = false;
  const SummedOver over{.kernels = true, .callers = !sheet.by_line};
  add_table(section, report::table("", columns, lines_of(sheet.program, every_launch, over)),
            most_of(sheet, most_line_rows), "lines");
  return section;
}

/// What the program asked for and did not get.
Section refusals(const ProgramReport& program, std::size_t most) {
  Section section;
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
                   {{"damaged_lines", ""}, program.damaged}};
  return section;
}

Section conditions(const std::vector<Checked>& all) {
  Section section;
  const std::vector<Column<Checked>> columns = {
      {{"condition", ""}, [](const Checked& one) { return Value(one.condition.text); }},
      {{"holds", ""}, [](const Checked& one) { return Value(!one.failure); }},
      {{"why", ""}, [](const Checked& one) { return report::value_or_null(one.failure); }}};
  section.tables = {report::table("conditions", columns, all)};
  section.tables[0].for_reader = false;
  for (const Checked& one : all) {
    section.sentences.push_back(one.failure ? *one.failure : "holds: " + one.condition.text);
  }
  return section;
}

Section comparison(const Comparison& against, std::size_t most) {
  const std::vector<Column<Change>> columns = {
      {{"", "kernel"}, [](const Change& c) { return Value(short_name(c.kernel)); }},
      {{"name", ""}, [](const Change& c) { return Value(c.kernel); }},
      {{"place", "line"},
       [](const Change& c) { return c.place.empty() ? Value() : Value(c.place); }},
      {{"cost", "cost"}, [](const Change& c) { return Value(c.cost); }},
      {{"base", "base", Format::integer}, [](const Change& c) { return Value(c.base); }},
      {{"now", "now", Format::integer}, [](const Change& c) { return Value(c.now); }},
      {{"", "change", Format::signed_percent},
       [](const Change& c) { return share(c.now - c.base, c.base); }},
      {{"text", "text", Format::code},
       [](const Change& c) { return c.text.empty() ? Value() : Value(c.text); }}};
  Section section;
  section.key = "against";
  section.heading = fmt::format("Against the base: {}",
                                against.is_dearer()                               ? "dearer"
                                : against.kernels.empty() && against.gone.empty() ? "equal"
                                                                                  : "not dearer");
  section.facts = {{{"dearer", ""}, against.is_dearer()},
                   {{"added", ""}, against.added},
                   {{"gone", ""}, against.gone}};
  if (!against.added.empty()) {
    section.sentences.push_back(fmt::format("new: {}", fmt::join(against.added, ", ")));
  }
  if (!against.gone.empty()) {
    section.sentences.push_back(fmt::format("gone: {}", fmt::join(against.gone, ", ")));
  }
  for (const auto& [key, changes] :
       {std::pair{"kernels", &against.kernels}, std::pair{"lines", &against.lines}}) {
    Section& inner = section.sections.emplace_back();
    Table table = report::table(key, columns, *changes);
    table.without_empty_columns = true;
    add_table(inner, std::move(table), most, "changes");
  }
  return section;
}

/// What was run, and what all of it takes.
Section heading(const Sheet& sheet, const std::vector<KernelRow>& rows, const RunReport& cost) {
  const ProgramReport& program = sheet.program;
  Section section;
  double milliseconds = 0;
  bool is_predicted = !cost.phases.empty();
  for (const KernelRow& row : rows) {
    milliseconds += row.milliseconds.value_or(0);
    is_predicted = is_predicted && (row.milliseconds || row.launches == row.skipped + row.stopped);
  }
  if (is_predicted) {
    section.sentences.push_back(fmt::format("{} ms on {}, predicted; copies: {} in, {} out",
                                            detail::decimal_text(milliseconds), sheet.device,
                                            detail::bytes_text(program.copies.h2d_bytes),
                                            detail::bytes_text(program.copies.d2h_bytes)));
  }
  if (sheet.exit_code != 0) {
    const int signal = sheet.exit_code - 128;  // as shells have it
    section.sentences.push_back(fmt::format(
        "The program ended with exit code {}{}.", sheet.exit_code,
        signal > 0 && signal < SIGRTMIN ? fmt::format(" ({})", strsignal(signal)) : ""));
  }
  section.facts = {{{"program", ""}, sheet.command},
                   {{"exit_code", ""}, sheet.exit_code},
                   {{"processes", ""}, program.processes.size()},
                   {{"machine", ""}, detail::encode(sheet.spec)},
                   {{"device", ""}, sheet.device},
                   {{"predicted_ms", ""}, is_predicted ? Value(milliseconds) : Value()},
                   {{"copies", ""},
                    {{"count", program.copies.count},
                     {"h2d_bytes", program.copies.h2d_bytes},
                     {"d2h_bytes", program.copies.d2h_bytes},
                     {"d2d_bytes", program.copies.d2d_bytes}}}};
  return section;
}

/// "./reduce: 2 kernels, 3 launches, results computed in full; 0 findings".
std::string title_of(const Sheet& sheet, const std::vector<KernelRow>& rows,
                     const std::vector<FindingRow>& found) {
  std::int64_t launches = 0;
  std::int64_t skipped = 0;
  std::int64_t stopped = 0;
  for (const KernelRow& row : rows) {
    launches += row.launches;
    skipped += row.skipped;
    stopped += row.stopped;
  }
  std::string results =
      skipped > 0
          ? fmt::format("{} of them skipped: results are not computed", integer_text(skipped))
      : sheet.exit_code > 128 ? "ended by a signal: what came after is missing"
      : stopped > 0 || !sheet.program.refused.empty() ? "results are not complete"
                                                      : "results computed in full";
  return fmt::format("{}: {}, {}, {}; {}", fmt::join(sheet.command, " "),
                     counted(static_cast<std::int64_t>(rows.size()), "kernel"),
                     counted(launches, "launch", "es"), results,
                     counted(static_cast<std::int64_t>(found.size()), "finding"));
}

}  // namespace

report::Report to_report(const Sheet& sheet) {
  const RunReport cost = cost_of(sheet.program, sheet.spec);
  const std::vector<KernelRow> rows = kernel_rows(sheet.program, false);
  const std::vector<FindingRow> found = finding_rows(sheet.program);
  SourceText sources;
  report::Report report;
  report.title = title_of(sheet, rows, found);
  report.body.sections = {
      heading(sheet, rows, cost),
      refusals(sheet.program, most_of(sheet, most_refusals)),
      kernels(sheet, rows),
      lines(sheet, cost, sources),
      findings_section(found, sources, most_of(sheet, most_finding_rows), sheet.by_line),
      conditions(sheet.conditions)};
  if (sheet.against) {
    report.body.sections.push_back(comparison(*sheet.against, most_of(sheet, most_changes)));
  }
  return report;
}

}  // namespace agpusim::exec

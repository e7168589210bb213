#include "agpusim/validation/exec/findings.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "agpusim/ptx/text/kernel_name.hpp"
#include "agpusim/validation/exec/sheet_rows.hpp"

namespace agpusim::exec {

using report::Column;
using report::Format;
using report::Section;
using report::Table;
using report::Value;

std::vector<FindingRow> finding_rows(const ProgramReport& program) {
  std::vector<FindingRow> rows;
  const auto add = [&](FindingRow row) {
    const auto known = std::find_if(rows.begin(), rows.end(), [&](const FindingRow& one) {
      return one.name == row.name && one.finding.rule == row.finding.rule &&
             one.finding.where == row.finding.where && one.finding.array == row.finding.array;
    });
    if (known == rows.end()) return rows.push_back(std::move(row));
    known->finding.times += row.finding.times;
  };
  for (const ProgramFinding& found : program.findings) {
    add({ptx::readable_name(found.kernel), 0, found.finding});
  }
  for (const LaunchRecord& launch : program.launches) {
    for (const ptx::Finding& finding : launch.findings) {
      FindingRow row{launch.phase.kernel, launch.numbers.front(), finding};
      row.finding.times *= static_cast<std::int64_t>(launch.numbers.size());
      add(std::move(row));
    }
  }
  return rows;
}

bool is_defect(const ptx::Finding& finding, SourceText& sources, bool strict) {
  if (ptx::is_note(finding.rule) && !strict) return false;
  const ptx::FileLine& at = finding.where.at;
  const auto accepted = fmt::format("agpusim: allow {}", ptx::to_string(finding.rule));
  return sources.line(at.file, at.line).find(accepted) == std::string::npos;
}

std::string short_name(const std::string& name) {
  constexpr std::size_t most = 30;  // characters
  if (name.size() <= most) return name;
  std::string text = ptx::without_template_arguments(name);
  const bool has_arguments = text.size() < name.size();
  if (const std::size_t at = text.rfind("::"); at != std::string::npos) text.erase(0, at + 2);
  return text.substr(0, most) + (has_arguments ? "<>" : "");
}

void add_table(Section& section, Table table, std::size_t most, const char* what) {
  table.most = most;
  table.what = what;
  table.more = "--by-line";
  section.tables.push_back(std::move(table));
}

Value lines_value(const std::vector<ptx::FileLine>& lines) {
  Value value = Value::array();
  for (const ptx::FileLine& line : lines)
    value.push_back({{"file", line.file}, {"line", line.line}});
  return value;
}

Section findings_section(const std::vector<FindingRow>& rows, SourceText& sources, std::size_t most,
                         bool all_callers, bool strict) {
  using F = FindingRow;
  const auto number = [](const char* key, const char* title, auto get) {
    return Column<F>{{.key = key, .title = title, .format = Format::integer, .rank = 1}, get};
  };
  const auto of_kernel = [](auto member) {
    return [=](const F& f) { return f.finding.is_of_host() ? Value() : Value(f.finding.*member); };
  };
  std::vector<std::string> files;
  for (const F& row : rows) files.push_back(row.finding.where.at.file);
  const std::vector<Column<F>> columns = {
      {{"rule", ""}, [](const F& f) { return Value(ptx::to_string(f.finding.rule)); }},
      {{"defect", ""}, [&](const F& f) { return Value(is_defect(f.finding, sources, strict)); }},
      {{.key = "", .title = "finding", .alarm = true},
       [&](const F& f) {
         const bool defect = is_defect(f.finding, sources, strict);
         const char* const kind = defect                         ? ""
                                  : ptx::is_note(f.finding.rule) ? "note: "
                                                                 : "accepted: ";
         return Value(fmt::format("{}{}", kind, ptx::to_string(f.finding.rule)));
       }},
      {{"", "place"},
       [&](const F& f) {
         const ptx::CalledLine& line = f.finding.where;
         return Value(place_text(shortest_path(line.at.file, files), line.at.line) +
                      called_text(line, all_callers));
       }},
      {{"place", ""}, [](const F& f) { return Value(f.finding.place()); }},
      {{"file", ""}, [](const F& f) { return Value(f.finding.where.at.file); }},
      {{"line", ""}, [](const F& f) { return Value(f.finding.where.at.line); }},
      {{"called_at", ""}, [](const F& f) { return lines_value(f.finding.where.called_at); }},
      {{"opcode", ""}, [](const F& f) { return Value(f.finding.opcode); }},
      {{"", "kernel"},
       [](const F& f) {
         return f.name.empty() || (f.launch == 0 && !f.finding.is_of_host())
                    ? Value()
                    : Value(short_name(f.name));
       }},
      {{"name", ""}, [](const F& f) { return Value(f.name); }},
      number("launch", "launch",
             [](const F& f) { return f.launch == 0 ? Value() : Value(f.launch); }),
      number("cta", "CTA", of_kernel(&ptx::Finding::cta)),
      number("warp", "warp", of_kernel(&ptx::Finding::warp)),
      number("lane", "lane", of_kernel(&ptx::Finding::lane)),
      number("times", "times", [](const F& f) { return Value(f.finding.times); }),
      {{"array", ""}, [](const F& f) { return Value(f.finding.array); }},
      {{"text", "what"}, [](const F& f) { return Value(f.finding.text); }},
      {{"remedy", ""}, [](const F& f) { return Value(f.finding.remedy); }},
      {{"source", "text", Format::code}, [&](const F& f) {
         return Value(sources.line(f.finding.where.at.file, f.finding.where.at.line));
       }}};
  Section section;
  Table table = report::table("findings", columns, rows);
  table.without_empty_columns = true;
  add_table(section, std::move(table), most, "findings");
  std::set<std::string> told;
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
    const ptx::Finding& finding = rows[i].finding;
    std::string remedy = fmt::format("{}: {}", ptx::to_string(finding.rule), finding.remedy);
    if (told.insert(remedy).second) section.remarks.push_back(std::move(remedy));
  }
  return section;
}

}  // namespace agpusim::exec

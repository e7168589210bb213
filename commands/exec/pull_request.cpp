#include "agpusim/commands/exec/pull_request.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "agpusim/model/source_text.hpp"
#include "agpusim/validation/exec/findings.hpp"
#include "agpusim/validation/exec/sheet_rows.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/report/report.hpp"
#include "agpusim/validation/report/version.hpp"

namespace agpusim::exec {
namespace {

using report::Value;

constexpr std::size_t most_rows = 10;

/// Inline code, whatever stands in it; a cell of a table ends at no sign of it.
std::string code(const std::string& text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '`' ? '\'' : c == '\n' ? ' ' : c;
  }
  return fmt::format("`{}`", cell);
}

/// The changes of lines before those of their kernels, what may not be so before what may.
std::vector<Change> shown_changes(const Comparison& against) {
  std::vector<Change> rows;
  const auto is_dearer = [&](const Change& change) {
    return std::any_of(against.dearer.begin(), against.dearer.end(), [&](const Change& one) {
      return one.kernel == change.kernel && one.cost == change.cost;
    });
  };
  const auto is_of_kernel = [&](const Change& change) {
    return std::any_of(against.kernels.begin(), against.kernels.end(), [&](const Change& one) {
      return one.kernel == change.kernel && one.cost == change.cost;
    });
  };
  for (const bool dearer : {true, false}) {
    for (const auto* const changes : {&against.kernels, &against.lines}) {
      std::copy_if(changes->begin(), changes->end(), std::back_inserter(rows),
                   [&](const Change& change) {
                     return is_of_kernel(change) &&
                            (is_dearer(change) && change.now > change.base) == dearer;
                   });
    }
  }
  return rows;
}

std::string table_of_changes(const Comparison& against) {
  const std::vector<Change> rows = shown_changes(against);
  if (rows.empty()) return {};
  std::string text =
      "\n| kernel | line | cost | base | now | change |\n|---|---|---|---:|---:|---:|\n";
  for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i) {
    const Change& row = rows[i];
    const auto growth = row.growth();
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", code(row.kernel),
                        row.place.empty() ? "" : code(row.place + " " + row.text),
                        row.cost == "ms" ? "predicted ms" : row.cost, number_text(row, row.base),
                        number_text(row, row.now),
                        growth ? detail::signed_percent_text(*growth) : "from 0");
  }
  if (rows.size() > most_rows) text += fmt::format("\n{} more.\n", rows.size() - most_rows);
  return text;
}

std::string table_of_kernels(const Sheet& sheet) {
  std::string text =
      "\n| kernel | launches | T | sectors | conflicts | registers | predicted ms |\n"
      "|---|---:|---:|---:|---:|---:|---:|\n";
  const std::vector<KernelRow> rows = kernel_rows(sheet.program, false);
  for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i) {
    const KernelRow& row = rows[i];
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", code(row.first->phase.kernel),
                        row.launches, detail::integer_text(row.time),
                        detail::integer_text(row.counts.sectors()),
                        detail::integer_text(row.counts.conflicts()), row.first->machine.registers,
                        row.predicted ? detail::decimal_text(row.predicted->milliseconds) : "-");
  }
  return text;
}

/// A result of SARIF; without a line where none is known.
Value result(const std::string& rule, const char* level, const std::string& message,
             const ptx::FileLine& at, const std::string& folder) {
  Value one = {{"ruleId", rule}, {"level", level}, {"message", {{"text", message}}}};
  if (at.file.empty() || at.line == 0) return one;
  const std::filesystem::path path = std::filesystem::absolute(at.file).lexically_normal();
  const std::filesystem::path below = path.lexically_relative(folder);
  const bool is_below = !below.empty() && *below.begin() != "..";
  one["locations"] = {
      {{"physicalLocation",
        {{"artifactLocation",
          {{"uri", is_below ? below.generic_string() : "file://" + path.generic_string()}}},
         {"region", {{"startLine", at.line}}}}}}};
  return one;
}

/// Where a cost of a kernel has risen most.
ptx::FileLine line_of(const Comparison& against, const Change& change) {
  const Change* most = nullptr;
  for (const Change& line : against.lines) {
    if (line.kernel != change.kernel || line.cost != change.cost || line.now <= line.base) continue;
    if (most == nullptr || line.now - line.base > most->now - most->base) most = &line;
  }
  return most == nullptr ? ptx::FileLine{} : most->at;
}

}  // namespace

std::string to_markdown(const Sheet& sheet) {
  SourceText sources;
  std::vector<std::string> broken;
  for (const Checked& one : sheet.conditions) {
    if (one.failure) broken.push_back(one.condition.text);
  }
  const std::vector<FindingRow> found = finding_rows(sheet.program);
  const auto defects = std::count_if(found.begin(), found.end(), [&](const FindingRow& row) {
    return is_defect(row.finding, sources, sheet.strict);
  });
  const bool dearer = sheet.against && sheet.against->is_dearer();
  std::string text = fmt::format(
      "### agpusim: {}\n\n{}, no GPU: {}, {}\n",
      defects > 0      ? "findings"
      : dearer         ? "dearer"
      : broken.empty() ? "passes"
                       : "conditions broken",
      code(fmt::format("{}", fmt::join(sheet.command, " "))), detail::counted(defects, "finding"),
      broken.empty() ? "all conditions hold"
                     : detail::counted(std::ssize(broken), "condition") + " broken");
  for (const std::string& condition : broken)
    text += fmt::format("- does not hold: {}\n", code(condition));
  if (sheet.against) {
    const Comparison& against = *sheet.against;
    for (const std::string& kernel : against.added)
      text += fmt::format("- new: {}\n", code(kernel));
    for (const std::string& kernel : against.gone)
      text += fmt::format("- gone: {}\n", code(kernel));
    if (against.kernels.empty()) text += "\nNo cost of a kernel has changed.\n";
    text += table_of_changes(against);
  } else {
    text += table_of_kernels(sheet);
  }
  for (std::size_t i = 0; i < std::min(found.size(), most_rows); ++i) {
    text += fmt::format("{}- {}\n", i == 0 ? "\n" : "", code(found[i].finding.message()));
  }
  return text;
}

std::string to_sarif(const Sheet& sheet, const std::string& folder) {
  SourceText sources;
  Value results = Value::array();
  std::set<std::string> rules;
  const auto add = [&](const std::string& rule, const char* level, const std::string& message,
                       const ptx::FileLine& at) {
    rules.insert(rule);
    results.push_back(result(rule, level, message, at, folder));
  };
  for (const FindingRow& row : finding_rows(sheet.program)) {
    add(std::string(ptx::to_string(row.finding.rule)),
        is_defect(row.finding, sources, sheet.strict) ? "error" : "note",
        fmt::format("{}{}. {}", row.name.empty() ? "" : fmt::format("kernel {}: ", row.name),
                    row.finding.message(), row.finding.remedy),
        row.finding.where.at);
  }
  for (const Checked& one : sheet.conditions) {
    if (one.failure) add("require", "error", one.failure->text, one.failure->at);
  }
  if (sheet.against) {
    for (const Change& change : sheet.against->dearer) {
      add("against", "error",
          fmt::format("{}: {} -> {}", to_text(change), number_text(change, change.base),
                      number_text(change, change.now)),
          line_of(*sheet.against, change));
    }
  }
  Value described = Value::array();
  for (const std::string& rule : rules) described.push_back({{"id", rule}});
  const Value driver = {{"name", "agpusim"}, {"version", version()}, {"rules", described}};
  const Value sarif = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", Value::array({{{"tool", {{"driver", driver}}}, {"results", results}}})}};
  return sarif.dump(2, ' ', false, Value::error_handler_t::replace) + "\n";
}

}  // namespace agpusim::exec

#include "agpusim/validation/exec/results.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/exec/findings.hpp"
#include "agpusim/validation/exec/sheet_rows.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/io/json.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/records/run_json.hpp"

namespace agpusim::exec {
namespace {

using detail::field;
using detail::Json;
using detail::JsonError;
using detail::member;
using report::Value;

struct ResultRow {
  std::string file;
  std::vector<std::string> command;
  std::string device;
  std::string machine;
  std::int64_t exit_code = 0;
  std::optional<Json> kernel = {};  ///< its row of the sheet; none: of the host, or nothing ran
  std::int64_t findings = 0;        ///< defects
  std::string incomplete = {};      ///< why counts of the run are missing; empty: none is
};

std::int64_t count_of(const Json& json, const std::string& key) {
  const auto count = field<std::int64_t>(json, key);
  if (count < 0) throw JsonError(fmt::format("field '{}' is negative", key));
  return count;
}

/// Why counts of a run are missing, as its sheet says it; empty where none is.
std::string why_incomplete(const Json& run) {
  std::int64_t skipped = 0;
  std::string stopped;
  for (const Json& kernel : member(run, "kernels")) {
    skipped += count_of(kernel, "skipped");
    if (count_of(kernel, "stopped") == 0) continue;
    stopped = fmt::format("kernel {} was stopped", field<std::string>(kernel, "name"));
  }
  if (skipped > 0) return detail::counted(skipped, "launch", "es") + " skipped";
  const std::string signal = signal_of(count_of(run, "exit_code"));
  if (!signal.empty()) return fmt::format("ended by a signal ({})", signal);
  if (field<bool>(run, "report_is_cut") || field<std::int64_t>(run, "damaged_lines") > 0) {
    return "lines of its report are lost";
  }
  if (field<std::int64_t>(run, "processes") == 0) return "called no CUDA runtime";
  for (const char* const key : {"unsupported", "refused"}) {
    for (const auto& [name, why] : member(run, key).items())
      return fmt::format("{}: {}", key, name);
  }
  for (const Json& call : member(run, "failed_calls")) {
    if (field<bool>(call, "of_simulator") || count_of(call, "looked") < count_of(call, "times"))
      return field<std::string>(call, "function") + ": " + field<std::string>(call, "error");
  }
  return stopped;
}

/// Adds a row for each kernel of a run, and one for what is of none.
void add_run(std::vector<ResultRow>& rows, const std::string& file, const Json& run) {
  ResultRow row{file, member(run, "program").get<std::vector<std::string>>(),
                field<std::string>(run, "device"),
                detail::decode_spec(member(run, "machine")).to_string(),
                count_of(run, "exit_code")};
  if (row.command.empty()) throw JsonError("field 'program' is empty");
  row.incomplete = why_incomplete(run);
  std::map<std::string, std::int64_t> findings;
  for (const Json& finding : member(run, "findings")) {
    if (field<bool>(finding, "defect")) ++findings[field<std::string>(finding, "name")];
  }
  const std::size_t before = rows.size();
  for (const Json& kernel : member(run, "kernels")) {
    const auto name = field<std::string>(kernel, "name");
    row.findings = std::exchange(findings[name], 0);
    const Json& time = member(kernel, "predicted_ms");
    if (!time.is_null() && !(field<double>(kernel, "predicted_ms") >= 0)) {
      throw JsonError("field 'predicted_ms' is negative");
    }
    row.kernel = {{"name", name}, {"predicted_ms", time}};
    for (const char* const key : {"launches", "T", "sectors", "conflicts"}) {
      row.kernel->emplace(key, count_of(kernel, key));
    }
    rows.push_back(row);
  }
  row.kernel.reset();
  row.findings = 0;
  for (const auto& [name, count] : findings) row.findings += count;
  if (row.findings > 0 || rows.size() == before) rows.push_back(row);
}

report::Table table_of(const std::vector<ResultRow>& rows) {
  using R = ResultRow;
  using report::Format;
  const auto arguments = [](const R& row) {
    return std::vector(row.command.begin() + 1, row.command.end());
  };
  const auto of_kernel = [](const char* key, const char* title, Format format) {
    return report::Column<R>{{key, title, format}, [=](const R& row) {
                               return row.kernel ? Value((*row.kernel)[key]) : Value();
                             }};
  };
  const bool alarm = std::ranges::any_of(rows, [](const R& row) { return row.findings > 0; });
  const std::vector<report::Column<R>> columns = {
      {{.key = "file", .title = "file", .rank = 1}, [](const R& row) { return Value(row.file); }},
      {{"program", ""}, [](const R& row) { return Value(row.command.front()); }},
      {{"", "program"}, [](const R& row) { return Value(command_text({row.command.front()})); }},
      {{"arguments", ""}, [&](const R& row) { return Value(arguments(row)); }},
      {{"", "arguments"}, [&](const R& row) { return Value(command_text(arguments(row))); }},
      {{.key = "device", .title = "device", .rank = 2},
       [](const R& row) { return Value(row.device); }},
      {{.key = "machine", .title = "machine", .rank = 3},
       [](const R& row) { return Value(row.machine); }},
      {{"exit_code", "exit code", Format::plain},
       [](const R& row) { return Value(row.exit_code); }},
      {{"", "kernel"},
       [](const R& row) {
         return row.kernel ? Value(short_name((*row.kernel)["name"])) : Value();
       }},
      of_kernel("name", "", Format::text),
      of_kernel("launches", "launches", Format::integer),
      of_kernel("T", "T", Format::integer),
      of_kernel("sectors", "sectors", Format::integer),
      of_kernel("conflicts", "conflicts", Format::integer),
      of_kernel("predicted_ms", "predicted ms", Format::decimal),
      {{.key = "findings", .title = "findings", .format = Format::integer, .alarm = alarm},
       [](const R& row) { return Value(row.findings); }},
      {{"incomplete", "incomplete"},
       [](const R& row) { return row.incomplete.empty() ? Value() : Value(row.incomplete); }}};
  report::Table table = report::table("rows", columns, rows);
  table.csv = true;
  table.what = "rows";
  table.without_empty_columns = true;
  return table;
}

}  // namespace

bool is_result(const std::filesystem::path& path) {
  if (!std::filesystem::is_regular_file(path)) return false;
  std::string begin(4096, ' ');
  std::ifstream(path, std::ios::binary).read(begin.data(), 4096);
  return std::regex_search(begin, std::regex(R"("program"\s*:\s*\[)"));
}

MergedResults merge_results(const std::vector<std::string>& paths) {
  std::vector<ResultRow> rows;
  std::vector<std::string> incomplete;
  for (const std::string& path : paths) {
    const std::string text = read_file(path);
    try {
      add_run(rows, path, detail::parse_object(text));
    } catch (const std::exception& error) {  // JsonError, or one of the library
      throw FileError(fmt::format(
          "{}: no result of `agpusim exec --json` ({}): remove it and run its program again, or "
          "merge points of a sweep by themselves: the two kinds do not mix",
          path, error.what()));
    }
    const std::string& why = rows.back().incomplete;
    if (!why.empty()) incomplete.push_back(fmt::format("{} ({})", path, why));
  }
  MergedResults merged;
  merged.report.title = fmt::format("{}, {} not complete",
                                    detail::counted(std::ssize(paths), "run"), incomplete.size());
  merged.report.body.heading = "Runs";
  merged.report.body.facts = {{{"runs", ""}, paths.size()},
                              {{"runs_not_complete", ""}, incomplete.size()}};
  merged.report.body.tables = {table_of(rows)};
  if (!incomplete.empty()) {
    merged.missing = fmt::format(
        "{} of {} runs are not complete, first {}: run them again, or leave their files out",
        incomplete.size(), paths.size(), incomplete.front());
  }
  return merged;
}

}  // namespace agpusim::exec

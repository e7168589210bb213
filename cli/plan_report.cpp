#include "agpusim/cli/plan_report.hpp"

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/validation/report/run_columns.hpp"

namespace agpusim {
namespace {

using report::Column;
using report::Format;
using report::Value;

/// A number of what was measured, null where nothing was.
template <class T>
Column<TriedRun> measured(const char* key, const char* title, T Measurement::*number,
                          Format format = Format::decimal) {
  return {{key, title, format}, [number](const TriedRun& run) {
            return run.measured ? Value((*run.measured).*number) : Value();
          }};
}

report::Table runs_table(const std::vector<TriedRun>& runs) {
  std::vector<Column<TriedRun>> columns = report::run_columns<TriedRun>();
  const std::vector<Column<TriedRun>> outcome = {
      {{"machine", "machine"},
       [](const TriedRun& run) {
         const bool is_row = catalog().find_or_null(run.config.algorithm) != nullptr;
         return is_row ? Value(run.config.spec.to_string()) : Value();
       }},
      measured("median_ms", "median, ms", &Measurement::ms),
      measured("low_ms", "5 %", &Measurement::low_ms),
      measured("high_ms", "95 %", &Measurement::high_ms),
      measured("samples", "samples", &Measurement::samples, Format::integer),
      {{"stop", ""}, [](const TriedRun& run) { return Value(run.stop); }},
      {{"failure", "failed", Format::text},
       [](const TriedRun& run) { return run.failure.empty() ? Value() : Value(run.failure); }}};
  columns.insert(columns.end(), outcome.begin(), outcome.end());
  report::Table table = report::table("runs", columns, runs);
  table.csv = true;
  table.without_empty_columns = true;
  table.most = 20;
  table.what = "runs";
  return table;
}

}  // namespace

report::Report to_report(const std::vector<PlanResult>& results) {
  report::Report written;
  for (const PlanResult& result : results) {
    written.title = "Runs on " + result.device;
    report::Section section;
    section.key = "plans";
    section.list = true;
    section.facts = {{{"device", ""}, result.device},
                     {{"file", "file", Format::text}, result.file.string(), "", "file"},
                     {{"done", "done", Format::integer}, result.done()},
                     {{"skipped", "skipped", Format::integer}, result.skipped, "already done"},
                     {{"left", "left over", Format::integer}, result.left},
                     {{"failed", "failed", Format::integer}, result.failed},
                     {{"refused", "refused", Format::integer},
                      result.refused,
                      "combinations of the plan, by the algorithms"}};
    section.tables = {runs_table(result.tried)};
    written.body.sections.push_back(std::move(section));
  }
  return written;
}

void put_results(const std::vector<PlanResult>& results, const ReportOutput& output) {
  put_report(to_report(results), output);
  rethrow_failure(results);
  exit_if_interrupted();
}

}  // namespace agpusim

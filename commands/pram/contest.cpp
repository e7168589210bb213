#include "agpusim/commands/pram/contest.hpp"

#include <fmt/format.h>

#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/records/run_json.hpp"
#include "agpusim/validation/report/pram_json.hpp"
#include "agpusim/validation/report/pram_measures.hpp"
#include "agpusim/validation/report/pram_report.hpp"

namespace agpusim {
namespace {

using report::Column;
using report::Format;
using report::Value;

bool equals_form(const PramComparisonRow& row) {
  return compare_with_closed_form(*row.report, *row.form).empty();
}

std::string verdict(const PramComparisonRow& row) {
  if (!row.form) return "refused";
  if (!row.report) return "not run";
  if (row.differences.count > 0) return "WRONG";
  if (!row.form->stated) return "right, no form";
  return equals_form(row) ? "equal" : "DIFFERENT";
}

/// Column of a number that each run has.
template <class F>
Column<PramComparisonRow> of_run(const char* key, const char* title, F measure) {
  return {{key, title, Format::integer}, [measure](const PramComparisonRow& row) {
            return row.report ? Value(measure(*row.report)) : Value(nullptr);
          }};
}

/// As counted, or where nothing was run as the closed form says.
template <class F>
Column<PramComparisonRow> of_run_or_form(const char* title, F measure,
                                         std::int64_t PramForm::*expected) {
  return {{"", title, Format::integer}, [=](const PramComparisonRow& row) {
            if (row.report) return Value(measure(*row.report));
            return row.form ? Value((*row.form).*expected) : Value(nullptr);
          }};
}

template <class F>
Column<PramComparisonRow> of_agpu(const char* title, F measure) {
  return {{"", title, Format::integer}, [measure](const PramComparisonRow& row) {
            return row.agpu ? Value(measure(*row.agpu)) : Value(nullptr);
          }};
}

std::vector<Column<PramComparisonRow>> columns(bool on_agpu) {
  std::vector<Column<PramComparisonRow>> all = {
      {{"variant", "variant"},
       [](const PramComparisonRow& row) { return Value(row.variant.name); }},
      {{"machine", "machine"},
       [](const PramComparisonRow& row) { return Value(to_string(row.machine.access)); }},
      of_run_or_form(
          "steps", [](const PramReport& run) { return run.time(); }, &PramForm::steps),
      of_run_or_form(
          "processors", [](const PramReport& run) { return run.processors(); },
          &PramForm::processors),
      of_run_or_form(
          "work", [](const PramReport& run) { return run.work(); }, &PramForm::work),
      of_run("", "P x time", [](const PramReport& run) { return run.processor_time(); }),
      of_run("", "contention", [](const PramReport& run) { return run.contention(); }),
      of_run("", "QRQW time", [](const PramReport& run) { return run.qrqw_time(); })};
  if (on_agpu) {
    all.push_back(of_agpu("T", [](const RunReport& agpu) { return agpu.time(); }));
    all.push_back(of_agpu("Q", [](const RunReport& agpu) { return agpu.total().io(); }));
    all.push_back(of_agpu("K", [](const RunReport& agpu) { return agpu.contention(); }));
  }
  all.push_back({{"", "check", Format::plain},
                 [](const PramComparisonRow& row) { return Value(verdict(row)); }});
  all.push_back({{"bound", ""},
                 [](const PramComparisonRow& row) { return Value(row.variant.on_pram.text); }});
  all.push_back(
      {{"source", ""}, [](const PramComparisonRow& row) { return Value(row.variant.source); }});
  all.push_back({{"note", ""}, [](const PramComparisonRow& row) { return Value(row.note); }});
  all.push_back({{"closed_form", ""}, [](const PramComparisonRow& row) {
                   return row.form && row.form->stated ? detail::encode(*row.form) : Value(nullptr);
                 }});
  all.push_back({{"correct", ""}, [](const PramComparisonRow& row) {
                   return row.report ? Value(row.differences.count == 0) : Value(nullptr);
                 }});
  all.push_back({{"closed_form_equal", ""}, [](const PramComparisonRow& row) {
                   return row.report && row.form->stated ? Value(equals_form(row)) : Value(nullptr);
                 }});
  for (const detail::PramMeasure& measure : detail::pram_measures) {
    all.push_back(of_run(measure.key, "", measure.value));
  }
  all.push_back({{"on_agpu", ""}, [](const PramComparisonRow& row) {
                   return row.agpu ? detail::encode_totals(*row.agpu) : Value(nullptr);
                 }});
  return all;
}

}  // namespace

report::Report to_report(const PramComparison& comparison) {
  Value config = detail::encode_on_pram(comparison.config);
  config.erase("variant");
  config["machine"].erase("access");  // each row has its own
  report::Section head;
  head.sentences = {comparison.summary};
  if (comparison.agpu) {
    head.sentences.push_back(
        fmt::format("T, Q and K on {}, a phase per step", comparison.agpu->to_string()));
  }
  head.facts = {{{"config", ""}, config}};
  if (comparison.agpu) head.facts.push_back({{"agpu", ""}, detail::encode(*comparison.agpu)});
  head.facts.push_back({{"meaning", ""}, detail::encode_meanings()});
  report::Section variants;
  variants.tables = {
      report::table("variants", columns(comparison.agpu.has_value()), comparison.rows)};
  variants.tables[0].csv = true;
  report::Section bounds;
  report::Section notes;
  for (const PramComparisonRow& row : comparison.rows) {
    bounds.sentences.push_back(
        fmt::format("{}: {} [{}]", row.variant.name, row.variant.on_pram.text, row.variant.source));
    if (!row.note.empty()) {
      notes.sentences.push_back(fmt::format("{}: {}", row.variant.name, row.note));
    }
  }
  const RunConfig& run = comparison.config;
  report::Report report;
  report.title = fmt::format("{}, n = {}, input {}, seed {}", run.algorithm,
                             detail::integer_text(run.n), run.input, run.seed);
  for (const auto& [name, value] : run.parameters) {
    report.title += fmt::format(", {} = {}", name, value);
  }
  report.body.sections = {head, variants, bounds, notes};
  return report;
}

}  // namespace agpusim

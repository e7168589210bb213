#include "agpusim/validation/contest/pram_contest.hpp"

#include <utility>

#include <fmt/format.h>

#include "agpusim/validation/json/json.hpp"
#include "agpusim/validation/json/pram_json.hpp"
#include "agpusim/validation/report/pram_report.hpp"
#include "agpusim/validation/report/text_table.hpp"

namespace agpusim {
namespace {

using detail::integer_text;
using Json = nlohmann::ordered_json;

std::string heading(const PramComparison& comparison) {
  const PramRunConfig& config = comparison.config;
  std::string text = fmt::format("{}, n = {}, input {}, seed {}", config.algorithm,
                                 integer_text(config.n), config.input, config.seed);
  for (const auto& [name, value] : config.parameters) text += fmt::format(", {} = {}", name, value);
  text += fmt::format("\n{}\n", comparison.summary);
  if (comparison.agpu) {
    text += fmt::format("T, Q and K on {}, a phase per step\n", comparison.agpu->to_string());
  }
  return text + "\n";
}

std::string verdict(const PramComparisonRow& row) {
  if (!row.form) return "refused";
  if (!row.report) return "not run";
  if (!row.correct) return "WRONG";
  return compare_with_closed_form(*row.report, *row.form).empty() ? "equal" : "DIFFERENT";
}

/// Steps, processors and work: as counted, or where nothing was run as the closed form says.
std::vector<std::string> main_measures(const PramComparisonRow& row) {
  if (!row.form) return {"-", "-", "-"};
  PramForm form = *row.form;
  if (row.report) form = {row.report->time(), row.report->processors(), row.report->work()};
  return {integer_text(form.steps), integer_text(form.processors), integer_text(form.work)};
}

std::vector<std::string> cells(const PramComparisonRow& row, bool on_agpu) {
  const auto of_run = [&](std::int64_t (PramReport::*measure)() const) {
    return row.report ? integer_text(((*row.report).*measure)()) : std::string("-");
  };
  std::vector<std::string> result = {row.variant.name, to_string(row.machine.access)};
  for (std::string& measure : main_measures(row)) result.push_back(std::move(measure));
  result.push_back(of_run(&PramReport::processor_time));
  result.push_back(of_run(&PramReport::contention));
  result.push_back(of_run(&PramReport::qrqw_time));
  if (on_agpu) {
    if (row.agpu) {
      for (const std::int64_t value :
           {row.agpu->time(), row.agpu->total().io(), row.agpu->contention()}) {
        result.push_back(integer_text(value));
      }
    } else {
      result.insert(result.end(), 3, "-");
    }
  }
  result.push_back(verdict(row));
  return result;
}

}  // namespace

std::string pram_comparison_text(const PramComparison& comparison) {
  const bool on_agpu = comparison.agpu.has_value();
  std::vector<std::string> header = {"variant", "machine",  "steps",      "processors",
                                     "work",    "P x time", "contention", "QRQW time"};
  if (on_agpu) header.insert(header.end(), {"T", "Q", "K"});
  header.emplace_back("check");
  std::vector<std::vector<std::string>> rows;
  std::string notes;
  for (const PramComparisonRow& row : comparison.rows) {
    rows.push_back(cells(row, on_agpu));
    if (!row.note.empty()) notes += fmt::format("{}: {}\n", row.variant.name, row.note);
  }
  std::string text = heading(comparison) + detail::text_table(header, rows, 2) + "\n";
  for (const PramComparisonRow& row : comparison.rows) {
    text +=
        fmt::format("{}: {} [{}]\n", row.variant.name, row.variant.bound.text, row.variant.source);
  }
  return text + (notes.empty() ? "" : "\n") + notes;
}

std::string pram_comparison_json(const PramComparison& comparison) {
  Json rows = Json::array();
  for (const PramComparisonRow& row : comparison.rows) {
    Json json = {{"variant", row.variant.name},
                 {"machine", to_string(row.machine.access)},
                 {"bound", row.variant.bound.text},
                 {"source", row.variant.source},
                 {"note", row.note}};
    if (row.form) json["closed_form"] = detail::encode(*row.form);
    if (row.report) {
      json["correct"] = row.correct;
      json["closed_form_equal"] = compare_with_closed_form(*row.report, *row.form).empty();
      json.update(detail::encode_measures(*row.report));
    }
    if (row.agpu) json["on_agpu"] = detail::encode_totals(*row.agpu);
    rows.push_back(json);
  }
  Json config = detail::encode(comparison.config);
  config.erase("variant");
  config["machine"].erase("access");  // each row has its own
  Json json = {{"agpusim", AGPUSIM_VERSION}, {"config", config}};
  if (comparison.agpu) json["agpu"] = detail::encode(*comparison.agpu);
  json["meaning"] = detail::encode_meanings();
  json["variants"] = rows;
  return json.dump(2) + "\n";
}

}  // namespace agpusim

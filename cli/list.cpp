#include "agpusim/cli/list.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/terminal.hpp"

namespace agpusim {
namespace {

std::string joined(const std::vector<std::string>& names) {
  return names.empty() ? "-" : fmt::format("{}", fmt::join(names, " "));
}

/// A table whose columns are as wide as their longest cell; the last column is not padded.
std::string table_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      text += fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    text += row.back() + "\n";
  }
  return text;
}

std::string pram_text() {
  std::vector<std::vector<std::string>> rows = {{"name", "variants", "inputs", "summary"}};
  for (const PramAlgorithm& row : pram_catalog().all()) {
    rows.push_back({row.name, joined(variant_names(row)), joined(row.inputs), row.summary});
  }
  return table_text(rows);
}

std::string list_text() {
  std::vector<std::vector<std::string>> rows = {{"name", "variants", "types", "inputs", "summary"}};
  for (const Algorithm& row : catalog().all()) {
    rows.push_back(
        {row.name, joined(variant_names(row)), joined(row.types), joined(row.inputs), row.summary});
  }
  return "On AGPU(p,b,M,w), `agpusim run NAME`:\n\n" + table_text(rows) +
         "\nOn a PRAM, `agpusim pram NAME`:\n\n" + pram_text() +
         "\nThe first variant, type and input is the default; "
         "`agpusim help NAME` tells more about one.\n";
}

/// Types and bounds of each variant; of one of no name where there is one form only.
nlohmann::ordered_json bounds_json(const Algorithm& row) {
  nlohmann::ordered_json bounds = nlohmann::ordered_json::array();
  for (const RunConfig& form : forms_of(row)) {
    if (bounds.empty() || bounds.back().at("variant") != form.variant) {
      bounds.push_back({{"variant", form.variant},
                        {"types", nlohmann::ordered_json::array()},
                        {"T", time_bound(row, form).text},
                        {"Q", io_bound(row, form).text}});
    }
    bounds.back().at("types").push_back(form.type);
  }
  return bounds;
}

std::string list_json() {
  nlohmann::ordered_json algorithms = nlohmann::ordered_json::array();
  for (const Algorithm& row : catalog().all()) {
    nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
    for (const Parameter& parameter : row.parameters) {
      parameters.push_back({{"name", parameter.name}, {"help", parameter.help}});
    }
    algorithms.push_back({{"name", row.name},
                          {"summary", row.summary},
                          {"source", row.source},
                          {"bounds", bounds_json(row)},
                          {"variants", variant_names(row)},
                          {"types", row.types},
                          {"inputs", row.inputs},
                          {"parameters", parameters}});
  }
  return algorithms.dump(2) + "\n";
}

}  // namespace

void setup_list(CLI::App& app) {
  const auto options = std::make_shared<ListOptions>();
  CLI::App* const command = app.add_subcommand("list", "List the algorithms");
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { run_list(*options); });
}

void run_list(const ListOptions& options) { print(options.json ? list_json() : list_text()); }

}  // namespace agpusim

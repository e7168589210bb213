#include <memory>

#include <CLI/CLI.hpp>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/report_output.hpp"

namespace agpusim {
namespace {

using report::Column;
using report::Value;

/// "a b c".
template <class Row, class Get>
Column<Row> words(const char* title, Get get) {
  return {{"", title}, [get](const Row& row) {
            std::string text;
            for (const std::string& word : get(row)) text += (text.empty() ? "" : " ") + word;
            return text.empty() ? Value(nullptr) : Value(text);
          }};
}

template <class Row>
Column<Row> member(const char* key, const char* title, std::string Row::*text) {
  return {{key, title}, [text](const Row& row) { return Value(row.*text); }};
}

/// Types and bounds of each variant; of one of no name where there is one form only.
Value bounds(const Algorithm& row) {
  Value bounds = Value::array();
  for (const RunConfig& form : forms_of(row)) {
    if (bounds.empty() || bounds.back().at("variant") != form.variant) {
      bounds.push_back({{"variant", form.variant},
                        {"types", Value::array()},
                        {"T", time_bound(row, form).text},
                        {"Q", io_bound(row, form).text}});
    }
    bounds.back().at("types").push_back(form.type);
  }
  return bounds;
}

Value parameters(const Algorithm& row) {
  Value all = Value::array();
  for (const Parameter& parameter : row.parameters) {
    all.push_back({{"name", parameter.name}, {"help", parameter.help}});
  }
  return all;
}

report::Table agpu_table() {
  using A = Algorithm;
  const std::vector<Column<A>> columns = {
      member("name", "name", &A::name),
      words<A>("variants", [](const A& row) { return variant_names(row); }),
      words<A>("types", [](const A& row) { return row.types; }),
      words<A>("inputs", [](const A& row) { return row.inputs; }),
      member<A>("summary", "summary", &A::summary),
      member("source", "", &A::source),
      {{"bounds", ""}, bounds},
      {{"variants", ""}, [](const A& row) { return Value(variant_names(row)); }},
      {{"types", ""}, [](const A& row) { return Value(row.types); }},
      {{"inputs", ""}, [](const A& row) { return Value(row.inputs); }},
      {{"parameters", ""}, parameters}};
  return report::table("algorithms", columns, catalog().on_agpu());
}

report::Table pram_table() {
  using A = Algorithm;
  const std::vector<Column<A>> columns = {
      member("name", "name", &A::name),
      words<A>("variants", [](const A& row) { return variant_names(*row.pram); }),
      words<A>("inputs", [](const A& row) { return row.pram->inputs; }),
      {{"summary", "summary"}, [](const A& row) { return Value(row.pram->summary); }},
      {{"variants", ""}, [](const A& row) { return Value(variant_names(*row.pram)); }},
      {{"inputs", ""}, [](const A& row) { return Value(row.pram->inputs); }}};
  return report::table("pram_algorithms", columns, catalog().on_pram());
}

report::Report list_report() {
  report::Section agpu;
  agpu.heading = "On AGPU(p,b,M,w), `agpusim run NAME`:\n";
  agpu.tables = {agpu_table()};
  agpu.tables[0].csv = true;
  report::Section pram;
  pram.heading = "On a PRAM, `agpusim pram NAME`:\n";
  pram.tables = {pram_table()};
  report::Section end;
  end.sentences = {
      "The first variant, type and input is the default; `agpusim help NAME` tells more about "
      "one."};
  report::Report report;
  report.page_title = "Algorithms";
  report.body.sections = {agpu, pram, end};
  return report;
}

}  // namespace

void setup_list(CLI::App& app) {
  const auto output = std::make_shared<ReportOutput>();
  CLI::App* const command = add_command(app, "list", "List the algorithms");
  add_report_options(*command, *output);
  command->callback([output] {
    require_output(*output);
    put_report(list_report(), *output);
  });
}

}  // namespace agpusim

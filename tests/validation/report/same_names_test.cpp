#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <utility>

#include "agpusim/commands/analyze/writers.hpp"
#include "agpusim/commands/compare/to_report.hpp"
#include "agpusim/commands/pipeline/to_report.hpp"
#include "agpusim/commands/ptx/ptx_report.hpp"
#include "agpusim/commands/sweep/to_report.hpp"
#include "agpusim/tests/commands/compare/comparison_cases.hpp"
#include "agpusim/tests/commands/pipeline/requests.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/members.hpp"
#include "agpusim/validation/report/run_report.hpp"

// Text, JSON, CSV and the page's data of one report have the same values under the same names. No
// two values of a report are equal, so that one in the place of another is seen.
using namespace agpusim;
using report::Report;
using report::Section;
using report::Table;
using report::Value;
using test::filled;
using test::for_each_leaf;

namespace {

using Json = nlohmann::json;  // compares objects whatever the order of their members
using Cells = std::vector<std::string>;

/// The cells of the lines of a CSV.
std::vector<Cells> csv_cells(const std::string& csv) {
  std::vector<Cells> lines;
  bool quoted = false;
  bool begun = false;
  for (const char c : csv) {
    if (!begun) lines.push_back({""});
    begun = true;
    if (c == '"') {
      quoted = !quoted;
    } else if (c == '\n' && !quoted) {
      begun = false;
    } else if (c == ',' && !quoted) {
      lines.back().emplace_back();
    } else {
      lines.back().back() += c;
    }
  }
  return lines;
}

std::string csv_text(const Value& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_structured()) return value.dump();
  std::string text;
  for (const auto& [key, item] : value.items()) {
    text += (text.empty() ? "" : ";") + (value.is_object() ? key + "=" : "") + csv_text(item);
  }
  return text;
}

/// The lines of a text, each as the parts between two or more spaces.
std::vector<Cells> text_cells(const std::string& text) {
  std::vector<Cells> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    Cells& cells = lines.emplace_back();
    std::size_t spaces = 2;
    for (const char c : line) {
      spaces = c == ' ' ? spaces + 1 : spaces;
      if (c == ' ') continue;
      if (spaces > 1) cells.emplace_back();
      if (spaces == 1) cells.back() += ' ';
      cells.back() += c;
      spaces = 0;
    }
  }
  return lines;
}

/// Holds the CSV and the text of a report to its JSON, section by section.
class Agreement {
 public:
  explicit Agreement(const Report& report)
      : csv_(csv_cells(to_csv(report))), text_(text_cells(to_text(report))) {
    check(report.body, Value::parse(to_json(report)), {});
    CHECK(csv_line_ == csv_.size());
    CHECK(values_ > 10);
  }

 private:
  void check(const Section& section, const Value& json, std::map<std::string, Value> facts) {
    std::map<std::string, std::size_t> met;  // members of each list so far
    for (const report::Fact& fact : section.facts) {
      if (!fact.csv.empty()) facts[fact.csv] = fact.value;
      if (fact.key.empty()) continue;
      CAPTURE(fact.key);
      if (fact.value != Value::array()) CHECK(json.at(fact.key) == fact.value);
      if (fact.title.empty() || fact.title == " ") continue;
      const std::string text = report::to_text(json.at(fact.key), fact.format);
      CHECK(std::any_of(text_.begin(), text_.end(), [&](const Cells& line) {
        return line.size() > 1 && line[0] == fact.title && line[1] == text;
      }));
    }
    for (const Table& table : section.tables) {
      if (!table.key.empty()) check(table, json.at(table.key), facts);
    }
    for (const Section& inner : section.sections) {
      if (inner.key.empty()) {
        check(inner, json, facts);
      } else {
        const Value& member = json.at(inner.key);
        check(inner, inner.list ? member.at(met[inner.key]++) : member, facts);
      }
    }
  }

  void check(const Table& table, const Value& json, const std::map<std::string, Value>& facts) {
    CAPTURE(table.key);
    REQUIRE(json.size() == table.rows.size());
    const std::vector<std::size_t> shown = shown_columns(table);
    Cells titles;
    for (const std::size_t i : shown) titles.push_back(table.columns[i].title);
    // A cell without text cannot be told from the space between two.
    const bool in_text = table.for_reader && !shown.empty() && table.most == 0 &&
                         std::none_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
                           return std::any_of(shown.begin(), shown.end(), [&](std::size_t i) {
                             return report::to_text(row[i], table.columns[i].format).empty();
                           });
                         });
    const auto header = std::find(text_line_, text_.cend(), titles);
    if (in_text) {
      REQUIRE(header != text_.end());
      text_line_ = header + 1;
    }
    for (std::size_t row = 0; row < json.size(); ++row) {
      std::map<std::string, Value> named = facts;
      for (const auto& [name, value] : json[row].items()) named[name] = value;
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const report::Name& column = table.columns[i];
        if (column.key.empty()) continue;
        CAPTURE(column.key);
        CHECK(json[row].at(column.key) == table.rows[row][i]);
        ++values_;
        const auto at = std::find(shown.begin(), shown.end(), i);
        if (!in_text || at == shown.end()) continue;
        const Cells& line = *(header + 1 + static_cast<std::ptrdiff_t>(row));
        REQUIRE(line.size() == shown.size());
        CHECK(line[static_cast<std::size_t>(at - shown.begin())] ==
              report::to_text(json[row].at(column.key), column.format));
      }
      if (!table.csv) continue;
      REQUIRE(csv_line_ < csv_.size());
      REQUIRE(csv_[csv_line_].size() == csv_[0].size());
      CHECK(csv_[0].size() == named.size());
      for (std::size_t i = 0; i < csv_[0].size(); ++i) {
        CAPTURE(csv_[0][i]);
        REQUIRE(named.contains(csv_[0][i]));
        CHECK(csv_[csv_line_][i] == csv_text(named.at(csv_[0][i])));
      }
      ++csv_line_;
    }
  }

  std::vector<Cells> csv_;
  std::vector<Cells> text_;
  std::vector<Cells>::const_iterator text_line_ = text_.cbegin();  // behind the tables so far
  std::size_t csv_line_ = 1;                                       // behind the header
  std::size_t values_ = 0;
};

AnalysisRow filled_analysis_row(test::Filler& fill) {
  AnalysisRow row;
  row.counted.emplace();
  const auto members = std::tie(row.run.config, row.quantities, row.source, row.phases, row.lower,
                                row.predicted, row.measured, row.differences, row.error);
  std::apply([&](auto&... each) { (for_each_leaf(each, fill), ...); }, members);
  row.quantities[0].name = "T";
  row.quantities[1].name = "Q";
  return row;
}

Analysis filled_analysis() {
  Analysis analysis{.generated = "now", .device = test::fake_device()};
  test::Filler fill;
  analysis.groups.resize(2);
  for (AnalysisGroup& group : analysis.groups) {
    const auto texts =
        std::tie(group.family, group.algorithm, group.variant, group.type, group.machine,
                 group.summary, group.bound_time, group.bound_io, group.formula, group.limiting);
    std::apply([&](auto&... each) { (fill(each), ...); }, texts);
    group.rows = {filled_analysis_row(fill), filled_analysis_row(fill)};
  }
  for_each_leaf(analysis.scores, fill);
  for_each_leaf(analysis.families, fill);
  for_each_leaf(analysis.worst, fill);
  for_each_leaf(analysis.counters, fill);
  analysis.counter_groups = {{"algorithm", "variant", analysis.counters}};
  for_each_leaf(analysis.unusable, fill);
  for_each_leaf(analysis.summary, fill);
  return analysis;
}

/// A report of two phases of which the first one is the larger in everything.
RunReport filled_report() {
  auto report = filled<RunReport>();
  std::swap(report.phases[0], report.phases[1]);
  report.lines.clear();
  return report;
}

/// A launch that went on behind a finding.
PtxRun ptx_run() {
  const auto program = std::make_shared<ptx::Program>();
  program->module = std::make_shared<const ptx::Module>(
      ptx::Module::parse(".version 8.0\n.target sm_90\n.address_size 64\n", "k.ptx"));
  program->kernel = "_Z1kv";
  program->sources.resize(1);
  PtxRun run{.files = {"k.ptx"}, .program = program};
  run.launch.phase.kernel = "k";
  const ptx::CalledLine where{{"k.cu", 91}, {}};
  run.launch.findings = {{ptx::Rule::shared_race, 0, where, "ld.shared.u32", 92, 93, 94, 95, "sums",
                          "what", "a barrier"}};
  run.launch.polls = 96;
  run.launch.phase.unpriced = {97, 98, 99};
  run.report = filled_report();
  return run;
}

Value json_of_run(const RunReport& report) {
  const RunConfig config = test::fake_config(1000);
  const Registry registry = test::fake_registry();
  return Value::parse(report::to_json(
      to_report(registry.find("twice"), config, {report, 1, true}, {}, {7, 5, "source"}, {})));
}

/// A row as a file keeps it, without a parameter.
Row filled_row() {
  Row row{.run = {.program = "a program", .config = filled<RunConfig>()}};
  row.run.config.parameters.clear();
  row.quantities = filled<std::vector<Quantity>>();
  row.quantities[0].name = "T";
  row.quantities[1].name = "Q";
  row.source = "a source";
  row.from_n = 901;
  row.phases = 902;
  row.device = "a device";
  row.predicted = Prediction{903.5, "a limit", {}, 904.5, 905.5};
  return row;
}

}  // namespace

TEST_CASE("the members of an analysed run have their names in JSON", "[validation][names]") {
  const Analysis analysis = filled_analysis();
  const Json json = Json::parse(report::to_json(to_report(analysis)));
  for (std::size_t g = 0; g < 2; ++g) {
    const AnalysisGroup& group = analysis.groups.at(g);
    for (std::size_t i = 0; i < 2; ++i) {
      const AnalysisRow& row = group.rows.at(i);
      const double ratio = static_cast<double>(row.count("Q")) / static_cast<double>(row.lower.io);
      CHECK(json["algorithms"][g]["rows"][i] ==
            Value({{"n", row.n()},
                   {"input", row.run.config.input},
                   {"phases", row.phases},
                   {"T", row.count("T")},
                   {"T_lower", row.lower.time},
                   {"Q", row.count("Q")},
                   {"Q_lower", row.lower.io},
                   {"Q_formula", *row.quantities[1].formula},
                   {"counts", row.source},
                   {"differences", row.differences},
                   {"optimality_ratio", ratio},
                   {"predicted_ms", row.predicted->milliseconds},
                   {"predicted_from", "counts"},
                   {"parts_ms", row.predicted->parts},
                   {"measured_ms", row.measured->ms},
                   {"measured_low_ms", row.measured->low_ms},
                   {"measured_high_ms", row.measured->high_ms},
                   {"samples", row.measured->samples},
                   {"error", row.error},
                   {"limit", row.predicted->limit}}));
    }
  }
}

TEST_CASE("the members of a phase and of a run have their names in JSON", "[validation][names]") {
  const RunReport report = filled_report();
  const Value json = json_of_run(report);
  const PhaseReport& a = report.phases.at(0);
  const PhaseReport& b = report.phases.at(1);
  const auto blocks = [](const PhaseReport& phase) {
    const Counts& c = phase.counts;
    return c.global_read.blocks + c.global_write.blocks + c.global_atomic.blocks;
  };
  for (std::size_t i = 0; i < 2; ++i) {
    const PhaseReport& phase = report.phases[i];
    Value row = json.at("phase_reports").at(i);
    const Value counts = row.at("counts");
    row.erase("counts");
    CHECK(Json(row) == Json({{"kernel", phase.kernel},
                             {"tasks", phase.tasks},
                             {"T", phase.time},
                             {"max_task_time", phase.max_task_time},
                             {"Q", blocks(phase)},
                             {"Q_max", phase.io_max},
                             {"contention", phase.contention},
                             {"shared_words", phase.shared_words},
                             {"width", phase.width},
                             {"registers", phase.registers},
                             {"instructions", phase.instructions}}));
    Cells values;
    for (const auto& [name, value] : counts.items()) values.push_back(value.dump());
    CHECK(values == test::leaves(phase.counts));
  }
  REQUIRE(a.shared_words > b.shared_words);
  const std::map<std::string, std::int64_t> totals = {
      {"T", a.time + b.time},
      {"T_tot", report.time_total_max},
      {"Q", blocks(a) + blocks(b)},
      {"Q_max", a.io_max + b.io_max},
      {"phases", 2},
      {"contention", a.contention},
      {"global_bits", report.global_words_peak * report.spec.word_bits},
      {"shared_bits", a.shared_words * report.spec.word_bits},
      {"host_words_in", report.host_words_in},
      {"host_words_out", report.host_words_out}};
  for (const auto& [name, value] : totals) {
    CAPTURE(name);
    CHECK(json.at(name) == value);
  }
}

TEST_CASE("the members of a row have their names in JSON", "[validation][names]") {
  Row kept = filled_row();
  const std::vector<Quantity> counts = {
      {"requests", 91}, {"sectors", 92}, {"wavefronts", 93}, {"conflicts", 94}, {"idle_lanes", 95}};
  const RunConfig& config = kept.run.config;
  Json expected = {{"program", kept.run.program},
                   {"model", "AGPU"},
                   {"algorithm", config.algorithm},
                   {"variant", config.variant},
                   {"type", config.type},
                   {"input", config.input},
                   {"seed", config.seed},
                   {"rules", rules_text(config.spec)},
                   {"parameters", Json::object()},
                   {"refused", ""},
                   {"counts", kept.source},
                   {"extrapolated_from_n", kept.from_n},
                   {"phases", kept.phases},
                   {"predicted_ms", kept.predicted->milliseconds},
                   {"predicted_low_ms", kept.predicted->low},
                   {"predicted_high_ms", kept.predicted->high},
                   {"limit", kept.predicted->limit},
                   {"device", kept.device},
                   {"n", config.n},
                   {"p", config.spec.cores},
                   {"b", config.spec.block_words},
                   {"M", config.spec.shared_words},
                   {"w", config.spec.word_bits},
                   {"V", config.spec.width},
                   {"k", config.spec.multiprocessors()}};
  for (const Quantity& q : kept.quantities) {
    expected[q.name] = q.count;
    expected[q.name + "_formula"] = *q.formula;
    expected[q.name + "_stated"] = q.stated;
    expected[q.name + "_bound"] = *q.bound;
    expected[q.name + "_lower_bound"] = *q.lower_bound;
  }
  for (const Quantity& q : counts) {
    kept.quantities.push_back(q);
    expected[q.name] = q.count;
  }
  const Report report = to_report(sweep::Result{{kept}, {}, {}});
  const Json row = Json::parse(report::to_json(report)).at("points").at(0);
  for (const auto& [name, value] : row.items()) {
    CAPTURE(name);
    const bool of_pram =
        name.starts_with("steps") || name.starts_with("processors") || name.starts_with("work");
    CHECK(value == (of_pram ? Json() : expected.at(name)));
  }
  CHECK(row.size() == expected.size() + 15);
}

TEST_CASE("text, CSV and JSON of a report agree", "[validation][names]") {
  Agreement(to_report(filled_analysis(), {.rows = true, .algorithms = true}));
  Agreement(to_report(sweep::Result{{filled_row()}, {}, {}}));
  const Registry registry = test::fake_registry();
  Agreement(to_report(registry.find("twice"), test::fake_config(1000), {filled_report(), 1, true},
                      {}, {7, 5, "source"}, {}));
  Agreement(to_report(ptx_run()));
  Agreement(to_report(make_plan(out_of_core::small_request("scan", "", 1'000'000))));
  contest::Options options = test::options_of({"power", "line"});
  options.records = {test::invented_record(test::run_of("line", 1000), 2)};
  Agreement(to_report(compare(test::invented_registry(), options)));
}

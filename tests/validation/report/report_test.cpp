#include "agpusim/validation/report/report.hpp"

#include <stdexcept>

#include <nlohmann/json.hpp>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/validation/report/for_print.hpp"
#include "agpusim/validation/report/run_report.hpp"

using namespace agpusim::report;
using namespace agpusim;
using namespace agpusim::test;

namespace {

struct Town {
  std::string name;
  std::int64_t people;
  std::optional<double> share;
};

/// Two groups of one table each, one fact and one table for programs only.
Report sample() {
  const std::vector<Column<Town>> columns = {
      {{"name", "town"}, [](const Town& town) { return Value(town.name); }},
      {{"people", "people", Format::integer}, [](const Town& town) { return Value(town.people); }},
      {{"share", "share", Format::percent},
       [](const Town& town) { return town.share ? Value(*town.share) : Value(nullptr); }},
      {{"roads_km", ""},
       [](const Town&) {
         return Value({{"main", 2}, {"side", 3.5}});
       }},
      {{"", "note"}, [](const Town&) { return Value("x"); }}};
  Report report{.title = "Towns",
                .body = {.facts = {{{"year", ""}, 2026}, {{"groups", ""}, Value::array()}}}};
  for (const char* const country : {"A", "B"}) {
    Section section{.key = "groups",
                    .heading = std::string("In ") + country,
                    .sentences = {"All of them."},
                    .facts = {{{"country", ""}, country, "", "country"}},
                    .list = true};
    const std::vector<Town> towns = {{"Long, \"name\"", 1234567, 0.25}, {"b", 1, {}}};
    section.tables = {table("towns", columns, towns)};
    section.tables[0].csv = true;
    section.remarks = {"The end."};
    report.body.sections.push_back(section);
  }
  return report;
}

}  // namespace

TEST_CASE("text has headings, sentences and aligned columns", "[validation][report]") {
  const std::string group =
      "All of them.\n"
      "town             people   share  note\n"
      "Long, \"name\"  1,234,567  25.0 %  x\n"
      "b                     1       -  x\n"
      "The end.\n";
  CHECK(to_text(sample()) == "Towns\nIn A\n" + group + "\nIn B\n" + group);
}

TEST_CASE("text is fitted to its page and says what it leaves out", "[validation][report]") {
  Report report = sample();
  report.body.sections.pop_back();
  report.answer = {"A is the larger one of the two towns.", {}, true};
  Table& towns = report.body.sections[0].tables[0];
  towns.columns[2].rank = 1;
  towns.most = 1;
  towns.what = "towns";
  towns.more = "--all";
  const std::string fitted =
      "Towns\n"
      "A is the larger one of the two\n"
      "  towns.\n"
      "In A\n"
      "All of them.\n"
      "town             people  note\n"
      "Long, \"name\"  1,234,567  x\n"
      "and 1 more towns: --all\n"
      "The end.\n"
      "\n"
      "Left out at this width: share\n"
      "  (COLUMNS=37 shows all)\n";
  CHECK_THAT(to_text(report, {30}), Catch::Matchers::StartsWith(fitted));
  report.all_columns = true;
  CHECK_THAT(to_text(report, {25}), says("share"));
}

TEST_CASE("JSON has every key and the values as they are", "[validation][report]") {
  const Value json = Value::parse(to_json(sample()));
  CHECK(json.begin().key() == "agpusim");
  CHECK(json.at("year") == 2026);
  REQUIRE(json.at("groups").size() == 2);
  CHECK(json.at("groups")[1].at("country") == "B");
  const Value& town = json.at("groups")[1].at("towns")[0];
  CHECK(town.dump() == R"({"name":"Long, \"name\"","people":1234567,"share":0.25,)"
                       R"("roads_km":{"main":2,"side":3.5}})");
  CHECK(json.at("groups")[0].at("towns")[1].at("share").is_null());
  Report none = sample();
  none.body.sections.clear();
  CHECK(Value::parse(to_json(none)).at("groups").empty());
}

TEST_CASE("CSV has one header and the facts around each table", "[validation][report]") {
  CHECK(to_csv(sample()) ==
        "country,name,people,share,roads_km\n"
        "A,\"Long, \"\"name\"\"\",1234567,0.25,main=2;side=3.5\n"
        "A,b,1,,main=2;side=3.5\n"
        "B,\"Long, \"\"name\"\"\",1234567,0.25,main=2;side=3.5\n"
        "B,b,1,,main=2;side=3.5\n");
  Report unequal = sample();
  unequal.body.sections[1].tables[0].columns[0].key = "other";
  CHECK_THROWS_AS(to_csv(unequal), std::logic_error);
}

TEST_CASE("values are printed by their format", "[validation][report]") {
  CHECK(to_text(Value(1 << 20), Format::size) == "2^20");
  CHECK(to_text(Value(0.37123), Format::decimal) == "0.3712");
  CHECK(to_text(Value(0.25), Format::two_digits) == "0.25");
  CHECK(to_text(Value(-0.25), Format::signed_percent) == "-25.0 %");
  CHECK(to_text(Value(nullptr), Format::percent) == "-");
  CHECK(to_text(Value(true), Format::text) == "yes");
  CHECK(to_text(Value({"a", "b"}), Format::text) == "a, b");
  CHECK(to_text(Value::array(), Format::text) == "-");
}

namespace {

struct Sheet {
  std::string text;
  nlohmann::json json;
};

Sheet sheet(const RunResult& result, std::int64_t derived_error = 0,
            const PredictedRun& predicted = {.why_not = "nobody knows"}) {
  const auto registry = fake_registry(derived_error);
  const auto& algorithm = registry.find("twice");
  const auto config = fake_config(1000);
  const auto derived = compare_reports(result.report, *algorithm.derive(config), "derived");
  const auto bound = algorithm.lower_bound(config);
  const auto report = to_report(algorithm, config, result, derived, bound, predicted);
  return {report::to_text(report), nlohmann::json::parse(report::to_json(report))};
}

RunResult result() { return {fake_report(fake_config(1000)), 0xABC, true}; }

}  // namespace

TEST_CASE("wrong derived counts and a wrong result are shown", "[validation][run_report]") {
  auto wrong = result();
  wrong.correct = false;
  wrong.differences = {1, 2, {{1, "0.5", "nan"}}};
  const auto [text, json] = sheet(wrong, 1);
  CHECK_THAT(text, says("DIFFERS from the reference",
                        "derived      DIFFERENT\n             phase 0 (copy_tile): alu 64 "
                        "simulated, 65 derived\n",
                        "\n             1 of 2 numbers differ: [1] is 0.5, must be nan\n"));
  CHECK(json["correct"] == false);
  CHECK(json["wrong"]["count"] == 1);
  CHECK(json["wrong"]["first"][0]["expected"] == "nan");
  CHECK(json["derived"]["equal"] == false);
  CHECK(json["derived"]["differences"].size() == 1);
}

TEST_CASE("a lower bound that is undercut and a formula that differs are shown",
          "[validation][run_report]") {
  const auto registry = fake_registry();
  auto algorithm = registry.find("twice");
  algorithm.formulas = {
      formula_of_io("n/b", [](const auto&) { return std::optional<std::int64_t>{129}; }),
      formula_of_io("2n/b", [](const auto&) { return std::optional<std::int64_t>{128}; }),
      formula_of_io("of other n", [](const auto&) { return std::nullopt; })};
  const auto text = [&](const LowerBound& bound) {
    return report::to_text(
        to_report(algorithm, fake_config(1000), result(), std::nullopt, bound, {}));
  };
  const std::string broken = text({129, 10, "a paper"});
  CHECK_THAT(broken,
             says("Q = n/b = 129: DIFFERENT, the run pays 128\n", "Q = 2n/b = 128: equal\n"));
  CHECK_THAT(broken, !says("of other n"));
  CHECK_THAT(broken, says("Q is BROKEN: the run pays 128\n"));
  CHECK_THAT(broken, !says("T is BROKEN"));
  CHECK_THAT(text({128, 11, "a paper"}), says("T is BROKEN: the run pays 10\n"));
  CHECK_THAT(text({128, 10, "a paper"}), !says("BROKEN"));
}

TEST_CASE("a run has its predicted time or the reason why it has none",
          "[validation][run_report]") {
  const auto without = sheet(result());
  CHECK_THAT(without.text, says("predicted    no: nobody knows\n"));
  CHECK(without.json["predicted_ms"].is_null());
  CHECK(without.json["limit"].is_null());
  CHECK(without.json["device"].is_null());
  CHECK(without.json["why_not_predicted"] == "nobody knows");
  const auto [text, json] =
      sheet(result(), 0, {.prediction = Prediction{1.25, "shared", {}, 1, 2.5}, .device = "A GPU"});
  CHECK_THAT(text, says("predicted    1.250 ms (1.000 to 2.500) on A GPU, limited by shared\n"));
  CHECK(json["predicted_ms"] == 1.25);
  CHECK(json["predicted_low_ms"] == 1);
  CHECK(json["predicted_high_ms"] == 2.5);
  CHECK(json["limit"] == "shared");
  CHECK(json["device"] == "A GPU");
  CHECK(json["why_not_predicted"].is_null());
}

TEST_CASE("atomics are labelled as an extension", "[validation][run_report]") {
  auto atomic = result();
  atomic.report.phases[0].counts.shared_atomic.requests = 3;
  atomic.report.phases[0].contention = 17;
  const auto [text, json] = sheet(atomic);
  CHECK_THAT(text, says("extension X1, not part of AGPU",
                        "                  17  most atomics on one word"));
  CHECK(json["contention"] == 17);
}

TEST_CASE("many phases are summed by kernel", "[validation][run_report]") {
  auto many = result();
  const auto phases = many.report.phases;
  for (int i = 0; i < 10; ++i) {
    many.report.phases.insert(many.report.phases.end(), phases.begin(), phases.end());
  }
  const auto [text, json] = sheet(many);
  CHECK_THAT(text, says("11 phases  copy_tile    352  55  704         1,760"));
  CHECK(json["phase_reports"].size() == 22);
}

TEST_CASE("LaTeX has the tables of the text, with nothing that TeX reads otherwise",
          "[validation][report]") {
  using Row = std::pair<std::string, std::int64_t>;
  const std::vector<Row> rows = {{"a_b {50 %} & [x]^2 $#~\\", -1000}, {"*<--tex>", 1 << 20}};
  Report report{.title = "50 %\nof all", .body = {.heading = "First\n"}};
  report.body.tables = {table<Row>("",
                                   {{{"", "name_1"}, &Row::first},
                                    {{"key", ""}, &Row::second},
                                    {{"", "count", Format::integer}, &Row::second},
                                    {{"", "n", Format::size}, &Row::second}},
                                   rows)};
  CHECK_THAT(to_tex(report),
             Catch::Matchers::StartsWith("% agpusim ") && Catch::Matchers::EndsWith(R"(
% 50 %
% of all

% First

\begin{tabular}{lrr}
\toprule
name\_1 & count & n \\
\midrule
a\_b \{50 \%\} \& {[}x]\textasciicircum{}2 \$\#\textasciitilde{}\textbackslash{} & $-$1,000 & $-$1,000 \\
{*}\textless{}-{}-tex\textgreater{} & 1,048,576 & $2^{20}$ \\
\bottomrule
\end{tabular}
)"));
}

TEST_CASE("plots for print have each point at its place on both axes", "[validation][report]") {
  using agpusim::detail::PlotPanel;
  const std::vector<agpusim::detail::PlotPoint> points = {{16, 10}, {64, 100}, {256, 1000}};
  const PlotPanel panel{"a < b", "n", "T", {{"one", 0, "", false, {}, points}}};
  PlotPanel bars = panel;
  bars.bars = true;
  CHECK(to_svg({{"plot", "", 2, {bars}}}).empty());
  const std::string svg = to_svg({{"plot", "", 2, {panel, panel, bars, panel}}});
  CAPTURE(svg);
  // The frames are 360 wide, from x = 70, and 240 high, from y = 45 on.
  for (const char* const part : {"viewBox=\"0 0 880 662\"", "translate(0 331)", "a &lt; b",
                                 "M250.0 165.0m-3 0a3", ">2^6<", ">1000<"}) {
    CHECK_THAT(svg, Catch::Matchers::ContainsSubstring(part));
  }
}

#include "agpusim/validation/report/report.hpp"

#include <stdexcept>

#include "agpusim/tests/support/catch.hpp"

using namespace agpusim::report;

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

#include "agpusim/commands/exec/against.hpp"

#include <nlohmann/json.hpp>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

namespace agpusim::exec {
namespace {

using nlohmann::json;

json with_costs(json row, std::int64_t conflicts) {
  row.update({{"T", 100}, {"Q", 40}, {"sectors", 160}, {"wavefronts", 90}});
  row["conflicts"] = conflicts;
  return row;
}

/// A kernel `reduce` with one line.
json sheet_with(std::int64_t conflicts, int line = 5, const char* name = "reduce") {
  const json at = {{"name", name}, {"file", "/a/reduce.cu"}, {"line", line}, {"text", "s[i] = 1;"}};
  return {{"machine", {{"b", 32}}},
          {"kernels", {with_costs({{"name", name}}, conflicts)}},
          {"lines", {with_costs(at, conflicts)}}};
}

Comparison compared(const json& base, const json& now) {
  return compare_sheets(base.dump(), now.dump(), "base.json");
}

}  // namespace

TEST_CASE("a cost that grows is told with its line, wherever that has moved to", "[exec]") {
  const Comparison dearer = compared(sheet_with(70), sheet_with(75, 9));
  CHECK(dearer.is_dearer());
  REQUIRE(dearer.kernels.size() == 1);
  CHECK(dearer.kernels[0].cost == "conflicts");
  CHECK(dearer.kernels[0].base == 70);
  CHECK(dearer.kernels[0].now == 75);
  REQUIRE(dearer.lines.size() == 1);
  CHECK(dearer.lines[0].place == "reduce.cu:9");
}

TEST_CASE("what is equal or cheaper is not dearer", "[exec]") {
  const Comparison equal = compared(sheet_with(70), sheet_with(70, 9));
  CHECK_FALSE(equal.is_dearer());
  CHECK(equal.kernels.empty());
  CHECK(equal.lines.empty());
  const Comparison cheaper = compared(sheet_with(70), sheet_with(0));
  CHECK_FALSE(cheaper.is_dearer());
  CHECK(cheaper.kernels.size() == 1);
}

TEST_CASE("times are compared, and costs and a tolerance say what is dearer", "[exec]") {
  const auto timed = [](std::int64_t conflicts, const json& milliseconds) {
    json sheet = sheet_with(conflicts);
    sheet["kernels"][0]["predicted_ms"] = sheet["predicted_ms"] = milliseconds;
    return sheet;
  };
  const auto dearer = [&](double milliseconds, const Dearness& dearness) {
    std::vector<std::string> texts;
    const auto changes = compare_sheets(timed(100, 0.5).dump(), timed(103, milliseconds).dump(),
                                        "base.json", dearness)
                             .dearer;
    for (const Change& change : changes) texts.push_back(to_text(change));
    return texts;
  };
  using Texts = std::vector<std::string>;
  const Comparison faster = compared(timed(100, 0.5), timed(103, 0.4));
  REQUIRE(faster.time);
  CHECK(faster.time->base == 0.5);
  CHECK(faster.time->now == 0.4);
  REQUIRE(faster.kernels.size() == 2);
  CHECK(faster.kernels[0].cost == "ms");
  CHECK(faster.kernels[0].now == 0.4);
  CHECK(dearer(0.4, {}) == Texts{"conflicts of reduce (+3.0 %)"});
  CHECK(dearer(0.4, {{"T", "ms"}, 0}).empty());
  CHECK(dearer(0.54, {{"T", "ms"}, {}}).empty());  // by a tenth it may
  CHECK(dearer(0.6, {{"T", "ms"}, 0}) == Texts{"ms of reduce (+20.0 %)"});
  CHECK(dearer(0.6, {{"conflicts", "ms"}, 2.9}) ==
        Texts{"conflicts of reduce (+3.0 %)", "ms of reduce (+20.0 %)"});
  CHECK(dearer(0.6, {{"conflicts", "ms"}, 3.1}).size() == 1);
  const Comparison unknown = compared(timed(100, nullptr), timed(103, 0.5));
  CHECK_FALSE(unknown.time);
  CHECK(unknown.dearer.size() == 1);  // a time that was not known has not risen
  const Comparison from_0 = compared(sheet_with(0), sheet_with(3));
  CHECK(to_text(from_0.dearer.at(0)) == "conflicts of reduce (from 0)");
}

TEST_CASE("kernels that have come or gone are named", "[exec]") {
  const Comparison renamed = compared(sheet_with(70), sheet_with(70, 5, "sum"));
  CHECK(renamed.renamed == std::vector<std::string>{"reduce -> sum"});
  CHECK_FALSE(renamed.is_dearer());
  const Comparison other = compared(sheet_with(70), sheet_with(71, 5, "sum"));
  CHECK(other.added == std::vector<std::string>{"sum"});
  CHECK(other.gone == std::vector<std::string>{"reduce"});
  CHECK(other.kernels.empty());
  CHECK(other.is_dearer());
}

TEST_CASE("a base that cannot be compared with is refused", "[exec]") {
  json other = sheet_with(70);
  other["machine"]["b"] = 16;
  CHECK_THROWS_AS(compared(other, sheet_with(70)), FileError);
  CHECK(test::contains(test::message_of<FileError>(
                           [] { return compare_sheets("{}", sheet_with(70).dump(), "base.json"); }),
                       "base.json"));
}

}  // namespace agpusim::exec

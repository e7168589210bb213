#include "agpusim/validation/exec/against.hpp"

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

TEST_CASE("kernels that have come or gone are named", "[exec]") {
  const Comparison renamed = compared(sheet_with(70), sheet_with(70, 5, "sum"));
  CHECK(renamed.added == std::vector<std::string>{"sum"});
  CHECK(renamed.gone == std::vector<std::string>{"reduce"});
  CHECK(renamed.kernels.empty());
  CHECK(renamed.is_dearer());
}

TEST_CASE("a base that cannot be compared with is refused", "[exec]") {
  json other = sheet_with(70);
  other["machine"]["b"] = 16;
  CHECK_THROWS_AS(compared(other, sheet_with(70)), FileError);
  CHECK(test::contains(test::message_of<FileError>([] {
                         static_cast<void>(
                             compare_sheets("{}", sheet_with(70).dump(), "base.json"));
                       }),
                       "base.json"));
}

}  // namespace agpusim::exec

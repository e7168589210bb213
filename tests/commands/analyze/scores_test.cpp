#include "agpusim/commands/analyze/scores.hpp"

#include <stdexcept>

#include "agpusim/commands/analyze/limiting.hpp"
#include "agpusim/tests/support/catch.hpp"

using agpusim::AnalysisGroup;
using agpusim::AnalysisRow;

namespace {

AnalysisRow row(std::int64_t n, double error, const std::string& limit = "issue") {
  AnalysisRow row{{.run = {.config = {.n = n}}}};
  row.predicted = agpusim::Prediction{1 + error, limit, {{"launch", 0.1}, {limit, 0.9 + error}}};
  row.measured = agpusim::Measurement{.ms = 1};
  row.error = error;
  return row;
}

AnalysisGroup group(const std::string& variant, const std::string& machine,
                    std::vector<AnalysisRow> rows) {
  return AnalysisGroup{
      .algorithm = "twice", .variant = variant, .machine = machine, .rows = std::move(rows)};
}

}  // namespace

TEST_CASE("a score gathers the rows of all machines", "[validation][scores]") {
  const auto scores =
      agpusim::scores_of({group("a", "small", {row(64, 0.05, "launch"), row(128, -0.5)}),
                          group("a", "large", {row(32, 0.1, "launch"), row(256, -0.2, "launch")}),
                          group("b", "small", {row(64, 0)})});
  REQUIRE(scores.size() == 2);
  CHECK(scores[0].variant == "a");
  CHECK(scores[0].rows == 4);
  CHECK(scores[0].n_min == 32);
  CHECK(scores[0].n_max == 256);
  CHECK(scores[0].limits == std::vector<std::string>{"launch", "issue", "launch"});
  CHECK(scores[0].error_median == Approx(0.15));  // median of 0.05, 0.1, 0.2, 0.5
  CHECK(scores[0].error_p90 == Approx(0.2 + 0.7 * 0.3));
  CHECK(scores[0].ratio == Approx((0.8 + 1.05) / 2));
  CHECK(scores[0].within == Approx(0.5));
  CHECK(scores[1].within == 1);
}

TEST_CASE("the score of a family gathers its algorithms", "[validation][scores]") {
  std::vector<AnalysisGroup> groups = {group("a", "small", {row(64, 0.5), row(128, 0.1)}),
                                       group("b", "large", {row(32, -0.3)}),
                                       group("c", "small", {row(64, 0)})};
  groups[0].family = groups[1].family = "sorts";
  groups[1].rows[0].run.config.algorithm = "thrice";
  const auto families = agpusim::scores_of_families(groups);
  REQUIRE(families.size() == 2);
  CHECK(families[0].family == "sorts");
  CHECK(families[0].algorithms == 2);
  CHECK(families[0].rows == 3);
  CHECK(families[0].error_mean == Approx(0.3));
  CHECK(families[0].error_median == Approx(0.3));
  CHECK(families[1].rows == 1);
}

TEST_CASE("the worst machine of each variant is named with a reason", "[validation][scores]") {
  const auto worst = agpusim::worst_machines(
      {group("slow", "small", {row(64, 0.5), row(128, 0.5)}), group("slow", "large", {row(64, 9)}),
       group("fast", "small", {row(64, -0.5)}), group("right", "small", {row(64, 0.1)})});
  REQUIRE(worst.size() == 2);
  CHECK(worst[0].variant == "slow");
  CHECK(worst[0].machine == "large");
  CHECK(worst[0].rows == 1);
  CHECK(worst[0].ratio == Approx(10));
  CHECK(worst[0].reason == "issue is predicted at 990 % of the measured time");
  CHECK(worst[1].variant == "fast");
  CHECK(worst[1].reason ==
        "issue is predicted at 40 % of the measured time, all parts at 50 %: the rest is not "
        "predicted");
}

namespace {

using Names = std::vector<std::string>;

std::vector<agpusim::AnalysisRow> rows_of(
    const std::vector<std::pair<std::int64_t, std::string>>& limits) {
  std::vector<agpusim::AnalysisRow> rows;
  for (const auto& [n, limit] : limits) {
    rows.emplace_back();
    rows.back().run.config.n = n;
    rows.back().predicted = agpusim::Prediction{0, limit, {}};
  }
  return rows;
}

/// At n = 1024, 2048, ...
std::string sentence(const Names& limits) {
  std::vector<std::pair<std::int64_t, std::string>> at;
  for (const std::string& limit : limits) at.emplace_back(std::int64_t{1024} << at.size(), limit);
  return agpusim::limiting_sentence(rows_of(at));
}

Names limits(const std::vector<std::pair<std::int64_t, std::string>>& at) {
  const std::vector<agpusim::AnalysisRow> rows = rows_of(at);
  std::vector<const agpusim::AnalysisRow*> all;
  for (const agpusim::AnalysisRow& row : rows) all.push_back(&row);
  Names names;
  for (const agpusim::LimitStretch& one : agpusim::limits_by_size(all)) names.push_back(one.limit);
  return names;
}

}  // namespace

TEST_CASE("the limit is told in one sentence", "[validation][limiting]") {
  CHECK(sentence({"shared", "shared"}) == "Limited by wavefronts of shared memory at every n.");
  CHECK(sentence({"launch", "launch", "bandwidth"}) ==
        "Limited by starting kernels up to n = 2^11 and by device memory and the L2 cache from n = "
        "2^12.");
  CHECK(sentence({"launch", "latency", "issue", "issue", "shared"}) ==
        "Limited by starting kernels up to n = 2^10, by tasks that wait for their own reads and "
        "instructions at n = 2^11, by issuing the instructions of all resident tasks from n = 2^12 "
        "to 2^13 and by wavefronts of shared memory from n = 2^14.");
}

TEST_CASE("at each n the limit of most rows counts", "[validation][limiting]") {
  CHECK(limits({{1024, "launch"}, {1024, "issue"}, {1024, "issue"}, {2048, "shared"}}) ==
        Names{"issue", "shared"});
  // As many rows each: no change where there need be none, else the order of limit_texts().
  CHECK(limits({{1024, "launch"}, {2048, "issue"}, {2048, "launch"}, {4096, "issue"}}) ==
        Names{"launch", "issue"});
  CHECK(limits({{1024, "issue"}, {2048, "bandwidth"}, {2048, "shared"}}) ==
        Names{"issue", "shared"});
}

TEST_CASE("a cell lists up to four limits, else each once", "[validation][limiting]") {
  CHECK(agpusim::limits_text({"launch", "issue", "launch", "shared"}) ==
        "launch, issue, launch, shared");
  CHECK(agpusim::limits_text({"launch", "issue", "launch", "shared", "launch"}) ==
        "changes among launch, issue, shared");
}

TEST_CASE("limits that change often are summed up", "[validation][limiting]") {
  CHECK(sentence({"launch", "issue", "launch", "issue", "launch"}) ==
        "Limited mostly by starting kernels (3 of 5 runs).");
  CHECK_THROWS_AS(agpusim::limiting_sentence({}), std::invalid_argument);
}

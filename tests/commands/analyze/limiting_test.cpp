#include "agpusim/commands/analyze/limiting.hpp"

#include <stdexcept>

#include "agpusim/tests/support/catch.hpp"

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

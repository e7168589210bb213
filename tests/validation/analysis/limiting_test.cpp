#include "agpusim/validation/analysis/limiting.hpp"

#include <stdexcept>

#include "agpusim/tests/support/catch.hpp"

namespace {

std::string sentence(const std::vector<std::string>& limits) {
  std::vector<agpusim::AnalysisRow> rows;
  std::int64_t n = 1024;
  for (const std::string& limit : limits) {
    rows.emplace_back();
    rows.back().n = n;
    rows.back().limit = limit;
    n *= 2;
  }
  return agpusim::limiting_sentence(rows);
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

TEST_CASE("limits that change often are summed up", "[validation][limiting]") {
  CHECK(sentence({"launch", "issue", "launch", "issue", "launch"}) ==
        "Limited mostly by starting kernels (3 of 5 runs).");
  CHECK_THROWS_AS(agpusim::limiting_sentence({}), std::invalid_argument);
}

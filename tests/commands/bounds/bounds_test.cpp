#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"

using namespace agpusim::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("bounds without arguments prints the table of its document", "[cli]") {
  const Finished text = run_cli("bounds");
  REQUIRE(text.exit_code == 0);
  CHECK(text.err.empty());
  const Finished json = run_cli("bounds --json");
  REQUIRE(json.exit_code == 0);
  const auto rows = nlohmann::json::parse(json.out).at("rows");
  const std::vector<std::pair<std::int64_t, std::int64_t>> expected = {
      {1 << 20, 12288}, {1 << 24, 12288}, {1 << 28, 12288}, {1 << 24, 58368}, {1 << 24, 1024}};
  const std::vector<std::string> totals = {"2.50", "2.91", "3.31", "2.55", "4.00"};
  REQUIRE(rows.size() == expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i].at("n") == expected[i].first);
    CHECK(rows[i].at("M") == expected[i].second);
    CHECK(rows[i].at("b") == 32);
    CHECK_THAT(text.out, ContainsSubstring("  " + totals[i] + "  "));
  }
  const auto& bitonic = rows[0].at("sorts").at(0);
  CHECK(bitonic.at("algorithm") == "bitonic_sort");
  CHECK(bitonic.at("parameters").at("tile") == 8192);
  CHECK(bitonic.at("Q") == 72 * (1 << 20) / 32);
  CHECK(bitonic.at("passes") == 72.0);
  CHECK(bitonic.at("ratio").get<double>() == Catch::Approx(28.8).epsilon(0.002));
  CHECK_THAT(text.out, ContainsSubstring("28.8"));
}

TEST_CASE("bounds takes every size on every memory", "[cli]") {
  using Points = std::vector<std::pair<std::int64_t, std::int64_t>>;
  const auto points_of = [](const std::string& arguments) {
    const Finished finished = run_cli("bounds --json " + arguments);
    REQUIRE(finished.exit_code == 0);
    Points points;
    const auto json = nlohmann::json::parse(finished.out);
    for (const auto& row : json.at("rows")) {
      points.emplace_back(row.at("n").get<std::int64_t>(), row.at("M").get<std::int64_t>());
    }
    return points;
  };
  CHECK(points_of("--n 1000,2^12 --M 1Ki,64 --b 8") ==
        Points{{1000, 64}, {1000, 1024}, {4096, 64}, {4096, 1024}});
  CHECK(points_of("-n 1000") == Points{{1000, 1024}, {1000, 12288}, {1000, 58368}});
  CHECK(points_of("-n 1000..2000 --M 64") == Points{{1000, 64}, {2000, 64}});
  CHECK(points_of("--M 64") == Points{{1 << 20, 64}, {1 << 24, 64}, {1 << 28, 64}});
}

TEST_CASE("bounds refuses what cannot be with exit code 2", "[cli]") {
  for (const std::string arguments :
       {"--n 0", "--n 2^20,many", "--M 16", "--b 0", "--b 1025", "--b 32 --M 31", "extra"}) {
    CAPTURE(arguments);
    const Finished finished = run_cli("bounds " + arguments);
    CHECK(finished.exit_code == 2);
    CHECK(finished.out.empty());
    CHECK_THAT(finished.err, ContainsSubstring("agpusim: error: "));
  }
}

TEST_CASE("bounds has a page of help", "[cli]") {
  CHECK_THAT(run_cli("help bounds").out, ContainsSubstring("--M SIZES"));
  CHECK_THAT(run_cli("help").out, ContainsSubstring("bounds"));
}

#include <cmath>
#include <cstdint>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"

using namespace agpusim::test;

TEST_CASE("bounds takes every size on every memory", "[cli]") {
  using Points = std::vector<std::pair<std::int64_t, std::int64_t>>;
  const auto points_of = [](const std::string& arguments) {
    Points points;
    const auto json = json_of_cli("bounds " + arguments);
    for (const auto& row : json.at("rows")) {
      points.emplace_back(row.at("n").get<std::int64_t>(), row.at("M").get<std::int64_t>());
    }
    return points;
  };
  CHECK(points_of("--n 1000,2^12 --M 1Ki,64 --b 8") ==
        Points{{1000, 64}, {1000, 1024}, {4096, 64}, {4096, 1024}});
  CHECK(points_of("-n 1000") == Points{{1000, 1024}, {1000, 12288}, {1000, 58368}});
  CHECK(points_of("-n 1000..2000 --M 64") == Points{{1000, 64}, {2000, 64}});
  CHECK(
      points_of("") ==
      Points{
          {1 << 20, 12288}, {1 << 24, 12288}, {1 << 28, 12288}, {1 << 24, 58368}, {1 << 24, 1024}});
  CHECK(points_of("--M 64") == Points{{1 << 20, 64}, {1 << 24, 64}, {1 << 28, 64}});
}

// 16! / 2^8 orders are left to 8 reads, since C(8, 2)^7 = 13,492,928,512 < 81,729,648,000 < 28^8.
TEST_CASE("bounds counts the orders of a small case", "[cli]") {
  const auto steps = json_of_cli("bounds --explain --n 16 --b 2 --M 8").at("explained");
  CHECK(std::exp2(steps[2].at("value").get<double>()) == Catch::Approx(81'729'648'000));
  CHECK(std::exp2(steps[5].at("value").get<double>()) == Catch::Approx(13'492'928'512));
  CHECK(steps[6].at("value") == 16);
}

TEST_CASE("bounds refuses what cannot be with exit code 2", "[cli]") {
  for (const std::string arguments :
       {"--n 0", "--n 2^20,many", "--M 16", "--b 0", "--b 1025", "--b 32 --M 31", "extra"}) {
    CAPTURE(arguments);
    const Finished finished = run_cli("bounds " + arguments);
    CHECK(finished.exit_code == 2);
    CHECK(finished.out.empty());
    CHECK_THAT(finished.err, says("agpusim: error: "));
  }
}

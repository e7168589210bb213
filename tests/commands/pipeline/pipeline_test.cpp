#include "agpusim/cli/sizes.hpp"
#include "agpusim/commands/pipeline/tasks.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"

using namespace agpusim::test;
using agpusim::parse_bytes;

namespace {

const std::string fast_link = " --in-gbps 50 --out-gbps 40 ";

}  // namespace

TEST_CASE("pipeline without arguments lists every task and scheme", "[cli][out_of_core]") {
  const std::string finished = output_of_cli("pipeline");
  for (const auto& task : agpusim::out_of_core::tasks()) {
    CHECK_THAT(finished, says("\n" + task.name + ": "));
    for (const auto& scheme : task.schemes) {
      CHECK_THAT(finished, says("\n" + scheme.name + " "));
    }
  }
}

TEST_CASE("pipeline plans every task", "[cli][out_of_core]") {
  for (const auto& task : agpusim::out_of_core::tasks()) {
    CAPTURE(task.name);
    const auto json = json_of_cli("pipeline " + task.name + " --n 10^7 --budget 1GB" + fast_link);
    CHECK(json.at("task") == task.name);
    CHECK(json.at("scheme") == task.schemes.front().name);
    CHECK(json.at("n") == 10'000'000);
    CHECK(json.at("budget_bytes") == 1'000'000'000);
    CHECK(json.at("link").at("out_bytes_per_second") == 40e9);
    // All elements over the link at 50 GB/s.
    CHECK(json.at("seconds").get<double>() >= 8e7 / 50e9);
    CHECK(json.at("device_bytes").get<std::int64_t>() <= 1'000'000'000);
    CHECK(json.at("counts") == "derived");
  }
}

TEST_CASE("pipeline scan may be exclusive, other tasks not", "[cli][out_of_core]") {
  const std::string size = " --n 3000 --budget 100kB --chunk 1000 --exclusive --simulate";
  for (const std::string scheme : {"one_pass", "seed"}) {
    CAPTURE(scheme);
    CHECK_THAT(output_of_cli("pipeline scan --scheme " + scheme + size + fast_link),
               says("scan, exclusive, scheme " + scheme, "equals  that of a plain loop"));
  }
  check_refused(run_cli("pipeline reduce" + size + fast_link), 2, "has no exclusive form");
  const agpusim::out_of_core::Task& scan = agpusim::out_of_core::find_task("scan");
  std::vector<double> in = {3, 1, 4};
  std::vector<double> out(3);
  fill_expected(scan, {in, {}, {}, out}, true);
  CHECK(out == std::vector<double>{0, 3, 4});
  fill_expected(scan, {in, {}, {}, out}, false);
  CHECK(out == std::vector<double>{3, 4, 8});
}

TEST_CASE("pipeline refuses what cannot be in one line", "[cli][out_of_core]") {
  check_refusals(
      "pipeline",
      {
          {"scann --n 10 --budget 1GB", "did you mean 'scan'?"},
          {"scan --n 10 --budget 1GB --scheme sed", "did you mean 'seed'?"},
          {"scan --budget 1GB", "--n is required"},
          {"scan --n 10", "--budget is required"},
          {"scan --n -1 --budget 1GB", "--n '-1' is negative"},
          {"scan --n 10 --budget 1XB", "--budget '1XB' is not a size"},
          {"scan --n 10 --budget 1GB --streams 65", "--streams '65' is too large"},
          {"scan --n 10 --budget 1GB --chunk 0", "--chunk '0' is too small"},
          {"scan --n 10^8 --budget 100kB" + fast_link, "budget"},
          {"scan --n 10 --budget 1GB --in-gbps fast", "--in-gbps 'fast' is not a number"},
          {"scan --n 10 --budget 1GB --in-gbps 0", "--in-gbps '0' is too small"},
          {"scan --n 10 --budget 1GB --copy-engines 3", "--copy-engines '3' is too large"},
          {"scan --n 10 --budget 1GB --machine h200,textbook", "machine"},
          {"scan --n 10 --budget 1GB --machine textbook" + fast_link, "no time is predicted on"},
          {"scan --n 2^23 --budget 1GB --simulate" + fast_link, "at most 2^22"},
      });
  check_refused(run_cli("pipeline scan --n 10 --budget 1GB --html /nowhere/page.html" + fast_link),
                5, "--html");
}

TEST_CASE("bytes are sizes with an optional B", "[cli][sizes]") {
  CHECK(parse_bytes("--budget", "3GB") == 3'000'000'000);
  CHECK(parse_bytes("--budget", "8GiB") == std::int64_t{8} << 30);
  CHECK(parse_bytes("--budget", "500MB") == 500'000'000);
  CHECK(parse_bytes("--budget", "1.5kB") == 1500);
  CHECK(parse_bytes("--budget", "2^30") == 1 << 30);
  CHECK(parse_bytes("--budget", "17B") == 17);
  for (const char* const text : {"", "B", "0", "3GBB", "-1GB", "1.5B", "2^60"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_bytes("--budget", text), agpusim::UsageError);
  }
}

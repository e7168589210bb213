#include <algorithm>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "agpusim/papers/experiment.hpp"
#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim {
namespace {

using Json = nlohmann::json;

TEST_CASE("miura reports its records in every format", "[cli][miura]") {
  const std::string small = "experiment miura --n-max 10^8";
  const std::string text = test::output_of_cli(small);
  CHECK(text.find("transform_const") != std::string::npos);
  CHECK(text.find("exact_splitters") != std::string::npos);
  CHECK(text.find("measured\ncopy in") != std::string::npos);
  const Json report = test::json_of_cli(small);
  CHECK(report.at("rows").size() == 74);
  CHECK(report.at("seed").size() == 6);
  CHECK(report.at("timelines").size() == 20);
  for (const Json& row : report.at("rows")) {
    if (row.at("budget_bytes").is_null()) continue;
    CHECK(row.at("seconds") > row.at("floor_seconds"));
    CHECK(row.at("predicted_seconds") >= row.at("floor_seconds"));
  }
  const test::Finished csv = test::run_cli(small + " --csv");
  CHECK(std::count(csv.out.begin(), csv.out.end(), '\n') == 75);
  const test::TempFolder folder;
  const std::string page = folder.file("miura.html");
  CHECK(test::run_cli(small + " --html " + page).exit_code == 0);
  CHECK(std::filesystem::file_size(page) > 100'000);
}

TEST_CASE("miura says what its smallest input is", "[cli][miura]") {
  const test::TempFolder folder;
  ExperimentCommand command{
      .name = "miura", .measure = folder.file("runs.jsonl"), .n_max = 1'000'000};
  const auto cuda = [] {
    CudaSupport support;
    support.environment = [] { return Environment{.device = "NVIDIA H200"}; };
    return support;
  };
  CHECK_THROWS_WITH(run_experiment(command, cuda),
                    Catch::Matchers::ContainsSubstring("n-max") &&
                        Catch::Matchers::ContainsSubstring("100000000"));
  CHECK_FALSE(std::filesystem::exists(command.measure));
}

}  // namespace
}  // namespace agpusim

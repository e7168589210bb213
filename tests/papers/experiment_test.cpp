#include "agpusim/papers/experiment.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/cuda/gpu.hpp"
#include "agpusim/tests/fake_device/fake_device.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/records/record.hpp"

using namespace agpusim;

namespace {

ExperimentCommand quick(const test::TempFolder& folder) {
  return ExperimentCommand{.name = "kozakai", .measure = folder.file("times.jsonl"), .quick = true};
}

}  // namespace

TEST_CASE("experiment lists what it knows and names what it does not", "[cli][experiment]") {
  const std::string list = test::output_of_cli("experiment");
  CHECK(list.find("\ninteger-sorts  kozakai ") != std::string::npos);
  const test::Finished unknown = test::run_cli("experiment kozaki");
  CHECK(unknown.exit_code == static_cast<int>(ExitCode::usage));
  CHECK(unknown.err.find("kozakai") != std::string::npos);
}

TEST_CASE("experiment measures every run once and goes on where it stopped", "[cli][experiment]") {
  const test::TempFolder folder;
  test::FakeDevice device;
  run_experiment(quick(folder), device.support());
  const auto timings = read_records(folder.file("times.jsonl")).timings;
  REQUIRE(timings.size() == device.runs.size());
  CHECK(std::any_of(timings.begin(), timings.end(), [](const TimingRecord& record) {
    return record.config.algorithm == "seed_hp_sort";
  }));
  // The sorted keys are the same for all contestants of one input.
  for (const TimingRecord& a : timings) {
    for (const TimingRecord& b : timings) {
      const bool same_keys = a.config.n == b.config.n && a.config.input == b.config.input &&
                             a.config.parameters.at("range") == b.config.parameters.at("range") &&
                             a.config.parameters.at("values") == b.config.parameters.at("values");
      CHECK((!same_keys || a.checksum == b.checksum));
    }
  }
  device.runs.clear();
  run_experiment(quick(folder), device.support());
  CHECK(device.runs.empty());
}

TEST_CASE("experiment calibrates CUB with runs of its own", "[cli][experiment]") {
  const test::TempFolder folder;
  test::FakeDevice device;
  ExperimentCommand command = quick(folder);
  command.calibrate = command.measure;
  command.measure.clear();
  run_experiment(command, device.support());
  REQUIRE(device.runs.size() == 8);
  for (const RunConfig& config : device.runs) {
    CHECK(config.algorithm == "cub_radix_sort");
    CHECK(config.seed != 1);
  }
}

TEST_CASE("experiment reports a wrong result and measures the rest", "[cli][experiment]") {
  const test::TempFolder folder;
  test::FakeDevice device;
  device.is_broken = [](const RunConfig& config) { return config.algorithm == "seed_hp_sort"; };
  CHECK_THROWS_AS(run_experiment(quick(folder), device.support()), Error);
  const auto timings = read_records(folder.file("times.jsonl")).timings;
  CHECK(!timings.empty());
  for (const TimingRecord& record : timings) CHECK(record.config.algorithm != "seed_hp_sort");
}

TEST_CASE("experiment analyses the records of a measurement", "[cli][experiment]") {
  const test::TempFolder folder;
  test::FakeDevice device;
  run_experiment(quick(folder), device.support());
  ExperimentCommand calibration = quick(folder);
  calibration.calibrate = folder.file("cub.jsonl");
  calibration.measure.clear();
  run_experiment(calibration, device.support());

  const std::string files =
      " --records " + folder.file("times.jsonl") + " --cub-records " + folder.file("cub.jsonl");
  const std::string text = test::output_of_cli("experiment kozakai --quick" + files);
  CHECK(text.find("NVIDIA H200") != std::string::npos);
  const test::Finished json = test::run_cli("experiment kozakai --quick --json" + files +
                                            " --html " + folder.file("p.html"));
  REQUIRE(json.exit_code == 0);
  CHECK(nlohmann::json::parse(json.out).at("cells").size() == 5);
  CHECK(std::filesystem::exists(folder.file("p.html")));
  const std::string csv = test::output_of_cli("experiment kozakai --quick --csv" + files);
  CHECK(csv.starts_with("family,panel,n,"));
}

TEST_CASE("experiment says which file is missing", "[cli][experiment]") {
  const test::Finished finished =
      test::run_cli("experiment kozakai --records /nowhere.jsonl --cub-records /nowhere.jsonl");
  CHECK(finished.exit_code == static_cast<int>(ExitCode::io));
  CHECK(finished.err.find("/nowhere.jsonl") != std::string::npos);
}

TEST_CASE("experiment --measure without CUDA or GPU is unavailable", "[cli][experiment]") {
  if (test::why_no_gpu().empty()) SKIP("this machine has a GPU");
  const test::Finished finished = test::run_cli("experiment kozakai --quick --measure t.jsonl");
  CHECK(finished.exit_code == static_cast<int>(ExitCode::unavailable));
  CHECK_FALSE(std::filesystem::exists("t.jsonl"));
}

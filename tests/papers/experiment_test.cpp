#include "agpusim/papers/experiment.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/machines.hpp"
#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/cuda/gpu.hpp"
#include "agpusim/tests/fake_device/fake_device.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/records/device_file.hpp"
#include "agpusim/validation/records/record.hpp"

using namespace agpusim;

namespace {

ExperimentCommand kozakai(const test::TempFolder& folder) {
  return {.name = "kozakai", .measure = folder.file("times.jsonl"), .sizes = {.quick = true}};
}

ExperimentCommand nishimura(const test::TempFolder& folder) {
  return {.name = "nishimura", .measure = folder.file("times.jsonl"), .sizes = {.n_max = 1000}};
}

/// The records of a measurement, which go on where they stopped.
std::vector<TimingRecord> measured_once(const ExperimentCommand& command,
                                        test::FakeDevice& device) {
  run_experiment(command, device.support());
  test::FakeDevice again;
  run_experiment(command, again.support());
  CHECK(again.runs.empty());
  auto timings = read_records(command.measure).timings;
  REQUIRE(timings.size() == device.runs.size());
  return timings;
}

bool has(const std::vector<TimingRecord>& timings, const std::string& algorithm) {
  return std::ranges::any_of(
      timings, [&](const TimingRecord& record) { return record.config.algorithm == algorithm; });
}

/// The JSON of `agpusim experiment <arguments>`, which says the same as text, CSV and a page.
nlohmann::json reported(const std::string& arguments, const std::string& part,
                        const std::string& csv) {
  const test::TempFolder folder;
  const std::string command = "experiment " + arguments;
  CHECK_THAT(test::output_of_cli(command + " --html " + folder.file("p.html")), says(part));
  const std::string page = read_file(folder.file("p.html"));
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK_THAT(page, says("id=\"data\">{"));
  CHECK(page.find("src=\"http") == std::string::npos);
  CHECK(test::output_of_cli(command + " --csv").starts_with(csv));
  return test::json_of_cli(command);
}

}  // namespace

TEST_CASE("experiment lists what it knows and names what it does not", "[cli][experiment]") {
  CHECK_THAT(test::output_of_cli("experiment"), says("\ninteger-sorts  kozakai ", "\nstatistics "));
  test::check_refusals("experiment",
                       {{"kozaki", "kozakai"}, {"nishimura --calibrate cub.jsonl", "--calibrate"}});
  CHECK_FALSE(std::filesystem::exists("cub.jsonl"));
}

TEST_CASE("experiment measures every run once and goes on where it stopped", "[cli][experiment]") {
  const test::TempFolder folder;
  test::FakeDevice device;
  const auto timings = measured_once(kozakai(folder), device);
  CHECK(has(timings, "seed_hp_sort"));
  // The sorted keys are the same for all contestants of one input.
  for (const TimingRecord& a : timings) {
    for (const TimingRecord& b : timings) {
      const bool same_keys = a.config.n == b.config.n && a.config.input == b.config.input &&
                             a.config.parameters.at("range") == b.config.parameters.at("range") &&
                             a.config.parameters.at("values") == b.config.parameters.at("values");
      CHECK((!same_keys || a.checksum == b.checksum));
    }
  }
}

TEST_CASE("nishimura is measured once, each row by its own reference",
          "[cli][statistics_experiment]") {
  const test::TempFolder folder;
  test::FakeDevice device;
  const auto timings = measured_once(nishimura(folder), device);
  for (const std::string name : {"minmax", "statistics", "cub_minmax", "cub_statistics",
                                 "cub_separate_statistics", "reduce", "cub_scan"}) {
    INFO(name);
    CHECK(has(timings, name));
  }
  for (std::size_t i = 0; i < device.runs.size(); ++i) {
    const RunConfig& config = device.runs[i];
    INFO(config.algorithm << "/" << config.variant << ", n = " << config.n);
    CHECK(config.n <= 1000);
    // A row is compared with what its own reference says, whoever is the panel's.
    if (config.algorithm.starts_with("cub")) continue;
    CHECK(device.expected[i] == find_algorithm(config.algorithm).reference(config));
  }
}

TEST_CASE("experiment calibrates CUB with runs of its own", "[cli][experiment]") {
  const test::TempFolder folder;
  test::FakeDevice device;
  ExperimentCommand command = kozakai(folder);
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
  CHECK_THROWS_AS(run_experiment(kozakai(folder), device.support()), Error);
  const auto timings = read_records(folder.file("times.jsonl")).timings;
  CHECK(!timings.empty());
  CHECK_FALSE(has(timings, "seed_hp_sort"));
}

TEST_CASE("experiment analyses the records of a measurement", "[cli][experiment]") {
  const test::TempFolder folder;
  test::FakeDevice device;
  ExperimentCommand command = kozakai(folder);
  command.calibrate = folder.file("cub.jsonl");
  run_experiment(command, device.support());
  const auto json = reported(
      "kozakai --quick --records " + command.measure + " --cub-records " + command.calibrate,
      "NVIDIA H200", "family,panel,n,");
  CHECK(json.at("cells").size() == 5);
}

TEST_CASE("nishimura reports its records in every format", "[cli][statistics_experiment]") {
  const test::TempFolder folder;
  test::FakeDevice device;
  run_experiment(nishimura(folder), device.support());
  const auto json = reported("nishimura --n-max 1000 --records " + folder.file("times.jsonl"),
                             "NVIDIA H200", "panel,type,input,program,");
  CHECK(json.at("comparison").at("unmeasured") == 0);
}

TEST_CASE("miura reports its records in every format", "[cli][miura]") {
  const auto report =
      reported("miura --n-max 10^8", "measured\ncopy in", "task,scheme,memory,streams,");
  CHECK(report.at("rows").size() == 74);
  CHECK(report.at("seed").size() == 6);
  CHECK(report.at("timelines").size() == 20);
  for (const auto& row : report.at("rows")) {
    if (row.at("budget_bytes").is_null()) continue;
    CHECK(row.at("seconds") > row.at("floor_seconds"));
    CHECK(row.at("predicted_seconds") >= row.at("floor_seconds"));
  }
}

TEST_CASE("miura says what its smallest input is", "[cli][miura]") {
  const test::TempFolder folder;
  ExperimentCommand command{
      .name = "miura", .measure = folder.file("runs.jsonl"), .sizes = {.n_max = 1'000'000}};
  const auto cuda = [] {
    CudaSupport support;
    support.environment = [] { return Environment{.device = "NVIDIA H200"}; };
    return support;
  };
  CHECK_THROWS_WITH(run_experiment(command, cuda), says("n-max", "100000000"));
  CHECK_FALSE(std::filesystem::exists(command.measure));
}

TEST_CASE("nishimura judges the findings by the measured times", "[cli][statistics_experiment]") {
  const auto findings = test::json_of_cli("experiment nishimura --n-max 10^6").at("findings");
  REQUIRE(findings.size() == 8);
  // Tables 4.2 and 4.3; on the H200 one thread falls further behind up to 10^6.
  const bool holds[] = {true, true, true, true, true, true, true, false, true, true, true, false};
  for (std::size_t i = 0; i < findings.size(); ++i) {
    CAPTURE(i, findings[i].dump());
    CHECK(findings[i].at("holds") == holds[i]);
  }
  CHECK(findings[0].at("statement") == "to N = 1,000 Tm is not straight over log N");
  CHECK(findings[0].at("numbers") ==
        "minmax 4.81 times, statistics 5.00 times from N = 100, nearer to N (10 times)");
  CHECK(findings[4].at("numbers") ==
        "from N = 1,000: minmax 1.44, 1.15, 0.99, 0.86; statistics 0.77, 0.62, 0.55, 0.48");
  CHECK(findings[6].at("numbers") ==
        "from N = 100,000: minmax 59.91, 57.08; statistics 31.50, 31.38");
}

TEST_CASE("experiment says which file is missing", "[cli][experiment]") {
  for (const std::string name : {"kozakai", "nishimura", "miura"}) {
    const test::Finished missing =
        test::run_cli("experiment " + name + " --records /nowhere.jsonl");
    CHECK(missing.exit_code == static_cast<int>(ExitCode::io));
    CHECK_THAT(missing.err, says("/nowhere.jsonl"));
  }
}

TEST_CASE("experiment --measure without CUDA or GPU is unavailable", "[cli][experiment]") {
  if (test::why_no_gpu().empty()) SKIP("this machine has a GPU");
  const test::Finished finished = test::run_cli("experiment kozakai --quick --measure t.jsonl");
  CHECK(finished.exit_code == static_cast<int>(ExitCode::unavailable));
  CHECK_FALSE(std::filesystem::exists("t.jsonl"));
}

TEST_CASE("the machines of the paper's cards have their cores and memory",
          "[cli][statistics_experiment]") {
  for (const std::string name : {"gtx480", "gt220", "9400gt"}) {
    INFO(name);
    const AgpuSpec& spec = find_machine(name).spec;
    const DeviceFile device = load_device(data_folder() / "devices" / (name + ".json"));
    CHECK(spec.cores == static_cast<std::int64_t>(device.value("cores")));
    CHECK(spec.width == spec.block_words);
    CHECK(spec.shared_words == (name == "gtx480" ? 48 : 16) * 1024 / 4);
  }
}

TEST_CASE("a GTX 480 of published, fitted and guessed constants takes the times that are printed",
          "[cli][statistics_experiment]") {
  for (const auto& [n, printed_us] :
       {std::pair{100, 34.5}, {1'000, 53.4}, {10'000, 87.6}, {100'000, 248.1}}) {
    const auto why = test::json_of_cli(fmt::format(
        "why minmax_tournament --variant copy --type i32 --input sorted --set rows=1 --n {} "
        "--machine gtx480",
        n));
    CHECK(why.at("predicted_ms") == Catch::Approx(1e-3 * printed_us).epsilon(0.12));
    CHECK(why.at("predicted_high_ms") == 0);
  }
}

TEST_CASE("figure 17: on a GTX 1060 trigonometric kernels outlast the copies, a product's do not",
          "[cli][out_of_core]") {
  for (const auto& [task, limit] :
       {std::pair{"transform_trig", "compute"}, {"transform_const", "copy in"}}) {
    const auto plan =
        test::json_of_cli(fmt::format("pipeline {} --n 10^8 --budget 3GB --machine gtx1060", task));
    CHECK(plan.at("bound_resource") == limit);
  }
}

TEST_CASE("the device files of the paper's cards have the constants of the fit",
          "[cli][statistics_experiment]") {
  const auto cards =
      test::json_of_cli("experiment nishimura --n-max 100").at("account").at("cards");
  REQUIRE(cards.size() == 3);
  for (const auto& card : cards) {
    const std::string name = card.at("card");
    INFO(name);
    const DeviceFile device = find_device(data_folder() / "devices", name);
    const auto fit = [&](const std::string& law) {
      for (const auto& one : card.at("constants")) {
        if (one.at("law") == law && one.at("trained_on") == "both") return one;
      }
      return nlohmann::json();
    };
    const auto tournament = fit("Tm, ceil(log2 N) rounds");
    CHECK(device.value("launch") ==
          Catch::Approx(tournament.at("launch_us").get<double>()).epsilon(1e-3));
    CHECK(device.value("time_unit") ==
          Catch::Approx(tournament.at("unit_ns").get<double>()).epsilon(1e-3));
    CHECK(tournament.at("gigabytes_per_second").is_null());
    CHECK(device.value("single_lane_number") ==
          Catch::Approx(fit("Ts in proportion to N").at("unit_ns").get<double>()).epsilon(1e-3));
  }
}

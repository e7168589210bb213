#include "agpusim/commands/measure/measure.hpp"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/tests/fake_device/fake_device.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/records/ncu_csv.hpp"
#include "agpusim/validation/records/record.hpp"

using namespace agpusim;

namespace {

MeasureOptions options_for(const test::TempFolder& folder, std::int64_t n_min, std::int64_t n_max) {
  MeasureOptions options;
  options.algorithms = {"vector_add"};
  options.n_min = n_min;
  options.n_max = n_max;
  options.out = folder.file("times.jsonl");
  return options;
}

}  // namespace

TEST_CASE("measure records every run and goes on where it stopped", "[cli][measure]") {
  const test::TempFolder folder;
  test::FakeDevice device;
  run_measure(options_for(folder, 1 << 10, 1 << 10), device.support());
  const std::size_t first = device.runs.size();
  REQUIRE(first > 0);
  CHECK(read_records(folder.file("times.jsonl")).timings.size() == first);

  device.runs.clear();
  run_measure(options_for(folder, 1 << 10, 1 << 11), device.support());
  CHECK(device.runs.size() > 0);
  for (const RunConfig& config : device.runs) CHECK(config.n > 1024);
  const auto all = read_records(folder.file("times.jsonl")).timings;
  CHECK(all.size() == first + device.runs.size());

  device.runs.clear();
  run_measure(options_for(folder, 1 << 10, 1 << 11), device.support());
  CHECK(device.runs.empty());
}

TEST_CASE("measure takes the runs of a file again, of all sizes or those that are wanted",
          "[cli][measure]") {
  const test::TempFolder folder;
  test::FakeDevice device;
  run_measure(options_for(folder, 1 << 10, 1 << 11), device.support());
  const std::vector<RunConfig> first = std::exchange(device.runs, {});

  MeasureOptions again;
  again.again = folder.file("times.jsonl");
  again.out = folder.file("again.jsonl");
  again.n_min = 1;
  run_measure(again, device.support());
  CHECK(device.runs == first);
  CHECK(read_records(folder.file("again.jsonl")).timings.size() == first.size());

  device.runs.clear();
  again.out = folder.file("larger.jsonl");
  again.n_min = 1025;
  run_measure(again, device.support());
  CHECK(device.runs.size() < first.size());
  for (const RunConfig& config : device.runs) CHECK(config.n > 1024);

  again.out = folder.file("none.jsonl");
  again.algorithms = {"scan"};
  device.runs.clear();
  run_measure(again, device.support());
  CHECK(device.runs.empty());
}

TEST_CASE("a wrong result is reported, not recorded, and does not stop the plan",
          "[cli][measure]") {
  const test::TempFolder folder;
  test::FakeDevice device;
  device.is_broken = [](const RunConfig& config) { return config.n == 1024; };
  CHECK_THROWS_AS(run_measure(options_for(folder, 1 << 10, 1 << 11), device.support()), Error);
  const auto timings = read_records(folder.file("times.jsonl")).timings;
  REQUIRE(!timings.empty());
  CHECK(timings.size() < device.runs.size());
  for (const TimingRecord& record : timings) CHECK(record.config.n != 1024);
}

TEST_CASE("a damaged record file is refused before anything is measured", "[cli][measure]") {
  const test::TempFolder folder;
  test::FakeDevice device;
  run_measure(options_for(folder, 1 << 10, 1 << 10), device.support());
  const std::string path = folder.file("times.jsonl");
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 10);
  device.runs.clear();
  CHECK_THROWS_AS(run_measure(options_for(folder, 1 << 10, 1 << 11), device.support()), FileError);
  CHECK(device.runs.empty());
}

TEST_CASE("the profile plan names the kernels in launch order", "[cli][measure]") {
  const test::TempFolder folder;
  test::FakeDevice device;
  MeasureOptions options = options_for(folder, 1 << 12, 1 << 12);
  options.profile = true;
  run_measure(options, device.support());
  const auto plan = read_plan(folder.file("times.jsonl"));
  REQUIRE(plan.size() == device.runs.size());
  for (std::size_t i = 0; i < plan.size(); ++i) {
    CHECK(plan[i].config == device.runs[i]);
    CHECK_FALSE(plan[i].kernels.empty());
  }
}

TEST_CASE("no run starts when the time is up", "[cli][measure]") {
  const test::TempFolder folder;
  test::FakeDevice device;
  MeasureOptions options = options_for(folder, 1 << 10, 1 << 11);
  options.max_seconds = 0;
  run_measure(options, device.support());
  CHECK(device.runs.empty());
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("measure records a peer with the result of its row", "[cli][measure]") {
  const test::TempFolder folder;
  test::FakeDevice device;
  MeasureOptions options = options_for(folder, 1 << 10, 1 << 10);
  options.algorithms = {"cub_merge_sort"};
  run_measure(options, device.support());
  const auto timings = read_records(folder.file("times.jsonl")).timings;
  REQUIRE(timings.size() == 2);
  for (std::size_t i = 0; i < timings.size(); ++i) {
    const RunConfig& config = timings[i].config;
    CHECK(config.algorithm == "cub_merge_sort");
    CHECK(config.type == (i == 0 ? "u32" : "u64"));
    RunConfig sort = config;
    sort.algorithm = "bitonic_sort";
    const Algorithm& row = find_algorithm("bitonic_sort");
    CHECK(timings[i].checksum == row.reference(resolve(row, sort)));
  }
}

TEST_CASE("Ctrl-C ends measure while it looks for a device", "[cli][measure]") {
  const test::TempFolder folder;
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    CudaSupport cuda;
    cuda.environment = [] {
      std::raise(SIGINT);
      return Environment{};
    };
    run_measure(options_for(folder, 1 << 10, 1 << 10), [&] { return cuda; });
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("measure checks names, then looks for a device, before it plans", "[cli][measure]") {
  const test::TempFolder folder;
  CudaSupport cuda;
  cuda.environment = []() -> Environment { throw Unavailable("no GPU"); };
  MeasureOptions options = options_for(folder, 1 << 10, 1 << 10);
  CHECK_THROWS_AS(run_measure(options, [&] { return cuda; }), Unavailable);
  options.variants = {"none"};
  CHECK_THROWS_AS(run_measure(options, [&] { return cuda; }), UsageError);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a peer cannot be profiled", "[cli][measure]") {
  const test::TempFolder folder;
  test::FakeDevice device;
  MeasureOptions options = options_for(folder, 1 << 12, 1 << 12);
  options.algorithms = {"cub_merge_sort"};
  options.profile = true;
  CHECK_THROWS_AS(run_measure(options, device.support()), UsageError);
  CHECK(device.runs.empty());
}

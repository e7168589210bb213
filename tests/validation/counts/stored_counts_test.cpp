#include "agpusim/validation/counts/stored_counts.hpp"

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/counts/compare_reports.hpp"
#include "agpusim/validation/counts/counts.hpp"

using agpusim::CountRecord;
using agpusim::CountSource;
using agpusim::RunConfig;
using agpusim::StoredCounts;
using agpusim::test::fake_config;
using agpusim::test::fake_report;

namespace {

/// "twice" with counts that cannot be derived, whose simulation counts how often it ran.
agpusim::Registry stored_only(int& simulations) {
  agpusim::Algorithm row = agpusim::test::fake_registry().find("twice");
  row.derive = [](const RunConfig&) { return std::nullopt; };
  row.simulate = [&simulations](const RunConfig& config, const agpusim::SimulationOptions&) {
    ++simulations;
    return agpusim::RunResult{fake_report(config), agpusim::test::fake_checksum(config), true};
  };
  row.time.value = [](const RunConfig& config) { return static_cast<double>(config.n); };
  row.io.value = row.time.value;
  agpusim::Registry registry;
  registry.add(row);
  return registry;
}

StoredCounts stored(const std::vector<CountRecord>& records) {
  const agpusim::test::TempFolder folder;
  std::string lines;
  for (const CountRecord& record : records) lines += to_line(record) + "\n";
  agpusim::test::put(folder / "counts.jsonl", lines);
  StoredCounts counts;
  counts.read(folder.path());
  return counts;
}

CountRecord record(std::int64_t n) { return {fake_config(n), fake_report(fake_config(n)), 5, 6}; }

}  // namespace

TEST_CASE("stored counts are read as they were written", "[validation][counts]") {
  CountRecord derived = record(2048);
  derived.checksum.reset();
  const StoredCounts counts = stored({record(1024), derived});
  const CountRecord* const simulated = counts.find(fake_config(1024));
  REQUIRE(simulated != nullptr);
  CHECK(compare_reports(simulated->report, fake_report(fake_config(1024)), "stored").empty());
  CHECK(simulated->checksum == 5U);
  CHECK(simulated->fingerprint == 6);
  REQUIRE(counts.find(fake_config(2048)) != nullptr);
  CHECK_FALSE(counts.find(fake_config(2048))->checksum);
  CHECK(counts.find(fake_config(4096)) == nullptr);
}

TEST_CASE("the nearest smaller run has the same input, machine and parameters",
          "[validation][counts]") {
  CountRecord sorted = record(4096);
  sorted.config.input = "sorted";
  CountRecord wide = record(4096);
  wide.config.spec.width = 64;
  CountRecord tiled = record(4096);
  tiled.config.parameters["tile"] = 77;
  const StoredCounts counts =
      stored({record(1024), record(2048), record(16384), sorted, wide, tiled});
  int simulations = 0;
  const agpusim::Registry registry = stored_only(simulations);
  const agpusim::Algorithm& row = registry.find("twice");
  const auto nearest = [&](std::int64_t n) { return counts.find_smaller(row, fake_config(n)); };
  REQUIRE(nearest(8192) != nullptr);
  CHECK(nearest(8192)->config == fake_config(2048));
  CHECK(nearest(2048)->config == fake_config(1024));
  CHECK(nearest(1024) == nullptr);
}

TEST_CASE("what cannot be simulated is extrapolated from the nearest stored run",
          "[validation][counts]") {
  const StoredCounts counts = stored({record(1024), record(2048)});
  int simulations = 0;
  const agpusim::Registry registry = stored_only(simulations);
  agpusim::CountOptions options;
  options.stored = &counts;
  options.simulate_limit = 0;
  const auto counted = count(registry.find("twice"), fake_config(8192), options);
  CHECK(counted.source == CountSource::extrapolated);
  CHECK(counted.from_n == 2048);
  // The bounds are linear, and the I/O of the program is.
  CHECK(counted.report.total().io() == fake_report(fake_config(8192)).total().io());
  CHECK(counted.report.time() == 4 * fake_report(fake_config(2048)).time());
  CHECK_FALSE(counted.checksum);
  simulations = 0;
  CHECK(count(registry.find("twice"), fake_config(2048), options).source == CountSource::stored);
  CHECK(simulations == 0);
}

#include "agpusim/validation/counts/stored_counts.hpp"

#include <array>
#include <sstream>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/counts/compare_reports.hpp"
#include "agpusim/validation/counts/counts.hpp"
#include "agpusim/validation/io/xz.hpp"
#include "agpusim/validation/records/data_folder.hpp"

using namespace agpusim;
using namespace agpusim::test;

namespace {

/// "twice" with counts that cannot be derived, whose simulation counts how often it ran.
Registry stored_only(int& simulations) {
  Algorithm row = fake_registry().find("twice");
  row.derive = [](const RunConfig&) { return std::nullopt; };
  row.simulate = [&simulations](const RunConfig& config, const SimulationOptions&) {
    ++simulations;
    return RunResult{fake_report(config), fake_checksum(config), true};
  };
  row.time.value = [](const RunConfig& config) { return static_cast<double>(config.n); };
  row.io.value = row.time.value;
  Registry registry;
  registry.add(row);
  return registry;
}

StoredCounts stored(const std::vector<CountRecord>& records) {
  const TempFolder folder;
  std::string lines;
  for (const CountRecord& record : records) lines += to_line(record) + "\n";
  put(folder / "counts.jsonl", lines);
  StoredCounts counts;
  counts.read(folder.path());
  return counts;
}

CountRecord record(std::int64_t n) { return {fake_config(n), fake_report(fake_config(n)), 5, 6}; }

}  // namespace

TEST_CASE("stored counts are read as they were written", "[validation][counts]") {
  CountRecord derived = record(2048);
  derived.checksum.reset();
  PhaseReport& compiled = derived.report.phases.at(0);
  compiled.width = 128;
  compiled.instructions = 7;
  const StoredCounts counts = stored({record(1024), derived});
  const CountRecord* const simulated = counts.find(fake_config(1024));
  REQUIRE(simulated != nullptr);
  CHECK(compare_reports(simulated->report, fake_report(fake_config(1024)), "stored").wrong.empty());
  CHECK(simulated->checksum == 5U);
  CHECK(simulated->fingerprint == 6);
  REQUIRE(counts.find(fake_config(2048)) != nullptr);
  CHECK_FALSE(counts.find(fake_config(2048))->checksum);
  CHECK(counts.find(fake_config(2048))->report.phases.at(0) == compiled);
  CHECK(counts.find(fake_config(4096)) == nullptr);
}

TEST_CASE("every number of a stored run has its place", "[validation][counts]") {
  CountRecord all = record(1024);
  all.report.phases.resize(1);
  PhaseReport& phase = all.report.phases[0];
  std::int64_t number = 100;
  const auto next = [&number](auto&... members) { ((members = ++number), ...); };
  const auto next_of = [&number](auto& array) {
    for (std::int64_t& member : array) member = ++number;
  };
  next(phase.tasks, phase.shared_words, phase.time, phase.max_task_time, phase.io_max,
       phase.contention, phase.atomic_blocks);
  Counts& counts = phase.counts;
  next(counts.alu, counts.idle);
  for (auto* const global : {&counts.global_read, &counts.global_write, &counts.global_atomic}) {
    next(global->requests, global->blocks, global->sectors);
  }
  for (auto* const shared : {&counts.shared_read, &counts.shared_write, &counts.shared_atomic}) {
    next(shared->requests, shared->wavefronts, shared->conflicts);
  }
  next(counts.rounds, counts.serialised, counts.active_lanes, counts.lane_slots);
  Execution& total = phase.execution.total;
  phase.execution.counted = true;
  next_of(total.operations);
  next(total.views, total.guards, total.rounds, total.syncs, total.misses, total.missed_reads,
       total.missed_lines, total.scattered_reads, total.scattered_writes);
  next_of(total.lone);
  next_of(total.read_sectors);
  next_of(total.written_sectors);
  next_of(phase.execution.longest);
  next(phase.execution.live_values);
  next_of(phase.execution.array_sectors);

  const std::string line = to_line(all);
  // The members above in that order: counts from 108 to 131, then place and number of the others.
  std::string written = "[\"" + phase.kernel + "\"";
  for (int i = 101; i <= 107; ++i) written += "," + std::to_string(i);
  for (int i = 108; i <= 131; ++i) written += (i == 108 ? ",[" : ",") + std::to_string(i);
  for (std::int64_t i = 132; i <= number; ++i) {
    written += (i == 132 ? "],[" : ",") + std::to_string(i - 132) + "," + std::to_string(i);
  }
  CHECK(line.find(written + "]]") != std::string::npos);

  const CountRecord read = count_record(line);
  REQUIRE(read.report.phases.size() == 1);
  const PhaseReport& back = read.report.phases[0];
  CHECK(back.counts == counts);
  CHECK(back.execution == phase.execution);
  CHECK(std::array{back.tasks, back.shared_words, back.time, back.max_task_time, back.io_max,
                   back.contention, back.atomic_blocks} ==
        std::array<std::int64_t, 7>{101, 102, 103, 104, 105, 106, 107});
  CHECK(to_line(read) == line);
}

TEST_CASE("fingerprints are kept for each choice of parameters", "[validation][counts]") {
  int simulations = 0;
  const Registry registry = stored_only(simulations);
  const Algorithm& row = registry.find("twice");
  RunConfig tiled = fake_config(1024);
  tiled.parameters["tile"] = 64;
  Fingerprints fingerprints;
  for (const RunConfig& config : {fake_config(1024), tiled}) {
    CHECK(fingerprints(row, config) == fingerprint_of(row, config));
  }
  CHECK(simulations == 4);
  CHECK(fingerprints(row, tiled) == fingerprint_of(row, tiled));
  CHECK(simulations == 5);
}

TEST_CASE("differences of a count pass between processes", "[validation][counts]") {
  Counted counted{fake_report(fake_config(1024)),
                  CountSource::extrapolated,
                  5,
                  {{"T 1, 2", "Q 3, 4"}, {"misses 5, 6"}},
                  512};
  const Counted back = counted_from(to_text(fake_config(1024), counted));
  CHECK(back.differences.wrong == counted.differences.wrong);
  CHECK(back.differences.near == counted.differences.near);
  CHECK(back.source == counted.source);
  CHECK(back.checksum == counted.checksum);
  CHECK(back.from_n == counted.from_n);
}

TEST_CASE("the bundled counts are written as they are stored", "[validation][counts]") {
  const std::filesystem::path stored = data_folder() / "data" / GENERATE("counts", "compiled");
  for (const auto& entry : std::filesystem::directory_iterator(stored)) {
    INFO(entry.path());
    std::istringstream file(read_xz(entry.path()));
    std::size_t different = 0;
    std::size_t misplaced = 0;
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line); ++lines) {
      const CountRecord record = count_record(line);
      if (to_line(record) != line) ++different;
      if (entry.path().stem().stem() != record.config.algorithm) ++misplaced;
    }
    CHECK(lines > 0);
    CHECK(different == 0);
    CHECK(misplaced == 0);
  }
}

TEST_CASE("counts of a folder are read when their algorithm is looked for",
          "[validation][counts]") {
  const TempFolder folder;
  const CountRecord known = record(1024);
  put(folder / (known.config.algorithm + ".jsonl"), to_line(known) + "\n");
  put(folder / "scan.jsonl", "{\n");
  const StoredCounts counts = StoredCounts::of_folder(folder.path());
  CHECK(counts.find(known.config) != nullptr);
  RunConfig other = known.config;
  other.algorithm = "scan";
  CHECK_THROWS_AS(static_cast<void>(counts.find(other)), FileError);
  other.algorithm = "none";
  CHECK(counts.find(other) == nullptr);
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
  const Registry registry = stored_only(simulations);
  const Algorithm& row = registry.find("twice");
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
  const Registry registry = stored_only(simulations);
  CountOptions options;
  options.stored = &counts;
  options.simulate_limit = 0;
  const auto counted = count(registry.find("twice"), fake_config(8192), options);
  CHECK(counted.source == CountSource::extrapolated);
  CHECK(counted.from_n == 2048);
  const RunReport exact = fake_report(fake_config(8192));  // time and I/O are linear in n
  CHECK(counted.report.total().io() == exact.total().io());
  CHECK(counted.report.time() == exact.time());
  CHECK(counted.report.phases.front().tasks == exact.phases.front().tasks);
  CHECK_FALSE(counted.checksum);
  // One run is all that is known: blocks grow as the bound of the I/O, however the time grows.
  const StoredCounts one = stored({record(2048)});
  options.stored = &one;
  Algorithm row = registry.find("twice");
  row.time.value = [](const RunConfig& config) {
    return static_cast<double>(config.n) * static_cast<double>(config.n);
  };
  const RunReport steep = count(row, fake_config(8192), options).report;
  CHECK(steep.time() == 16 * fake_report(fake_config(2048)).time());
  CHECK(steep.io_max() == 4 * fake_report(fake_config(2048)).io_max());
  options.stored = &counts;
  simulations = 0;
  CHECK(count(registry.find("twice"), fake_config(2048), options).source == CountSource::stored);
  CHECK(simulations == 0);
}

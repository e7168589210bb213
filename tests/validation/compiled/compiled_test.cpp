// What nvcc makes of the table's kernels costs what their source costs.
#include "agpusim/validation/compiled/compiled.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim {
namespace {

/// Kernels of which nvcc merges shared reads: a lane's own key in every round; neighbours.
constexpr std::array<std::string_view, 2> merged = {"rank_in_place_array", "merge_groups"};

auto of_addresses(const Counts& counts) {
  const auto global = [](const GlobalCounts& c) {
    return std::tuple(c.requests, c.blocks, c.sectors);
  };
  const auto shared = [](const SharedCounts& c) {
    return std::tuple(c.requests, c.wavefronts, c.conflicts);
  };
  return std::tuple(global(counts.global_read), global(counts.global_write),
                    global(counts.global_atomic), shared(counts.shared_write),
                    shared(counts.shared_atomic), shared(counts.shared_read));
}

}  // namespace

TEST_CASE("compiled kernels give the results and the addresses of their source") {
  Registry registry;
  register_all(registry);
  std::int64_t phases = 0;
  for (const Algorithm& row : registry.on_agpu()) {
    for (RunConfig config : forms_of(row)) {
      config.n = 1000;
      for (const std::int32_t width : {32, 256}) {
        config.spec.width = width;
        RunConfig run;
        try {
          run = resolve(row, config);
        } catch (const UsageError&) {
          continue;  // a variant that needs V = b
        }
        INFO(row.name << " " << run.variant << " " << run.type << ", V = " << width);
        const RunReport source = row.simulate(run, {}).report;
        const RunResult compiled = simulate_compiled(row, run);
        CHECK(compiled.correct);
        const std::vector<PhaseReport> derived = phases_of_bundled_kernels(row, run, 1);
        REQUIRE(derived.size() == source.phases.size());
        REQUIRE(compiled.report.phases.size() == source.phases.size());
        for (std::size_t i = 0; i < source.phases.size(); ++i) {
          const PhaseReport& phase = source.phases[i];
          CAPTURE(i, phase.kernel);
          CHECK(compiled.report.phases[i].kernel == phase.kernel);
          Counts expected = phase.counts;
          const Counts& counts = compiled.report.phases[i].counts;
          if (counts.shared_read.requests < expected.shared_read.requests &&
              std::find(merged.begin(), merged.end(), phase.kernel) != merged.end()) {
            expected.shared_read = counts.shared_read;
          }
          CHECK(of_addresses(counts) == of_addresses(expected));
          CHECK(of_addresses(derived[i].counts) == of_addresses(counts));
          CHECK(derived[i].tasks == phase.tasks);
          // Where arrays hold nothing, all numbers are equal, and a minimum is looked for longer.
          CHECK(derived[i].instructions ==
                Approx(compiled.report.phases[i].instructions).epsilon(0.1));
          CHECK(derived[i].execution.total.lone[1] > 0);
          ++phases;
        }
      }
    }
  }
  CHECK(phases > 900);
}

TEST_CASE("reads wait for a division before them and for the turn of a long loop before theirs") {
  Registry registry;
  register_all(registry);
  const auto lone = [&](const char* algorithm, const char* variant, const char* type) {
    RunConfig config{.algorithm = algorithm, .variant = variant, .n = 1 << 20};
    config.type = type;
    const Algorithm& row = registry.find(algorithm);
    const auto phases = phases_of_bundled_kernels(row, resolve(row, config), 1);
    return static_cast<double>(phases.front().execution.total.lone[1]);
  };
  // An H200 took 6 and 1.6 times as long (validation/data/h200/table/times.jsonl.xz).
  CHECK(lone("statistics", "textbook", "f32") > 4 * lone("statistics", "one_pass", "f32"));
  CHECK(lone("minmax", "one_lane", "f32") > 1.3 * lone("minmax", "one_lane", "i32"));
}

TEST_CASE("a row without compiled kernels is refused by name") {
  Algorithm row;
  row.name = "unknown";
  CHECK_THROWS_AS(simulate_compiled(row, RunConfig{}), Unavailable);
}

}  // namespace agpusim

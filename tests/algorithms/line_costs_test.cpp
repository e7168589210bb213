// Cost by source line, of all rows and in tests of a user's own.
#include <cstdint>

#include "agpusim/agpusim.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/rows.hpp"

namespace agpusim {
namespace {

RunResult run_by_line(const Algorithm& row, const RunConfig& config) {
  return row.simulate(config, {.by_line = true});
}

}  // namespace

TEST_CASE("the costs of the lines add up to the total, for every row", "[algorithms][by_line]") {
  int runs = 0;
  for (const Algorithm& row : test::all_rows().on_agpu()) {
    for (RunConfig config : forms_of(row)) {
      for (const std::int64_t n : {std::int64_t{64}, std::int64_t{1000}}) {
        config.n = n;
        config.spec.block_words = 16;
        config.spec.width = 32;
        config.spec.cores = 64;
        config.parameters.clear();
        if (n == 64) config.parameters["range"] = 16;
        RunConfig resolved;
        try {
          resolved = resolve(row, config);
        } catch (const UsageError&) {
          config.parameters.clear();
          try {
            resolved = resolve(row, config);
          } catch (const UsageError&) {
            continue;
          }
        }
        CAPTURE(row.name, config.variant, config.type, n);
        const RunResult result = run_by_line(row, resolved);
        REQUIRE(result.correct);
        Counts sum;
        for (const LineCost& line : result.report.lines) {
          sum += line.counts;
          CHECK(line.line > 0);
          CHECK(line.file.find("model/agpu/") == std::string::npos);  // a line of the algorithm
        }
        CHECK(sum == result.report.total());
        CHECK(row.simulate(resolved, {}).report.total() == sum);  // watching changes nothing
        ++runs;
      }
    }
  }
  CHECK(runs > 100);
}

namespace {

/// Turns each row of V keys around in shared memory; `stride` 2 makes banks conflict.
struct TurnRow {
  static constexpr const char* name = "turn_row";
  static constexpr std::uint32_t conflicting_line = __LINE__ + 8;
  std::int32_t stride;

  template <class Mp, class View>
  void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int64_t first = mp.task() * mp.width();
    const auto tile = mp.template shared<std::uint32_t>(mp.width() * stride);
    tile.write(lane * stride, in.from(first).read(lane));
    mp.sync();
    out.from(first).write(lane, tile.read((mp.width() - 1 - lane) * stride));
  }
};

RunReport report_of(std::int32_t stride, bool by_line = true) {
  const auto program = [stride](auto& run) {
    const auto in = run.input();
    const auto out = run.array(run.n(), "out");
    run.launch(run.n() / run.width(), TurnRow{stride}, in, out);
    run.result(out);
  };
  const auto reference = [](auto keys) {
    for (std::size_t i = 0; i < keys.size(); i += 32) {
      std::reverse(keys.begin() + static_cast<std::ptrdiff_t>(i),
                   keys.begin() + static_cast<std::ptrdiff_t>(i + 32));
    }
    return keys;
  };
  RunConfig config{.n = 1024};
  SimulationOptions options{.by_line = by_line};
  const RunResult result = simulate(algorithm("turn_rows", program, reference), config, options);
  CHECK(result.correct);
  return result.report;
}

}  // namespace

TEST_CASE("a test of a user's own can require costs", "[algorithms][by_line]") {
  const RunReport report = report_of(1);
  const std::int64_t n = 1024;
  const std::int64_t b = report.spec.block_words;
  REQUIRE_COST(report, conflicts == 0);
  REQUIRE_COST(report, Q == 2 * (n / b) && phases == 1);
  REQUIRE_COST(report, T <= 8 * (n / b) && idle_lanes == 0);
  REQUIRE_COST(report, rounds == n / b);
}

TEST_CASE("a cost that is broken names the lines it comes from", "[algorithms][by_line]") {
  const auto terms = detail::cost_terms(report_of(2));
  CHECK(terms[8] == 64);  // conflicts: one of each of 2 x 32 accesses
  const std::string text = detail::cost_failure(report_of(2), "conflicts == 0");
  CAPTURE(text);
  const auto place = [](std::uint32_t line) {
    return "tests/algorithms/line_costs_test.cpp:" + std::to_string(line) + " in kernel turn_row: ";
  };
  CHECK(text == "the cost breaks conflicts == 0\n  conflicts = 64\n    32 at " +
                    place(TurnRow::conflicting_line) +
                    "tile.write(lane * stride, in.from(first).read(lane));\n    32 at " +
                    place(TurnRow::conflicting_line + 2) +
                    "out.from(first).write(lane, tile.read((mp.width() - 1 - lane) * stride));");
  CHECK(detail::cost_failure(report_of(2, false), "conflicts == 0") ==
        "the cost breaks conflicts == 0\n  conflicts = 64\n"
        "  (simulate with SimulationOptions::by_line to see the source lines)");
  CHECK(detail::cost_failure(report_of(2, false), "phases == 2") ==
        "the cost breaks phases == 2\n  phases = 1");
}

TEST_CASE("costs by line are not derived, and an observer excludes them", "[algorithms][by_line]") {
  struct Silent : Observer {
    void instruction(const Instruction&) override {}
  } silent;
  CHECK_THROWS_AS(
      SimulatedDevice(AgpuSpec{}, SimulationOptions{.by_line = true, .observer = &silent}),
      UsageError);
}

}  // namespace agpusim

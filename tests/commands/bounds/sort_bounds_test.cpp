#include "agpusim/commands/bounds/sort_bounds.hpp"

#include <array>

#include <nlohmann/json.hpp>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/rows.hpp"

namespace agpusim {
namespace {

/// A row whose form moves three blocks in two phases and which refuses more than 8 ways.
Registry hand_made_registry() {
  Algorithm row;
  row.name = "multiway_merge_sort";
  row.summary = row.source = "made for the tests";
  row.time = row.io = {"O(n)", [](const RunConfig&) { return 1.0; }};
  row.variants = {{"pivots"}, {"heap"}};
  row.types = {"u32"};
  row.inputs = {"uniform"};
  const auto nothing = [](const RunConfig&) { return std::int64_t{99}; };
  row.parameters = {{"d", "", nothing}, {"rows", "", nothing}, {"tile", "", nothing}};
  row.check = [](const RunConfig& config) {
    if (config.parameters.at("d") > 8) throw UsageError("too many ways");
  };
  row.simulate = [](const RunConfig&, const SimulationOptions&) { return RunResult{}; };
  row.reference = [](const RunConfig&) { return std::uint64_t{0}; };
  row.derive = [](const RunConfig&) {
    RunReport report;
    report.phases.resize(2);
    report.phases[0].counts.global_read.blocks = 1;
    report.phases[1].counts.global_write.blocks = 2;
    return report;
  };
  row.lower_bound = [](const RunConfig&) { return LowerBound{}; };
  Registry registry;
  registry.add(row);
  return registry;
}

/// One line of the table of theory 4, b = 32: n, M, then I/O in units of n/b and the number of ways
/// of the two multiway merge sorts.
struct Golden {
  std::int64_t n;
  std::int64_t m;
  std::array<std::int64_t, 4> passes;
  std::array<std::int64_t, 2> ways;
};
constexpr Golden goldens[] = {
    {1 << 20, 12288, {72, 32, 6, 8}, {256, 128}},   {1 << 24, 12288, {156, 40, 8, 8}, {256, 128}},
    {1 << 28, 12288, {272, 48, 8, 10}, {256, 128}}, {1 << 24, 58368, {110, 40, 6, 8}, {1024, 512}},
    {1 << 24, 1024, {240, 40, 12, 12}, {16, 16}},
};

}  // namespace

TEST_CASE("the sorts beside their bounds are as in the table of theory 4") {
  for (const Golden& golden : goldens) {
    const SortBoundsRow row = sort_bounds(test::all_rows(), golden.n, 32, golden.m);
    for (std::size_t sort = 0; sort < 4; ++sort) {
      const SortIo& found = row.sorts.at(sort);
      CAPTURE(golden.n, golden.m, sort, found.refusal);
      REQUIRE(found.io);
      CHECK(*found.io == golden.passes[sort] * golden.n / 32);
      if (sort >= 2) CHECK(found.config.parameters.at("d") == golden.ways[sort - 2]);
    }
  }
  const SortBoundsRow row = sort_bounds(test::all_rows(), 1 << 24, 32, 58368);
  CHECK(row.sorts.at(0).config.parameters.at("tile") == 32768);
}

TEST_CASE("a row of sort bounds takes I/O from closed forms and ways from what fits") {
  const SortBoundsRow row = sort_bounds(hand_made_registry(), 64, 16, 4096);
  REQUIRE(row.sorts.size() == bounded_sorts().size());
  const SortIo& heap = row.sorts[2];
  CHECK(heap.io == 3);
  CHECK(heap.config.variant == "heap");
  CHECK(heap.config.parameters ==
        std::map<std::string, std::int64_t>{{"d", 8}, {"rows", 1}, {"tile", 16}});
  CHECK(row.passes(3) == 0.75);
  CHECK(row.total == 8);  // 64 keys in blocks of 16, once read and once written
  CHECK(row.reads == 4);
}

TEST_CASE("a row of sort bounds says why a sort has no I/O") {
  const SortBoundsRow row = sort_bounds(hand_made_registry(), 64, 16, 4096);
  CHECK_FALSE(row.sorts[0].io);
  CHECK_THAT(row.sorts[0].refusal, says("bitonic_sort"));
  CHECK_FALSE(row.sorts[3].io);  // this registry has no variant heap_2b
  CHECK_THAT(row.sorts[3].refusal, says("heap_2b"));
  const std::string text = report::to_text(to_report(std::vector{row, row}));
  const auto first = text.find(row.sorts[3].refusal);
  CHECK(first != std::string::npos);
  CHECK(text.find(row.sorts[3].refusal, first + 1) == std::string::npos);  // once for all rows
  const auto json = nlohmann::json::parse(report::to_json(to_report(std::vector{row})));
  const auto& sorts = json.at("rows").at(0).at("sorts");
  CHECK(sorts.at(3).at("refused") == row.sorts[3].refusal);
  CHECK_FALSE(sorts.at(3).contains("Q"));
  CHECK(sorts.at(2).at("Q") == 3);
  CHECK(sorts.at(2).at("passes") == 0.75);
  CHECK(sorts.at(2).at("ratio") == 3.0 / 8.0);
}

TEST_CASE("sort bounds refuse a machine that cannot exist") {
  CHECK_THROWS_AS(sort_bounds(test::all_rows(), 64, 32, 16), UsageError);
}

}  // namespace agpusim

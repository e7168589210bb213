#include "agpusim/commands/compare/to_report.hpp"

#include "agpusim/commands/compare/order.hpp"
#include "agpusim/tests/commands/compare/comparison_cases.hpp"
#include "agpusim/tests/support/catch.hpp"

using namespace agpusim::contest;

namespace {

/// Two contestants whose order by T changes between 10 and 1000, and a library.
Comparison sample() {
  Comparison comparison{
      .generated = "2026-11-20T10:00:00Z",
      .contestants = agpusim::test::contestants({"twice:padded", "line", "</script>"})};
  comparison.contestants[0].algorithm = "twice";
  comparison.contestants[0].variant = "padded";
  comparison.kinds = {{"u32", "uniform"}, {"u32", "uniform"}, {"u32", "uniform"}};
  comparison.has_row = {true, true, false};
  MachineResult result{
      .machine = agpusim::test::fake_machine(),
      .rows = agpusim::test::made_rows(
          {{10, {100, 640}, {1.0, 2.0, 0}}, {1000, {1000000, 64000}, {5.0, 4.0, 2.0}}})};
  for (SizeRows& row : result.rows) {
    for (std::size_t i = 0; i < row.entries.size(); ++i) {
      Row& entry = row.entries[i];
      entry.run.config.algorithm = comparison.contestants[i].algorithm;
      entry.run.config.n = row.n;
      if (entry.quantities.empty()) continue;
      entry.quantities[1].count = 64;
      entry.counted = agpusim::Counted{};
      entry.counted->report.phases.resize(1);
      entry.counted->report.phases.front().counts.alu = 1234;
      entry.source = "derived";
      entry.lower = {32, 10, "a theorem"};
      entry.predicted = agpusim::Prediction{0.25, "shared", {}, 0.125, 0.5};
    }
  }
  result.rows[0].entries[1].run.config.parameters = {{"rows", 8}, {"tile", 4}};
  result.rows[0].entries[2].refusal = "it says \"no\", twice";
  for (const Measure measure : measures) {
    if (auto runs = stretches(result.rows, measure); !runs.empty()) {
      result.stretches[measure] = runs;
    }
    result.orders.push_back(pair_order(result.rows, 0, 1, measure));
  }
  result.agreements = {agreement(result.rows, Measure::time)};
  result.remarks = {"one remark"};
  comparison.machines = {result};
  return comparison;
}

std::string text_of(const Comparison& comparison) {
  return agpusim::report::to_text(to_report(comparison));
}

}  // namespace

TEST_CASE("the text of a comparison shows tables, order and agreement",
          "[validation][comparison][golden]") {
  const std::string text = text_of(sample());
  CHECK_THAT(
      text,
      says("twice:padded against line against </script>: u32, input uniform, seed 1\n",
           "\nfake: AGPU(p=16896, b=32, M=14528, w=32), V=32; device Fake GPU\n",
           "n      contestant            T    Q   instructions  wavefronts  phases    T/bound  "
           "Q/bound  predicted ms      90 % interval   limit  measured ms       [5 %, 95 %]\n"
           "10     twice:padded        100*  64*         1,234           0       0      10.00     "
           "2.00        0.2500*  0.1250 to 0.5000  shared        1.000*  [0.9900, 1.010]\n"
           "       line                640   64*         1,234           0       0      64.00     "
           "2.00        0.2500*  0.1250 to 0.5000  shared        2.000    [1.980, 2.020]\n",
           "\n       </script>       refused     -   ",
           "\nT          twice:padded up to n = 10, line from 1,000\n",
           "\nQ          twice:padded = line at every n\n",
           "\nmeasured   twice:padded up to n = 10, </script> from 1,000\n",
           "\ntwice:padded  line     T          twice:padded, from about 64 line (between 10 and "
           "1,000)\n",
           "  Q          equal at 2 of 2 sizes\n",
           "\nThe winner by T is the measured one at 2 of 2 sizes, or within 5 % of it at 2.\n"));
  // 10 * 100^(log 2 / (log 2 + log 1.25)).
  CHECK_THAT(
      text,
      says("\ntwice:padded against line: crossover predicted nowhere, measured at about 326.\n",
           "\nRemarks\none remark\n"));
}

TEST_CASE("text names differences, refused machines and the fastest machine",
          "[validation][comparison]") {
  Comparison comparison = sample();
  CHECK(text_of(comparison).find("Simulated") == std::string::npos);
  comparison.machines[0].rows[1].entries[0].counted->source = agpusim::CountSource::simulated;
  CHECK_THAT(
      text_of(comparison),
      says("\nSimulated 1 runs: results equal the references, counts those derived or stored.\n"));
  comparison.machines[0].rows[1].entries[0].counted->differences.wrong = {"T is 1, not 2"};
  MachineResult refused{.machine = {.label = "h200 b=7"}};
  refused.machine.refusal = "p = 16896 is not a multiple of b = 7";
  comparison.machines.push_back(refused);
  comparison.fastest_measured = {{10, 0, 0, 1.0}, {100, 0, 0, 1.0}, {1000, std::nullopt, 2, 3.0}};
  CHECK_THAT(text_of(comparison),
             says("DIFFERENT from known counts, or from what the row states\n"
                  "twice:padded, n = 1,000 on fake: T is 1, not 2\n",
                  "\nh200 b=7: p = 16896 is not a multiple of b = 7\n",
                  "\nFastest over all machines\nmeasured   twice:padded on fake up to n = "
                  "100, </script> from 1,000\n"));
}

TEST_CASE("extrapolated counts are marked beside the numbers", "[validation][comparison]") {
  Comparison comparison = sample();
  CHECK(text_of(comparison).find("extrapolated") == std::string::npos);
  comparison.machines[0].rows[1].entries[1].source = "extrapolated";
  comparison.machines[0].rows[1].entries[1].from_n = 10;
  CHECK_THAT(text_of(comparison), says("n      contestant          counts          T",
                                       "line          extrapolated     64,000*"));
}

TEST_CASE("agreement says when counts name no single winner", "[validation][comparison]") {
  Comparison comparison = sample();
  Agreement some{
      .by = Measure::io, .sizes = 9, .right = 3, .near = 4, .undecided = 2, .overlapping = 1};
  Agreement none{.sizes = 5, .undecided = 5};
  comparison.machines[0].agreements = {some, none};
  CHECK_THAT(text_of(comparison),
             says("The winner by Q is the measured one at 3 of 7 sizes, or within 5 % of it "
                  "at 4; at 2 more there is no single winner; at 1 the measured range of "
                  "another overlaps that of the fastest.\n",
                  "The prediction names no single winner at any of 5 sizes.\n"));
}

#include "agpusim/validation/report/pram_report.hpp"

#include <utility>

#include <nlohmann/json.hpp>

#include "agpusim/commands/pram/contest.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"

using namespace agpusim;

namespace {

/// A made-up run of `steps` steps; the first has 2000 processors that read one cell each and all
/// write one cell, the others have 5, of which 3 act and do not meet.
PramSheet made_up(std::size_t steps = 2) {
  PramSheet sheet;
  sheet.config.algorithm = "twice";
  sheet.config.variant = "fast";
  sheet.config.n = 2000;
  sheet.config.input = "uniform";
  sheet.config.seed = 5;
  sheet.config.parameters = {{"range", -7}};
  sheet.variant =
      pram_variant("fast", "one line", {"2 steps, n processors"}, "a paper", {PramAccess::sum});
  sheet.summary = "What it does";
  sheet.result.report.spec = *sheet.config.pram;
  sheet.result.report.steps.push_back({"all at once", 2000, 2000, 2000, 2000, 1, 2000});
  for (std::size_t t = 1; t < steps; ++t) {
    sheet.result.report.steps.push_back({"a few", 5, 3, 6, 3, 2, 1});
  }
  sheet.result.report.cells = 4001;
  sheet.result.output = {4, -5, 6};
  sheet.result.correct = true;
  const auto others = static_cast<std::int64_t>(steps) - 1;
  sheet.form = {1 + others, 2000, 2000 + 3 * others};
  return sheet;
}

PhaseReport phase(const std::string& kernel, std::int64_t time, const Counts& counts,
                  std::int64_t contention = 0) {
  return PhaseReport{.kernel = kernel, .counts = counts, .time = time, .contention = contention};
}

Counts reading(std::int64_t requests, std::int64_t blocks) {
  return Counts{.alu = requests, .global_read = {requests, blocks, blocks}};
}

RunReport with_phases(std::vector<PhaseReport> phases) {
  return RunReport{.phases = std::move(phases)};
}

template <class Result>
std::string text_of(const Result& result) {
  return report::to_text(to_report(result));
}

nlohmann::json parsed(const PramSheet& sheet) {
  return nlohmann::json::parse(report::to_json(to_report(sheet)));
}

}  // namespace

TEST_CASE("a PRAM sheet names what differs", "[validation][pram_sheet]") {
  PramSheet sheet = made_up();
  sheet.result.correct = false;
  sheet.result.differences = {2, 3, {{0, "7", "8"}, {2, "none", "9"}}};
  sheet.form.work += 1000;
  sheet.form.steps = 1;
  const std::string text = text_of(sheet);
  CHECK_THAT(text, says("DIFFERS from the reference",
                        "DIFFERENT: steps: 2, closed form 1; work: 2,003, closed form 3,003"));
  CHECK(parsed(sheet)["closed_form"]["differences"].size() == 2);
  CHECK_THAT(text, says("2 of 3 numbers differ: [0] is 7, must be 8; [2] is none, must be 9"));
  CHECK(parsed(sheet)["correct"] == false);
  CHECK(parsed(sheet)["wrong"]["first"][1] ==
        nlohmann::json{{"index", 2}, {"got", "none"}, {"expected", "9"}});
}

TEST_CASE("a wrong result or count of a PRAM run is an error", "[validation][pram_sheet]") {
  const PramSheet sheet = made_up();
  const PramReport& report = sheet.result.report;
  CHECK_NOTHROW(require_equal("twice (fast)", report, {}, sheet.form));
  CHECK_THROWS_WITH(require_equal("twice (fast)", report, {1, 4, {{3, "1", "2"}}}, sheet.form),
                    "twice (fast): the result differs from that of the reference: 1 of 4 numbers "
                    "differ: [3] is 1, must be 2");
  PramForm form = sheet.form;
  form.processors = 1;
  CHECK_THROWS_WITH(require_equal("twice (fast)", report, {}, form),
                    "twice (fast): processors: 2,000, closed form 1");
  try {
    require_equal("twice (fast)", report, {}, form);
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::mismatch);
  }
}

TEST_CASE("a long run loses the middle of its table, not its JSON", "[validation][pram_sheet]") {
  const PramSheet sheet = made_up(100);
  const std::string text = text_of(sheet);
  CHECK_THAT(text, says("\n20    a few", "\n...   (60 steps)\n81    a few"));
  CHECK_THAT(text, !says("\n21    a few"));
  CHECK_THAT(text, says("\n100   a few"));
  CHECK(parsed(sheet)["step_reports"].size() == 100);
  CHECK_THAT(text_of(made_up(40)), !says("..."));
}

TEST_CASE("a PRAM sheet shows few values of a long output", "[validation][pram_sheet]") {
  PramSheet sheet = made_up();
  sheet.result.output.assign(1234, 8);
  CHECK_THAT(text_of(sheet), says(": 8 8 8 8 8 8 8 8 8 8 8 8 ... (1,234 values)\n"));
  sheet.result.output.clear();
  CHECK_THAT(text_of(sheet), says("equals the reference: no values\n"));
}

TEST_CASE("the price on AGPU names the most expensive step and why", "[validation][pram_sheet]") {
  RunReport agpu;
  CHECK(costliest_step_text(agpu).empty());

  agpu.phases = {phase("even", 10, reading(100, 100)), phase("scattered", 40, reading(100, 3000))};
  CHECK(costliest_step_text(agpu) ==
        "Most expensive: step 2 (scattered), T = 40 of 50; uncoalesced: 30.0 blocks per request, "
        "where neighbouring processors on neighbouring cells need 1.");
  CHECK_THAT(costliest_step_text(with_phases({agpu.phases[0]})),
             says("step 1 (even), T = 10 of 10; size: 200 instructions of b lanes, "
                  "1.0 blocks per request."));

  Counts atomics = reading(100, 100);
  atomics.global_atomic = {100, 100, 100};
  atomics.serialised = 3100;
  agpu.phases.push_back(phase("one cell", 41, atomics, 41));
  CHECK_THAT(costliest_step_text(agpu),
             says("step 3 (one cell), T = 41 of 91; contention: 3,100 of the 3,400 "
                  "time units of its tasks wait for atomics on one word, K = 41."));
  agpu.phases[0].contention = 3200;  // spread over the tasks: T does not show it
  CHECK_THAT(costliest_step_text(agpu),
             says("step 1 (even), T = 10 of 91; contention: K = 3,200 atomics on one "
                  "word come one after the other."));
}

TEST_CASE("a comparison has a row for every variant", "[validation][pram_sheet]") {
  const PramSheet sheet = made_up();
  PramComparison comparison{.config = sheet.config, .summary = sheet.summary};
  PramComparisonRow run{
      .variant = sheet.variant, .form = sheet.form, .report = sheet.result.report};
  PramComparisonRow large = run;
  large.variant.name = "square";
  large.machine.access = PramAccess::crew;
  large.form = {1, 4'000'000, 4'000'000};
  large.report.reset();
  large.note = "too large to run";
  PramComparisonRow refused{.variant = {.name = "picky"}, .note = "keys must be distinct"};
  PramComparisonRow wrong = run;
  wrong.variant.name = "wrong";
  wrong.differences = {1, 1, {}};
  PramComparisonRow different = run;
  different.variant.name = "off";
  different.form->steps = 9;
  comparison.rows = {run, large, refused, wrong, different};

  const std::string text = text_of(comparison);
  CHECK_THAT(text, says("twice, n = 2,000, input uniform, seed 5, range = -7\n"));
  // clang-format off
  CHECK_THAT(text, says("fast     sum          2       2,000      2,003     4,000       2,000      2,002      equal\n"
"square   crew         1   4,000,000  4,000,000         -           -          -    not run\n"
"picky    sum          -           -          -         -           -          -    refused\n"
"wrong    sum          2       2,000      2,003     4,000       2,000      2,002      WRONG\n"
"off      sum          2       2,000      2,003     4,000       2,000      2,002  DIFFERENT\n"));
  // clang-format on
  CHECK_THAT(text, says("square: too large to run\npicky: keys must be distinct\n"));

  comparison.agpu = AgpuSpec{};
  comparison.rows[0].agpu = with_phases({phase("even", 10, reading(100, 110), 6)});
  CHECK_THAT(text_of(comparison), says("2,002  10  110  6      equal\n"));
  const auto json = nlohmann::json::parse(report::to_json(to_report(comparison)));
  REQUIRE(json["variants"].size() == 5);
  CHECK(json["variants"][0]["work"] == 2003);
  CHECK(json["variants"][0]["on_agpu"]["Q"] == 110);
  CHECK(json["variants"][1]["closed_form"]["work"] == 4'000'000);
  CHECK(json["variants"][1]["work"].is_null());
  CHECK(json["variants"][2]["note"] == "keys must be distinct");
  CHECK(json["variants"][4]["closed_form_equal"] == false);
}

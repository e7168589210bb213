#include "agpusim/validation/report/run_report.hpp"

#include <nlohmann/json.hpp>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"

using namespace agpusim;
using namespace agpusim::test;

namespace {

struct Sheet {
  std::string text;
  nlohmann::json json;
};

Sheet sheet(const RunResult& result, std::int64_t derived_error = 0,
            const PredictedRun& predicted = {.why_not = "nobody knows"}) {
  const auto registry = fake_registry(derived_error);
  const auto& algorithm = registry.find("twice");
  const auto config = fake_config(1000);
  const auto derived = compare_reports(result.report, *algorithm.derive(config), "derived");
  const auto bound = algorithm.lower_bound(config);
  const auto report = to_report(algorithm, config, result, derived, bound, predicted);
  return {report::to_text(report), nlohmann::json::parse(report::to_json(report))};
}

RunResult result() { return {fake_report(fake_config(1000)), 0xABC, true}; }

}  // namespace

TEST_CASE("wrong derived counts and a wrong result are shown", "[validation][run_report]") {
  auto wrong = result();
  wrong.correct = false;
  wrong.differences = {1, 2, {{1, "0.5", "nan"}}};
  const auto [text, json] = sheet(wrong, 1);
  CHECK_THAT(text, says("DIFFERS from the reference",
                        "derived      DIFFERENT\n             phase 0 (copy_tile): alu 64 "
                        "simulated, 65 derived\n",
                        "\n             1 of 2 numbers differ: [1] is 0.5, must be nan\n"));
  CHECK(json["correct"] == false);
  CHECK(json["wrong"]["count"] == 1);
  CHECK(json["wrong"]["first"][0]["expected"] == "nan");
  CHECK(json["derived"]["equal"] == false);
  CHECK(json["derived"]["differences"].size() == 1);
}

TEST_CASE("a lower bound that is undercut and a formula that differs are shown",
          "[validation][run_report]") {
  const auto registry = fake_registry();
  auto algorithm = registry.find("twice");
  algorithm.formulas = {
      formula_of_io("n/b", [](const auto&) { return std::optional<std::int64_t>{129}; }),
      formula_of_io("2n/b", [](const auto&) { return std::optional<std::int64_t>{128}; }),
      formula_of_io("of other n", [](const auto&) { return std::nullopt; })};
  const auto text = [&](const LowerBound& bound) {
    return report::to_text(
        to_report(algorithm, fake_config(1000), result(), std::nullopt, bound, {}));
  };
  const std::string broken = text({129, 10, "a paper"});
  CHECK_THAT(broken,
             says("Q = n/b = 129: DIFFERENT, the run pays 128\n", "Q = 2n/b = 128: equal\n"));
  CHECK_THAT(broken, !says("of other n"));
  CHECK_THAT(broken, says("Q is BROKEN: the run pays 128\n"));
  CHECK_THAT(broken, !says("T is BROKEN"));
  CHECK_THAT(text({128, 11, "a paper"}), says("T is BROKEN: the run pays 10\n"));
  CHECK_THAT(text({128, 10, "a paper"}), !says("BROKEN"));
}

TEST_CASE("a run has its predicted time or the reason why it has none",
          "[validation][run_report]") {
  const auto without = sheet(result());
  CHECK_THAT(without.text, says("predicted    no: nobody knows\n"));
  CHECK(without.json["predicted_ms"].is_null());
  CHECK(without.json["limit"].is_null());
  CHECK(without.json["device"].is_null());
  CHECK(without.json["why_not_predicted"] == "nobody knows");
  const auto [text, json] =
      sheet(result(), 0, {.prediction = Prediction{1.25, "shared", {}, 1, 2.5}, .device = "A GPU"});
  CHECK_THAT(text, says("predicted    1.250 ms (1.000 to 2.500) on A GPU, limited by shared\n"));
  CHECK(json["predicted_ms"] == 1.25);
  CHECK(json["predicted_low_ms"] == 1);
  CHECK(json["predicted_high_ms"] == 2.5);
  CHECK(json["limit"] == "shared");
  CHECK(json["device"] == "A GPU");
  CHECK(json["why_not_predicted"].is_null());
}

TEST_CASE("atomics are labelled as an extension", "[validation][run_report]") {
  auto atomic = result();
  atomic.report.phases[0].counts.shared_atomic.requests = 3;
  atomic.report.phases[0].contention = 17;
  const auto [text, json] = sheet(atomic);
  CHECK_THAT(text, says("extension X1, not part of AGPU",
                        "                  17  most atomics on one word"));
  CHECK(json["contention"] == 17);
}

TEST_CASE("many phases are summed by kernel", "[validation][run_report]") {
  auto many = result();
  const auto phases = many.report.phases;
  for (int i = 0; i < 10; ++i) {
    many.report.phases.insert(many.report.phases.end(), phases.begin(), phases.end());
  }
  const auto [text, json] = sheet(many);
  CHECK_THAT(text, says("11 phases  copy_tile    352  55  704         1,760"));
  CHECK(json["phase_reports"].size() == 22);
}

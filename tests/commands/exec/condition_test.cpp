#include "agpusim/commands/exec/condition.hpp"

#include <sstream>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/tests/validation/exec/records.hpp"

using Catch::Matchers::ContainsSubstring;

namespace agpusim::exec {
namespace {

/// reduce twice, then a scan of other size, whose kernel is a template.
ProgramReport three_launches() {
  LaunchRecord scan = test::launch_of("_ZN2ns4scanILi256EEEvPi");
  scan.phase.counts.shared_read = {20, 20, 0};
  scan.lines.pop_back();
  const std::string reduce = to_line(test::launch_of("_Z6reducePi"));
  std::istringstream lines(reduce + reduce + to_line(scan));
  return read_report(lines);
}

/// Why it does not hold, empty where it does.
std::string why_not(const std::string& condition) {
  static const ProgramReport program = three_launches();
  return failure_of(condition_of(condition), program, {}).value_or(Failure{}).text;
}

}  // namespace

TEST_CASE("a condition compares costs of all launches", "[exec]") {
  CHECK(why_not("sectors == 480").empty());
  CHECK(why_not("conflicts <= 2 * 70").empty());
  CHECK(why_not("Q < 2^7").empty());
  CHECK(why_not("(sectors - 3 * 10) / 2 >= 225").empty());
  CHECK(why_not("sectors / 7 != 68").empty());  // 68.57: not rounded
  CHECK(why_not(" T > 389 ").empty());
  CHECK_FALSE(why_not("phases != 3").empty());
  CHECK_FALSE(why_not("Q > 120").empty());
}

TEST_CASE("a condition may speak of a kernel or of one launch of it", "[exec]") {
  CHECK(why_not("kernel reduce: conflicts == 140").empty());
  CHECK(why_not("kernel reduce, launch 2: conflicts == 70").empty());
  CHECK(why_not("kernel ns::scan: conflicts == 0").empty());
  CHECK(why_not("kernel ns::scan<256>: phases == 1").empty());
  CHECK(why_not("kernel _Z6reducePi: phases == 2").empty());
}

TEST_CASE("a condition has times, registers, findings and parts of a base", "[exec]") {
  CHECK(why_not("predicted_ms == 0.75").empty());
  CHECK(why_not("kernel reduce, launch 2: predicted_ms <= 0.25").empty());
  CHECK(why_not("efficiency == 12.5 %").empty());
  CHECK(why_not("registers == 0").empty());
  CHECK(why_not("local == 0").empty());
  CHECK(why_not("findings == 0").empty());
  CHECK_THAT(why_not("efficiency >= 80 %"), ContainsSubstring("efficiency = 0.125"));
  LaunchRecord spilled = test::launch_of("k");
  spilled.machine = {64, 32};
  spilled.findings = {test::race()};
  std::istringstream lines(to_line(spilled));
  const ProgramReport program = read_report(lines);
  const std::string base = R"({"kernels": [{"kernel": "k", "T": 260, "sectors": 100}]})";
  const auto holds = [&](const char* text) {
    return !failure_of(condition_of(text), program, {}, base).has_value();
  };
  CHECK(holds("registers == 64"));
  CHECK(holds("kernel k: local > 31"));
  CHECK(holds("findings == 1"));
  CHECK(holds("T <= 50 % of base"));
  CHECK_FALSE(holds("kernel k: sectors <= 159 % of base"));
  CHECK_THROWS_AS(holds("kernel k, launch 1: T <= 50 % of base"), UsageError);
  CHECK_THROWS_AS(holds("phases <= 100 % of base"), UsageError);
  CHECK_THROWS_AS(failure_of(condition_of("T <= 50 % of base"), program, {}), UsageError);
  CHECK_THROWS_AS(condition_of("2 < 50 % of base"), UsageError);
  CHECK(failure_of(condition_of("kernel k: conflicts == 0"), program, {})->at.line == 5);
  const auto conditions = conditions_in("# limits\nT < 9\n\n  Q < 7  # blocks\r\n", "gate");
  REQUIRE(conditions.size() == 2);
  CHECK(conditions[1].text == "Q < 7");
  CHECK_THAT(test::message_of<UsageError>([] { return conditions_in("T < 9\nT = 3\n", "gate"); }),
             ContainsSubstring("gate:2: 'T = 3'"));
}

TEST_CASE("a condition that fails names the cost and the dearest lines", "[exec]") {
  CHECK_THAT(why_not("kernel reduce: conflicts == 0"),
             ContainsSubstring("conflicts = 140") &&
                 ContainsSubstring("140 at reduce.cu:5 in kernel reduce"));
}

TEST_CASE("a condition on what has not run fails", "[exec]") {
  CHECK_THAT(why_not("kernel sort: conflicts == 0"),
             ContainsSubstring("launched were ns::scan<256>, reduce"));
  CHECK_FALSE(why_not("kernel reduce, launch 3: conflicts == 70").empty());
  LaunchRecord stopped = test::launch_of("k");
  stopped.complete = false;
  std::istringstream lines(to_line(stopped));
  CHECK(failure_of(condition_of("conflicts == 70"), read_report(lines), {}));
}

TEST_CASE("a condition that cannot be read is refused with its place", "[exec]") {
  const auto refusal = [](const std::string& text) {
    return test::message_of<UsageError>([&] { return condition_of(text); });
  };
  CHECK_THAT(refusal("conflict == 0"),
             ContainsSubstring("at 'conflict == 0'") && ContainsSubstring("wavefronts, conflicts"));
  CHECK_THAT(refusal("T_tot < 3"), ContainsSubstring("'T_tot < 3'"));
  CHECK_THAT(refusal("conflicts = 0"), ContainsSubstring("one of == != <= >= < > at '= 0'"));
  CHECK_THAT(refusal("Q <= (2 * b"), ContainsSubstring("')'"));
  CHECK_THAT(refusal("Q <= 2 b"), ContainsSubstring("expected the end at 'b'"));
  CHECK_THAT(refusal("Q <= inf"), ContainsSubstring("at 'inf'"));
  CHECK_THAT(refusal("reduce: Q <= 2"), ContainsSubstring("'kernel NAME, launch 1'"));
  CHECK_THAT(refusal("kernel reduce, launch 0: Q <= 2"), ContainsSubstring("launch 1"));
  CHECK_FALSE(refusal("").empty());
}

}  // namespace agpusim::exec

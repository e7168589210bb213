#include <string>
#include <vector>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/members.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/counts/counts.hpp"
#include "agpusim/validation/json/json.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/ncu_csv.hpp"
#include "agpusim/validation/report/machine_rules.hpp"
#include "agpusim/validation/sweep/point_file.hpp"

using namespace agpusim;
using test::filled;
using test::leaves;

namespace {

/// The file of these lines, for as long as the test.
std::filesystem::path file_of(const test::TempFolder& folder,
                              const std::vector<std::string>& lines) {
  append_records(folder / "r.jsonl", lines);
  return folder / "r.jsonl";
}

/// All of its members but those that a line does not have.
CountRecord filled_counts() {
  auto record = filled<CountRecord>();
  record.report.spec = record.config.spec;
  record.report.lines.clear();
  return record;
}

}  // namespace

TEST_CASE("every member of a measurement comes back", "[validation][record][round_trip]") {
  auto timing = filled<TimingRecord>();
  auto counters = filled<CounterRecord>();
  auto plan = filled<PlanRecord>();
  const test::TempFolder folder;
  RecordFile file = read_records(file_of(folder, {to_line(timing), to_line(counters)}));
  const test::TempFolder plans;
  std::vector<PlanRecord> planned = read_plan(file_of(plans, {to_line(plan)}));
  for (std::string* const origin :
       {&timing.origin, &counters.origin, &plan.origin, &file.timings.at(0).origin,
        &file.counters.at(0).origin, &planned.at(0).origin}) {
    origin->clear();
  }
  CHECK(leaves(file.timings[0]) == leaves(timing));
  CHECK(leaves(file.counters[0]) == leaves(counters));
  CHECK(leaves(planned[0]) == leaves(plan));
}

TEST_CASE("imported counters have every member of their run", "[validation][record][round_trip]") {
  auto plan = filled<PlanRecord>();
  plan.kernels = {"copy_tile", "copy_back"};
  const test::TempFolder folder;
  test::put(folder / "p.csv",
            "\"ID\",\"Process ID\",\"Kernel Name\",\"l1tex__m.sum\"\n\"\",\"\",\"\",\"sector\"\n"
            "\"0\",\"7\",\"run_kernel\",\"41\"\n\"1\",\"7\",\"run_kernel\",\"42\"\n");
  const auto records = import_counters(file_of(folder, {to_line(plan)}), folder / "p.csv");
  REQUIRE(records.size() == 2);
  const CounterRecord expected{plan.environment,       plan.date, plan.config,
                               plan.checksum,          1,         "copy_back",
                               {{"l1tex__m.sum", 42}}, ""};
  CHECK(leaves(records[1]) == leaves(expected));
}

TEST_CASE("every member of counts comes back", "[validation][counts][round_trip]") {
  const CountRecord record = filled_counts();
  CHECK(leaves(count_record(to_line(record))) == leaves(record));
  auto counted = filled<Counted>();
  counted.source = CountSource::extrapolated;
  counted.report = record.report;
  CHECK(leaves(counted_from(to_text(record.config, counted))) == leaves(counted));
}

TEST_CASE("every member of a point comes back", "[validation][sweep][round_trip]") {
  const auto config = filled<RunConfig>();
  auto point = filled<sweep::Point>();
  point.symbols["n"] = config.n;
  // What the run in the key says.
  point.model = "AGPU";
  point.key = config_to_json(config);
  point.seed = config.seed;
  point.rules = rules_text(config.spec);
  const auto whole = filled<sweep::Whole>();
  const sweep::KeptPoint kept = sweep::from_line(to_line(point, whole));
  CHECK(leaves(kept.point) == leaves(point));
  CHECK(leaves(kept.whole) == leaves(whole));
}

#include "agpusim/commands/sweep/row_file.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/members.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/counts/counts.hpp"
#include "agpusim/validation/records/ncu_csv.hpp"
#include "agpusim/validation/rows/run.hpp"

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
  plan.process = 7;
  const test::TempFolder folder;
  test::put(folder / "p.csv",
            "\"ID\",\"Process ID\",\"Kernel Name\",\"l1tex__m.sum\"\n\"\",\"\",\"\",\"sector\"\n"
            "\"0\",\"7\",\"run_kernel\",\"41\"\n\"1\",\"7\",\"run_kernel\",\"42\"\n");
  const auto records = import_counters(file_of(folder, {to_line(plan)}), folder / "p.csv").records;
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

TEST_CASE("every member of a row that is kept comes back", "[validation][rows][round_trip]") {
  // Not kept: a broken rule, the counts of phases, the lower bounds, what there is a prediction of,
  // why there is none, the record and its measurement.
  static_assert(agpusim::detail::member_count<Row>() == 16);
  Row row{.run = {.program = "a program", .config = filled<RunConfig>()},
          .refusal = "a refusal",
          .quantities = filled<std::vector<Quantity>>(),
          .source = "a source",
          .from_n = 3,
          .phases = 5,
          .device = "a device",
          .predicted = Prediction{7.5, "a limit", {}, 6.5, 9.5}};
  row.key = row.run.key() + " of kernels 1";
  const auto whole = filled<sweep::Whole>();
  const auto kept_leaves = [](const Row& one) {
    std::vector<std::string> all = leaves(one.quantities);
    for (const auto& more :
         {leaves(one.run.config),
          leaves(*one.predicted),
          {one.run.program, one.refusal, one.source, fmt::format("{}", one.from_n),
           fmt::format("{}", one.phases), one.device, one.key}}) {
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  };
  const sweep::KeptRow kept = sweep::from_line(to_line(row, whole));
  CHECK(kept_leaves(kept.row) == kept_leaves(row));
  CHECK(leaves(kept.whole) == leaves(whole));
}

TEST_CASE("every member of a run comes back from its key", "[validation][rows][round_trip]") {
  Run agpu{.config = filled<RunConfig>()};
  CHECK(leaves(run_of_key(agpu.key()).config) == leaves(agpu.config));
  Run pram{.config = filled<RunConfig>()};
  pram.config.pram = filled<PramSpec>();
  pram.config.type = run_on_pram().type;
  pram.config.spec = {};
  CHECK(leaves(run_of_key(pram.key()).config) == leaves(pram.config));
  CHECK(run_of_key(pram.key()).on_pram());
  CHECK_THROWS_AS(run_of_key("{}"), FileError);
}

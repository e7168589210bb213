#include "agpusim/commands/analyze/select_records.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/members.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/counts/stored_counts.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/measurement.hpp"

// What is one run to whoever keeps records: every member of it tells runs apart, and of two records
// of one run the later one counts.
using namespace agpusim;
using namespace agpusim::test;

namespace {

/// What `analyze` takes of a file with these records.
template <class Record>
RecordFile selected(const std::vector<Record>& records) {
  const test::TempFolder folder;
  for (const Record& record : records) append_records(folder / "r.jsonl", {to_line(record)});
  AnalysisOptions options{.records = {folder / "r.jsonl"}};
  return detail::select_records(options, [](const std::string&, const std::string&) {});
}

StoredCounts stored(const std::vector<RunConfig>& configs) {
  StoredCounts counts;
  for (const RunConfig& config : configs) {
    const auto number = static_cast<std::uint64_t>(counts.all().size());
    counts.add({config, test::fake_report(config), number, 0});
  }
  return counts;
}

}  // namespace

TEST_CASE("records whose runs differ in one member are of two runs", "[validation][identity]") {
  const TimingRecord timing = test::fake_timing(1000, 1);
  const CounterRecord counters = test::fake_counters(1000, 0);
  const std::vector<RunConfig> changed = test::changed_copies(timing.config);
  REQUIRE(changed.size() == test::leaves(timing.config).size() - 1);  // the name of the parameter
  for (const RunConfig& config : changed) {
    CAPTURE(config_to_json(config));
    std::vector<TimingRecord> timings(2, timing);
    timings[1].config = config;
    CHECK(latest_by_run(timings).size() == 2);
    CHECK(selected(timings).timings.size() == 2);
    std::vector<CounterRecord> launches(2, counters);
    launches[1].config = config;
    CHECK(selected(launches).counters.size() == 2);
    const StoredCounts counts = stored({timing.config, config});
    REQUIRE(counts.all().size() == 2);
    CHECK(counts.find(timing.config)->checksum == 0U);
    CHECK(counts.find(config)->checksum == 1U);
  }
  CHECK(selected(std::vector{counters, test::fake_counters(1000, 1)}).counters.size() == 2);
}

TEST_CASE("of two records of one run the one with the later date, of one date the second",
          "[validation][identity]") {
  std::vector<TimingRecord> timings = {test::fake_timing(1000, 1), test::fake_timing(1000, 2)};
  const auto kept = [&] {
    const double ms = measurement_of(*latest_by_run(timings).begin()->second).ms;
    const RecordFile file = selected(timings);
    REQUIRE(file.timings.size() == 1);
    CHECK(measurement_of(file.timings[0]).ms == Catch::Approx(ms));
    return ms;
  };
  CHECK(kept() == Catch::Approx(2));
  timings[0].date = "2026-11-20T10:00:01Z";
  CHECK(kept() == Catch::Approx(1));
  CHECK(stored({timings[0].config, timings[0].config}).find(timings[0].config)->checksum == 1U);
}

TEST_CASE("counts of one's own stand before those beneath", "[validation][identity]") {
  const std::vector<RunConfig> configs = {test::fake_config(1000), test::fake_config(2000)};
  const StoredCounts beneath = stored(configs);
  StoredCounts own(&beneath);
  CountRecord changed = *beneath.find(configs[0]);
  ++changed.report.phases[0].time;
  own.add(changed);
  CHECK(own.find(configs[0])->report.time() == beneath.find(configs[0])->report.time() + 1);
  CHECK(own.find(configs[1]) == beneath.find(configs[1]));
}

TEST_CASE("a configuration is one line of JSON and comes back", "[validation][config_json]") {
  auto config = fake_config(1000);
  config.variant = "padded";
  config.spec.next_fit_cap = 7;
  CHECK(config_from_json(config_to_json(config)) == config);
  CHECK(
      config_to_json(fake_config(5)) ==
      R"({"algorithm":"twice","input":"uniform","machine":{"M":14528,"V":32,"assignment":"static",)"
      R"("b":32,"bank_mode":"merge","next_fit_cap":0,"p":16896,"skip_empty":true,"w":32},"n":5,)"
      R"("parameters":{"tile":32},"seed":1,"type":"u32","variant":""})");
}

TEST_CASE("a configuration that lacks a field is refused", "[validation][config_json][bad_input]") {
  const auto refusal = [](const std::string& text) {
    return message_of<FileError>([&] { return config_from_json(text); });
  };
  CHECK_THAT(refusal("{}"), says("run configuration: field 'algorithm' is missing"));
  CHECK_THAT(refusal("{"), says("not valid JSON"));
  std::string text = config_to_json(fake_config(5));
  text.replace(text.find("\"w\":32"), 6, "\"w\":true");
  CHECK_THAT(refusal(text), says("field 'w' is not an integer"));
}

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/commands/compare/comparison_cases.hpp"
#include "agpusim/tests/support/catch.hpp"

using namespace agpusim;
using namespace agpusim::contest;
using namespace agpusim::test;

namespace {

std::string refusal_of(const Registry& registry, const Options& options) {
  return message_of<UsageError>([&] { return compare(registry, options); });
}

}  // namespace

TEST_CASE("a program that was only measured takes part without counts",
          "[validation][comparison]") {
  Options options = options_of({"line", "library"});
  options.records = {invented_record(library_run(1000, 7), 5),
                     invented_record(library_run(1000, 1000), 1),
                     invented_record(run_of("line", 1000), 2)};
  options.records[1].config.spec.width = 64;
  const Comparison comparison = compare(invented_registry(), options);
  CHECK(comparison.has_row == std::vector<bool>{true, false});
  const auto& rows = comparison.machines.front().rows;
  CHECK_FALSE(rows[2].entries[1].counted);
  CHECK_FALSE(rows[2].entries[1].predicted);
  // The record that counts is the one on keys of the same range as the row's.
  REQUIRE(rows[2].entries[1].measured);
  CHECK(rows[2].entries[1].measured->ms == Approx(1));
  CHECK_FALSE(rows[1].entries[1].measured);
  CHECK(rows[1].entries[1].refusal.empty());
  CHECK(comparison.machines.front().agreements.empty());

  // A chosen parameter is what counts.
  options.contestants[1].parameters = {{"range", 7}};
  CHECK(compare(invented_registry(), options).machines[0].rows[2].entries[1].measured->ms ==
        Approx(5));
  // Without a row that says what the keys are, several records are too many.
  options.contestants = contestants({"library", "other"});
  options.records[2].config = library_run(1000, 3);
  options.records[2].config.algorithm = "other";
  const Comparison unclear = compare(invented_registry(), options);
  CHECK_THAT(unclear.machines[0].rows[2].entries[0].refusal,
             says("several parameters, choose one of them: range=7 or range=1000"));
  CHECK(unclear.machines[0].rows[2].entries[1].measured->ms == Approx(2));
}

TEST_CASE("who has no times is told which times there are", "[validation][comparison]") {
  Options options = options_of({"line", "library"});
  RunConfig other_rows = run_of("line", 100);
  other_rows.parameters["rows"] = 4;
  RunConfig other_machine = run_of("line", 100);
  other_machine.spec.width = 64;
  options.records = {invented_record(other_rows, 1), invented_record(other_machine, 1),
                     invented_record(library_run(77, 77), 1)};
  RunConfig other_data = run_of("line", 100);  // whose times say nothing
  other_data.parameters["rows"] = 2;
  for (const auto change :
       {+[](RunConfig& run) { run.seed = 2; }, +[](RunConfig& run) { run.input = "sorted"; },
        +[](RunConfig& run) { run.type = "u64"; },
        +[](RunConfig& run) { run.variant = "other"; }}) {
    RunConfig config = other_data;
    change(config);
    options.records.push_back(invented_record(config, 1));
  }
  const std::string remarks = remarks_of(compare(invented_registry(), options));
  CHECK_THAT(remarks, says("line has no times here; there are with rows=4 or on AGPU("));
  CHECK_THAT(remarks, says("V=64") && !says("rows=2"));
  CHECK_THAT(remarks, says("library has no times here; there are some at n = 77"));
}

TEST_CASE("a contestant that refuses is left out where it does", "[validation][comparison]") {
  const Comparison comparison = compare(invented_registry(), options_of({"small", "line"}));
  const MachineResult& result = comparison.machines.front();
  CHECK(result.rows[2].entries[0].refusal.empty());
  CHECK(result.rows[3].entries[0].refusal == "small takes at most 1000 elements");
  CHECK_FALSE(result.rows[3].entries[0].counted);
  CHECK(result.rows[3].entries[1].counted);
  CHECK(order_of(result, Measure::time).sizes == 3);
  CHECK_THAT(remarks_of(comparison), says("small is refused at 1 of 4 sizes, the first n = 10,000: "
                                          "small takes at most 1000 elements"));
}

TEST_CASE("a comparison in which nobody can run is an error",
          "[validation][comparison][bad_input]") {
  Options options = options_of({"small", "line"});
  options.type = "f32";
  CHECK_THAT(refusal_of(invented_registry(), options),
             says("no contestant can be compared: small has no type 'f32'"));
  options = options_of({"line"});
  CHECK_THAT(refusal_of(invented_registry(), options), says("two contestants"));
  options = options_of({"line", "power", "line"});
  CHECK_THAT(refusal_of(invented_registry(), options), says("'line' is named twice"));
  options = options_of({"line", "power"});
  options.machines[0].refusal = "no such machine";
  CHECK_THAT(refusal_of(invented_registry(), options), says("no such machine"));
}

TEST_CASE("contestants run on a type and an input that all have", "[validation][comparison]") {
  Registry registry = invented_registry();
  Algorithm other = registry.find("line");
  other.name = "other";
  other.types = {"u64"};
  other.inputs = {"reversed", "sorted"};
  registry.add(other);
  const Comparison common = compare(registry, options_of({"line", "other"}));
  CHECK(common.kinds == std::vector<Kind>{{"u64", "sorted"}, {"u64", "sorted"}});
  CHECK(common.remarks.empty());
  other.name = "floats";
  other.types = {"f32"};
  registry.add(other);
  const Comparison apart = compare(registry, options_of({"line", "floats"}));
  CHECK(apart.kinds == std::vector<Kind>{{"u32", "sorted"}, {"f32", "sorted"}});
  CHECK_THAT(remarks_of(apart), says("no element type in common"));
  CHECK(apart.machines[0].rows[0].entries[1].run.config.type == "f32");
}

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/pram.hpp"

// What cannot run is refused with a message that names the thing and the remedy.
namespace agpusim::pram_refusal_test {
namespace {

struct Request {
  std::string algorithm;
  std::string variant;
  std::int64_t n;
  std::string input;
  std::map<std::string, std::int64_t> parameters;
};

RunConfig configure(const Request& request) {
  RunConfig config = run_on_pram();
  config.variant = request.variant;
  config.n = request.n;
  config.input = request.input;
  config.parameters = request.parameters;
  return resolve(test::all_rows().find_on_pram(request.algorithm), config, true);
}

/// The message of the UsageError; empty when there is none.
std::string refusal(const Request& request) {
  return test::message_of<UsageError>([&] { return configure(request); });
}

TEST_CASE("names that do not exist are refused with those that do", "[pram][refusal]") {
  CHECK_THROWS_WITH(test::all_rows().find_on_pram("sun"), says("'sun'", "sum"));
  CHECK_THAT(refusal({"scan", "blelock", 4, "", {}}), says("'blelock'", "blelloch"));
  CHECK_THAT(refusal({"scan", "", 4, "onse", {}}), says("'onse'", "ones"));
  CHECK_THAT(refusal({"hp_sort", "", 4, "", {{"rnage", 3}}}), says("'rnage'", "range"));
  CHECK_THAT(refusal({"sum", "", 4, "", {{"range", 3}}}), says("no parameters"));
  CHECK_THAT(refusal({"sum", "", -1, "", {}}), says("n = -1"));
  CHECK_THAT(refusal({"sum", "", (std::int64_t{1} << 40) + 1, "", {}}), says("2^40"));
}

TEST_CASE("keys that a sort cannot take are refused by index and value", "[pram][refusal]") {
  for (const char* const sort :
       {"hp_sort", "one_hp_sort", "zero_compressed_hp_sort", "rank_sort", "histogram"}) {
    CAPTURE(sort);
    CHECK_THAT(refusal({sort, "", 4, "values:3,9,1,12", {{"range", 8}}}), says("x[1] = 9"));
    CHECK_THAT(refusal({sort, "", 2, "values:0,-1", {{"range", 8}}}), says("x[1] = -1"));
    CHECK_THAT(refusal({sort, "", 3, "values:0,1", {}}), says("n = 3"));
    CHECK_THAT(refusal({sort, "", 2, "values:0,b", {}}), says("'b'"));
    CHECK_THAT(refusal({sort, "", 1, "", {{"range", 0}}}), says("range = 0"));
    CHECK_THAT(refusal({sort, "", 9, "distinct", {{"range", 8}}}), says("9"));
    CHECK(refusal({sort, "", 0, "", {{"range", 0}}}).empty());
  }
}

TEST_CASE("1-H-P sort names the key that occurs twice", "[pram][refusal]") {
  CHECK_THAT(refusal({"one_hp_sort", "", 4, "values:5,0,7,0", {{"range", 8}}}),
             says("x[1] = x[3] = 0", "hp_sort"));
  CHECK_THAT(refusal({"one_hp_sort", "", 10, "sorted", {{"range", 4}}}),
             says("n = 10", "range = 4"));
  CHECK(refusal({"one_hp_sort", "", 4, "values:5,0,7,1", {{"range", 8}}}).empty());
}

TEST_CASE("given numbers and bits are checked one by one", "[pram][refusal]") {
  CHECK_THAT(refusal({"sum", "", 2, "values:1,x", {}}), says("x[1] = 'x'"));
  CHECK_THAT(refusal({"sum", "", 1, "values:9223372036854775808", {}}), says("64-bit"));
  CHECK_THAT(refusal({"scan", "", 3, "values:1,2", {}}), says("n = 3"));
  CHECK_THAT(refusal({"parity", "", 3, "values:1,0,2", {}}), says("x[2] = 2"));
}

TEST_CASE("what is no list and no sorted half is refused by index", "[pram][refusal]") {
  CHECK_THAT(refusal({"list_ranking", "", 3, "values:1,3,-1", {}}), says("x[1] = 3"));
  CHECK_THAT(refusal({"list_ranking", "", 3, "values:1,1,-1", {}}), says("x[0] = x[1] = 1"));
  CHECK_THAT(refusal({"list_ranking", "", 3, "values:1,0,-1", {}}), says("1 of 3"));
  CHECK_THAT(refusal({"list_ranking", "random_mate", (1 << 22) + 1, "", {}}),
             says("2^22", "wyllie"));
  CHECK_THAT(refusal({"merge_sorted", "", 4, "values:1,2,4,3", {}}), says("x[3] = 3"));
  CHECK(refusal({"merge_sorted", "", 4, "values:3,4,1,2", {}}).empty());
  for (const char* const row : {"matrix_product", "connected_components", "sum_step"}) {
    CHECK_THAT(refusal({row, "", 4, "values:1,2,4,3", {}}), says("for example"));
  }
  CHECK_THAT(refusal({"matrix_product", "", (1 << 20) + 1, "", {}}), says("2^20"));
  CHECK_THAT(refusal({"connected_components", "", 0, "", {{"edges", 1}}}), says("edges = 1"));
}

TEST_CASE("the wrong machine is refused with those that work", "[pram][refusal]") {
  const Algorithm& scan = test::all_rows().find_on_pram("scan");
  RunConfig config = run_on_pram();
  config.variant = "dyadic";
  config.n = 8;
  config.pram->access = PramAccess::crew;
  CHECK_THROWS_AS(resolve(scan, config, false), UsageError);
  CHECK_THROWS_WITH(resolve(scan, config, false), says("scan (dyadic)", "CREW", "works on: sum"));
  CHECK(resolve(scan, config, true).pram->access == PramAccess::sum);
  config.variant = "hillis_steele";
  CHECK_NOTHROW(resolve(scan, config, false));
  config.pram->access = PramAccess::sum;
  config.pram->sum = SumReading::count;
  CHECK_THROWS_WITH(resolve(scan, config, false), says("counts writers"));
}

TEST_CASE("values too large for the words of the machine break a rule", "[pram][refusal]") {
  const auto run = [](const Request& request, std::int32_t word_bits) {
    RunConfig config = configure(request);
    config.pram->word_bits = word_bits;
    return test::all_rows().find_on_pram(request.algorithm).pram->run(config, {1, false, 0});
  };
  const std::string large = "values:9223372036854775807,1";
  for (const Variant& variant : test::all_rows().find_on_pram("sum").pram->variants) {
    CHECK_THROWS_AS(run({"sum", variant.name, 2, large, {}}, 64), RuleViolation);
    CHECK_THROWS_AS(run({"sum", variant.name, 2, "values:100,28", {}}, 8), RuleViolation);
    CHECK(run({"sum", variant.name, 2, "values:100,27", {}}, 8).correct);
  }
  for (const Variant& variant : test::all_rows().find_on_pram("scan").pram->variants) {
    CAPTURE(variant.name);
    CHECK_THROWS_AS(run({"scan", variant.name, 2, large, {}}, 64), RuleViolation);
    CHECK_THROWS_AS(run({"scan", variant.name, 3, "values:100,20,8", {}}, 8), RuleViolation);
  }
}

TEST_CASE("sizes beyond the host and the machine are refused, not tried", "[pram][refusal]") {
  test::for_each_pram_variant([&](const Algorithm& row, const Variant&, RunConfig config) {
    config.n = 200'000;
    config = resolve(row, config, true);
    CHECK_THROWS_AS(row.pram->run(config, {1, false, 200'000}), UsageError);
    config.n = std::int64_t{1} << 40;
    CHECK_THROWS_AS(row.pram->run(config, {1, false, 0}), UsageError);
    config.n = 100;
    config = resolve(row, config, true);
    config.pram->max_processors = 40;
    if (row.pram->closed_form(config).processors > 40) {
      CHECK_THROWS_AS(row.pram->run(config, {1, false, 0}), UsageError);
    } else {
      CHECK(row.pram->run(config, {1, false, 0}).correct);
    }
  });
}

TEST_CASE("a row that lacks a part is not added", "[pram][refusal]") {
  PramSide side = *test::all_rows().find_on_pram("sum").pram;
  Registry table;
  table.add("sum", side);
  CHECK_THROWS_AS(table.add("sum", side), std::logic_error);
  side.variants.front().machines.clear();
  CHECK_THROWS_AS(table.add("other", side), std::logic_error);
  side.variants.clear();
  CHECK_THROWS_AS(table.add("other", side), std::logic_error);
}

TEST_CASE("a name has a side on AGPU, on a PRAM or both", "[pram][refusal]") {
  Registry table;
  table.add("sum", *test::all_rows().find_on_pram("sum").pram);
  CHECK(table.find_or_null("sum") == nullptr);
  Algorithm agpu = test::row("reduce");
  agpu.name = "sum";
  table.add(agpu);
  CHECK(table.find("sum").pram.has_value());
  CHECK(table.on_agpu().size() == 1);
  CHECK(table.on_pram().size() == 1);
}

}  // namespace
}  // namespace agpusim::pram_refusal_test

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/rows.hpp"

using namespace agpusim::test;
using agpusim::Algorithm;
using agpusim::Variant;
using Catch::Matchers::ContainsSubstring;

namespace {

/// The JSON of a run that succeeds without a message.
nlohmann::json run_json(const std::string& arguments) {
  const Finished finished = run_cli("pram " + arguments + " --json");
  CAPTURE(arguments, finished.out, finished.err);
  REQUIRE(finished.exit_code == 0);
  CHECK(finished.err.empty());
  return nlohmann::json::parse(finished.out);
}

/// `agpusim pram <arguments>` is refused.
void check_refused(const std::string& arguments, int exit_code, const std::string& part) {
  CAPTURE(arguments);
  agpusim::test::check_refused(run_cli("pram " + arguments), exit_code, part);
}

}  // namespace

TEST_CASE("pram without a name, list and help know every row", "[cli][pram]") {
  const Finished overview = run_cli("pram");
  const Finished list = run_cli("list");
  const nlohmann::json rows = run_json("").at("algorithms");
  REQUIRE(overview.exit_code == 0);
  REQUIRE(rows.size() == all_rows().on_pram().size());
  for (std::size_t i = 0; i < all_rows().on_pram().size(); ++i) {
    const Algorithm& row = all_rows().on_pram()[i];
    CAPTURE(row.name);
    const Finished help = run_cli("help " + row.name);
    CHECK(help.exit_code == 0);
    CHECK(rows[i].at("name") == row.name);
    REQUIRE(rows[i].at("variants").size() == row.pram->variants.size());
    CHECK_THAT(list.out, ContainsSubstring(row.pram->summary));
    for (std::size_t j = 0; j < row.pram->variants.size(); ++j) {
      const Variant& variant = row.pram->variants[j];
      CHECK_THAT(overview.out, ContainsSubstring(variant.on_pram.text));
      CHECK_THAT(help.out, ContainsSubstring(variant.help));
      CHECK(rows[i].at("variants")[j].at("name") == variant.name);
      CHECK(rows[i].at("variants")[j].at("machines").size() == variant.machines.size());
    }
  }
  CHECK_THAT(run_cli("help pram-machines").out, ContainsSubstring("priority"));
  CHECK_THAT(run_cli("help pram").out, ContainsSubstring("--on-agpu"));
}

TEST_CASE("pram runs every variant of every row", "[cli][pram]") {
  for (const Algorithm& row : all_rows().on_pram()) {
    for (const Variant& variant : row.pram->variants) {
      for (const std::string n : {"0", "1", "50"}) {
        if (n == "0" && (row.name == "minmax" || row.name == "statistics")) {
          check_refused(row.name + " --variant " + variant.name + " --n 0", 2, "no numbers");
          continue;
        }
        const auto sheet = run_json(row.name + " --variant " + variant.name + " --n " + n);
        CAPTURE(row.name, variant.name, n);
        CHECK(sheet.at("correct") == true);
        CHECK(sheet.at("closed_form").at("equal") == true);
        CHECK(sheet.at("config").at("machine").at("access") ==
              agpusim::to_string(variant.machines.front()));
        CHECK(sheet.at("step_reports").size() == sheet.at("steps").get<std::size_t>());
      }
    }
  }
}

TEST_CASE("pram counts the golden values of the prefix sums", "[cli][pram]") {
  // theory 7
  struct Row {
    const char* arguments;
    std::int64_t steps;
    std::int64_t processors;
  };
  for (const Row& row :
       {Row{"--n 8", 2, 32}, Row{"--n 1000", 2, 10000}, Row{"--n 2^10", 2, 11264},
        Row{"--n 1000 --variant nested", 4, 5000}, Row{"--n 1000 --variant log_star", 17, 2000},
        Row{"--n 1000 --variant work_optimal", 26, 438}}) {
    CAPTURE(row.arguments);
    const auto sheet = run_json(std::string("scan ") + row.arguments);
    CHECK(sheet.at("steps") == row.steps);
    CHECK(sheet.at("processors") == row.processors);
  }
}

TEST_CASE("pram counts the processors that act, and names the machine's size apart",
          "[cli][pram]") {
  // 19 of the 32 processors of the second step do nothing.
  const auto sheet = run_json("scan --n 8 --work-span");
  CHECK(sheet.at("processors") == 32);
  CHECK(sheet.at("work") == 32 + 13);
  CHECK(sheet.at("processor_time") == 64);
  CHECK(sheet.at("cells") == 8 + 8 + (8 + 4 + 2 + 1));
  CHECK(sheet.at("step_reports")[1].at("processors") == 32);
  CHECK(sheet.at("step_reports")[1].at("active") == 13);
  CHECK(sheet.at("work_span").at("parallelism") == 22.5);
  CHECK(sheet.at("meaning").size() == 7);
}

TEST_CASE("pram takes values, also negative ones, and needs no n for them", "[cli][pram]") {
  const auto sums = run_json("scan --input values:3,-1,4,1");
  CHECK(sums.at("config").at("n") == 4);
  CHECK(sums.at("output") == std::vector<int>{3, 2, 6, 7});
  const auto sorted = run_json("rank_sort --input values:2,-5,2,0 --set min=-5 --set range=2^3");
  CHECK(sorted.at("config").at("parameters").at("min") == -5);
  CHECK(sorted.at("config").at("parameters").at("range") == 8);
  CHECK(sorted.at("output") == std::vector<int>{-5, 0, 2, 2});
  CHECK(run_json("scan --input values:").at("config").at("n") == 0);
  const Finished text = run_cli("pram scan --input values:3,-1,4,1");
  CHECK_THAT(text.out, ContainsSubstring("equals the reference: 3 2 6 7\n"));
  CHECK_THAT(text.out, ContainsSubstring("closed form  equal"));
}

TEST_CASE("pram takes the machine from its options", "[cli][pram]") {
  const auto sheet = run_json(
      "sum --n 100 --variant tree --model common --w 20 --max-processors 50 --threads 1 --seed 9");
  const auto& machine = sheet.at("config").at("machine");
  CHECK(machine.at("access") == "common");
  CHECK(machine.at("w") == 20);
  CHECK(machine.at("max_processors") == 50);
  CHECK(sheet.at("config").at("seed") == 9);
  CHECK(sheet.at("processors") == 50);
  CHECK(run_json("parity --n 100 --variant sum_crcw --sum count")
            .at("config")
            .at("machine")
            .at("sum") == "count");
}

TEST_CASE("pram schedules on P processors", "[cli][pram]") {
  // 100 writers of one cell in groups of 8: 13 of them; one pass to clear, one to accumulate.
  const auto sheet = run_json("sum --n 100 --input ones --processors 8");
  const auto& schedule = sheet.at("schedule");
  CHECK(schedule.at("processors") == 8);
  CHECK(schedule.at("brent_bound") == 13);
  CHECK(schedule.at("steps") == 26);
  CHECK(schedule.at("naive_wrong_cells") == 1);
  CHECK(sheet.at("schedule_without_accumulate").at("steps").get<int>() >= 26);
  const Finished text = run_cli("pram sum --n 100 --processors 8");
  CHECK_THAT(text.out, ContainsSubstring("On P = 8 processors"));
  const auto tree = run_json("sum --n 100 --variant tree --processors 8");
  CHECK(tree.at("schedule").at("naive_wrong_cells") == 0);
  CHECK_FALSE(tree.contains("schedule_without_accumulate"));
}

TEST_CASE("pram shows work, span and the graph", "[cli][pram]") {
  const TempFolder folder;
  const std::string file = folder.file("graph.dot");
  const Finished finished =
      run_cli("pram sum --n 8 --variant tree --work-span --json --dot '" + file + "'");
  REQUIRE(finished.exit_code == 0);
  CHECK(finished.err == "graph: " + file + "\n");
  const auto span = nlohmann::json::parse(finished.out).at("work_span");
  CHECK(span.at("work") == 7);  // a binary tree over 8 leaves
  CHECK(span.at("span") == 3);
  CHECK(span.at("critical_path").size() == 3);
  CHECK(shell("head -c 7 '" + file + "'").out == "digraph");
  CHECK(shell("ls -A '" + folder.path().string() + "'").out == "graph.dot\n");
  CHECK_THAT(run_cli("pram sum --n 8 --work-span").out, ContainsSubstring("\nWork and span"));
}

TEST_CASE("pram prices the steps on an AGPU", "[cli][pram]") {
  // One step of 64 processors in two groups of 32: each reads 1 block, computes, and adds to one
  // cell with 32 lanes (31 wait).
  const auto sheet = run_json("sum --n 64 --on-agpu --p 32 --b 32 --M 1024");
  const auto& agpu = sheet.at("on_agpu");
  CHECK(agpu.at("machine").at("b") == 32);
  CHECK(agpu.at("Q") == 4);
  CHECK(agpu.at("atomic_requests") == 2);
  CHECK(agpu.at("serialised") == 62);
  CHECK(agpu.at("contention") == 64);
  CHECK(agpu.at("T") == 2 * (1 + 1 + 1 + 31));
  CHECK(agpu.at("phases").size() == 1);
  CHECK(run_json("sum --n 64 --on-agpu --agpu-w 64").at("on_agpu").at("machine").at("w") == 64);
  CHECK_THAT(run_cli("pram sum --n 64 --on-agpu --machine textbook").out,
             ContainsSubstring("Most expensive: step 1 (add all), T = "));
}

TEST_CASE("pram compares all variants", "[cli][pram]") {
  for (const Algorithm& row : all_rows().on_pram()) {
    CAPTURE(row.name);
    const auto all = run_json(row.name + " --n 60 --all-variants --on-agpu --machine textbook");
    const auto& variants = all.at("variants");
    REQUIRE(variants.size() == row.pram->variants.size());
    for (std::size_t i = 0; i < row.pram->variants.size(); ++i) {
      CAPTURE(row.pram->variants[i].name);
      CHECK(variants[i].at("variant") == row.pram->variants[i].name);
      CHECK(variants[i].at("note") == "");
      CHECK(variants[i].at("correct") == true);
      CHECK(variants[i].at("closed_form_equal") == true);
      CHECK(variants[i].at("on_agpu").is_object());
    }
  }
  const auto large = run_json("maximum --n 2^15 --all-variants").at("variants");
  CHECK(std::any_of(large.begin(), large.end(), [](const nlohmann::json& row) {
    return row.at("steps").is_null() && row.at("closed_form").at("processors") == std::int64_t{1}
                                                                                      << 30;
  }));
  const Finished text = run_cli("pram scan --n 100 --all-variants");
  CHECK_THAT(text.out, ContainsSubstring("P x time"));
  CHECK_THAT(text.out, ContainsSubstring("hillis_steele  crew"));
  CHECK_THAT(text.out, !ContainsSubstring("AGPU"));
  const Finished narrow =
      run_cli("pram scan --n 100 --input ones --all-variants --max-processors 99");
  CHECK(narrow.exit_code == 0);
  CHECK_THAT(narrow.out, ContainsSubstring("refused"));
}

TEST_CASE("pram refuses bad arguments in one line", "[cli][pram][error]") {
  struct Row {
    const char* arguments;
    const char* part;
  };
  const Row rows[] = {
      {"scn --n 8", "unknown PRAM algorithm 'scn': did you mean 'scan'? known: "},
      {"transpose --n 8", "use `agpusim run transpose`"},
      {"scan", "--n is required"},
      {"scan --input ones", "--n is required"},
      {"--n 8", "--n needs the name of an algorithm"},
      {"--on-agpu", "--on-agpu needs the name of an algorithm"},
      {"scan --n 2^41", "is too large: the largest value is 2^40"},
      {"scan --n 2^40", "of memory and this machine has"},
      {"scan --n 8 --variant dyadc", "did you mean 'dyadic'?"},
      {"scan --n 8 --model crew", "scan (dyadic) is not correct on the CREW PRAM"},
      {"scan --n 8 --model swm", "unknown PRAM 'swm': did you mean 'sum'? known: erew, crew,"},
      {"scan --n 8 --input odd", "odd"},
      {"scan --n 8 --input values:1,2", "n = 8"},
      {"scan --input values:1,x", "'x'"},
      {"scan --n 8 --seed -1", "--seed '-1' is negative"},
      {"scan --n 8 --w 1", "w = 1"},
      {"scan --n 8 --w 65", "w = 65"},
      {"scan --n 8 --reads-per-step 17", "reads_per_step = 17"},
      {"scan --n 8 --max-processors 31", "31"},
      {"scan --n 8 --sum counts", "did you mean 'count'?"},
      {"scan --n 8 --sum count", "count"},
      {"scan --n 8 --variant blelloch --sum count", "--sum count needs a Sum-CRCW PRAM"},
      {"sum --n 8 --set x=1", "has no parameters"},
      {"rank_sort --n 8 --set rnge=4", "did you mean 'range'?"},
      {"rank_sort --n 8 --set range=-1", "--set range '-1' is negative"},
      {"rank_sort --n 8 --set min=-2^40", "is too small: the smallest value is -2^31"},
      {"rank_sort --n 3 --input values:1,9,2 --set range=4", "x[1] = 9"},
      {"scan --n 8 --processors 0", "--processors '0' is too small"},
      {"scan --n 2^28", "needs 7784628224 processors in one step"},
      {"hp_sort --n 8 --set range=2e9", "choose a smaller --n"},
      {"scan --n 2^20 --processors 8", "at most 2^22 are recorded"},
      {"scan --n 2^20 --on-agpu", "at most 2^22 are recorded"},
      {"scan --n 2^20 --work-span", "choose a smaller --n"},
      {"scan --n 2^10 --dot graph.dot", "a graph shows 2000"},
      {"scan --n 8 --machine textbook", "--machine needs --on-agpu"},
      {"scan --n 8 --on-agpu --agpu-w x", "--agpu-w 'x' is not a size"},
      {"scan --n 8 --on-agpu --p 100 --b 32", "p = 100 is not a multiple of b = 32"},
      {"scan --n 8 --all-variants --variant dyadic", "takes no --variant"},
      {"scan --n 8 --all-variants --model crew", "takes no --model"},
      {"scan --n 8 --all-variants --processors 4", "takes no --processors"},
      {"scan --n 8 --all-variants --w 65", "w = 65"},
  };
  for (const Row& row : rows) check_refused(row.arguments, 2, row.part);
  const TempFolder folder;
  check_refused("scan --n 8 --dot '" + folder.path().string() + "'", 5, "names a folder");
  check_refused("scan --n 8 --dot '" + folder.file("missing/graph.dot") + "'", 5,
                "choose another place with --dot FILE");
}

TEST_CASE("a broken rule of the PRAM is named with exit code 4", "[cli][pram][error]") {
  // A signed word of 8 bits ends at 127.
  CHECK(run_json("sum --n 127 --input ones --w 8").at("output") == std::vector<int>{127});
  check_refused("sum --n 128 --input ones --w 8", 4, "8");
  check_refused("scan --n 8 --variant hillis_steele --reads-per-step 1", 4,
                "allow more, up to 16 (PramSpec::reads_per_step, --reads-per-step)");
  check_refused("scan --n 8 --variant hillis_steele --reads-per-step 1", 4,
                "(at scan_networks.cpp:");
}

TEST_CASE("pram is stopped by Ctrl-C at once with exit code 130", "[cli][pram]") {
  const Finished finished = shell(
      "timeout --preserve-status -s INT 0.5 \"$AGPUSIM\" pram rank_sort --n 2^14 --threads 1");
  CHECK(finished.exit_code == 130);
  CHECK(finished.out.empty());
}

TEST_CASE("run and pram send an algorithm to each other", "[cli][pram][error]") {
  const Finished finished = run_cli("run parity --n 8");
  CHECK(finished.exit_code == 2);
  CHECK_THAT(finished.err, ContainsSubstring("use `agpusim pram parity`"));
}

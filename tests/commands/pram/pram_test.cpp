#include <algorithm>
#include <cstdint>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/rows.hpp"

using namespace agpusim::test;
using agpusim::Algorithm;
using agpusim::Variant;

namespace {

nlohmann::json run_json(const std::string& arguments) { return json_of_cli("pram " + arguments); }

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
    CHECK_THAT(list.out, says(row.pram->summary));
    for (std::size_t j = 0; j < row.pram->variants.size(); ++j) {
      const Variant& variant = row.pram->variants[j];
      CHECK_THAT(overview.out, says(variant.on_pram.text));
      CHECK_THAT(help.out, says(variant.help));
      CHECK(rows[i].at("variants")[j].at("name") == variant.name);
      CHECK(rows[i].at("variants")[j].at("machines").size() == variant.machines.size());
    }
  }
  CHECK_THAT(run_cli("help pram-machines").out, says("priority"));
  CHECK_THAT(run_cli("help pram").out, says("--on-agpu"));
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
  CHECK_THAT(run_cli("pram scan --input values:3,-1,4,1").out,
             says("equals the reference: 3 2 6 7\n", "closed form  equal"));
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
  CHECK_THAT(output_of_cli("pram scan --n 100 --input ones --all-variants --max-processors 99"),
             says("refused"));
}

TEST_CASE("pram refuses bad arguments in one line", "[cli][pram][error]") {
  check_refusals(
      "pram",
      {
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
          {"rank_sort --n 8 --set range", "is not NAME=VALUE"},
          {"rank_sort --n 8 --set range=-1", "--set range '-1' is negative"},
          {"rank_sort --n 8 --set min=-2^40", "is too small: the smallest value is -2^31"},
          {"rank_sort --n 8 --set min=x", "--set min 'x' is not a size"},
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
          {"scan --n 8 --threads many", "--threads 'many' is not a size"},
          {"minmax --n 0", "no numbers"},
          {"statistics --n 0", "no numbers"},
      });
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
  CHECK_THAT(finished.err, says("use `agpusim pram parity`"));
}

TEST_CASE("pram finds the largest number of processors with an efficiency", "[cli][pram]") {
  // The tree adds pairs: as many processors as pairs are left, 999 additions in all.
  const auto steps_on = [](std::int64_t processors) {
    std::int64_t steps = 0;
    for (std::int64_t left = 1000; left > 1; left -= left / 2) {
      steps += (left / 2 + processors - 1) / processors;
    }
    return steps;
  };
  std::int64_t largest = 0;
  for (std::int64_t p = 1; p <= 500; ++p) {
    if (10 * 999 >= 9 * p * steps_on(p)) largest = p;
  }
  const std::string run = "sum --n 1000 --variant tree --processors 1,10,500 --efficiency 90";
  const nlohmann::json found = run_json(run).at("speed_up");
  CHECK(found.at("largest_processors") == largest);
  CHECK(found.at("T_1") == 999);
  REQUIRE(found.at("runs").size() == 4);
  for (const nlohmann::json& row : found.at("runs")) {
    const auto steps = steps_on(row.at("processors").get<std::int64_t>());
    CHECK(row.at("steps") == steps);
    CHECK(row.at("speed_up") == 999.0 / static_cast<double>(steps));
  }
  CHECK_THAT(run_cli("pram " + run + " --csv").out,
             says("processors,steps,speed_up,efficiency\n1,"));
  check_refused("sum --n 1000 --efficiency 101", 2, "1 to 100");
  check_refused("sum --n 1 --variant tree --efficiency 90", 2, "larger --n");
}

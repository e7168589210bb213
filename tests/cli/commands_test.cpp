#include <algorithm>
#include <sstream>

#include "agpusim/cli/machines.hpp"
#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/rows.hpp"
#include "agpusim/validation/records/data_folder.hpp"

using namespace agpusim::test;

TEST_CASE("list shows every algorithm as text and as JSON", "[cli]") {
  const Finished text = run_cli("list");
  REQUIRE(text.exit_code == 0);
  const auto parsed = json_of_cli("list").at("algorithms");
  REQUIRE(parsed.size() == all_rows().on_agpu().size());
  std::size_t i = 0;
  for (const agpusim::Algorithm& row : all_rows().on_agpu()) {
    CHECK_THAT(text.out, says(row.name, row.summary));
    CHECK(parsed[i].at("name") == row.name);
    CHECK(parsed[i].at("types") == row.types);
    CHECK(parsed[i].at("variants") == variant_names(row));
    CHECK(parsed[i].at("inputs") == row.inputs);
    const std::string help = run_cli("help " + row.name).out;
    std::size_t forms = 0;
    for (const auto& bound : parsed[i].at("bounds")) {
      agpusim::RunConfig form{.variant = bound.at("variant")};
      CHECK(bound.at("T") == time_bound(row, form).text);
      CHECK(bound.at("Q") == io_bound(row, form).text);
      CHECK_THAT(help,
                 says("T = " + time_bound(row, form).text, "Q = " + io_bound(row, form).text));
      forms += bound.at("types").size();
    }
    CHECK(forms == forms_of(row).size());
    ++i;
  }
}

TEST_CASE("the manual page has every command, and bash completes them", "[cli]") {
  const std::string help = run_cli("help").out;
  const std::string title = "\n  commands ";
  const std::size_t at = help.find(title);
  REQUIRE(at != std::string::npos);
  std::istringstream line(
      help.substr(at + title.size(), help.find('\n', at + 1) - at - title.size()));
  const std::filesystem::path root = std::filesystem::path(AGPUSIM_TEST_DIR).parent_path();
  std::ifstream file(root / "docs" / "agpusim.1.in");
  std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::size_t commands = page.find(".SH COMMANDS");
  REQUIRE(commands != std::string::npos);
  std::replace(page.begin(), page.end(), ',', ' ');
  std::size_t count = 0;
  for (std::string name; line >> name; ++count) {
    if (name.back() == ',') name.pop_back();
    CAPTURE(name);
    const std::size_t found = page.find(" " + name, commands);
    CHECK(found < page.find(".SH EXIT STATUS"));
  }
  CHECK(count > 15);

  const Finished completed = shell(
      "bash -c '. \"$1\"; for words in \"agpusim me\" \"agpusim run bit\" \"agpusim run x --by\" "
      "\"agpusim run x --machine text\" \"agpusim exercise gr\" \"agpusim help maxi\"; do "
      "COMP_WORDS=($words); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _agpusim \"$2\" "
      "\"${COMP_WORDS[COMP_CWORD]}\"; echo \"${COMPREPLY[*]}\"; done' bash '" +
      (root / "cli" / "completion.bash").string() + "' \"$AGPUSIM\"");
  CAPTURE(completed.err);
  CHECK(completed.out == "merge measure\nbitonic_sort\n--by-line\ntextbook\ngrade\nmaximum\n");
}

TEST_CASE("help has a page for every command, algorithm and topic", "[cli]") {
  std::vector<std::string> topics = {
      "list",      "help",     "run",   "analyze", "measure",   "import-counters",
      "calibrate", "machines", "sizes", "inputs",  "exit-codes"};
  for (const agpusim::Algorithm& row : all_rows().on_agpu()) topics.push_back(row.name);
  const std::string overview = output_of_cli("help");
  for (const std::string& topic : topics) {
    CAPTURE(topic);
    const Finished page = run_cli("help " + topic);
    CHECK(page.exit_code == 0);
    CHECK(page.err.empty());
    CHECK(page.out.size() > 100);
    CHECK(contains(overview, topic));
  }
  CHECK(contains(run_cli("help run").out, "--bank-mode"));
  CHECK(run_cli("run --help").out == run_cli("help run").out);
  CHECK(contains(run_cli("help machines").out, "16896"));
  CHECK(contains(run_cli("help exit-codes").out, "130"));
  const std::string version = run_cli("--version").out;
  CHECK(contains(version, "agpusim "));
  const Finished commit = shell("cd '" AGPUSIM_TEST_DIR "/..' && ls .git && git rev-parse HEAD");
  CHECK(contains(version, "+") == (commit.exit_code == 0));
}

TEST_CASE("run prints the cost of every algorithm and says when all is equal", "[cli]") {
  for (const agpusim::Algorithm& row : all_rows().on_agpu()) {
    CAPTURE(row.name);
    const Finished text = run_cli("run " + row.name + " --n 2^10 --machine textbook --M 512");
    CAPTURE(text.err);
    CHECK(text.exit_code == 0);
    CHECK(text.err.empty());
    CHECK(contains(text.out, "AGPU(p=128, b=8, M=512, w=32)"));
  }
}

TEST_CASE("run is stopped by Ctrl-C at once with exit code 130", "[cli]") {
  const Finished finished = shell(
      "timeout --preserve-status -s INT 0.5 \"$AGPUSIM\" run bitonic_sort --n 2^24 --threads 1");
  CHECK(finished.exit_code == 130);
  CHECK(finished.out.empty());
}

TEST_CASE("run predicts the time that why and compare predict, or says why it does not",
          "[cli][run]") {
  const std::string too_large = "bitonic_sort --n 2^17 --V 1024 --M 2^18 --set tile=2^17";
  const std::string reason = "a task of tile_sort needs 525,312 bytes of shared memory";
  for (const std::string run : {"transpose --n 2^12", "histogram --n 2^10 --set range=64",
                                "rank_sort --n 2^10 --machine h200-wide"}) {
    CAPTURE(run);
    const auto json = json_of_cli("run " + run);
    const auto why = json_of_cli("why " + run);
    CHECK(json.at("predicted_ms") == why.at("predicted_ms"));
    CHECK(json.at("limit") == why.at("limit"));
    CHECK(json.at("device") == "NVIDIA H200");
    CHECK(json.at("why_not_predicted").is_null());
  }
  const auto json = json_of_cli("run " + too_large);
  CHECK(json.at("predicted_ms").is_null());
  CHECK_THAT(json.at("why_not_predicted").get<std::string>(), Catch::Matchers::StartsWith(reason));
  CHECK_THAT(run_cli("run " + too_large).out, says("predicted    no: " + reason));
  CHECK_THAT(run_cli("compare bitonic_sort,tile=2^17 vector_add --n 2^17 --V 1024 --M 2^18").out,
             says("not predicted: " + reason));
  check_refused(run_cli("why " + too_large), 2, reason);
  CHECK_THAT(
      run_cli("run transpose --n 2^12 --machine textbook").out,
      says("predicted    no: no device was measured for textbook: textbook.json is not there"));
  CHECK_THAT(run_cli("run hp_sort --n 2^22").out,
             says("predicted    no: its cost depends on data: `agpusim why hp_sort`"));
}

TEST_CASE("a device without measured constants predicts nothing and says why", "[cli][why]") {
  const std::string reason =
      "GeForce GT 220 was never measured, gt220.json has 7 constants from a document";
  CHECK_THAT(run_cli("compare minmax_tournament minmax --n 2^10 --machine gt220").out,
             says("No times are predicted on this machine: " + reason));
  CHECK_THAT(run_cli("run minmax --n 2^10 --machine gt220").out,
             says("predicted    no: " + reason));
  check_refused(run_cli("why minmax --n 2^10 --machine gt220"), 2, reason);
  check_refused(run_cli("why minmax --n 2^10 --device gt220"), 2, reason);
  const std::string help = run_cli("help machines").out;
  const std::string named = help.substr(help.find("Times are predicted on"));
  for (const agpusim::Machine& machine : agpusim::machines()) {
    CAPTURE(machine.name);
    const Finished why = run_cli("why vector_add --n 2^10 --machine " + machine.name);
    const bool is_named =
        named.substr(0, named.find("whose")).find(machine.name) != std::string::npos;
    CHECK((why.exit_code == 0) == is_named);
  }
}

TEST_CASE("the GTX 275 of seed 002 serves half-warps from 16 banks", "[cli]") {
  CHECK_THAT(run_cli("run rank_sort --variant global --n 1000 --machine gtx275").out,
             says("AGPU(p=240, b=16, M=4096, w=32), V=16\n", "equals the reference"));
  CHECK_THAT(run_cli("why rank_sort --n 1000 --machine gtx275").out,
             says("36 of its 51 constants are guessed"));
}

TEST_CASE("why predicts with the constants of the machine's device or of the one that is named",
          "[cli][why]") {
  const TempFolder folder;
  const std::string own = folder.file("own.json");
  std::string text = content(agpusim::data_folder() / "devices" / "h200.json");
  text.replace(text.find("NVIDIA H200"), std::string("NVIDIA H200").size(), "My GPU");
  std::ofstream(own) << text;
  struct Row {
    std::string options;
    int exit_code;
    std::string part;
  };
  const Row rows[] = {
      {"", 0, "on NVIDIA H200, n = 4,096"},
      {"--machine h200-block --device h200", 0, "on NVIDIA H200, n = 4,096"},
      {"--machine p100 --device 'NVIDIA H200'", 0, "on NVIDIA H200, n = 4,096"},
      {"--devices '" + own + "'", 0, "on My GPU, n = 4,096"},
      {"--devices '" + folder.path().string() + "' --device own", 0, "on My GPU, n = 4,096"},
      {"--machine p100", 0, "nobody has calibrated a Tesla P100"},
      {"--p 3200", 2, "--device NAME of compare, sweep and why predicts with its constants"},
      {"--machine textbook", 2, "no time is predicted on AGPU(p=128, b=8, M=256, w=32), V=8: "},
      {"--machine textbook --device h200", 2, "are of warps of 32 lanes and words of 32 bits"},
      {"--w 64 --device h200", 2, "are of warps of 32 lanes and words of 32 bits"},
      {"--device nothing", 2, "unknown device 'nothing'"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.options);
    const Finished finished = run_cli("why transpose --n 2^12 " + row.options);
    CAPTURE(finished.out, finished.err);
    CHECK(finished.exit_code == row.exit_code);
    CHECK((row.exit_code == 0 ? finished.out : finished.err).find(row.part) != std::string::npos);
  }
}

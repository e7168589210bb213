// agpusim step and run --by-line as a user calls them.
#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/steps/report.hpp"

using namespace agpusim::test;

namespace {

/// The data of a page.
nlohmann::json data_of(const std::string& path) {
  const std::string page = agpusim::read_file(path);
  const std::string begin = "id=\"data\">";
  const std::size_t at = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
}

}  // namespace

TEST_CASE("step prints lanes, costs and source lines", "[cli][step]") {
  const Finished step = run_cli("step transpose --n 16 --b 4 --M 64 --variant tiled");
  CAPTURE(step.out, step.err);
  REQUIRE(step.exit_code == 0);
  CHECK_THAT(step.out,
             says("CONFLICTS", "algorithms/transpose/kernel.hpp:", "on multiprocessor 0"));
  const Finished padded = run_cli("step transpose --n 16 --b 4 --M 64 --variant padded");
  CHECK(padded.out.find("CONFLICTS") == std::string::npos);
  const Finished naive = run_cli("step transpose --n 16 --b 4 --variant naive --at 10");
  CHECK_THAT(naive.out,
             says("NOT COALESCED: 1 would do", "after step 10:\n\nglobal memory in, 16 elements"));
}

TEST_CASE("step shows a PRAM's processors and what concurrent writes combine to", "[cli][step]") {
  const std::string sum = output_of_cli("step sum --n 4 --input values:5,6,7,8 --variant sum_crcw");
  CHECK_THAT(sum, says("4 WRITERS of ", "it receives 26 (sum)"));
}

TEST_CASE("step runs a program on a PRAM that it is not made for, and shows what goes wrong",
          "[cli][step]") {
  const Finished refused = run_cli("step sum --n 4 --variant sum_crcw --model erew");
  CAPTURE(refused.out, refused.err);
  CHECK(refused.exit_code == 4);
  CHECK_THAT(refused.out,
             says("RULE VIOLATION: step 1 (", "step 1 add all", "P3:  read x[3] = 9  sum[0] <- 9"));
  const Finished second = run_cli("step or --n 5 --variant common --model crew");
  CAPTURE(second.out, second.err);
  CHECK(second.exit_code == 4);
  CHECK_THAT(second.out, says("RULE VIOLATION: step 2 ("));
  const TempFolder folder;
  const std::string page = folder.file("or.html");
  CHECK(run_cli("step or --n 5 --variant common --model crew --html " + page).exit_code == 4);
  const nlohmann::json run = data_of(page)["runs"][0];
  CHECK(run["steps"].size() == 1);
  CHECK(run["broken"]["writes"].size() == 2);
  CHECK(run["violation"].get<std::string>().find("processors 0 and 3") != std::string::npos);
  CHECK_THAT(
      output_of_cli("step sum --n 4 --input values:5,6,7,8 --variant sum_crcw --model priority"),
      says("the result is WRONG", "4 WRITERS of sum[0]: it receives 5 (priority)"));
}

TEST_CASE("a picture shows who accesses what, and what it costs too much", "[cli][step]") {
  const TempFolder folder;
  const std::string file = folder.file("step.svg");
  const std::string transpose = "step transpose --n 16 --b 4 --M 64 --svg " + file + " --at ";
  REQUIRE(run_cli(transpose + "24 --variant tiled").exit_code == 0);
  const std::string conflict = agpusim::read_file(file);
  CHECK_THAT(conflict, says("4 T, 3 CONFLICTS", "lane 3", "shared memory tile"));
  CHECK(conflict.find("global memory") == std::string::npos);
  REQUIRE(run_cli(transpose + "10 --variant naive").exit_code == 0);
  CHECK_THAT(agpusim::read_file(file), says("NOT COALESCED: 1 would do"));
  REQUIRE(run_cli("step sum --n 8 --at 1 --svg " + file).exit_code == 0);
  CHECK_THAT(agpusim::read_file(file),
             says("8 WRITERS of sum[0]: it receives 35", "written by P0,1,2,..."));
  CHECK(run_cli(transpose + "1 --variant naive,tiled").exit_code == 2);
  CHECK(run_cli("step reduce --n 64 --phase 7 --svg " + file).exit_code == 2);
}

TEST_CASE("a page has every combination of the lists", "[cli][step]") {
  const TempFolder folder;
  const std::string page = folder.file("step.html");
  const Finished step =
      run_cli("step transpose --n 16,64 --b 4,8 --M 256 --variant naive,tiled --html " + page);
  CAPTURE(step.out, step.err);
  REQUIRE(step.exit_code == 0);
  const nlohmann::json data = data_of(page);
  CHECK(data["runs"].size() == 8);
  for (const auto& run : data["runs"]) {
    CAPTURE(run["title"]);
    CHECK(run["events"].size() == run["seen"]);
    std::int64_t blocks = 0;
    std::int64_t conflicts = 0;
    for (const auto& event : run["events"]) {
      blocks += event[10].get<std::int64_t>();
      conflicts += event[13].get<std::int64_t>();
      CHECK(event[1].get<std::size_t>() < run["places"].size());
    }
    CHECK(blocks == run["totals"]["Q"]);
    CHECK(conflicts == run["totals"]["conflicts"]);
  }
  CHECK(data["files"][0]["lines"].size() > 10);
}

TEST_CASE("the JSON of a run is enough to do it again", "[cli][step]") {
  const nlohmann::json run =
      json_of_cli("step transpose --n 16 --b 4 --M 64 --variant tiled")["runs"][0];
  std::map<std::string, nlohmann::json> memory;
  for (const auto& array : run["arrays"]) memory[array["name"]] = array["initial"];
  const nlohmann::json in = memory.at("in");
  std::int64_t blocks = 0;
  for (const auto& now : run["steps"]) {
    blocks += now["Q"].get<std::int64_t>();
    if (now["array"].is_null()) continue;
    nlohmann::json& cells = memory.at(now["array"]);
    const bool write = now["instruction"].get<std::string>().starts_with("write");
    REQUIRE(now["elements"].size() == now["lanes"].size());
    REQUIRE(now["values"].size() == now["lanes"].size());
    for (std::size_t i = 0; i < now["elements"].size(); ++i) {
      nlohmann::json& cell = cells[now["elements"][i].get<std::size_t>()];
      if (write) cell = now["values"][i];
      CHECK(cell == now["values"][i]);
    }
  }
  for (std::size_t i = 0; i < 16; ++i) CHECK(memory.at("out")[i] == in[i % 4 * 4 + i / 4]);
  CHECK(blocks == json_of_cli("run transpose --n 16 --b 4 --M 64 --variant tiled")["Q"]);
}

TEST_CASE("what processors do is a line of CSV each", "[cli][step]") {
  const Finished step = run_cli("step sum --input values:7,3,4 --csv");
  CAPTURE(step.out, step.err);
  REQUIRE(step.exit_code == 0);
  CHECK_THAT(step.out, says("title,step,processor,kind,cell,value\n", ",1,1,read,x[1],3\n",
                            ",1,2,write,sum[0],4\n"));
}

TEST_CASE("step says what it does not record and refuses what is too long", "[cli][step]") {
  CHECK_THAT(output_of_cli("step vector_add --n 1000 --limit 10"), says("\n10 of "));
  const TempFolder folder;
  CHECK_THAT(run_cli("step vector_add --n 1000 --limit 10 --html " + folder.file("page.html")).err,
             says("10 of "));
  const Finished pram = run_cli("step sum --n 100000 --limit 1000");
  CHECK(pram.exit_code == 2);
  CHECK_THAT(pram.err, says("choose a smaller --n"));
  CHECK(run_cli("step nothing --n 4").exit_code == 2);
  CHECK(run_cli("step vector_add --n 8 --html /nonexistent/page.html").exit_code != 0);
}

TEST_CASE("run --by-line shows lines and sums, as text and as JSON", "[cli][step]") {
  CHECK_THAT(output_of_cli("run transpose --n 2^12 --variant tiled --by-line"),
             says("algorithms/transpose/kernel.hpp:", "words.read("));
  const Finished json = run_cli("run transpose --n 2^12 --variant tiled --by-line --json");
  const nlohmann::json sheet = nlohmann::json::parse(json.out);
  std::int64_t blocks = 0;
  for (const auto& line : sheet["lines"]) blocks += line["Q"].get<std::int64_t>();
  CHECK(blocks == sheet["Q"]);
  CHECK(!json_of_cli("run transpose --n 2^12").contains("lines"));
}

namespace {

/// A read of 64 elements of shared memory by the lanes of two warps.
agpusim::SteppedRun stepped(const std::string& mask, const std::vector<std::int64_t>& elements) {
  agpusim::SteppedRun run;
  agpusim::StepTrace& trace = run.agpu.emplace();
  trace.spec.block_words = 32;
  trace.spec.width = 64;
  trace.places = {{"own.hpp", 7}};
  trace.arrays = {{"tile", true, 1, 0, 2048, {}}};
  trace.phases = {{"own", 1, 0, {}}};
  trace.seen = 1;
  agpusim::TracedInstruction& read = trace.instructions.emplace_back();
  read.kind = agpusim::InstructionKind::read;
  read.mask = mask;
  read.array = 0;
  read.elements = elements;
  for (std::size_t i = 0; i < elements.size(); ++i) read.values += "1234567 ";
  return run;
}

std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

}  // namespace

TEST_CASE("of many lanes those are printed that fit and take part", "[validation][step]") {
  const std::string idle(32, '0');
  const std::string upper = idle + std::string(10, '0') + "11" + std::string(20, '0');
  const std::string text = agpusim::step_text(stepped(upper, {500, 501}), 0);
  CHECK_THAT(text, says(", lanes 42 to ", " of 64\n", "--html and --csv have all", "own.hpp:7",
                        "tile, 2048 elements, columns 6 to 31 of 32\n"));
  CHECK(longest_line(text) <= 120);
  const std::string last = agpusim::step_text(stepped(idle + std::string(31, '0') + "1", {63}), 0);
  CHECK_THAT(last, says(" to 63 of 64\n"));
  CHECK(longest_line(last) > 100);  // filled with the lanes before
  CHECK_THAT(agpusim::step_text(stepped(upper, {500, 501})), says(", lanes 0 to "));
}

TEST_CASE("the lanes that are printed begin at the warp with a bank conflict",
          "[validation][step]") {
  std::vector<std::int64_t> elements(64);
  for (std::size_t lane = 0; lane < 64; ++lane) {
    elements[lane] = static_cast<std::int64_t>(lane < 32 ? lane : 32 * lane);
  }
  agpusim::SteppedRun run = stepped(std::string(64, '1'), elements);
  CHECK_THAT(agpusim::step_text(run, 0), says(", lanes 0 to "));
  run.agpu->instructions[0].cost.shared_read.conflicts = 31;
  CHECK_THAT(agpusim::step_text(run, 0), says(", lanes 32 to ", "31 CONFLICTS"));
}

TEST_CASE("of a long array the accessed rows are printed", "[validation][step]") {
  agpusim::SteppedRun run = stepped(std::string(63, '0') + "1", {0});
  run.agpu->arrays[0] = {"in", false, 1, 0, 2048, std::vector<std::string>(2048, "5")};
  run.agpu->instructions[0].elements = {32 * 50};
  CHECK_THAT(agpusim::step_text(run, 0),
             says("in, 2048 elements; 5 of 64 rows", "\n49 ", "\n50 ", "<1234567>"));
}

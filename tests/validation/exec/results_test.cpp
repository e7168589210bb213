#include "agpusim/validation/exec/results.hpp"

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

namespace agpusim::exec {
namespace {

/// A result with one kernel, of which are two findings, one of them a note, and one of the host's.
std::string result_of(int exit_code, const std::string& kernels) {
  return fmt::format(
      R"({{"agpusim": "1", "program": ["./p", "a b", "\u001b'"], "exit_code": {}, "processes": 1,
    "device": "GPU", "machine": {{"p": 4, "b": 1, "M": 2, "w": 32, "V": 1, "bank_mode": "merge",
    "assignment": "static", "next_fit_cap": 0, "skip_empty": true}}, "failed_calls": [], "unsupported": {{}}, "refused": {{}}, "damaged_lines": 0,
    "report_is_cut": false, "kernels": [{}], "findings": [{{"name": "k", "defect": true}},
    {{"name": "k", "defect": false}}, {{"name": "", "defect": true}}]}})",
      exit_code, kernels);
}
constexpr const char* kernel =
    R"({"name": "k", "launches": 2, "skipped": 0, "stopped": 0, "T": 30, "sectors": 40,
    "conflicts": 5, "predicted_ms": null})";

/// The result without fault, but for one member.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = result_of(0, kernel);
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("results of exec are one table, with what is of no kernel", "[exec][merge]") {
  const test::TempFolder folder;
  test::put(folder / "1.json", result_of(0, kernel));
  test::put(folder / "2.json", result_of(137, ""));
  test::put(folder / "points.jsonl", R"({"program":"scan"})");
  CHECK(is_result(folder / "1.json"));
  CHECK_FALSE(is_result(folder / "points.jsonl"));
  const MergedResults merged = merge_results({folder.file("1.json"), folder.file("2.json")});
  const std::string file = folder.path().string();
  const std::string run = ".json,./p,\"\"\"a b\"\";\033'\",GPU,\"AGPU(p=4, b=1, M=2, w=32), V=1\",";
  CHECK(report::to_csv(merged.report) ==
        "file,program,arguments,device,machine,exit_code,name,launches,T,sectors,conflicts,"
        "predicted_ms,findings,incomplete\n" +
            file + "/1" + run + "0,k,2,30,40,5,,1,\n" + file + "/1" + run + "0,,,,,,,1,\n" + file +
            "/2" + run + "137,,,,,,,2,ended by a signal (Killed)\n");
  CHECK_THAT(merged.missing, says("1 of 2 runs are not complete", "2.json (ended by a signal"));
  CHECK_THAT(report::to_text(merged.report), says("2.json", "'a b' $'\\x1b\\''"));
  CHECK(merge_results({folder.file("1.json")}).missing.empty());
}

TEST_CASE("what exec calls not complete is not complete", "[exec][merge]") {
  const test::TempFolder folder;
  const std::string call =
      R"("failed_calls": [{"function": "f", "error": "E", "times": 2, "looked": 1, "of_simulator": )";
  for (const auto& [text, why] : std::vector<std::pair<std::string, std::string>>{
           {changed(R"("skipped": 0)", R"("skipped": 1)"), "(1 launch skipped)"},
           {changed(R"("stopped": 0)", R"("stopped": 1)"), "(kernel k was stopped)"},
           {changed(R"("failed_calls": [)", call + "false}"), "(f: E)"},
           {result_of(139, kernel), "(ended by a signal (Segmentation fault))"}}) {
    test::put(folder / "1.json", text);
    CHECK_THAT(merge_results({folder.file("1.json")}).missing, says(why));
  }
}

TEST_CASE("a damaged result is named with what to do", "[exec][merge][bad_input]") {
  const test::TempFolder folder;
  for (const std::string& text :
       {result_of(0, kernel).substr(0, 300), std::string(R"({"program": []})"),
        changed(R"("T": 30)", R"("T": "x")"), changed(R"("T": 30)", R"("T": -5)")}) {
    test::put(folder / "1.json", text);
    CHECK_THAT(test::message_of<FileError>([&] { return merge_results({folder.file("1.json")}); }),
               says("1.json: no result of", "remove it and run its program again"));
  }
}

}  // namespace agpusim::exec

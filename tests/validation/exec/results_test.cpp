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
      R"({{"agpusim": "1", "program": ["./p", "a b", "7"], "exit_code": {}, "processes": 1,
    "device": "GPU", "unsupported": {{}}, "refused": {{}}, "damaged_lines": 0,
    "report_is_cut": false, "kernels": [{}], "findings": [{{"name": "k", "defect": true}},
    {{"name": "k", "defect": false}}, {{"name": "", "defect": true}}]}})",
      exit_code, kernels);
}
constexpr const char* kernel =
    R"({"name": "k", "launches": 2, "T": 30, "sectors": 40, "conflicts": 5, "predicted_ms": null})";

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
  CHECK(report::to_csv(merged.report) ==
        "file,program,arguments,device,exit_code,name,launches,T,sectors,conflicts,predicted_ms,"
        "findings,incomplete\n" +
            file + "/1.json,./p,a b;7,GPU,0,k,2,30,40,5,,1,\n" + file +
            "/1.json,./p,a b;7,GPU,0,,,,,,,1,\n" + file +
            "/2.json,./p,a b;7,GPU,137,,,,,,,2,stopped by signal 9\n");
  CHECK_THAT(merged.missing, says("1 of 2 runs are not complete", "2.json (stopped by signal 9)"));
  CHECK(merge_results({folder.file("1.json")}).missing.empty());
}

TEST_CASE("a damaged result is named with what to do", "[exec][merge][bad_input]") {
  const test::TempFolder folder;
  for (const std::string& text : {result_of(0, kernel).substr(0, 300), {R"({"program": []})"}}) {
    test::put(folder / "1.json", text);
    CHECK_THAT(test::message_of<FileError>([&] { return merge_results({folder.file("1.json")}); }),
               says("1.json: no result of", "remove it and run its program again"));
  }
}

}  // namespace agpusim::exec

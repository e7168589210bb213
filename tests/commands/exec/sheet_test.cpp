#include "agpusim/commands/exec/sheet.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/tests/validation/exec/records.hpp"

namespace agpusim::exec {
namespace {

using Catch::Matchers::ContainsSubstring;

/// 40 kernels with a line and a finding each, 20 that were not run, and 40 changes.
Sheet large_sheet() {
  std::string lines;
  Sheet sheet;
  sheet.against.emplace();
  for (std::uint32_t i = 0; i < 40; ++i) {
    LaunchRecord launch = test::launch_of(fmt::format("kernel{}", i));
    launch.lines[0].line = 100 + i;
    launch.findings = {test::race()};
    lines += to_line(launch);
    if (i < 20) lines += to_line(RefusedKernel{7, fmt::format("no{}", i), "wgmma"});
    sheet.against->kernels.push_back({launch.kernel, "", "", "T", 1, 2});
    sheet.against->lines.push_back({launch.kernel, "a.cu:1", "x", "T", 1, 2});
    sheet.against->kernels.push_back({launch.kernel, "", "", "Q", 2, 1});
    sheet.against->lines.push_back({launch.kernel, "a.cu:1", "x", "Q", 2, 1});
    FailedCall call = test::failed_call();
    call.index = i;
    call.reason = fmt::format("{} threads", 2000 + i);
    lines += to_line(call);
  }
  std::istringstream in(lines);
  sheet.command = {"./prog"};
  sheet.program = read_report(in);
  return sheet;
}

}  // namespace

TEST_CASE("a sheet has 80 lines at most, with all of them on demand and in JSON", "[exec]") {
  Sheet sheet = large_sheet();
  const auto lines_of_text = [&] {
    const std::string text = to_text(to_report(sheet));
    return std::count(text.begin(), text.end(), '\n');
  };
  CHECK(lines_of_text() <= 80);
  const auto json = nlohmann::json::parse(to_json(to_report(sheet)));
  CHECK(json["launches"].size() == 40);
  CHECK(json["findings"].size() == 40);
  CHECK(json["lines"].size() == 80);
  CHECK(json["refused"].size() == 20);
  CHECK(json["against"]["lines"].size() == 80);
  CHECK(json["failed_calls"].size() == 40);
  sheet.by_line = true;
  CHECK(lines_of_text() > 220);
}

/// All tables that a reader sees.
std::vector<report::Table> tables_of(const report::Section& section) {
  std::vector<report::Table> all;
  for (const report::Table& table : section.tables) {
    if (table.for_reader) all.push_back(table);
  }
  for (const report::Section& inner : section.sections) {
    for (report::Table& table : tables_of(inner)) all.push_back(std::move(table));
  }
  return all;
}

TEST_CASE("a sheet of long names fits its page, with the numbers of every table", "[exec]") {
  Sheet sheet = large_sheet();
  for (LaunchRecord& launch : sheet.program.launches) {
    launch.phase.kernel =
        "void cub::DeviceScanKernel<cub::DeviceScanPolicy<int>::Policy600, int*, int*, "
        "cub::ScanTileState<int, true>, " +
        launch.phase.kernel + "::Plus, int>(int*, int*, int)";
    launch.lines[0].file = "/home/me/project/src/kernels/" + std::string(40, 'x') + ".cuh";
  }
  const report::Report report = to_report(sheet);
  std::size_t numbers = 0;
  for (const std::size_t width : {80U, 100U}) {
    const std::string text = to_text(report, {width});
    std::istringstream words(text);
    const std::set<std::string> seen{std::istream_iterator<std::string>(words), {}};
    for (const report::Table& table : tables_of(report.body)) {
      for (std::size_t row = 0; row < std::min(table.most, table.rows.size()); ++row) {
        for (const std::size_t i : report::shown_columns(table)) {
          const report::Name& name = table.columns[i];
          if (!table.rows[row][i].is_number() || name.rank > 0) continue;
          const std::string cell = report::to_text(table.rows[row][i], name.format);
          CAPTURE(width, name.title, cell, text);
          CHECK(seen.count(cell.substr(0, cell.find(' '))) == 1);
          ++numbers;
        }
      }
    }
    test::check_width(text, width, "\n");
  }
  CHECK(numbers > 100);
}

TEST_CASE("notes are no findings unless asked for, and a comment accepts a finding", "[exec]") {
  const test::TempFolder folder;
  const std::string source = folder.file("sum.cu");
  test::put(source, "x; // agpusim: allow race in shared memory\ny;\n");
  std::istringstream in(to_line(test::launch_of("kernel")));
  Sheet sheet{.command = {"./prog"}, .program = read_report(in)};
  auto& findings = sheet.program.launches.at(0).findings;
  const auto title = [&] { return to_report(sheet).title; };
  findings = {test::race()};
  findings[0].where = {{source, 2}};
  CHECK(title().ends_with("; 1 finding"));
  findings[0].where = {{source, 1}};
  CHECK(title().ends_with("; 0 findings, 1 note"));
  findings[0].rule = ptx::Rule::ended_lanes;  // another rule than the line accepts
  CHECK(title().ends_with("; 0 findings, 1 note"));
  sheet.strict = true;
  CHECK(title().ends_with("; 1 finding"));
}

TEST_CASE("a sheet says what failed, and how much of it the program knows", "[exec]") {
  const auto text_of = [](const FailedCall& call) {
    std::istringstream in(to_line(ProgramStart{7, "/x", "13"}) + to_line(call) +
                          to_line(test::launch_of("_Z6reducePi")));
    return to_text(to_report(Sheet{.command = {"./prog"}, .program = read_report(in)}));
  };
  FailedCall call = test::failed_call();
  call.of_simulator = false;
  const std::string unseen = text_of(call);
  CHECK_THAT(unseen, ContainsSubstring("1 launch, results are not complete; 0 findings\n"));
  CHECK_THAT(unseen, ContainsSubstring("failed calls      kernel  error"));
  CHECK_THAT(unseen,
             ContainsSubstring("cudaLaunchKernel  reduce  cudaErrorInvalidConfiguration      "
                               "3          1  2,048 threads\n"));
  call.looked = call.times;
  const std::string seen = text_of(call);
  CHECK_THAT(seen, ContainsSubstring("results computed, but for calls that failed"));
  CHECK_THAT(seen, ContainsSubstring("the program knows of failed calls: cudaLaunchKernel returned "
                                     "cudaErrorInvalidConfiguration (2,048 threads)\n"));
  CHECK_THAT(seen, !ContainsSubstring("looked at"));
  call.of_simulator = true;
  CHECK_THAT(text_of(call), ContainsSubstring("results are not complete"));
}

TEST_CASE("a sheet names the kernel that was running, its findings and the copies", "[exec]") {
  LaunchRecord running = test::begun("_Z6reducePi");
  running.ended_ctas = 12;
  running.findings = {test::race()};
  std::istringstream in(to_line(Copies{7, 4096, 0, 0, 1}) + to_line(running));
  Sheet sheet{.command = {"./prog"}, .exit_code = 128 + 15, .program = read_report(in)};
  const std::string text = to_text(to_report(sheet));
  CHECK_THAT(text, ContainsSubstring("1 launch, ended by a signal: what came after is missing; 1 "
                                     "finding\ncopies: 4.096 kB in, 0 B out\n"));
  CHECK_THAT(
      text, ContainsSubstring("kernel reduce was stopped by a signal: 12 of 128 CTAs had ended\n"));
  CHECK_THAT(text, ContainsSubstring("not ended: 12 of 128 CTAs\n"));
  CHECK_THAT(text, ContainsSubstring("race in shared memory  sum.hpp:5"));
  // An exit code that is no signal's.
  sheet.exit_code = 190;
  CHECK_THAT(to_text(to_report(sheet)), ContainsSubstring("results are not complete"));
}

TEST_CASE("rises and falls of costs stand apart, below the time of the program", "[exec]") {
  Sheet sheet;
  Comparison& against = sheet.against.emplace();
  against.time = Change{"", "", "", "ms", 0.03794, 0.03262};
  against.kernels = {{"gram", "", "", "ms", 0.025, 0.02},
                     {"gram", "", "", "wavefronts", 1000, 1030},
                     {"gram", "", "", "Q", 5, 4}};
  against.lines = {{"gram", "x.cu:77", "old", "T", 9, 0}, {"gram", "x.cu:78", "new", "T", 0, 3}};
  against.dearer = {against.kernels[1]};
  const std::string text = to_text(to_report(sheet));
  CHECK_THAT(text, ContainsSubstring("Against the base: 0.03794 -> 0.03262 ms (-14.0 %)\n"
                                     "dearer: wavefronts of gram (+3.0 %)\n"));
  CHECK_THAT(text, ContainsSubstring("kernel  rises        base    now  change\n"
                                     "gram    wavefronts  1,000  1,030  +3.0 %\n"
                                     "kernel  falls            base      now   change\n"
                                     "gram    predicted ms  0.02500  0.02000  -20.0 %\n"
                                     "gram    Q                   5        4  -20.0 %\n"));
  CHECK_THAT(text, ContainsSubstring("gram    x.cu:78  T         0    3  new\n"));
  CHECK_THAT(text, ContainsSubstring("gram    x.cu:77  T         9    0  -100.0 %  old\n"));
  const auto json = nlohmann::json::parse(to_json(to_report(sheet)));
  CHECK(json["against"]["kernels"][0]["base"] == 0.025);
  CHECK(json["against"]["kernels"][1]["base"].is_number_integer());
}

}  // namespace agpusim::exec

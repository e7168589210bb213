#include "agpusim/validation/exec/sheet.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/validation/exec/records.hpp"

namespace agpusim::exec {
namespace {

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
  }
  std::istringstream in(lines);
  sheet.command = {"./prog"};
  sheet.program = read_report(in);
  return sheet;
}

}  // namespace

TEST_CASE("a sheet has 60 lines at most, with all of them on demand and in JSON", "[exec]") {
  Sheet sheet = large_sheet();
  const auto lines_of_text = [&] {
    const std::string text = to_text(to_report(sheet));
    return std::count(text.begin(), text.end(), '\n');
  };
  CHECK(lines_of_text() <= 60);
  const auto json = nlohmann::json::parse(to_json(to_report(sheet)));
  CHECK(json["launches"].size() == 40);
  CHECK(json["findings"].size() == 40);
  CHECK(json["lines"].size() == 80);
  CHECK(json["refused"].size() == 20);
  CHECK(json["against"]["lines"].size() == 40);
  sheet.by_line = true;
  CHECK(lines_of_text() > 220);
}

}  // namespace agpusim::exec

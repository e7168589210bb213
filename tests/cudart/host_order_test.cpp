// Right idioms of order between kernels, copies and the host have no finding, and their broken
// twins the expected one.
#include <regex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/memory_model/expected.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim::test {
namespace {

/// Whether a program is judged as its name says. `rule`: of the finding of a broken one.
bool is_judged_right(const std::string& name, const std::string& rule) {
  const Finished exec = run_cli(
      fmt::format("exec --quiet-program --json - -- '{}' {}", AGPUSIM_CUDART_PROGRAM_PATH, name));
  if (rule.empty()) return exec.exit_code == 0;
  if (exec.exit_code != 4) return false;
  const nlohmann::json sheet = nlohmann::json::parse(exec.out);
  for (const nlohmann::json& finding : sheet.at("findings")) {
    const auto text = finding.at("rule").get<std::string>() + finding.at("text").get<std::string>();
    if (finding.at("defect").get<bool>() && is_of_rule(text, rule)) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("programs that leave kernels, copies and the host without order are told from right ones",
          "[cudart][memory_model]") {
  const std::set<std::string> wrong = judged_wrongly();
  static const std::regex form(R"(^HOST_IDIOM\((\w+), (\w+)\) \{)");
  std::istringstream source(content(AGPUSIM_TEST_DIR "/cudart/program/host_order.cpp"));
  std::size_t idioms = 0;
  for (std::string line; std::getline(source, line);) {
    std::smatch found;
    if (!std::regex_search(line, found, form)) continue;
    ++idioms;
    for (const bool right : {true, false}) {
      const std::string name = found[1].str() + (right ? "_right" : "_broken");
      INFO(name);
      CHECK(is_judged_right(name, right ? "" : found[2].str()) != wrong.contains(name));
    }
  }
  CHECK(idioms >= 30);
}

}  // namespace agpusim::test

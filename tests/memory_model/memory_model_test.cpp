// Right idioms of CUDA's memory model have no finding, and their broken twins the expected one.
#include <regex>

#include <fmt/format.h>

#include "agpusim/ptx/run/arguments.hpp"
#include "agpusim/ptx/run/device.hpp"
#include "agpusim/tests/memory_model/expected.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim::ptx::memory_model {
namespace {

const std::string folder = AGPUSIM_TEST_DIR "/memory_model/";

/// A kernel of a source file.
struct Idiom {
  std::string file;
  std::string kernel;
  std::uint32_t ctas = 1;
  std::uint32_t threads = 1;
  std::string rule;  ///< the expected finding, as it is written in the source; "" if none
};

std::vector<Idiom> idioms_of(const std::string& file) {
  static const std::regex form(R"(^(IDIOM|RIGHT)\((\w+), (\d+), (\d+)(, (\w+))?\) \{)");
  std::vector<Idiom> result;
  std::istringstream source(test::content(folder + file + ".cu"));
  for (std::string line; std::getline(source, line);) {
    std::smatch found;
    if (!std::regex_search(line, found, form)) continue;
    const auto ctas = static_cast<std::uint32_t>(std::stoul(found[3]));
    const auto threads = static_cast<std::uint32_t>(std::stoul(found[4]));
    result.push_back({file, found[2].str() + "_right", ctas, threads, ""});
    if (found[1] == "RIGHT") continue;
    result.push_back({file, found[2].str() + "_broken", ctas, threads, found[6]});
  }
  return result;
}

/// The rules of the findings of a run, without notes.
std::set<std::string> found_in(const Idiom& idiom, const std::shared_ptr<const Module>& module) {
  Options options;
  options.threads = 1;
  options.most_turns = 1 << 22;
  Device device(AgpuSpec{}, options);
  const auto program = Program::compile(module, idiom.kernel);
  const Arguments arguments(
      *program,
      {"in:u32:1024", "out:u32:1024:zeros", "flag:u32:1024:zeros", "fresh:u32:1024:unwritten"},
      device.memory(), 17);
  const LaunchReport report = device.launch(
      {program, {idiom.ctas, 1, 1}, {idiom.threads, 1, 1}, 4096, arguments.parameters()});
  std::set<std::string> rules;
  for (const Finding& finding : report.findings) {
    if (!is_note(finding.rule)) rules.emplace(to_string(finding.rule));
  }
  return rules;
}

struct Row {
  Idiom idiom;
  std::set<std::string> found;

  [[nodiscard]] bool is_as_expected() const {
    if (idiom.rule.empty()) return found.empty();
    return std::any_of(found.begin(), found.end(),
                       [&](const std::string& rule) { return test::is_of_rule(rule, idiom.rule); });
  }
  [[nodiscard]] std::string text() const {
    return fmt::format("{:5} {:9} {:44} {:26} {}\n", is_as_expected() ? "right" : "WRONG",
                       idiom.file, idiom.kernel, idiom.rule.empty() ? "-" : idiom.rule,
                       fmt::join(found, ", "));
  }
};

std::vector<Row> rows() {
  std::vector<Row> result;
  for (const char* const file : {"barriers", "warps", "fences", "atomics", "global", "async"}) {
    const auto module =
        std::make_shared<const Module>(Module::parse(test::content(folder + file + ".ptx"), file));
    for (const Idiom& idiom : idioms_of(file)) result.push_back({idiom, found_in(idiom, module)});
  }
  return result;
}

}  // namespace

TEST_CASE("idioms of the memory model are told from their broken twins", "[ptx][memory_model]") {
  const std::set<std::string> wrong = test::judged_wrongly();
  std::size_t right = 0;
  std::size_t broken = 0;
  for (const Row& row : rows()) {
    INFO(row.text());
    CHECK(row.is_as_expected() != wrong.contains(row.idiom.kernel));
    ++(row.idiom.rule.empty() ? right : broken);
  }
  CHECK(right >= 60);
  CHECK(broken >= 60);
}

TEST_CASE("the table of the idioms is printed", "[.][memory_model_table]") {
  for (const Row& row : rows()) fmt::print("{}", row.text());
}

}  // namespace agpusim::ptx::memory_model

#include "agpusim/commands/ptx/ptx_report.hpp"

#include <filesystem>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/model/source_text.hpp"
#include "agpusim/validation/exec/findings.hpp"
#include "agpusim/validation/exec/sheet_rows.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/records/run_json.hpp"
#include "agpusim/validation/report/run_report.hpp"

namespace agpusim {
namespace {

using detail::integer_text;
using report::Fact;
using report::Format;
using report::Section;
using report::Value;

/// Lines of printf that text and pages show at most.
constexpr std::size_t most_printed = 100;

/// "2,048 CTAs", "16x16 = 256 CTAs".
std::string dim_text(const ptx::Dim3& dim, const char* unit) {
  std::string text = exec::dim_text(dim);
  const auto count = static_cast<std::int64_t>(dim.count());
  if (count != dim.x) text += " = " + integer_text(count);
  return fmt::format("{} {}{}", text, unit, count == 1 ? "" : "s");
}

Section heading(const PtxRun& run) {
  const ptx::Program& program = *run.program;
  const auto dim = [](const ptx::Dim3& d) { return Value::array({d.x, d.y, d.z}); };
  const std::int64_t shared = std::int64_t{program.shared_bytes} + run.launch.dynamic_shared;
  Section section;
  section.sentences = {run.report.spec.to_string()};
  section.facts = {
      {{"files", ""}, run.files},
      {{"kernel", "kernel"}, program.kernel},
      {{"name", ""}, run.launch.phase.kernel},
      {{"machine", ""}, detail::encode(run.report.spec)},
      {{"grid", ""}, dim(run.launch.grid)},
      {{"block", ""}, dim(run.launch.block)},
      {{"", "grid"}, dim_text(run.launch.grid, "CTA") + ", each is a task"},
      {{"", "block"},
       dim_text(run.launch.block, "thread") + "; V is their number, rounded up to a multiple of b"},
      {{"shared_bytes", ""}, shared},
      {{"dynamic_shared_bytes", ""}, run.launch.dynamic_shared},
      {{"", "shared"},
       fmt::format("{} bytes of a CTA, {} of them dynamic", integer_text(shared),
                   integer_text(run.launch.dynamic_shared))},
      {{"live_registers", ""}, program.live_words},
      {{"", "registers"},
       fmt::format("{} of a lane are live at once in the PTX", program.live_words)},
      {{"arguments", ""}, run.arguments},
      {{"", "arguments"},
       run.arguments.empty() ? "none" : fmt::format("{}", fmt::join(run.arguments, ", "))},
      {{"complete", ""}, run.launch.complete}};
  return section;
}

Section findings(const PtxRun& run, SourceText& sources) {
  std::vector<exec::FindingRow> rows;
  for (const ptx::Finding& finding : run.launch.findings)
    rows.push_back({run.launch.phase.kernel, 0, finding});
  Section section = exec::findings_section(rows, sources, rows.size(), true, false);
  if (rows.empty()) return section;
  section.heading =
      detail::counted(std::ssize(rows), "finding") + ", with the first CTA that met it:";
  section.remarks.emplace_back(
      run.launch.complete ? "The kernel went on: the costs below are those of the whole launch."
                          : "The launch stopped there: it has no costs.");
  return section;
}

/// What the costs of AGPU do not have.
Section beside(const PtxRun& run) {
  const exec::LaunchRecord& launch = run.launch;
  Section section;
  const auto add = [&](const char* key, const char* title, std::int64_t value,
                       const char* meaning) {
    section.facts.push_back({{key, value > 0 ? title : "", Format::integer}, value, meaning});
  };
  const UnpricedAccesses& unpriced = launch.phase.unpriced;
  add("local_requests", "local requests", unpriced.local_requests,
      "local memory, in no count above; registers may hold it");
  add("local_lines", "local lines", unpriced.local_lines, "of 128 bytes: a word of each lane");
  add("constant_turns", "constant turns", unpriced.constant_turns,
      "addresses of a warp beyond the first, of constant memory");
  add("polls", "polls", launch.polls, "turns of waiting loops beyond each wait's first; free");
  for (Fact& fact : prediction_facts(run.launch.predicted))
    section.facts.push_back(std::move(fact));
  if (run.launch.predicted.prediction && !launch.phase.execution.counted) {
    section.facts.push_back({{"", " "}, "a rough one: every instruction counts as an addition"});
  }
  return section;
}

Section printed(const std::string& output) {
  Section section;
  section.facts = {{{"output", ""}, output}};
  if (output.empty()) return section;
  std::istringstream lines(output);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    if (count < most_printed) section.sentences.push_back(line);
  }
  section.heading =
      fmt::format("printf, {}:", detail::counted(static_cast<std::int64_t>(count), "line"));
  if (count > most_printed) {
    section.sentences.push_back(
        fmt::format("... and {} more: `output` of --json has all",
                    integer_text(static_cast<std::int64_t>(count - most_printed))));
  }
  return section;
}

}  // namespace

report::Report to_report(const PtxRun& run) {
  std::vector<std::string> folders;  // where the .cu files may be
  for (const std::string& file : run.files) {
    folders.push_back(std::filesystem::path(file).parent_path().string());
  }
  folders.emplace_back();
  SourceText sources(folders);
  report::Report report;
  report.title = fmt::format("{}, {}", run.launch.phase.kernel, fmt::join(run.files, " "));
  report.folders = folders;
  if (run.launch.complete) report.answer = costliest_line(run.report);
  report.answer.in_text = true;
  report.width = report::sheet_width;
  std::vector<Section>& sections = report.body.sections;
  sections = {heading(run), findings(run, sources)};
  if (run.launch.complete) {
    std::vector<Section> costs = cost_sections(run.report, folders);
    costs.insert(costs.begin() + 1, beside(run));
    for (Section& section : costs) sections.push_back(std::move(section));
  }
  sections.insert(sections.end() - (run.launch.complete ? 2 : 0), printed(run.launch.output));
  if (run.why) sections.push_back(*run.why);
  return report;
}

}  // namespace agpusim

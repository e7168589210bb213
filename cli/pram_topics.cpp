#include "agpusim/cli/pram_topics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/sizes.hpp"

namespace agpusim {
namespace {

std::vector<std::string> machine_names(const Variant& variant) {
  std::vector<std::string> names;
  for (const PramAccess access : variant.machines) names.emplace_back(to_string(access));
  return names;
}

std::string variant_lines(const PramSide& side) {
  std::string text;
  for (const Variant& variant : side.variants) {
    text += fmt::format("  {:<14} {}\n  {:14} machines: {}\n  {:14} {} [{}]\n", variant.name,
                        variant.help, "", fmt::join(machine_names(variant), ", "), "",
                        variant.on_pram.text, variant.source);
  }
  return text;
}

/// The run whose parameter defaults the help shows, without the parameters.
RunConfig example_run(const Algorithm& algorithm) {
  RunConfig config = run_on_pram();
  config.algorithm = algorithm.name;
  config.variant = algorithm.pram->variants.front().name;
  config.n = std::int64_t{1} << 10;
  config.input = algorithm.pram->inputs.front();
  config.pram->access = algorithm.pram->variants.front().machines.front();
  return config;
}

std::string parameter_lines(const Algorithm& algorithm) {
  if (algorithm.pram->parameters.empty()) return {};
  RunConfig example = example_run(algorithm);
  std::string text =
      fmt::format("\nParameters (--set NAME=VALUE; defaults for n = {}):\n", size_text(example.n));
  for (const Parameter& parameter : algorithm.pram->parameters) {
    const std::int64_t value = parameter.default_value(example);
    text += fmt::format("  {:<12} {:>8}  {}\n", parameter.name, value, parameter.help);
    example.parameters[parameter.name] = value;  // a later default may depend on it
  }
  return text;
}

}  // namespace

std::string pram_algorithm_text(const Algorithm& algorithm) {
  const PramSide& side = algorithm.pram.value();
  return fmt::format("{} on a PRAM: {}\n\nVariants:\n{}\nInputs: {}\n{}", algorithm.name,
                     side.summary, variant_lines(side), fmt::join(side.inputs, ", "),
                     parameter_lines(algorithm)) +
         fmt::format(
             "\nThe first variant and input is the default; a variant runs on the first of its "
             "machines.\nFor example:\n"
             "  agpusim pram {0} --n 2^10\n  agpusim pram {0} --n 2^10 --all-variants --on-agpu\n",
             algorithm.name);
}

std::string pram_machines_text() {
  return "A PRAM has processors that share one memory of signed w-bit cells (--w, default 64). In\n"
         "one step every active processor reads cells (--reads-per-step, default 2), computes, "
         "and\n"
         "writes at most one cell; all reads see the memory before any write of the step.\n"
         "The machines (--model) differ in what several accesses to one cell in one step do:\n"
         "  erew       an error\n"
         "  crew       many may read; two writers are an error\n"
         "  common     many may read and write; the written values must be equal\n"
         "  arbitrary  one writer wins, drawn from --seed\n"
         "  priority   the writer with the smallest number wins\n"
         "  sum        the cell receives the sum of the written values; with --sum count, the\n"
         "             number of writers\n"
         "  max, min   the largest, the smallest written value\n"
         "  or, xor    the bitwise or, the bitwise exclusive or of the written values\n"
         "On a Sum-CRCW PRAM a write replaces what the cell held; an algorithm may also "
         "accumulate:\n"
         "old content plus the sum. Reading a cell that nobody wrote, more reads than allowed, a\n"
         "value of more than w bits and forbidden concurrency are errors that name step, "
         "processors,\n"
         "cell and source line.\n"
         "Each variant of an algorithm has a machine of its own, which is the default.\n";
}

report::Report pram_overview() {
  using report::Column;
  using report::Value;
  using V = Variant;
  static const std::vector<Column<V>> columns = {
      {{"name", ""}, [](const V& variant) { return Value(variant.name); }},
      {{"help", ""}, [](const V& variant) { return Value(variant.help); }},
      {{"machines", ""}, [](const V& variant) { return Value(machine_names(variant)); }},
      {{"bound", ""}, [](const V& variant) { return Value(variant.on_pram.text); }},
      {{"source", ""}, [](const V& variant) { return Value(variant.source); }}};
  report::Report report;
  report.title = "Algorithms on a PRAM; `agpusim pram NAME --n SIZE` runs one.\n";
  for (const Algorithm& row : catalog().on_pram()) {
    const PramSide& side = *row.pram;
    Value parameters = Value::array();
    for (const Parameter& parameter : side.parameters) {
      parameters.push_back({{"name", parameter.name}, {"help", parameter.help}});
    }
    report::Section section;
    section.key = "algorithms";
    section.list = true;
    section.heading = fmt::format("{}: {}", row.name, side.summary);
    section.facts = {{{"name", ""}, row.name, "", "algorithm"},
                     {{"summary", ""}, side.summary},
                     {{"inputs", ""}, side.inputs},
                     {{"parameters", ""}, parameters}};
    std::string lines = variant_lines(side);
    lines.pop_back();  // the writer ends the line
    section.sentences = {lines};
    section.tables = {report::table("variants", columns, side.variants)};
    section.tables[0].csv = true;
    section.tables[0].for_reader = false;
    report.body.sections.push_back(section);
  }
  return report;
}

}  // namespace agpusim

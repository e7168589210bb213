#include "agpusim/commands/help/help_topics.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/algorithms/common/numeric_input.hpp"
#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/machines.hpp"
#include "agpusim/cli/pram_topics.hpp"
#include "agpusim/cli/run_time.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/commands/help/help_vocabulary.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

std::string machines_topic() {
  return "An abstract machine AGPU(p,b,M,w) has k = p/b multiprocessors of b cores. Global memory\n"
         "is read and written in aligned blocks of b words; shared memory has M words in b banks.\n"
         "A task runs on V lanes (V = W*b: W warps of b lanes).\n\n" +
         machines_text() +
         "\nParameters override a named machine: --machine h200 --M 4096. When --b is given "
         "without\n"
         "--V, a task keeps its number of warps. b in 1..1024 divides p, M >= b, w in 8..64,\n"
         "V a multiple of b up to 1024.\n\n"
         "Times are predicted on the machines " +
         predicted_machines() +
         ", whose\n"
         "device has constants: measured (`agpusim calibrate`) or, as every prediction then says,\n"
         "published and guessed. On the others everything is counted and no time is predicted; "
         "where b = 32 and w = 32, --device h200 of compare, sweep, why and\n"
         "pipeline predicts as if the machine were an H200.\n\n"
         "`agpusim calibrate --out DIR/NAME.json` describes another GPU and its machines NAME,\n"
         "NAME-wide, NAME-block and NAME-full: those of compare, sweep, why and pipeline with\n"
         "--devices DIR.\n";
}

std::string sizes_topic() {
  return "A size is a whole number written as\n"
         "  1048576     digits\n"
         "  2^20        a power\n"
         "  1e6, 1.5e3  a decimal number whose value is whole\n"
         "  64k 2M 1G   decimal suffixes: k = 10^3, M = 10^6, G = 10^9, T = 10^12\n"
         "  64Ki 2Mi    binary suffixes: Ki = 2^10, Mi = 2^20, Gi = 2^30, Ti = 2^40\n"
         "  3*2^10      a product of the above\n"
         "An input has 1 to 2^40 elements; of some algorithms also none. From 2^32 words of\n"
         "memory on, words need more bits: --w 64.\n"
         "`agpusim sweep`, `compare` and `bounds` take lists of sizes:\n"
         "  1000,2^10   sizes with commas between them\n"
         "  2^10..2^24  a range: the first size, doubled up to the last\n";
}

std::string inputs_topic() {
  const auto kinds = [](const std::vector<std::string>& names,
                        std::string (*describe)(const std::string&)) {
    std::string lines;
    for (const std::string& kind : names) {
      lines += fmt::format("  {:<16} {}\n", kind, describe(kind));
    }
    return lines;
  };
  std::string text =
      "Inputs are made from a seed (--seed) and are the same on every machine. Elements u32, "
      "u64:\n" +
      kinds(input_kinds(), describe_input) + "\nKeys of the integer sorts (i32):\n" +
      kinds(key_kinds(), describe_keys) +
      "\nNumbers of minmax and statistics (f32, f64, i32, i64):\n" +
      kinds(numeric_kinds(), describe_numeric) +
      "\nThey can be given: --input values:3,1,7 (numbers also nan, inf, -inf), or --input "
      "file:NAME, a\n"
      "file of elements of the run's type as the memory of this machine holds them (numpy: "
      "tofile).\n"
      "\nAlgorithms take:\n";
  for (const Algorithm& row : catalog().on_agpu()) {
    text += fmt::format("  {:<16} {}\n", row.name, fmt::join(row.inputs, ", "));
  }
  return text;
}

std::string exit_codes_topic() {
  struct Row {
    int code;
    const char* meaning;
  };
  const auto code = [](ExitCode value) { return static_cast<int>(value); };
  const Row rows[] = {
      {code(ExitCode::ok), "done"},
      {code(ExitCode::internal), "a defect of agpusim itself; please report it"},
      {code(ExitCode::usage),
       "an argument that cannot be used, as an unknown algorithm, variant, machine or device"},
      {code(ExitCode::bad_file), "an input file that is damaged, edited or of another schema"},
      {code(ExitCode::rule),
       "the program broke a rule of the abstract machine, a CUDA program one of CUDA"},
      {code(ExitCode::io), "a file or folder that is not there, or cannot be read or written"},
      {code(ExitCode::unavailable),
       "this build or machine lacks what was asked for (CUDA, a GPU, MPI), or a CUDA program asked "
       "for what is not supported"},
      {code(ExitCode::mismatch),
       "a result or count differs from its reference, from a formula or from derived or stored "
       "counts, undercuts a stated lower bound, a condition of exec does not hold, or points of a "
       "sweep are missing"},
      {interrupted_exit_code, "interrupted (Ctrl-C)"},
  };
  std::string text = "Exit codes:\n";
  for (const Row& row : rows) {
    text += fmt::format("  {:>3}  {}\n", row.code, row.meaning);
  }
  text += "exec ends with the code of its program where that is not 0 and nothing of this holds.\n";
  return text;
}

std::string defaults_first(const std::vector<std::string>& names) {
  return names.empty() ? "one form only" : fmt::format("{}", fmt::join(names, ", "));
}

/// The run that the help shows, without its parameters: of an input whose simulation takes seconds.
RunConfig example_run(const Algorithm& algorithm) {
  constexpr std::int64_t usual = 1 << 20;
  constexpr double most_lane_operations = 1LL << 33;  // a core does about 2^30 in a second
  RunConfig config;
  config.algorithm = algorithm.name;
  config.n = usual;
  config.spec = machines().front().spec;
  if (!algorithm.variants.empty()) config.variant = algorithm.variants.front().name;
  if (!algorithm.types.empty()) config.type = algorithm.types.front();
  if (!algorithm.inputs.empty()) config.input = algorithm.inputs.front();
  config.n = affordable_n(algorithm, resolve(algorithm, config), usual, most_lane_operations);
  return config;
}

/// A variant's name, and its types where it cannot run all of them.
std::string variant_title(const Variant& variant) {
  return variant.types.empty()
             ? variant.name
             : fmt::format("{} ({})", variant.name, fmt::join(variant.types, ", "));
}

/// What every variant is, its time T and I/O Q.
std::string variants_text(const Algorithm& algorithm) {
  RunConfig form;
  const auto bounds = [&] {
    return fmt::format("T = {}\n            Q = {}\n", time_bound(algorithm, form).text,
                       io_bound(algorithm, form).text);
  };
  if (algorithm.variants.empty()) return "  bounds    " + bounds();
  std::size_t column = 0;
  for (const Variant& variant : algorithm.variants) {
    column = std::max(column, variant_title(variant).size());
  }
  std::string text = "  variants\n";
  for (const Variant& variant : algorithm.variants) {
    form.variant = variant.name;
    const std::string title = variant_title(variant);
    text += "    " +
            (variant.help.empty() ? title : fmt::format("{:<{}}  {}", title, column, variant.help));
    text += "\n            " + bounds();
  }
  return text;
}

}  // namespace

const std::vector<Topic>& general_topics() {
  static const std::vector<Topic> topics = {
      {"machines", machines_topic},
      {"sizes", sizes_topic},
      {"inputs", inputs_topic},
      {"exit-codes", exit_codes_topic},
      {"pram-machines", pram_machines_text},
      {"vocabulary", vocabulary_text},
  };
  return topics;
}

std::string algorithm_text(const Algorithm& algorithm) {
  std::string text =
      fmt::format("{}: {}\n\n  source    {}\n  types     {}\n  inputs    {}\n{}", algorithm.name,
                  algorithm.summary, algorithm.source, defaults_first(algorithm.types),
                  defaults_first(algorithm.inputs), variants_text(algorithm));
  RunConfig example = example_run(algorithm);
  if (!algorithm.parameters.empty()) {
    text += fmt::format("\nParameters (--set NAME=VALUE; defaults for n = {} on {}):\n",
                        size_text(example.n), machines().front().name);
    for (const Parameter& parameter : algorithm.parameters) {
      const std::int64_t value = parameter.default_value(example);
      text += fmt::format("  {:<12} {:>8}  {}\n", parameter.name, value, parameter.help);
      example.parameters[parameter.name] = value;  // a later default may depend on it
    }
  }
  return text + fmt::format(
                    "\nThe first variant, type and input is the default. For example:\n"
                    "  agpusim run {} --n {} --machine {}\n",
                    algorithm.name, size_text(example.n), machines().front().name);
}

}  // namespace agpusim

#include "agpusim/cli/pram_command.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "agpusim/cli/assignments.hpp"
#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/host_memory.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/suggest.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

void set_parameter(RunConfig& config, const Algorithm& algorithm, const std::string& assignment) {
  std::vector<SettableParameter> known;
  for (const Parameter& p : algorithm.pram->parameters) known.push_back({p.name, p.least});
  const auto [name, value] = parse_assignment(algorithm.name, known, assignment);
  config.parameters[name] = value;
}

SumReading parse_sum(const std::string& word) {
  if (word == "values") return SumReading::values;
  if (word == "count") return SumReading::count;
  throw unknown_name("reading of Sum", word, {"values", "count"});
}

/// `name` when the algorithm has such a variant, or empty.
std::string checked_variant(const Algorithm& algorithm, const std::string& name) {
  const std::vector<std::string> known = variant_names(*algorithm.pram);
  if (!name.empty() && std::find(known.begin(), known.end(), name) == known.end()) {
    throw unknown_name("variant of " + algorithm.name, name, known);
  }
  return name;
}

PramSpec make_pram_spec(const PramCommand& command, std::uint64_t seed) {
  constexpr std::int64_t max_int = std::numeric_limits<std::int32_t>::max();
  PramSpec spec;
  if (!command.access.empty()) spec.access = parse_model(command.access);
  spec.sum = parse_sum(command.sum);
  spec.word_bits = static_cast<std::int32_t>(
      parse_size("--w", command.word_bits, {.max = max_int, .example = "32"}));
  spec.reads_per_step = static_cast<std::int32_t>(
      parse_size("--reads-per-step", command.reads_per_step, {.max = max_int, .example = "1"}));
  spec.max_processors =
      parse_size("--max-processors", command.max_processors, {.min = 0, .example = "1000"});
  spec.seed = seed;
  return spec;
}

}  // namespace

PramAccess parse_model(const std::string& word) {
  std::vector<std::string> known;
  for (int i = 0; i <= static_cast<int>(PramAccess::bit_xor); ++i) {
    known.emplace_back(to_string(static_cast<PramAccess>(i)));
    if (word == known.back()) return static_cast<PramAccess>(i);
  }
  throw unknown_name("PRAM", word, known);
}

RunConfig make_pram_config(const Algorithm& algorithm, const PramCommand& command,
                           const std::string& variant) {
  RunConfig config = run_on_pram();
  config.algorithm = algorithm.name;
  config.variant = checked_variant(algorithm, variant);
  config.n = input_size(command.n, command.input);
  config.input = command.input;
  config.seed = static_cast<std::uint64_t>(
      parse_size("--seed", command.seed,
                 {.min = 0, .max = std::numeric_limits<std::int64_t>::max(), .example = "1"}));
  config.pram = make_pram_spec(command, config.seed);
  for (const std::string& assignment : command.set) set_parameter(config, algorithm, assignment);
  RunConfig words;
  words.type = "i64";
  words.n = config.n;
  require_host_memory(words);
  config = resolve(algorithm, config, command.access.empty());
  if (config.pram->sum == SumReading::count && config.pram->access != PramAccess::sum) {
    throw UsageError(
        fmt::format("--sum count needs a Sum-CRCW PRAM, and this is the {}: choose "
                    "--model sum or leave it out",
                    config.pram->to_string()));
  }
  return config;
}

void require_possible(const RunConfig& config, const PramForm& form) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (form.processors <= most) return;
  throw UsageError(fmt::format(
      "{} ({}) needs {} processors in one step, and at most 2^31 - 1 are simulated: choose a "
      "smaller --n (or range), or a variant with fewer processors",
      config.algorithm, config.variant, size_text(form.processors)));
}

std::string trace_refusal(const RunConfig& config, std::int64_t work) {
  if (work <= max_traced_work) return {};
  return fmt::format(
      "{} ({}) with n = {} has {} operations, and at most {} are recorded for --processors, "
      "--work-span, --dot and --on-agpu: choose a smaller --n or leave them out",
      config.algorithm, config.variant, size_text(config.n), size_text(work),
      size_text(max_traced_work));
}

}  // namespace agpusim

#include "agpusim/cli/machine_options.hpp"

#include <array>
#include <limits>

#include <fmt/format.h>

#include "agpusim/cli/machines.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/suggest.hpp"

namespace agpusim {
namespace {

template <class Enum, std::size_t count>
Enum parse_choice(const std::string& thing, const std::string& word,
                  const std::array<Enum, count>& choices) {
  std::vector<std::string> known;
  for (const Enum choice : choices) {
    if (word == to_string(choice)) return choice;
    known.emplace_back(to_string(choice));
  }
  throw unknown_name(thing, word, known);
}

}  // namespace

void add_machine_options(CLI::App& command, MachineOptions& options) {
  const std::string group = "Machine";
  command.add_option("--machine", options.machine, "named machine (see `agpusim help machines`)")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  command.add_option("--p", options.cores, "cores in total")->type_name("SIZE")->group(group);
  command
      .add_option("--b", options.block_words, "words per block = banks = cores per multiprocessor")
      ->type_name("SIZE")
      ->group(group);
  command.add_option("--M", options.shared_words, "words of shared memory of one multiprocessor")
      ->type_name("SIZE")
      ->group(group);
  command.add_option("--w", options.word_bits, "bits of a word")->type_name("SIZE")->group(group);
  command.add_option("--V", options.width, "lanes of one task, a multiple of b (default: W*b)")
      ->type_name("SIZE")
      ->group(group);
  command.add_option("--bank-mode", options.bank_mode, "requests to one word: merge or strict")
      ->type_name("MODE")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--assignment", options.assignment,
                  "tasks to multiprocessors: static, list or next-fit")
      ->type_name("RULE")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--cap", options.cap,
                  "time units per multiprocessor under next-fit (0: twice the average)")
      ->type_name("SIZE")
      ->capture_default_str()
      ->group(group);
  command
      .add_flag("--no-skip-empty", options.no_skip_empty,
                "charge warps without an active lane one idle instruction")
      ->group(group);
}

AgpuSpec make_spec(const MachineOptions& options) {
  constexpr std::int64_t max = std::numeric_limits<std::int32_t>::max();
  const Machine machine = find_machine(options.machine, options.devices);
  AgpuSpec spec = machine.spec;
  if (!options.cores.empty()) {
    spec.cores = parse_size("--p", options.cores, {.example = "16896"});
  }
  if (!options.block_words.empty()) {
    const auto b = parse_size("--b", options.block_words, {.max = max_width, .example = "32"});
    spec.block_words = static_cast<std::int32_t>(b);
    spec.width = static_cast<std::int32_t>(machine.spec.warps() * b);
  }
  if (!options.shared_words.empty()) {
    spec.shared_words = parse_size("--M", options.shared_words, {.max = max, .example = "14528"});
  }
  if (!options.word_bits.empty()) {
    spec.word_bits = static_cast<std::int32_t>(
        parse_size("--w", options.word_bits, {.max = max, .example = "32"}));
  }
  if (!options.width.empty()) {
    spec.width = static_cast<std::int32_t>(
        parse_size("--V", options.width, {.max = max_width, .example = "32"}));
  }
  spec.bank_mode = parse_choice<BankMode, 2>("bank mode", options.bank_mode,
                                             {BankMode::merge, BankMode::strict});
  spec.assignment = parse_choice<Assignment, 3>(
      "assignment", options.assignment,
      {Assignment::static_cyclic, Assignment::list, Assignment::next_fit});
  spec.next_fit_cap = parse_size("--cap", options.cap, {.min = 0, .example = "1000"});
  if (spec.next_fit_cap > 0 && spec.assignment != Assignment::next_fit) {
    throw UsageError(fmt::format("--cap {} needs --assignment next-fit", options.cap));
  }
  spec.skip_empty = !options.no_skip_empty;
  validate(spec);
  return spec;
}

}  // namespace agpusim

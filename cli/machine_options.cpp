#include "agpusim/cli/machine_options.hpp"

#include <limits>

#include <fmt/format.h>

#include "agpusim/cli/machines.hpp"
#include "agpusim/cli/options.hpp"

namespace agpusim {

const std::vector<MachineAxis>& machine_axes() {
  using M = MachineOptions;
  constexpr std::int64_t word = std::numeric_limits<std::int32_t>::max();
  static const std::vector<MachineAxis> axes = {
      {"p", &M::cores, SizeRange{}.max, "16896", "cores in total"},
      {"b", &M::block_words, max_width, "32", "words per block = banks = cores per multiprocessor"},
      {"M", &M::shared_words, word, "14528", "words of shared memory of one multiprocessor"},
      {"w", &M::word_bits, word, "32", "bits of a word"},
      {"V", &M::width, max_width, "32", "lanes of one task, a multiple of b (default: W*b)"}};
  return axes;
}

void add_machine_options(CLI::App& command, MachineOptions& options,
                         const std::set<std::string>& lists) {
  const std::string group = "Machine";
  CLI::Option* const machine =
      add_text(command, "--machine", "named machine (see `agpusim help machines`)",
               [&options, list = lists.contains("machine")](const std::string& /*name*/,
                                                            const std::string& text) {
                 options.machines = list ? list_items(text) : std::vector{text};
               });
  machine->type_name("NAME")->default_str(options.machines.front())->group(group);
  if (lists.contains("machine")) machine->join(',');
  for (const MachineAxis& axis : machine_axes()) {
    const SizeRange range{.max = axis.max, .example = axis.example};
    auto& values = options.*axis.values;
    CLI::Option* const option =
        lists.contains(axis.name)
            ? add_sizes(command, "--" + axis.name, values, axis.help, range)->join(',')
            : add_size(command, "--" + axis.name, values, axis.help, range);
    option->type_name("SIZE")->group(group);
  }
  add_choice(command, "--bank-mode", options.bank_mode, "bank mode",
             {BankMode::merge, BankMode::strict}, "requests to one word: merge or strict")
      ->type_name("MODE")
      ->group(group);
  add_choice(command, "--assignment", options.assignment, "assignment",
             {Assignment::static_cyclic, Assignment::list, Assignment::next_fit},
             "tasks to multiprocessors: static, list or next-fit")
      ->type_name("RULE")
      ->group(group);
  add_size(command, "--cap", options.next_fit_cap,
           "time units per multiprocessor under next-fit (0: twice the average)",
           {.min = 0, .example = "1000"})
      ->group(group);
  command
      .add_flag("--no-skip-empty", options.no_skip_empty,
                "charge warps without an active lane one idle instruction")
      ->group(group);
}

AgpuSpec make_spec(const MachineOptions& options) {
  const Machine machine = find_machine(options.machines.front(), options.devices);
  AgpuSpec spec = machine.spec;
  const auto take = [](const std::vector<std::int64_t>& values, auto& parameter) {
    if (values.empty()) return;
    parameter = static_cast<std::remove_reference_t<decltype(parameter)>>(values.front());
  };
  take(options.cores, spec.cores);
  take(options.block_words, spec.block_words);
  spec.width = static_cast<std::int32_t>(machine.spec.warps() * spec.block_words);
  take(options.shared_words, spec.shared_words);
  take(options.word_bits, spec.word_bits);
  take(options.width, spec.width);
  spec.bank_mode = options.bank_mode;
  spec.assignment = options.assignment;
  spec.next_fit_cap = options.next_fit_cap;
  if (spec.next_fit_cap > 0 && spec.assignment != Assignment::next_fit) {
    throw UsageError(
        fmt::format("--cap {} needs --assignment next-fit", size_text(spec.next_fit_cap)));
  }
  spec.skip_empty = !options.no_skip_empty;
  validate(spec);
  return spec;
}

}  // namespace agpusim

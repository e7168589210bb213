#include "agpusim/cli/pram_command.hpp"

#include <limits>

#include <fmt/format.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/host_memory.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
CLI::Option* add_model(CLI::App& command, std::optional<PramAccess>& access,
                       const std::string& help) {
  std::vector<PramAccess> all;
  for (int i = 0; i <= static_cast<int>(PramAccess::bit_xor); ++i) {
    all.push_back(static_cast<PramAccess>(i));
  }
  return add_choice(command, "--model", access, "PRAM", all, help)->type_name("NAME");
}

RunConfig make_pram_config(const SelectionOptions& options) {
  const Selection selection = selection_of(options);
  RunConfig words;
  words.type = "i64";
  words.n = selection.sizes.front();
  require_host_memory(words);
  RunConfig config = run_of(catalog(), selection).config;
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

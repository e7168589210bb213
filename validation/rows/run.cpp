#include "agpusim/validation/rows/run.hpp"

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/records/config_json.hpp"

namespace agpusim {

std::string Run::key() const { return config_to_json(config); }

std::map<std::string, std::int64_t> Run::symbols() const {
  std::map<std::string, std::int64_t> symbols = config.parameters;
  symbols["n"] = config.n;
  if (on_pram()) return symbols;
  const AgpuSpec& spec = config.spec;
  symbols["p"] = spec.cores;
  symbols["b"] = spec.block_words;
  symbols["M"] = spec.shared_words;
  symbols["w"] = spec.word_bits;
  symbols["V"] = spec.width;
  symbols["k"] = spec.multiprocessors();
  return symbols;
}

std::string Run::rules() const { return on_pram() ? "" : rules_text(config.spec); }

std::string Run::machine() const {
  if (on_pram()) return config.pram->to_string();
  return config.spec.to_string() + (rules().empty() ? "" : ", ") + rules();
}

PredictedFrom from_counts(const Algorithm& algorithm) {
  const bool is_bundled = bundled_algorithms().find_or_null(algorithm.name) != nullptr;
  return is_bundled ? PredictedFrom::bundled : PredictedFrom::counts;
}

std::string rules_text(const AgpuSpec& spec) {
  const AgpuSpec usual;
  std::string text;
  if (spec.bank_mode != usual.bank_mode)
    text += fmt::format(" bank-mode={}", to_string(spec.bank_mode));
  if (spec.assignment != usual.assignment)
    text += fmt::format(" assignment={}", to_string(spec.assignment));
  if (spec.next_fit_cap != usual.next_fit_cap) text += fmt::format(" cap={}", spec.next_fit_cap);
  if (spec.skip_empty != usual.skip_empty) text += " no-skip-empty";
  return text.empty() ? text : text.substr(1);
}

Run resolved(Run run, bool own_access) {
  try {
    run.config = resolve(*run.algorithm, run.config, own_access);
  } catch (const UsageError& error) {
    run.refusal = error.what();
  }
  return run;
}

Run run_of_key(const std::string& key) {
  Run run;
  run.config = config_from_json(key);
  return run;
}

}  // namespace agpusim

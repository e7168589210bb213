#include "agpusim/validation/rows/run.hpp"

#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/run_json.hpp"

namespace agpusim {

std::string Run::key() const {
  return on_pram() ? config_to_json(pram_config) : config_to_json(config);
}

std::map<std::string, std::int64_t> Run::symbols() const {
  std::map<std::string, std::int64_t> symbols =
      on_pram() ? pram_config.parameters : config.parameters;
  symbols["n"] = n();
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
  if (on_pram()) return pram_config.machine.to_string();
  return config.spec.to_string() + (rules().empty() ? "" : ", ") + rules();
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

Run resolved(const Algorithm& algorithm, RunConfig config, std::string program,
             const DeviceFile* device) {
  Run run;
  run.program = std::move(program);
  run.algorithm = &algorithm;
  run.device = device;
  run.config = std::move(config);
  try {
    run.config = resolve(algorithm, run.config);
  } catch (const UsageError& error) {
    run.refusal = error.what();
  }
  return run;
}

Run resolved(const PramAlgorithm& algorithm, PramRunConfig config, std::string program) {
  Run run;
  run.program = std::move(program);
  run.pram_algorithm = &algorithm;
  run.pram_config = std::move(config);
  try {
    run.pram_config = resolve(algorithm, run.pram_config, true);
  } catch (const UsageError& error) {
    run.refusal = error.what();
  }
  return run;
}

Run run_of_key(const std::string& key) {
  Run run;
  try {
    const detail::Json json = detail::parse_object(key);
    if (detail::member(json, "machine").contains("access")) {
      run.pram_config = detail::decode_pram_config(json);
    } else {
      run.config = detail::decode_config(json);
    }
  } catch (const detail::JsonError& error) {
    throw FileError(std::string("run configuration: ") + error.what());
  }
  return run;
}

}  // namespace agpusim

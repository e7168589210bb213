#include "agpusim/validation/records/run_json.hpp"

#include <array>
#include <map>

#include <fmt/format.h>

#include "agpusim/validation/io/member_count.hpp"

namespace agpusim::detail {
namespace {

/// The enumerator whose name is the member `name`.
template <class Enum, std::size_t N>
Enum enum_field(const Json& json, const std::string& name, const std::array<Enum, N>& all) {
  const auto text = field<std::string>(json, name);
  for (const Enum value : all) {
    if (text == to_string(value)) return value;
  }
  throw JsonError(fmt::format("field '{}' has the unknown value '{}'", name, text));
}

std::map<std::string, std::int64_t> parameters_field(const Json& json) {
  const Json& parameters = member(json, "parameters");
  if (!parameters.is_object()) throw JsonError("field 'parameters' is not an object");
  std::map<std::string, std::int64_t> result;
  for (const auto& [name, value] : parameters.items()) {
    result[name] = field<std::int64_t>(parameters, name);
  }
  return result;
}

PramSpec decode_pram_spec(const Json& json) {
  PramSpec spec;
  spec.access = parse_pram_access(field<std::string>(json, "access"));
  spec.sum = field<std::string>(json, "sum") == "values" ? SumReading::values : SumReading::count;
  spec.word_bits = field<std::int32_t>(json, "w");
  spec.reads_per_step = field<std::int32_t>(json, "reads_per_step");
  spec.max_processors = field<std::int64_t>(json, "max_processors");
  spec.seed = field<std::uint64_t>(json, "seed");
  return spec;
}

}  // namespace

Json encode(const AgpuSpec& spec) {
  static_assert(member_count<AgpuSpec>() == 9);
  return {{"p", spec.cores},
          {"b", spec.block_words},
          {"M", spec.shared_words},
          {"w", spec.word_bits},
          {"V", spec.width},
          {"bank_mode", to_string(spec.bank_mode)},
          {"assignment", to_string(spec.assignment)},
          {"next_fit_cap", spec.next_fit_cap},
          {"skip_empty", spec.skip_empty}};
}

Json encode(const RunConfig& config) {
  static_assert(member_count<RunConfig>() == 9);
  return {{"algorithm", config.algorithm},
          {"variant", config.variant},
          {"type", config.type},
          {"n", config.n},
          {"input", config.input},
          {"seed", config.seed},
          {"machine", encode(config.spec)},
          {"parameters", config.parameters}};
}

Json encode(const Environment& environment) {
  return {{"device", environment.device},
          {"driver", environment.driver},
          {"cuda", environment.cuda},
          {"cccl", environment.cccl},
          {"multiprocessors", environment.multiprocessors},
          {"clock_mhz", environment.clock_mhz},
          {"l2_bytes", environment.l2_bytes},
          {"memory_bytes", environment.memory_bytes}};
}

AgpuSpec decode_spec(const Json& json) {
  AgpuSpec spec;
  spec.cores = field<std::int64_t>(json, "p");
  spec.block_words = field<std::int32_t>(json, "b");
  spec.shared_words = field<std::int64_t>(json, "M");
  spec.word_bits = field<std::int32_t>(json, "w");
  spec.width = field<std::int32_t>(json, "V");
  spec.bank_mode = enum_field(json, "bank_mode", std::array{BankMode::merge, BankMode::strict});
  spec.assignment =
      enum_field(json, "assignment",
                 std::array{Assignment::static_cyclic, Assignment::list, Assignment::next_fit});
  spec.next_fit_cap = field<std::int64_t>(json, "next_fit_cap");
  spec.skip_empty = field<bool>(json, "skip_empty");
  return spec;
}

RunConfig decode_config(const Json& json) {
  const bool on_pram = json.contains("machine") && json.at("machine").contains("access");
  RunConfig config = on_pram ? run_on_pram() : RunConfig{};
  config.algorithm = field<std::string>(json, "algorithm");
  config.variant = field<std::string>(json, "variant");
  if (!on_pram) config.type = field<std::string>(json, "type");
  config.n = field<std::int64_t>(json, "n");
  config.input = field<std::string>(json, "input");
  config.seed = field<std::uint64_t>(json, "seed");
  if (on_pram) {
    config.pram = decode_pram_spec(member(json, "machine"));
  } else {
    config.spec = decode_spec(member(json, "machine"));
  }
  config.parameters = parameters_field(json);
  return config;
}

Environment decode_environment(const Json& json) {
  Environment environment;
  environment.device = field<std::string>(json, "device");
  environment.driver = field<std::string>(json, "driver");
  environment.cuda = field<std::string>(json, "cuda");
  environment.cccl = field<std::string>(json, "cccl");
  environment.multiprocessors = field<std::int32_t>(json, "multiprocessors");
  environment.clock_mhz = field<std::int32_t>(json, "clock_mhz");
  environment.l2_bytes = field<std::int64_t>(json, "l2_bytes");
  environment.memory_bytes = field<std::int64_t>(json, "memory_bytes");
  return environment;
}

nlohmann::ordered_json encode(const PramSpec& spec) {
  static_assert(member_count<PramSpec>() == 6);
  return {{"access", to_string(spec.access)},
          {"sum", spec.sum == SumReading::values ? "values" : "count"},
          {"w", spec.word_bits},
          {"reads_per_step", spec.reads_per_step},
          {"max_processors", spec.max_processors},
          {"seed", spec.seed}};
}

nlohmann::ordered_json encode_on_pram(const RunConfig& config) {
  return {{"algorithm", config.algorithm},
          {"variant", config.variant},
          {"n", config.n},
          {"input", config.input},
          {"seed", config.seed},
          {"machine", encode(config.pram.value())},
          {"parameters", config.parameters}};
}

}  // namespace agpusim::detail

#include "agpusim/commands/compare/detail/kinds.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace agpusim::contest::detail {
namespace {

using Names = std::vector<std::string>;

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The values of a field of the run over the records of a program, each once.
template <class Field>
Names recorded(const std::vector<const TimingRecord*>& records, const std::string& variant,
               Field field) {
  Names names;
  for (const TimingRecord* const record : records) {
    const std::string& name = record->config.*field;
    if (record->config.variant == variant && !has(names, name)) names.push_back(name);
  }
  return names;
}

/// One choice per contestant: `wanted`, else the first that all know, else each its own first.
Names choose(const std::string& what, const std::string& wanted, const std::vector<Names>& known,
             Names& remarks) {
  Names result(known.size(), wanted);
  if (!wanted.empty()) return result;
  for (const std::string& name : known.front()) {
    if (std::all_of(known.begin(), known.end(),
                    [&](const Names& names) { return has(names, name); })) {
      std::fill(result.begin(), result.end(), name);
      return result;
    }
  }
  std::transform(known.begin(), known.end(), result.begin(),
                 [](const Names& names) { return names.empty() ? "" : names.front(); });
  remarks.push_back(
      fmt::format("the contestants have no {} in common: each runs on its own", what));
  return result;
}

}  // namespace

Kinds choose_kinds(const Registry& registry, const Options& options,
                   const MeasuredTimes& measured) {
  std::vector<Names> types;
  std::vector<Names> inputs;
  for (const Contestant& contestant : options.contestants) {
    const auto& records = measured.of_algorithm(contestant.algorithm);
    const Algorithm* const row = registry.find_or_null(contestant.algorithm);
    types.push_back(row != nullptr ? row->types
                                   : recorded(records, contestant.variant, &RunConfig::type));
    inputs.push_back(row != nullptr ? row->inputs
                                    : recorded(records, contestant.variant, &RunConfig::input));
  }
  Kinds kinds{options.contestants, {}};
  const Names type = choose("element type", options.type, types, kinds.remarks);
  const Names input = choose("input", options.input, inputs, kinds.remarks);
  for (std::size_t i = 0; i < type.size(); ++i) {
    kinds.of[i].type = type[i];
    kinds.of[i].input = input[i];
  }
  return kinds;
}

}  // namespace agpusim::contest::detail

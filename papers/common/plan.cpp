#include "agpusim/papers/common/plan.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "agpusim/papers/common/paper_json.hpp"
#include "agpusim/validation/records/config_json.hpp"

namespace agpusim::contest {
namespace {

using agpusim::detail::field;
using agpusim::detail::field_or;
using agpusim::detail::Json;
using agpusim::detail::JsonError;
using agpusim::detail::list_in;
using agpusim::detail::list_of;

/// "why" is for the reader of the file.
void require_known(const Json& json, const std::set<std::string>& known) {
  if (!json.is_object()) throw JsonError("is not an object");
  for (const auto& item : json.items()) {
    if (item.key() != "why" && !known.contains(item.key())) {
      throw JsonError(fmt::format("field '{}' is unknown", item.key()));
    }
  }
}

Contestant decode_contestant(const Json& json) {
  require_known(json, {"label", "algorithm", "variant", "parameters", "machine", "team", "input",
                       "n_min", "n_max"});
  Contestant contestant;
  contestant.label = field<std::string>(json, "label");
  contestant.algorithm = field<std::string>(json, "algorithm");
  contestant.variant = field_or<std::string>(json, "variant", "");
  contestant.machine = field_or<std::string>(json, "machine", "");
  contestant.team = field_or<std::string>(json, "team", "");
  contestant.input = field_or<std::string>(json, "input", "");
  contestant.n_min = field_or(json, "n_min", contestant.n_min);
  contestant.n_max = field_or(json, "n_max", contestant.n_max);
  if (json.contains("parameters")) {
    for (const auto& item : json.at("parameters").items()) {
      contestant.parameters[item.key()] = field<std::int64_t>(json.at("parameters"), item.key());
    }
  }
  return contestant;
}

Panel decode_panel(const Json& json) {
  require_known(json, {"schema", "family", "name", "title", "reference", "own_references", "type",
                       "input", "seed", "delta", "sigma", "range", "len", "writes", "n",
                       "quick_n_max", "contestants"});
  Panel panel;
  panel.family = field_or<std::string>(json, "family", "");
  panel.name = field<std::string>(json, "name");
  panel.title = field<std::string>(json, "title");
  panel.reference = field<std::string>(json, "reference");
  panel.own_references = field_or(json, "own_references", false);
  panel.type = field<std::string>(json, "type");
  panel.input = field<std::string>(json, "input");
  panel.seed = field<std::uint64_t>(json, "seed");
  panel.keys = {field_or(json, "delta", 0.0), field_or(json, "sigma", 0.0),
                field_or(json, "range", std::int64_t{0}), field_or(json, "len", std::int64_t{0})};
  panel.writes = field_or(json, "writes", false);
  panel.quick_n_max = field_or(json, "quick_n_max", std::int64_t{0});
  panel.sizes = list_of<std::int64_t>(json, "n");
  if (!std::is_sorted(panel.sizes.begin(), panel.sizes.end())) {
    throw JsonError("field 'n' is not ascending");
  }
  for (const Json& contestant : list_in(json, "contestants")) {
    panel.contestants.push_back(decode_contestant(contestant));
  }
  return panel;
}

/// Adds the panels of a group, or the one that `json` is.
void add_panels(Plan& plan, const Json& json) {
  if (!json.contains("panels")) {
    try {
      plan.push_back(decode_panel(json));
    } catch (const JsonError& error) {
      throw JsonError(
          fmt::format("panel '{}': {}", field_or<std::string>(json, "name", ""), error.what()));
    }
    return;
  }
  Json group = json;
  group.erase("panels");
  for (const Json& member : list_in(json, "panels")) {
    if (!member.is_object()) throw JsonError("field 'panels' is not a list of objects");
    Json own = group;
    own.update(member);
    add_panels(plan, own);
  }
}

std::int64_t over(std::int64_t value, double divisor) {
  return std::llround(static_cast<double>(value) / divisor);
}

/// One run, on the keys of the panel.
Selection selection_of(const Panel& panel, Contestant contestant, std::int64_t n,
                       const ComparedMachine& machine) {
  if (panel.keys.is_given()) {
    const KeyRule keys = panel.keys.at(n);
    contestant.parameters.insert({{"min", 0}, {"range", keys.range}, {"values", keys.len}});
  }
  return {{contestant}, {machine}, {n}, panel.type, panel.input, panel.seed};
}

/// The run of a contestant; nothing where it does not take part.
std::optional<RunConfig> run_of(const Panel& panel, const Contestant& contestant, std::int64_t n,
                                const Registry& registry, const FindMachine& machine) {
  if (n < contestant.n_min || n > contestant.n_max) return std::nullopt;
  if (!contestant.input.empty() && contestant.input != panel.input) return std::nullopt;
  ComparedMachine on;
  if (!contestant.is_program()) {
    if (registry.find_or_null(contestant.algorithm) == nullptr) return std::nullopt;
    on.spec = machine(contestant.machine);
  }
  const Selection selection = selection_of(panel, contestant, n, on);
  const Run run = agpusim::runs_of(registry, selection).front();
  return run.refusal.empty() ? std::optional(run.config) : std::nullopt;
}

}  // namespace

KeyRule KeyRule::at(std::int64_t n) const {
  KeyRule keys = *this;
  if (keys.range == 0) keys.range = over(n, delta);
  if (keys.len == 0 && sigma > 0) keys.len = std::max<std::int64_t>(1, over(keys.range, sigma));
  if (keys.len == 0) keys.len = keys.range;
  return keys;
}

Plan load_plan(const std::filesystem::path& path) {
  Plan plan;
  agpusim::detail::read_paper(path, [&](const Json& json) { add_panels(plan, json); });
  return plan;
}

Plan bundled_plan(const std::string& name) { return load_plan(paper_file(name)); }

bool has_reference(const Panel& panel, const Registry& registry) {
  return panel.reference.empty() || registry.find_or_null(panel.reference) != nullptr;
}

std::vector<Event> events_of(const Plan& plan, const SizeChoice& choice, const Registry& registry,
                             const FindMachine& machine) {
  std::vector<Event> events;
  for (const Panel& panel : plan) {
    if (!has_reference(panel, registry)) continue;
    const std::int64_t n_max =
        choice.quick ? std::min(choice.n_max, panel.quick_n_max) : choice.n_max;
    for (const std::int64_t n : panel.sizes) {
      if (n > n_max) break;
      if (const KeyRule keys = panel.keys.at(n); keys.len > keys.range) continue;
      Event event{panel, n, {}};
      for (const Contestant& contestant : panel.contestants) {
        auto config = run_of(panel, contestant, n, registry, machine);
        if (config) event.runs.push_back({{std::move(*config), {}, {}, {}}, contestant});
      }
      if (!event.runs.empty()) events.push_back(std::move(event));
    }
  }
  return events;
}

std::vector<RunToMeasure> runs_of(const std::vector<Event>& events, const Registry& registry) {
  std::vector<const Event*> by_size;
  for (const Event& event : events) by_size.push_back(&event);
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](const Event* a, const Event* b) { return a->n < b->n; });
  std::vector<RunToMeasure> runs;
  std::set<std::string> seen;
  for (const Event* const event : by_size) {
    for (const PlannedRun& run : event->runs) {
      if (!seen.insert(config_to_json(run.config)).second) continue;
      RunToMeasure& added = runs.emplace_back(RunToMeasure{run.config, {}});
      if (event->panel.reference.empty()) continue;
      // On a machine that has no influence on it.
      Contestant reference;
      reference.algorithm = event->panel.reference_of(run.contestant);
      const Selection on_keys = selection_of(event->panel, reference, event->n, {});
      added.reference = agpusim::run_of(registry, on_keys).config;
    }
  }
  return runs;
}

}  // namespace agpusim::contest

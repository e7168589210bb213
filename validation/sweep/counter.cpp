#include "agpusim/validation/sweep/counter.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/counts/counts.hpp"
#include "agpusim/validation/io/json_lines.hpp"
#include "agpusim/validation/predict/residency.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/report/machine_rules.hpp"
#include "agpusim/validation/report/pram_report.hpp"

namespace agpusim::sweep {
namespace {

/// Between a run and the digest of the constants, and before that of what its kernels cost.
constexpr const char* of_constants = " predicted by ";
constexpr const char* of_kernels = " of kernels ";

std::string digest_of(const DeviceFile& device) {
  std::string text = device.name;
  for (const Constant& c : device.constants) text += fmt::format(" {}={}", c.name, c.value);
  return agpusim::detail::to_hex(agpusim::detail::fnv1a(text));
}

Point named_point(const Run& run) {
  Point point;
  point.program = run.program;
  if (run.algorithm != nullptr) {
    const RunConfig& config = run.config;
    const AgpuSpec& spec = config.spec;
    point.model = "AGPU";
    point.algorithm = config.algorithm;
    point.variant = config.variant;
    point.type = config.type;
    point.input = config.input;
    point.rules = rules_text(spec);
    point.machine = spec.to_string() + (point.rules.empty() ? "" : ", ") + point.rules;
    point.seed = config.seed;
    point.symbols = config.parameters;
    for (const auto& [name, value] :
         std::map<std::string, std::int64_t>{{"n", config.n},
                                             {"p", spec.cores},
                                             {"b", spec.block_words},
                                             {"M", spec.shared_words},
                                             {"w", spec.word_bits},
                                             {"V", spec.width},
                                             {"k", spec.multiprocessors()}}) {
      point.symbols[name] = value;
    }
    point.key = config_to_json(config);
    if (run.device != nullptr) {
      point.device = run.device->name;
      point.key += of_constants + digest_of(*run.device);
    }
  } else {
    const PramRunConfig& config = run.pram_config;
    point.model = "PRAM";
    point.algorithm = config.algorithm;
    point.variant = config.variant;
    point.input = config.input;
    point.machine = config.machine.to_string();
    point.symbols = config.parameters;
    point.seed = config.seed;
    point.symbols["n"] = config.n;
    point.key = config_to_json(config);
  }
  point.refusal = run.refusal;
  return point;
}

Quantity quantity_of(std::string name, std::int64_t count, const Bound& bound,
                     const RunConfig& config, std::int64_t lower_bound) {
  Quantity quantity{std::move(name), count};
  quantity.stated = bound.text;
  if (bound.value) quantity.bound = bound.value(config);
  quantity.lower_bound = lower_bound;
  return quantity;
}

void add_counts(Point& point, const Run& run, const Counted& counted) {
  const Algorithm& algorithm = *run.algorithm;
  const RunConfig& config = run.config;
  const LowerBound lower = algorithm.lower_bound(config);
  const RunReport& report = counted.report;
  point.quantities.push_back(
      quantity_of("T", report.time(), time_bound(algorithm, config), config, lower.time));
  point.quantities.push_back(
      quantity_of("Q", report.total().io(), io_bound(algorithm, config), config, lower.io));
  for (const Formula& formula : algorithm.formulas) {
    const auto value = formula.value(config);
    if (!value) continue;
    auto at = std::find_if(point.quantities.begin(), point.quantities.end(),
                           [&](const Quantity& q) { return q.name == formula.name; });
    if (at == point.quantities.end()) {
      at = point.quantities.insert(at, Quantity{formula.name, formula.count(report)});
    }
    if (!at->formula) at->formula = value;
  }
  point.phases = static_cast<std::int64_t>(report.phases.size());
  point.source = to_string(counted.source);
  point.from_n = counted.from_n;
  if (run.device == nullptr) return;
  const PredictedRun predicted = predict_run(config, report.phases, *run.device);
  if (!predicted.prediction) return;
  point.predicted_ms = predicted.prediction->milliseconds;
  point.limit = predicted.prediction->limit;
}

void add_closed_form(Point& point, const Run& run, const Options& options) {
  const PramRunConfig& config = run.pram_config;
  const PramForm form = run.pram_algorithm->closed_form(config);
  const PramBound& bound = find_variant(*run.pram_algorithm, config.variant).bound;
  point.source = "closed form";
  if (options.verify && static_cast<double>(form.work) <= options.simulate_limit) {
    const PramRunResult result =
        run.pram_algorithm->run(config, {.threads = options.threads, .record_trace = false});
    require_equal(fmt::format("{} with n = {}", run.program, config.n), result.report,
                  result.correct, form);
    point.source = to_string(CountSource::simulated);
  }
  const auto add = [&](const char* name, std::int64_t count, const auto& value) {
    Quantity quantity{name, count};
    quantity.stated = bound.text;
    if (value) quantity.bound = value(config);
    point.quantities.push_back(std::move(quantity));
  };
  add("steps", form.steps, bound.steps);
  add("processors", form.processors, bound.processors);
  add("work", form.work, bound.work);
}

}  // namespace

Counter::Counter(const Options& options) : options_(options) {}

Point Counter::operator()(const Run& run, const KnownPoints* known) {
  Point point = named_point(run);
  try {
    if (point.refusal.empty()) fill(point, run, known);
  } catch (const UsageError& error) {
    point.refusal = error.what();
  } catch (const RuleViolation& error) {
    point.refusal = error.what();
  }
  return point;
}

void Counter::fill(Point& point, const Run& run, const KnownPoints* known_points) {
  if (run.algorithm == nullptr) {
    add_closed_form(point, run, options_);
    return;
  }
  const auto known = exact_counts(*run.algorithm, run.config, &bundled_counts());
  if (known && !options_.verify) {
    add_counts(point, run, *known);
    return;
  }
  if (!known) point.key += of_kernels + fmt::format("{:016x}", fingerprint(run));
  if (known_points != nullptr && !options_.verify) {
    if (const auto it = known_points->find(point.key); it != known_points->end()) {
      std::string program = std::move(point.program);
      point = it->second;
      point.program = std::move(program);
      return;
    }
  }
  CountOptions counting;
  counting.stored = &bundled_counts();
  counting.simulate_limit = options_.simulate_limit;
  counting.verify = options_.verify;
  counting.threads = options_.threads;
  if (options_.require_memory) counting.require_memory = options_.require_memory;
  const Counted counted = count(*run.algorithm, run.config, counting);
  if (!counted.differences.empty()) {
    throw Mismatch(
        fmt::format("{} with n = {}: {}", run.program, run.config.n, counted.differences[0]));
  }
  add_counts(point, run, counted);
}

std::uint64_t Counter::fingerprint(const Run& run) {
  const std::scoped_lock lock(fingerprint_mutex_);
  return fingerprints_(*run.algorithm, run.config);
}

std::string identity(const Run& run) { return identity(named_point(run)); }

std::string identity(const Point& point) {
  return fmt::format("{} {}{}{}", point.program, run_text(point.key),
                     point.device.empty() ? "" : " ", point.device);
}

std::string run_text(const std::string& key) {
  return key.substr(0, std::min(key.find(of_constants), key.find(of_kernels)));
}

std::string key_of(const Run& run) { return named_point(run).key; }

std::string key_of_run(const Point& point) {
  return point.key.substr(0, point.key.find(of_kernels));
}

}  // namespace agpusim::sweep

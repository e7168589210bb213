#include "agpusim/validation/sweep/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/counts/counts.hpp"
#include "agpusim/validation/json/json_lines.hpp"
#include "agpusim/validation/predict/predict.hpp"
#include "agpusim/validation/predict/residency.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/report/pram_report.hpp"

namespace agpusim::sweep {
namespace {

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
    point.machine = spec.to_string();
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
      point.key += " predicted by " + digest_of(*run.device);
    }
  } else {
    const PramRunConfig& config = run.pram_config;
    point.model = "PRAM";
    point.algorithm = config.algorithm;
    point.variant = config.variant;
    point.input = config.input;
    point.machine = config.machine.to_string();
    point.symbols = config.parameters;
    point.symbols["n"] = config.n;
    point.key = fmt::format("{} n={}", run.program, config.n);
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
  try {
    if (!why_not_resident(config, report.phases, *run.device).empty()) return;
    const Prediction prediction = predict(config.spec, report.phases, *run.device);
    point.predicted_ms = prediction.milliseconds;
    point.limit = prediction.limit;
  } catch (const FileError&) {
    // The file of a device that is known from data sheets lacks constants: there is no prediction.
  }
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

/// Counts one run after another, from any thread.
class Counter {
 public:
  explicit Counter(const Options& options) : options_(options) {}

  Point operator()(const Run& run) {
    Point point = named_point(run);
    try {
      if (point.refusal.empty()) fill(point, run);
    } catch (const UsageError& error) {
      point.refusal = error.what();
    } catch (const RuleViolation& error) {
      point.refusal = error.what();
    }
    if (options_.counted) {
      const std::scoped_lock lock(mutex_);
      options_.counted(point);
    }
    return point;
  }

 private:
  void fill(Point& point, const Run& run) {
    if (run.algorithm == nullptr) {
      add_closed_form(point, run, options_);
      return;
    }
    const auto known = exact_counts(*run.algorithm, run.config, &bundled_counts());
    if (known && !options_.verify) {
      add_counts(point, run, *known);
      return;
    }
    if (!known) point.key += fmt::format(" of kernels {:016x}", fingerprint(run));
    if (options_.known != nullptr && !options_.verify) {
      if (const auto it = options_.known->find(point.key); it != options_.known->end()) {
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

  std::uint64_t fingerprint(const Run& run) {
    const std::scoped_lock lock(fingerprint_mutex_);
    return fingerprints_(*run.algorithm, run.config);
  }

  const Options& options_;
  std::mutex mutex_;
  std::mutex fingerprint_mutex_;
  Fingerprints fingerprints_;
};

}  // namespace

const Quantity* Point::find(std::string_view quantity) const {
  const auto it = std::find_if(quantities.begin(), quantities.end(),
                               [&](const Quantity& q) { return q.name == quantity; });
  return it == quantities.end() ? nullptr : &*it;
}

std::vector<Point> count_points(const std::vector<Run>& runs, const Options& options) {
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&](std::size_t i) {
    return runs[i].algorithm != nullptr ? runs[i].config.n : runs[i].pram_config.n;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  std::vector<std::optional<Point>> counted(runs.size());
  Counter counter(options);
  std::atomic<std::size_t> next = 0;
  tbb::task_arena arena(options.threads > 0 ? options.threads : tbb::task_arena::automatic);
  arena.execute([&] {
    tbb::parallel_for(0, tbb::this_task_arena::max_concurrency(), [&](int) {
      for (std::size_t i = next++; i < order.size(); i = next++) {
        if (options.stop && options.stop()) return;
        counted[order[i]] = counter(runs[order[i]]);
      }
    });
  });
  std::vector<Point> points;
  for (std::optional<Point>& point : counted) {
    if (point) points.push_back(std::move(*point));
  }
  std::stable_sort(points.begin(), points.end(), comes_before);
  return points;
}

bool same_series(const Point& a, const Point& b) {
  return a.program == b.program && a.type == b.type && a.input == b.input;
}

bool comes_before(const Point& a, const Point& b) {
  const auto rank = [](const Point& p) {
    const auto symbol = [&](const char* name) {
      const auto it = p.symbols.find(name);
      return it == p.symbols.end() ? 0 : it->second;
    };
    return std::tuple(p.program, p.type, p.input, symbol("p"), symbol("b"), symbol("M"),
                      symbol("w"), symbol("V"), p.machine, p.n(), p.key);
  };
  return rank(a) < rank(b);
}

}  // namespace agpusim::sweep

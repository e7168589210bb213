#include "agpusim/cli/measure_plan.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "agpusim/cli/machines.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/rows/selection.hpp"

namespace agpusim {
namespace {

/// The machines to measure: a task per warp scheduler, per CTA, and per resident warp.
const std::vector<std::string>& machines_of(const PlanOptions& options) {
  static const std::vector<std::string> usual = {"h200", "h200-wide", "h200-full"};
  return options.machines.empty() ? usual : options.machines;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool contains_run(const Plan& plan, const RunConfig& config) {
  return std::find(plan.configs.begin(), plan.configs.end(), config) != plan.configs.end();
}

/// Throws UsageError for a name that is not in the list of any row.
void require_known(const char* what, const std::vector<std::string>& names,
                   const std::vector<const Algorithm*>& rows,
                   std::vector<std::string> (*list)(const Algorithm&)) {
  for (const std::string& name : names) {
    if (std::none_of(rows.begin(), rows.end(),
                     [&](const Algorithm* row) { return contains(list(*row), name); })) {
      throw UsageError(fmt::format(
          "unknown {} '{}': no algorithm of this plan has it (see `agpusim list`)", what, name));
    }
  }
}

struct Point {
  std::string input;
  std::int64_t n;
};

/// The smallest 3*2^k + 5 from 10^decade on: neither a power of two nor a multiple of a block.
std::int64_t odd_size(int decade) {
  std::int64_t limit = 1;
  for (int i = 0; i < decade; ++i) limit *= 10;
  std::int64_t size = 3;
  while (size + 5 < limit) size *= 2;
  return size + 5;
}

std::vector<Point> timing_points(const Algorithm& row, const PlanOptions& options) {
  std::vector<Point> points;
  for (const std::string& input : options.inputs) {
    if (!contains(row.inputs, input)) continue;
    for (int k = 0; k <= 40; ++k) points.push_back({input, std::int64_t{1} << k});
  }
  if (!options.inputs.empty()) return points;
  for (int k = 0; k <= 40; ++k) {
    points.push_back({row.inputs.front(), std::int64_t{1} << k});
  }
  for (int decade = 3; decade <= 7; ++decade) {
    points.push_back({row.inputs.front(), odd_size(decade)});
  }
  for (std::size_t i = 1; i < row.inputs.size(); ++i) {
    points.push_back({row.inputs[i], std::int64_t{1} << 20});
  }
  return points;
}

std::vector<Point> profile_points(const Algorithm& row, const PlanOptions&) {
  std::vector<Point> points;
  for (int k = 12; k <= 20; ++k) {
    points.push_back({row.inputs.front(), std::int64_t{1} << k});
  }
  for (const std::int64_t n : {5000, 100000, 1000003}) {
    points.push_back({row.inputs.front(), n});
  }
  return points;
}

using PointsOf = std::function<std::vector<Point>(const Algorithm&, const PlanOptions&)>;

/// Adds the runs of a contestant on one machine at the points of a row.
void add_runs(Plan& plan, const Registry& registry, contest::Contestant form,
              const AgpuSpec& machine, const std::vector<Point>& points,
              const PlanOptions& options) {
  contest::ComparedMachine on;
  on.spec = machine;
  for (const Point& point : points) {
    if (point.n < options.n_min || point.n > options.n_max) continue;
    form.input = point.input;
    const Run run = run_of(registry, {}, form, on, point.n);
    if (!run.refusal.empty()) {
      ++plan.refused;
    } else if (!contains_run(plan, run.config)) {
      plan.configs.push_back(run.config);
    }
  }
}

Plan make_plan(const Registry& registry, const PlanOptions& options, const PointsOf& points_of) {
  for (const std::string& name : options.algorithms) {
    if (registry.row_of_peer(name) == nullptr) static_cast<void>(registry.find(name));
  }
  std::vector<const Algorithm*> rows;
  for (const Algorithm& row : registry.on_agpu()) {
    if (options.algorithms.empty() || contains(options.algorithms, row.name)) rows.push_back(&row);
  }
  require_known("variant", options.variants, rows,
                [](const Algorithm& row) { return variant_names(row); });
  if (!rows.empty())
    require_known("input", options.inputs, rows, [](const Algorithm& row) { return row.inputs; });
  Plan plan;
  for (const Algorithm* const chosen : rows) {
    const Algorithm& row = *chosen;
    require_settable(row.name, settable(row), options.set);
    const std::vector<Point> points = points_of(row, options);
    for (const RunConfig& form : forms_of(row)) {
      if (!options.variants.empty() && !contains(options.variants, form.variant)) continue;
      for (const std::string& machine : machines_of(options)) {
        contest::Contestant one{{}, row.name, form.variant, options.set};
        one.type = form.type;
        add_runs(plan, registry, one, find_machine(machine).spec, points, options);
      }
    }
  }
  return plan;
}

}  // namespace

Plan timing_plan(const Registry& registry, const PlanOptions& options) {
  Plan plan = make_plan(registry, options, timing_points);
  for (const Algorithm& row : registry.on_agpu()) {
    for (const std::string& peer : row.peers) {
      if (!contains(options.algorithms, peer)) continue;
      for (const std::string& type : row.types) {
        contest::Contestant one{{}, peer, {}, {}};
        one.type = type;
        add_runs(plan, registry, one, {}, timing_points(row, options), options);
      }
    }
  }
  return plan;
}

Plan repeated_plan(const std::vector<RunConfig>& configs, const PlanOptions& options) {
  const auto wanted = [](const std::vector<std::string>& names, const std::string& name) {
    return names.empty() || contains(names, name);
  };
  Plan plan;
  for (const RunConfig& config : configs) {
    if (config.n < options.n_min || config.n > options.n_max) continue;
    if (!wanted(options.algorithms, config.algorithm)) continue;
    if (!wanted(options.variants, config.variant) || contains_run(plan, config)) continue;
    plan.configs.push_back(config);
  }
  return plan;
}

Plan profile_plan(const Registry& registry, const PlanOptions& options) {
  return make_plan(registry, options, profile_points);
}

}  // namespace agpusim

#include "agpusim/cli/measure_plan.hpp"

#include <algorithm>
#include <functional>

#include "agpusim/cli/machines.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/peers.hpp"

namespace agpusim {
namespace {

/// The machines to measure: a task per warp scheduler, per CTA, and per resident warp.
constexpr const char* measured_machines[] = {"h200", "h200-wide", "h200-full"};

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

std::vector<Point> timing_points(const Algorithm& row) {
  std::vector<Point> points;
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

std::vector<Point> profile_points(const Algorithm& row) {
  std::vector<Point> points;
  for (int k = 12; k <= 20; ++k) {
    points.push_back({row.inputs.front(), std::int64_t{1} << k});
  }
  for (const std::int64_t n : {5000, 100000, 1000003}) {
    points.push_back({row.inputs.front(), n});
  }
  return points;
}

using PointsOf = std::function<std::vector<Point>(const Algorithm&)>;

/// Adds a row's runs of one variant, type and machine.
void add_runs(Plan& plan, const Algorithm& row, const RunConfig& form, const PointsOf& points_of,
              const PlanOptions& options) {
  for (const Point& point : points_of(row)) {
    if (point.n < options.n_min || point.n > options.n_max) continue;
    RunConfig config = form;
    config.n = point.n;
    config.input = point.input;
    try {
      config = resolve(row, config);
    } catch (const UsageError&) {
      ++plan.refused;
      continue;
    }
    if (std::find(plan.configs.begin(), plan.configs.end(), config) == plan.configs.end()) {
      plan.configs.push_back(config);
    }
  }
}

/// Adds the named peers' runs.
void add_peers(Plan& plan, const Registry& registry, const PlanOptions& options) {
  for (const Peer& peer : peers()) {
    const auto& names = options.algorithms;
    if (std::find(names.begin(), names.end(), peer.name) == names.end()) continue;
    const Algorithm& row = registry.find(peer.row);
    for (const std::string& type : row.types) {
      for (const Point& point : timing_points(row)) {
        if (point.n < options.n_min || point.n > options.n_max) continue;
        RunConfig config;
        config.algorithm = peer.name;
        config.type = type;
        config.n = point.n;
        config.input = point.input;
        plan.configs.push_back(config);
      }
    }
  }
}

Plan make_plan(const Registry& registry, const PlanOptions& options, const PointsOf& points_of) {
  for (const std::string& name : options.algorithms) {
    if (find_peer(name) == nullptr) static_cast<void>(registry.find(name));
  }
  const auto wanted = [&](const Algorithm& row) {
    const auto& names = options.algorithms;
    return names.empty() || std::find(names.begin(), names.end(), row.name) != names.end();
  };
  Plan plan;
  for (const Algorithm& row : registry.all()) {
    if (!wanted(row)) continue;
    const std::vector<std::string> variants =
        row.variants.empty() ? std::vector<std::string>{""} : row.variants;
    for (const std::string& variant : variants) {
      for (const std::string& type : row.types) {
        for (const char* const machine : measured_machines) {
          RunConfig form;
          form.algorithm = row.name;
          form.variant = variant;
          form.type = type;
          form.spec = find_machine(machine).spec;
          add_runs(plan, row, form, points_of, options);
        }
      }
    }
  }
  return plan;
}

}  // namespace

Plan timing_plan(const Registry& registry, const PlanOptions& options) {
  Plan plan = make_plan(registry, options, timing_points);
  add_peers(plan, registry, options);
  return plan;
}

Plan profile_plan(const Registry& registry, const PlanOptions& options) {
  return make_plan(registry, options, profile_points);
}

}  // namespace agpusim

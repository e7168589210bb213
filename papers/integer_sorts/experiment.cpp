#include "agpusim/papers/integer_sorts/experiment.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "agpusim/papers/integer_sorts/cub_model.hpp"
#include "agpusim/validation/io/stats.hpp"

namespace agpusim {
namespace {

using contest::PlannedRun;

constexpr const char* our_sorts[] = {"H-P", "1-H-P", "0-compressed", "run-head"};
/// A winner this much slower than the fastest is as good as right.
constexpr double near_loss = 0.05;

using TimeOf = std::optional<double> (*)(const ExperimentRow&, const std::string&,
                                         const std::string&);

/// The fastest of `peer` and our sorts; nothing when a time is missing or nobody of ours takes
/// part.
std::optional<std::pair<std::string, double>> fastest(const ExperimentRow& row,
                                                      const std::string& peer, TimeOf time_of) {
  const auto peer_time = time_of(row, team::cub, peer);
  if (!peer_time) return std::nullopt;
  std::pair<std::string, double> best{peer, *peer_time};
  bool alone = true;
  for (const std::string sort : our_sorts) {
    const bool takes_part =
        std::any_of(row.entries.begin(), row.entries.end(), [&](const PlannedRun& entry) {
          return entry.contestant.team == team::ours && entry.contestant.label == sort;
        });
    if (!takes_part) continue;
    const auto time = time_of(row, team::ours, sort);
    if (!time) return std::nullopt;
    alone = false;
    if (*time < best.second) best = {sort, *time};
  }
  if (alone) return std::nullopt;
  return best;
}

std::optional<ExperimentVerdict> judge(const ExperimentRow& row, const std::string& peer) {
  const auto predicted = fastest(row, peer, predicted_ms);
  const auto measured = fastest(row, peer, measured_ms);
  if (!predicted || !measured) return std::nullopt;
  const std::string team = predicted->first == peer ? team::cub : team::ours;
  return ExperimentVerdict{predicted->first, measured->first,
                           *measured_ms(row, team, predicted->first) / measured->second - 1};
}

ExperimentScore score(const std::vector<ExperimentRow>& rows, const std::string& peer,
                      std::optional<ExperimentVerdict> ExperimentRow::*verdict_of) {
  ExperimentScore result;
  result.peer = peer;
  std::set<std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>> seen;
  std::vector<double> predicted;
  std::vector<double> measured;
  for (const ExperimentRow& row : rows) {
    const auto& verdict = row.*verdict_of;
    const ExperimentCell& cell = row.cell;
    if (!verdict || !seen.emplace(cell.input, cell.n, cell.range, cell.len).second) continue;
    ++result.cells;
    const bool right = verdict->predicted_winner == verdict->measured_winner;
    result.right += right ? 1 : 0;
    result.near += right || verdict->loss <= near_loss ? 1 : 0;
    result.side +=
        (verdict->predicted_winner == peer) == (verdict->measured_winner == peer) ? 1 : 0;
    if (!measured_ms(row, team::ours, "H-P")) continue;
    predicted.push_back(*predicted_ms(row, team::ours, "H-P") /
                        *predicted_ms(row, team::cub, peer));
    measured.push_back(*measured_ms(row, team::ours, "H-P") / *measured_ms(row, team::cub, peer));
  }
  if (predicted.size() > 1) {
    const double correlation = spearman(predicted, measured);
    if (std::isfinite(correlation)) result.spearman = correlation;
  }
  return result;
}

template <class TimeOfEntry>
std::optional<double> shortest(const ExperimentRow& row, const std::string& team,
                               const std::string& sort, TimeOfEntry time_of) {
  std::optional<double> best;
  for (const PlannedRun& entry : row.entries) {
    if (entry.contestant.team != team || entry.contestant.label != sort) continue;
    const std::optional<double> time = time_of(entry);
    if (!time) return std::nullopt;
    if (!best || *time < *best) best = time;
  }
  return best;
}

}  // namespace

std::optional<double> measured_ms(const ExperimentRow& row, const std::string& team,
                                  const std::string& sort) {
  return shortest(row, team, sort, [](const PlannedRun& entry) {
    return entry.measured ? std::optional(entry.measured->ms) : std::nullopt;
  });
}

std::optional<double> predicted_ms(const ExperimentRow& row, const std::string& team,
                                   const std::string& sort) {
  return shortest(row, team, sort, [](const PlannedRun& entry) { return entry.predicted_ms; });
}

ExperimentCell cell_of(const contest::Event& event) {
  const contest::Panel& panel = event.panel;
  const contest::KeyRule keys = panel.keys.at(event.n);
  return {panel.family,     panel.name, panel.title, event.n,    panel.keys.delta,
          panel.keys.sigma, keys.range, keys.len,    panel.input};
}

Experiment integer_sorts_experiment(const contest::Plan& plan, const Registry& registry,
                                    const contest::ContestOptions& options,
                                    const std::vector<TimingRecord>& calibration) {
  contest::Contest contest = contest::hold(plan, registry, options);
  Experiment experiment;
  experiment.environment = contest.environment;
  experiment.generated = utc_now();
  experiment.unmeasured = contest.unmeasured;
  experiment.unpredicted = contest.unpredicted;
  experiment.foreign = contest.foreign;
  const CubRadixModel cub(calibration);
  for (contest::Event& event : contest.events) {
    ExperimentRow row;
    row.cell = cell_of(event);
    row.entries = std::move(event.runs);
    for (PlannedRun& run : row.entries) {
      if (run.contestant.team != team::cub) continue;
      run.predicted_ms = cub.milliseconds(run.config);
      run.limit = "calibrated";
    }
    row.against_cub = judge(row, "CUB");
    row.against_fitted = judge(row, "CUB fitted");
    experiment.rows.push_back(std::move(row));
  }
  experiment.scores = {score(experiment.rows, "CUB", &ExperimentRow::against_cub),
                       score(experiment.rows, "CUB fitted", &ExperimentRow::against_fitted)};
  experiment.findings = integer_sorts_findings(experiment.rows);
  return experiment;
}

}  // namespace agpusim

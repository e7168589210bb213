#include "agpusim/papers/integer_sorts/experiment.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/validation/io/stats.hpp"
#include "agpusim/validation/records/latest.hpp"
#include "agpusim/validation/records/measurement.hpp"

namespace agpusim {
namespace {

using contest::Event;
using contest::PlannedRun;

constexpr const char* our_sorts[] = {"H-P", "1-H-P", "0-compressed", "run-head"};
/// A winner this much slower than the fastest is as good as right.
constexpr double near_loss = 0.05;

constexpr std::int32_t key_bits = 32;
constexpr std::int32_t digit_bits = 8;

bool is_of(const PlannedRun& run, const std::string& team, const std::string& sort) {
  return run.contestant.team == team && run.contestant.label == sort;
}

template <class TimeOf>
std::optional<double> shortest(const Event& input, const std::string& team, const std::string& sort,
                               TimeOf time_of) {
  std::optional<double> best;
  for (const PlannedRun& run : input.runs) {
    if (!is_of(run, team, sort)) continue;
    const std::optional<double> time = time_of(run);
    if (!time) return std::nullopt;
    if (!best || *time < *best) best = time;
  }
  return best;
}

/// The fastest of `peer` and our sorts.
std::optional<std::pair<std::string, double>> fastest(const Event& input, const std::string& peer,
                                                      decltype(measured_ms)* time_of) {
  const auto peer_time = time_of(input, team::cub, peer);
  if (!peer_time) return std::nullopt;
  std::pair<std::string, double> best{peer, *peer_time};
  bool alone = true;
  for (const std::string sort : our_sorts) {
    if (std::ranges::none_of(input.runs,
                             [&](const PlannedRun& run) { return is_of(run, team::ours, sort); })) {
      continue;
    }
    const auto time = time_of(input, team::ours, sort);
    if (!time) return std::nullopt;
    alone = false;
    if (*time < best.second) best = {sort, *time};
  }
  if (alone) return std::nullopt;
  return best;
}

}  // namespace

std::optional<double> measured_ms(const Event& input, const std::string& team,
                                  const std::string& sort) {
  return shortest(input, team, sort, [](const PlannedRun& run) {
    return run.measured ? std::optional(run.measured->ms) : std::nullopt;
  });
}

std::optional<double> predicted_ms(const Event& input, const std::string& team,
                                   const std::string& sort) {
  return shortest(input, team, sort, [](const PlannedRun& run) { return run.predicted_ms; });
}

std::optional<ExperimentVerdict> verdict(const Event& input, const std::string& peer) {
  const auto predicted = fastest(input, peer, predicted_ms);
  const auto measured = fastest(input, peer, measured_ms);
  if (!predicted || !measured) return std::nullopt;
  const std::string team = predicted->first == peer ? team::cub : team::ours;
  return ExperimentVerdict{predicted->first, measured->first,
                           *measured_ms(input, team, predicted->first) / measured->second - 1};
}

ExperimentScore score(const std::vector<Event>& inputs, const std::string& peer) {
  ExperimentScore result;
  result.peer = peer;
  std::set<std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>> seen;
  std::vector<double> predicted;
  std::vector<double> measured;
  for (const Event& input : inputs) {
    const auto found = verdict(input, peer);
    const contest::KeyRule keys = input.keys();
    if (!found || !seen.emplace(input.panel.input, input.n, keys.range, keys.len).second) continue;
    const auto& [predicted_winner, measured_winner, loss] = *found;
    const bool right = predicted_winner == measured_winner;
    ++result.cells;
    result.right += right ? 1 : 0;
    result.near += right || loss <= near_loss ? 1 : 0;
    result.side += (predicted_winner == peer) == (measured_winner == peer) ? 1 : 0;
    if (!measured_ms(input, team::ours, "H-P")) continue;
    const auto over_peer = [&](auto time_of) {
      return *time_of(input, team::ours, "H-P") / *time_of(input, team::cub, peer);
    };
    predicted.push_back(over_peer(predicted_ms));
    measured.push_back(over_peer(measured_ms));
  }
  if (predicted.size() > 1) {
    const double correlation = spearman(predicted, measured);
    if (std::isfinite(correlation)) result.spearman = correlation;
  }
  return result;
}

std::int32_t cub_radix_passes(const RunConfig& config) {
  std::int32_t bits = key_bits;
  if (config.variant == "fitted_bits") {
    const KeyShape shape = key_shape(config);
    const auto low = static_cast<std::uint32_t>(shape.min);
    const auto high =
        static_cast<std::uint32_t>(shape.min + std::max<std::int64_t>(shape.range, 1) - 1);
    bits = std::max(1, static_cast<std::int32_t>(std::bit_width(low ^ high)));
  }
  return (bits + digit_bits - 1) / digit_bits;
}

CubRadixModel::CubRadixModel(const std::vector<TimingRecord>& calibration) {
  std::map<std::pair<std::int32_t, std::int64_t>, const TimingRecord*> latest;
  for (const TimingRecord& record : calibration) {
    if (record.config.algorithm != "cub_radix_sort") continue;
    keep_latest(latest[{cub_radix_passes(record.config), record.config.n}], record);
  }
  for (const auto& [key, record] : latest) {
    medians_[key.first][key.second] = measurement_of(*record).ms;
  }
}

std::optional<double> CubRadixModel::milliseconds(const RunConfig& config) const {
  const auto found = medians_.find(cub_radix_passes(config));
  if (found == medians_.end()) return std::nullopt;
  const auto& times = found->second;
  const auto above = times.lower_bound(config.n);
  if (above == times.end()) return std::nullopt;
  if (above->first == config.n) return above->second;
  if (above == times.begin()) return std::nullopt;
  const auto below = std::prev(above);
  const auto lg = [](auto value) { return std::log2(static_cast<double>(value)); };
  const double weight = (lg(config.n) - lg(below->first)) / (lg(above->first) - lg(below->first));
  return std::exp2((1 - weight) * lg(below->second) + weight * lg(above->second));
}

contest::Contest integer_sorts_contest(const contest::Plan& plan, const Registry& registry,
                                       const contest::ContestOptions& options,
                                       const std::vector<TimingRecord>& calibration) {
  contest::Contest contest = contest::hold(plan, registry, options);
  const CubRadixModel cub(calibration);
  for (Event& input : contest.events) {
    for (PlannedRun& run : input.runs) {
      if (run.contestant.team != team::cub) continue;
      run.predicted_ms = cub.milliseconds(run.config);
      run.limit = "calibrated";
    }
  }
  return contest;
}

}  // namespace agpusim

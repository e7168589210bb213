#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "agpusim/validation/experiments/integer_sorts/detail/finding_judges.hpp"
#include "agpusim/validation/predict/stats.hpp"

namespace agpusim::detail {
namespace {

/// Whether the time of H-P falls along `axis`, all else equal: one place per neighbouring pair.
template <class Axis, class Rest>
Judgement falls_along(const Selection& rows, const FindingTimes& times, Axis axis, Rest rest) {
  std::map<decltype(rest(rows.front()->cell)), std::map<double, double>> series;
  for (const ExperimentRow* const row : rows) {
    if (const auto time = times.of(*row, "H-P")) {
      series[rest(row->cell)][static_cast<double>(axis(row->cell))] = *time;
    }
  }
  Tally tally;
  std::vector<double> ratios;
  for (const auto& [key, points] : series) {
    for (auto next = points.begin(); next != points.end();) {
      const auto point = next++;
      if (next == points.end()) break;
      tally.add(next->second < point->second);
      ratios.push_back(next->second / point->second);
    }
  }
  if (ratios.empty()) return tally.judgement("no times");
  return tally.judgement(
      fmt::format("time of H-P from one step to the next: median {:.2f} times, {:.2f} to {:.2f}",
                  median(ratios), quantile(ratios, 0), quantile(ratios, 1)));
}

}  // namespace

Judgement faster_with_delta(const std::vector<ExperimentRow>& rows, const FindingTimes& times) {
  Selection cells =
      select_rows(rows, key_family::duplicates, [](const ExperimentCell&) { return true; });
  const Selection full =
      select_rows(rows, key_family::full_range, [](const ExperimentCell&) { return true; });
  cells.insert(cells.end(), full.begin(), full.end());
  if (cells.empty()) return Tally().judgement("no times");
  return falls_along(
      cells, times, [](const ExperimentCell& cell) { return cell.delta; },
      [](const ExperimentCell& cell) { return std::tuple(cell.sigma, cell.n); });
}

Judgement faster_with_max_value(const std::vector<ExperimentRow>& rows, const FindingTimes& times) {
  const Selection cells =
      select_rows(rows, key_family::fixed_max_value,
                  [](const ExperimentCell& cell) { return cell.range >= 1000; });
  if (cells.empty()) return Tally().judgement("no times");
  return falls_along(
      cells, times, [](const ExperimentCell& cell) { return cell.range; },
      [](const ExperimentCell& cell) { return std::tuple(cell.sigma, cell.n); });
}

Judgement cub_wins_tiny_range(const std::vector<ExperimentRow>& rows, const FindingTimes& times) {
  return everywhere(
      select_rows(rows, key_family::fixed_max_value,
                  [](const ExperimentCell& cell) { return cell.range == 100; }),
      [&](const ExperimentRow& row) { return times.is_fastest(row, "CUB"); }, "CUB is fastest at");
}

Judgement cub_overtakes(const std::vector<ExperimentRow>& rows, const FindingTimes& times) {
  const auto cells = select_rows(rows, key_family::fixed_max_value, [](const ExperimentCell& cell) {
    return cell.range == 1000 && same(cell.sigma, 100);
  });
  const auto wins = [&](const ExperimentRow& row) { return times.is_fastest(row, "CUB"); };
  Tally tally;
  if (cells.size() > 1) {
    const auto smallest = wins(*cells.front());
    const auto largest = wins(*cells.back());
    if (smallest && largest) {
      tally.add(!*smallest);
      tally.add(*largest);
    }
  }
  return tally.judgement("CUB is fastest at " + where(cells, wins));
}

Judgement gap_is_small(const std::vector<ExperimentRow>& rows, const FindingTimes& times) {
  Tally tally;
  std::vector<double> shares;
  for (const ExperimentRow* const row :
       select_rows(rows, key_family::full_range,
                   [](const ExperimentCell& cell) { return cell.delta > 1; })) {
    const auto hp = times.of(*row, "H-P");
    const auto compressed = times.of(*row, "0-compressed");
    const auto cub = times.of(*row, "CUB");
    if (!hp || !compressed || !cub) continue;
    const double gap = std::abs(*compressed - *hp);
    const double distance = std::abs(*cub - *hp);
    tally.add(gap < 0.5 * distance);
    if (distance > 0) shares.push_back(gap / distance);
  }
  if (shares.empty()) return tally.judgement("no times");
  return tally.judgement(
      fmt::format("|0-compressed - H-P| / |CUB - H-P|: median {:.2f}, {:.2f} to {:.2f}",
                  median(shares), quantile(shares, 0), quantile(shares, 1)));
}

Judgement cub_depends_on_n(const std::vector<ExperimentRow>& rows, const FindingTimes& times) {
  Tally tally;
  if (!times.counts_cub) return tally.judgement("CUB's time is calibrated as a function of n");
  std::map<std::int64_t, std::vector<double>> by_size;
  for (const ExperimentRow& row : rows) {
    if (const auto time = times.of(row, "CUB")) by_size[row.cell.n].push_back(*time);
  }
  double largest = 1;
  for (const auto& [n, all] : by_size) {
    if (all.size() < 2) continue;
    const auto [low, high] = std::minmax_element(all.begin(), all.end());
    const double spread = *high / *low;
    tally.add(spread < 1.1);
    largest = std::max(largest, spread);
  }
  return tally.judgement(
      fmt::format("slowest over fastest time of CUB at one n: up to {:.2f}", largest));
}

}  // namespace agpusim::detail

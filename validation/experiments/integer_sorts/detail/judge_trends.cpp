#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/validation/experiments/integer_sorts/detail/finding_judges.hpp"
#include "agpusim/validation/io/stats.hpp"

namespace agpusim::detail {
namespace {

/// Whether the time of H-P falls along `axis`, all else equal: one place per neighbouring pair.
template <class Axis>
Judgement falls_along(const Selection& rows, const FindingTimes& times, Axis axis) {
  std::map<std::pair<double, std::int64_t>, std::map<double, double>> series;  // by sigma and n
  for (const ExperimentRow* const row : rows) {
    if (const auto time = times.of(*row, "H-P")) {
      series[{row->cell.sigma, row->cell.n}][static_cast<double>(axis(row->cell))] = *time;
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

Judgement one_hp_range_grows_with_delta(const Selection& rows, const FindingTimes& times) {
  std::vector<std::int64_t> wins;
  std::vector<std::string> parts;
  bool all_known = true;
  for (const double delta : {0.25, 0.5, 1.0}) {
    Tally tally;
    const auto cells =
        select(rows, [&](const ExperimentCell& cell) { return same(cell.delta, delta); });
    for (const ExperimentRow* const row : cells) tally.add(times.is_fastest(*row, "1-H-P"));
    all_known =
        all_known && tally.checked() == static_cast<std::int64_t>(cells.size()) && !cells.empty();
    wins.push_back(tally.held());
    parts.push_back(fmt::format("delta = {}: {} of {} sizes", delta, tally.held(), cells.size()));
  }
  Tally tally;
  if (all_known) {
    tally.add(wins[1] > wins[0]);
    tally.add(wins[2] > wins[1]);
  }
  return tally.judgement(fmt::format("1-H-P is fastest at {}", fmt::join(parts, ", ")));
}

/// Smallest size from which on H-P or 0-compressed wins; one past the sizes when it never does.
Judgement border_grows_with_sigma(const Selection& rows, const FindingTimes& times) {
  Tally tally;
  std::vector<std::string> parts;
  for (const double delta : {1.0, 10.0, 50.0}) {
    std::vector<std::int64_t> borders;
    bool seen = false;
    for (const double sigma : {10.0, 50.0, 100.0}) {
      const auto cells = select(rows, [&](const ExperimentCell& cell) {
        return same(cell.delta, delta) && same(cell.sigma, sigma);
      });
      std::int64_t border = std::numeric_limits<std::int64_t>::max();
      for (const ExperimentRow* const row : cells) {
        const auto wins = times.hp_beats_cub(*row);
        if (!wins) continue;
        seen = true;
        if (*wins) border = std::min(border, row->cell.n);
      }
      borders.push_back(border);
      if (!seen) continue;
      parts.push_back(fmt::format(
          "delta = {}, sigma = {}: {}", delta, sigma,
          border == std::numeric_limits<std::int64_t>::max() ? "never" : millions(border)));
    }
    // Three equal borders: they lie outside the sizes.
    if (seen && borders.front() != borders.back()) {
      tally.add(std::is_sorted(borders.begin(), borders.end()));
    }
  }
  if (parts.empty()) return tally.judgement("no times");
  return tally.judgement(
      fmt::format("H-P or 0-compressed first wins at {}", fmt::join(parts, "; ")));
}

Judgement faster_with_delta(const Selection& rows, const FindingTimes& times) {
  return falls_along(rows, times, [](const ExperimentCell& cell) { return cell.delta; });
}

Judgement faster_with_range(const Selection& rows, const FindingTimes& times) {
  return falls_along(rows, times, [](const ExperimentCell& cell) { return cell.range; });
}

Judgement cub_overtakes(const Selection& rows, const FindingTimes& times) {
  const auto wins = [&](const ExperimentRow& row) { return times.is_fastest(row, "CUB"); };
  Tally tally;
  if (rows.size() > 1) {
    const auto smallest = wins(*rows.front());
    const auto largest = wins(*rows.back());
    if (smallest && largest) {
      tally.add(!*smallest);
      tally.add(*largest);
    }
  }
  return tally.judgement("CUB is fastest at " + where(rows, wins));
}

Judgement cub_depends_on_n(const Selection& rows, const FindingTimes& times) {
  Tally tally;
  if (!times.counts_cub) return tally.judgement("CUB's time is calibrated as a function of n");
  std::map<std::int64_t, std::vector<double>> by_size;
  for (const ExperimentRow* const row : rows) {
    if (const auto time = times.of(*row, "CUB")) by_size[row->cell.n].push_back(*time);
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

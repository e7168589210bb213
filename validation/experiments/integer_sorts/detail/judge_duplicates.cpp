#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/validation/experiments/integer_sorts/detail/finding_judges.hpp"

namespace agpusim::detail {

Judgement cub_wins_small_delta(const Rows& rows, const FindingTimes& times) {
  return everywhere(
      select_rows(
          rows, key_family::duplicates,
          [](const ExperimentCell& cell) { return same(cell.delta, 1) && cell.n > 1'000'000; }),
      [&](const ExperimentRow& row) { return times.is_fastest(row, "CUB"); }, "CUB is fastest at");
}

Judgement hp_wins_large_delta(const Rows& rows, const FindingTimes& times) {
  return everywhere(
      select_rows(rows, key_family::duplicates,
                  [](const ExperimentCell& cell) { return same(cell.delta, 50); }),
      [&](const ExperimentRow& row) { return times.hp_beats_cub(row); },
      "H-P or 0-compressed beats CUB at");
}

/// The paper prints "maxVal = 10" for the border, which must mean delta.
Judgement border_is_ten(const Rows& rows, const FindingTimes& times) {
  return everywhere(
      select_rows(rows, key_family::duplicates,
                  [](const ExperimentCell& cell) { return same(cell.delta, 10); }),
      [&](const ExperimentRow& row) { return times.hp_beats_cub(row); },
      "H-P or 0-compressed beats CUB at");
}

/// Smallest size from which on H-P or 0-compressed wins; one past the sizes when it never does.
Judgement border_grows_with_sigma(const Rows& rows, const FindingTimes& times) {
  Tally tally;
  std::vector<std::string> parts;
  for (const double delta : {1.0, 10.0, 50.0}) {
    std::vector<std::int64_t> borders;
    bool seen = false;
    for (const double sigma : {10.0, 50.0, 100.0}) {
      const auto cells = select_rows(rows, key_family::duplicates, [&](const ExperimentCell& cell) {
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

Judgement hp_mostly_ahead(const Rows& rows, const FindingTimes& times) {
  const auto cells =
      select_rows(rows, key_family::duplicates, [](const ExperimentCell&) { return true; });
  Tally tally;
  for (const ExperimentRow* const row : cells) {
    tally.add(times.is_faster(*row, "H-P", "0-compressed"));
  }
  Judgement result = tally.judgement(compressed_over_hp(cells, times));
  if (result.verdict == Verdict::partly) result.verdict = Verdict::holds;
  return result;
}

}  // namespace agpusim::detail

#include <cmath>

#include <fmt/format.h>

#include "agpusim/validation/experiments/integer_sorts/detail/finding_judges.hpp"
#include "agpusim/validation/io/stats.hpp"

namespace agpusim::detail {
namespace {

/// Whether a sort is the fastest.
Question is_fastest(const FindingTimes& times, const char* sort) {
  return [&times, sort](const ExperimentRow& row) { return times.is_fastest(row, sort); };
}

/// The median and extremes of the time of 0-compressed over that of H-P, in words.
std::string compressed_over_hp(const Selection& rows, const FindingTimes& times) {
  std::vector<double> ratios;
  for (const ExperimentRow* const row : rows) {
    const auto hp = times.of(*row, "H-P");
    const auto compressed = times.of(*row, "0-compressed");
    if (hp && compressed) ratios.push_back(*compressed / *hp);
  }
  if (ratios.empty()) return "no times";
  return "0-compressed / H-P: " + median_and_extremes(ratios);
}

}  // namespace

Judgement one_hp_is_fastest(const Selection& rows, const FindingTimes& times) {
  return everywhere(rows, is_fastest(times, "1-H-P"), "1-H-P is fastest at");
}

Judgement one_hp_is_not_fastest(const Selection& rows, const FindingTimes& times) {
  Tally tally;
  for (const ExperimentRow* const row : rows) {
    if (const auto answer = times.is_fastest(*row, "1-H-P")) tally.add(!*answer);
  }
  return tally.judgement("1-H-P is still fastest at " + where(rows, is_fastest(times, "1-H-P")));
}

Judgement compressed_is_fastest(const Selection& rows, const FindingTimes& times) {
  return everywhere(rows, is_fastest(times, "0-compressed"), "0-compressed is fastest at");
}

Judgement cub_is_fastest(const Selection& rows, const FindingTimes& times) {
  return everywhere(rows, is_fastest(times, "CUB"), "CUB is fastest at");
}

Judgement cub_is_fastest_beyond_1m(const Selection& rows, const FindingTimes& times) {
  Tally tally;
  for (const ExperimentRow* const row : rows) {
    const auto answer = times.is_fastest(*row, "CUB");
    if (answer) tally.add(*answer == (row->cell.n > 1'000'000));
  }
  return tally.judgement("CUB is fastest at " + where(rows, is_fastest(times, "CUB")));
}

Judgement hp_or_compressed_beats_cub(const Selection& rows, const FindingTimes& times) {
  return everywhere(
      rows, [&](const ExperimentRow& row) { return times.hp_beats_cub(row); },
      "H-P or 0-compressed beats CUB at");
}

Judgement hp_and_compressed_beat_cub(const Selection& rows, const FindingTimes& times) {
  return everywhere(
      rows,
      [&](const ExperimentRow& row) -> std::optional<bool> {
        const auto hp = times.is_faster(row, "H-P", "CUB");
        const auto compressed = times.is_faster(row, "0-compressed", "CUB");
        if (!hp || !compressed) return std::nullopt;
        return *hp && *compressed;
      },
      "H-P and 0-compressed beat CUB at");
}

Judgement compressed_beats_hp(const Selection& rows, const FindingTimes& times) {
  return everywhere(
      rows, [&](const ExperimentRow& row) { return times.is_faster(row, "0-compressed", "H-P"); },
      "0-compressed beats H-P at");
}

Judgement hp_beats_compressed(const Selection& rows, const FindingTimes& times) {
  Tally tally;
  for (const ExperimentRow* const row : rows) {
    tally.add(times.is_faster(*row, "H-P", "0-compressed"));
  }
  return tally.judgement(compressed_over_hp(rows, times));
}

Judgement hp_mostly_beats_compressed(const Selection& rows, const FindingTimes& times) {
  Judgement result = hp_beats_compressed(rows, times);
  if (result.verdict == Verdict::partly) result.verdict = Verdict::holds;
  return result;
}

Judgement gap_is_small(const Selection& rows, const FindingTimes& times) {
  Tally tally;
  std::vector<double> shares;
  for (const ExperimentRow* const row : rows) {
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
  return tally.judgement("|0-compressed - H-P| / |CUB - H-P|: " + median_and_extremes(shares));
}

}  // namespace agpusim::detail

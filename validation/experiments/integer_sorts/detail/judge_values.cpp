#include "agpusim/validation/experiments/integer_sorts/detail/finding_judges.hpp"

namespace agpusim::detail {

Judgement compressed_wins_few_values(const Rows& rows, const FindingTimes& times) {
  return everywhere(
      select_rows(
          rows, key_family::fixed_len,
          [](const ExperimentCell& cell) { return same(cell.delta, 1) && cell.len == 100; }),
      [&](const ExperimentRow& row) { return times.is_fastest(row, "0-compressed"); },
      "0-compressed is fastest at");
}

Judgement compressed_ahead_of_hp(const Rows& rows, const FindingTimes& times) {
  return everywhere(
      select_rows(rows, key_family::fixed_len,
                  [](const ExperimentCell& cell) { return same(cell.delta, 1); }),
      [&](const ExperimentRow& row) { return times.is_faster(row, "0-compressed", "H-P"); },
      "0-compressed beats H-P at");
}

Judgement hp_wins_few_values_large_delta(const Rows& rows, const FindingTimes& times) {
  return everywhere(
      select_rows(rows, key_family::fixed_len,
                  [](const ExperimentCell& cell) { return cell.delta > 1; }),
      [&](const ExperimentRow& row) { return times.hp_beats_cub(row); },
      "H-P or 0-compressed beats CUB at");
}

Judgement cub_wins_full_range(const Rows& rows, const FindingTimes& times) {
  const auto fastest = [&](const ExperimentRow& row) { return times.is_fastest(row, "CUB"); };
  const auto cells = select_rows(rows, key_family::full_range,
                                 [](const ExperimentCell& cell) { return same(cell.delta, 1); });
  Tally tally;
  for (const ExperimentRow* const row : cells) {
    const auto answer = fastest(*row);
    if (answer) tally.add(*answer == (row->cell.n > 1'000'000));
  }
  return tally.judgement("CUB is fastest at " + where(cells, fastest));
}

Judgement hp_wins_full_range(const Rows& rows, const FindingTimes& times) {
  return everywhere(
      select_rows(rows, key_family::full_range,
                  [](const ExperimentCell& cell) { return cell.delta > 1; }),
      [&](const ExperimentRow& row) -> std::optional<bool> {
        const auto hp = times.is_faster(row, "H-P", "CUB");
        const auto compressed = times.is_faster(row, "0-compressed", "CUB");
        if (!hp || !compressed) return std::nullopt;
        return *hp && *compressed;
      },
      "H-P and 0-compressed beat CUB at");
}

Judgement hp_ahead_full_range(const Rows& rows, const FindingTimes& times) {
  const auto cells = select_rows(rows, key_family::full_range,
                                 [](const ExperimentCell& cell) { return cell.delta > 1; });
  Tally tally;
  for (const ExperimentRow* const row : cells) {
    tally.add(times.is_faster(*row, "H-P", "0-compressed"));
  }
  return tally.judgement(compressed_over_hp(cells, times));
}

}  // namespace agpusim::detail

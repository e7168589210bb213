#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/validation/experiments/integer_sorts/detail/finding_judges.hpp"

namespace agpusim::detail {
namespace {

/// Largest size of the paper at which 1-H-P is fastest.
std::int64_t one_hp_border(double delta) {
  if (same(delta, 1)) return 2'000'000;
  return same(delta, 0.5) ? 1'300'000 : 700'000;
}

}  // namespace

Judgement one_hp_loses_beyond(const Rows& rows, const FindingTimes& times) {
  const auto fastest = [&](const ExperimentRow& row) { return times.is_fastest(row, "1-H-P"); };
  const Selection cells = select_rows(rows, key_family::distinct, [](const ExperimentCell& cell) {
    return cell.n > one_hp_border(cell.delta);
  });
  Tally tally;
  for (const ExperimentRow* const row : cells) {
    const auto answer = fastest(*row);
    if (answer) tally.add(!*answer);
  }
  return tally.judgement("1-H-P is still fastest at " + where(cells, fastest));
}

Judgement one_hp_is_fastest(const Rows& rows, const FindingTimes& times) {
  return everywhere(
      select_rows(rows, key_family::distinct,
                  [](const ExperimentCell& cell) {
                    return cell.n >= 200'000 && cell.n <= one_hp_border(cell.delta);
                  }),
      [&](const ExperimentRow& row) { return times.is_fastest(row, "1-H-P"); },
      "1-H-P is fastest at");
}

Judgement one_hp_from_small(const Rows& rows, const FindingTimes& times) {
  return everywhere(
      select_rows(
          rows, key_family::distinct,
          [](const ExperimentCell& cell) { return same(cell.delta, 1) && cell.n <= 2'000'000; }),
      [&](const ExperimentRow& row) { return times.is_fastest(row, "1-H-P"); },
      "1-H-P is fastest at");
}

Judgement one_hp_range_grows(const Rows& rows, const FindingTimes& times) {
  std::vector<std::int64_t> wins;
  std::vector<std::string> parts;
  bool all_known = true;
  for (const double delta : {0.25, 0.5, 1.0}) {
    Tally tally;
    const auto cells = select_rows(rows, key_family::distinct, [&](const ExperimentCell& cell) {
      return same(cell.delta, delta);
    });
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

}  // namespace agpusim::detail

#pragma once

#include <vector>

#include "agpusim/validation/experiments/integer_sorts/detail/finding_times.hpp"

/// One function per finding of seed 000: what a set of times says about it.
namespace agpusim::detail {

using Rows = std::vector<ExperimentRow>;

// 6.3.1, keys without duplicates
[[nodiscard]] Judgement one_hp_is_fastest(const Rows& rows, const FindingTimes& times);
[[nodiscard]] Judgement one_hp_loses_beyond(const Rows& rows, const FindingTimes& times);
[[nodiscard]] Judgement one_hp_from_small(const Rows& rows, const FindingTimes& times);
[[nodiscard]] Judgement one_hp_range_grows(const Rows& rows, const FindingTimes& times);

// 6.3.2, keys with duplicates
[[nodiscard]] Judgement cub_wins_small_delta(const Rows& rows, const FindingTimes& times);
[[nodiscard]] Judgement hp_wins_large_delta(const Rows& rows, const FindingTimes& times);
[[nodiscard]] Judgement border_is_ten(const Rows& rows, const FindingTimes& times);
[[nodiscard]] Judgement border_grows_with_sigma(const Rows& rows, const FindingTimes& times);
[[nodiscard]] Judgement hp_mostly_ahead(const Rows& rows, const FindingTimes& times);

// 6.3.3, few different keys
[[nodiscard]] Judgement compressed_wins_few_values(const Rows& rows, const FindingTimes& times);
[[nodiscard]] Judgement compressed_ahead_of_hp(const Rows& rows, const FindingTimes& times);
[[nodiscard]] Judgement hp_wins_few_values_large_delta(const Rows& rows, const FindingTimes& times);

// 6.3.4, len = range
[[nodiscard]] Judgement cub_wins_full_range(const Rows& rows, const FindingTimes& times);
[[nodiscard]] Judgement hp_wins_full_range(const Rows& rows, const FindingTimes& times);
[[nodiscard]] Judgement hp_ahead_full_range(const Rows& rows, const FindingTimes& times);
[[nodiscard]] Judgement gap_is_small(const Rows& rows, const FindingTimes& times);
[[nodiscard]] Judgement faster_with_delta(const Rows& rows, const FindingTimes& times);

// 6.3.5, fixed maxVal, and 6.2
[[nodiscard]] Judgement faster_with_max_value(const Rows& rows, const FindingTimes& times);
[[nodiscard]] Judgement cub_wins_tiny_range(const Rows& rows, const FindingTimes& times);
[[nodiscard]] Judgement cub_overtakes(const Rows& rows, const FindingTimes& times);
[[nodiscard]] Judgement cub_depends_on_n(const Rows& rows, const FindingTimes& times);

}  // namespace agpusim::detail

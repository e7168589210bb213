#pragma once

#include "agpusim/validation/experiments/integer_sorts/detail/finding_times.hpp"

/// What a set of times says about a finding of seed 000; `rows` are those that it is about.
namespace agpusim::detail {

using Judge = Judgement(const Selection& rows, const FindingTimes& times);

// Everywhere:
Judge one_hp_is_fastest;
Judge one_hp_is_not_fastest;
Judge compressed_is_fastest;
Judge cub_is_fastest;
Judge cub_is_fastest_beyond_1m;  ///< and not up to there
Judge hp_or_compressed_beats_cub;
Judge hp_and_compressed_beat_cub;
Judge compressed_beats_hp;
Judge hp_beats_compressed;
Judge hp_mostly_beats_compressed;
Judge gap_is_small;

// How it changes:
Judge one_hp_range_grows_with_delta;
Judge border_grows_with_sigma;
Judge faster_with_delta;
Judge faster_with_range;
Judge cub_overtakes;
Judge cub_depends_on_n;

}  // namespace agpusim::detail

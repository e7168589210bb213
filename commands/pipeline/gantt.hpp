#pragma once

#include <cstdint>
#include <string>

#include "agpusim/model/transfer/pipeline.hpp"
#include "agpusim/model/transfer/schedule.hpp"

// Charts of a schedule, be it predicted or measured: a row per engine over time.
namespace agpusim::out_of_core {

/// For a terminal: `columns` columns for the makespan, in each the number of the stream that works
/// longest in it (10 is a, 36 is A, from 62 on #), '-' where the engine works for less than half of
/// it, '.' where it rests; then the share of the makespan in which it is busy, and a time axis.
/// Throws UsageError for fewer than 20 columns.
[[nodiscard]] std::string gantt_text(const transfer::Pipeline& pipeline,
                                     const transfer::Schedule& schedule, std::int32_t columns);

/// An SVG element of that many pixels with a tooltip per operation, coloured by stream with the
/// variables of web/page.css. More than 2,000 operations: neighbours of one engine are drawn as
/// one bar, the fainter the less it is busy.
[[nodiscard]] std::string gantt_svg(const transfer::Pipeline& pipeline,
                                    const transfer::Schedule& schedule, std::int32_t width);

}  // namespace agpusim::out_of_core

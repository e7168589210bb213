#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/model/pram/report.hpp"
#include "agpusim/model/pram/trace.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim {

/// The steps of a recorded run, which costs `counts`, on each number of processors, with speed-up
/// T_1 / T_P and efficiency T_1 / (P T_P), and which P is the largest with an efficiency of `least`
/// (0: none is asked for). T_P are the steps of schedule_on. Processors beyond those of the widest
/// step are idle, and no answer.
[[nodiscard]] report::Section speed_up(const PramTrace& trace, const PramReport& counts,
                                       std::vector<std::int64_t> processors, double least);

}  // namespace agpusim

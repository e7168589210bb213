#pragma once

#include <vector>

#include "agpusim/validation/measure/link_measure.cuh"

namespace agpusim::out_of_core {

/// The part of measure_link() that is about steps on chunks: the library's and the scatter.
void measure_steps(std::vector<LinkConstant>& constants);

}  // namespace agpusim::out_of_core

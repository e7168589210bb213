#pragma once

#include "agpusim/algorithms/merge_sort/multiway_merge_sort/program.hpp"

namespace agpusim::gpu_warpsort {

/// This row is a preset of that one.
using multiway_merge_sort::make_program;

}  // namespace agpusim::gpu_warpsort

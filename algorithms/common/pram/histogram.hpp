#pragma once

#include <cstdint>
#include <string_view>

#include "agpusim/model/pram/machine.hpp"

namespace agpusim {

/// Writes 0 to every cell: one step.
void clear(Pram& pram, std::string_view step_name, const PramArray& cells);

/// h[x[i] - min] = how often that value occurs, for the values that do occur (Sum-CRCW): one step
/// of as many processors as x has elements. Bins that hold no element keep their content.
void count_values(Pram& pram, std::string_view step_name, const PramArray& x, std::int64_t min,
                  const PramArray& h);

}  // namespace agpusim

#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/pram/integer_sorts.hpp"
#include "agpusim/model/run/algorithm.hpp"

// The integer sorts of seed 000 on one processor, a RAM: steps are its time, which theorems 1 to 3
// bound by O(max(n, range)). Each form below is the exact cost for the same arguments.
namespace agpusim {

/// The name of the variant.
inline constexpr const char* sequential_variant = "ram";

/// Adds the variant to a row of integer_sort_row; `time` is the text of its steps, `theorem` its
/// source.
void add_sequential_variant(PramSide& row, const std::string& time, const std::string& theorem);

/// y of H-P sort: 3n + 3·range + 1 steps.
PramArray sequential_hp_sort(Pram& pram, const PramArray& x, const KeyRange& keys);
[[nodiscard]] PramForm sequential_hp_sort_form(std::int64_t n, std::int64_t range);

/// y of 1-H-P sort of distinct keys: n + 3·range steps.
PramArray sequential_one_hp_sort(Pram& pram, const PramArray& x, const KeyRange& keys);
[[nodiscard]] PramForm sequential_one_hp_sort_form(std::int64_t n, std::int64_t range);

/// y of 0-compressed H-P sort: 3n + 3·range + 4·len steps, `distinct` = len.
PramArray sequential_zero_compressed_hp_sort(Pram& pram, const PramArray& x, const KeyRange& keys);
[[nodiscard]] PramForm sequential_zero_compressed_hp_sort_form(std::int64_t n, std::int64_t range,
                                                               std::int64_t distinct);

}  // namespace agpusim

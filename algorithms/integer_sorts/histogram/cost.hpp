#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agpusim/algorithms/integer_sorts/histogram/program.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim {

/// The closed form of Fill over `elements` elements of `words` words.
[[nodiscard]] PhaseForm fill_form(const AgpuSpec& spec, const Cut& cut, std::int64_t words);

}  // namespace agpusim

namespace agpusim::histogram {

/// Appends the closed forms of Histogram's phases; `places[i]` is the bin of key i. I/O: keys n/b,
/// bins R/b written once; global: and the blocks that the atomics of each warp touch; shared: and
/// those of every task's bins that are not 0; sorted: and 2kR/b for the tables (theory 3.6).
void append_forms(std::vector<PhaseForm>& forms, const AgpuSpec& spec, const Bins& bins,
                  Place place, const Segmentation& how, std::span<const std::int32_t> places);

/// How often each bin occurs.
[[nodiscard]] std::vector<std::int32_t> count(std::span<const std::int32_t> places,
                                              std::int64_t range);

}  // namespace agpusim::histogram

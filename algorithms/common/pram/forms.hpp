#pragma once

#include <cstdint>
#include <initializer_list>

#include "agpusim/model/pram/run.hpp"

namespace agpusim {

/// The cost of one step of processors all of which are active, or `active` of them; none without
/// processors.
[[nodiscard]] PramForm step_form(std::int64_t processors);
[[nodiscard]] PramForm step_form(std::int64_t processors, std::int64_t active);

/// The cost of programs that run one after the other.
[[nodiscard]] PramForm sequence_form(std::initializer_list<PramForm> parts);

/// Adds the cost of `next`, which runs after `form`.
void append_form(PramForm& form, const PramForm& next);

}  // namespace agpusim

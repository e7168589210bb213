#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "agpusim/model/cost/units.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim {

/// Bytes of one element of the type named `type`.
[[nodiscard]] inline std::int32_t element_bytes(const std::string& type) {
  if (type == "u32" || type == "i32" || type == "f32") return 4;
  if (type == "u64" || type == "i64" || type == "f64") return 8;
  throw UsageError("unknown element type '" + type + "': known are u32, u64, i32, i64, f32, f64");
}

/// Calls `f` with a value of the unsigned C++ type named `type`.
template <class F>
auto with_element_type(const std::string& type, F f) {
  return element_bytes(type) == 4 ? f(std::uint32_t{}) : f(std::uint64_t{});
}

/// Calls `f` with a value of the C++ type named `type`: one of numeric_types().
template <class F>
auto with_numeric_type(const std::string& type, F f) {
  if (type == "i32") return f(std::int32_t{});
  if (type == "i64") return f(std::int64_t{});
  return type == "f32" ? f(float{}) : f(double{});
}

/// Blocks that an array of elements of a run takes on its machine.
[[nodiscard]] inline std::int64_t element_blocks(const RunConfig& config, std::int64_t elements) {
  return config.spec.blocks_of(elements, element_bytes(config.type));
}

/// Words that one element touches on the machine of a run.
[[nodiscard]] inline std::int32_t element_words(const RunConfig& config) {
  return config.spec.words_per_element(element_bytes(config.type));
}
/// Blocks that requests for neighbouring elements ask for: each request asks for whole words, so
/// that elements that share a word count one each.
[[nodiscard]] inline std::int64_t blocks_requested(const RunConfig& config, std::int64_t elements) {
  return ceil_div(elements * element_words(config), config.spec.block_words);
}

}  // namespace agpusim

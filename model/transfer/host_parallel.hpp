#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

// Work of the host, on all its cores.
namespace agpusim::out_of_core {

/// Calls body(first, end) for ranges that cover 0..count-1, at the same time.
void for_ranges(std::int64_t count, const std::function<void(std::int64_t, std::int64_t)>& body);

/// Calls body(i) for every i in 0..count-1, at the same time.
void for_each_index(std::int64_t count, const std::function<void(std::int64_t)>& body);

/// compact[i] = places[i]. Returns the first i whose place is not in 0..n-1; n <= 2^31.
std::optional<std::int64_t> compact_places(std::span<const std::int64_t> places,
                                           std::span<std::int32_t> compact, std::int64_t n);

/// The first i whose place is not in 0..n-1.
[[nodiscard]] std::optional<std::int64_t> first_outside(std::span<const std::int64_t> places,
                                                        std::int64_t n);

}  // namespace agpusim::out_of_core

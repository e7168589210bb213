#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/hash_table/kernel.hpp"
#include "agpusim/model/run/run.hpp"

// The keys of a run of hash_table, and what theory says of their searches.
namespace agpusim::hash_table {

/// m = ceil(100 n / load), at least 1.
[[nodiscard]] Slots table_of(const RunConfig& config);

/// n different keys, none of them `empty`, in the order of their homes, as a sort leaves them.
[[nodiscard]] std::vector<std::uint32_t> keys_of(const RunConfig& config);
/// What is searched for: the n keys in another order, then n that are not there.
[[nodiscard]] std::vector<std::uint32_t> wanted_of(const RunConfig& config);

/// Slots that a search looks at, on average, in a table whose n keys fill a share a of the homes.
struct Probes {
  double present = 0;  ///< slots for a key that is there
  double absent = 0;   ///< slots for a key that is not
};
/// Knuth, TAOCP 3, 6.4, (22) and (23), for large tables: (1 + 1/(1-a))/2, (1 + 1/(1-a)^2)/2.
[[nodiscard]] Probes expected_probes(const RunConfig& config);
/// Slots that the searches of a run looked at, by the results of Find; n >= 1.
[[nodiscard]] Probes counted_probes(const RunConfig& config,
                                    const std::vector<std::int32_t>& found);

}  // namespace agpusim::hash_table

#pragma once

#include <cstdint>
#include <span>

// The out-of-core primitives without a device: loops of one thread as in seed 004, Listing 1
// (repaired: a scan applies its operator), and the same on all cores by oneTBB.
namespace agpusim::out_of_core {

enum class HostCores : std::uint8_t { one, all };

void host_scale(HostCores cores, std::span<const double> in, std::span<double> out, double factor);
/// sin^2 + cos^2 of every element.
void host_trigonometry(HostCores cores, std::span<const double> in, std::span<double> out);
[[nodiscard]] double host_sum(HostCores cores, std::span<const double> in);
/// Sum of every element times `factor`.
[[nodiscard]] double host_scaled_sum(HostCores cores, std::span<const double> in, double factor);
/// Inclusive.
void host_scan(HostCores cores, std::span<const double> in, std::span<double> out);
/// Inclusive scan of every element times `factor`.
void host_scaled_scan(HostCores cores, std::span<const double> in, std::span<double> out,
                      double factor);
/// Inclusive, within the segments that begin where a head is not 0, as at element 0.
void host_segmented_scan(HostCores cores, std::span<const double> in,
                         std::span<const std::uint32_t> heads, std::span<double> out);
/// out[k] = the sum of segment k.
void host_segmented_sum(HostCores cores, std::span<const double> in,
                        std::span<const std::uint32_t> heads, std::span<double> out);
/// In place, every segment by std::sort: a segment is one core's.
void host_segmented_sort(HostCores cores, std::span<const std::uint32_t> heads,
                         std::span<double> keys);
void host_scatter(HostCores cores, std::span<const std::int64_t> places, std::span<const double> in,
                  std::span<double> out);
/// hash_table() with keys in their order: out[i] = the slot of in[i], or -1 - the empty slot where
/// its search ended. The table is in `words`, of host_hash_table_words(n). All cores insert by
/// compare-and-swap.
void host_hash_table(HostCores cores, std::span<const double> in, std::span<double> out,
                     std::span<std::int64_t> words);
[[nodiscard]] std::int64_t host_hash_table_words(std::int64_t n);
/// What hash_table() writes: as host_hash_table(), in the order of the keys' hashes.
void find_in_order_of_hashes(std::span<const double> in, std::span<double> out);
/// In place: std::sort, tbb::parallel_sort.
void host_sort(HostCores cores, std::span<double> keys);

}  // namespace agpusim::out_of_core

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
/// Inclusive.
void host_scan(HostCores cores, std::span<const double> in, std::span<double> out);
void host_scatter(HostCores cores, std::span<const std::int64_t> places, std::span<const double> in,
                  std::span<double> out);
/// In place: std::sort, tbb::parallel_sort.
void host_sort(HostCores cores, std::span<double> keys);

}  // namespace agpusim::out_of_core

#pragma once

#include <cstdint>
#include <string_view>

#include "agpusim/model/run/run.hpp"

// What every program that sorts by comparing keys, or makes one value of many, must pay.
namespace agpusim {

/// Registers of one lane that a bound on I/O counts as memory beside M: a GPU keeps keys in them,
/// and a bound that left them out would not hold for its programs.
inline constexpr std::int32_t registers_of_lane = 32;

/// Blocks that must be read to sort n distinct keys by comparisons, with blocks of b keys and a
/// memory of m keys: [lg n! - (n/b) lg b!] / lg C(m, b), at least 0. Each of the n/b first reads of
/// a block tells at most lg b! bits about the order inside it, and each read at most lg C(m, b)
/// about the places of its keys among those in memory. A memory below 2b keys counts as 2b: the
/// bound then still holds and stays finite. Holds as well where several memories of m keys share
/// the reads. n >= 0, b >= 1. Source: Aggarwal and Vitter, CACM 31(9), 1988.
[[nodiscard]] double sorting_reads_bound(double n, double b, double m);

/// Blocks that must be read or written: n/b reads or those of sorting_reads_bound, and n/b writes.
[[nodiscard]] double sorting_io_bound(double n, double b, double m);

/// The bounds for a run that sorts config.n keys of config.type by comparisons: Q >= the blocks
/// read and written with M and registers_of_lane of every lane as memory; T >= Q / k for k
/// multiprocessors and T >= lg n! / p, since a core compares once in a time unit.
[[nodiscard]] LowerBound comparison_sort_bound(const RunConfig& config);

/// The bounds for a run that makes one value of config.n >= 1 by operations of two, whose name its
/// text gives: every block is read and one written, by k multiprocessors; p cores do n-1
/// operations, and fan-in 2 needs lg n steps.
[[nodiscard]] LowerBound reduction_bound(const RunConfig& config, std::string_view operations);

}  // namespace agpusim

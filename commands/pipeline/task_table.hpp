#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <tuple>
#include <vector>

#include "agpusim/algorithms/common/operators.hpp"
#include "agpusim/algorithms/out_of_core/functors.hpp"
#include "agpusim/algorithms/out_of_core/hash_table.hpp"
#include "agpusim/algorithms/out_of_core/reduce.hpp"
#include "agpusim/algorithms/out_of_core/scan.hpp"
#include "agpusim/algorithms/out_of_core/scatter_partitioned.hpp"
#include "agpusim/algorithms/out_of_core/segmented.hpp"
#include "agpusim/algorithms/out_of_core/segmented_sort.hpp"
#include "agpusim/algorithms/out_of_core/separate.hpp"
#include "agpusim/algorithms/out_of_core/sort.hpp"
#include "agpusim/algorithms/out_of_core/sort_one_hot.hpp"
#include "agpusim/algorithms/out_of_core/transform.hpp"
#include "agpusim/algorithms/segmented/kernel.hpp"
#include "agpusim/commands/pipeline/tasks.hpp"
#include "agpusim/commands/pipeline/windows.hpp"
#include "agpusim/commands/pipeline/workload.hpp"

// Every task of arrays that are larger than the device's memory, with all that is known of it.
namespace agpusim::out_of_core {
namespace table {

using Sum = operators::Sum<double>;

/// The program's scratch, or the streams' own.
template <class T, class Streams>
HostPiece<T> scratch_of(Streams& streams, const HostPiece<T>& given, std::int64_t n) {
  return given.size() == n && n > 0 ? given : streams.template scratch<T>(n);
}

[[nodiscard]] inline agpusim::scan::Kind kind_of(const Settings& settings) {
  return settings.exclusive ? agpusim::scan::Kind::exclusive : agpusim::scan::Kind::inclusive;
}

inline void put(const Arrays& arrays, double result) {
  if (arrays.out.is_there()) *arrays.out.data() = result;
}

/// So many operations of `each` chunk.
[[nodiscard]] inline std::function<double(const Chunks&, const Settings&)> of_chunk(double each) {
  return [each](const Chunks& chunks, const Settings&) {
    return each * static_cast<double>(chunks.count());
  };
}

[[nodiscard]] inline double passes(const Chunks& chunks, std::int64_t window) {
  return chunks.n == 0 ? 0 : static_cast<double>((chunks.n + window - 1) / window);
}

inline void fill_numbers(const HostArrays& a, std::uint64_t seed) {
  out_of_core::fill_numbers(a.in, seed);
  fill_heads(a.heads);
}

inline void fill_keys(const HostArrays& a, std::uint64_t seed) {
  out_of_core::fill_keys(a.in, seed);
  fill_heads(a.heads);
}

inline void fill_indices(const HostArrays& a, std::uint64_t seed) {
  out_of_core::fill_indices(a.in);
  if (!a.places.empty()) fill_places(a.places, seed);
}

}  // namespace table

/// The table, with the programs on `Streams`: once for plans, the abstract machine and a GPU.
template <class... Streams>
std::vector<Task> task_table() {
  using namespace table;
  const auto scheme = [](Scheme row, const auto& program) {
    (..., (std::get<Scheme::Run<Streams>>(row.programs) = program));
    return row;
  };
  constexpr Scale scale{scale_factor};
  return {
      {.name = "transform_const",
       .summary = "every element times a constant",
       .primitive = "transform",
       .operation = "x*3",
       .schemes = {scheme(
           {.name = "one_pass", .help = "each chunk in, mapped, out", .operations = of_chunk(3)},
           [=](auto& streams, const Arrays& a, const Chunks& chunks, const Settings& settings) {
             transform(streams, a.in, a.out, chunks, scale, settings.control);
           })},
       .fill = table::fill_numbers,
       .on_host = [](HostCores cores,
                     const HostArrays& a) { host_scale(cores, a.in, a.out, scale_factor); },
       .check = [](const HostArrays& a) { return check_scaled(a.in, a.out, scale_factor); }},

      {.name = "transform_trig",
       .summary = "squares of sine and cosine of every element, added",
       .primitive = "transform",
       .operation = "sin(x)^2 + cos(x)^2",
       .schemes = {scheme(
           {.name = "one_pass", .help = "each chunk in, mapped, out", .operations = of_chunk(3)},
           [](auto& streams, const Arrays& a, const Chunks& chunks, const Settings& settings) {
             transform(streams, a.in, a.out, chunks, SinSquaredPlusCosSquared{}, settings.control);
           })},
       .fill = table::fill_numbers,
       .on_host = [](HostCores cores,
                     const HostArrays& a) { host_trigonometry(cores, a.in, a.out); },
       .check = [](const HostArrays& a) { return check_ones(a.out); }},

      {.name = "reduce",
       .summary = "the sum of all elements",
       .primitive = "reduce",
       .operation = "+",
       .one_result = true,
       .schemes =
           {scheme(
                {.name = "one_pass",
                 .help = "the host folds the totals of the chunks",
                 .operations = of_chunk(3)},
                [](auto& streams, const Arrays& a, const Chunks& chunks, const Settings& settings) {
                  put(a, reduce<Sum>(streams, a.in, chunks, settings.control));
                }),
            scheme(
                {.name = "seed",
                 .help = "the totals of the chunks are reduced like the input, until one is left",
                 .operations = of_chunk(3)},
                [](auto& streams, const Arrays& a, const Chunks& chunks, const Settings& settings) {
                  put(a, reduce_recursively<Sum>(streams, a.in, chunks, settings.control));
                })},
       .fill = table::fill_numbers,
       .on_host = [](HostCores cores, const HostArrays& a) { a.out[0] = host_sum(cores, a.in); },
       .check = [](const HostArrays& a) { return check_sum(a.in, a.out[0]); }},

      {.name = "scan",
       .summary = "inclusive prefix sums",
       .primitive = "scan",
       .operation = "+",
       .may_be_exclusive = true,
       .schemes = {scheme({.name = "one_pass",
                           .help = "what lies before a chunk stays on the device",
                           .operations = of_chunk(3)},
                          [](auto& streams, const Arrays& a, const Chunks& chunks,
                             const Settings& settings) {
                            scan<Sum>(streams, a.in, a.out, chunks, kind_of(settings),
                                      settings.control);
                          }),
                   scheme({.name = "seed",
                           .help = "chunks by themselves, their totals, then all chunks again",
                           .operations = of_chunk(7)},
                          [](auto& streams, const Arrays& a, const Chunks& chunks,
                             const Settings& settings) {
                            scan_twice<Sum>(streams, a.in, a.out, chunks, kind_of(settings),
                                            settings.control);
                          })},
       .fill = table::fill_numbers,
       .on_host = [](HostCores cores, const HostArrays& a) { host_scan(cores, a.in, a.out); },
       .check = [](const HostArrays& a) { return check_prefixes(a.in, a.out); }},

      {.name = "transform_reduce",
       .summary = "the sum of every element times a constant",
       .primitive = "transform, reduce",
       .operation = "x*3, +",
       .one_result = true,
       .schemes = {scheme({.name = "fused",
                           .help = "reduce applies the function as it reads: one pass",
                           .operations = of_chunk(3)},
                          [=](auto& streams, const Arrays& a, const Chunks& chunks,
                              const Settings& settings) {
                            put(a, transform_reduce<Sum>(streams, a.in, chunks, scale,
                                                         settings.control));
                          }),
                   scheme({.name = "separate",
                           .help = "transform to memory of the host, then reduce",
                           .operations = of_chunk(6),
                           .scratch = {.values = true}},
                          [=](auto& streams, const Arrays& a, const Chunks& chunks,
                              const Settings& settings) {
                            put(a,
                                transform_then_reduce<Sum>(
                                    streams, a.in, table::scratch_of(streams, a.scratch, chunks.n),
                                    chunks, scale, settings.control));
                          })},
       .fill = table::fill_numbers,
       .on_host =
           [](HostCores cores, const HostArrays& a) {
             a.out[0] = host_scaled_sum(cores, a.in, scale_factor);
           },
       .check = [](const HostArrays& a) { return check_sum(a.in, a.out[0], scale_factor); }},

      {.name = "transform_scan",
       .summary = "inclusive prefix sums of every element times a constant",
       .primitive = "transform, scan",
       .operation = "x*3, +",
       .schemes = {scheme({.name = "fused",
                           .help = "scan applies the function as it reads: one pass",
                           .operations = of_chunk(3)},
                          [=](auto& streams, const Arrays& a, const Chunks& chunks,
                              const Settings& settings) {
                            transform_scan<Sum>(streams, a.in, a.out, chunks, kind_of(settings),
                                                scale, settings.control);
                          }),
                   scheme({.name = "separate",
                           .help = "transform to memory of the host, then scan",
                           .operations = of_chunk(6),
                           .scratch = {.values = true}},
                          [=](auto& streams, const Arrays& a, const Chunks& chunks,
                              const Settings& settings) {
                            transform_then_scan<Sum>(
                                streams, a.in, a.out,
                                table::scratch_of(streams, a.scratch, chunks.n), chunks,
                                kind_of(settings), scale, settings.control);
                          })},
       .fill = table::fill_numbers,
       .on_host = [](HostCores cores,
                     const HostArrays& a) { host_scaled_scan(cores, a.in, a.out, scale_factor); },
       .check = [](const HostArrays& a) { return check_prefixes(a.in, a.out, scale_factor); }},

      {.name = "segmented_reduce",
       .summary = "the sum of every segment",
       .primitive = "segmented reduce",
       .operation = "+",
       .in_per_out = segmented::planned_length,
       .has_heads = true,
       .schemes = {scheme(
           {.name = "one_pass",
            .help = "what is known of an open segment stays on the device",
            .operations = of_chunk(6)},
           [](auto& streams, const Arrays& a, const Chunks& chunks, const Settings& settings) {
             segmented_reduce<Sum>(streams, a.in, a.heads, a.out, chunks, settings.control);
           })},
       .fill = table::fill_numbers,
       .on_host = [](HostCores cores,
                     const HostArrays& a) { host_segmented_sum(cores, a.in, a.heads, a.out); },
       .check = [](const HostArrays& a) { return check_segmented_sums(a.in, a.heads, a.out); }},

      {.name = "segmented_scan",
       .summary = "inclusive prefix sums within segments",
       .primitive = "segmented scan",
       .operation = "+",
       .has_heads = true,
       .schemes = {scheme(
           {.name = "one_pass",
            .help = "what is known of an open segment stays on the device",
            .operations = of_chunk(4)},
           [](auto& streams, const Arrays& a, const Chunks& chunks, const Settings& settings) {
             segmented_scan<Sum>(streams, a.in, a.heads, a.out, chunks, settings.control);
           })},
       .fill = table::fill_numbers,
       .on_host = [](HostCores cores,
                     const HostArrays& a) { host_segmented_scan(cores, a.in, a.heads, a.out); },
       .check = [](const HostArrays& a) { return check_segmented_prefixes(a.in, a.heads, a.out); }},

      {.name = "segmented_sort",
       .summary = "ascending order within segments",
       .primitive = "segmented sort",
       .operation = "<",
       .has_heads = true,
       .schemes = {scheme(
           {.name = "by_chunk",
            .help = "chunks sorted by segment; of segments in several chunks, the parts as sort "
                    "does it",
            .operations = of_chunk(10),
            .scratch = {.values = true}},
           [](auto& streams, const Arrays& a, const Chunks& chunks, const Settings& settings) {
             segmented_sort<double>(streams, a.in, a.heads, a.out,
                                    table::scratch_of(streams, a.scratch, chunks.n), chunks,
                                    settings.control);
           })},
       .fill = table::fill_keys,
       .on_host = [](HostCores cores,
                     const HostArrays& a) { host_segmented_sort(cores, a.heads, a.out); },
       .in_place = true,
       .check = [](const HostArrays& a) { return check_segments_sorted(a.in, a.heads, a.out); }},

      {.name = "scatter",
       .summary = "every element to its place, a permutation",
       .primitive = "scatter",
       .operation = "out[place[i]] = in[i]",
       .has_places = true,
       .schemes =
           {scheme(
                {.name = "resident",
                 .help = "the output stays on the device until all elements are in it",
                 .operations = of_chunk(4)},
                [](auto& streams, const Arrays& a, const Chunks& chunks, const Settings& settings) {
                  scatter_windows<double>(streams, a.places, a.in, a.out, chunks,
                                          std::max<std::int64_t>(chunks.n, 1), settings.control);
                }),
            scheme(
                {.name = "compact",
                 .help = "as resident, with places of 32 bits that the host makes on the way",
                 .operations = of_chunk(4),
                 .compacts = true},
                [](auto& streams, const Arrays& a, const Chunks& chunks, const Settings& settings) {
                  scatter_compact<double>(streams, a.places, a.in, a.out, chunks,
                                          settings.compact_rate, settings.control);
                }),
            scheme(
                {.name = "partitioned",
                 .help = "ordered by window of the output in one pass, windows filled in another",
                 .operations =
                     [](const Chunks& chunks, const Settings& settings) {
                       const double windows = passes(chunks, std::int64_t{1} << partition_shift(
                                                                 chunks, settings.budget_bytes));
                       const auto count = static_cast<double>(chunks.count());
                       return 6 * count + 2 * windows * (count + 1);
                     },
                 .scratch = {.values = true, .places = true}},
                [](auto& streams, const Arrays& a, const Chunks& chunks, const Settings& settings) {
                  const PairScratch<double> scratch{
                      table::scratch_of(streams, a.scratch_places, chunks.n),
                      table::scratch_of(streams, a.scratch, chunks.n)};
                  scatter_partitioned<double>(streams, a.places, a.in, a.out, scratch, chunks,
                                              partition_shift(chunks, settings.budget_bytes),
                                              settings.control);
                }),
            scheme(
                {.name = "seed",
                 .help = "all elements pass the device once for every window of the output that "
                         "fits it",
                 .operations =
                     [](const Chunks& chunks, const Settings& settings) {
                       return 3 * static_cast<double>(chunks.count()) *
                              passes(chunks, seed_window(chunks, settings.budget_bytes));
                     }},
                [](auto& streams, const Arrays& a, const Chunks& chunks, const Settings& settings) {
                  if (chunks.n == 0) return;
                  scatter_windows<double>(streams, a.places, a.in, a.out, chunks,
                                          seed_window(chunks, settings.budget_bytes),
                                          settings.control);
                })},
       .fill = table::fill_indices,
       .on_host = [](HostCores cores,
                     const HostArrays& a) { host_scatter(cores, a.places, a.in, a.out); },
       .check = [](const HostArrays& a) { return check_scattered(a.places, a.out); }},

      {.name = "sort",
       .summary = "ascending order",
       .primitive = "sort",
       .operation = "<",
       .schemes =
           {scheme(
                {.name = "exact_splitters",
                 .help = "chunks sorted, cut at exact ranks into buckets of a chunk, sorted again",
                 .operations =
                     [](const Chunks& chunks, const Settings&) {
                       const auto count = static_cast<double>(chunks.count());
                       return count * (count + 5);
                     },
                 .scratch = {.values = true}},
                [](auto& streams, const Arrays& a, const Chunks& chunks, const Settings& settings) {
                  sort<double>(streams, a.in, a.out,
                               table::scratch_of(streams, a.scratch, chunks.n), chunks,
                               settings.control);
                }),
            scheme(
                {.name = "seed",
                 .help = "buckets by the prefix sums of a matrix of buckets and keys, recursively",
                 .operations =
                     [](const Chunks& chunks, const Settings&) {
                       // 43 operations of a chunk on each level, of which each makes thirds.
                       const auto count = static_cast<double>(chunks.count());
                       return count *
                              (3 + 43 * std::ceil(std::log(std::max(count, 1.0)) / std::log(3.0)));
                     },
                 .scratch = {.values = true,
                             .places = true,
                             .words = [](std::int64_t n) { return one_hot_buckets * n; },
                             .only_of_chunks = true}},
                [](auto& streams, const Arrays& a, const Chunks& chunks, const Settings& settings) {
                  OneHotScratch<double> scratch;
                  if (chunks.count() > 1) {
                    scratch = {table::scratch_of(streams, a.scratch, chunks.n),
                               table::scratch_of(streams, a.scratch_places, chunks.n),
                               table::scratch_of(streams, a.words, one_hot_buckets * chunks.n)};
                  }
                  sort_one_hot<double>(streams, a.in, a.out, scratch, chunks, settings.host_rate,
                                       settings.control);
                })},
       .fill = table::fill_keys,
       .on_host = [](HostCores cores, const HostArrays& a) { host_sort(cores, a.out); },
       .in_place = true,
       .check = [](const HostArrays& a) { return check_sorted(a.in, a.out); }},

      {.name = "hash_table",
       .summary = "half of the keys put into a hash table, all searched for",
       .primitive = "hash table",
       .operation = "insert, find",
       .schemes = {scheme(
           {.name = "sorted",
            .help = "hashes sorted; the table built, then searched, window by window",
            .operations =
                [](const Chunks& chunks, const Settings&) {
                  const auto count = static_cast<double>(chunks.count());
                  return 12 * count + count * (count + 5) + count / 2 * (count / 2 + 5);
                },
            .scratch = {.words = HashScratch::words}},
           [](auto& streams, const Arrays& a, const Chunks& chunks, const Settings& settings) {
             const HostPiece<std::int64_t> words =
                 table::scratch_of(streams, a.words, HashScratch::words(chunks.n));
             const HostPiece<std::uint64_t> memory =
                 words.is_there()
                     ? HostPiece(reinterpret_cast<std::uint64_t*>(words.data()), words.size())
                     : HostPiece<std::uint64_t>(words.size());
             hash_table(streams, a.in, a.out, HashScratch::of(memory, chunks.n), chunks,
                        settings.control);
           })},
       .fill = table::fill_indices,
       .on_host = [](HostCores cores,
                     const HostArrays& a) { host_hash_table(cores, a.in, a.out, a.words); },
       .host_words = host_hash_table_words,
       .reference = [](const HostArrays& a) { find_in_order_of_hashes(a.in, a.out); },
       .check = [](const HostArrays& a) { return check_hash_table(a.in, a.out); }}};
}

}  // namespace agpusim::out_of_core

#include "agpusim/validation/experiments/out_of_core/task_rows.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/algorithms/out_of_core/hash_table.hpp"
#include "agpusim/algorithms/out_of_core/one_hot_functors.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/experiments/out_of_core/workload.hpp"
#include "agpusim/validation/pipeline/arrays.hpp"

namespace agpusim::out_of_core {
namespace {

using In = const HostArrays&;

void numbers(In arrays, std::uint64_t seed) { fill_numbers(arrays.in, seed); }

void segmented_numbers(In arrays, std::uint64_t seed) {
  fill_numbers(arrays.in, seed);
  fill_heads(arrays.heads);
}

void segmented_keys(In arrays, std::uint64_t seed) {
  fill_keys(arrays.in, seed);
  fill_heads(arrays.heads);
}

void indices_and_places(In arrays, std::uint64_t seed) {
  fill_indices(arrays.in);
  fill_places(arrays.places, seed);
}

constexpr Scratch one_array{.values = true};
constexpr Scratch two_arrays{.values = true, .places = true};
constexpr Scratch arrays_and_matrix{.values = true,
                                    .places = true,
                                    .words = [](std::int64_t n) { return one_hot_buckets * n; },
                                    .only_of_chunks = true};
constexpr Scratch hashes_and_table{.words = HashScratch::words};
constexpr Scratch host_table{.words = host_hash_table_words};

}  // namespace

const std::vector<TaskRow>& task_rows() {
  static const std::vector<TaskRow> table = {
      {.task = "transform_const",
       .fill = numbers,
       .on_host = [](HostCores cores, In a) { host_scale(cores, a.in, a.out, scale_factor); },
       .check = [](In a) { return check_scaled(a.in, a.out, scale_factor); }},
      {.task = "transform_trig",
       .fill = numbers,
       .on_host = [](HostCores cores, In a) { host_trigonometry(cores, a.in, a.out); },
       .check = [](In a) { return check_ones(a.out); }},
      {.task = "reduce",
       .fill = numbers,
       .on_host = [](HostCores cores, In a) { a.out[0] = host_sum(cores, a.in); },
       .check = [](In a) { return check_sum(a.in, a.out[0]); }},
      {.task = "scan",
       .fill = numbers,
       .on_host = [](HostCores cores, In a) { host_scan(cores, a.in, a.out); },
       .check = [](In a) { return check_prefixes(a.in, a.out); }},
      {.task = "transform_reduce",
       .scratch = {{"separate", one_array}},
       .fill = numbers,
       .on_host = [](HostCores cores,
                     In a) { a.out[0] = host_scaled_sum(cores, a.in, scale_factor); },
       .check = [](In a) { return check_sum(a.in, a.out[0], scale_factor); }},
      {.task = "transform_scan",
       .scratch = {{"separate", one_array}},
       .fill = numbers,
       .on_host = [](HostCores cores, In a) { host_scaled_scan(cores, a.in, a.out, scale_factor); },
       .check = [](In a) { return check_prefixes(a.in, a.out, scale_factor); }},
      {.task = "segmented_reduce",
       .fill = segmented_numbers,
       .on_host = [](HostCores cores, In a) { host_segmented_sum(cores, a.in, a.heads, a.out); },
       .check = [](In a) { return check_segmented_sums(a.in, a.heads, a.out); }},
      {.task = "segmented_scan",
       .fill = segmented_numbers,
       .on_host = [](HostCores cores, In a) { host_segmented_scan(cores, a.in, a.heads, a.out); },
       .check = [](In a) { return check_segmented_prefixes(a.in, a.heads, a.out); }},
      {.task = "segmented_sort",
       .scratch = {{"by_chunk", one_array}},
       .fill = segmented_keys,
       .in_place = true,
       .on_host = [](HostCores cores, In a) { host_segmented_sort(cores, a.heads, a.out); },
       .check = [](In a) { return check_segments_sorted(a.in, a.heads, a.out); }},
      {.task = "scatter",
       .scratch = {{"partitioned", two_arrays}},
       .fill = indices_and_places,
       .on_host = [](HostCores cores, In a) { host_scatter(cores, a.places, a.in, a.out); },
       .check = [](In a) { return check_scattered(a.places, a.out); }},
      {.task = "sort",
       .scratch = {{"exact_splitters", one_array}, {"seed", arrays_and_matrix}},
       .fill = [](In a, std::uint64_t seed) { fill_keys(a.in, seed); },
       .in_place = true,
       .on_host = [](HostCores cores, In a) { host_sort(cores, a.out); },
       .check = [](In a) { return check_sorted(a.in, a.out); }},
      {.task = "hash_table",
       .scratch = {{"sorted", hashes_and_table},
                   {"host_one", host_table},
                   {"host_all", host_table}},
       .fill = [](In a, std::uint64_t) { fill_indices(a.in); },
       .on_host = [](HostCores cores, In a) { host_hash_table(cores, a.in, a.out, a.words); },
       .check = [](In a) { return check_hash_table(a.in, a.out); }}};
  return table;
}

const TaskRow& find_row(const std::string& task) {
  const auto& rows = task_rows();
  const auto it =
      std::find_if(rows.begin(), rows.end(), [&](const TaskRow& row) { return row.task == task; });
  if (it != rows.end()) return *it;
  std::string known;
  for (const TaskRow& row : rows) known += (known.empty() ? "" : ", ") + row.task;
  throw UsageError(fmt::format("unknown out-of-core task '{}': known: {}", task, known));
}

}  // namespace agpusim::out_of_core

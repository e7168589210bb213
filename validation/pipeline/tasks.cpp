#include "agpusim/validation/pipeline/tasks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "agpusim/algorithms/out_of_core/hash_table.hpp"
#include "agpusim/algorithms/segmented/kernel.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/pipeline/scatter_schemes.hpp"

namespace agpusim::out_of_core {
namespace {

double chunk_count(const Chunks& chunks) { return static_cast<double>(chunks.count()); }

Scheme transform_scheme(const std::string& task) {
  return scheme_of(task, "one_pass", "each chunk in, mapped, out",
                   [](const Chunks& chunks, const Settings&) { return 3 * chunk_count(chunks); });
}

template <class F>
std::vector<double> mapped(std::span<const double> in, F f) {
  std::vector<double> out(in.size());
  std::transform(in.begin(), in.end(), out.begin(), f);
  return out;
}

/// A task whose elements are of 64-bit floating point, n in and n out.
Task task_of(std::string name, std::string summary, std::string primitive, std::string operation) {
  Task task;
  task.name = std::move(name);
  task.summary = std::move(summary);
  task.primitive = std::move(primitive);
  task.operation = std::move(operation);
  task.type = "f64";
  task.in_bytes = sizeof(double);
  task.out_bytes = sizeof(double);
  return task;
}

Task transform_const() {
  Task task = task_of("transform_const", "every element times a constant", "transform", "x*3");
  task.schemes = {transform_scheme(task.name)};
  task.reference = [](const TaskInput& given) {
    return mapped(given.in, [](double x) { return x * scale_factor; });
  };
  return task;
}

Task transform_trig() {
  Task task = task_of("transform_trig", "squares of sine and cosine of every element, added",
                      "transform", "sin(x)^2 + cos(x)^2");
  task.schemes = {transform_scheme(task.name)};
  task.reference = [](const TaskInput& given) {
    return mapped(given.in, [](double x) {
      const double sine = std::sin(x);
      const double cosine = std::cos(x);
      return sine * sine + cosine * cosine;
    });
  };
  return task;
}

Task reduce_task() {
  Task task = task_of("reduce", "the sum of all elements", "reduce", "+");
  task.one_result = true;
  const auto operations = [](const Chunks& chunks, const Settings&) {
    return 3 * chunk_count(chunks);
  };
  task.schemes = {
      scheme_of(task.name, "one_pass", "the host folds the totals of the chunks", operations),
      scheme_of(task.name, "seed",
                "the totals of the chunks are reduced like the input, until one is left",
                operations)};
  task.reference = [](const TaskInput& given) {
    return std::vector<double>{std::accumulate(given.in.begin(), given.in.end(), 0.0)};
  };
  return task;
}

std::vector<double> prefix_sums(std::span<const double> in, bool exclusive) {
  std::vector<double> out(in.size());
  if (exclusive) {
    std::exclusive_scan(in.begin(), in.end(), out.begin(), 0.0);
  } else {
    std::partial_sum(in.begin(), in.end(), out.begin());
  }
  return out;
}

Task scan_task() {
  Task task = task_of("scan", "inclusive prefix sums", "scan", "+");
  task.schemes = {
      scheme_of(task.name, "one_pass", "what lies before a chunk stays on the device",
                [](const Chunks& chunks, const Settings&) { return 3 * chunk_count(chunks); }),
      scheme_of(task.name, "seed", "chunks by themselves, their totals, then all chunks again",
                [](const Chunks& chunks, const Settings&) { return 7 * chunk_count(chunks); })};
  task.may_be_exclusive = true;
  task.reference = [](const TaskInput& given) { return prefix_sums(given.in, given.exclusive); };
  return task;
}

/// The schemes of a transform that `what` follows.
std::vector<Scheme> fused_schemes(const std::string& task, const std::string& what) {
  return {scheme_of(task, "fused", what + " applies the function as it reads: one pass",
                    [](const Chunks& chunks, const Settings&) { return 3 * chunk_count(chunks); }),
          scheme_of(task, "separate", "transform to memory of the host, then " + what,
                    [](const Chunks& chunks, const Settings&) { return 6 * chunk_count(chunks); })};
}

Task transform_reduce_task() {
  Task task = task_of("transform_reduce", "the sum of every element times a constant",
                      "transform, reduce", "x*3, +");
  task.one_result = true;
  task.schemes = fused_schemes(task.name, "reduce");
  task.reference = [](const TaskInput& given) {
    double sum = 0;
    for (const double x : given.in) sum += x * scale_factor;
    return std::vector<double>{sum};
  };
  return task;
}

Task transform_scan_task() {
  Task task = task_of("transform_scan", "inclusive prefix sums of every element times a constant",
                      "transform, scan", "x*3, +");
  task.schemes = fused_schemes(task.name, "scan");
  task.reference = [](const TaskInput& given) {
    std::vector<double> out;
    double sum = 0;
    for (const double x : given.in) out.push_back(sum += x * scale_factor);
    return out;
  };
  return task;
}

/// A task whose elements have head flags.
Task segmented_task(std::string name, std::string summary, std::string primitive,
                    std::string operation) {
  Task task =
      task_of(std::move(name), std::move(summary), std::move(primitive), std::move(operation));
  task.in_bytes = sizeof(double) + sizeof(std::uint32_t);
  task.has_heads = true;
  return task;
}

/// The scheme of a segmented task with so many operations of `each` chunk.
Scheme one_pass_of_segments(const std::string& task, double each) {
  return scheme_of(
      task, "one_pass", "what is known of an open segment stays on the device",
      [each](const Chunks& chunks, const Settings&) { return each * chunk_count(chunks); });
}

Task segmented_scan_task() {
  Task task = segmented_task("segmented_scan", "inclusive prefix sums within segments",
                             "segmented scan", "+");
  task.schemes = {one_pass_of_segments(task.name, 4)};
  task.reference = [](const TaskInput& given) {
    std::vector<double> out(given.in.begin(), given.in.end());
    for (std::size_t i = 1; i < out.size(); ++i) {
      if (given.heads[i] == 0) out[i] += out[i - 1];
    }
    return out;
  };
  return task;
}

Task segmented_reduce_task() {
  Task task =
      segmented_task("segmented_reduce", "the sum of every segment", "segmented reduce", "+");
  task.schemes = {one_pass_of_segments(task.name, 6)};
  task.in_per_out = segmented::planned_length;
  task.reference = [](const TaskInput& given) {
    std::vector<double> out;
    for (std::size_t i = 0; i < given.in.size(); ++i) {
      if (given.heads[i] != 0) out.push_back(0);
      out.back() += given.in[i];
    }
    return out;
  };
  return task;
}

Task segmented_sort_task() {
  Task task =
      segmented_task("segmented_sort", "ascending order within segments", "segmented sort", "<");
  task.schemes = {scheme_of(
      task.name, "by_chunk",
      "chunks sorted by segment; of segments in several chunks, the parts as sort does it",
      [](const Chunks& chunks, const Settings&) { return 10 * chunk_count(chunks); })};
  task.reference = [](const TaskInput& given) {
    std::vector<double> out(given.in.begin(), given.in.end());
    for (std::size_t first = 0; first < out.size();) {
      std::size_t end = first + 1;
      while (end < out.size() && given.heads[end] == 0) ++end;
      std::sort(out.data() + first, out.data() + end);
      first = end;
    }
    return out;
  };
  return task;
}

Task scatter_task() {
  Task task = task_of("scatter", "every element to its place, a permutation", "scatter",
                      "out[place[i]] = in[i]");
  task.in_bytes = sizeof(double) + sizeof(std::int64_t);
  task.has_places = true;
  task.schemes = scatter_schemes();
  task.reference = [](const TaskInput& given) {
    std::vector<double> out(given.in.size());
    for (std::size_t i = 0; i < given.in.size(); ++i)
      out[static_cast<std::size_t>(given.places[i])] = given.in[i];
    return out;
  };
  return task;
}

Task sort_task() {
  Task task = task_of("sort", "ascending order", "sort", "<");
  task.schemes = {
      scheme_of(task.name, "exact_splitters",
                "chunks sorted, cut at exact ranks into buckets of a chunk, sorted again",
                [](const Chunks& chunks, const Settings&) {
                  return chunk_count(chunks) * (chunk_count(chunks) + 5);
                }),
      scheme_of(task.name, "seed",
                "buckets by the prefix sums of a matrix of buckets and keys, recursively",
                [](const Chunks& chunks, const Settings&) {
                  // 43 operations of a chunk on each level, of which each makes thirds.
                  const double count = chunk_count(chunks);
                  return count *
                         (3 + 43 * std::ceil(std::log(std::max(count, 1.0)) / std::log(3.0)));
                })};
  task.reference = [](const TaskInput& given) {
    std::vector<double> out(given.in.begin(), given.in.end());
    std::sort(out.begin(), out.end());
    return out;
  };
  return task;
}

Task hash_table_task() {
  Task task = task_of("hash_table", "half of the keys put into a hash table, all searched for",
                      "hash table", "insert, find");
  task.schemes = {scheme_of(task.name, "sorted",
                            "hashes sorted; the table built, then searched, window by window",
                            [](const Chunks& chunks, const Settings&) {
                              const double count = chunk_count(chunks);
                              return 12 * count + count * (count + 5) + count / 2 * (count / 2 + 5);
                            })};
  task.reference = [](const TaskInput& given) {
    const auto hashes_of = [](std::span<const double> keys) {
      std::vector<std::uint64_t> hashes;
      for (const double key : keys) hashes.push_back(HashOfKey{}(key));
      std::sort(hashes.begin(), hashes.end());
      return hashes;
    };
    const std::size_t n = given.in.size();
    const Homes homes{HashScratch::homes_of(static_cast<std::int64_t>(n))};
    std::vector<std::uint64_t> table(static_cast<std::size_t>(homes.count) + n + 1, empty_slot);
    const auto search = [&](std::uint64_t hash) {
      auto slot = static_cast<std::size_t>(homes.home(hash));
      while (table[slot] != hash && table[slot] != empty_slot) ++slot;
      return slot;
    };
    for (const std::uint64_t hash : hashes_of(given.in.first(n / 2))) {
      std::size_t slot = search(hash);
      while (table[slot] != empty_slot) ++slot;  // behind its equals
      table[slot] = hash;
    }
    std::vector<double> out;
    for (const std::uint64_t hash : hashes_of(given.in)) {
      const std::size_t slot = search(hash);
      const auto place = static_cast<double>(slot);
      out.push_back(table[slot] == hash ? place : -1 - place);
    }
    return out;
  };
  return task;
}

template <class Row>
const Row& find(const std::vector<Row>& rows, const std::string& name, const std::string& thing) {
  const auto it =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  if (it != rows.end()) return *it;
  std::string known;
  for (const Row& row : rows) known += (known.empty() ? "" : ", ") + row.name;
  throw UsageError(fmt::format("unknown {} '{}': known: {}", thing, name, known));
}

}  // namespace

const std::vector<Task>& tasks() {
  static const std::vector<Task> table = {transform_const(),
                                          transform_trig(),
                                          reduce_task(),
                                          scan_task(),
                                          transform_reduce_task(),
                                          transform_scan_task(),
                                          segmented_reduce_task(),
                                          segmented_scan_task(),
                                          segmented_sort_task(),
                                          scatter_task(),
                                          sort_task(),
                                          hash_table_task()};
  return table;
}

const Task& find_task(const std::string& name) {
  return find(tasks(), name, "task of `agpusim pipeline`");
}

const Scheme& find_scheme(const Task& task, const std::string& name) {
  if (name.empty()) return task.schemes.front();
  return find(task.schemes, name, "scheme of " + task.name);
}

}  // namespace agpusim::out_of_core

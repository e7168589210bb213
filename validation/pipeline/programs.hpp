#pragma once

#include <algorithm>
#include <cstdint>

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
#include "agpusim/validation/pipeline/arrays.hpp"
#include "agpusim/validation/pipeline/windows.hpp"

// The program of every task and scheme, once for plans, the abstract machine and a GPU.
namespace agpusim::out_of_core::programs {

using Sum = operators::Sum<double>;

/// The program's scratch, or the streams' own.
template <class T, class Streams>
HostPiece<T> scratch_of(Streams& streams, const HostPiece<T>& given, std::int64_t n) {
  return given.size() == n && n > 0 ? given : streams.template scratch<T>(n);
}

[[nodiscard]] inline agpusim::scan::Kind kind_of(const Settings& settings) {
  return settings.exclusive ? agpusim::scan::Kind::exclusive : agpusim::scan::Kind::inclusive;
}

template <class F>
struct Transform {
  F f;

  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    transform(streams, arrays.in, arrays.out, chunks, f, settings.control);
  }
};

struct Reduce {
  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    const double result = reduce<Sum>(streams, arrays.in, chunks, settings.control);
    if (arrays.out.is_there()) *arrays.out.data() = result;
  }
};

struct ReduceRecursively {
  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    const double result = reduce_recursively<Sum>(streams, arrays.in, chunks, settings.control);
    if (arrays.out.is_there()) *arrays.out.data() = result;
  }
};

struct Scan {
  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    scan<Sum>(streams, arrays.in, arrays.out, chunks, kind_of(settings), settings.control);
  }
};

struct ScanTwice {
  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    scan_twice<Sum>(streams, arrays.in, arrays.out, chunks, kind_of(settings), settings.control);
  }
};

template <class F>
struct TransformReduce {
  F f;

  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    const double result = transform_reduce<Sum>(streams, arrays.in, chunks, f, settings.control);
    if (arrays.out.is_there()) *arrays.out.data() = result;
  }
};

template <class F>
struct TransformThenReduce {
  F f;

  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    const double result = transform_then_reduce<Sum>(streams, arrays.in,
                                                     scratch_of(streams, arrays.scratch, chunks.n),
                                                     chunks, f, settings.control);
    if (arrays.out.is_there()) *arrays.out.data() = result;
  }
};

template <class F>
struct TransformScan {
  F f;

  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    transform_scan<Sum>(streams, arrays.in, arrays.out, chunks, kind_of(settings), f,
                        settings.control);
  }
};

template <class F>
struct TransformThenScan {
  F f;

  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    transform_then_scan<Sum>(streams, arrays.in, arrays.out,
                             scratch_of(streams, arrays.scratch, chunks.n), chunks,
                             kind_of(settings), f, settings.control);
  }
};

struct SegmentedReduce {
  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    segmented_reduce<Sum>(streams, arrays.in, arrays.heads, arrays.out, chunks, settings.control);
  }
};

struct SegmentedScan {
  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    segmented_scan<Sum>(streams, arrays.in, arrays.heads, arrays.out, chunks, settings.control);
  }
};

struct SegmentedSort {
  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    segmented_sort<double>(streams, arrays.in, arrays.heads, arrays.out,
                           scratch_of(streams, arrays.scratch, chunks.n), chunks, settings.control);
  }
};

struct InsertAndFind {
  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    const HostPiece<std::int64_t> words =
        scratch_of(streams, arrays.words, HashScratch::words(chunks.n));
    const HostPiece<std::uint64_t> memory =
        words.is_there() ? HostPiece(reinterpret_cast<std::uint64_t*>(words.data()), words.size())
                         : HostPiece<std::uint64_t>(words.size());
    hash_table(streams, arrays.in, arrays.out, HashScratch::of(memory, chunks.n), chunks,
               settings.control);
  }
};

struct ScatterResident {
  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    scatter_windows<double>(streams, arrays.places, arrays.in, arrays.out, chunks,
                            std::max<std::int64_t>(chunks.n, 1), settings.control);
  }
};

struct ScatterCompact {
  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    scatter_compact<double>(streams, arrays.places, arrays.in, arrays.out, chunks,
                            settings.compact_rate, settings.control);
  }
};

struct ScatterPartitioned {
  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    const PairScratch<double> scratch{scratch_of(streams, arrays.scratch_places, chunks.n),
                                      scratch_of(streams, arrays.scratch, chunks.n)};
    scatter_partitioned<double>(streams, arrays.places, arrays.in, arrays.out, scratch, chunks,
                                partition_shift(chunks, settings.budget_bytes), settings.control);
  }
};

struct ScatterWindows {
  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    if (chunks.n == 0) return;
    scatter_windows<double>(streams, arrays.places, arrays.in, arrays.out, chunks,
                            seed_window(chunks, settings.budget_bytes), settings.control);
  }
};

struct Sort {
  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    sort<double>(streams, arrays.in, arrays.out, scratch_of(streams, arrays.scratch, chunks.n),
                 chunks, settings.control);
  }
};

struct SortOneHot {
  template <class Streams>
  void operator()(Streams& streams, const Arrays& arrays, const Chunks& chunks,
                  const Settings& settings) const {
    OneHotScratch<double> scratch;
    if (chunks.count() > 1) {
      scratch = {scratch_of(streams, arrays.scratch, chunks.n),
                 scratch_of(streams, arrays.scratch_places, chunks.n),
                 scratch_of(streams, arrays.words, one_hot_buckets * chunks.n)};
    }
    sort_one_hot<double>(streams, arrays.in, arrays.out, scratch, chunks, settings.host_rate,
                         settings.control);
  }
};

/// Calls visit(task, scheme, program) for every program of every task.
template <class Visit>
void for_each_program(Visit visit) {
  visit("transform_const", "one_pass", Transform<Scale>{Scale{scale_factor}});
  visit("transform_trig", "one_pass", Transform<SinSquaredPlusCosSquared>{});
  visit("reduce", "one_pass", Reduce{});
  visit("reduce", "seed", ReduceRecursively{});
  visit("scan", "one_pass", Scan{});
  visit("scan", "seed", ScanTwice{});
  constexpr Scale scale{scale_factor};
  visit("transform_reduce", "fused", TransformReduce<Scale>{scale});
  visit("transform_reduce", "separate", TransformThenReduce<Scale>{scale});
  visit("transform_scan", "fused", TransformScan<Scale>{scale});
  visit("transform_scan", "separate", TransformThenScan<Scale>{scale});
  visit("segmented_reduce", "one_pass", SegmentedReduce{});
  visit("segmented_scan", "one_pass", SegmentedScan{});
  visit("scatter", "resident", ScatterResident{});
  visit("scatter", "compact", ScatterCompact{});
  visit("scatter", "partitioned", ScatterPartitioned{});
  visit("scatter", "seed", ScatterWindows{});
  visit("segmented_sort", "by_chunk", SegmentedSort{});
  visit("hash_table", "sorted", InsertAndFind{});
  visit("sort", "exact_splitters", Sort{});
  visit("sort", "seed", SortOneHot{});
}

}  // namespace agpusim::out_of_core::programs

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "agpusim/algorithms/common/operators.hpp"
#include "agpusim/algorithms/out_of_core/aliasing.hpp"
#include "agpusim/algorithms/out_of_core/library_steps.hpp"
#include "agpusim/algorithms/out_of_core/one_hot_functors.hpp"
#include "agpusim/algorithms/out_of_core/scan.hpp"
#include "agpusim/algorithms/out_of_core/transform.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/transfer/host_parallel.hpp"

namespace agpusim::out_of_core {

/// Host memory that sort_one_hot() writes to.
template <class T>
struct OneHotScratch {
  HostPiece<T> keys;                ///< n
  HostPiece<std::int64_t> index;    ///< n: of every key its bucket, then its place
  HostPiece<std::int64_t> one_hot;  ///< one_hot_buckets·n
};

/// The sort of seed 004, 3.5, whose steps this class has in order.
template <class T, class Streams>
class OneHotSort {
 public:
  OneHotSort(Streams& streams, const Chunks& chunks, OneHotScratch<T> scratch, double host_rate,
             const Control& control)
      : streams_(streams),
        chunks_(chunks),
        scratch_(scratch),
        host_rate_(host_rate),
        control_(control),
        steps_(steps_of(chunks)),
        keys_(streams, chunks),
        words_(streams, Chunks{words_of(chunks), chunks.size, chunks.streams}, chunks.streams) {}

  void run(HostPiece<const T> in, HostPiece<T> out) {
    std::vector<Part> parts{{0, chunks_.n}};
    std::vector<Part> small;
    while (!parts.empty()) {
      const Part part = parts.back();
      parts.pop_back();
      if (part.length <= chunks_.size) {
        small.push_back(part);
        continue;
      }
      for (const Part& bucket : split(part, in, out)) parts.push_back(bucket);
    }
    for (std::size_t i = 0; i < small.size(); ++i) {
      const Part part = small[i];
      report();
      const auto s = i % keys_.in.size();
      const auto stream = static_cast<std::int32_t>(s);
      streams_.recorder().chunk(static_cast<std::int64_t>(i));
      streams_.template copy_in<T>(stream, source_of(part, in, out), keys_.in[s]);
      streams_.run(stream, SortStep<T>{part.length}, keys_.in[s], keys_.out[s]);
      streams_.template copy_out<T>(stream, keys_.out[s], out.piece(part.first, part.length));
    }
    streams_.finish();
    control_.report(steps_, steps_);
  }

 private:
  /// Keys that are to be sorted: out[first..first+length-1].
  struct Part {
    std::int64_t first = 0;
    std::int64_t length = 0;
  };
  using Ends = std::array<std::int64_t, one_hot_buckets>;  // Count of the seed

  /// Chunks of all levels, when the pivots make thirds.
  static std::int64_t steps_of(const Chunks& chunks) {
    std::int64_t levels = 1;
    for (std::int64_t thirds = chunks.count(); thirds > 1; thirds = (thirds + 2) / 3) ++levels;
    return levels * chunks.count();
  }
  /// One more step.
  void report() { control_.report(std::min(done_++, steps_), steps_); }

  /// Where the keys of a part are: all in `in`, those of a bucket in `out`.
  HostPiece<const T> source_of(const Part& part, HostPiece<const T> in, HostPiece<T> out) const {
    if (part.length == chunks_.n) return in;
    return out.piece(part.first, part.length);
  }

  static std::int64_t words_of(const Chunks& chunks) {
    return chunks.n > chunks.size ? one_hot_buckets * chunks.n : 0;
  }

  /// Steps 2 to 7: the keys of a part to their buckets; returns those that are to be sorted.
  std::vector<Part> split(const Part& part, HostPiece<const T> in, HostPiece<T> out) {
    const HostPiece<const T> source = source_of(part, in, out);
    const Chunks chunks{part.length, chunks_.size, chunks_.streams};
    const auto keys = scratch_.keys.piece(part.first, part.length);
    const auto index = scratch_.index.piece(part.first, part.length);
    const auto one_hot = scratch_.one_hot.piece(0, one_hot_buckets * part.length);
    const BucketOf<T> buckets = pivots(source);
    const std::vector<Event> in_buckets = find_buckets(chunks, buckets, source, keys, index);
    fill_one_hot(in_buckets, index, one_hot);
    const std::vector<Event> counted = detail::scan_twice_through<operators::Sum<std::int64_t>>(
        streams_, words_, one_hot, one_hot, {one_hot.size(), chunks_.size, chunks_.streams},
        agpusim::scan::Kind::inclusive, quiet());
    const Ends ends = gather_ranks(counted, index, one_hot);
    const std::vector<Event> placed = detail::transform_through(
        streams_, words_, HostPiece<const std::int64_t>(index), index, chunks, MinusOne{}, quiet());
    const HostPiece<T> to = out.piece(part.first, part.length);
    on_host("scatter", 3 * index.bytes(), placed, index.size(),
            [=](std::int64_t i) { to.data()[index.data()[i]] = keys.data()[i]; });
    return unsorted(part, ends, !Streams::has_data || buckets.low < buckets.high);
  }

  [[noreturn]] static void refuse_order() {
    throw UsageError("sort: no order by < divides the keys; are some not a number?");
  }
  static void refuse_not_a_number(std::span<const T> keys) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::any_of(keys.begin(), keys.end(), [](T key) { return std::isnan(key); })) {
        refuse_order();
      }
    }
  }

  /// Step 2: two keys that cut the part into thirds, from a sample at even distances.
  BucketOf<T> pivots(HostPiece<const T> source) {
    constexpr std::int64_t most_samples = 1023;
    BucketOf<T> buckets{};
    streams_.host("pivots", 0, 0, {}, [&] {
      const std::int64_t count = std::min(most_samples, source.size());
      std::vector<T> sample;
      for (std::int64_t i = 0; i < count; ++i) {
        sample.push_back(source.data()[i * source.size() / count]);
      }
      refuse_not_a_number(sample);
      std::sort(sample.begin(), sample.end());
      buckets = {sample[sample.size() / 3], sample[sample.size() * 2 / 3]};
    });
    return buckets;
  }

  /// Step 3: sorts each chunk and finds the bucket of every key. The sorted chunk takes the place
  /// of the chunk (the seed searches in sorted chunks that it does not keep).
  std::vector<Event> find_buckets(const Chunks& chunks, const BucketOf<T>& buckets,
                                  HostPiece<const T> source, HostPiece<T> keys,
                                  HostPiece<std::int64_t> index) {
    std::vector<Event> arrived;
    for (std::int64_t j = 0; j < chunks.count(); ++j) {
      report();
      const auto [stream, s, first, length] = turn_of(streams_, chunks, j);
      streams_.template copy_in<T>(stream, source.piece(first, length), keys_.in[s]);
      streams_.run(stream, SortStep<T>{length}, keys_.in[s], keys_.out[s]);
      streams_.run(stream, MapStep<BucketOf<T>>{length, buckets}, keys_.out[s], words_.out[s]);
      streams_.template copy_out<T>(stream, keys_.out[s], keys.piece(first, length));
      arrived.push_back(streams_.template copy_out<std::int64_t>(stream, words_.out[s],
                                                                 index.piece(first, length)));
    }
    return arrived;
  }

  /// Step 4: word v·L + i is 1 when key i is in bucket v, else 0.
  void fill_one_hot(std::span<const Event> after, HostPiece<std::int64_t> index,
                    HostPiece<std::int64_t> one_hot) {
    const std::int64_t length = index.size();
    on_host("one_hot", one_hot.bytes() + index.bytes(), after, length, [=](std::int64_t i) {
      for (std::int64_t v = 0; v < one_hot_buckets; ++v) {
        one_hot.data()[v * length + i] = index.data()[i] == v ? 1 : 0;
      }
    });
  }

  /// Step 6, the part of the host: the rank of every key, from 1 on. Returns how many keys are in
  /// every bucket and those before.
  Ends gather_ranks(std::span<const Event> after, HostPiece<std::int64_t> index,
                    HostPiece<std::int64_t> one_hot) {
    const std::int64_t length = index.size();
    Ends ends{};
    streams_.host("counts", 0, 0, after, [&] {
      for (std::int64_t v = 0; v < one_hot_buckets; ++v) {
        ends[static_cast<std::size_t>(v)] = one_hot.data()[(v + 1) * length - 1];
      }
    });
    if constexpr (!Streams::has_data) {  // evenly spread keys, all different
      const std::int64_t third = (length - 2) / 3;
      ends = {third, third + 1, 2 * third + 1, 2 * third + 2, length};
    }
    on_host("gather", 3 * index.bytes(), {}, length, [=](std::int64_t i) {
      index.data()[i] = one_hot.data()[index.data()[i] * length + i];
    });
    return ends;
  }

  /// Step 8 takes the buckets below, between and above the pivots; the keys of the others are
  /// equal. With equal pivots these are between them.
  static std::vector<Part> unsorted(const Part& part, const Ends& ends, bool pivots_differ) {
    std::vector<Part> result;
    for (std::size_t v = 0; v < ends.size(); v += 2) {
      if (v == 2 && !pivots_differ) continue;
      const std::int64_t first = v == 0 ? 0 : ends[v - 1];
      const std::int64_t length = ends[v] - first;
      if (length == part.length) refuse_order();
      if (length > 0) result.push_back({part.first + first, length});
    }
    return result;
  }

  /// A step of the host on `count` elements, which moves `bytes`.
  template <class F>
  void on_host(const char* name, std::int64_t bytes, std::span<const Event> after,
               std::int64_t count, F each) {
    report();
    const double seconds = host_rate_ > 0 ? static_cast<double>(bytes) / host_rate_ : 0;
    streams_.host(name, bytes, seconds, after, [&] {
      for_ranges(count, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) each(i);
      });
    });
  }

  /// Control of the steps inside, which know nothing of the whole.
  [[nodiscard]] Control quiet() const { return {{}, control_.cancel}; }

  Streams& streams_;
  Chunks chunks_;
  OneHotScratch<T> scratch_;
  double host_rate_;
  const Control& control_;
  std::int64_t steps_;
  InOutArrays<T, T, Streams> keys_;
  ScanArrays<std::int64_t, Streams> words_;
  std::int64_t done_ = 0;  // steps
};

/// Sorts `in` to `out` by operator< as seed 004, 3.5 does, with its passes, repaired: the parts
/// that do not fit a chunk are divided by pivots. Each key's bucket becomes a 1 in a matrix of
/// buckets and keys, whose prefix sums say where the key goes; the host moves it there. Equal to a
/// pivot are buckets of their own, so that equal keys end the recursion. Keys that are not ordered
/// (not a number) are refused where they are seen; where they are not, their places are any.
/// `host_rate`: bytes per second of the host's steps, for plans; 0: they take no time.
template <class T, class Streams>
void sort_one_hot(Streams& streams, HostPiece<const T> in, HostPiece<T> out,
                  OneHotScratch<T> scratch, const Chunks& chunks, double host_rate,
                  const Control& control = {}) {
  if (chunks.n == 0) return;
  refuse_aliasing(in, "in", out, "out");
  refuse_aliasing(scratch.keys, "scratch keys", scratch.index, "scratch index");
  refuse_aliasing(scratch.keys, "scratch keys", scratch.one_hot, "scratch one_hot");
  refuse_aliasing(scratch.index, "scratch index", scratch.one_hot, "scratch one_hot");
  const auto refuse_scratch = [&](const auto& array, const char* name) {
    refuse_aliasing(array, name, scratch.keys, "scratch keys");
    refuse_aliasing(array, name, scratch.index, "scratch index");
    refuse_aliasing(array, name, scratch.one_hot, "scratch one_hot");
  };
  refuse_scratch(in, "in");
  refuse_scratch(out, "out");
  OneHotSort<T, Streams> sort(streams, chunks, scratch, host_rate, control);
  sort.run(in, out);
}

}  // namespace agpusim::out_of_core

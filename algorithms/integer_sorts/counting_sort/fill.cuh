#pragma once

#include "agpusim/algorithms/integer_sorts/counting_sort/lanes.cuh"

// From the first places of the runs of equal keys to the keys: each is written once, 16 bytes a
// thread. Run r takes the places starts[r] <= i < starts[r + 1]; runs may be empty; starts[0] = 0
// and starts[runs] = n.
namespace agpusim::counting_sort {

/// Run r holds keys of value least + r.
struct ConsecutiveValues {
  using Key = std::int32_t;
  Word least;
  __device__ std::int32_t operator()(Word run) const {
    return static_cast<std::int32_t>(least + run);
  }
};
/// Run r holds keys of value values[r].
template <class Key_>
struct ListedValues {
  using Key = Key_;
  const Key* values;
  __device__ Key operator()(Word run) const { return values[run]; }
};

/// Places that a warp fills in one go, and the warps of a CTA.
inline constexpr Word fill_places = 512;
inline constexpr int fill_threads = 256;

/// The run that takes `place`: the last one that starts there or before. The lanes of a warp search
/// together, each a part of what is left.
__device__ inline Word run_at(const Word* starts, Word runs, Word place) {
  Word low = 0;
  Word high = runs;
  while (high - low > 1) {
    const Word step = (high - low + warp_lanes - 1) / warp_lanes;
    const Word mine = low + lane() * step;
    const Word before = __ballot_sync(all_lanes, mine < high && starts[mine] <= place);
    low += (__popc(before) - 1) * step;
    high = min(low + step, high);
  }
  return low;
}

/// A warp's part of the output: fill_places places from `base` on, those below n.
template <class Values>
struct WarpPlaces {
  using Key = typename Values::Key;
  Key* out;
  Word n;
  const Word* starts;
  Word runs;
  Values values;
  Word* heads;  ///< fill_places words of shared memory
  Word base = 0;

  static constexpr int rows = fill_places / (4 * warp_lanes);  ///< rows of 4 places a lane

  [[nodiscard]] __device__ Word place(int row) const {
    return base + static_cast<Word>(row * 4 * warp_lanes) + lane() * 4;
  }
  __device__ void store(int row, const Word (&run)[4]) const {
    const Word at = place(row);
    const Word last = runs - 1;
    if (at + 4 <= n) {
      put(at, {values(min(run[0], last)), values(min(run[1], last)), values(min(run[2], last)),
               values(min(run[3], last))});
      return;
    }
    for (Word i = 0; i < 4 && at + i < n; ++i) out[at + i] = values(run[i]);
  }

  /// Fills the places; `run` takes a place at or before base. Returns one that takes one before or
  /// at the end.
  __device__ Word fill(Word run) const {
    const Word end = base + fill_places;
    Word next = starts[min(run + 1 + lane(), runs)];  // where this lane's run begins
    for (;;) {
      const int passed = __popc(__ballot_sync(all_lanes, run + 1 + lane() < runs && next <= base));
      if (passed == 0) break;
      run = passed < warp_lanes ? run + passed : run_at(starts, runs, base);
      next = starts[min(run + 1 + lane(), runs)];
    }
    constexpr int few = 5;  // beginnings that cost less one by one
    const int beginnings = __popc(__ballot_sync(all_lanes, next < end));
    if (beginnings == 0 && end <= n) {
      const Key value = values(run);
      for (int row = 0; row < rows; ++row) put(place(row), {value, value, value, value});
      return run;
    }
    if (beginnings > few) return fill_by_heads(run, min(end, n));
    Word of[rows][4];
#pragma unroll
    for (int row = 0; row < rows; ++row) of[row][0] = of[row][1] = of[row][2] = of[row][3] = run;
    for (int i = 0; i < beginnings; ++i) {
      const Word begin = __shfl_sync(all_lanes, next, i);
#pragma unroll
      for (int row = 0; row < rows; ++row) {
#pragma unroll
        for (Word k = 0; k < 4; ++k) of[row][k] += begin <= place(row) + k ? 1 : 0;
      }
    }
#pragma unroll
    for (int row = 0; row < rows; ++row) store(row, of[row]);
    return min(run + static_cast<Word>(beginnings), runs - 1);
  }

 private:
  /// Four keys, 16 bytes at a time.
  __device__ void put(Word at, const Key (&keys)[4]) const {
    using Bits = std::make_unsigned_t<Key>;
    constexpr int each = keys_of_load<Bits>;
#pragma unroll
    for (int first = 0; first < 4; first += each) {
      Load<Bits> some;
#pragma unroll
      for (int i = 0; i < each; ++i) some.each[i] = static_cast<Bits>(keys[first + i]);
      __stcs(reinterpret_cast<uint4*>(out + at + first), some.all);
    }
  }

  /// Every run with places before `end` writes its number to its first one; the others get the
  /// largest number before them.
  __device__ Word fill_by_heads(Word run, Word end) const {
    auto* const quads = reinterpret_cast<uint4*>(heads);
    for (int row = 0; row < rows; ++row) {
      quads[row * warp_lanes + static_cast<int>(lane())] = make_uint4(0, 0, 0, 0);
    }
    __syncwarp();
    Word last = run;
    for (Word window = run;;) {
      const Word mine = window + lane();
      const Word start = starts[min(mine, runs)];
      Word stop = __shfl_down_sync(all_lanes, start, 1);
      if (lane() == warp_lanes - 1) stop = starts[min(mine + 1, runs)];
      const bool inside = mine < runs && start < end;
      const bool takes = inside && stop > start && stop > base;
      if (takes) heads[max(start, base) - base] = mine;
      const Word taking = __ballot_sync(all_lanes, takes);
      if (taking != 0) last = window + static_cast<Word>(31 - __clz(static_cast<int>(taking)));
      if (__ballot_sync(all_lanes, inside) != all_lanes) break;
      // Behind 32 empty runs: to the one that takes the place which they have reached.
      window = taking != 0 ? window + warp_lanes
                           : run_at(starts, runs, __shfl_sync(all_lanes, start, warp_lanes - 1));
    }
    __syncwarp();
    Word carry = run;
    for (int row = 0; row < rows; ++row) {
      const uint4 head = quads[row * warp_lanes + static_cast<int>(lane())];
      const Word second = max(head.x, head.y);
      const Word third = max(second, head.z);
      Word largest = max(third, head.w);
#pragma unroll
      for (Word d = 1; d < warp_lanes; d *= 2) {
        const Word other = __shfl_up_sync(all_lanes, largest, d);
        if (lane() >= d) largest = max(largest, other);
      }
      Word before = __shfl_up_sync(all_lanes, largest, 1);
      before = lane() == 0 ? carry : max(before, carry);
      store(row, {max(head.x, before), max(second, before), max(third, before),
                  max(max(third, head.w), before)});
      carry = max(carry, __shfl_sync(all_lanes, largest, warp_lanes - 1));
    }
    __syncwarp();
    return last;
  }
};

/// Warps `warp`, `warp` + `warps`, ... of the device fill `pieces` times fill_places places each
/// time: run_at is paid once for them.
template <class Values>
__device__ void fill_turns(WarpPlaces<Values> places, Word warp, Word warps, Word pieces) {
  const std::int64_t turn = std::int64_t{pieces} * fill_places;
  for (std::int64_t first = warp * turn; first < places.n; first += warps * turn) {
    places.base = static_cast<Word>(first);
    Word run = run_at(places.starts, places.runs, places.base);
    for (Word i = 0; i < pieces && places.base < places.n; ++i, places.base += fill_places) {
      run = places.fill(run);
    }
  }
}

/// `runs_at` is null, or where the device finds the number of runs.
template <class Values>
__global__ void __launch_bounds__(fill_threads)
    fill_runs(typename Values::Key* out, Word n, const Word* starts, Word runs, const Word* runs_at,
              Values values, Word pieces) {
  __shared__ __align__(16) Word heads[fill_threads / warp_lanes][fill_places];
  const Word warp = threadIdx.x / warp_lanes;
  const Word warps = fill_threads / warp_lanes;
  wait_for_kernels_before();
  const Word count = runs_at == nullptr ? runs : *runs_at;
  if (count == 0) return;
  fill_turns(WarpPlaces<Values>{out, n, starts, count, values, heads[warp]},
             blockIdx.x * warps + warp, gridDim.x * warps, pieces);
}

}  // namespace agpusim::counting_sort

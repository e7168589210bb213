#pragma once

#include "agpusim/algorithms/integer_sorts/counting_sort/lanes.cuh"

// Few different keys, anywhere in 32 or 64 bits: counted in a hash table in the shared memory of
// every CTA and then in one in global memory; the places of the runs come from comparing all values
// with all.
namespace agpusim::counting_sort {

/// Buckets of a CTA's table: what shared memory holds.
template <class Bits>
inline constexpr Word table_buckets = sizeof(Bits) == 4 ? 12288 : 8192;
inline constexpr Word bucket_places = 2;  ///< looked up by one load
template <class Bits>
inline constexpr Word table_places = table_buckets<Bits>* bucket_places;
template <class Bits>
inline constexpr std::size_t table_bytes = table_places<Bits>*(sizeof(Bits) + sizeof(Word));
inline constexpr Word most_values = 4096;
inline constexpr Word most_tries = 64;  ///< a table that is full up to there has too many values
template <class Bits>
inline constexpr Bits no_value = ~Bits{0};  ///< marks free places; as a key it is counted apart

/// The table in global memory. Before a run `values` holds no_value everywhere and the rest 0.
template <class Bits>
struct ValueTable {
  Bits values[table_places<Bits>];
  Word counts[table_places<Bits>];
  Word places[most_values];  ///< places of the values found
  Word found;                ///< without no_value
  Word marked;               ///< keys that are no_value
  Word runs;                 ///< different keys
  Word too_many;             ///< not 0: more than most_values; nothing else holds then
};

/// The first place of the bucket of a value.
template <class Bits>
__device__ Word bucket_of(Bits value) {
  Word mixed = 0;
  if constexpr (sizeof(Bits) == 4) {
    mixed = value * 2654435761U;  // Knuth's multiplier
  } else {
    mixed = static_cast<Word>(value * 0x9e3779b97f4a7c15U >> 32);
  }
  return __umulhi(mixed, table_buckets<Bits>) * bucket_places;
}

/// Where a value at `place` of a CTA's table is counted: the first places of neighbouring buckets,
/// which most values take, are in neighbouring banks.
template <class Bits>
__device__ Word counter_of(Word place) {
  return place / bucket_places + place % bucket_places * table_buckets<Bits>;
}

/// The place of a value in a table, in which it is entered where it is new: then added(place) is
/// called. table_places when there is no place for it.
template <class Bits, class Added>
__device__ Word enter(Bits* values, Bits value, Added added) {
  Word place = bucket_of(value);
  for (Word tries = 0; tries < most_tries; ++tries, place = (place + 1) % table_places<Bits>) {
    Bits there = *const_cast<volatile Bits*>(values + place);
    if (there == no_value<Bits>) {
      there = atomicCAS(values + place, no_value<Bits>, value);
      if (there == no_value<Bits>) {
        added(place);
        return place;
      }
    }
    if (there == value) return place;
  }
  return table_places<Bits>;
}

/// Counts the value where it is in a bucket of the CTA's table.
template <class Bits>
__device__ bool count_in_bucket(const Bits* values, Word* counts, Bits value, Word bucket) {
  using Pair = std::conditional_t<sizeof(Bits) == 4, uint2, ulonglong2>;
  const Pair there = *reinterpret_cast<const Pair*>(values + bucket);
  const bool second = there.y == value;
  const bool known = (there.x == value || second) && value != no_value<Bits>;
  if (known) {
    atomicAdd(&counts[counter_of<Bits>(bucket) + (second ? table_buckets<Bits> : 0)], Word{1});
  }
  return known;
}

/// Keys as numbers that atomics take.
template <class Key>
using BitsOf = std::conditional_t<sizeof(Key) == 4, Word, unsigned long long>;

/// Counts the keys. A CTA that has entered most_values gives up, and so does the run.
template <class Key>
__global__ void __launch_bounds__(cta_threads)
    count_values(const Key* keys, std::int64_t n, ValueTable<BitsOf<Key>>* table) {
  using Bits = BitsOf<Key>;
  constexpr Word places = table_places<Bits>;
  extern __shared__ __align__(128) unsigned char memory[];
  auto* const values = reinterpret_cast<Bits*>(memory);
  auto* const counts = reinterpret_cast<Word*>(values + places);
  __shared__ Word entered;
  __shared__ Word marked;
  for (Word i = threadIdx.x; i < places; i += cta_threads) {
    values[i] = no_value<Bits>;
    counts[i] = 0;
  }
  if (threadIdx.x == 0) entered = marked = 0;
  __syncthreads();
  wait_for_kernels_before();
  const auto too_many = [&] { return *const_cast<volatile Word*>(&entered) > most_values; };
  const auto count = [&](Bits value) {
    if (value == no_value<Bits>) {
      atomicAdd(&marked, Word{1});
    } else if (!too_many()) {
      const Word place = enter(values, value, [&](Word) { atomicAdd(&entered, Word{1}); });
      if (place == places) {
        atomicAdd(&entered, most_values + 1);
      } else {
        atomicAdd(&counts[counter_of<Bits>(place)], Word{1});
      }
    }
  };
  // A value is mostly in its bucket or, where that is full, in the next one.
  const auto count_known = [&](const auto& each) {
    constexpr int keys_here = keys_of_load<Bits>;
    bool known[keys_here];
    bool all = true;
#pragma unroll
    for (int i = 0; i < keys_here; ++i) {
      const Bits value = each[i];
      known[i] = count_in_bucket(values, counts, value, bucket_of(value));
      all = all && known[i];
    }
    if (!__any_sync(all_lanes, !all)) return;
#pragma unroll
    for (int i = 0; i < keys_here; ++i) {
      const Bits value = each[i];
      const Word next = (bucket_of(value) + bucket_places) % places;
      if (!known[i] && !count_in_bucket(values, counts, value, next)) count(value);
    }
    __syncwarp();
  };
  stream_loads(
      keys, n, [&](Bits) { return !__any_sync(all_lanes, too_many()); }, count_known, count);
  __syncthreads();
  if (entered > most_values) {
    table->too_many = 1;
    return;
  }
  if (threadIdx.x == 0 && marked != 0) atomicAdd(&table->marked, marked);
  for (Word i = threadIdx.x; i < places; i += cta_threads) {
    if (values[i] == no_value<Bits>) continue;
    if (*const_cast<volatile Word*>(&table->found) > most_values) return;
    const Word place = enter(table->values, values[i], [&](Word entered_at) {
      const Word number = atomicAdd(&table->found, Word{1});
      if (number < most_values) {
        table->places[number] = entered_at;
      } else {
        table->too_many = 1;
      }
    });
    if (place == places) {
      table->too_many = 1;
      return;
    }
    atomicAdd(&table->counts[place], counts[counter_of<Bits>(i)]);
  }
}

template <class Key>
struct CountedValue {
  Key value;
  Word count;
};

/// The values in ascending order and the first places of their runs, starts[runs] = n. A warp takes
/// a value and adds up what is smaller.
template <class Key>
__global__ void __launch_bounds__(cta_threads)
    order_values(ValueTable<BitsOf<Key>>* table, Word n, Key* values, Word* starts) {
  extern __shared__ __align__(128) unsigned char memory[];
  auto* const found = reinterpret_cast<CountedValue<Key>*>(memory);
  wait_for_kernels_before();
  if (table->too_many != 0) return;
  const Word count = table->found;
  for (Word i = threadIdx.x; i < count; i += cta_threads) {
    const Word place = table->places[i];
    found[i] = {static_cast<Key>(table->values[place]), table->counts[place]};
  }
  __syncthreads();
  const auto marker = static_cast<Key>(no_value<BitsOf<Key>>);
  const Word marked = table->marked;
  const Word runs = count + (marked > 0 ? 1 : 0);
  const Word warp = (blockIdx.x * cta_threads + threadIdx.x) / warp_lanes;
  for (Word i = warp; i < runs; i += gridDim.x * cta_threads / warp_lanes) {
    const Key value = i < count ? found[i].value : marker;
    Word rank = 0;
    Word start = 0;
    for (Word k = lane(); k < count; k += warp_lanes) {
      const CountedValue<Key> other = found[k];
      if (other.value < value) {
        ++rank;
        start += other.count;
      }
    }
    rank = __reduce_add_sync(all_lanes, rank);
    start = __reduce_add_sync(all_lanes, start);
    if (marked > 0 && marker < value) {
      ++rank;
      start += marked;
    }
    if (lane() == 0) {
      values[rank] = value;
      starts[rank] = start;
    }
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    starts[runs] = n;
    table->runs = runs;
  }
}

}  // namespace agpusim::counting_sort

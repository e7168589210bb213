#pragma once

#include "agpusim/algorithms/integer_sorts/counting_sort/lanes.cuh"

// Few different keys, anywhere in 32 bits: counted in a hash table in the shared memory of every
// CTA and then in one in global memory; the places of the runs come from comparing all values with
// all.
namespace agpusim::counting_sort {

inline constexpr int table_bits = 14;  ///< of a CTA's table
inline constexpr Word table_places = Word{1} << table_bits;
inline constexpr Word bucket_places = 4;  ///< looked up by one load of 16 bytes
inline constexpr Word most_values = table_places / 4;
inline constexpr Word no_value = 0xffffffffU;  ///< marks free places; as a key it is counted apart

/// The table in global memory. Before a run `values` holds no_value everywhere and the rest 0.
struct ValueTable {
  Word values[table_places];
  Word counts[table_places];
  Word places[most_values];  ///< of the values found
  Word found;                ///< without no_value
  Word marked;               ///< keys that are no_value
  Word runs;                 ///< different keys
  Word too_many;             ///< not 0: more than most_values; nothing else holds then
};

/// The first place of the bucket of a value.
__device__ inline Word bucket_of(Word value) {
  constexpr int bucket_bits = table_bits - 2;
  return (value * 2654435761U) >> (32 - bucket_bits) << 2;  // Knuth's multiplier
}

/// The place of a value in a table, in which it is entered where it is new: then added(place) is
/// called. table_places when the table is full of others.
template <class Added>
__device__ Word enter(Word* values, Word value, Added added) {
  Word place = bucket_of(value);
  for (Word tries = 0; tries < table_places; ++tries, place = (place + 1) % table_places) {
    Word there = *const_cast<volatile Word*>(values + place);
    if (there == no_value) {
      there = atomicCAS(values + place, no_value, value);
      if (there == no_value) {
        added(place);
        return place;
      }
    }
    if (there == value) return place;
  }
  return table_places;
}

/// Counts the keys. A CTA that has entered most_values gives up, and so does the run.
static __global__ void __launch_bounds__(cta_threads)
    count_values(const std::int32_t* keys, std::int64_t n, ValueTable* table) {
  extern __shared__ __align__(128) Word values[];
  Word* const counts = values + table_places;
  __shared__ Word entered;
  __shared__ Word marked;
  for (Word i = threadIdx.x; i < table_places; i += cta_threads) {
    values[i] = no_value;
    counts[i] = 0;
  }
  if (threadIdx.x == 0) entered = marked = 0;
  __syncthreads();
  const auto count = [&](Word value) {
    if (value == no_value) {
      atomicAdd(&marked, Word{1});
    } else if (*const_cast<volatile Word*>(&entered) <= most_values) {
      const Word place = enter(values, value, [&](Word) { atomicAdd(&entered, Word{1}); });
      atomicAdd(&counts[place], Word{1});
    }
  };
  const auto count_known = [&](Word value) {
    const Word bucket = bucket_of(value);
    const uint4 there = *reinterpret_cast<const uint4*>(values + bucket);
    const bool known =
        (there.x == value || there.y == value || there.z == value || there.w == value) &&
        value != no_value;
    const Word place =
        (there.y == value ? 1 : 0) + (there.z == value ? 2 : 0) + (there.w == value ? 3 : 0);
    if (known) atomicAdd(&counts[bucket + place], Word{1});
    if (__any_sync(all_lanes, !known)) {
      if (!known) count(value);
      __syncwarp();
    }
  };
  stream_keys(
      keys, n, [](Word) {}, count_known, count);
  __syncthreads();
  if (entered > most_values) {
    table->too_many = 1;
    return;
  }
  if (threadIdx.x == 0 && marked != 0) atomicAdd(&table->marked, marked);
  for (Word i = threadIdx.x; i < table_places; i += cta_threads) {
    if (values[i] == no_value) continue;
    if (*const_cast<volatile Word*>(&table->found) > most_values) return;
    const Word place = enter(table->values, values[i], [&](Word entered_at) {
      const Word number = atomicAdd(&table->found, Word{1});
      if (number < most_values) {
        table->places[number] = entered_at;
      } else {
        table->too_many = 1;
      }
    });
    if (place == table_places) {
      table->too_many = 1;
      return;
    }
    atomicAdd(&table->counts[place], counts[i]);
  }
}

/// The values in ascending order and the first places of their runs, starts[runs] = n. A warp takes
/// a value and adds up what is smaller.
static __global__ void __launch_bounds__(cta_threads)
    order_values(ValueTable* table, Word n, std::int32_t* values, Word* starts) {
  extern __shared__ __align__(128) int2 found[];  // value, count
  if (table->too_many != 0) return;
  const Word count = table->found;
  for (Word i = threadIdx.x; i < count; i += cta_threads) {
    const Word place = table->places[i];
    found[i] =
        make_int2(static_cast<int>(table->values[place]), static_cast<int>(table->counts[place]));
  }
  __syncthreads();
  const int marker = static_cast<int>(no_value);
  const Word marked = table->marked;
  const Word runs = count + (marked > 0 ? 1 : 0);
  const Word warp = (blockIdx.x * cta_threads + threadIdx.x) / warp_lanes;
  for (Word i = warp; i < runs; i += gridDim.x * cta_threads / warp_lanes) {
    const int value = i < count ? found[i].x : marker;
    Word rank = 0;
    Word start = 0;
    for (Word k = lane(); k < count; k += warp_lanes) {
      const int2 other = found[k];
      if (other.x < value) {
        ++rank;
        start += static_cast<Word>(other.y);
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

#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/pram/prefix_sums.hpp"
#include "agpusim/model/pram/run.hpp"

// The integer sorts of seed 000 on a Sum-CRCW PRAM, corrected as in theory 3.3 to 3.5. Keys are
// min <= x[i] < min + range; the arrays have the names of the papers and stay readable after the
// run. Without keys there is no step and
// no array but x. Each form below is the exact cost for the same arguments.
namespace agpusim {

/// What a sort of integers needs to know besides the keys.
struct KeyRange {
  std::int64_t min = 0;
  std::int64_t range = 0;
};

struct HpSort {
  PramArray a;   ///< A[v]: how often min + v occurs
  PramArray ap;  ///< Ap[v]: keys <= min + v
  PramArray b;   ///< B[j]: values v with Ap[v] = j, j = 0..n
  PramArray y;   ///< the sorted keys: y[i] = min + B[0] + ... + B[i]
};

/// H-P sort (theory 3.3): 3 steps and two prefix sums, 7 steps with dyadic ones.
HpSort hp_sort(Pram& pram, const PramArray& x, const KeyRange& keys, PrefixSums kind);
[[nodiscard]] PramForm hp_sort_form(std::int64_t n, std::int64_t range, PrefixSums kind);

struct OneHpSort {
  PramArray a;
  PramArray ap;
  PramArray y;
};

/// 1-H-P sort (theory 3.4) of distinct keys: 3 steps and one prefix sum, 5 steps with a dyadic one.
/// Of keys that occur more often only the first place of each is written to y.
OneHpSort one_hp_sort(Pram& pram, const PramArray& x, const KeyRange& keys, PrefixSums kind);
[[nodiscard]] PramForm one_hp_sort_form(std::int64_t n, std::int64_t range, PrefixSums kind);

struct ZeroCompressedHpSort {
  PramArray a;
  PramArray a01p;  ///< A01p[v]: distinct keys <= min + v
  PramArray c;   ///< C[j]: how often the j-th distinct key occurs; j = 0..len-1 (the paper: 1..len)
  PramArray ic;  ///< iC[j]: the j-th distinct key
  PramArray cp;  ///< Cp[j] = C[0] + ... + C[j]
  PramArray b;   ///< B[j] is what y rises by at position j, from 0
  PramArray y;
};

/// 0-compressed H-P sort (theory 3.5): 5 steps and three prefix sums, 11 steps with dyadic ones. No
/// second histogram: concurrent writes meet in the first one, and in pairs in B.
ZeroCompressedHpSort zero_compressed_hp_sort(Pram& pram, const PramArray& x, const KeyRange& keys,
                                             PrefixSums kind);
/// `distinct` (len) is the number of distinct keys.
[[nodiscard]] PramForm zero_compressed_hp_sort_form(std::int64_t n, std::int64_t range,
                                                    std::int64_t distinct, PrefixSums kind);

struct RankSort {
  PramArray rank;  ///< rank[j]: keys before x[j] in the order (key, index)
  PramArray y;
};

/// Stable sort by counting (theory 3.7, S2; Sum-CRCW): 2 steps, n^2 processors.
RankSort rank_sort(Pram& pram, const PramArray& x);
[[nodiscard]] PramForm rank_sort_form(std::int64_t n);

}  // namespace agpusim

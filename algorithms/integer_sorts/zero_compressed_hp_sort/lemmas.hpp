#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/model/run/run.hpp"

namespace agpusim::zero_compressed_hp_sort {

/// The arrays of a run (theory 3.5); j counts the values that occur from 0, the paper from 1.
struct Arrays {
  std::vector<std::int32_t> a;     ///< A[v], v = 0..R-1
  std::vector<std::int32_t> a01p;  ///< A01p[v]: distinct keys <= min + v
  std::vector<std::int32_t> c;     ///< C[j], how often the j-th of them occurs; j < len
  std::vector<std::int32_t> ic;    ///< iC[j], the j-th of them
  std::vector<std::int32_t> cp;    ///< C[0] + ... + C[j-1]
  std::vector<std::int32_t> b;     ///< B[i], what y rises by at position i
  std::int32_t min_key;
};

/// Lemma 1 of seed 000: C[j] = A[v] and iC[j] = min + v for the v with A[v] > 0 and A01p[v] = j
/// + 1.
/// "" or the first v for which it is not so.
[[nodiscard]] std::string failure_of_lemma_1(const Arrays& s);

/// Lemma 2: B[i] = iC[j] - iC[j-1] where i is the place of the first of the j-th keys, iC[-1] = 0,
/// and 0 elsewhere. "" or the first i for which it is not so.
[[nodiscard]] std::string failure_of_lemma_2(const Arrays& s);

/// Both as lines of a run's result.
[[nodiscard]] std::vector<NamedValue> check_lemmas(const Arrays& s);

}  // namespace agpusim::zero_compressed_hp_sort

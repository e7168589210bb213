#pragma once

#include <cstdint>

#include "agpusim/algorithms/rank_sort/kernel.hpp"

namespace agpusim::string_rank_sort {

/// Sorts `n` strings of `words` words each, one behind the other, by counting for each how many
/// come before it in the order (string, index). Every lane owns one string, in registers, and reads
/// all strings from global memory, word by word: the next one while words have been equal in some
/// lane.
template <class Word, std::int32_t words>
struct RankStrings {
  static constexpr const char* name = "rank_strings";

  std::int32_t n;  ///< strings

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out) const {
    using rank_sort::Side;
    const auto first = static_cast<std::int32_t>(mp.task()) * mp.width();
    const std::int32_t own_count = min(mp.width(), n - first);
    const auto lane = mp.lane();
    auto own = registers_of<words>(mp.varying(Word{}));
    rank_sort::for_first(mp, own_count, mp.width(), lane, [&] {
      const In mine = in.from(std::int64_t{first} * words);
      for (std::int32_t w = 0; w < words; ++w) own[w] = mine.read(lane * words + w);
    });
    auto rank = mp.varying(std::int32_t{0});
    const auto count = [&]<Side side>(std::int32_t begin, std::int32_t end) {
      for (std::int32_t i = begin; i < end; ++i) {
        const In other = in.from(std::int64_t{i} * words);
        compare<side, 0>(mp, other, own, rank, [&] { return lane > i - first; });
      }
    };
    count.template operator()<Side::before>(0, first);
    count.template operator()<Side::among>(first, first + own_count);
    count.template operator()<Side::after>(first + own_count, n);
    rank_sort::for_first(mp, own_count, mp.width(), lane, [&] {
      const auto place = rank * words;
      for (std::int32_t w = 0; w < words; ++w) out.write(place + w, own[w]);
    });
  }

 private:
  /// Adds 1 to `rank` where `other` comes before `own`, which agree before word w.
  template <rank_sort::Side side, std::int32_t w, class Mp, class In, class Own, class Lane,
            class Earlier>
  AGPUSIM_FN static void compare(Mp& mp, const In& other, const Own& own, Lane& rank,
                                 const Earlier& earlier) {
    const auto word = other.read(mp.varying(w));
    if constexpr (w + 1 == words) {
      rank = rank_sort::add_where(rank, rank_sort::comes_first<side>(word, own[w], earlier));
    } else {
      rank = rank_sort::add_where(rank, word < own[w]);
      mp.when(word == own[w], [&] { compare<side, w + 1>(mp, other, own, rank, earlier); });
    }
  }
};

}  // namespace agpusim::string_rank_sort

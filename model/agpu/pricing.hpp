#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "agpusim/model/agpu/spec.hpp"

namespace agpusim {

/// How the addresses of one access follow each other; the prices of the first three need no search.
enum class Shape : std::uint8_t {
  ascending,   ///< a, a+1, a+2, ...
  descending,  ///< a, a-1, a-2, ...
  equal,       ///< a, a, a, ...
  general,
};

[[nodiscard]] Shape shape_of(const std::int32_t* address, std::int32_t count);

/// Division by a fixed number of words; a shift where that is a power of two.
class WordDivider {
 public:
  explicit WordDivider(std::int32_t words);
  [[nodiscard]] std::int64_t quotient(std::int64_t address) const {
    return shift_ >= 0 ? address >> shift_ : address / words_;
  }
  /// lg of the elements in one unit; -1 when these are not a power of two.
  [[nodiscard]] std::int32_t shift_of_elements(ElementSize size) const {
    if (size.is_word()) return shift_;
    const std::int32_t parts = words_ * size.parts;
    const auto elements = static_cast<std::uint32_t>(parts / size.words);
    return parts % size.words == 0 && std::has_single_bit(elements) ? std::countr_zero(elements)
                                                                    : -1;
  }

 private:
  std::int32_t words_;
  std::int32_t shift_;  // -1 when `words_` is not a power of two
};

/// Blocks and sectors of one request.
struct GlobalPrice {
  std::int64_t blocks = 0;
  std::int64_t sectors = 0;
  bool distinct = false;  ///< known by it: no two lanes ask for one element
};

/// Wavefronts of one shared request, and how many of them are above the fewest that its active
/// lanes can take: those of the passes that have an active lane.
struct SharedPrice {
  std::int64_t wavefronts = 0;
  std::int64_t conflicts = 0;

  friend bool operator==(const SharedPrice&, const SharedPrice&) = default;
};

/// One request by its addresses, as front ends other than the lane machine know it.
struct WarpAddresses {
  std::span<const std::uint64_t> byte;  ///< address of each lane's element, a multiple of `bytes`
  std::uint64_t active = 0;             ///< bit i: lane i takes part; of at most 64 lanes
  std::int32_t bytes = 4;               ///< bytes of an element
};

/// The one place that prices accesses (theory 1.2). It knows addresses, b, the sector and the size
/// of an element; not lanes, arrays, or who asks.
class PricingRules {
 public:
  explicit PricingRules(const AgpuSpec& spec);

  /// Whether blocks are whole sectors: then requests a multiple of b elements apart cost the same,
  /// of elements that are whole words.
  [[nodiscard]] bool whole_sectors() const { return whole_sectors_; }

  /// One global request of `count` >= 1 active lanes: element indices relative to `origin`
  /// (elements from a block-aligned start).
  [[nodiscard]] GlobalPrice global(const std::int32_t* index, std::int32_t count, Shape shape,
                                   std::int64_t origin, ElementSize size) {
    if (shape == Shape::general) return scattered(index, count, origin, size);
    const std::int64_t low = std::min(index[0], index[count - 1]) + origin;
    const std::int64_t high = std::max(index[0], index[count - 1]) + origin;
    return run(low, high - low + 1, size);
  }
  /// Elements that are as far apart, a power of two, cost the same; 0 where none is known.
  [[nodiscard]] std::int64_t period(ElementSize size) const {
    const std::int32_t block = block_.shift_of_elements(size);
    const std::int32_t sector = sector_.shift_of_elements(size);
    return block < 0 || sector < 0 ? 0 : std::int64_t{1} << std::max(block, sector);
  }
  /// One global request for `count` neighbouring elements from `low` on.
  [[nodiscard]] GlobalPrice run(std::int64_t low, std::int64_t count, ElementSize size) const {
    return words(size.first_word(low), size.last_word(low + count - 1));
  }
  /// One global request for the words `first` to `last`.
  [[nodiscard]] GlobalPrice words(std::int64_t first, std::int64_t last) const {
    return {block_.quotient(last) - block_.quotient(first) + 1,
            sector_.quotient(last) - sector_.quotient(first) + 1};
  }

  /// Price of addresses in global memory; nothing without an active lane. Throws UsageError for
  /// more than 64 lanes, an address that is no multiple of the element's bytes, and an element that
  /// is neither whole words nor a whole part of one.
  [[nodiscard]] GlobalPrice global(const WarpAddresses& request);

  /// Bank degree of one shared request: time units it takes (R8, theory A3-A5). `base` is the word
  /// address of element 0. Lanes that address parts of one word address one word. An element of
  /// several words is served in that many passes, each for
  /// b/words consecutive lanes, as hardware serves 64-bit accesses half-warp by half-warp: `lane`
  /// gives the lane of each index. A load (merge) takes passes of twice as many lanes when
  /// neighbours share their elements (decision 0003).
  [[nodiscard]] SharedPrice shared(const std::int32_t* index, const std::int32_t* lane,
                                   std::int32_t count, Shape shape, std::int64_t base,
                                   ElementSize size, bool load);

  /// Bank degree of addresses in shared memory; throws as global() does.
  [[nodiscard]] SharedPrice shared(const WarpAddresses& request, bool load);

  /// Time units of one shared atomic request: every lane's operation counts, equal addresses too
  /// (extension X1), pass by pass as in shared().
  [[nodiscard]] SharedPrice shared_atomic(const std::int32_t* index, const std::int32_t* lane,
                                          std::int32_t count, std::int64_t base, ElementSize size);

  /// Time units of atomic operations at addresses in shared memory; throws as global() does.
  [[nodiscard]] SharedPrice shared_atomic(const WarpAddresses& request);

  /// Largest number of requests of one index (κ of one request).
  [[nodiscard]] std::int64_t multiplicity(const std::int32_t* index, std::int32_t count);

  /// Largest number of requests of one address; throws as global() does.
  [[nodiscard]] std::int64_t multiplicity(const WarpAddresses& request);

 private:
  GlobalPrice scattered(const std::int32_t* index, std::int32_t count, std::int64_t origin,
                        ElementSize size);
  GlobalPrice scattered(const WarpAddresses& request);
  /// `price` of the words that a request for shared memory asks for.
  template <class Price>
  SharedPrice shared_by(const WarpAddresses& request, Price price);
  std::int64_t most_equal(const WarpAddresses& request);
  std::int64_t distinct_units(const std::int32_t* index, std::int32_t count, std::int64_t origin,
                              ElementSize size, const WordDivider& unit);
  /// The words of elements that are parts of one.
  const std::int32_t* words_of(const std::int32_t* index, std::int32_t count, std::int32_t parts);
  /// Lanes that one pass serves.
  [[nodiscard]] std::int32_t lanes_per_pass(std::int32_t words) const;
  /// Whether each lane's element is that of the lane whose number differs in the lowest bit or,
  /// for all lanes, in the second one, wherever both are active; they are in one pass of `lanes`.
  [[nodiscard]] bool neighbours_share(const std::int32_t* index, const std::int32_t* lane,
                                      std::int32_t count, std::int32_t lanes);
  /// `degree_of(begin, end)` summed over the passes of `lanes` lanes that serve the indices
  /// begin..end-1.
  template <class Degree>
  SharedPrice sum_of_passes(const std::int32_t* lane, std::int32_t count, std::int32_t words,
                            std::int32_t lanes, Degree degree_of) const;
  std::int64_t degree(const std::int32_t* index, std::int32_t count, Shape shape,
                      std::int32_t banks);
  /// Bank degree of at most 64 words in few banks, where equal addresses are one.
  std::int64_t degree_by_sorting(const std::int32_t* index, std::int32_t count, std::int32_t banks);
  std::int64_t degree_by_search(const std::int32_t* index, std::int32_t count, std::int64_t base,
                                ElementSize size, std::int32_t banks);

  std::int32_t word_bits_;
  std::int32_t banks_;
  bool merge_;
  bool whole_sectors_;
  WordDivider block_;
  WordDivider sector_;
  std::vector<std::int64_t> scratch_;
  std::vector<std::uint32_t> keys_;
  std::vector<std::int32_t> words_;
};

}  // namespace agpusim

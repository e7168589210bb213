#include "agpusim/model/agpu/pricing.hpp"

#include <array>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "agpusim/model/agpu/lane_vector.hpp"

namespace agpusim {
namespace {

/// What one pass over the indices says about their order.
struct Order {
  bool ascending = true;   // never decreases
  bool descending = true;  // never increases
  bool repeats = false;    // two neighbours are equal
};

Order order_of(const std::int32_t* index, std::int32_t count) {
  std::int32_t up = 0;
  std::int32_t down = 0;
  for (std::int32_t i = 1; i < count; ++i) {
    up += index[i] > index[i - 1] ? 1 : 0;
    down += index[i] < index[i - 1] ? 1 : 0;
  }
  return {down == 0, up == 0, up + down + 1 < count};
}

constexpr std::int32_t most_compared = 64;  // keys that are compared all with all

/// For each of at most vectors·vector_lanes keys: how many are equal to it.
template <std::size_t vectors>
class Occurrences {
 public:
  Occurrences(const std::uint32_t* key, std::int32_t count) : count_(count) {
    LaneVector keys[vectors];
    SignedLaneVector found[vectors] = {};
    for (std::size_t v = 0; v < vectors; ++v) keys[v] = load_lanes(key + v * lanes);
    for (std::int32_t j = 0; j < count; ++j) {
      const LaneVector other = LaneVector{} + key[j];
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) found[v] -= other == keys[v];
    }
    for (std::size_t v = 0; v < vectors; ++v) store_lanes(found[v], times_ + v * lanes);
  }
  [[nodiscard]] std::int32_t most() const {
    std::int32_t most = 0;
    for (std::int32_t i = 0; i < count_; ++i) most = std::max(most, times_[i]);
    return most;
  }

 private:
  static constexpr auto lanes = std::size_t{vector_lanes};

  std::int32_t count_;
  alignas(64) std::int32_t times_[vectors * lanes];
};

/// The keys that `make` makes of the vectors·vector_lanes numbers from `from` on, in ascending
/// order: Batcher's bitonic network.
template <std::size_t vectors>
class SortedKeys {
 public:
  template <class Make>
  SortedKeys(const std::int32_t* from, Make make) {
    for (std::size_t v = 0; v < vectors; ++v) keys_[v] = make(load_lanes(from + v * lanes));
    merge_up<2>();
  }
  /// Different values of key >> shift.
  [[nodiscard]] std::int32_t distinct(std::int32_t shift) const {
    SignedLaneVector changes{};
    for (std::size_t v = 0; v < vectors; ++v) {
      const LaneVector next = v + 1 < vectors ? keys_[v + 1] : LaneVector{} + keys_[v][lanes - 1];
      changes -= (keys_[v] >> shift) != (next_lanes(keys_[v], next) >> shift);
    }
    return 1 + sum_of_lanes(changes);
  }
  /// Most different keys whose first `bits` bits are equal.
  [[nodiscard]] std::int32_t most_distinct(std::int32_t bits) const {
    // Bit i: key i and the next one are equal; their first bits are.
    std::uint64_t equal = 0;
    std::uint64_t together = 0;
    const LaneVector first = LaneVector{} + ~(~std::uint32_t{0} >> bits);
    for (std::size_t v = 0; v < vectors; ++v) {
      const LaneVector differs =
          keys_[v] ^ next_lanes(keys_[v], keys_[std::min(v + 1, vectors - 1)]);
      equal |= std::uint64_t{bits_of_lanes(differs == 0)} << v * lanes;
      together |= std::uint64_t{bits_of_lanes((differs & first) == 0)} << v * lanes;
    }
    constexpr std::uint64_t with_next = (std::uint64_t{1} << (vectors * lanes - 1)) - 1;
    equal &= with_next;
    together &= with_next;
    while (equal != 0) {  // the last of two equal keys goes
      const std::uint64_t here = std::bit_floor(equal);
      together = (together & (here - 1)) | (together >> 1 & ~(here - 1));
      equal ^= here;
    }
    std::int32_t most = 1;
    for (; together != 0; together &= together >> 1) ++most;
    return most;
  }

 private:
  static constexpr auto lanes = std::size_t{vector_lanes};

  /// From runs of size / 2 keys, every second one descending, to one run.
  template <std::size_t size>
  void merge_up() {
    compare<size, size / 2>();
    if constexpr (size < vectors * lanes) merge_up<2 * size>();
  }
  /// Compares keys `distance` apart, and then nearer ones.
  template <std::size_t size, std::size_t distance>
  void compare() {
    if constexpr (distance >= lanes) {
      constexpr std::size_t apart = distance / lanes;
      for (std::size_t v = 0; v < vectors; ++v) {
        if ((v & apart) != 0) continue;
        const LaneVector a = keys_[v];
        const LaneVector b = keys_[v + apart];
        const bool up = (v * lanes & size) == 0;
        keys_[v] = up ? smaller(a, b) : larger(a, b);
        keys_[v + apart] = up ? larger(a, b) : smaller(a, b);
      }
    } else {
      for (std::size_t v = 0; v < vectors; ++v) {
        const LaneVector a = keys_[v];
        const LaneVector b = lanes_apart<distance>(a);
        const SignedLaneVector lane = lane_numbers_of_vector + static_cast<std::int32_t>(v * lanes);
        const SignedLaneVector first = (lane & static_cast<std::int32_t>(distance)) == 0;
        const SignedLaneVector up = (lane & static_cast<std::int32_t>(size)) == 0;
        keys_[v] = first == up ? smaller(a, b) : larger(a, b);
      }
    }
    if constexpr (distance > 1) compare<size, distance / 2>();
  }
  static LaneVector smaller(const LaneVector& a, const LaneVector& b) { return a < b ? a : b; }
  static LaneVector larger(const LaneVector& a, const LaneVector& b) { return a < b ? b : a; }

  LaneVector keys_[vectors];
};

/// `f(sorted)` of the keys made of count <= most_compared numbers, with the first as often as
/// needed to be half as many as most_compared or all.
template <class Make, class F>
auto of_sorted(const std::int32_t* from, std::int32_t count, Make make, F f) {
  constexpr std::size_t all = most_compared / vector_lanes;
  std::int32_t filled[most_compared];
  if (count != most_compared / 2 && count != most_compared) {
    std::fill(std::copy_n(from, count, filled), filled + most_compared, from[0]);
    from = filled;
  }
  if (count <= most_compared / 2) return f(SortedKeys<all / 2>(from, make));
  return f(SortedKeys<all>(from, make));
}

/// `f(occurrences)` of count <= most_compared keys, behind which there is room for most_compared.
template <class F>
std::int64_t of_occurrences(const std::uint32_t* key, std::int32_t count, F f) {
  constexpr std::size_t all = most_compared / vector_lanes;
  if (count <= most_compared / 4) return f(Occurrences<all / 4>(key, count));
  if (count <= most_compared / 2) return f(Occurrences<all / 2>(key, count));
  return f(Occurrences<all>(key, count));
}

/// So few banks, a power of two, that a word has a bit for each.
bool few(std::int32_t banks) {
  return banks <= 32 && std::has_single_bit(static_cast<std::uint32_t>(banks));
}

/// The bank of a word, one of few; wherever word 0 is, the same words meet in one.
std::uint32_t bank_of(std::uint32_t index, std::int32_t banks) {
  return index & static_cast<std::uint32_t>(banks - 1);
}

bool in_distinct_banks(const std::int32_t* index, std::int32_t count, std::int32_t banks) {
  std::uint32_t seen = 0;
  for (std::int32_t i = 0; i < count; ++i) {
    seen |= std::uint32_t{1} << bank_of(static_cast<std::uint32_t>(index[i]), banks);
  }
  return std::popcount(seen) == count;
}

}  // namespace

Shape shape_of(const std::int32_t* address, std::int32_t count) {
  if (count < 2) return Shape::ascending;
  const std::int32_t step = address[1] - address[0];
  if (step < -1 || step > 1) return Shape::general;
  std::uint32_t differs = 0;
  const auto first = static_cast<std::uint32_t>(address[0]);
  const auto stride = static_cast<std::uint32_t>(step);
  for (std::int32_t i = 0; i < count; ++i) {
    differs |=
        static_cast<std::uint32_t>(address[i]) ^ (first + stride * static_cast<std::uint32_t>(i));
  }
  if (differs != 0) return Shape::general;
  return step == 1 ? Shape::ascending : step == 0 ? Shape::equal : Shape::descending;
}

WordDivider::WordDivider(std::int32_t words)
    : words_(words),
      shift_(std::has_single_bit(static_cast<std::uint32_t>(words))
                 ? std::countr_zero(static_cast<std::uint32_t>(words))
                 : -1) {}

PricingRules::PricingRules(const AgpuSpec& spec)
    : word_bits_(spec.word_bits),
      banks_(spec.block_words),
      merge_(spec.bank_mode == BankMode::merge),
      whole_sectors_(spec.block_words % spec.sector_words() == 0),
      block_(spec.block_words),
      sector_(spec.sector_words()),
      scratch_(static_cast<std::size_t>(max_width) * 8),
      keys_(max_width),
      words_(max_width) {}

GlobalPrice PricingRules::scattered(const std::int32_t* index, std::int32_t count,
                                    std::int64_t origin, ElementSize size) {
  const Order order = order_of(index, count);
  const std::int32_t block_shift = block_.shift_of_elements(size);
  const std::int32_t sector_shift = sector_.shift_of_elements(size);
  if (block_shift >= 0 && sector_shift >= 0 && (order.ascending || order.descending)) {
    // Units of monotone addresses change exactly at their borders.
    const auto offset = static_cast<std::uint32_t>(
        origin & ((std::int64_t{1} << std::max(block_shift, sector_shift)) - 1));
    std::int32_t blocks = 1;
    std::int32_t sectors = 1;
    for (std::int32_t i = 1; i < count; ++i) {
      const std::uint32_t differs = (offset + static_cast<std::uint32_t>(index[i])) ^
                                    (offset + static_cast<std::uint32_t>(index[i - 1]));
      blocks += differs >> block_shift != 0 ? 1 : 0;
      sectors += differs >> sector_shift != 0 ? 1 : 0;
    }
    return {blocks, sectors, sectors == count};
  }
  if (block_shift >= 0 && sector_shift >= 0 && count <= most_compared) {
    const auto offset = static_cast<std::uint32_t>(
        origin & ((std::int64_t{1} << std::max(block_shift, sector_shift)) - 1));
    const std::int32_t finer = std::min(block_shift, sector_shift);
    const auto unit = [&](const LaneVector& i) { return (offset + i) >> finer; };
    return of_sorted(index, count, unit, [&](const auto& sorted) {
      const std::int32_t sectors = sorted.distinct(sector_shift - finer);
      return GlobalPrice{sorted.distinct(block_shift - finer), sectors, sectors == count};
    });
  }
  return {distinct_units(index, count, origin, size, block_),
          distinct_units(index, count, origin, size, sector_)};
}

std::int64_t PricingRules::distinct_units(const std::int32_t* index, std::int32_t count,
                                          std::int64_t origin, ElementSize size,
                                          const WordDivider& unit) {
  auto end = scratch_.begin();
  for (std::int32_t i = 0; i < count; ++i) {
    const std::int64_t element = origin + index[i];
    const std::int64_t last = unit.quotient(size.last_word(element));
    for (std::int64_t key = unit.quotient(size.first_word(element)); key <= last; ++key) {
      *end++ = key;
    }
  }
  std::sort(scratch_.begin(), end);
  return std::unique(scratch_.begin(), end) - scratch_.begin();
}

const std::int32_t* PricingRules::words_of(const std::int32_t* index, std::int32_t count,
                                           std::int32_t parts) {
  std::transform(index, index + count, words_.begin(), [=](std::int32_t i) { return i / parts; });
  return words_.data();
}

template <class Degree>
SharedPrice PricingRules::sum_of_passes(const std::int32_t* lane, std::int32_t count,
                                        std::int32_t words, std::int32_t lanes,
                                        Degree degree_of) const {
  // An element wider than all banks takes several wavefronts even alone.
  const std::int64_t least = (words + banks_ - 1) / banks_;
  const std::int32_t warp = lane[0] - lane[0] % banks_;
  SharedPrice sum;
  for (std::int32_t begin = 0; begin < count;) {
    const std::int32_t border = warp + ((lane[begin] - warp) / lanes + 1) * lanes;
    std::int32_t end = begin + 1;
    while (end < count && lane[end] < border) ++end;
    const std::int64_t wavefronts = degree_of(begin, end);
    sum.wavefronts += wavefronts;
    sum.conflicts += wavefronts - least;
    begin = end;
  }
  return sum;
}

std::int32_t PricingRules::lanes_per_pass(std::int32_t words) const {
  return std::max(1, banks_ / words);
}

bool PricingRules::neighbours_share(const std::int32_t* index, const std::int32_t* lane,
                                    std::int32_t count, std::int32_t lanes) {
  constexpr std::int64_t inactive = std::numeric_limits<std::int64_t>::min();
  std::fill_n(scratch_.begin(), banks_, inactive);
  for (std::int32_t i = 0; i < count; ++i) {
    scratch_[static_cast<std::size_t>(lane[i] % banks_)] = index[i];
  }
  const auto share = [&](std::int32_t bit) {
    for (std::int32_t i = 0; i + bit < banks_; ++i) {
      if ((i & bit) != 0) continue;
      const std::int64_t one = scratch_[static_cast<std::size_t>(i)];
      const std::int64_t other = scratch_[static_cast<std::size_t>(i + bit)];
      if (one != other && one != inactive && other != inactive) return false;
    }
    return true;
  };
  return (lanes >= 2 && share(1)) || (lanes >= 4 && share(2));
}

SharedPrice PricingRules::shared(const std::int32_t* index, const std::int32_t* lane,
                                 std::int32_t count, Shape shape, std::int64_t base,
                                 ElementSize size, bool load) {
  if (size.words == 1 && size.parts > 1) {
    const std::int32_t* const word = words_of(index, count, size.parts);
    return shared(word, lane, count, shape_of(word, count), base, {}, load);
  }
  const std::int32_t words = (size.words + size.parts - 1) / size.parts;
  const bool contiguous = shape == Shape::ascending || shape == Shape::descending;
  if (words == 1) {
    const std::int64_t wavefronts = contiguous ? 1 : degree(index, count, shape, banks_);
    return {wavefronts, wavefronts - 1};
  }
  // Where over half of the lanes are active, and one more where b is no multiple of 4, two
  // neighbours are.
  const bool all_differ = contiguous && 2 * count > banks_ + 2;
  const std::int32_t twice = std::min(banks_, 2 * lanes_per_pass(words));
  const bool pairs =
      merge_ && load &&
      (shape == Shape::equal || (!all_differ && neighbours_share(index, lane, count, twice)));
  const std::int32_t lanes = pairs ? twice : lanes_per_pass(words);
  // An aligned element of w words occupies w banks of its own: b/w wide banks serve it as one word.
  const bool aligned = size.parts == 1 && banks_ % words == 0 && base % words == 0;
  return sum_of_passes(lane, count, words, lanes, [&](std::int32_t begin, std::int32_t end) {
    if (!aligned) return degree_by_search(index + begin, end - begin, base, size, banks_);
    return contiguous && !pairs ? 1 : degree(index + begin, end - begin, shape, banks_ / words);
  });
}

SharedPrice PricingRules::shared_atomic(const std::int32_t* index, const std::int32_t* lane,
                                        std::int32_t count, std::int64_t base, ElementSize size) {
  if (size.parts > 1) {
    return shared_atomic(words_of(index, count, size.parts), lane, count, base, {size.words});
  }
  const std::int32_t words = size.words;
  if (words == 1 && few(banks_) && count <= most_compared) {
    std::uint8_t load[32] = {};
    for (std::int32_t i = 0; i < count; ++i) {
      ++load[bank_of(static_cast<std::uint32_t>(index[i]), banks_)];
    }
    std::uint8_t most = 0;
    for (const std::uint8_t of_bank : load) most = std::max(most, of_bank);
    return {most, most - 1};
  }
  const std::int32_t lanes = lanes_per_pass(words);
  return sum_of_passes(lane, count, words, lanes, [&](std::int32_t begin, std::int32_t end) {
    std::fill_n(scratch_.begin(), banks_, 0);
    for (std::int32_t i = begin; i < end; ++i) {
      for (std::int32_t word = 0; word < words; ++word) {
        const std::int64_t bank = (base + std::int64_t{index[i]} * words + word) % banks_;
        ++scratch_[static_cast<std::size_t>(bank)];
      }
    }
    return *std::max_element(scratch_.begin(), scratch_.begin() + banks_);
  });
}

std::int64_t PricingRules::degree(const std::int32_t* index, std::int32_t count, Shape shape,
                                  std::int32_t banks) {
  if (count == 1) return 1;
  if (shape == Shape::equal) return merge_ ? 1 : count;
  const bool few_banks = few(banks);
  if (few_banks && in_distinct_banks(index, count, banks)) return 1;
  const Order order = order_of(index, count);
  if (!order.repeats && (order.ascending || order.descending)) {
    const std::int64_t span = std::abs(std::int64_t{index[count - 1]} - index[0]) + 1;
    if (few_banks && span <= 2 * std::int64_t{banks}) {
      return 2;  // two distinct addresses share a bank; three would span more than 2b words
    }
    const std::int64_t step = std::int64_t{index[1]} - index[0];
    std::int64_t differs = 0;
    for (std::int32_t i = 1; i < count; ++i) {
      differs |= (std::int64_t{index[i]} - index[i - 1]) ^ step;
    }
    if (differs == 0) {  // Lemma L1: stride s reaches b/gcd(s,b) banks in turn
      const std::int64_t reached = banks / std::gcd(std::abs(step), std::int64_t{banks});
      return (count + reached - 1) / reached;
    }
  }
  if (few_banks && merge_ && count <= most_compared) return degree_by_sorting(index, count, banks);
  // From a word on before which none lies.
  return degree_by_search(index, count, std::int64_t{banks} << 32, {}, banks);
}

std::int64_t PricingRules::degree_by_sorting(const std::int32_t* index, std::int32_t count,
                                             std::int32_t banks) {
  // The bank in front, where keys of one bank meet.
  const std::int32_t bits = std::countr_zero(static_cast<std::uint32_t>(banks));
  const auto key = [=](const LaneVector& i) { return i >> bits | i << (-bits & 31); };
  return of_sorted(index, count, key,
                   [&](const auto& sorted) { return sorted.most_distinct(bits); });
}

std::int64_t PricingRules::degree_by_search(const std::int32_t* index, std::int32_t count,
                                            std::int64_t base, ElementSize size,
                                            std::int32_t banks) {
  auto end = scratch_.begin();
  for (std::int32_t i = 0; i < count; ++i) {
    const std::int64_t last = size.last_word(index[i]);
    for (std::int64_t word = size.first_word(index[i]); word <= last; ++word) *end++ = base + word;
  }
  if (merge_) {
    std::sort(scratch_.begin(), end);
    end = std::unique(scratch_.begin(), end);
  }
  std::array<std::int16_t, max_width> load;
  std::fill_n(load.begin(), banks, std::int16_t{0});
  std::int16_t worst = 0;
  for (auto it = scratch_.begin(); it != end; ++it) {
    worst = std::max(worst, ++load[static_cast<std::size_t>(*it % banks)]);
  }
  return worst;
}

std::int64_t PricingRules::multiplicity(const std::int32_t* index, std::int32_t count) {
  std::copy_n(index, count, keys_.begin());
  if (count <= most_compared) {
    return of_occurrences(keys_.data(), count, [](const auto& found) { return found.most(); });
  }
  std::sort(keys_.begin(), keys_.begin() + count);
  std::int64_t worst = 0;
  for (auto begin = keys_.begin(), end = begin + count; begin != end;) {
    const auto next = std::find_if(begin, end, [&](std::uint32_t key) { return key != *begin; });
    worst = std::max<std::int64_t>(worst, next - begin);
    begin = next;
  }
  return worst;
}

}  // namespace agpusim

#include "agpusim/algorithms/common/indexed_form.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <limits>

#include "agpusim/model/cost/units.hpp"

namespace agpusim {
namespace {

/// Units of so many words; most numbers of words are powers of two.
class Units {
 public:
  explicit Units(std::int64_t words)
      : words_(words),
        shift_(std::has_single_bit(static_cast<std::uint64_t>(words))
                   ? std::countr_zero(static_cast<std::uint64_t>(words))
                   : -1) {}
  [[nodiscard]] std::int64_t of(std::int64_t word) const {
    return shift_ >= 0 ? word >> shift_ : word / words_;
  }

 private:
  std::int64_t words_;
  int shift_;
};

/// Distinct units that elements of `words` words touch; `places` is sorted.
std::int64_t distinct_units(std::span<const std::int32_t> places, std::int64_t words,
                            const Units& units) {
  std::int64_t count = 0;
  std::int64_t last = -1;
  for (const std::int32_t place : places) {
    const std::int64_t low = std::max(units.of(place * words), last + 1);
    const std::int64_t high = units.of(place * words + words - 1);
    count += std::max<std::int64_t>(0, high - low + 1);
    last = std::max(last, high);
  }
  return count;
}

/// How often the most frequent place occurs; `places` is sorted.
std::int64_t most_equal(std::span<const std::int32_t> places) {
  std::int64_t most = 0;
  std::int64_t run = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    run = i > 0 && places[i] == places[i - 1] ? run + 1 : 1;
    most = std::max(most, run);
  }
  return most;
}

/// Whether no lane that takes part accesses another place than the lane whose number differs in
/// `bit`, in warps of `b` lanes.
bool pairs_agree(std::span<const std::int32_t> places, std::int64_t bit, std::int64_t b) {
  for (std::int64_t lane = 0; lane < std::ssize(places); ++lane) {
    const std::int64_t other = lane ^ bit;
    if (other >= std::ssize(places)) continue;
    const std::int32_t one = places[static_cast<std::size_t>(lane)];
    const std::int32_t two = places[static_cast<std::size_t>(other)];
    if (one != two && one != no_element && two != no_element) return false;
  }
  return 2 * bit <= b;
}

/// Whether the lanes that take part, at least one, all access one place.
bool one_place(std::span<const std::int32_t> places) {
  std::int32_t place = no_element;
  for (const std::int32_t other : places) {
    if (other == no_element) continue;
    if (place != no_element && other != place) return false;
    place = other;
  }
  return place != no_element;
}

/// Sorts the places of a warp. Each goes to the number of places before it, without a branch that
/// depends on the values: 32 random places in a third of the time of std::sort.
void sort_warp(std::vector<std::int32_t>& places) {
  constexpr std::size_t most = 32;
  if (std::is_sorted(places.begin(), places.end())) return;
  if (places.size() > most) {
    std::sort(places.begin(), places.end());
    return;
  }
  std::array<std::int32_t, most> key;
  key.fill(std::numeric_limits<std::int32_t>::max());
  std::copy(places.begin(), places.end(), key.begin());
  std::array<std::int32_t, most> rank{};
  for (std::size_t j = 0; j < places.size(); ++j) {
    for (std::size_t i = 0; i < most; ++i) rank[i] += key[j] < key[i] ? 1 : 0;
  }
  // Equal places have one rank: the places behind it repeat it.
  std::fill(places.begin(), places.end(), no_element);
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[static_cast<std::size_t>(rank[i])] = key[i];
  }
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i] == no_element) places[i] = places[i - 1];
  }
}

}  // namespace

/// Calls `f` with the places of every warp of every row.
template <class F>
void IndexedAccess::for_warps(std::span<const std::int32_t> places, F f) const {
  const auto b = static_cast<std::size_t>(spec_.block_words);
  for (std::size_t begin = 0; begin < places.size(); begin += b) {
    f(places.subspan(begin, std::min(b, places.size() - begin)));
  }
}

void IndexedAccess::global(Bill& bill, GlobalCounts Counts::*kind,
                           std::span<const std::int32_t> places) const {
  const Units blocks(spec_.block_words);
  const Units sectors(spec_.sector_words());
  std::vector<std::int32_t> sorted;
  std::int64_t warps = 0;
  for_warps(places, [&](std::span<const std::int32_t> warp) {
    sorted.clear();
    std::copy_if(warp.begin(), warp.end(), std::back_inserter(sorted),
                 [](std::int32_t place) { return place != no_element; });
    if (sorted.empty()) return;
    sort_warp(sorted);
    bill.global(kind, static_cast<std::int64_t>(sorted.size()), 1,
                distinct_units(sorted, words_, blocks), distinct_units(sorted, words_, sectors));
    if (kind == &Counts::global_atomic) bill.serialised(most_equal(sorted) - 1);
    ++warps;
  });
  bill.idle(ceil_div(static_cast<std::int64_t>(places.size()), spec_.width), warps);
}

void IndexedAccess::shared(Bill& bill, SharedCounts Counts::*kind,
                           std::span<const std::int32_t> places, std::int64_t base) const {
  const bool distinct_only = kind != &Counts::shared_atomic && spec_.bank_mode == BankMode::merge;
  const bool one_pass = kind == &Counts::shared_read && spec_.bank_mode == BankMode::merge;
  const std::int64_t once = ceil_div(words_, spec_.block_words);
  std::vector<std::int64_t> requests(static_cast<std::size_t>(spec_.block_words));
  std::vector<std::int32_t> part;
  std::int64_t warps = 0;
  for_warps(places, [&](std::span<const std::int32_t> warp) {
    if (one_pass && one_place(warp)) {
      const std::int64_t active =
          std::ssize(warp) - std::count(warp.begin(), warp.end(), no_element);
      bill.shared(kind, active, 1, once, once);
      ++warps;
      return;
    }
    const std::int64_t b = spec_.block_words;
    const bool shared_by_pairs =
        one_pass && words_ == 2 && (pairs_agree(warp, 1, b) || pairs_agree(warp, 2, b));
    const auto pass = static_cast<std::size_t>(shared_by_pairs ? b : bill.lanes_per_pass(words_));
    std::int64_t wavefronts = 0;
    std::int64_t least = 0;
    std::int64_t active = 0;
    for (std::size_t begin = 0; begin < warp.size(); begin += pass) {
      part.assign(warp.begin() + static_cast<std::ptrdiff_t>(begin),
                  warp.begin() + static_cast<std::ptrdiff_t>(std::min(begin + pass, warp.size())));
      std::erase(part, no_element);
      active += static_cast<std::int64_t>(part.size());
      least += part.empty() ? 0 : once;
      if (distinct_only) {
        std::sort(part.begin(), part.end());
        part.erase(std::unique(part.begin(), part.end()), part.end());
      }
      std::fill(requests.begin(), requests.end(), 0);
      for (const std::int32_t place : part) {
        for (std::int64_t word = 0; word < words_; ++word) {
          ++requests[static_cast<std::size_t>((base + place * words_ + word) % spec_.block_words)];
        }
      }
      wavefronts += *std::max_element(requests.begin(), requests.end());
    }
    if (active == 0) return;
    bill.shared(kind, active, 1, wavefronts, least);
    ++warps;
  });
  bill.idle(ceil_div(static_cast<std::int64_t>(places.size()), spec_.width), warps);
}

void IndexedAccess::alu(Bill& bill, std::int64_t instructions,
                        std::span<const std::int32_t> places) const {
  const auto width = static_cast<std::size_t>(spec_.width);
  for (std::size_t row = 0; row < places.size(); row += width) {
    std::int64_t active = 0;
    std::int64_t warps = 0;
    for_warps(places.subspan(row, std::min(width, places.size() - row)),
              [&](std::span<const std::int32_t> warp) {
                const auto lanes = static_cast<std::int64_t>(warp.size()) -
                                   std::count(warp.begin(), warp.end(), no_element);
                active += lanes;
                warps += lanes > 0 ? 1 : 0;
              });
    bill.alu(instructions, active, warps);
  }
}

void add_contention(PhaseForm& form, const AgpuSpec& spec, std::span<const std::int32_t> operations,
                    std::int64_t words) {
  const Units blocks(spec.block_words);
  std::int64_t last = -1;
  for (std::size_t element = 0; element < operations.size(); ++element) {
    if (operations[element] == 0) continue;
    form.contention = std::max<std::int64_t>(form.contention, operations[element]);
    const auto at = static_cast<std::int64_t>(element) * words;
    const std::int64_t low = std::max(blocks.of(at), last + 1);
    const std::int64_t high = blocks.of(at + words - 1);
    form.atomic_blocks += std::max<std::int64_t>(0, high - low + 1);
    last = std::max(last, high);
  }
}

}  // namespace agpusim

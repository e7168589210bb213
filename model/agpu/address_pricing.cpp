#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "agpusim/model/agpu/lane_vector.hpp"
#include "agpusim/model/agpu/pricing.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

constexpr std::size_t most_lanes = 64;
constexpr std::int32_t warp_lanes = 32;  // the usual number

constexpr auto lane_numbers = [] {
  std::array<std::int32_t, most_lanes> numbers{};
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}();

/// f(count), as a constant where all lanes of a warp are active.
template <class F>
auto with_count(std::int32_t count, F f) {
  return count == warp_lanes ? f(std::integral_constant<std::int32_t, warp_lanes>()) : f(count);
}

using AddressVector = std::uint64_t __attribute__((vector_size(sizeof(LaneVector))));

AddressVector load_addresses(const std::uint64_t* from) {
  AddressVector result;
  std::memcpy(&result, from, sizeof(result));
  return result;
}

/// How the elements of a request follow each other that every lane of a warp takes part in; general
/// for other requests and where addresses are not aligned or words and elements no powers of two.
Shape shape_of_warp(const WarpAddresses& request, std::int32_t word_bits) {
  const auto bytes = static_cast<std::uint64_t>(request.bytes);
  if (request.byte.size() != warp_lanes || ~static_cast<std::uint32_t>(request.active) != 0 ||
      !std::has_single_bit(bytes) || !std::has_single_bit(static_cast<std::uint32_t>(word_bits))) {
    return Shape::general;
  }
  const std::uint64_t* const byte = request.byte.data();
  const std::uint64_t step = byte[1] - byte[0];
  const bool may = step == 0 || step == bytes || step == -bytes;
  if (!may || (byte[0] & (bytes - 1)) != 0) return Shape::general;
  constexpr std::int32_t lanes = vector_lanes / 2;
  AddressVector differs = (load_addresses(byte + 1) - load_addresses(byte)) ^ step;
  for (std::int32_t i = lanes; i < warp_lanes; i += lanes) {
    differs |= (load_addresses(byte + i) - load_addresses(byte + i - lanes)) ^ (lanes * step);
  }
  if (any_lane(differs)) return Shape::general;
  return step == 0 ? Shape::equal : step == bytes ? Shape::ascending : Shape::descending;
}

/// What elements are priced as: each is so many words, or lies in one.
struct Units {
  Units(const WarpAddresses& request, std::int32_t word_bits) {
    const std::int32_t bits = request.bytes * 8;
    const auto unsigned_bits = static_cast<std::uint32_t>(bits);
    // One of two powers of two divides the other.
    const bool powers = std::has_single_bit(unsigned_bits) &&
                        std::has_single_bit(static_cast<std::uint32_t>(word_bits));
    if (request.byte.size() > most_lanes || request.bytes < 1 ||
        (!powers && bits % word_bits != 0 && word_bits % bits != 0)) {
      throw UsageError(fmt::format(
          "a request of {} lanes for elements of {} bytes cannot be priced in words of {} bits: at "
          "most 64 lanes, elements of whole words or whole parts of one",
          request.byte.size(), request.bytes, word_bits));
    }
    if (bits > word_bits) words = bits / word_bits;
    bytes = static_cast<std::uint64_t>(std::max(bits, word_bits)) / 8;
  }
  std::int32_t words = 1;   // words of an element
  std::uint64_t bytes = 0;  // bytes of an element or, of parts, of their word
};

/// Where the lanes of a request go that are no neighbours.
struct Room {
  std::uint64_t byte[most_lanes];
  std::int32_t lane[most_lanes];
};

/// The active lanes of a request, in their order.
struct ActiveLanes {
  ActiveLanes(const WarpAddresses& request, Room& room) {
    std::uint64_t active = request.active;
    if (request.byte.size() < most_lanes) active &= (std::uint64_t{1} << request.byte.size()) - 1;
    if (active == 0) return;
    count = std::popcount(active);
    const auto first = static_cast<std::size_t>(std::countr_zero(active));
    if (std::countr_one(active >> first) == count) {
      byte = request.byte.data() + first;
      lane = lane_numbers.data() + first;
      return;
    }
    byte = room.byte;
    lane = room.lane;
    for (std::size_t i = 0; active != 0; ++i, active &= active - 1) {
      room.lane[i] = std::countr_zero(active);
      room.byte[i] = request.byte[static_cast<std::size_t>(room.lane[i])];
    }
  }

  std::int32_t count = 0;
  const std::uint64_t* byte = nullptr;  // their addresses
  const std::int32_t* lane = nullptr;   // their numbers
};

/// The elements or words of `size` bytes that the lanes ask for, numbered from `origin` on.
class Indices {
 public:
  Indices(const ActiveLanes& lanes, std::int32_t bytes, std::uint64_t size) : count_(lanes.count) {
    const auto alignment = static_cast<std::uint64_t>(bytes);
    const std::int32_t shift = std::has_single_bit(size) ? std::countr_zero(size) : -1;
    if (shift < 0 || !shifted(lanes, alignment, shift)) divided(lanes, alignment, size);
  }

  std::int64_t origin = 0;
  bool fit = true;  // 32 bits; else numbers have them whole
  alignas(64) std::int32_t index[most_lanes];
  std::int64_t number[most_lanes];

  [[nodiscard]] Shape shape() const { return shape_of(index, count_); }

 private:
  /// Whether all are aligned and less than 2^30 from the first one.
  bool shifted(const ActiveLanes& lanes, std::uint64_t alignment, std::int32_t shift) {
    const std::uint64_t first = lanes.byte[0] >> shift << shift;
    const std::uint64_t farthest = std::uint64_t{1} << (30 + shift);
    origin = static_cast<std::int64_t>(first >> shift);
    return with_count(count_, [&](auto count) {
      std::uint64_t wrong = 0;
      for (std::int32_t i = 0; i < count; ++i) {
        const std::uint64_t distance = lanes.byte[i] - first;
        index[i] = static_cast<std::int32_t>(distance >> shift);
        wrong |= (distance + farthest) >> (31 + shift) | (lanes.byte[i] & (alignment - 1));
      }
      return wrong == 0;
    });
  }
  void divided(const ActiveLanes& lanes, std::uint64_t alignment, std::uint64_t size) {
    for (std::int32_t i = 0; i < count_; ++i) {
      if (lanes.byte[i] % alignment != 0) {
        throw UsageError(fmt::format("lane {} asks for {} bytes at address {}, no multiple of {}",
                                     lanes.lane[i], alignment, lanes.byte[i], alignment));
      }
      number[i] = static_cast<std::int64_t>(lanes.byte[i] / size);
    }
    const auto [low, high] = std::minmax_element(number, number + count_);
    origin = *low;
    fit = *high - *low <= std::numeric_limits<std::int32_t>::max();
    for (std::int32_t i = 0; i < count_; ++i) {
      index[i] = static_cast<std::int32_t>(number[i] - origin);
    }
  }

  std::int32_t count_;
};

bool neighbours(Shape shape) { return shape == Shape::ascending || shape == Shape::descending; }

}  // namespace

GlobalPrice PricingRules::global(const WarpAddresses& request) {
  if (shape_of_warp(request, word_bits_) == Shape::general) return scattered(request);
  const auto [low, high] = std::minmax(request.byte.front(), request.byte.back());
  const std::int32_t shift = std::countr_zero(static_cast<std::uint32_t>(word_bits_)) - 3;
  const std::uint64_t last = high + static_cast<std::uint64_t>(request.bytes) - 1;
  return words(static_cast<std::int64_t>(low >> shift), static_cast<std::int64_t>(last >> shift));
}

GlobalPrice PricingRules::scattered(const WarpAddresses& request) {
  const Units units(request, word_bits_);
  Room room;
  const ActiveLanes lanes(request, room);
  if (lanes.count == 0) return {};
  Indices of(lanes, request.bytes, units.bytes);
  if (of.fit) return global(of.index, lanes.count, of.shape(), of.origin, {units.words});
  std::sort(of.number, of.number + lanes.count);
  const auto touched = [&](const WordDivider& unit) {
    std::int64_t sum = 0;
    std::int64_t seen = -1;
    for (std::int32_t i = 0; i < lanes.count; ++i) {
      const std::int64_t last = unit.quotient((of.number[i] + 1) * units.words - 1);
      sum += last - std::max(unit.quotient(of.number[i] * units.words), seen + 1) + 1;
      seen = last;
    }
    return sum;
  };
  return {touched(block_), touched(sector_)};
}

template <class Price>
SharedPrice PricingRules::shared_by(const WarpAddresses& request, Price price) {
  const Units units(request, word_bits_);
  Room room;
  const ActiveLanes lanes(request, room);
  if (lanes.count == 0) return {};
  const Indices of(lanes, request.bytes, units.bytes);
  if (!of.fit) throw UsageError("a request for shared memory spans more than 2^31 elements");
  return price(of, lanes, of.origin * units.words, ElementSize{units.words});
}

SharedPrice PricingRules::shared(const WarpAddresses& request, bool load) {
  // Words in neighbouring banks, or, of parts, fewer words than banks.
  const bool each_its_word = request.bytes * 8 == word_bits_;
  const bool once =
      each_its_word || (merge_ && request.bytes * 8 < word_bits_ && banks_ >= warp_lanes);
  if (once && neighbours(shape_of_warp(request, word_bits_))) return {1, 0};
  return shared_by(request, [&](const Indices& of, const ActiveLanes& lanes, std::int64_t base,
                                ElementSize size) {
    return shared(of.index, lanes.lane, lanes.count, of.shape(), base, size, load);
  });
}

SharedPrice PricingRules::shared_atomic(const WarpAddresses& request) {
  const bool once = request.bytes * 8 == word_bits_ && banks_ >= warp_lanes;
  if (once && neighbours(shape_of_warp(request, word_bits_))) return {1, 0};
  return shared_by(request, [&](const Indices& of, const ActiveLanes& lanes, std::int64_t base,
                                ElementSize size) {
    return shared_atomic(of.index, lanes.lane, lanes.count, base, size);
  });
}

std::int64_t PricingRules::multiplicity(const WarpAddresses& request) {
  const Shape shape = shape_of_warp(request, word_bits_);
  if (shape != Shape::general) return shape == Shape::equal ? warp_lanes : 1;
  return most_equal(request);
}

std::int64_t PricingRules::most_equal(const WarpAddresses& request) {
  [[maybe_unused]] const Units valid(request, word_bits_);
  Room room;
  const ActiveLanes lanes(request, room);
  if (lanes.count == 0) return 0;
  Indices of(lanes, request.bytes, static_cast<std::uint64_t>(request.bytes));
  if (!of.fit) {  // ranks repeat as often
    std::array<std::int64_t, most_lanes> sorted;
    std::copy_n(of.number, lanes.count, sorted.begin());
    const auto end = sorted.begin() + lanes.count;
    std::sort(sorted.begin(), end);
    for (std::int32_t i = 0; i < lanes.count; ++i) {
      const auto rank = std::lower_bound(sorted.begin(), end, of.number[i]) - sorted.begin();
      of.index[i] = static_cast<std::int32_t>(rank);
    }
  }
  return multiplicity(of.index, lanes.count);
}

}  // namespace agpusim

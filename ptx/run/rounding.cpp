#include "agpusim/ptx/run/rounding.hpp"

#include <utility>

namespace agpusim::ptx {
namespace {

constexpr int room = 126;  // bits to which operands are brought: the sum of two has one more

/// The number, with a magnitude of `room` bits.
Exact filled(Exact number) {
  const int left = number.magnitude == 0 ? 0 : room - width_of(number.magnitude);
  if (left > 0) {
    number.magnitude <<= left;
    number.exponent -= left;
  }
  return number;
}

}  // namespace

int width_of(Wide128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const auto bits = std::bit_width(high != 0 ? high : static_cast<std::uint64_t>(value));
  return static_cast<int>(bits) + (high != 0 ? 64 : 0);
}

void round_to(Exact& number, int exponent, Round round) {
  const int shift = exponent - number.exponent;
  if (shift <= 0) return;
  const Wide128 one = 1;
  const Wide128 kept = shift > 127 ? 0 : number.magnitude >> shift;
  const Wide128 lost = shift > 127 ? number.magnitude : number.magnitude & ((one << shift) - 1);
  const Wide128 half = shift > 127 ? ~Wide128{0} : one << (shift - 1);
  const bool away = round == Round::nearest ? lost > half || (lost == half && (kept & 1) != 0)
                    : round == Round::down  ? lost != 0 && number.negative
                    : round == Round::up    ? lost != 0 && !number.negative
                                            : false;
  number.magnitude = kept + (away ? 1 : 0);
  number.exponent = exponent;
}

Exact product(const Exact& a, const Exact& b) {
  return {Exact::Kind::finite, a.negative != b.negative, a.exponent + b.exponent,
          a.magnitude * b.magnitude};
}

Exact sum(const Exact& first, const Exact& second, Round round) {
  Exact a = filled(first);
  Exact b = filled(second);
  if (b.magnitude != 0 && (a.magnitude == 0 || a.exponent < b.exponent)) std::swap(a, b);
  const bool is_lesser = a.negative != b.negative;
  if (b.magnitude != 0) {
    const Wide128 before = b.magnitude;
    const int shift = a.exponent - b.exponent;
    b.magnitude = shift > 127 ? 0 : before >> shift;
    if (shift > 127 || b.magnitude << shift != before) b.magnitude |= 1;
  }
  Exact result = a;
  if (!is_lesser) {
    result.magnitude = a.magnitude + b.magnitude;
  } else if (a.magnitude >= b.magnitude) {
    result.magnitude = a.magnitude - b.magnitude;
  } else {
    result.magnitude = b.magnitude - a.magnitude;
    result.negative = b.negative;
  }
  if (result.magnitude == 0 && is_lesser) result.negative = round == Round::down;
  return result;
}

Exact quotient(const Exact& a, const Exact& b) {
  const Exact dividend = filled(a);
  const Wide128 whole = dividend.magnitude / b.magnitude;
  const bool is_exact = whole * b.magnitude == dividend.magnitude;
  return {Exact::Kind::finite, a.negative != b.negative, dividend.exponent - b.exponent,
          whole | (is_exact ? 0 : 1)};
}

Exact root(const Exact& a) {
  Exact radicand = filled(a);
  if (radicand.exponent % 2 != 0) {
    radicand.magnitude <<= 1;
    --radicand.exponent;
  }
  Wide128 whole = 0;
  Wide128 rest = radicand.magnitude;
  for (Wide128 bit = Wide128{1} << room; bit != 0; bit >>= 2) {
    if (rest >= whole + bit) {
      rest -= whole + bit;
      whole = (whole >> 1) + bit;
    } else {
      whole >>= 1;
    }
  }
  return {Exact::Kind::finite, false, radicand.exponent / 2, whole | (rest == 0 ? 0 : 1)};
}

}  // namespace agpusim::ptx

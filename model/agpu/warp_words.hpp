#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "agpusim/model/agpu/operators.hpp"

// What the lanes of a warp tell each other without memory: one instruction each, which all lanes of
// the warp must reach.
namespace agpusim {

namespace detail {

/// Fails where a warp has both active and inactive lanes.
inline void check_whole_warps(const LaneContext& context, std::string_view word,
                              const SourceLine& where) {
  if (context.full() || context.replays()) return;
  const std::int32_t b = context.spec().block_words;
  const std::uint8_t* const mask = context.mask().bytes;
  for (std::int32_t lane = 0; lane < context.width(); ++lane) {
    if (mask[lane] == mask[lane / b * b]) continue;
    context.fail(
        std::string(word) + " under divergent control flow: all lanes of the warp must reach it",
        lane, where);
  }
}

}  // namespace detail

/// Bit i of a warp's lanes: whether `condition` holds in lane i of the warp.
inline Varying<std::uint32_t> vote(const Varying<bool>& condition, const SourceLine& where) {
  LaneContext& context = condition.context();
  const std::int32_t b = context.spec().block_words;
  detail::check_whole_warps(context, "vote()", where);
  if (b > 32) context.fail("vote() has 32 bits, too few for a warp of b lanes", 0, where);
  condition.use();
  Varying<std::uint32_t> result(context);
  context.count_alu();
  std::fill_n(result.data(), context.padded(), 0U);
  for (std::int32_t first = 0; first < context.width(); first += b) {
    std::uint32_t bits = 0;
    for (std::int32_t i = 0; i < b; ++i) {
      bits |= static_cast<std::uint32_t>(condition.data()[first + i] != 0) << i;
    }
    std::fill_n(result.data() + first, b, bits);
  }
  context.observe_result(result.data());
  context.made<std::uint32_t>(Op::logic, where, result, condition);
  return result;
}

/// `value` of lane `source` of the same warp, 0 <= source < b.
template <class T>
Varying<T> shuffle(const Varying<T>& value, const Varying<std::int32_t>& source,
                   const SourceLine& where) {
  static_assert(sizeof(T) >= 4, "shuffle takes lanes of 32 or 64 bits: cast first");
  LaneContext& context = value.context();
  const std::int32_t b = context.spec().block_words;
  detail::check_whole_warps(context, "shuffle()", where);
  value.use();
  source.use();
  Varying<T> result(context);
  context.count_alu();
  if (LoneTask* const lone = context.lone()) {  // hardware shuffles where it reads shared memory
    const std::int32_t warps = context.mask().issued_warps;
    lone->wait(value.arrives());
    lone->wait(source.arrives());
    result.arrives() = {lone->shared(Touch::read, warps, warps, sizeof(T)),
                        std::max(value.arrives().read, source.arrives().read)};
  }
  std::fill_n(result.data(), context.padded(), typename Varying<T>::Storage{});
  const std::uint8_t* const mask = context.mask().bytes;
  for (std::int32_t i = 0; i < context.width(); ++i) {
    if (mask[i] == 0) continue;
    const std::int32_t from = source.data()[i];
    if (from < 0 || from >= b) context.fail("shuffle() from a lane outside the warp", i, where);
    result.data()[i] = value.data()[i / b * b + from];
  }
  context.observe_result(result.data());
  if (context.observed()) {
    context.observe(InstructionKind::arithmetic, where,
                    LaneValues::of(std::as_const(result).data()));
  }
  return result;
}

namespace detail {

/// f(x) of the bits x of unsigned lanes.
template <class T, class F>
Varying<std::int32_t> count_bits(const Varying<T>& a, const SourceLine& where, F f) {
  LaneContext& context = a.context();
  a.use();
  Varying<std::int32_t> result(context);
  context.count_alu();
  for (std::int32_t i = 0; i < context.padded(); ++i) result.data()[i] = f(a.data()[i]);
  context.made<T>(Op::convert, where, result, a);
  return result;
}

}  // namespace detail

/// How many bits of an unsigned integer are 1.
template <std::unsigned_integral T>
requires(sizeof(T) >= 4) Varying<std::int32_t> popcount(const Varying<T>& a,
                                                        SourceLine where = SourceLine::current()) {
  return detail::count_bits(a, where, [](T x) { return std::popcount(x); });
}

/// The number of the highest bit of an unsigned integer that is 1; -1 of 0.
template <std::unsigned_integral T>
requires(sizeof(T) >=
         4) Varying<std::int32_t> highest_bit(const Varying<T>& a,
                                              SourceLine where = SourceLine::current()) {
  return detail::count_bits(a, where, [](T x) { return static_cast<int>(std::bit_width(x)) - 1; });
}

}  // namespace agpusim

#include <algorithm>
#include <bit>

#include "agpusim/ptx/run/cta.hpp"
#include "agpusim/ptx/run/functions.hpp"

// What the lanes of a warp do together. When one of these runs, the lanes of its mask are there.
namespace agpusim::ptx {
namespace {

enum class Shuffle { up, down, bfly, idx };

/// shfl: place[0] result, [1] whether the lane that it comes from is in range, [2] value, [3] lane
/// or distance, [4] clamp and segments, [5] member mask.
template <Shuffle mode>
void shuffle(Warp& warp, const Instruction& i) {
  const u32* const a = warp.row<u32>(i.place[2]);
  const u32* const b = warp.row<u32>(i.place[3]);
  const u32* const c = warp.row<u32>(i.place[4]);
  const Lanes* const mask = warp.row<Lanes>(i.place[5]);
  u32 value[warp_lanes];
  u32 source[warp_lanes];
  Lanes in_range = 0;
  Lanes absent = 0;  // takes part in nothing, and is read
  for (u32 l = 0; l < warp_lanes; ++l) {
    const u32 segment = c[l] >> 8 & 31;
    const u32 clamp = c[l] & 31;
    const u32 by = b[l] & 31;
    const u32 least = l & segment;
    const s32 most = static_cast<s32>(least | (clamp & ~segment));
    const s32 from = mode == Shuffle::up     ? static_cast<s32>(l) - static_cast<s32>(by)
                     : mode == Shuffle::down ? static_cast<s32>(l + by)
                     : mode == Shuffle::bfly ? static_cast<s32>(l ^ by)
                                             : static_cast<s32>(least | (by & ~segment));
    const bool fits = mode == Shuffle::up ? from >= most : from <= most;
    source[l] = fits ? static_cast<u32>(from) & 31 : l;
    value[l] = a[source[l]];
    if (fits) in_range |= Lanes{1} << l;
    absent |= (~(warp.active & mask[l]) >> source[l] & 1) << l;
  }
  u32* const to = warp.row<u32>(i.place[0]);
  for (u32 l = 0; l < warp_lanes; ++l) to[l] = (warp.active >> l & 1) != 0 ? value[l] : to[l];
  warp.set_predicate(i.place[1], in_range);
  absent &= warp.active & in_range;
  if (absent == 0 && !warp.has_given()) return;
  for_lanes(warp.active, [&](u32 l) {
    const auto doubt = warp.doubt_of(source[l]);
    if ((absent >> l & 1) != 0) {
      warp.cta.find_absent(warp, i, l, source[l], mask[l]);
    } else if (doubt != nullptr) {
      warp.watch(i, 1, l, doubt);
    }
  });
}

template <class T>
void write_same(Warp& warp, Place place, T value) {
  T* const to = warp.row<T>(place);
  for_lanes(warp.active, [&](u32 l) { to[l] = value; });
}
/// The active lanes that the mask of lane `l` names.
Lanes partners(Warp& warp, Place masks, u32 l) { return warp.active & warp.row<u32>(masks)[l]; }

enum class Vote { all, any, uni, ballot };
/// vote: place[0] result, [1] predicate, [2] mask.
template <Vote mode>
void vote(Warp& warp, const Instruction& i) {
  const Lanes votes = warp.predicate(i.place[1]);
  Lanes truth = 0;
  for_lanes(warp.active, [&](u32 l) {
    const Lanes who = partners(warp, i.place[2], l);
    const Lanes yes = votes & who;
    if (mode == Vote::ballot) {
      warp.row<u32>(i.place[0])[l] = yes;
      return;
    }
    const bool holds = mode == Vote::all   ? yes == who
                       : mode == Vote::any ? yes != 0
                                           : yes == who || yes == 0;
    if (holds) truth |= Lanes{1} << l;
  });
  if (mode != Vote::ballot) warp.set_predicate(i.place[0], truth);
}
/// match: place[0] result, [1] whether all match, [2] value, [3] mask.
template <class T, bool all>
void match(Warp& warp, const Instruction& i) {
  const T* const value = warp.row<T>(i.place[2]);
  u32* const to = warp.row<u32>(i.place[0]);
  Lanes all_match = 0;
  for_lanes(warp.active, [&](u32 l) {
    const Lanes who = partners(warp, i.place[3], l);
    Lanes same = 0;
    for_lanes(who, [&](u32 k) {
      if (value[k] == value[l]) same |= Lanes{1} << k;
    });
    if (same == who) all_match |= Lanes{1} << l;
    if (i.place[0] != no_place) to[l] = !all || same == who ? same : 0;
  });
  warp.set_predicate(i.place[1], all_match);
}
template <bool all>
Execute choose_match(const Spelling& spelling) {
  return for_type<u32, u64>(spelling.type[0], []<class T>() -> Execute { return &match<T, all>; });
}

/// redux: place[0] result, [1] value, [2] mask.
template <class T, class F>
void reduce(Warp& warp, const Instruction& i) {
  const T* const value = warp.row<T>(i.place[1]);
  T result[warp_lanes];
  for_lanes(warp.active, [&](u32 l) {
    const Lanes who = partners(warp, i.place[2], l);
    T sum = value[std::countr_zero(who)];
    for_lanes(who & (who - 1), [&](u32 k) { sum = F::of(sum, value[k]); });
    result[l] = sum;
  });
  T* const to = warp.row<T>(i.place[0]);
  for_lanes(warp.active, [&](u32 l) { to[l] = result[l]; });
}
template <class F, class... Types>
Execute choose_reduce(const Spelling& spelling) {
  return for_type<Types...>(spelling.type[0], []<class T>() -> Execute { return &reduce<T, F>; });
}

void active_mask(Warp& warp, const Instruction& i) {
  write_same<u32>(warp, i.place[0], warp.active);
}
/// elect: place[0] the lane, [1] whether it is this one, [2] mask.
void elect(Warp& warp, const Instruction& i) {
  Lanes elected = 0;
  for_lanes(warp.active, [&](u32 l) {
    const auto first = static_cast<u32>(std::countr_zero(partners(warp, i.place[2], l)));
    if (i.place[0] != no_place) warp.row<u32>(i.place[0])[l] = first;
    if (first == l) elected |= Lanes{1} << l;
  });
  warp.set_predicate(i.place[1], elected);
}

constexpr auto arithmetic = Bill::arithmetic;

constexpr Opcode rows[] = {
    {"shfl", "sync up b32", "Rtuum", arithmetic, Op::select, always<shuffle<Shuffle::up>>},
    {"shfl", "sync down b32", "Rtuum", arithmetic, Op::select, always<shuffle<Shuffle::down>>},
    {"shfl", "sync bfly b32", "Rtuum", arithmetic, Op::select, always<shuffle<Shuffle::bfly>>},
    {"shfl", "sync idx b32", "Rtuum", arithmetic, Op::select, always<shuffle<Shuffle::idx>>},
    {"vote", "sync all pred", "Ppm", arithmetic, Op::truth, always<vote<Vote::all>>},
    {"vote", "sync any pred", "Ppm", arithmetic, Op::truth, always<vote<Vote::any>>},
    {"vote", "sync uni pred", "Ppm", arithmetic, Op::truth, always<vote<Vote::uni>>},
    {"vote", "sync ballot b32", "Upm", arithmetic, Op::truth, always<vote<Vote::ballot>>},
    {"vote", "ballot sync b32", "Upm", arithmetic, Op::truth, always<vote<Vote::ballot>>},  // CUB
    {"match", "any sync b32|b64", "Mtm", arithmetic, Op::compare, choose_match<false>},
    {"match", "all sync b32|b64", "Mtm", arithmetic, Op::compare, choose_match<true>},
    {"redux", "sync add u32|s32", "Dtm", arithmetic, Op::add, choose_reduce<Sum, u32, s32>},
    {"redux", "sync min u32|s32", "Dtm", arithmetic, Op::minimum, choose_reduce<Minimum, u32, s32>},
    {"redux", "sync max u32|s32", "Dtm", arithmetic, Op::minimum, choose_reduce<Maximum, u32, s32>},
    {"redux", "sync and b32", "Dtm", arithmetic, Op::logic, choose_reduce<And, u32>},
    {"redux", "sync or b32", "Dtm", arithmetic, Op::logic, choose_reduce<Or, u32>},
    {"redux", "sync xor b32", "Dtm", arithmetic, Op::logic, choose_reduce<Xor, u32>},
    {"activemask", "b32", "U", arithmetic, Op::truth, always<active_mask>},
    {"elect", "sync", "Mm", arithmetic, Op::truth, always<elect>},
};

}  // namespace

std::span<const Opcode> collective_rows() { return rows; }

}  // namespace agpusim::ptx

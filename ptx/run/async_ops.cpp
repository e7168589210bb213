#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "agpusim/ptx/lower/control.hpp"
#include "agpusim/ptx/run/access.hpp"
#include "agpusim/ptx/run/lanes.hpp"
#include "agpusim/ptx/run/worker.hpp"

// Copies that go on while the kernel does, and the mbarriers that tell when they have ended. What
// is copied is there at once; the lanes may not use it before they have waited.
namespace agpusim::ptx {
namespace {

/// cp.async: place[0] is the address in shared memory, place[1] that in global memory, place[2] how
/// many bytes are there (others are 0).
void copy_async(Warp& warp, const Instruction& i) {
  Instruction read = i;
  read.place[0] = i.place[1];
  read.immediate = static_cast<std::int32_t>(i.target);
  read.space = Space::global;
  read.flags = 0;
  Request from;
  const Lanes all = warp.active;
  if (i.place[2] != no_place) {
    const u32* const wanted = warp.row<u32>(i.place[2]);
    warp.active &= lanes_where([&](u32 l) { return wanted[l] != 0; });
  }
  if (warp.active != 0) locate(warp, read, Touched::read, from);
  warp.active = all;
  Instruction write = i;
  write.space = Space::shared;
  Request to;
  locate(warp, write, Touched::write, to);
  const std::size_t bytes = i.bytes * std::size_t{i.count};
  for_lanes(to.active, [&](u32 l) {
    const u32 wanted =
        i.place[2] == no_place ? static_cast<u32>(bytes) : warp.row<u32>(i.place[2])[l];
    const std::size_t filled = wanted < bytes ? wanted : bytes;
    if (filled > 0) std::memcpy(to.at(l), from.at(l), filled);
    std::memset(to.at(l) + filled, 0, bytes - filled);
    warp.cta.begin_copy(warp, l, to.address[l], bytes, false);
  });
}
template <bool reads>
void commit_copies(Warp& warp, const Instruction& /*i*/) {
  warp.cta.commit_copies(warp, reads);
}
template <bool reads>
void wait_copies(Warp& warp, const Instruction& i) {
  warp.cta.wait_copies(warp, static_cast<std::size_t>(i.immediate), reads);
}
void wait_all_copies(Warp& warp, const Instruction& /*i*/) {
  warp.cta.commit_copies(warp, false);
  warp.cta.wait_copies(warp, 0, false);
}

// --- mbarriers

[[noreturn]] void stop(Warp& warp, const Instruction& i, u32 lane, std::string text) {
  warp.cta.worker.find(Rule::mbarrier, warp, i, lane, std::move(text));
  throw Stopped{};
}

Mbarrier& mbarrier_at(Warp& warp, const Instruction& i, u32 lane, u64 offset) {
  const auto found = warp.cta.mbarriers.find(offset);
  if (found != warp.cta.mbarriers.end()) return found->second;
  stop(warp, i, lane, fmt::format("no mbarrier was initialised at offset {}", offset));
}

/// Calls f(lane, offset in shared memory) for the address of each active lane, in place[0].
template <class F>
void each_offset(Warp& warp, const Instruction& i, Touched touched, F f) {
  Request request;
  locate(warp, i, touched, request);
  const auto shared = reinterpret_cast<u64>(warp.cta.shared.data());
  for_lanes(request.active, [&](u32 l) {
    const u64 offset = reinterpret_cast<u64>(request.at(l)) - shared;
    if (offset >= warp.cta.plan.shared_bytes) stop(warp, i, l, "is not in shared memory");
    f(l, offset);
  });
}
/// Calls f(lane, mbarrier).
template <class F>
void each_mbarrier(Warp& warp, const Instruction& i, Touched touched, F f) {
  each_offset(warp, i, touched, [&](u32 l, u64 offset) { f(l, mbarrier_at(warp, i, l, offset)); });
}

/// Announces bytes, or less than none that were copied.
void add_bytes(Warp& warp, const Instruction& i, u32 lane, Mbarrier& mbarrier, s64 bytes) {
  mbarrier.bytes += bytes;
  if (mbarrier.bytes >= -Mbarrier::most && mbarrier.bytes <= Mbarrier::most) return;
  stop(warp, i, lane, fmt::format("{} bytes are announced and not copied", mbarrier.bytes));
}
void arrive_once(Warp& warp, const Instruction& i, u32 lane, Mbarrier& mbarrier, u32 count,
                 bool drops) {
  if (count == 0 || count > mbarrier.pending) {
    stop(warp, i, lane,
         fmt::format("arrives {} times in a phase that waits for {} of {} arrivals", count,
                     mbarrier.pending, mbarrier.expected));
  }
  mbarrier.pending -= count;
  if (drops) mbarrier.expected -= count;
}

/// The active lanes come to their mbarriers, or learn of those who have come.
template <class F>
void each_group(Lanes lanes, const std::array<Mbarrier*, warp_lanes>& of, F f) {
  while (lanes != 0) {
    Mbarrier* const first = of[static_cast<std::size_t>(std::countr_zero(lanes))];
    Lanes same = 0;
    for_lanes(lanes, [&](u32 l) { same |= Lanes{of[l] == first} << l; });
    f(*first, same);
    lanes &= ~same;
  }
}
/// Calls f(lane, mbarrier) for lanes that arrive there.
template <class F>
void each_arrival(Warp& warp, const Instruction& i, F f) {
  std::array<Mbarrier*, warp_lanes> of{};
  each_mbarrier(warp, i, Touched::atomic, [&](u32 l, Mbarrier& mbarrier) { of[l] = &mbarrier; });
  each_group(warp.active, of, [&](Mbarrier& mbarrier, Lanes lanes) {
    warp.cta.order.arrive(mbarrier.arrived, warp.number, lanes);
  });
  for_lanes(warp.active, [&](u32 l) { f(l, *of[l]); });
}

/// mbarrier.init: place[1] arrivals.
void initialise(Warp& warp, const Instruction& i) {
  const u32* const count = warp.row<u32>(i.place[1]);
  each_offset(warp, i, Touched::write, [&](u32 l, u64 offset) {
    if (count[l] == 0 || count[l] > Mbarrier::most) {
      stop(warp, i, l, fmt::format("{} arrivals: they are 1 to 2^20 - 1", count[l]));
    }
    if (!warp.cta.mbarriers.try_emplace(offset, Mbarrier{count[l]}).second) {
      stop(warp, i, l, fmt::format("an mbarrier is at offset {} already", offset));
    }
  });
}
void invalidate(Warp& warp, const Instruction& i) {
  each_offset(warp, i, Touched::write, [&](u32 l, u64 offset) {
    mbarrier_at(warp, i, l, offset);
    warp.cta.mbarriers.erase(offset);
  });
}
/// mbarrier.arrive, .arrive_drop: place[1] the state or none, [3] arrivals or, where it announces
/// them, bytes.
template <bool announces, bool drops>
void arrive(Warp& warp, const Instruction& i) {
  const u32* const amount = i.place[3] == no_place ? nullptr : warp.row<u32>(i.place[3]);
  each_arrival(warp, i, [&](u32 l, Mbarrier& mbarrier) {
    if (i.place[1] != no_place) warp.row<u64>(i.place[1])[l] = mbarrier.state();
    if (announces) add_bytes(warp, i, l, mbarrier, amount[l]);
    arrive_once(warp, i, l, mbarrier, announces || amount == nullptr ? 1 : amount[l], drops);
    mbarrier.end_phase();
  });
}
/// mbarrier.expect_tx, .complete_tx: place[1] bytes.
template <s64 sign>
void announce(Warp& warp, const Instruction& i) {
  const u32* const bytes = warp.row<u32>(i.place[1]);
  each_mbarrier(warp, i, Touched::atomic, [&](u32 l, Mbarrier& mbarrier) {
    add_bytes(warp, i, l, mbarrier, sign * s64{bytes[l]});
    mbarrier.end_phase();
  });
}
/// cp.async.mbarrier.arrive: the copies of the lane end before it; `counted` as one of the arrivals
/// that are expected.
template <bool counted>
void arrive_after_copies(Warp& warp, const Instruction& i) {
  each_arrival(warp, i, [&](u32 l, Mbarrier& mbarrier) {
    warp.cta.track_copies(warp, l, mbarrier);
    if (!counted) return;
    arrive_once(warp, i, l, mbarrier, 1, false);
    mbarrier.end_phase();
  });
}
/// mbarrier.test_wait, .try_wait: place[1] whether the phase has ended that place[2] says, by a
/// state or by the parity of its number.
template <bool by_parity>
void test_wait(Warp& warp, const Instruction& i) {
  Lanes ended = 0;
  std::array<Mbarrier*, warp_lanes> of{};
  each_mbarrier(warp, i, Touched::read, [&](u32 l, Mbarrier& mbarrier) {
    const bool goes_on = by_parity ? mbarrier.phase % 2 == warp.row<u32>(i.place[2])[l] % 2
                                   : mbarrier.phase == warp.row<u64>(i.place[2])[l] >> 32;
    if (goes_on) return;
    ended |= Lanes{1} << l;
    of[l] = &mbarrier;
    warp.cta.end_copies(mbarrier);
  });
  each_group(ended, of, [&](const Mbarrier& mbarrier, Lanes lanes) {
    warp.cta.order.leave(mbarrier.ended, warp.number, lanes);
  });
  warp.set_predicate(i.place[1], ended);
}
struct PendingCount {
  static u32 of(u64 state) { return static_cast<u32>(state); }
};

// --- cp.async.bulk: each lane copies by itself

u64 address_in(Warp& warp, Place place, bool narrow, u32 lane) {
  return narrow ? warp.row<u32>(place)[lane] : warp.row<u64>(place)[lane];
}
/// Copies place[2] bytes from the address in place[1] to that in place[0], both with their offsets:
/// f(lane, offset in shared memory, bytes).
template <class F>
void copy_bulk(Warp& warp, const Instruction& i, Space from, Space to, F f) {
  for_lanes(warp.active, [&](u32 l) {
    const u32 bytes = warp.row<u32>(i.place[2])[l];
    if (bytes == 0) return;
    u64 target = static_cast<u64>(i.immediate);
    if (i.place[0] != no_place) {
      target += address_in(warp, i.place[0], (i.flags & Access::narrow) != 0, l);
    }
    const u64 source = address_in(warp, i.place[1], (i.flags & Access::narrow_second) != 0, l) +
                       static_cast<u64>(s64{static_cast<s32>(i.target)});
    const std::byte* const read = locate_run(warp, i, Touched::read, from, l, source, bytes);
    std::memcpy(locate_run(warp, i, Touched::write, to, l, target, bytes), read, bytes);
    f(l, from == Space::shared ? source : target, bytes);
  });
}
/// To shared memory; the mbarrier at place[3] learns of the bytes.
void copy_bulk_in(Warp& warp, const Instruction& i) {
  copy_bulk(warp, i, Space::global, Space::shared, [&](u32 l, u64 offset, u32 bytes) {
    const u64 at = address_in(warp, i.place[3], (i.flags & Access::narrow_third) != 0, l);
    Mbarrier& mbarrier = mbarrier_at(warp, i, l, at);
    if (warp.cta.plan.options.checks()) {
      mbarrier.copying.push_back(warp.cta.elements(warp, offset, bytes, false));
      warp.cta.shadow.begin_copy(mbarrier.copying.back());
    }
    add_bytes(warp, i, l, mbarrier, -s64{bytes});
    mbarrier.end_phase();
  });
}
void copy_bulk_out(Warp& warp, const Instruction& i) {
  copy_bulk(warp, i, Space::shared, Space::global, [&](u32 l, u64 offset, u32 bytes) {
    warp.cta.begin_copy(warp, l, offset, bytes, true);
  });
}

#define AGPUSIM_PTX_SHARED "shared|shared::cta|shared::cluster? b64"
#define AGPUSIM_PTX_RELEASE "release|relaxed? cta|cluster? " AGPUSIM_PTX_SHARED
#define AGPUSIM_PTX_ACQUIRE "acquire|relaxed? cta|cluster? shared|shared::cta? b64"
constexpr auto memory = Bill::memory;
constexpr auto none = Bill::free;

constexpr Opcode rows[] = {
    {"cp", "async ca|cg shared|shared::cta global L2::cache_hint? L2::64B|L2::128B|L2::256B?",
     "acn.u", memory, Op::add, always<copy_async>},
    {"cp", "async commit_group", "", none, Op::add, always<commit_copies<false>>},
    {"cp", "async wait_group", "i", none, Op::add, always<wait_copies<false>>},
    {"cp", "async wait_all", "", none, Op::add, always<wait_all_copies>},
    {"cp", "async mbarrier arrive shared|shared::cta? b64", "a", memory, Op::add,
     always<arrive_after_copies<false>>},
    {"cp", "async mbarrier arrive noinc shared|shared::cta? b64", "a", memory, Op::add,
     always<arrive_after_copies<true>>},
    {"cp", "async bulk shared::cluster|shared::cta global mbarrier::complete_tx::bytes", "acuc",
     memory, Op::add, always<copy_bulk_in>},
    {"cp",
     "async bulk shared::cluster|shared::cta global mbarrier::complete_tx::bytes L2::cache_hint",
     "acucb", memory, Op::add, always<copy_bulk_in>},
    {"cp", "async bulk global shared::cta bulk_group", "acu", memory, Op::add,
     always<copy_bulk_out>},
    {"cp", "async bulk global shared::cta bulk_group L2::cache_hint", "acub", memory, Op::add,
     always<copy_bulk_out>},
    {"cp", "async bulk commit_group", "", none, Op::add, always<commit_copies<true>>},
    {"cp", "async bulk wait_group read?", "i", none, Op::add, always<wait_copies<true>>},
    {"cp", "async bulk prefetch L2 global", "au", none, Op::add, always<nothing>},
    {"mbarrier", "init shared|shared::cta? b64", "au", memory, Op::add, always<initialise>},
    {"mbarrier", "inval shared|shared::cta? b64", "a", memory, Op::add, always<invalidate>},
    {"mbarrier", "arrive " AGPUSIM_PTX_RELEASE, "Ra.u", memory, Op::add,
     always<arrive<false, false>>},
    {"mbarrier", "arrive expect_tx " AGPUSIM_PTX_RELEASE, "Rau", memory, Op::add,
     always<arrive<true, false>>},
    {"mbarrier", "arrive_drop " AGPUSIM_PTX_RELEASE, "Ra.u", memory, Op::add,
     always<arrive<false, true>>},
    {"mbarrier", "arrive_drop expect_tx " AGPUSIM_PTX_RELEASE, "Rau", memory, Op::add,
     always<arrive<true, true>>},
    {"mbarrier", "expect_tx relaxed? cta|cluster? " AGPUSIM_PTX_SHARED, "au", memory, Op::add,
     always<announce<1>>},
    {"mbarrier", "complete_tx relaxed? cta|cluster? " AGPUSIM_PTX_SHARED, "au", memory, Op::add,
     always<announce<-1>>},
    {"mbarrier", "test_wait|try_wait " AGPUSIM_PTX_ACQUIRE, "Pab.u", memory, Op::add,
     always<test_wait<false>>},
    {"mbarrier", "test_wait|try_wait parity " AGPUSIM_PTX_ACQUIRE, "Pau.u", memory, Op::add,
     always<test_wait<true>>},
    {"mbarrier", "pending_count b64", "Ub", Bill::arithmetic, Op::add,
     always<each_lane<PendingCount, u32, u64>>},
};

}  // namespace

std::span<const Opcode> async_rows() { return rows; }

}  // namespace agpusim::ptx

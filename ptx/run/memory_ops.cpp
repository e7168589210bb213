#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "agpusim/ptx/lower/control.hpp"
#include "agpusim/ptx/run/access.hpp"
#include "agpusim/ptx/run/atomics.hpp"
#include "agpusim/ptx/run/functions.hpp"
#include "agpusim/ptx/run/worker.hpp"

// Loads, stores, atomic operations and prefetches.
namespace agpusim::ptx {
namespace {

/// A value that other host threads may change, in memory of all alignments that Locator allows.
template <class T>
T load(const std::byte* from, bool strong) {
  if (strong) return __atomic_load_n(reinterpret_cast<const T*>(from), __ATOMIC_SEQ_CST);
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}
template <class T>
void store(std::byte* to, T value, bool strong) {
  if (strong) return __atomic_store_n(reinterpret_cast<T*>(to), value, __ATOMIC_SEQ_CST);
  std::memcpy(to, &value, sizeof(T));
}

/// to[lane] = the word at the lane's address, of words that lie close by.
void pick_words(const Request& request, u32* to) {
  for (u32 l = 0; l < warp_lanes; l += vector_lanes) {
    const LaneVector wanted = masks_of(request.active >> l);
    const LaneVector word = pick_lanes(request.words, agpusim::load_lanes(request.above + l) / 4);
    agpusim::store_lanes((wanted & word) | (~wanted & agpusim::load_lanes(to + l)), to + l);
  }
}

/// ld: of elements of type M into registers of type R, which extends them.
template <class M, class R>
void load_lanes(Warp& warp, const Instruction& i) {
  Request request;
  locate(warp, i, Touched::read, request);
  const bool strong = (i.flags & Access::strong) != 0;
  for (std::size_t k = 0; k < i.count; ++k) {
    if (i.place[k + 1] == no_place) continue;
    R* const to = warp.row<R>(i.place[k + 1]);
    if (request.is_run && !strong) {
      const std::byte* const from = request.at(0) + k * sizeof(M);
      if (i.count == 1 && std::is_same_v<M, R>) {
        std::memcpy(to, from, warp_lanes * sizeof(M));
        continue;
      }
      for (u32 l = 0; l < warp_lanes; ++l) {
        to[l] = static_cast<R>(load<M>(from + std::size_t{l} * i.count * sizeof(M), false));
      }
      continue;
    }
    if (request.is_same) {
      const auto first = static_cast<u32>(std::countr_zero(request.active));
      const R value = static_cast<R>(load<M>(request.at(first) + k * sizeof(M), strong));
      for (u32 l = 0; l < warp_lanes; ++l) {
        to[l] = (request.active >> l & 1) != 0 ? value : to[l];
      }
      continue;
    }
    if constexpr (sizeof(M) == 4 && sizeof(R) == 4) {
      if (request.words != nullptr && !strong) {
        pick_words(request, reinterpret_cast<u32*>(to));
        continue;
      }
    }
    const auto one = [&](u32 l) {
      to[l] = static_cast<R>(load<M>(request.at(l) + k * sizeof(M), strong));
    };
    if (request.active == all_lanes && !strong) {
#pragma GCC unroll 32
      for (u32 l = 0; l < warp_lanes; ++l) one(l);
    } else {
      for_lanes(request.active, one);
    }
  }
}

/// Ends what others see of a store, however it ends.
struct Retracting {
  explicit Retracting(StoreAtHand& store) : store_(store) {}
  ~Retracting() { store_.retract(); }
  Retracting(const Retracting&) = delete;
  Retracting& operator=(const Retracting&) = delete;

 private:
  StoreAtHand& store_;
};

/// st: the low bits of registers of type R as elements of type M.
template <class M, class R>
void store_lanes(Warp& warp, const Instruction& i) {
  Request request;
  request.has_values = true;
  Worker& worker = warp.cta.worker;
  const Retracting end_of_store(worker.store);
  locate(warp, i, Touched::write, request);
  const bool strong = (i.flags & Access::strong) != 0;
  if (request.racing != 0) {
    const auto is_equal = [&](Warp& other, u32 its, u32 l) {
      for (std::size_t k = 0; k < i.count; ++k) {
        const R* const mine = warp.row<R>(i.place[k + 1]);
        if (static_cast<M>(other.row<R>(i.place[k + 1])[its]) != static_cast<M>(mine[l]))
          return false;
      }
      return true;
    };
    Lanes differing = 0;
    Lanes left = request.racing;  // to be compared with memory
    for (Worker* const other : worker.others) {
      other->store.look(i, [&](const Request& its, Warp& its_warp) {
        for_lanes(request.racing, [&](u32 l) {
          for_lanes(its.active, [&](u32 j) {
            if (its.address[j] != request.address[l]) return;
            left &= ~(Lanes{1} << l);
            differing |= Lanes{!is_equal(its_warp, j, l)} << l;
          });
        });
      });
    }
    for_lanes(left, [&](u32 l) {
      for (std::size_t k = 0; k < i.count; ++k) {
        const M value = static_cast<M>(warp.row<R>(i.place[k + 1])[l]);
        const bool is_there = load<M>(request.at(l) + k * sizeof(M), false) == value;
        differing |= Lanes{!is_there} << l;
      }
    });
    for_lanes(differing, [&](u32 l) { warp.cta.worker.races.differ(request.word[l]); });
  }
  for (std::size_t k = 0; k < i.count; ++k) {
    const R* const from = warp.row<R>(i.place[k + 1]);
    if (request.is_run && !strong) {
      std::byte* const to = request.at(0) + k * sizeof(M);
      if (i.count == 1 && std::is_same_v<M, R>) {
        std::memcpy(to, from, warp_lanes * sizeof(M));
        continue;
      }
      for (u32 l = 0; l < warp_lanes; ++l) {
        store(to + std::size_t{l} * i.count * sizeof(M), static_cast<M>(from[l]), false);
      }
      continue;
    }
    for_lanes(request.active, [&](u32 l) {
      store(request.at(l) + k * sizeof(M), static_cast<M>(from[l]), strong);
    });
    if (k > 0 || strong || i.space == Space::local || i.space == Space::param) continue;
    Lanes lost = 0;
    for_lanes(request.active, [&](u32 l) {
      const bool kept = load<M>(request.at(l), false) == static_cast<M>(from[l]);
      lost |= Lanes{!kept} << l;
    });
    if (lost != 0) find_conflicts(warp, i, request, lost);
  }
}

template <template <class, class> class Choose>
Execute for_register(const Spelling& spelling, std::size_t operand) {
  const Type type = spelling.type[0] == Type::f32   ? Type::u32
                    : spelling.type[0] == Type::f64 ? Type::u64
                                                    : spelling.type[0];
  return for_type<u8, s8, u16, s16, u32, s32, u64, s64>(type, [&]<class M>() -> Execute {
    const std::uint8_t bytes = spelling.bytes[operand];
    // A register is as wide as the element, or extends it with its sign.
    using Same =
        std::conditional_t<sizeof(M) == 1, std::conditional_t<std::is_signed_v<M>, s16, u16>, M>;
    if (bytes == sizeof(Same)) return Choose<M, Same>::execute;
    if (bytes < sizeof(M)) return nullptr;
    using Wide4 = std::conditional_t<std::is_signed_v<M>, s32, u32>;
    using Wide8 = std::conditional_t<std::is_signed_v<M>, s64, u64>;
    if (bytes == 4) return Choose<M, Wide4>::execute;
    if (bytes == 8) return Choose<M, Wide8>::execute;
    return nullptr;
  });
}
template <class M, class R>
struct Loads {
  static constexpr Execute execute = &load_lanes<M, R>;
};
template <class M, class R>
struct Stores {
  static constexpr Execute execute = &store_lanes<M, R>;
};
Execute choose_load(const Spelling& spelling) { return for_register<Loads>(spelling, 0); }
Execute choose_store(const Spelling& spelling) { return for_register<Stores>(spelling, 1); }

// --- atomic operations

struct Exchange {
  template <class T>
  static T of(T /*a*/, T b, T /*c*/) {
    return b;
  }
};
struct CompareAndSwap {
  template <class T>
  static T of(T a, T b, T c) {
    return a == b ? c : a;
  }
};
struct Increment {
  template <class T>
  static T of(T a, T b, T /*c*/) {
    return a >= b ? T{0} : static_cast<T>(a + 1);
  }
};
struct Decrement {
  template <class T>
  static T of(T a, T b, T /*c*/) {
    return a == 0 || a > b ? b : static_cast<T>(a - 1);
  }
};

#define AGPUSIM_PTX_ORDER "weak|relaxed|acquire|release|acq_rel|volatile? cta|cluster|gpu|sys? "
#define AGPUSIM_PTX_CACHE                                                                         \
  "ca|cg|cs|lu|cv|wb|wt|nc? L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|" \
  "L1::no_allocate? L2::evict_last|L2::evict_normal|L2::evict_first? "                            \
  "L2::cache_hint? L2::64B|L2::128B|L2::256B? "
#define AGPUSIM_PTX_ELEMENT "b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"
constexpr std::string_view loads = AGPUSIM_PTX_ORDER
    "global|shared|shared::cta|local|param|param::entry|param::func|const? " AGPUSIM_PTX_CACHE
    "v2|v4? " AGPUSIM_PTX_ELEMENT;
constexpr std::string_view stores =
    AGPUSIM_PTX_ORDER "global|shared|shared::cta|local|param|param::func? " AGPUSIM_PTX_CACHE
                      "v2|v4? " AGPUSIM_PTX_ELEMENT;

constexpr auto memory = Bill::memory;
template <class F>
constexpr auto bits = choose_atomic<F, u32, u64>;

constexpr Opcode rows[] = {
    {"ld", loads, "Xa.b", memory, Op::add, choose_load},
    {"ldu", "global? v2|v4? " AGPUSIM_PTX_ELEMENT, "Xa", memory, Op::add, choose_load},
    {"st", stores, "ax.b", memory, Op::add, choose_store},
    {"atom", AGPUSIM_PTX_ATOMIC "add u32|s32|u64|f32|f64", "Dat", memory, Op::add,
     choose_atomic<InMemory<Sum>, u32, s32, u64, float, double>},
    {"atom", AGPUSIM_PTX_ATOMIC "min u32|s32|u64|s64", "Dat", memory, Op::add,
     choose_atomic<InMemory<Minimum>, u32, s32, u64, s64>},
    {"atom", AGPUSIM_PTX_ATOMIC "max u32|s32|u64|s64", "Dat", memory, Op::add,
     choose_atomic<InMemory<Maximum>, u32, s32, u64, s64>},
    {"atom", AGPUSIM_PTX_ATOMIC "and b32|b64", "Dat", memory, Op::add, bits<InMemory<And>>},
    {"atom", AGPUSIM_PTX_ATOMIC "or b32|b64", "Dat", memory, Op::add, bits<InMemory<Or>>},
    {"atom", AGPUSIM_PTX_ATOMIC "xor b32|b64", "Dat", memory, Op::add, bits<InMemory<Xor>>},
    {"atom", AGPUSIM_PTX_ATOMIC "exch b32|b64", "Dat", memory, Op::add, bits<Exchange>},
    {"atom", AGPUSIM_PTX_ATOMIC "cas b16|b32|b64", "Datt", memory, Op::add,
     choose_atomic<CompareAndSwap, u16, u32, u64>},
    {"atom", AGPUSIM_PTX_ATOMIC "inc u32", "Dat", memory, Op::add, choose_atomic<Increment, u32>},
    {"atom", AGPUSIM_PTX_ATOMIC "dec u32", "Dat", memory, Op::add, choose_atomic<Decrement, u32>},
    {"red", AGPUSIM_PTX_ATOMIC "add u32|s32|u64|f32|f64", "at", memory, Op::add,
     choose_atomic<InMemory<Sum>, u32, s32, u64, float, double>},
    {"red", AGPUSIM_PTX_ATOMIC "min u32|s32|u64|s64", "at", memory, Op::add,
     choose_atomic<InMemory<Minimum>, u32, s32, u64, s64>},
    {"red", AGPUSIM_PTX_ATOMIC "max u32|s32|u64|s64", "at", memory, Op::add,
     choose_atomic<InMemory<Maximum>, u32, s32, u64, s64>},
    {"red", AGPUSIM_PTX_ATOMIC "and b32|b64", "at", memory, Op::add, bits<InMemory<And>>},
    {"red", AGPUSIM_PTX_ATOMIC "or b32|b64", "at", memory, Op::add, bits<InMemory<Or>>},
    {"red", AGPUSIM_PTX_ATOMIC "xor b32|b64", "at", memory, Op::add, bits<InMemory<Xor>>},
    {"red", AGPUSIM_PTX_ATOMIC "inc u32", "at", memory, Op::add, choose_atomic<Increment, u32>},
    {"red", AGPUSIM_PTX_ATOMIC "dec u32", "at", memory, Op::add, choose_atomic<Decrement, u32>},
    {"prefetch", "global|local? L1|L2", "a", Bill::free, Op::add, always<nothing>},
    {"prefetch", "global L2::evict_last|L2::evict_normal", "a", Bill::free, Op::add,
     always<nothing>},
    {"prefetchu", "L1", "a", Bill::free, Op::add, always<nothing>},
};

}  // namespace

std::span<const Opcode> memory_rows() { return rows; }

}  // namespace agpusim::ptx

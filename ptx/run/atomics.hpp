#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "agpusim/ptx/run/access.hpp"
#include "agpusim/ptx/run/lanes.hpp"
#include "agpusim/ptx/run/worker.hpp"

// Atomic operations of any type.
namespace agpusim::ptx {

// nvcc writes the scope of atomicAdd_system() behind the space.
#define AGPUSIM_PTX_ATOMIC                                                            \
  "relaxed|acquire|release|acq_rel? cta|cluster|gpu|sys? global|shared|shared::cta? " \
  "cta|gpu|sys? "

/// atom and red: the lanes one after the other. place[0] address, then the old value (none: red),
/// and the operands.
template <class F, class T>
void atomic(Warp& warp, const Instruction& i) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;
  Request request;
  locate(warp, i, Touched::atomic, request);
  const Place old_place = i.place[1];
  const T* const b = warp.row<T>(i.place[2]);
  const T* const c = i.place[3] == no_place ? b : warp.row<T>(i.place[3]);
  std::array<T, warp_lanes> old;
  for_lanes(request.active, [&](std::uint32_t l) {
    auto* const cell = reinterpret_cast<Bits*>(request.at(l));
    Bits seen = __atomic_load_n(cell, __ATOMIC_RELAXED);
    for (;;) {
      const auto next = std::bit_cast<Bits>(F::of(std::bit_cast<T>(seen), b[l], c[l]));
      if (!warp.cta.worker.concurrent) {
        *cell = next;
        break;
      }
      if (__atomic_compare_exchange_n(cell, &seen, next, true, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED)) {
        break;
      }
    }
    old[l] = std::bit_cast<T>(seen);
  });
  if (old_place == no_place) return;
  T* const to = warp.row<T>(old_place);
  for_lanes(request.active, [&](std::uint32_t l) { to[l] = old[l]; });
}
/// A function of the old value and one operand.
template <class F>
struct InMemory {
  template <class T>
  static T of(T a, T b, T /*c*/) {
    return F::of(a, b);
  }
};
template <class F, class... Types>
Execute choose_atomic(const Spelling& spelling) {
  return for_type<Types...>(spelling.type[0], []<class T>() -> Execute { return &atomic<F, T>; });
}

}  // namespace agpusim::ptx

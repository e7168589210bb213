#pragma once

#include <utility>

#include "agpusim/cudart/stream.hpp"

// A function of the driver that does what another function of CUDA does.
// clang-format off
#define AGPUSIM_SAME_0(needs, name, same) \
  AGPUSIM_CUDART Status same(); \
  AGPUSIM_CUDART Status name() { return as_driver(Needs::needs, same); }
#define AGPUSIM_SAME_1(needs, name, same, A) \
  AGPUSIM_CUDART Status same(A a); \
  AGPUSIM_CUDART Status name(A a) { return as_driver(Needs::needs, same, a); }
#define AGPUSIM_SAME_2(needs, name, same, A, B) \
  AGPUSIM_CUDART Status same(A a, B b); \
  AGPUSIM_CUDART Status name(A a, B b) { return as_driver(Needs::needs, same, a, b); }
#define AGPUSIM_SAME_3(needs, name, same, A, B, C) \
  AGPUSIM_CUDART Status same(A a, B b, C c); \
  AGPUSIM_CUDART Status name(A a, B b, C c) { return as_driver(Needs::needs, same, a, b, c); }
#define AGPUSIM_SAME_4(needs, name, same, A, B, C, D) \
  AGPUSIM_CUDART Status same(A a, B b, C c, D d); \
  AGPUSIM_CUDART Status name(A a, B b, C c, D d) { return as_driver(Needs::needs, same, a, b, c, d); }
// clang-format on

namespace agpusim::cudart {

/// CUcontext. All have the memory of the one device.
struct Context {
  std::uint32_t flags = 0;
};

/// The context on top of this thread's stack of them; null where that is empty.
[[nodiscard]] Context* current_context();

/// Another function of CUDA, as one of the driver's.
template <class... P, class... A>
Status as_driver(Needs needs, Status (*function)(P...), A... arguments) {
  const DriverScope scope(needs);
  return function(arguments...);
}

/// call() for a function of the driver.
template <class Body>
Status driver_call(Needs needs, const Body& body) {
  const DriverScope scope(needs);
  return call(body);
}

}  // namespace agpusim::cudart

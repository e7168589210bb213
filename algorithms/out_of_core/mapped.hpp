#pragma once

#include <cstdint>
#include <type_traits>

#include "agpusim/algorithms/common/element_of.hpp"

// Transform fused with what follows it: a kernel whose first array is read through a function.
namespace agpusim::out_of_core {

/// x: of a kernel that is not fused with a transform.
template <class T>
struct Same {
  using input_type = T;
  using output_type = T;

  template <class V>
  AGPUSIM_FN V operator()(const V& x) const {
    return x;
  }
};

/// An array whose elements are f of what is stored; f is applied where an element is used, so that
/// the reads before it stay under way together.
template <class F, class In>
struct MappedView {
  In in;
  F f;

  [[nodiscard]] AGPUSIM_FN MappedView from(std::int64_t offset) const {
    return {in.from(offset), f};
  }
  template <class Index>
  [[nodiscard]] AGPUSIM_FN auto read(const Index& i) const {
    return in.read(i);
  }
};

template <class F, class In, class X>
[[nodiscard]] AGPUSIM_FN auto element_of(const MappedView<F, In>& view, const X& stored) {
  return view.f(stored);
}

/// `Kernel` on f of the elements of its first array.
template <class F, class Kernel>
struct Mapped {
  static constexpr const char* name = Kernel::name;
  static constexpr bool oblivious = Kernel::oblivious;

  F f;
  Kernel kernel;

  [[nodiscard]] std::int64_t shared_bytes() const { return kernel.shared_bytes(); }

  template <class Mp, class In, class... Views>
  AGPUSIM_FN void operator()(Mp& mp, In in, Views... views) const {
    kernel(mp, MappedView<F, In>{in, f}, views...);
  }
};

/// The kernel itself where f changes nothing.
template <class F, class Kernel>
[[nodiscard]] auto mapped(const F& f, const Kernel& kernel) {
  if constexpr (std::is_same_v<F, Same<typename F::input_type>>) {
    return kernel;
  } else {
    return Mapped<F, Kernel>{f, kernel};
  }
}

}  // namespace agpusim::out_of_core

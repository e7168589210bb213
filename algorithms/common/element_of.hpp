#pragma once

#include <cstdint>

#include "agpusim/model/fn.hpp"

// What kernels that fold or scan ask of their elements, so that the same kernel works on elements
// which are made of several words: the overloads for these stand beside them.
namespace agpusim {

/// The element that `stored` stands for, which was read from `view`.
template <class View, class X>
[[nodiscard]] AGPUSIM_FN const X& element_of(const View&, const X& stored) {
  return stored;
}

/// Writes element i of `from` to `to`, which may need a part of it only.
template <class From, class Index, class To>
AGPUSIM_FN void copy_element(const From& from, const Index& i, const To& to) {
  to.write(i, from.read(i));
}

/// An operator whose lane values are no words: it has identity_of(mp) and tile_of(mp, size, name).
template <class Operator>
concept OnRecords = requires {
  typename Operator::record;
};

/// The operator's identity in every lane.
template <class Operator, class Mp>
[[nodiscard]] AGPUSIM_FN auto identity_of(Mp& mp) {
  if constexpr (OnRecords<Operator>) {
    return Operator::identity_of(mp);
  } else {
    return mp.varying(Operator::identity);
  }
}

/// `size` elements of the operator in shared memory.
template <class Operator, class Mp>
[[nodiscard]] AGPUSIM_FN auto tile_of(Mp& mp, std::int32_t size, const char* name) {
  if constexpr (OnRecords<Operator>) {
    return Operator::tile_of(mp, size, name);
  } else {
    return mp.template shared<typename Operator::value_type>(size, name);
  }
}

}  // namespace agpusim

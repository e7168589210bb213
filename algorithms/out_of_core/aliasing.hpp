#pragma once

#include <cstddef>
#include <functional>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/transfer/host_piece.hpp"

namespace agpusim::out_of_core {

/// Throws UsageError when two arrays share memory: a chunk would be written before it is read.
template <class A, class B>
void refuse_aliasing(const HostPiece<A>& a, const char* a_name, const HostPiece<B>& b,
                     const char* b_name) {
  const auto* const a_first = reinterpret_cast<const std::byte*>(a.data());
  const auto* const b_first = reinterpret_cast<const std::byte*>(b.data());
  if (a.bytes() == 0 || b.bytes() == 0 || !a.is_there() || !b.is_there()) return;
  const std::less<> before;
  if (!before(a_first, b_first + b.bytes()) || !before(b_first, a_first + a.bytes())) return;
  throw UsageError(fmt::format(
      "the arrays '{}' and '{}' share memory: out-of-core programs write one while they "
      "read the other; use arrays of their own",
      a_name, b_name));
}

}  // namespace agpusim::out_of_core

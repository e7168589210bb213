#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include <Eigen/Core>

#include "agpusim/cudalibs/library.hpp"

namespace agpusim::cudalibs {

template <class E>
using Dense = Eigen::Matrix<E, Eigen::Dynamic, Eigen::Dynamic>;

/// The elements of a matrix in memory, column by column, whose begins lie `ld` elements apart; it
/// tells what is used.
template <class E>
auto view(const Use& use, E* begin, std::int64_t rows, std::int64_t columns, std::int64_t ld) {
  using Bare = std::remove_const_t<E>;
  const auto bytes = [](std::int64_t n) { return static_cast<std::size_t>(n) * sizeof(E); };
  use({begin, bytes(rows), static_cast<std::size_t>(columns), bytes(std::abs(ld)),
       !std::is_const_v<E>});
  // With a negative distance the last column comes first in memory.
  auto* const first = const_cast<Bare*>(ld < 0 ? begin - (columns - 1) * ld : begin);
  return Eigen::Map<Dense<Bare>, 0, Eigen::OuterStride<>>(first, rows, columns,
                                                          Eigen::OuterStride<>(ld));
}

/// A vector of BLAS: one row.
template <class E>
auto vector(const Use& use, E* begin, std::int64_t n, std::int64_t step) {
  return view(use, begin, 1, std::max<std::int64_t>(n, 0), step);
}

/// How a matrix is read: CUBLAS_OP_N, _T and _C.
enum class Op : std::int32_t { plain, transposed, adjoint };

template <class W, class View>
Dense<W> read(Op op, const View& matrix) {
  const auto elements = matrix.template cast<W>();
  if (op == Op::plain) return elements;
  return op == Op::transposed ? Dense<W>(elements.transpose()) : Dense<W>(elements.adjoint());
}

/// c = alpha * a * b + beta * c
template <class W, class View>
void multiply(W alpha, const Dense<W>& a, const Dense<W>& b, W beta, View c) {
  Dense<W> sum = Dense<W>::Zero(c.rows(), c.cols());
  if (alpha != W(0)) sum.noalias() += alpha * a * b;
  if (beta != W(0)) sum += beta * c.template cast<W>();  // else c may hold anything
  c = sum.template cast<typename View::Scalar>();
}

}  // namespace agpusim::cudalibs

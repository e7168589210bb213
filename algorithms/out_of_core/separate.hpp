#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/out_of_core/reduce.hpp"
#include "agpusim/algorithms/out_of_core/scan.hpp"
#include "agpusim/algorithms/out_of_core/transform.hpp"

// Two primitives one after the other, with an array of the host between them: what the fused ones
// are compared with.
namespace agpusim::out_of_core {

namespace detail {

/// scratch[i] = f(in[i]), the first of two passes; the host waits for all of it.
template <class Streams, class F>
void transform_first(Streams& streams, HostPiece<const typename F::input_type> in,
                     HostPiece<typename F::output_type> scratch, const Chunks& chunks, const F& f,
                     const Control& control) {
  refuse_aliasing(in, "in", scratch, "scratch");
  const InOutArrays<typename F::input_type, typename F::output_type, Streams> arrays(streams,
                                                                                     chunks);
  Control half = control;
  if (control.progress) {
    half.progress = [&](std::int64_t done, std::int64_t of) { control.progress(done, 2 * of); };
  }
  const std::vector<Event> arrived =
      transform_through(streams, arrays, in, scratch, chunks, f, half);
  streams.host("wait", 0, 0, arrived, [] {});
}

/// What is reported of the second of two passes.
[[nodiscard]] inline Control second_half(const Control& control) {
  Control half = control;
  if (control.progress) {
    half.progress = [&](std::int64_t done, std::int64_t of) {
      control.progress(of + done, 2 * of);
    };
  }
  return half;
}

}  // namespace detail

/// The fold of f of `in` in two passes.
template <class Operator, class F, class Streams>
typename Operator::value_type transform_then_reduce(
    Streams& streams, HostPiece<const typename F::input_type> in,
    HostPiece<typename Operator::value_type> scratch, const Chunks& chunks, const F& f,
    const Control& control = {}) {
  detail::transform_first(streams, in, scratch, chunks, f, control);
  return reduce<Operator>(streams, HostPiece<const typename Operator::value_type>(scratch), chunks,
                          detail::second_half(control));
}

/// The scan of f of `in` in two passes.
template <class Operator, class F, class Streams>
void transform_then_scan(Streams& streams, HostPiece<const typename F::input_type> in,
                         HostPiece<typename Operator::value_type> out,
                         HostPiece<typename Operator::value_type> scratch, const Chunks& chunks,
                         agpusim::scan::Kind kind, const F& f, const Control& control = {}) {
  refuse_aliasing(in, "in", out, "out");
  detail::transform_first(streams, in, scratch, chunks, f, control);
  scan<Operator>(streams, HostPiece<const typename Operator::value_type>(scratch), out, chunks,
                 kind, detail::second_half(control));
}

}  // namespace agpusim::out_of_core

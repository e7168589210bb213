#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/out_of_core/aliasing.hpp"
#include "agpusim/algorithms/out_of_core/chunk_turn.hpp"
#include "agpusim/algorithms/out_of_core/in_out_arrays.hpp"
#include "agpusim/algorithms/out_of_core/steps.hpp"
#include "agpusim/model/transfer/chunks.hpp"
#include "agpusim/model/transfer/host_piece.hpp"
#include "agpusim/model/transfer/progress.hpp"
#include "agpusim/model/transfer/recorder.hpp"

namespace agpusim::out_of_core {

namespace detail {

/// transform() through `arrays`, in place, too; returns the copies out.
template <class Streams, class F, class Arrays>
std::vector<Event> transform_through(Streams& streams, const Arrays& arrays,
                                     HostPiece<const typename F::input_type> in,
                                     HostPiece<typename F::output_type> out, const Chunks& chunks,
                                     const F& f, const Control& control) {
  std::vector<Event> arrived;
  for (std::int64_t j = 0; j < chunks.count(); ++j) {
    control.report(j, chunks.count());
    const auto [stream, s, first, length] = turn_of(streams, chunks, j);
    streams.template copy_in<typename F::input_type>(stream, in.piece(first, length), arrays.in[s]);
    streams.run(stream, MapStep<F>{length, f}, arrays.in[s], arrays.out[s]);
    arrived.push_back(streams.template copy_out<typename F::output_type>(stream, arrays.out[s],
                                                                         out.piece(first, length)));
  }
  return arrived;
}

}  // namespace detail

/// out[i] = f(in[i]) in one pass (seed 004, 3.1): chunk j passes through the buffers of stream
/// j mod N.
template <class Streams, class F>
void transform(Streams& streams, HostPiece<const typename F::input_type> in,
               HostPiece<typename F::output_type> out, const Chunks& chunks, const F& f,
               const Control& control = {}) {
  refuse_aliasing(in, "in", out, "out");
  const InOutArrays<typename F::input_type, typename F::output_type, Streams> arrays(streams,
                                                                                     chunks);
  detail::transform_through(streams, arrays, in, out, chunks, f, control);
  streams.finish();
  control.report(chunks.count(), chunks.count());
}

}  // namespace agpusim::out_of_core

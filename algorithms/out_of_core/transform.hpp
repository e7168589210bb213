#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/out_of_core/aliasing.hpp"
#include "agpusim/algorithms/out_of_core/chunks.hpp"
#include "agpusim/algorithms/out_of_core/host_piece.hpp"
#include "agpusim/algorithms/out_of_core/progress.hpp"
#include "agpusim/algorithms/out_of_core/steps.hpp"

namespace agpusim::out_of_core {

/// out[i] = f(in[i]) in one pass (seed 004, 3.1): chunk j passes through the buffers of stream
/// j mod N.
template <class Streams, class F>
void transform(Streams& streams, HostPiece<const typename F::input_type> in,
               HostPiece<typename F::output_type> out, const Chunks& chunks, const F& f,
               const Control& control = {}) {
  using In = typename F::input_type;
  using Out = typename F::output_type;
  refuse_aliasing(in, "in", out, "out");
  std::vector<typename Streams::template Array<In>> sources;
  std::vector<typename Streams::template Array<Out>> targets;
  for (std::int32_t s = 0; s < chunks.used_streams(); ++s) {
    sources.push_back(streams.template allocate<In>(chunks.buffer(), "in"));
    targets.push_back(streams.template allocate<Out>(chunks.buffer(), "out"));
  }
  for (std::int64_t j = 0; j < chunks.count(); ++j) {
    control.report(j, chunks.count());
    streams.recorder().chunk(j);
    const std::int32_t s = chunks.stream(j);
    const std::int64_t length = chunks.length(j);
    const auto& source = sources[static_cast<std::size_t>(s)];
    const auto& target = targets[static_cast<std::size_t>(s)];
    streams.template copy_in<In>(s, in.piece(chunks.first(j), length), source);
    streams.run(s, MapStep<F>{length, f}, source, target);
    streams.template copy_out<Out>(s, target, out.piece(chunks.first(j), length));
  }
  streams.finish();
  control.report(chunks.count(), chunks.count());
}

}  // namespace agpusim::out_of_core

#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/out_of_core/chunk_turn.hpp"
#include "agpusim/algorithms/out_of_core/steps.hpp"
#include "agpusim/model/transfer/chunks.hpp"
#include "agpusim/model/transfer/host_piece.hpp"
#include "agpusim/model/transfer/progress.hpp"
#include "agpusim/model/transfer/recorder.hpp"

namespace agpusim::out_of_core {

/// totals[j] = the fold of f of chunk j, in one pass. Returns the copies out.
template <class Operator, class F, class Streams>
std::vector<Event> reduce_chunks(Streams& streams, HostPiece<const typename F::input_type> in,
                                 HostPiece<typename Operator::value_type> totals,
                                 const Chunks& chunks, const F& f, const Control& control) {
  using In = typename F::input_type;
  using T = typename Operator::value_type;
  using Array = typename Streams::template Array<T>;
  std::vector<typename Streams::template Array<In>> sources;
  std::vector<Array> partials;
  std::vector<Array> results;
  for (std::int32_t s = 0; s < chunks.used_streams(); ++s) {
    sources.push_back(streams.template allocate<In>(chunks.buffer(), "in"));
    partials.push_back(
        streams.template allocate<T>(most_partials(streams.spec(), chunks.buffer()), "partials"));
    results.push_back(streams.template allocate<T>(1, "result"));
  }
  std::vector<Event> arrived;
  for (std::int64_t j = 0; j < chunks.count(); ++j) {
    control.report(j, chunks.count());
    const auto [stream, s, first, length] = turn_of(streams, chunks, j);
    streams.template copy_in<In>(stream, in.piece(first, length), sources[s]);
    streams.run(stream, ReduceStep<Operator, F>{length, f}, sources[s], partials[s], results[s]);
    arrived.push_back(streams.template copy_out<T>(stream, results[s], totals.piece(j, 1)));
  }
  return arrived;
}

/// The fold of f of `in` in order, identity for none: one pass over the chunks, whose totals the
/// host folds.
template <class Operator, class F, class Streams>
typename Operator::value_type transform_reduce(Streams& streams,
                                               HostPiece<const typename F::input_type> in,
                                               const Chunks& chunks, const F& f,
                                               const Control& control = {}) {
  using T = typename Operator::value_type;
  const HostPiece<T> totals = streams.template scratch<T>(chunks.count());
  const std::vector<Event> arrived =
      reduce_chunks<Operator>(streams, in, totals, chunks, f, control);
  T result = Operator::identity;
  streams.host("fold", totals.bytes(), 0, arrived, [&] {
    for (std::int64_t j = 0; j < totals.size(); ++j) result = Operator{}(result, totals.data()[j]);
  });
  streams.finish();
  control.report(chunks.count(), chunks.count());
  return result;
}

/// The fold of `in`.
template <class Operator, class Streams>
typename Operator::value_type reduce(Streams& streams,
                                     HostPiece<const typename Operator::value_type> in,
                                     const Chunks& chunks, const Control& control = {}) {
  return transform_reduce<Operator>(streams, in, chunks, Same<typename Operator::value_type>{},
                                    control);
}

/// The fold of `in` as in seed 004, 3.2: totals are reduced like the input until one is left, in
/// ceil(log_D L) passes (the seed counts one more).
template <class Operator, class Streams>
typename Operator::value_type reduce_recursively(Streams& streams,
                                                 HostPiece<const typename Operator::value_type> in,
                                                 const Chunks& chunks,
                                                 const Control& control = {}) {
  using T = typename Operator::value_type;
  T result = Operator::identity;
  for (Chunks level = chunks; level.n > 0;) {
    const HostPiece<T> totals = streams.template scratch<T>(level.count());
    const std::vector<Event> arrived =
        reduce_chunks<Operator>(streams, in, totals, level, Same<T>{}, control);
    streams.host("wait", 0, 0, arrived, [&] { result = totals.data()[0]; });
    if (level.count() == 1) break;
    in = totals;
    level.n = totals.size();
  }
  streams.finish();
  control.report(chunks.count(), chunks.count());
  return result;
}

}  // namespace agpusim::out_of_core

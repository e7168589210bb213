#pragma once

#include <algorithm>
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

/// The arrays on the device of a scan.
template <class T, class Streams, class In = T>
struct ScanArrays : InOutArrays<In, T, Streams> {
  using Array = typename Streams::template Array<T>;
  std::vector<Array> partials;
  std::vector<Array> carry;

  /// `carries`: 1, or one per stream.
  ScanArrays(Streams& streams, const Chunks& chunks, std::int32_t carries)
      : InOutArrays<In, T, Streams>(streams, chunks) {
    for (std::int32_t s = 0; s < chunks.used_streams(); ++s) {
      partials.push_back(
          streams.template allocate<T>(most_partials(streams.spec(), chunks.buffer()), "partials"));
      if (s < carries) carry.push_back(streams.template allocate<T>(1, "carry"));
    }
  }
};

/// The scan of f of `in` in one pass (scan A of theory 3.14): what lies before a chunk stays on the
/// device, so that only kernels wait for each other, which they do anyway.
template <class Operator, class F, class Streams>
void transform_scan(Streams& streams, HostPiece<const typename F::input_type> in,
                    HostPiece<typename Operator::value_type> out, const Chunks& chunks,
                    agpusim::scan::Kind kind, const F& f, const Control& control = {}) {
  using In = typename F::input_type;
  using T = typename Operator::value_type;
  refuse_aliasing(in, "in", out, "out");
  const ScanArrays<T, Streams, In> arrays(streams, chunks, 1);
  if (chunks.n > 0) streams.set(0, arrays.carry.front(), T{Operator::identity});
  Event before = -1;
  for (std::int64_t j = 0; j < chunks.count(); ++j) {
    control.report(j, chunks.count());
    const auto [stream, s, first, length] = turn_of(streams, chunks, j);
    streams.template copy_in<In>(stream, in.piece(first, length), arrays.in[s]);
    if (before >= 0) streams.wait(stream, before);
    before = streams.run(stream, ScanStep<Operator, F>{length, kind, f}, arrays.in[s],
                         arrays.partials[s], arrays.carry.front(), arrays.out[s]);
    streams.template copy_out<T>(stream, arrays.out[s], out.piece(first, length));
  }
  streams.finish();
  control.report(chunks.count(), chunks.count());
}

/// The scan of `in`.
template <class Operator, class Streams>
void scan(Streams& streams, HostPiece<const typename Operator::value_type> in,
          HostPiece<typename Operator::value_type> out, const Chunks& chunks,
          agpusim::scan::Kind kind, const Control& control = {}) {
  transform_scan<Operator>(streams, in, out, chunks, kind, Same<typename Operator::value_type>{},
                           control);
}

namespace detail {

/// scan_twice() through `arrays`, in place, too; returns the copies out.
template <class Operator, class Streams>
std::vector<Event> scan_twice_through(
    Streams& streams, const ScanArrays<typename Operator::value_type, Streams>& arrays,
    HostPiece<const typename Operator::value_type> in, HostPiece<typename Operator::value_type> out,
    const Chunks& chunks, agpusim::scan::Kind kind, const Control& control) {
  using T = typename Operator::value_type;
  const std::int64_t count = chunks.count();
  const std::int64_t steps = count > 1 ? 2 * count - 1 : count;
  const HostPiece<T> totals = streams.template scratch<T>(count);
  const HostPiece<T> befores = streams.template scratch<T>(count);
  std::vector<Event> arrived;
  std::vector<Event> finished;
  for (std::int64_t j = 0; j < count; ++j) {
    control.report(j, steps);
    const auto [stream, s, first, length] = turn_of(streams, chunks, j);
    streams.template copy_in<T>(stream, in.piece(first, length), arrays.in[s]);
    streams.set(stream, arrays.carry[s], T{Operator::identity});
    streams.run(stream, ScanStep<Operator>{length, kind}, arrays.in[s], arrays.partials[s],
                arrays.carry[s], arrays.out[s]);
    const Event copied =
        streams.template copy_out<T>(stream, arrays.out[s], out.piece(first, length));
    if (j == 0) finished.push_back(copied);
    arrived.push_back(streams.template copy_out<T>(stream, arrays.carry[s], totals.piece(j, 1)));
  }
  if (count <= 1) return finished;
  streams.host("wait", 0, 0, arrived, [] {});
  const Chunks of_totals{count, count, 1};
  scan<Operator>(streams, HostPiece<const T>(totals), befores, of_totals,
                 agpusim::scan::Kind::exclusive);
  const auto before = streams.template allocate<T>(count, "before");
  const Event known = streams.template copy_in<T>(0, befores, before);
  for (std::int64_t j = 1; j < count; ++j) {
    control.report(count + j - 1, steps);
    const auto [stream, s, first, length] = turn_of(streams, chunks, j);
    const HostPiece<T> piece = out.piece(first, length);
    streams.template copy_in<T>(stream, piece, arrays.out[s]);
    streams.wait(stream, known);
    streams.run(stream, CombineStep<Operator>{length, j}, before, arrays.out[s]);
    finished.push_back(streams.template copy_out<T>(stream, arrays.out[s], piece));
  }
  return finished;
}

}  // namespace detail

/// The scan of `in` as seed 004, 3.3 has it for large arrays (scan B of theory 3.14): chunks are
/// scanned alone; their totals are scanned; all chunks but the first pass through the device again.
/// The seed's step 3 is repaired: what lies before chunk k is combined from the left, for every k.
template <class Operator, class Streams>
void scan_twice(Streams& streams, HostPiece<const typename Operator::value_type> in,
                HostPiece<typename Operator::value_type> out, const Chunks& chunks,
                agpusim::scan::Kind kind, const Control& control = {}) {
  refuse_aliasing(in, "in", out, "out");
  const ScanArrays<typename Operator::value_type, Streams> arrays(streams, chunks,
                                                                  chunks.used_streams());
  detail::scan_twice_through<Operator>(streams, arrays, in, out, chunks, kind, control);
  streams.finish();
  const std::int64_t steps = std::max<std::int64_t>(2 * chunks.count() - 1, 0);
  control.report(steps, steps);
}

}  // namespace agpusim::out_of_core

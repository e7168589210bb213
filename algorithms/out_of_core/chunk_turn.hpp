#pragma once

#include <cstddef>
#include <cstdint>

#include "agpusim/model/transfer/chunks.hpp"

namespace agpusim::out_of_core {

/// The turn of a chunk on its stream.
struct ChunkTurn {
  std::int32_t stream = 0;
  std::size_t s = 0;        ///< its stream, as an index of arrays that every stream has
  std::int64_t first = 0;   ///< element of the whole array
  std::int64_t length = 0;  ///< elements
};

/// What is asked for next is about chunk j.
template <class Streams>
[[nodiscard]] ChunkTurn turn_of(Streams& streams, const Chunks& chunks, std::int64_t j) {
  streams.recorder().chunk(j);
  const std::int32_t stream = chunks.stream(j);
  return {stream, static_cast<std::size_t>(stream), chunks.first(j), chunks.length(j)};
}

}  // namespace agpusim::out_of_core

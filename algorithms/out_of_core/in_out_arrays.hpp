#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/model/transfer/chunks.hpp"

namespace agpusim::out_of_core {

/// Arrays on the device for a chunk that comes in and one that goes out, of every stream.
template <class In, class Out, class Streams>
struct InOutArrays {
  std::vector<typename Streams::template Array<In>> in;
  std::vector<typename Streams::template Array<Out>> out;

  InOutArrays(Streams& streams, const Chunks& chunks) {
    for (std::int32_t s = 0; s < chunks.used_streams(); ++s) {
      in.push_back(streams.template allocate<In>(chunks.buffer(), "in"));
      out.push_back(streams.template allocate<Out>(chunks.buffer(), "out"));
    }
  }
};

}  // namespace agpusim::out_of_core

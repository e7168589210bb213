#pragma once

#include <cstdint>

#include "agpusim/algorithms/rank_sort/kernel.hpp"
#include "agpusim/model/fn.hpp"

// Where a key goes that knows its rank, other than to the place of that number: kernels of
// kernel.hpp with another put().
namespace agpusim::rank_sort {

/// Keys in descending order, equal ones in the reverse of their order: rank K is place last - K.
template <class Out>
struct DescendingKeys {
  Out out;
  std::int32_t last;  ///< n - 1
};

template <class Out, class Lane, class Key>
AGPUSIM_FN void put(const DescendingKeys<Out>& to, const Lane& rank, const Key& key,
                    std::int32_t /*first*/, const Lane& /*slot*/) {
  to.out.write(to.last - rank, key);
}

/// Keys, each with the element of another array that is at its place.
template <class Out, class From, class To>
struct Records {
  Out keys;
  From payload;
  To sorted_payload;
};

template <class Out, class From, class To, class Lane, class Key>
AGPUSIM_FN void put(const Records<Out, From, To>& to, const Lane& rank, const Key& key,
                    std::int32_t first, const Lane& slot) {
  to.keys.write(rank, key);
  to.sorted_payload.write(rank, to.payload.from(first).read(slot));
}

/// `Kernel`, in descending order.
template <class Kernel>
struct RankDescending {
  static constexpr const char* name = "rank_descending";

  Kernel kernel;
  std::int32_t last;  ///< n - 1

  [[nodiscard]] std::int64_t shared_bytes() const { return kernel.shared_bytes(); }

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out) const {
    kernel(mp, in, DescendingKeys<Out>{out, last});
  }
};

/// `Kernel`, of keys that take a payload with them.
template <class Kernel>
struct RankRecords {
  static constexpr const char* name = "rank_records";

  Kernel kernel;

  [[nodiscard]] std::int64_t shared_bytes() const { return kernel.shared_bytes(); }

  template <class Mp, class In, class Out, class From, class To>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out, From payload, To sorted_payload) const {
    kernel(mp, in, Records<Out, From, To>{out, payload, sorted_payload});
  }
};

}  // namespace agpusim::rank_sort

#include "agpusim/algorithms/sort_reference.hpp"

#include <vector>

#include <tbb/parallel_sort.h>

#include "agpusim/algorithms/checksum.hpp"
#include "agpusim/algorithms/element_type.hpp"
#include "agpusim/algorithms/inputs.hpp"

namespace agpusim {

std::uint64_t sorted_checksum(const RunConfig& config) {
  return with_element_type(config.type, [&]<class Key>(Key) {
    std::vector<Key> keys = generate<Key>(config.input, config.n, config.seed);
    tbb::parallel_sort(keys.begin(), keys.end());
    return checksum<Key>(keys);
  });
}

}  // namespace agpusim

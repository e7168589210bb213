#include "agpusim/algorithms/common/pram/nested_blocks.hpp"

#include "agpusim/algorithms/common/pram/logarithms.hpp"

namespace agpusim {

std::vector<std::int64_t> nested_sizes(std::int64_t m) {
  std::vector<std::int64_t> sizes = {m};
  while (sizes.back() > 1) sizes.push_back(ceil_lg(sizes.back()));
  return sizes;
}

NestedBlocks::NestedBlocks(std::int64_t m) : m_(m), sizes_(nested_sizes(m)) {
  first_.assign(static_cast<std::size_t>(m) * sizes_.size(), 0);
  for (std::int64_t level = 1; level <= levels(); ++level) {
    std::int64_t* const first = first_.data() + level * m;
    const std::int64_t* const parent = first - m;
    for (std::int64_t x = 0; x < m; ++x) {
      const bool starts = x == parent[x] || x == first[x - 1] + size(level);
      first[x] = starts ? x : first[x - 1];
    }
  }
}

}  // namespace agpusim

#include "agpusim/model/pram/detail/access_log.hpp"

#include <algorithm>

namespace agpusim::detail {

std::byte* LogArena::take_bytes(std::size_t bytes) {
  bytes = round_up(bytes);
  while (block_ < blocks_.size() && blocks_[block_].size - used_ < bytes) {
    ++block_;
    used_ = 0;
  }
  if (block_ == blocks_.size()) {
    const std::size_t size = std::max(bytes, block_bytes);
    blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(size), size});
    used_ = 0;
  }
  std::byte* const result = blocks_[block_].bytes.get() + used_;
  used_ += bytes;
  return result;
}

void LogArena::reset() {
  block_ = 0;
  used_ = 0;
}

std::int64_t LogArena::bytes() const {
  std::size_t sum = 0;
  for (const Block& block : blocks_) sum += block.size;
  return static_cast<std::int64_t>(sum);
}

Accesses::Reach Accesses::reach(int partition_bits) const {
  const Reach in_places{places.first_partition, places.first_partition + places.partitions};
  if (runs.empty()) return in_places;
  const Reach in_runs{runs_begin >> partition_bits, ((runs_end - 1) >> partition_bits) + 1};
  if (places.partitions == 0) return in_runs;
  return {std::min(in_places.first, in_runs.first), std::max(in_places.end, in_runs.end)};
}

}  // namespace agpusim::detail

#include "agpusim/model/agpu/lane_copy.hpp"

#include "agpusim/model/agpu/lane_vector.hpp"

namespace agpusim {

void gather_words(const void* from, const std::int32_t* index, std::int32_t count, void* to) {
  const auto* const words = static_cast<const std::uint32_t*>(from);
  auto* const out = static_cast<std::uint32_t*>(to);
  std::int32_t i = 0;
  for (; i + vector_lanes <= count; i += vector_lanes) {
    store_lanes(gather_lanes(words, load_lanes(index + i)), out + i);
  }
  for (; i < count; ++i) std::memcpy(out + i, words + index[i], sizeof(std::uint32_t));
}

}  // namespace agpusim

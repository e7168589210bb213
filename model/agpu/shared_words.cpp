#include <cstddef>
#include <cstdint>
#include <cstring>

#include "agpusim/model/agpu/lane_vector.hpp"
#include "agpusim/model/agpu/shared_memory.hpp"

// How the first lanes read and write elements of 32 bits.
namespace agpusim {

#if defined(__AVX512F__)
namespace {

constexpr std::size_t most_in_registers = 64;  // places: four vectors, permuted

bool fits_registers(const KnownIndices* known) {
  return known != nullptr && known->lane_at.size() <= most_in_registers &&
         known->count <= 2 * vector_lanes;
}

}  // namespace
#endif

void SharedMemory::read_words(const Array& array, const ActiveIndices& active, void* to) const {
#if defined(__AVX512F__)
  if (fits_registers(known_)) {
    const std::byte* const low = array.data + active.low * std::ptrdiff_t{sizeof(std::uint32_t)};
    const std::size_t places = known_->lane_at.size();
    __m512i words[4];
    for (std::size_t v = 0; v < 4; ++v) {
      words[v] = _mm512_loadu_si512(low + (v * 16 < places ? v * 64 : 0));
    }
    auto* const out = static_cast<std::int32_t*>(to);
    const __m512i first = _mm512_set1_epi32(known_->low);
    for (std::int32_t i = 0; i < active.count; i += vector_lanes) {
      const __m512i place = _mm512_sub_epi32(_mm512_loadu_si512(known_->offset.data() + i), first);
      const __m512i lower = _mm512_permutex2var_epi32(words[0], place, words[1]);
      const __m512i upper = _mm512_permutex2var_epi32(words[2], place, words[3]);
      const __mmask16 is_upper = _mm512_test_epi32_mask(place, _mm512_set1_epi32(32));
      _mm512_storeu_si512(out + i, _mm512_mask_blend_epi32(is_upper, lower, upper));
    }
    return;
  }
#endif
  gather_words(array.data, active.index, active.count, to);
}

void SharedMemory::write_words(const Array& array, const ActiveIndices& active,
                               const void* from) const {
  const auto* const in = static_cast<const std::uint32_t*>(from);
#if defined(__AVX512F__)
  if (fits_registers(known_)) {
    std::byte* const low = array.data + active.low * std::ptrdiff_t{sizeof(std::uint32_t)};
    const __m512i lower = _mm512_loadu_si512(in);
    const __m512i upper = active.count > vector_lanes ? _mm512_loadu_si512(in + 16) : lower;
    for (std::size_t i = 0; i < known_->lane_at.size(); i += vector_lanes) {
      const __m512i lane = _mm512_loadu_si512(known_->lane_at.data() + i);
      const __mmask16 touched = _mm512_cmpge_epi32_mask(lane, _mm512_setzero_si512());
      _mm512_mask_storeu_epi32(low + i * sizeof(std::uint32_t), touched,
                               _mm512_permutex2var_epi32(lower, lane, upper));
    }
    return;
  }
#endif
  auto* const words = reinterpret_cast<std::uint32_t*>(array.data);
  for (std::int32_t i = 0; i < active.count; ++i) {
    std::memcpy(words + active.index[i], in + i, sizeof(std::uint32_t));
  }
}

}  // namespace agpusim

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "agpusim/model/agpu/lane_context.hpp"
#include "agpusim/model/agpu/lane_steps.hpp"
#include "agpusim/model/agpu/lane_vector.hpp"

// What there is to know of the indices of an access.
namespace agpusim {
namespace {

constexpr std::int32_t chunk = vector_lanes;

constexpr std::uint32_t up = 1;
constexpr std::uint32_t down = 2;
constexpr std::uint32_t same = 4;

/// Whether the indices have a shape other than the general one, and then all there is to know.
inline bool describe_shape(ActiveIndices& active) {
  const std::int32_t* const index = active.index;
  const std::int32_t count = active.count;
  const std::int64_t step = count < 2 ? 1 : std::int64_t{index[1]} - index[0];
  if (step < -1 || step > 1 || !have_step(index, count, static_cast<std::int32_t>(step))) {
    return false;
  }
  active.shape = step == 1 ? Shape::ascending : step == 0 ? Shape::equal : Shape::descending;
  active.distinct = step != 0;
  if (count == 0) return true;
  const auto last = index[0] + static_cast<std::int32_t>(step) * (count - 1);
  active.low = std::min(index[0], last);
  active.high = std::max(index[0], last);
  return true;
}

/// Completes `active`, whose shape is general. Behind the indices there are `chunk` more of any
/// value. Whole vectors are loaded as they were stored: others would wait for the stores.
void describe_order(ActiveIndices& active) {
  const std::int32_t* const index = active.index;
  const std::int32_t count = active.count;
  const SignedLaneVector none{};
  const SignedLaneVector any = none + index[0];
  SignedLaneVector steps{};
  SignedLaneVector low = any;
  SignedLaneVector high = any;
  auto next = load_lanes<SignedLaneVector>(index);
  for (std::int32_t i = 0; i < count; i += chunk) {
    const SignedLaneVector here = next;
    next = load_lanes<SignedLaneVector>(index + i + chunk);
    const SignedLaneVector after = next_lanes(here, next);
    const SignedLaneVector step = after > here   ? none + std::int32_t{up}
                                  : after < here ? none + std::int32_t{down}
                                                 : none + std::int32_t{same};
    const SignedLaneVector lane = lane_numbers_of_vector + i;
    steps |= lane + 1 < count ? step : none;
    const SignedLaneVector used = lane < count ? here : any;
    low = used < low ? used : low;
    high = used > high ? used : high;
  }
  const std::uint32_t found = or_of_lanes(steps);
  active.distinct = found == up || found == down;
  active.low = least_lane(low);
  active.high = greatest_lane(high);
}

/// A number that indices of one pattern share, wherever they begin; of most others it differs.
std::uint32_t hash_of(const std::int32_t* index, std::int32_t count) {
  const auto distance = [&](std::int32_t i) {
    return static_cast<std::uint32_t>(index[i]) - static_cast<std::uint32_t>(index[0]);
  };
  return distance(1) * 0x9E3779B1U + distance(count / 2) * 0x85EBCA77U +
         distance(count - 1) * 0xC2B2AE3DU + static_cast<std::uint32_t>(count) * 0x27D4EB2FU;
}

bool all_differ(std::vector<std::int32_t> offset, std::int32_t count) {
  const auto end = offset.begin() + count;
  std::sort(offset.begin(), end);
  return std::adjacent_find(offset.begin(), end) == end;
}

/// Completes what is known by whether the lanes' indices differ, and by the lane of each index
/// where that is worth it.
void note_lanes(KnownIndices& known) {
  constexpr std::int32_t most_places = 4;  // per lane
  const std::int64_t places = std::int64_t{known.high} - known.low + 1;
  known.lane_at.clear();
  if (places > std::int64_t{most_places} * known.count) {
    known.distinct = all_differ(known.offset, known.count);
    return;
  }
  known.lane_at.resize(static_cast<std::size_t>((places + chunk - 1) / chunk * chunk), -1);
  known.distinct = true;
  for (std::int32_t i = 0; known.distinct && i < known.count; ++i) {
    const std::int32_t place = known.offset[static_cast<std::size_t>(i)] - known.low;
    std::int32_t& lane = known.lane_at[static_cast<std::size_t>(place)];
    known.distinct = lane < 0;
    lane = i;
  }
  if (!known.distinct) known.lane_at.clear();
}

/// Whether each index is as far from the first as `offset` says.
bool have_offsets(const std::int32_t* index, std::int32_t count, const std::int32_t* offset) {
  const auto first = static_cast<std::uint32_t>(index[0]);
  LaneVector differs{};
  for (std::int32_t i = 0; i < count; i += chunk) {
    const LaneVector here = (load_lanes(index + i) - first) ^ load_lanes(offset + i);
    differs |= lane_numbers_of_vector + i < count ? here : LaneVector{};
  }
  return !any_lane(differs);
}

/// Writes the indices and the numbers of the active ones among `lanes` lanes from `first` on; how
/// many there are. Behind them a vector more may be overwritten.
std::int32_t pack_lanes(const std::uint8_t* mask, std::int32_t lanes, std::int32_t first,
                        const std::int32_t* index, std::int32_t* out_index,
                        std::int32_t* out_lane) {
  std::int32_t count = 0;
  std::int32_t i = 0;
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
  for (; i + vector_lanes <= lanes; i += vector_lanes) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(mask + i));
    const __mmask16 active = _mm_test_epi8_mask(bytes, bytes);
    const __m512i lane = _mm512_add_epi32(_mm512_set1_epi32(first + i),
                                          std::bit_cast<__m512i>(lane_numbers_of_vector));
    const __m512i places = _mm512_loadu_si512(index + first + i);
    // In registers, and stored as a whole: what is stored under a mask takes several times as long.
    _mm512_storeu_si512(out_index + count, _mm512_maskz_compress_epi32(active, places));
    _mm512_storeu_si512(out_lane + count, _mm512_maskz_compress_epi32(active, lane));
    count += std::popcount(static_cast<std::uint32_t>(active));
  }
#endif
  for (; i < lanes; ++i) {
    out_index[count] = index[first + i];
    out_lane[count] = first + i;
    count += mask[i];
  }
  return count;
}

}  // namespace

AccessPattern& LaneContext::access(const std::int32_t* index, std::uint64_t index_id) {
  for (AccessPattern& pattern : patterns_) {
    if (pattern.index_id == index_id && pattern.mask_id == mask_.id) return pattern;
  }
  AccessPattern& pattern = patterns_[oldest_pattern_];
  oldest_pattern_ ^= 1;
  pattern.index_id = index_id;
  pattern.mask_id = mask_.id;
  pattern.shared_base = -1;
  pattern.known = nullptr;
  if (full()) {
    pattern.active = {index, lanes_.data(), spec_.width, full_begin_.data()};
  } else {
    pack(pattern, index);
  }
  if (describe_shape(pattern.active)) return pattern;
  if (pattern.active.lane == lanes_.data()) {
    describe_first_lanes(pattern);
  } else {
    describe_order(pattern.active);
  }
  return pattern;
}

/// Completes a pattern of general shape by what is known of its like.
void LaneContext::describe_first_lanes(AccessPattern& pattern) {
  ActiveIndices& active = pattern.active;
  const std::int32_t* const index = active.index;
  using Limits = std::numeric_limits<std::int32_t>;
  const std::int64_t first = index[0];
  const std::uint32_t hash = hash_of(index, active.count);
  KnownIndices& known = known_[hash >> 24];
  if (known.count == active.count && first + known.low >= Limits::min() &&
      first + known.high <= Limits::max() &&
      have_offsets(index, active.count, known.offset.data())) {
    active.distinct = known.distinct;
    active.low = index[0] + known.low;
    active.high = index[0] + known.high;
    pattern.known = &known;
    return;
  }
  describe_order(active);
  const bool again = known.met == hash;
  known.met = hash;
  if (!again || std::int64_t{active.high} - active.low > Limits::max()) return;
  for (AccessPattern& other : patterns_) {
    if (other.known == &known) other.known = nullptr;
  }
  known.count = active.count;
  known.offset.resize(static_cast<std::size_t>(padded_));
  std::transform(index, index + active.count, known.offset.begin(),
                 [from = index[0]](std::int32_t i) { return i - from; });
  known.low = active.low - index[0];
  known.high = active.high - index[0];
  known.priced = false;
  known.global_size = {0, 0};
  note_lanes(known);
  active.distinct = known.distinct;
  pattern.known = &known;
}

void LaneContext::pack(AccessPattern& pattern, const std::int32_t* index) const {
  const std::int32_t b = spec_.block_words;
  std::int32_t* const begin = pattern.packed_begin.data();
  const std::int32_t active = mask_.active;
  if (std::memcmp(mask_.bytes, full_bytes_.data(), static_cast<std::size_t>(active)) == 0) {
    // The first lanes are active: their indices lie together as they are.
    for (std::int32_t w = 0; w <= warps_; ++w) begin[w] = std::min(w * b, active);
    pattern.active = {index, lanes_.data(), active, begin};
    return;
  }
  std::int32_t count = 0;
  std::int32_t* const out_index = pattern.packed_index.data();
  std::int32_t* const out_lane = pattern.packed_lane.data();
  for (std::int32_t warp = 0; warp < warps_; ++warp) {
    begin[warp] = count;
    const std::int32_t first = warp * b;
    count += pack_lanes(mask_.bytes + first, b, first, index, out_index + count, out_lane + count);
  }
  begin[warps_] = count;
  pattern.active = {out_index, out_lane, count, begin};
}

Shape LaneContext::shape_of_warp(const ActiveIndices& active, std::int32_t warp) const {
  if (active.shape != Shape::general || warps_ == 1) return active.shape;
  const std::int32_t begin = active.warp_begin[warp];
  return shape_of(active.index + begin, active.warp_begin[warp + 1] - begin);
}

}  // namespace agpusim

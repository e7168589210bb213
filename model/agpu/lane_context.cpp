#include "agpusim/model/agpu/lane_context.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>

#include "agpusim/model/agpu/lane_vector.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {
namespace {

constexpr std::int32_t chunk = vector_lanes;

// How two neighbouring indices of an access may differ.
constexpr std::uint32_t up = 1;
constexpr std::uint32_t down = 2;
constexpr std::uint32_t same = 4;
constexpr std::uint32_t other = 8;  // by another step than the first two do

/// The steps of all neighbours among `count` indices, behind which there are `chunk` more of any
/// value.
std::uint32_t steps_of(const std::int32_t* index, std::int32_t count) {
  const LaneVector first =
      LaneVector{} + static_cast<std::uint32_t>(index[1]) - static_cast<std::uint32_t>(index[0]);
  const LaneVector none{};
  LaneVector steps{};
  for (std::int32_t i = 0; i + 1 < count; i += chunk) {
    const auto a = load_lanes<SignedLaneVector>(index + i);
    const auto b = load_lanes<SignedLaneVector>(index + i + 1);
    const LaneVector step = load_lanes(index + i + 1) - load_lanes(index + i);
    const LaneVector order = b > a ? none + up : b < a ? none + down : none + same;
    const LaneVector kind = step == first ? order : order | other;
    steps |= lane_numbers_of_vector + (i + 1) < count ? kind : none;
  }
  return or_of_lanes(steps);
}

/// Completes `active` by what one pass over its indices tells.
void describe(ActiveIndices& active) {
  const std::int32_t* const index = active.index;
  const std::int32_t count = active.count;
  const std::uint32_t steps = count < 2 ? up : steps_of(index, count);
  const bool even = (steps & other) == 0;
  const std::int64_t step = count < 2 ? 1 : std::int64_t{index[1]} - index[0];
  active.shape = !even        ? Shape::general
                 : step == 1  ? Shape::ascending
                 : step == -1 ? Shape::descending
                 : step == 0  ? Shape::equal
                              : Shape::general;
  active.distinct = (steps & ~other) == up || (steps & ~other) == down;
  if (count == 0) return;
  if (active.distinct || active.shape == Shape::equal) {
    active.low = std::min(index[0], index[count - 1]);
    active.high = std::max(index[0], index[count - 1]);
    return;
  }
  // The lanes beyond the last take the first index.
  SignedLaneVector low = SignedLaneVector{} + index[0];
  SignedLaneVector high = low;
  for (std::int32_t i = 0; i < count; i += chunk) {
    const auto loaded = load_lanes<SignedLaneVector>(index + i);
    const SignedLaneVector here =
        lane_numbers_of_vector + i < count ? loaded : SignedLaneVector{} + index[0];
    low = here < low ? here : low;
    high = here > high ? here : high;
  }
  std::int32_t lows[chunk];
  std::int32_t highs[chunk];
  store_lanes(low, lows);
  store_lanes(high, highs);
  active.low = *std::min_element(lows, lows + chunk);
  active.high = *std::max_element(highs, highs + chunk);
}

}  // namespace

LaneContext::LaneContext(const AgpuSpec& spec, bool checks, bool pricing, bool derives,
                         bool execution, Observer* observer)
    : spec_(spec),
      rules_(spec),
      checks_(checks),
      pricing_(pricing),
      derives_(derives),
      observer_(observer),
      padded_((spec.width + chunk - 1) / chunk * chunk),
      pool_(padded_),
      lone_(execution ? std::make_unique<LoneTask>(spec) : nullptr),
      full_bytes_(static_cast<std::size_t>(padded_), 0),
      lanes_(static_cast<std::size_t>(padded_)),
      full_begin_(static_cast<std::size_t>(spec.warps()) + 1) {
  for (AccessPattern& pattern : patterns_) {
    pattern.packed_index.resize(static_cast<std::size_t>(padded_ + chunk) + 1);
    pattern.packed_lane.resize(static_cast<std::size_t>(padded_) + 1);
    pattern.packed_begin.resize(full_begin_.size());
  }
  std::fill_n(full_bytes_.begin(), spec.width, std::uint8_t{1});
  std::iota(lanes_.begin(), lanes_.end(), 0);
  for (std::size_t w = 0; w < full_begin_.size(); ++w) {
    full_begin_[w] = static_cast<std::int32_t>(w) * spec.block_words;
  }
}

void LaneContext::begin_task(std::string_view kernel, std::int64_t task) {
  kernel_ = kernel;
  task_ = task;
  counts = {};
  if (lone_ != nullptr) lone_->begin_task();
  observed_ = {};
  if (observer_ != nullptr) observer_->begin_task(task);
  arrived_read_ = last_read_;
  mask_ = {full_bytes_.data(), spec_.width, spec_.warps(), spec_.warps(), 0};
}

void LaneContext::observe(InstructionKind kind, const SourceLine& where, LaneValues values,
                          const AccessedArray* array, const ActiveIndices* indices,
                          std::int64_t origin) {
  Counts cost = counts;
  cost -= observed_;
  cost.lane_slots = cost.instructions() * spec_.block_words;
  observed_ = counts;
  observer_->instruction({kind, where, kernel_, mask_, cost, values, array, indices, origin});
}

Mask LaneContext::push(const std::uint8_t* bytes) {
  const Mask enclosing = mask_;
  std::int32_t active = 0;
  std::int32_t warps = 0;
  const std::int32_t b = spec_.block_words;
  for (std::int32_t begin = 0; begin < spec_.width; begin += b) {
    std::int32_t in_warp = 0;
    for (std::int32_t i = begin; i < begin + b; ++i) in_warp += bytes[i];
    active += in_warp;
    warps += in_warp != 0 ? 1 : 0;
  }
  mask_ = {bytes, active, spec_.skip_empty ? warps : spec_.warps(), warps, ++last_mask_};
  return enclosing;
}

AccessPattern& LaneContext::access(const std::int32_t* index, std::uint64_t index_id) {
  for (AccessPattern& pattern : patterns_) {
    if (pattern.index_id == index_id && pattern.mask_id == mask_.id) return pattern;
  }
  AccessPattern& pattern = patterns_[oldest_pattern_];
  oldest_pattern_ ^= 1;
  pattern.index_id = index_id;
  pattern.mask_id = mask_.id;
  pattern.shared_base = -1;
  if (full()) {
    pattern.active = {index, lanes_.data(), spec_.width, full_begin_.data()};
  } else {
    pack(pattern, index);
  }
  describe(pattern.active);
  return pattern;
}

void LaneContext::pack(AccessPattern& pattern, const std::int32_t* index) const {
  const std::int32_t b = spec_.block_words;
  std::int32_t count = 0;
  std::int32_t* const out_index = pattern.packed_index.data();
  std::int32_t* const out_lane = pattern.packed_lane.data();
  for (std::int32_t warp = 0; warp < spec_.warps(); ++warp) {
    pattern.packed_begin[static_cast<std::size_t>(warp)] = count;
    for (std::int32_t i = warp * b; i < (warp + 1) * b; ++i) {
      out_index[count] = index[i];
      out_lane[count] = i;
      count += mask_.bytes[i];
    }
  }
  pattern.packed_begin[static_cast<std::size_t>(spec_.warps())] = count;
  pattern.active = {out_index, out_lane, count, pattern.packed_begin.data()};
}

Shape LaneContext::shape_of_warp(const ActiveIndices& active, std::int32_t warp) const {
  if (active.shape != Shape::general || spec_.warps() == 1) return active.shape;
  const std::int32_t begin = active.warp_begin[warp];
  return shape_of(active.index + begin, active.warp_begin[warp + 1] - begin);
}

void LaneContext::fail(std::string_view rule, std::int32_t lane, std::string_view array,
                       std::int64_t index, const SourceLine& where) const {
  fail(fmt::format("{} (kernel {}, task {}, lane {}, array {}, index {}", rule, kernel_, task_,
                   lane, array, index),
       where);
}

void LaneContext::fail(std::string_view rule, std::int32_t lane, const SourceLine& where) const {
  fail(fmt::format("{} (kernel {}, task {}, lane {}", rule, kernel_, task_, lane), where);
}

void LaneContext::fail(const std::string& message, const SourceLine& where) const {
  const std::string located =
      fmt::format("{}, at {}:{})", message,
                  std::filesystem::path(where.file_name()).filename().string(), where.line());
  if (observer_ != nullptr) observer_->violation(where, located);
  throw RuleViolation(located);
}

}  // namespace agpusim

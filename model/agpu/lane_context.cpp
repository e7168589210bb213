#include "agpusim/model/agpu/lane_context.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "agpusim/model/agpu/lane_vector.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {
namespace {

constexpr std::int32_t chunk = vector_lanes;
constexpr std::int32_t padding = 16;  // a multiple of every vector's length

constexpr std::uint32_t up = 1;
constexpr std::uint32_t down = 2;
constexpr std::uint32_t same = 4;

/// Whether the `count` indices are a, a + step, a + 2·step, ..., for a step of -1, 0 or 1.
bool have_step(const std::int32_t* index, std::int32_t count, std::int32_t step) {
  const auto lane = __builtin_convertvector(lane_numbers_of_vector, LaneVector);
  const LaneVector none{};
  LaneVector expected = (step > 0   ? lane
                         : step < 0 ? none - lane
                                    : none) +
                        static_cast<std::uint32_t>(index[0]);
  LaneVector differs{};
  std::int32_t i = 0;
  for (; i + chunk <= count; i += chunk) {
    differs |= load_lanes(index + i) ^ expected;
    expected += static_cast<std::uint32_t>(chunk * step);
  }
  if (i < count) {
    differs |= lane_numbers_of_vector + i < count ? load_lanes(index + i) ^ expected : none;
  }
  return !any_lane(differs);
}

/// How neighbours among `count` indices differ; behind them there are `chunk` more of any value.
/// Whole vectors are loaded as they were stored: others would wait for the stores.
std::uint32_t steps_of(const std::int32_t* index, std::int32_t count) {
  const SignedLaneVector none{};
  SignedLaneVector steps{};
  auto next = load_lanes<SignedLaneVector>(index);
  for (std::int32_t i = 0; i + 1 < count; i += chunk) {
    const SignedLaneVector here = next;
    next = load_lanes<SignedLaneVector>(index + i + chunk);
    const SignedLaneVector after = next_lanes(here, next);
    const SignedLaneVector step = after > here   ? none + std::int32_t{up}
                                  : after < here ? none + std::int32_t{down}
                                                 : none + std::int32_t{same};
    steps |= lane_numbers_of_vector + (i + 1) < count ? step : none;
  }
  return or_of_lanes(steps);
}

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

/// Completes `active`, whose shape is general.
void describe_order(ActiveIndices& active) {
  const std::uint32_t steps = steps_of(active.index, active.count);
  active.distinct = steps == up || steps == down;
  const std::int32_t* const index = active.index;
  std::int32_t low = index[0];
  std::int32_t high = index[0];
  for (std::int32_t i = 0; i < active.count; ++i) {
    low = std::min(low, index[i]);
    high = std::max(high, index[i]);
  }
  active.low = low;
  active.high = high;
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

}  // namespace

LaneContext::LaneContext(const AgpuSpec& spec, bool checks, bool pricing, bool derives,
                         bool execution, Observer* observer)
    : spec_(spec),
      rules_(spec),
      checks_(checks),
      pricing_(pricing),
      derives_(derives),
      observer_(observer),
      warps_(spec.warps()),
      padded_((spec.width + padding - 1) / padding * padding),
      pool_(padded_),
      lone_(execution ? std::make_unique<LoneTask>(spec) : nullptr),
      watched_(execution || observer != nullptr),
      full_bytes_(static_cast<std::size_t>(padded_), 0),
      lanes_(static_cast<std::size_t>(padded_)),
      full_begin_(static_cast<std::size_t>(warps_) + 1) {
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
  if (observer_ != nullptr) {
    observed_ = {};
    observer_->begin_task(task);
  }
  arrived_read_ = last_read_;
  mask_ = {full_bytes_.data(), spec_.width, warps_, warps_, 0};
}

void LaneContext::execute(Op op, bool wide, Arrival& result,
                          std::initializer_list<const Arrival*> operands) {
  if (lone_ == nullptr) return;
  std::uint64_t read = 0;
  for (const Arrival* const operand : operands) {
    if (operand == nullptr) continue;
    lone_->wait(*operand);
    read = std::max(read, operand->read);
  }
  result = {lone_->issue(op, wide, mask_.issued_warps, pool_.live()), read};
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
  mask_ = {bytes, active, spec_.skip_empty ? warps : warps_, warps, ++last_mask_};
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
  pattern.known = nullptr;
  if (full()) {
    pattern.active = {index, lanes_.data(), spec_.width, full_begin_.data()};
    if (!describe_shape(pattern.active)) describe_all_lanes(pattern);
  } else {
    pack(pattern, index);
    if (!describe_shape(pattern.active)) describe_order(pattern.active);
  }
  return pattern;
}

/// Completes a pattern of general shape by what is known of its like.
void LaneContext::describe_all_lanes(AccessPattern& pattern) {
  ActiveIndices& active = pattern.active;
  const std::int32_t* const index = active.index;
  using Limits = std::numeric_limits<std::int32_t>;
  const std::int64_t first = index[0];
  const auto last = static_cast<std::size_t>(active.count) - 1;
  for (KnownIndices& known : known_) {
    if (known.offset.empty() || index[last] - first != known.offset[last] ||
        first + known.low < Limits::min() || first + known.high > Limits::max() ||
        !have_offsets(index, active.count, known.offset.data())) {
      continue;
    }
    active.distinct = known.distinct;
    active.low = index[0] + known.low;
    active.high = index[0] + known.high;
    pattern.known = &known;
    return;
  }
  describe_order(active);
  if (std::int64_t{active.high} - active.low > Limits::max()) return;
  KnownIndices& known = known_[oldest_known_];
  oldest_known_ = (oldest_known_ + 1) % static_cast<int>(std::size(known_));
  for (AccessPattern& other : patterns_) {
    if (other.known == &known) other.known = nullptr;
  }
  known.offset.resize(static_cast<std::size_t>(padded_));
  std::transform(index, index + active.count, known.offset.begin(),
                 [from = index[0]](std::int32_t i) { return i - from; });
  known.distinct = active.distinct;
  known.low = active.low - index[0];
  known.high = active.high - index[0];
  known.priced = false;
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
    for (std::int32_t i = warp * b; i < (warp + 1) * b; ++i) {
      out_index[count] = index[i];
      out_lane[count] = i;
      count += mask_.bytes[i];
    }
  }
  begin[warps_] = count;
  pattern.active = {out_index, out_lane, count, begin};
}

Shape LaneContext::shape_of_warp(const ActiveIndices& active, std::int32_t warp) const {
  if (active.shape != Shape::general || warps_ == 1) return active.shape;
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

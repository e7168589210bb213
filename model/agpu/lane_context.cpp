#include "agpusim/model/agpu/lane_context.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>

#include "agpusim/model/agpu/lane_steps.hpp"
#include "agpusim/model/agpu/lane_vector.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

constexpr std::int32_t chunk = vector_lanes;
constexpr std::int32_t padding = 16;  // a multiple of every vector's length

/// The sum of bytes that are 0 or 1.
std::int32_t sum_of_bytes(const std::uint8_t* bytes, std::int32_t count) {
  std::int32_t sum = 0;
  std::int32_t i = 0;
  for (; i + 32 <= count; i += 32) {
    std::uint64_t part[4];
    std::memcpy(part, bytes + i, 32);
    constexpr std::uint64_t ones = 0x0101010101010101;
    sum += static_cast<std::int32_t>((part[0] + part[1] + part[2] + part[3]) * ones >> 56);
  }
  for (; i < count; ++i) sum += bytes[i];
  return sum;
}

}  // namespace

LaneContext::LaneContext(const AgpuSpec& spec, bool checks, bool pricing, bool derives,
                         bool execution, Observer* observer)
    : spec_(spec),
      rules_(spec),
      wants_checks_(checks),
      wants_pricing_(pricing),
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
    pattern.packed_lane.resize(static_cast<std::size_t>(padded_ + chunk) + 1);
    pattern.packed_begin.resize(full_begin_.size());
  }
  std::fill_n(full_bytes_.begin(), spec.width, std::uint8_t{1});
  std::iota(lanes_.begin(), lanes_.end(), 0);
  for (std::size_t w = 0; w < full_begin_.size(); ++w) {
    full_begin_[w] = static_cast<std::int32_t>(w) * spec.block_words;
  }
  ascending_.active = {nullptr,          lanes_.data(), spec.width, full_begin_.data(),
                       Shape::ascending, true};
}

// Out of line: vectors of the host are no CUDA, as which kernels include this header.
bool LaneContext::have_unit_step(const std::int32_t* index, std::int32_t width) {
  return have_step(index, width, 1);
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
  if (replays()) push(replayed_);
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

Observer* LaneContext::watch(Observer* observer) {
  watched_ = lone_ != nullptr || observer != nullptr;
  return std::exchange(observer_, observer);
}

void LaneContext::replay(const std::uint8_t* lanes, bool has_record) {
  replayed_ = lanes;
  has_record_ = has_record;
  checks_ = wants_checks_ && lanes == nullptr;
  pricing_ = wants_pricing_ && lanes == nullptr;
}

Mask LaneContext::push(const std::uint8_t* bytes) {
  const Mask enclosing = mask_;
  std::int32_t active = 0;
  std::int32_t warps = 0;
  const std::int32_t b = spec_.block_words;
  for (std::int32_t begin = 0; begin < spec_.width; begin += b) {
    const std::int32_t in_warp = sum_of_bytes(bytes + begin, b);
    active += in_warp;
    warps += in_warp != 0 ? 1 : 0;
  }
  mask_ = {bytes, active, spec_.skip_empty ? warps : warps_, warps, ++last_mask_};
  return enclosing;
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

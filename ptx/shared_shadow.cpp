#include "agpusim/ptx/shared_shadow.hpp"

#include <algorithm>

namespace agpusim::ptx {

namespace {

constexpr std::uint32_t window_elements = 32;

}  // namespace

void SharedShadow::begin(std::uint32_t elements, std::uint32_t warps) {
  warps_ = warps;
  if (writes_.size() < elements + window_elements) {
    writes_.resize(elements + window_elements, 0);
    reads_.resize(elements + window_elements, 0);
  }
  advance();
  begun_ = time_;
  floor_ = time_ - 1;
  for (auto& row : known_) row.fill(floor_);
}

void SharedShadow::advance() {
  if (++time_ < last_time) return;
  // Times begin again: what was written stays so, in no order with what comes.
  for (Note& note : writes_) {
    if (note != pending) note = note >> time_shift >= begun_ ? (1U << time_shift | several) : 0;
  }
  std::fill(reads_.begin(), reads_.end(), 0U);
  time_ = 2;
  begun_ = 1;
  floor_ = 1;
  for (auto& row : known_) row.fill(1);
}

bool SharedShadow::is_before(Note note, std::uint32_t lane) const {
  const std::uint32_t time = note >> time_shift;
  if (time <= floor_) return true;
  const std::uint32_t user = note & user_mask;
  if (user == lane) return true;
  const auto& known = known_[lane / 32];
  if (user == several) {
    return std::all_of(known.begin(), known.begin() + warps_,
                       [&](std::uint32_t until) { return time <= until; });
  }
  return time <= known[user >= several_of_warp ? user - several_of_warp : user / 32];
}

SharedShadow::Found SharedShadow::read(std::uint32_t element, std::uint32_t lane, bool strong) {
  const Note write = writes_[element];
  if (write == pending) return Found::pending;
  Note& last = reads_[element];
  // Reads that are not ordered with each other are remembered together.
  const bool follows = is_before(last, lane);
  if (follows) {
    last = note_of(lane, strong);
  } else {
    const std::uint32_t user = last & user_mask;
    const std::uint32_t of_warp = several_of_warp + lane / 32;
    const bool one_warp = user == of_warp || (user < several_of_warp && user / 32 == lane / 32);
    last = note_of(one_warp ? of_warp : several, strong && (last & strong_bit) != 0);
  }
  if (write >> time_shift < begun_) return Found::unwritten;
  if (is_before(write, lane) || (strong && (write & strong_bit) != 0)) return Found::nothing;
  other_ = write & user_mask;
  return Found::race;
}

SharedShadow::Found SharedShadow::before_write(std::uint32_t element, std::uint32_t lane,
                                               bool strong) {
  const Note write = writes_[element];
  const Note read = reads_[element];
  if (write == pending) return Found::pending;
  for (const Note note : {write, read}) {
    if (is_before(note, lane) || (strong && (note & strong_bit) != 0)) continue;
    other_ = note & user_mask;
    return Found::race;
  }
  return Found::nothing;
}

// Below, masks are all ones or 0, so that loops over elements become vector operations.
namespace {

std::uint32_t mask(bool value) { return value ? ~0U : 0; }

}  // namespace

bool SharedShadow::read(const Window& window) {
  const Note* const writes = writes_.data() + window.first;
  Note* const reads = reads_.data() + window.first;
  const std::uint32_t of_warp = several_of_warp + window.warp;
  // Then no note since the last barrier of the CTA comes before the access of another lane.
  const std::uint32_t unordered = mask(time_ == floor_ + 1);
  const std::uint32_t now = time_ << time_shift;
  const std::uint32_t floor = floor_;
  const std::uint32_t begun = begun_;
  alignas(64) std::array<Note, window_elements> next;
  std::uint32_t wrong = 0;
  for (std::uint32_t i = 0; i < window_elements; ++i) {
    const std::uint32_t touched = mask((window.touched >> i & 1) != 0);
    const std::uint32_t twice = mask((window.twice >> i & 1) != 0);
    const std::uint32_t user = window.user[i];
    const Note write = writes[i];
    const Note read = reads[i];
    const std::uint32_t written = write >> time_shift;
    const std::uint32_t by_me = mask((write & user_mask) == user) & ~twice;
    const std::uint32_t fine = mask(written >= begun) & (mask(written <= floor) | by_me);
    const std::uint32_t reader = read & user_mask;
    const std::uint32_t is_new = mask(read >> time_shift <= floor);
    const std::uint32_t mine = is_new | mask(reader == user);
    const std::uint32_t one_warp =
        is_new | mask(reader == of_warp) | mask(reader / 32 == window.warp);
    const std::uint32_t joined = (one_warp & of_warp) | (~one_warp & several);
    const std::uint32_t single = mine & ~twice;
    const std::uint32_t result = now | (single & user) | (~single & joined);
    wrong |= touched & ~(fine & (is_new | single | unordered));
    next[i] = (touched & result) | (~touched & read);
  }
  if (wrong != 0) return false;
  std::copy(next.begin(), next.end(), reads);
  return true;
}

bool SharedShadow::write(const Window& window) {
  Note* const writes = writes_.data() + window.first;
  const Note* const reads = reads_.data() + window.first;
  const std::uint32_t now = time_ << time_shift;
  const std::uint32_t floor = floor_;
  alignas(64) std::array<Note, window_elements> next;
  std::uint32_t wrong = 0;
  for (std::uint32_t i = 0; i < window_elements; ++i) {
    const std::uint32_t touched = mask((window.touched >> i & 1) != 0);
    const std::uint32_t once = mask((window.twice >> i & 1) == 0);
    const std::uint32_t user = window.user[i];
    const Note write = writes[i];
    const Note read = reads[i];
    const auto before = [&](Note note) {
      return mask(note >> time_shift <= floor) | (once & mask((note & user_mask) == user));
    };
    wrong |= touched & ~(before(write) & before(read));
    next[i] = (touched & (now | user)) | (~touched & write);
  }
  if (wrong != 0) return false;
  std::copy(next.begin(), next.end(), writes);
  return true;
}

void SharedShadow::barrier() {
  floor_ = time_;
  advance();
}

void SharedShadow::barrier_of(std::uint32_t warps) {
  std::array<std::uint32_t, 32> joined{};
  for (std::uint32_t w = 0; w < warps_; ++w) {
    if ((warps >> w & 1) == 0) continue;
    for (std::uint32_t i = 0; i < warps_; ++i) joined[i] = std::max(joined[i], known_[w][i]);
  }
  for (std::uint32_t w = 0; w < warps_; ++w) {
    if ((warps >> w & 1) != 0) joined[w] = time_;
  }
  for (std::uint32_t w = 0; w < warps_; ++w) {
    if ((warps >> w & 1) != 0) known_[w] = joined;
  }
  advance();
}

void SharedShadow::warp_barrier(std::uint32_t warp) {
  known_[warp][warp] = time_;
  advance();
}

}  // namespace agpusim::ptx

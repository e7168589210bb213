#include "agpusim/model/agpu/race_detector.hpp"

#include <algorithm>
#include <bit>

namespace agpusim {
namespace {

/// The elements of a word "phase in the high half, elements in the low half"; none of another
/// phase.
std::uint32_t elements_of(std::uint64_t word, std::uint32_t phase) {
  return static_cast<std::uint32_t>(word >> 32) == phase ? static_cast<std::uint32_t>(word) : 0;
}

}  // namespace

RaceDetector::RaceDetector(std::int64_t elements, bool concurrent)
    : concurrent_(concurrent),
      chunks_(static_cast<std::size_t>((elements + chunk_elements - 1) / chunk_elements)) {}

std::int64_t RaceDetector::note(std::uint32_t phase, std::int64_t task, Kind kind,
                                std::int64_t chunk_number, std::uint32_t elements,
                                std::int32_t& element) {
  Chunk& chunk = chunks_[static_cast<std::size_t>(chunk_number)];
  if (kind != Kind::write) {
    const auto& settled = kind == Kind::read ? chunk.many_read : chunk.many_atomic;
    if ((elements & ~elements_of(settled.load(std::memory_order_relaxed), phase)) == 0) {
      return nobody;
    }
  }
  if (concurrent_) {
    while (chunk.lock.exchange(1, std::memory_order_acquire) != 0) {
    }
  }
  if (chunk.phase != phase) {
    chunk.phase = phase;
    chunk.owner = task;
    std::fill_n(chunk.used, 3, 0U);
    chunk.users = nullptr;
  }
  std::int64_t other = nobody;
  if (chunk.users == nullptr && chunk.owner == task) {
    chunk.used[static_cast<std::size_t>(kind)] |= elements;
  } else {
    if (chunk.users == nullptr) {
      chunk.users = new_users(phase);
      const std::uint32_t used = chunk.used[0] | chunk.used[1] | chunk.used[2];
      for (std::uint32_t rest = used; rest != 0; rest &= rest - 1) {
        chunk.users->task[std::countr_zero(rest)] = chunk.owner;
      }
    }
    other = note_shared(chunk, phase, task, kind, elements, element);
  }
  if (concurrent_) chunk.lock.store(0, std::memory_order_release);
  return other;
}

RaceDetector::Users* RaceDetector::new_users(std::uint32_t phase) {
  const std::lock_guard guard(users_mutex_);
  if (users_phase_ != phase) {
    users_phase_ = phase;
    users_used_ = 0;
  }
  if (users_used_ == users_.size()) users_.emplace_back();
  return &users_[users_used_++];
}

std::int64_t RaceDetector::note_shared(Chunk& chunk, std::uint32_t phase, std::int64_t task,
                                       Kind kind, std::uint32_t elements, std::int32_t& element) {
  const auto k = static_cast<std::size_t>(kind);
  const std::uint32_t used = chunk.used[0] | chunk.used[1] | chunk.used[2];
  const std::uint32_t otherwise = chunk.used[(k + 1) % 3] | chunk.used[(k + 2) % 3];
  std::uint32_t met = 0;
  for (std::uint32_t rest = elements; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    const std::uint32_t bit = std::uint32_t{1} << i;
    std::int64_t& user = chunk.users->task[i];
    if ((used & bit) == 0) {
      user = task;
    } else if (user != task) {
      if (kind == Kind::write || (otherwise & bit) != 0) {
        element = i;
        return user;
      }
      user = many;
      met |= bit;
    }
  }
  chunk.used[k] |= elements;
  if (met != 0) {
    std::atomic<std::uint64_t>& settled = kind == Kind::read ? chunk.many_read : chunk.many_atomic;
    const std::uint32_t before = elements_of(settled.load(std::memory_order_relaxed), phase);
    settled.store(std::uint64_t{phase} << 32 | before | met, std::memory_order_relaxed);
  }
  return nobody;
}

}  // namespace agpusim

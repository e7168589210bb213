#include "agpusim/model/agpu/race_detector.hpp"

#include <algorithm>
#include <bit>

namespace agpusim {

RaceDetector::RaceDetector(std::int64_t elements)
    : chunks_(static_cast<std::size_t>((elements + chunk_elements - 1) / chunk_elements)) {}

RaceDetector::Shared::Shared() {
  std::fill_n(reader, chunk_elements, nobody);
  std::fill_n(writer, chunk_elements, nobody);
  std::fill_n(adder, chunk_elements, nobody);
}

std::int64_t RaceDetector::note(std::uint32_t phase, std::int64_t task, Kind kind,
                                std::int64_t chunk_number, std::uint32_t elements,
                                std::int32_t& element) {
  Chunk& chunk = chunks_[static_cast<std::size_t>(chunk_number)];
  while (chunk.lock.exchange(1, std::memory_order_acquire) != 0) {
  }
  if (chunk.phase != phase) {
    chunk.phase = phase;
    chunk.owner = task;
    chunk.read = chunk.written = chunk.added = 0;
    chunk.shared = nullptr;
  }
  std::int64_t other = nobody;
  if (chunk.shared == nullptr && chunk.owner == task) {
    std::uint32_t& mine = kind == Kind::read    ? chunk.read
                          : kind == Kind::write ? chunk.written
                                                : chunk.added;
    mine |= elements;
  } else {
    if (chunk.shared == nullptr) chunk.shared = new_shared(phase, chunk);
    other = note_shared(*chunk.shared, task, kind, elements, element);
  }
  chunk.lock.store(0, std::memory_order_release);
  return other;
}

RaceDetector::Shared* RaceDetector::new_shared(std::uint32_t phase, const Chunk& chunk) {
  const std::lock_guard guard(shared_mutex_);
  if (shared_phase_ != phase) {
    shared_phase_ = phase;
    shared_used_ = 0;
  }
  if (shared_used_ == shared_.size()) shared_.push_back(std::make_unique<Shared>());
  Shared& record = *shared_[shared_used_];
  record = Shared();
  for (std::size_t i = 0; i < chunk_elements; ++i) {
    const std::uint32_t bit = std::uint32_t{1} << i;
    if ((chunk.read & bit) != 0) record.reader[i] = chunk.owner;
    if ((chunk.written & bit) != 0) record.writer[i] = chunk.owner;
    if ((chunk.added & bit) != 0) record.adder[i] = chunk.owner;
  }
  ++shared_used_;
  return &record;
}

std::int64_t RaceDetector::note_shared(Shared& record, std::int64_t task, Kind kind,
                                       std::uint32_t elements, std::int32_t& element) {
  const auto foreign = [task](std::int64_t who) { return who != nobody && who != task; };
  const auto add = [task](std::int64_t& who) { who = who == nobody || who == task ? task : many; };
  for (std::uint32_t rest = elements; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    const std::int64_t against[] = {record.writer[i],
                                    kind == Kind::read ? nobody : record.reader[i],
                                    kind == Kind::atomic ? nobody : record.adder[i]};
    for (const std::int64_t who : against) {
      if (foreign(who)) {
        element = static_cast<std::int32_t>(i);
        return who;
      }
    }
    if (kind == Kind::read) add(record.reader[i]);
    if (kind == Kind::write) record.writer[i] = task;
    if (kind == Kind::atomic) add(record.adder[i]);
  }
  return nobody;
}

}  // namespace agpusim

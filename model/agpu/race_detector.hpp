#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace agpusim {

/// The race rule of one global array (theory A11): within a phase no word that one task writes may
/// be read or written by another task. Atomic operations of several tasks on one word are allowed,
/// mixed with plain accesses they are not.
///
/// The array is watched in chunks of 32 elements. A chunk that one task uses alone, by far the most
/// common case, needs one record; only a chunk that a second task touches gets a record per
/// element. Safe to call from several host threads; what is a race does not depend on their timing.
class RaceDetector {
 public:
  enum class Kind : std::uint8_t { read, write, atomic };

  static constexpr std::int64_t chunk_elements = 32;
  static constexpr std::int64_t nobody = -1;
  static constexpr std::int64_t many = -2;

  /// What a detector of so many elements takes of the host's memory at least.
  [[nodiscard]] static std::int64_t host_bytes(std::int64_t elements) {
    return elements / chunk_elements * std::int64_t{sizeof(Chunk)};
  }

  /// `concurrent` when several host threads call.
  RaceDetector(std::int64_t elements, bool concurrent);

  /// Notes that `task` accesses the elements of chunk `chunk` whose bits are set in `elements`, in
  /// phase `phase` (phases count from 1). Returns `nobody`, or the other task of a race (`many`
  /// where several share the blame) with the element within the chunk in `element`.
  std::int64_t note(std::uint32_t phase, std::int64_t task, Kind kind, std::int64_t chunk,
                    std::uint32_t elements, std::int32_t& element);
  /// Fetches the record of a chunk that note() will need.
  void prefetch(std::int64_t chunk) const {
    __builtin_prefetch(&chunks_[static_cast<std::size_t>(chunk)], 1);
  }

 private:
  /// Who used each element of a chunk: a task, or `many`, who then all read or all did atomic
  /// operations. Set for the elements that were used.
  struct Users {
    std::int64_t task[chunk_elements];
  };
  struct alignas(64) Chunk {  // one line of the host's cache
    std::atomic<std::uint32_t> lock{0};
    std::uint32_t phase = 0;
    std::int64_t owner = nobody;
    std::uint32_t used[3] = {};  // elements by kind of access
    Users* users = nullptr;      // set once a second task touches the chunk
    // Elements that many tasks read, or many update: more of the same changes nothing. The phase
    // in the high half.
    std::atomic<std::uint64_t> many_read{0};
    std::atomic<std::uint64_t> many_atomic{0};
  };

  static std::int64_t note_shared(Chunk& chunk, std::uint32_t phase, std::int64_t task, Kind kind,
                                  std::uint32_t elements, std::int32_t& element);
  Users* new_users(std::uint32_t phase);

  bool concurrent_;
  std::vector<Chunk> chunks_;
  std::mutex users_mutex_;
  std::uint32_t users_phase_ = 0;
  std::size_t users_used_ = 0;
  std::deque<Users> users_;
};

}  // namespace agpusim

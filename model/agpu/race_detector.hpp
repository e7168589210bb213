#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
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

  explicit RaceDetector(std::int64_t elements);

  /// Notes that `task` accesses the elements of chunk `chunk` whose bits are set in `elements`, in
  /// phase `phase` (phases count from 1). Returns `nobody`, or the other task of a race (`many`
  /// where several share the blame) with the element within the chunk in `element`.
  std::int64_t note(std::uint32_t phase, std::int64_t task, Kind kind, std::int64_t chunk,
                    std::uint32_t elements, std::int32_t& element);

 private:
  /// Who touched each element of a chunk that several tasks use.
  struct Shared {
    Shared();
    std::int64_t reader[chunk_elements];  // a task, nobody or many
    std::int64_t writer[chunk_elements];  // a task or nobody
    std::int64_t adder[chunk_elements];   // a task, nobody or many
  };
  struct Chunk {
    std::atomic<std::uint32_t> lock{0};
    std::uint32_t phase = 0;
    std::int64_t owner = nobody;
    std::uint32_t read = 0;
    std::uint32_t written = 0;
    std::uint32_t added = 0;
    Shared* shared = nullptr;  // set once a second task touches the chunk
  };

  static std::int64_t note_shared(Shared& record, std::int64_t task, Kind kind,
                                  std::uint32_t elements, std::int32_t& element);
  Shared* new_shared(std::uint32_t phase, const Chunk& chunk);

  std::vector<Chunk> chunks_;
  std::mutex shared_mutex_;
  std::uint32_t shared_phase_ = 0;
  std::size_t shared_used_ = 0;
  std::vector<std::unique_ptr<Shared>> shared_;
};

}  // namespace agpusim

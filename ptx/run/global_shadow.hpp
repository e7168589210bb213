#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "agpusim/ptx/run/order.hpp"

namespace agpusim::ptx {

/// Who used an element of global memory last, and when: finds accesses of two threads, one of which
/// writes, that are in no order.
///
/// It holds what a CTA has done since its last barrier; or, where CTAs may be ordered by what they
/// read of each other, what all of them have done in the launch. Of 32 neighbouring elements it
/// keeps one row of threads that wrote them and one that read them, as contiguous accesses leave
/// them, or a note for each element.
class GlobalShadow {
 public:
  /// `of_launch`: of all CTAs of the launch, whose words tell their order.
  explicit GlobalShadow(const Words* of_launch) : words_(of_launch) {}

  /// Threads of a warp that access neighbouring elements.
  struct Row {
    std::uint64_t first = 0;  ///< element
    std::uint32_t count = 0;  ///< elements
    std::uint32_t warp = 0;
    std::uint32_t lane = 0;      ///< lane that accesses the first element
    std::uint32_t per_lane = 1;  ///< elements of a lane, 1, 2, 4, 8 or 16; 0: all lanes access all
    Strength strength = Strength::weak;
  };
  /// Notes accesses; false, and perhaps noted in part, where one may be a race, or must be looked
  /// at lane by lane.
  [[nodiscard]] bool read(const Order& order, const Row& row) { return note(order, row, false); }
  [[nodiscard]] bool write(const Order& order, const Row& row) { return note(order, row, true); }

  /// An access of a thread: whether it is a race.
  [[nodiscard]] bool read(const Order& order, std::uint64_t element, std::uint32_t thread,
                          Strength strength);
  /// What a write finds; note_write() notes it when all lanes of the instruction have asked.
  [[nodiscard]] bool before_write(const Order& order, std::uint64_t element, std::uint32_t thread,
                                  Strength strength);
  /// Whether another lane has written it at the same time, as lanes of one instruction do.
  bool note_write(const Order& order, std::uint64_t element, std::uint32_t thread,
                  Strength strength);

  /// Forgets all.
  void clear();

  /// The access that the last race was with.
  struct Other {
    std::uint32_t cta = 0;  ///< as Order has it; several_ctas
    Note note;
    bool reads = false;
  };
  static constexpr std::uint32_t several_ctas = ~std::uint32_t{0};
  [[nodiscard]] const Other& other() const { return other_; }

 private:
  /// An access of a thread of a CTA; of reads of several CTAs, what the launch had published.
  struct Noted {
    std::uint32_t cta = 0;
    std::uint32_t bits = 0;
  };
  /// Elements of a chunk that threads of one warp use in a row, at one time.
  struct NotedRow {
    std::uint32_t cta = 0;  ///< 0: none
    Time time = 0;
    std::uint32_t pattern = 0;
    std::uint32_t elements = 0;
  };
  /// 32 neighbouring elements.
  struct Chunk {
    std::uint64_t number = 0;
    std::uint32_t generation = 0;
    std::uint32_t split = 0;  ///< index in `notes_`, from 1 on, of what each element has
    NotedRow write;
    NotedRow read;
  };
  struct Notes {
    std::array<Noted, 32> write{};
    std::array<Noted, 32> read{};
  };

  [[nodiscard]] bool note(const Order& order, const Row& row, bool writes);
  [[nodiscard]] Chunk& chunk_of(std::uint64_t number);
  void grow();
  [[nodiscard]] bool comes_before(const Order& order, const NotedRow& uses, std::uint32_t pattern,
                                  std::uint32_t elements) const;
  [[nodiscard]] bool replace(const Order& order, NotedRow& uses, std::uint32_t warp,
                             std::uint32_t pattern, std::uint32_t elements) const;
  [[nodiscard]] bool read_split(const Order& order, const Chunk& chunk, std::uint32_t warp,
                                std::uint32_t pattern, std::uint32_t elements);
  Notes& split(Chunk& chunk);
  [[nodiscard]] bool is_before(const Order& order, Noted use, std::uint32_t thread,
                               bool of_read) const;
  [[nodiscard]] bool races(const Order& order, Noted use, std::uint32_t thread, Strength strength,
                           bool reads);

  const Words* words_;
  std::vector<Chunk> chunks_;  // by hash; a power of two
  std::size_t used_ = 0;
  std::size_t last_ = 0;  // the chunk that was found last
  std::uint32_t generation_ = 1;
  std::vector<Notes> notes_;
  Other other_;
};

}  // namespace agpusim::ptx
